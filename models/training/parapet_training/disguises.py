"""Disguises that the service's normaliser does not undo: slips and masks. What it undoes never reaches the network and need not be learnt."""

import random
import re

WORD = re.compile(r"\w{4,}")


def disguise(text: str, rng: random.Random) -> str:
    """The text with a change in about a third of its longer words, or without its punctuation."""
    if rng.random() < 0.2:
        return re.sub(r"[^\w\s]", "", text) or text
    change = rng.choice((_swap, _drop, _replace, _double, _mask))
    return WORD.sub(lambda match: change(match[0], rng) if rng.random() < 0.35 else match[0], text)


def _swap(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _drop(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _replace(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]


def _double(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at] + word[at:]


def _mask(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + rng.choice("*#-_") + word[at + 1 :]
