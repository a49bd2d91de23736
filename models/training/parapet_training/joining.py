"""Long texts for calibration and evaluation: harmless texts joined, half of them with one harmful sentence. Their segments are those of the parts."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.pooling import FloatArray, features_of
from parapet_training.scoring import Logits, OnnxModel, Scores

FEW_CHARACTERS, LEAST_CHARACTERS = 40, 300
FRAME_TOKENS = 2  # [CLS] and [SEP]


@dataclass(frozen=True)
class Part:
    """A text by what the network says of its segments and of its whole. labels: as of a Row."""

    text: str
    logits: Logits  # [segments, labels + sentiments + languages]
    tokens: list[int]  # of each segment
    labels: dict[str, float]
    whole: Logits | None = None  # [labels + sentiments + languages], of the whole text where it was read
    highest: Logits | None = None  # [labels], of the worst segment, where the whole tells it: the segments were not read then
    segments: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Joined:
    text: str
    logits: Logits
    tokens: list[int]
    needle: Part | None
    whole: Logits | None = None
    highest: Logits | None = None
    segments: list[str] = field(default_factory=list)


Read = TypeVar("Read", Part, Joined)


def parts_of(texts: Sequence[tuple[str, list[str], dict[str, float]]], scores: Scores) -> list[Part]:
    """Of texts with their segments and labels, as the service reads them."""
    scores.score(segment for _, segments, _ in texts for segment in segments)
    return read([Part(text, scores.of(segments), scores.model.tokens_of(segments), labels, segments=segments) for text, segments, labels in texts], scores)


def read(texts: Sequence[Read], scores: Scores) -> list[Read]:
    """The same texts, those of several segments that one run holds with what it says of them."""
    wholes = [whole_of(text, scores.model) for text in texts]
    scores.score(whole for whole in wholes if whole is not None)
    return [
        text if whole is None else replace(text, whole=scores.of([whole])[0], highest=scores.highest_of(whole))
        for text, whole in zip(texts, wholes, strict=True)
    ]


def whole_of(text: Part | Joined, model: OnnxModel) -> str | None:
    """What the network reads of a text at once; None where that is one segment, or more than a run."""
    several, tokens = len(text.segments) > 1, FRAME_TOKENS + sum(count - FRAME_TOKENS for count in text.tokens)
    return " ".join(text.segments) if several and tokens <= model.max_tokens else None


def features(text: Part | Joined, epsilon: float) -> FloatArray:
    """[labels, 6], see pooling.py."""
    labels = slice(len(LABELS))
    highest = text.logits[:, labels] if text.highest is None else text.highest[None]
    return features_of(highest, None if text.whole is None else text.whole[labels], epsilon)


def languages_of(text: Part | Joined) -> FloatArray:
    """[languages]: the probability of each that is served, as the service has it: of the whole text where that was read, else the mean by tokens."""
    logits, weights = (text.logits, np.maximum(1, text.tokens)) if text.whole is None else (text.whole[None], np.ones(1))
    return np.asarray(np.average(np.exp(logits[:, OUTPUTS:].astype(np.float64)), axis=0, weights=weights))[:-1]


def joined(harmless: Sequence[Part], needles: Sequence[Part], count: int, characters: int, rng: random.Random, *, only_longest: bool = False) -> list[Joined]:
    """So many texts, every second one with a needle between two of the others. A third are as long as may be, a third a few sentences, which one run holds,
    the rest of all lengths."""
    texts = []
    for index in range(count):
        length, kind = characters, 1.0 if only_longest else rng.random()
        if kind < 2 / 3:
            least, most = (FEW_CHARACTERS, LEAST_CHARACTERS) if kind < 1 / 3 else (LEAST_CHARACTERS, characters)
            length = round(math.exp(rng.uniform(math.log(least), math.log(most))))
        parts: list[Part] = []
        while sum(len(part.text) for part in parts) < length:
            parts.append(rng.choice(harmless))
        needle = rng.choice(needles) if index % 2 else None
        if needle:
            parts.insert(rng.randint(0, len(parts)), needle)
        tokens = [count for part in parts for count in part.tokens]
        segments = [segment for part in parts for segment in part.segments]
        texts.append(Joined(" ".join(part.text for part in parts), np.concatenate([part.logits for part in parts]), tokens, needle, segments=segments))
    return texts
