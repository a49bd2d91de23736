"""Scales of activations that are the same for every text (static quantisation), from what the dynamic network computes of training texts.

With a scale of its own for each run, what a text is told depends on what else the run holds.
"""

import os
from collections.abc import Callable, Iterable, Sequence

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from parapet_training.heads import Floats, part_of

BINS = 8192
LEVELS = 255  # steps of eight bits
HIGHEST_WEIGHT = 64  # of seven bits, as the stage export rounds
Range = tuple[float, float]
Compute = Callable[[Sequence[int]], dict[str, Floats]]  # ids of a text -> the values of a name [tokens, width]


def values_of(model: onnx.ModelProto, names: Sequence[str]) -> Compute:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(part_of(model, list(names)).SerializeToString(), options, providers=["CPUExecutionProvider"])

    def compute(ids: Sequence[int]) -> dict[str, Floats]:
        input_ids = np.array([ids], np.int32)
        answers = session.run(list(names), {"input_ids": input_ids, "attention_mask": np.ones_like(input_ids)})
        return {name: answer[0] for name, answer in zip(names, answers, strict=True)}

    return compute


def extremes(compute: Compute, texts: Iterable[Sequence[int]], also: Callable[[dict[str, Floats]], None]) -> dict[str, Range]:
    """The least and the highest value of each name. also: is shown the values of every text."""
    found = dict[str, Range]()
    for ids in texts:
        values = compute(ids)
        also(values)
        for name, each in values.items():
            low, high = found.get(name, (np.inf, -np.inf))
            found[name] = min(low, float(each.min())), max(high, float(each.max()))
    return found


def middle(compute: Compute, texts: Iterable[Sequence[int]], whole: dict[str, Range], share: float, columns: dict[str, NDArray[np.int64]]) -> dict[str, Range]:
    """The range that holds the middle `share` of the values of each name. whole: their extremes. columns: those that count, where not all do."""
    counts = {name: np.zeros(BINS, np.int64) for name in whole}
    for ids in texts:
        for name, each in compute(ids).items():
            low, high = whole[name]
            counted = each[:, columns[name]] if name in columns else each
            bins = ((counted.ravel() - low) * (BINS / (high - low))).astype(np.int32)
            counts[name] += np.bincount(np.minimum(bins, BINS - 1), minlength=BINS)
    return {name: _middle(counts[name], *whole[name], (1 - share) / 2) for name in whole}


def _middle(counts: NDArray[np.int64], low: float, high: float, tail: float) -> Range:
    below = np.cumsum(counts) / counts.sum()
    first, last = (int(np.searchsorted(below, share)) for share in (tail, 1 - tail))
    width = (high - low) / BINS
    return low + first * width, low + (min(last, BINS - 1) + 1) * width


def scale_of(values: Range) -> tuple[np.float32, np.uint8]:
    """Scale and zero point of unsigned eight bits that hold the range, and 0."""
    low, high = min(0.0, values[0]), max(0.0, values[1])
    scale = np.float32((high - low) / LEVELS)
    return scale, np.uint8(np.clip(np.rint(-low / scale), 0, LEVELS))


def quantised(weights: NDArray[np.floating]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """[in, out] in seven bits, with a scale for each column, as the stage export rounds."""
    scale = np.maximum(np.abs(weights).max(0), 1e-12) / HIGHEST_WEIGHT
    return np.clip(np.rint(weights / scale), -HIGHEST_WEIGHT, HIGHEST_WEIGHT).astype(np.int8), scale.astype(np.float32)
