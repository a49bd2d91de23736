"""Rounds weights to integers so that what a layer gives changes least, not each weight (GPTQ, Frantar et al. 2022, https://arxiv.org/abs/2210.17323).

Each weight's error is made up for by the weights of the same output that are not rounded yet, as far as their inputs go together on real texts. It costs nothing when the
model runs: the same integers' range, the same scales.
"""

from collections.abc import Iterable

import numpy as np
from onnx import ModelProto, numpy_helper

from activations import activations_of

# The share of the mean of its diagonal that is added to it, so that the moments of inputs that hardly vary can be inverted.
DAMPING = 0.01
# The share of what a matrix gives that is an error of nobody's.
TINY = 1e-9
MATRIX_PRODUCTS = ("MatMul", "Attention")


def second_moments(model: ModelProto, inputs: Iterable[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """By the name of a constant that a tensor is multiplied by, the sum of x xᵀ over all positions of that tensor, [in, in]."""
    constants = {initializer.name for initializer in model.graph.initializer}
    products = [node for node in model.graph.node if node.op_type in MATRIX_PRODUCTS and node.input[1] in constants]
    sums: dict[str, np.ndarray] = {}
    for name, positions in activations_of(model, [node.input[0] for node in products], inputs):
        sums[name] = sums.get(name, np.zeros((), np.float64)) + positions.T @ positions
    return {node.input[1]: sums[node.input[0]] for node in products}


def rounded_together(weights: np.ndarray, nearest: np.ndarray, scales: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """
    weights and the integers nearest to them [in, out], scales [out], moments [in, in] -> integers [in, out], the most active inputs first.

    The largest of each output stays at the end of the range: what `restore.py` makes of the integers has the same scales again.
    """
    lowest, highest = int(nearest.min()), int(nearest.max())
    is_largest = np.abs(weights) == np.abs(weights).max(0)
    order = np.argsort(-np.diag(moments))
    damped = moments[np.ix_(order, order)] + DAMPING * np.diag(moments).mean() * np.eye(len(order))
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    left = weights[order].astype(np.float64)
    result = np.empty(weights.shape, np.int8)
    for row, place in enumerate(order):
        integers = np.clip(np.rint(left[row] / scales), lowest, highest)
        result[place] = np.where(is_largest[place], nearest[place], integers)
        error = (left[row] - result[place] * scales) / upper[row, row]
        left[row + 1 :] -= np.outer(upper[row, row + 1 :], error)
    return result


def output_error(weights: np.ndarray, integers: np.ndarray, scales: np.ndarray, moments: np.ndarray) -> float:
    """The sum of the squared errors of all outputs over the positions that the moments come from."""
    error = weights - integers * scales
    return float((error * (moments @ error)).sum())


def round_weights(quantized: ModelProto, full: ModelProto, inputs: Iterable[dict[str, np.ndarray]]) -> int:
    """
    Replaces the integers that `quantize_dynamic` made of the weights of `full`, and says in how many matrices.

    Raises ValueError if a matrix would give worse outputs than before, or its largest weights would be others.
    """
    moments = second_moments(full, inputs)
    weights = {each.name: numpy_helper.to_array(each) for each in full.graph.initializer if each.name in moments}
    initializers = {each.name: each for each in quantized.graph.initializer}
    # What is missing stays in full precision.
    names = [name for name in moments if f"{name}_quantized" in initializers]
    for name in names:
        integers, scales = initializers[f"{name}_quantized"], initializers[f"{name}_scale"]
        nearest, scales = numpy_helper.to_array(integers), numpy_helper.to_array(scales)
        rounded = rounded_together(weights[name], nearest, scales, moments[name])
        before, after, all_of_it = (output_error(weights[name], each, scales, moments[name]) for each in (nearest, rounded, np.zeros(())))
        # What is restored has nothing to round.
        if after > before + TINY * all_of_it or (np.abs(rounded).max(0) < np.abs(nearest).max(0)).any():
            raise ValueError(f"{name} is no better rounded together: an error of {after:.4g} in place of {before:.4g}")
        integers.CopyFrom(numpy_helper.from_array(rounded, integers.name))
    return len(names)
