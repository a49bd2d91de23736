"""Long texts for calibration and evaluation: harmless texts joined, half of them with one harmful sentence. Their segments are those of the parts."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.pooling import FloatArray, features_of
from parapet_training.scoring import Logits, Scores

LEAST_CHARACTERS = 300
FRAME_TOKENS = 2  # [CLS] and [SEP]


@dataclass(frozen=True)
class Part:
    """A text by what the network says of its readings: windows of several segments where the model judges such, else segments. labels: as of a Row."""

    text: str
    logits: Logits  # [readings, labels + sentiments + languages]
    tokens: list[int]  # of each reading
    labels: dict[str, float]
    whole: Logits | None = None  # [labels + sentiments + languages], of the whole text where that was read as well
    highest: Logits | None = None  # [readings, labels], of the worst segment of each window; None where a reading is a segment
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
    if not scores.model.judges_windows:
        scores.score(segment for _, segments, _ in texts for segment in segments)
    unread = np.zeros((0, scores.model.outputs), np.float32)
    parts = []
    for text, segments, labels in texts:
        logits = unread if scores.model.judges_windows else scores.of(segments)
        parts.append(Part(text, logits, scores.model.tokens_of(segments), labels, segments=segments))
    return read(parts, scores)


def read(texts: Sequence[Read], scores: Scores) -> list[Read]:
    """The same texts by their windows where the model judges such; else by their segments, and as a whole where one run holds them."""
    if not scores.model.judges_windows:
        scores.score_wholes((text.text, len(text.logits)) for text in texts)
        return [replace(text, whole=scores.whole(text.text, len(text.logits))) for text in texts]
    windows = [windows_of(text.segments, scores.model.tokens_of(text.segments), scores.model.max_tokens) for text in texts]
    scores.score(" ".join(window) for of_text in windows for window in of_text)
    result = []
    for text, of_text in zip(texts, windows, strict=True):
        contents = [" ".join(window) for window in of_text]
        logits, highest = scores.of(contents), scores.highest_of(contents)
        # Of a window of one segment the network is not asked for the worst one.
        alone = np.array([len(window) == 1 for window in of_text])
        highest[alone] = logits[alone, : len(LABELS)]
        result.append(replace(text, logits=logits, highest=highest, tokens=scores.model.tokens_of(contents)))
    return result


def windows_of(segments: Sequence[str], tokens: Sequence[int], max_tokens: int) -> list[list[str]]:
    """Segments in order, as many in each window as one run holds, and one at least. tokens: of each segment, with the frame that a run has once."""
    windows: list[list[str]] = []
    room = 0
    for segment, count in zip(segments, tokens, strict=True):
        if windows and count - FRAME_TOKENS <= room:
            windows[-1].append(segment)
            room -= count - FRAME_TOKENS
        else:
            windows.append([segment])
            room = max_tokens - count
    return windows


def features(text: Part | Joined, epsilon: float) -> FloatArray:
    """[labels, 6], see pooling.py."""
    labels = text.logits[:, : len(LABELS)]
    whole = None if text.whole is None else text.whole[: len(LABELS)]
    return features_of(labels if text.highest is None else text.highest, labels.max(0) if whole is None else whole, epsilon, is_one=whole is not None)


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
        segments = [segment for part in parts for segment in part.segments]
        texts.append(Joined(" ".join(part.text for part in parts), np.concatenate([part.logits for part in parts]), tokens, needle, segments=segments))
    return texts
