"""An inner layer with fewer neurons: those that say least are left out, and the outgoing weights of the others fitted anew.

Structured pruning by second-order saliency: with H the neurons' activations, the product H W is kept as near as it can be (ridge regression), so that what a
neuron says is left out only as far as the others do not say it as well.
"""

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 16  # neurons that are left out between two choices
RIDGE = 1e-3  # of the mean square of an activation
Doubles = NDArray[np.float64]


class Moments:
    """Mean products of neurons' activations [neurons, neurons], of all tokens that were added."""

    def __init__(self) -> None:
        self.tokens = 0
        self.sums: Doubles | None = None

    def add(self, activations: NDArray[np.float32]) -> None:
        """activations: [tokens, neurons]"""
        sums = (activations.T @ activations).astype(np.float64)
        self.sums = sums if self.sums is None else self.sums + sums
        self.tokens += len(activations)

    def with_ridge(self) -> Doubles:
        if self.sums is None:
            raise ValueError("no activations were added")
        mean = self.sums / self.tokens
        return mean + np.eye(len(mean)) * (np.diagonal(mean).mean() * RIDGE)


def narrowed(moments: Doubles, weights: NDArray[np.float32], neurons: int) -> tuple[NDArray[np.int64], Doubles]:
    """Which neurons stay, in order, and their outgoing weights [neurons, out]. moments: with ridge; weights: [all neurons, out]."""
    kept = np.arange(len(weights), dtype=np.int64)
    outgoing, inverse = weights.astype(np.float64), np.linalg.inv(moments)
    while len(kept) > neurons:
        # What leaving a neuron out costs, where the others make up for it as far as they can.
        cost = (outgoing**2).sum(1) / np.diagonal(inverse)
        out = np.argsort(cost, kind="stable")[: min(AT_ONCE, len(kept) - neurons)]
        stay = np.setdiff1d(np.arange(len(kept)), out)
        made_up = np.linalg.solve(inverse[np.ix_(out, out)], np.concatenate([outgoing[out], inverse[out]], axis=1))
        outgoing = (outgoing - inverse[:, out] @ made_up[:, : outgoing.shape[1]])[stay]
        inverse = (inverse - inverse[:, out] @ made_up[:, outgoing.shape[1] :])[np.ix_(stay, stay)]
        kept = kept[stay]
    return kept, np.asarray(np.linalg.solve(moments[np.ix_(kept, kept)], moments[kept] @ weights), np.float64)


def left_out(moments: Doubles, weights: NDArray[np.float32], kept: NDArray[np.int64], outgoing: Doubles) -> float:
    """The share of the mean square of the product with `weights` that the neurons that stay do not give."""
    missing = weights.astype(np.float64)
    missing[kept] -= outgoing
    return float(np.trace(missing.T @ moments @ missing) / np.trace(weights.T @ moments @ weights))
