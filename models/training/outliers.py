"""Keeps what few channels of activations exceed all others by in full precision, so that the eight bits of the others are as fine as they can be.

Of what the feed-forward layers multiply, some channels are far out, above all at [CLS]: one is 28 where the others end at 6. A range that holds it makes the steps
of all others five times as coarse, and that was most of what int8 changed in a verdict (decision 57). So the range of the integers ends where the other
channels end; QuantizeLinear cuts off what exceeds it, and of the channels that are far out this rest is multiplied by itself and added. Dettmers et al. 2022
(https://arxiv.org/abs/2208.07339) leave such channels out of the integers altogether. A fixed range also need not be looked for in each run.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from activations import activations_of

# By the end of the name of a multiplication: how many channels of what it multiplies are kept apart. More of them cost time and change little.
CHANNELS_APART = {"intermediate/dense/MatMul": 3, "output/dense/MatMul": 1}
OF_ATTENTION = "attention/output/dense/MatMul"
STEPS = 255


@dataclass
class FixedRange:
    """Of the integers of a tensor: from `low`, not above 0, to `high`."""

    tensor: str
    low: float
    high: float

    def scale(self) -> np.float32:
        return np.float32((self.high - self.low) / STEPS)

    def zero_point(self) -> np.uint8:
        return np.uint8(round(-self.low / float(self.scale())))


def keep_apart(model: ModelProto, inputs: Iterable[dict[str, np.ndarray]]) -> tuple[ModelProto, dict[str, FixedRange]]:
    """
    A model that gives the same in full precision, with the rest of the channels that are far out in products of their own, named as in `products_apart`; and the
    ranges to be fixed after `quantize_dynamic`, by the name of the tensor that is cut off.

    inputs: by name, as the model takes them; of what they show of each channel its range is made.
    """
    result = ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    matrices = {each.name: each for each in graph.initializer}
    extremes = _extremes(model, [node.input[0] for node in graph.node if _channels_apart(node)], inputs)
    nodes: list[NodeProto] = []
    ranges: dict[str, FixedRange] = {}

    def add(operator: str, name: str, values: list[str], output: str = "", **attributes) -> str:
        nodes.append(helper.make_node(operator, values, [output or name], name, **attributes))
        return output or name

    def constant(name: str, value: np.ndarray) -> str:
        graph.initializer.append(numpy_helper.from_array(value, name))
        return name

    for node in graph.node:
        count = _channels_apart(node)
        if count == 0:
            nodes.append(node)
            continue
        name, (tensor, matrix), (output,) = node.name, node.input, node.output
        low, high = extremes[tensor]
        apart = np.sort(np.argsort(-np.maximum(high, -low))[:count])
        fixed = FixedRange(tensor, min(0.0, float(np.delete(low, apart).min())), float(np.delete(high, apart).max()))
        limit = max(fixed.high, -fixed.low)
        # What GELU gives is hardly below 0; other ranges are nearly symmetric and become so, as Shrink needs it.
        if -fixed.low > limit / 2:
            fixed.low, fixed.high = -limit, limit
        within = add("Clip", f"{name}_within", [tensor, *(constant(f"{name}_{end}", np.float32(getattr(fixed, end))) for end in ("low", "high"))])
        ranges[within] = fixed
        outliers = add("Gather", f"{name}_outliers", [tensor, constant(f"{name}_apart", apart)], axis=-1)
        beyond = add("Shrink", f"{name}_beyond", [outliers], lambd=limit, bias=limit)
        weights = constant(f"{name}_weights_apart", numpy_helper.to_array(matrices[matrix])[apart])
        products = [add("MatMul", name, [within, matrix], f"{output}_within"), add("MatMul", f"{name}_apart_product", [beyond, weights])]
        add("Add", f"{name}_sum", products, output)
    del graph.node[:]
    graph.node.extend(nodes)
    return result, ranges


def products_apart(model: ModelProto) -> list[str]:
    """The names of the products that have to stay in full precision."""
    return [node.name for node in model.graph.node if node.name.endswith("_apart_product")]


def fix_ranges(model: ModelProto, ranges: dict[str, FixedRange]) -> None:
    """Replaces what `quantize_dynamic` made of each of these tensors and its product, seven nodes, by QuantizeLinear and MatMulIntegerToFloat."""
    graph = model.graph
    uses: dict[str, list[NodeProto]] = {}
    for node in graph.node:
        for value in node.input:
            uses.setdefault(value, []).append(node)

    def use(value: str, operator: str) -> NodeProto:
        (found,) = (node for node in uses[value] if node.op_type == operator)
        return found

    replaced: dict[str, NodeProto | None] = {node.name: None for node in graph.node if node.output[0] in ranges}
    for within, fixed in ranges.items():
        quantization = use(within, "DynamicQuantizeLinear")
        integers, scale, zero_point = quantization.output
        product, scales = use(integers, "MatMulInteger"), use(scale, "Mul")
        cast = use(product.output[0], "Cast")
        scaled = use(cast.output[0], "Mul")
        for name, value in ((scale, fixed.scale()), (zero_point, fixed.zero_point())):
            graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
        _, weights, _, weights_zero_point = product.input
        (weights_scale,) = (value for value in scales.input if value != scale)
        replaced |= {cast.name: None, scaled.name: None, scales.name: None}
        replaced[quantization.name] = helper.make_node("QuantizeLinear", [fixed.tensor, scale, zero_point], [integers], quantization.name)
        replaced[product.name] = helper.make_node(
            "MatMulIntegerToFloat",
            [integers, weights, scale, weights_scale, zero_point, weights_zero_point],
            scaled.output,
            product.name,
            domain="com.microsoft",
        )
    nodes = [replaced.get(node.name, node) for node in graph.node]
    ends = {f"{name.removesuffix('_within')}_{end}" for name in ranges for end in ("low", "high")}
    initializers = [each for each in graph.initializer if each.name not in ends]
    for field, left in ((graph.node, [node for node in nodes if node is not None]), (graph.initializer, initializers)):
        del field[:]
        field.extend(left)


def _channels_apart(node: NodeProto) -> int:
    if node.op_type != "MatMul" or node.name.endswith(OF_ATTENTION):
        return 0
    return next((count for end, count in CHANNELS_APART.items() if node.name.endswith(end)), 0)


def _extremes(model: ModelProto, tensors: list[str], inputs: Iterable[dict[str, np.ndarray]]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The lowest and the highest value of each channel of each tensor, [channels] each."""
    result: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, positions in activations_of(model, tensors, inputs):
        low, high = result.get(name, (positions[0], positions[0]))
        result[name] = np.minimum(low, positions.min(0)), np.maximum(high, positions.max(0))
    return result
