"""Long texts for calibration and evaluation: harmless texts joined, half of them with one harmful sentence. Their segments are those of the parts."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Logits = NDArray[np.float32]
LEAST_CHARACTERS = 300


@dataclass(frozen=True)
class Part:
    """A text by what the network says of its segments. labels: as of a Row."""

    characters: int
    logits: Logits  # [segments, labels + sentiments]
    labels: dict[str, float]


@dataclass(frozen=True)
class Joined:
    logits: Logits
    needle: Part | None


def joined(harmless: Sequence[Part], needles: Sequence[Part], count: int, characters: int, rng: random.Random, *, only_longest: bool = False) -> list[Joined]:
    """So many texts, every second one with a needle between two of the others; half of them as long as may be, the rest of all lengths."""
    texts = []
    for index in range(count):
        length = characters
        if not only_longest and rng.random() < 0.5:
            length = round(math.exp(rng.uniform(math.log(LEAST_CHARACTERS), math.log(characters))))
        parts: list[Part] = []
        while sum(part.characters for part in parts) < length:
            parts.append(rng.choice(harmless))
        needle = rng.choice(needles) if index % 2 else None
        if needle:
            parts.insert(rng.randint(0, len(parts)), needle)
        texts.append(Joined(np.concatenate([part.logits for part in parts]), needle))
    return texts
