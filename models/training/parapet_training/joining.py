"""Long texts for calibration and evaluation: harmless texts joined, half of them with one harmful sentence. Their segments are those of the parts."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.pooling import FloatArray, features_of
from parapet_training.scoring import Logits, Scores

LEAST_CHARACTERS = 300


@dataclass(frozen=True)
class Part:
    """A text by what the network says of its segments. labels: as of a Row."""

    text: str
    logits: Logits  # [segments, labels + sentiments + languages]
    tokens: list[int]  # of each segment
    labels: dict[str, float]
    whole: Logits | None = None  # [labels + sentiments + languages], of the whole text where it was read
    exited: bool = False  # the whole text left by the early exit: its segments do not count


@dataclass(frozen=True)
class Joined:
    text: str
    logits: Logits
    tokens: list[int]
    needle: Part | None
    whole: Logits | None = None
    exited: bool = False


Read = TypeVar("Read", Part, Joined)


def with_wholes(texts: Sequence[Read], scores: Scores) -> list[Read]:
    """The same texts, those that are read as a whole with what the network says of that."""
    scores.score_wholes((text.text, len(text.logits)) for text in texts)
    wholes = (scores.whole(text.text, len(text.logits)) for text in texts)
    return [replace(text, whole=whole, exited=exited) for text, (whole, exited) in zip(texts, wholes, strict=True)]


def features(text: Part | Joined, epsilon: float) -> FloatArray:
    """[labels, 6], see pooling.py."""
    labels = slice(len(LABELS))
    if text.whole is not None and text.exited:
        return features_of(text.whole[None, labels], None, epsilon)
    return features_of(text.logits[:, labels], None if text.whole is None else text.whole[labels], epsilon)


def languages_of(text: Part | Joined) -> FloatArray:
    """[languages]: the probability of each that is served, as the service has it: of the whole text where that was read, else the mean by tokens."""
    logits, weights = (text.logits, np.maximum(1, text.tokens)) if text.whole is None else (text.whole[None], np.ones(1))
    return np.asarray(np.average(np.exp(logits[:, OUTPUTS:].astype(np.float64)), axis=0, weights=weights))[:-1]


def joined(harmless: Sequence[Part], needles: Sequence[Part], count: int, characters: int, rng: random.Random, *, only_longest: bool = False) -> list[Joined]:
    """So many texts, every second one with a needle between two of the others; half of them as long as may be, the rest of all lengths."""
    texts = []
    for index in range(count):
        length = characters
        if not only_longest and rng.random() < 0.5:
            length = round(math.exp(rng.uniform(math.log(LEAST_CHARACTERS), math.log(characters))))
        parts: list[Part] = []
        while sum(len(part.text) for part in parts) < length:
            parts.append(rng.choice(harmless))
        needle = rng.choice(needles) if index % 2 else None
        if needle:
            parts.insert(rng.randint(0, len(parts)), needle)
        tokens = [count for part in parts for count in part.tokens]
        texts.append(Joined(" ".join(part.text for part in parts), np.concatenate([part.logits for part in parts]), tokens, needle))
    return texts
