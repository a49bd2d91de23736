"""Teaches spam from mutilated texts of the sources on spam, and leaves all else as it is.

    python spam.py --work work --start-from work/refitted.pt --keep work/0.14.0.pt --output work/spam.pt

These sources have a few hundred texts each and the network knows them by heart: of what it was trained on it says without a mistake what is spam. So
words are left out and ends cut off, that it learns each of the things that make a text spam, not one. What it says of other outputs and other texts, it said
before. Alone the result says of unseen texts what is spam less well than before; its mean with the network that it starts from says it better than either (decision 61).
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from calibrate import REFERENCE
from distillation import CHUNK_TEXTS, SPAM, Lesson, Pools, freeze_lower_layers, logits_of, options_of, piece_of, readable, teach
from labels import LABELS, Row
from model import Classifier
from reconcile import COMMENTS_WEIGHT, distance_of
from runtimes import load_checkpoint
from sources import E_MAILS, SPAM_EXAMPLES, TEXT_MESSAGES, VIDEO_COMMENTS
from train import crop, read_rows
from vocabulary import load_tokenizer

PEAK_RATE = 3e-5
# Of the texts: those of the sources on spam, Wikipedia comments, pieces of harmless ones, our examples, texts of any source.
SHARES = {"spam": 0.4, "comment": 0.2, "piece": 0.12, "example": 0.12, "other": 0.16}
# Of each, every second text is spam.
SHARES_OF_SOURCES = {TEXT_MESSAGES: 0.36, VIDEO_COMMENTS: 0.36, SPAM_EXAMPLES: 0.22, E_MAILS: 0.06}
MOST_CHARACTERS = 4000
MOST_CHARACTERS_OF_SPAM = 2000
# What is done to a text of at least FEWEST_WORDS, and how often.
TREATMENTS = {"whole": 0.2, "words left out": 0.45, "span": 0.2, "span with words left out": 0.15}
FEWEST_WORDS, FEWEST_WORDS_OF_SPAN = 4, 3
MOST_LEFT_OUT, SHORTEST_SPAN = 0.45, 0.4
# How surely a whole text is spam; what is left of one may have lost what made it spam, and is so the less surely the less it is, at least by a part.
SPAM_PROBABILITY, HARMLESS_PROBABILITY, LEAST_PART = 0.95, 0.01, 0.4
SEVERE = LABELS.index("severe_toxicity")


@dataclass(slots=True)
class Sample:
    ids: list[int]
    # The probability that it is spam, where it is told.
    spam: float | None
    is_comment: bool


def mutilated(text: str, rng: random.Random) -> str:
    treatment = rng.choices(list(TREATMENTS), list(TREATMENTS.values()))[0]
    words = text.split()
    if treatment == "whole" or len(words) < FEWEST_WORDS:
        return text
    if "span" in treatment:
        length = max(FEWEST_WORDS_OF_SPAN, round(len(words) * rng.uniform(SHORTEST_SPAN, 1)))
        start = rng.randint(0, max(0, len(words) - length))
        words = words[start : start + length]
    if "left out" in treatment:
        share = rng.uniform(0, MOST_LEFT_OUT)
        words = [word for word in words if rng.random() >= share] or words
    return " ".join(words)


def spam_probability(is_spam: bool, text: str, whole: str) -> float:
    if not is_spam:
        return HARMLESS_PROBABILITY
    left = min(1.0, len(text.split()) / max(1, len(whole.split())))
    return SPAM_PROBABILITY * (LEAST_PART + (1 - LEAST_PART) * left)


def samples(rows: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    pools = Pools.of(rows, rng)
    comments = [row for row in rows if row.source in (*REFERENCE, "context_toxicity_wiki")]
    known = [[row for row in rows if row.source.startswith(names) and "spam" in row.labels] for names in SHARES_OF_SOURCES]
    of_source = [[[row for row in group if (row.labels["spam"] >= 0.5) == is_spam] for is_spam in (False, True)] for group in known]

    def draft() -> tuple[str, float | None, Row]:
        kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
        if kind == "spam":
            group = rng.choices(of_source, list(SHARES_OF_SOURCES.values()))[0]
            is_spam = rng.random() < 0.5
            row = rng.choice(group[is_spam])
            whole = row.text[:MOST_CHARACTERS_OF_SPAM]
            text = mutilated(whole, rng)
            return text, spam_probability(is_spam, text, whole), row
        row = rng.choice({"comment": comments, "piece": pools.harmless_comments, "example": pools.examples, "other": pools.rows}[kind])
        return piece_of(row.text, rng) if kind == "piece" else row.text[:MOST_CHARACTERS], None, row

    for begin in range(0, count, CHUNK_TEXTS):
        chunk = []
        for _ in range(min(CHUNK_TEXTS, count - begin)):
            text, spam, row = draft()
            ids = readable(crop(tokenizer.encode(text).ids, rng)[0])
            chunk.append(Sample(ids, spam, spam is None and row.source in REFERENCE))
        yield chunk


def lesson_of(chunk: list[Sample], before: Classifier, start: Classifier) -> Lesson:
    """before: says what is to be kept of all but spam and severe toxicity; start: of severe toxicity."""
    said = logits_of(before, [sample.ids for sample in chunk])
    said[:, SEVERE] = logits_of(start, [sample.ids for sample in chunk])[:, SEVERE]
    is_told = torch.tensor([sample.spam is not None for sample in chunk])
    spam = torch.tensor([sample.spam or 0.0 for sample in chunk])
    importance = torch.tensor([COMMENTS_WEIGHT if sample.is_comment else 1.0 for sample in chunk])

    def loss(logits: Tensor, group: list[int]) -> Tensor:
        told = binary_cross_entropy_with_logits(logits[:, SPAM], spam[group], reduction="none") * is_told[group]
        kept = logits.clone()
        # Of spam, nothing is kept where it is told.
        kept[:, SPAM] = torch.where(is_told[group], said[group, SPAM], logits[:, SPAM])
        return (distance_of(kept, said[group]) * importance[group] + told).mean()

    return Lesson([sample.ids for sample in chunk], loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True)
    parser.add_argument("--keep", type=Path, required=True, help="the network whose other outputs are kept, but for severe toxicity")
    parser.add_argument("--peak-rate", type=float, default=PEAK_RATE)
    options = options_of(parser, texts=40_000)
    rng = random.Random(options.seed)
    start, model, before = (load_checkpoint(path) for path in (options.start_from, options.start_from, options.keep))
    freeze_lower_layers(model)
    lessons = (lesson_of(chunk, before, start) for chunk in samples(read_rows(options.work), options.texts, load_tokenizer(), rng))
    teach(model, lessons, options, options.peak_rate, rng)


if __name__ == "__main__":
    main()
