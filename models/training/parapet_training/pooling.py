"""How the segments of a text make the text's verdict: one monotone function a label, the same as in the service.

    z = bias + highest * h(p1) + whole * h(pw) + second * h(p2) + rest * mean h(p3, p4, ...) - count * ln n + shift
    h(p) = logit(max(p, epsilon)) - logit(epsilon)

p1 >= p2 >= ... are the label's probabilities in the n segments, or p1 what the whole tells of the worst of them; pw is that in the whole text, or p1 where the
whole was not read; what a text lacks counts 0, and so does ln n where the whole was read; shift is the mean of what each language adds, weighted by how likely
the text is in it; all weights but the bias are 0 or more. The text's probability is the sigmoid of z.

Sentiment is the mean of the segments' probabilities, each weighed by its tokens and by (1 - p(neutral)) to the power that the manifest gives: one sentence
with a feeling among neutral ones is what a text is remembered for. 0 is the plain mean.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from parapet_training.labels import LABELS

FloatArray = NDArray[np.float64]
NAMES = ("bias", "highest", "whole", "second", "rest", "count")
COUNT = NAMES.index("count")
# Weights tend to 0 where the data do not speak.
PENALTY = 1e-3


def sigmoid(values: FloatArray) -> FloatArray:
    return 1 / (1 + np.exp(-np.clip(values, -60, 60)))


def logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def features_of(logits: NDArray[np.floating], whole: NDArray[np.floating] | None, epsilon: float) -> FloatArray:
    """What each weight is multiplied by [labels, 6], of the log-odds of the segments [segments, labels] and of the whole text [labels] if it was read.

    A text without segments is one of a harmless segment.
    """
    height = np.sort(np.maximum(logits - logit(epsilon), 0.0), axis=0)[::-1]
    count, labels = max(1, len(height)), logits.shape[1]
    height = np.concatenate([height, np.zeros((2, labels))])
    rest = height[2:count].mean(0) if count > 2 else np.zeros(labels)
    of_whole = height[0] if whole is None else np.maximum(whole - logit(epsilon), 0.0)
    return np.stack([np.ones(labels), height[0], of_whole, height[1], rest, np.full(labels, -np.log(count) if whole is None else 0.0)], axis=1)


def pooled(features: FloatArray, weights: FloatArray) -> FloatArray:
    """[texts, labels, 6], [labels, 6] -> log-odds [texts, labels]."""
    return (features * weights).sum(-1)


def fit_pooling(features: FloatArray, targets: FloatArray, importance: FloatArray) -> FloatArray:
    """The weights [6] of one label by cross-entropy. features: [texts, 6]; targets: [texts], 0 to 1; importance: [texts]."""
    importance = importance / importance.sum()

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        z = features @ weights
        value = float((importance * (np.logaddexp(0.0, z) - targets * z)).sum() + PENALTY * (weights[3:] ** 2).sum())
        gradient = features.T @ (importance * (sigmoid(z) - targets))
        gradient[3:] += 2 * PENALTY * weights[3:]
        return value, gradient

    bounds = [(None, None), *[(0.0, None)] * (len(NAMES) - 1)]
    result = minimize(loss, np.array([-5.0, 0.5, 0.5, 0.0, 0.0, 0.0]), jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(result.x, np.float64)


def pooled_sentiment(log_probabilities: NDArray[np.floating], tokens: Sequence[int]) -> FloatArray:
    """[segments, sentiments] -> [sentiments]"""
    return np.asarray(np.average(np.exp(np.asarray(log_probabilities, np.float64)), axis=0, weights=tokens))


def as_json(epsilon: float, weights: FloatArray, labels: tuple[str, ...]) -> dict[str, Any]:
    """`pooling` of the manifest."""
    named = {label: {name: round(float(value), 4) for name, value in zip(NAMES, row, strict=True)} for label, row in zip(labels, weights, strict=True)}
    return {"epsilon": epsilon, "labels": named}


def shifts_as_json(shifts: FloatArray, labels: tuple[str, ...], languages: Sequence[str]) -> dict[str, dict[str, float]]:
    """`languageShifts` of the manifest. shifts: [languages, labels]; a shift of 0 is left out."""
    named = {
        label: {tag: round(float(shift), 3) for tag, shift in zip(languages, shifts[:, index], strict=True) if shift} for index, label in enumerate(labels)
    }
    return {label: of_label for label, of_label in named.items() if of_label}


def shifts_from_json(shifts: dict[str, dict[str, float]], languages: Sequence[str]) -> FloatArray:
    """[languages, labels]"""
    return np.array([[shifts.get(label, {}).get(tag, 0.0) for label in LABELS] for tag in languages])


def from_json(pooling: dict[str, Any], labels: tuple[str, ...]) -> tuple[float, FloatArray]:
    """epsilon and weights [labels, 5]."""
    return pooling["epsilon"], np.array([[pooling["labels"][label][name] for name in NAMES] for label in labels])
