"""Sentences of harmless texts, of Wikipedia's comments above all, that a network takes for vile: writes what `vile.py --hard` reads, one object per
line, the vilest first.

    python hard_negatives.py --work work --start-from work/settle.pt --output work/hard.jsonl

A long text is full of harmless sentences, so it is flagged for the vilest-looking of them. Some of the worst are vile or rude indeed and their comments
mislabelled: `grade` says what a reader found (read_by_eye.txt: the first 16 digits of the SHA-256 of a sentence, since the comments are not ours, and
its grade), and of what nobody read, whether a published classifier finds the sentence, or what stands around it, toxic (teachers.py): then it is rude.
"""

import argparse
import json
import random
from pathlib import Path

import torch
from tokenizers import Tokenizer

from calibrate import REFERENCE
from distillation import logits_of
from labels import LABELS
from model import Classifier
from readers import AROUND, MOST_CHARACTERS, grades_of_sentences, hash_of, sentences_with_words
from runtimes import device, load_checkpoint
from surroundings import is_harmless_elsewhere
from teachers import Lstm
from train import read_rows
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

CHUNK_TEXTS = 4000
SEVERE = LABELS.index("severe_toxicity")
MOST_TOXIC_TO_THE_TEACHER = 0.0  # log-odds
TOXIC_OF_THE_TEACHER = 0


def judged_again(known: Path, model: Classifier, tokenizer: Tokenizer) -> dict[str, tuple[float, str]]:
    """By sentence: its severity, and what stands around it."""
    around = {each["text"]: each["around"] for each in map(json.loads, open(known, encoding="utf-8"))}
    return {sentence: (severe, around[sentence]) for sentence, severe in zip(around, severities(list(around), model, tokenizer), strict=True)}


def places_of_sentences(text: str) -> list[tuple[str, str]]:
    """Each sentence with what stands around it."""
    return [(text[start:end].strip(), text[max(0, start - AROUND) : end + AROUND]) for start, end in sentences_with_words(text)]


def severities(sentences: list[str], model: Classifier, tokenizer: Tokenizer) -> list[float]:
    """In log-odds."""
    return logits_of(model, [encoding.ids[:MAX_TOKENS] for encoding in tokenizer.encode_batch(sentences)])[:, SEVERE].tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True, help="a network that vile.py made")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--comments", type=int, help="look at so many comments, drawn at random, in place of all")
    parser.add_argument("--others", type=int, default=0, help="and at so many harmless texts of the other sources of surroundings.py")
    parser.add_argument("--graded", action="store_true", help="and, of all of these texts, at the sentences that readers graded, however harmless they look")
    parser.add_argument("--least", type=float, default=-4.5, help="severe toxicity, in log-odds, from which on a sentence looks vile")
    parser.add_argument("--known", type=Path, help="what this wrote for an earlier network: all of it is written again, judged by this one")
    parser.add_argument("--seed", type=int, default=11, help="which texts are drawn")
    options = parser.parse_args()
    torch.set_num_threads(2)
    model, tokenizer = load_checkpoint(options.start_from).to(device()), load_tokenizer()
    rows, rng = read_rows(options.work), random.Random(options.seed)
    comments = [row.text[:MOST_CHARACTERS] for row in rows if row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05]
    rng.shuffle(comments)
    others = [row.text[:MOST_CHARACTERS] for row in rows if is_harmless_elsewhere(row)]
    texts = comments[: options.comments] + rng.sample(others, options.others)
    found = judged_again(options.known, model, tokenizer) if options.known else {}
    by_eye = grades_of_sentences()
    if options.graded:
        places = (place for text in [*comments, *others] for place in places_of_sentences(text))
        graded = {sentence: around for sentence, around in places if sentence not in found and hash_of(sentence) in by_eye}
        severe_of_graded = severities(list(graded), model, tokenizer)
        found |= {sentence: (severe, around) for (sentence, around), severe in zip(graded.items(), severe_of_graded, strict=True)}
        print(f"{len(graded)} sentences that readers graded", flush=True)
    for begin in range(0, len(texts), CHUNK_TEXTS):
        chunk = texts[begin : begin + CHUNK_TEXTS]
        places = [place for text in chunk for place in places_of_sentences(text)]
        for (sentence, around), severe in zip(places, severities([sentence for sentence, _ in places], model, tokenizer), strict=True):
            if severe > options.least:
                found.setdefault(sentence, (severe, around))
        print(f"{begin + len(chunk)} texts, {len(found)} sentences", flush=True)
    vilest = sorted(found, key=lambda sentence: -found[sentence][0])
    teacher = Lstm()
    alone, around = (teacher.logits(texts)[:, TOXIC_OF_THE_TEACHER] for texts in (vilest, [found[sentence][1] for sentence in vilest]))
    with open(options.output, "w", encoding="utf-8") as file:
        for sentence, *said in zip(vilest, alone, around, strict=True):
            severe, place = found[sentence]
            by_teacher = "rude" if max(said) >= MOST_TOXIC_TO_THE_TEACHER else "harmless"
            grade = by_eye.get(hash_of(sentence), by_teacher)
            file.write(json.dumps({"text": sentence, "severity": round(severe, 2), "around": place, "grade": grade}) + "\n")
    print(f"wrote {len(vilest)} sentences to {options.output}")


if __name__ == "__main__":
    main()
