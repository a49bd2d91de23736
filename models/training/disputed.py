"""Sentences of which a network and its teachers (severity_teacher.py) say different things: writes what `vile.py --disputed` reads, one object per line, the most
disputed first.

    python disputed.py --work work --hard work/rude.jsonl --start-from work/settle.pt --teachers work/0.15.0.pt work/A.pt work/B.pt --output work/disputed.jsonl

Of a sentence drawn at random a teacher says mostly what the network says as well. So the network reads many sentences, and its teachers those of harmless texts that look
vilest to it, and those of other texts of which it is not sure (decision 66). No reader need have graded them.
"""

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from calibrate import REFERENCE
from distillation import logits_of
from hard_negatives import CHUNK_TEXTS, severities
from labels import Row
from readers import MOST_CHARACTERS, sentences_with_words
from runtimes import load_checkpoint
from surroundings import is_harmless_elsewhere
from train import read_rows
from vile import SEVERE, is_doubtful_elsewhere, is_toxic_elsewhere, suspects, without_doubtful_labels
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

# In log-odds: what the network may be unsure of, and what its teachers need not look at.
UNSURE = (-5.0, 3.0)
LEAST = -5.5
LONGEST = 400


@dataclass
class Kind:
    texts: int  # so many are read at most
    sentences: int  # and of so many sentences the teachers are asked
    is_of: Callable[[Row], bool]
    is_harmless: bool


KINDS = (
    Kind(60_000, 26_000, lambda row: row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05, True),
    Kind(10_000, 5_000, is_harmless_elsewhere, True),
    Kind(30_000, 18_000, is_toxic_elsewhere, False),
    Kind(25_000, 9_000, is_doubtful_elsewhere, False),
)


def sentences_of_rows(rows: list[Row]) -> list[str]:
    """Each once, in the order in which they stand."""
    texts = [row.text[:MOST_CHARACTERS] for row in rows]
    found = {text[start:end].strip(): None for text in texts for start, end in sentences_with_words(text)}
    return [sentence for sentence in found if len(sentence) < LONGEST]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--start-from", type=Path, required=True, help="the network that is to learn")
    parser.add_argument("--teachers", type=Path, nargs="+", required=True, help="what is to teach it")
    parser.add_argument("--hard", type=Path, required=True, help="what hard_negatives.py wrote")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=20261126, help="which texts are read")
    options = parser.parse_args()
    torch.set_num_threads(2)
    rng, tokenizer, model = random.Random(options.seed), load_tokenizer(), load_checkpoint(options.start_from)
    _, doubtful = suspects(options.hard)
    known = [without_doubtful_labels(row, doubtful) for row in read_rows(options.work)]
    said: dict[str, float] = {}
    for kind in KINDS:
        of_kind = [row for row in known if kind.is_of(row)]
        rows = rng.sample(of_kind, min(kind.texts, len(of_kind)))
        found: list[tuple[str, float]] = []
        for begin in range(0, len(rows), CHUNK_TEXTS):
            sentences = [sentence for sentence in sentences_of_rows(rows[begin : begin + CHUNK_TEXTS]) if sentence not in said]
            severe = severities(sentences, model, tokenizer)
            found += [(sentence, value) for sentence, value in zip(sentences, severe, strict=True) if value > LEAST]
            print(f"{min(begin + CHUNK_TEXTS, len(rows))} texts, {len(found)} sentences", flush=True)
        if kind.is_harmless:
            found.sort(key=lambda each: -each[1])
        else:
            found = [each for each in found if UNSURE[0] < each[1] < UNSURE[1]]
            rng.shuffle(found)
        said |= dict(found[: kind.sentences])
    ids = [encoding.ids[:MAX_TOKENS] for encoding in tokenizer.encode_batch(list(said))]
    opinions = torch.stack([logits_of(load_checkpoint(teacher), ids)[:, SEVERE] for teacher in options.teachers]).mean(0).tolist()
    lines = [{"text": text, "severity": round(said[text], 2), "taught": round(taught, 2)} for text, taught in zip(said, opinions, strict=True)]
    lines.sort(key=lambda line: -abs(line["severity"] - line["taught"]))
    with open(options.output, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    print(f"wrote {len(lines)} sentences to {options.output}")


if __name__ == "__main__":
    main()
