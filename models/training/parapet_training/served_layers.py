"""In a graph: embeddings and layers of a network with fixed scales, over the tokens of several texts behind one another [1, all tokens, width]."""

import numpy as np
from onnx import TensorProto, helper

from parapet_training.fixed_scales import Range, scale_of
from parapet_training.graph_writer import GraphWriter
from parapet_training.network_parts import Layer, Network, Norm, Product
from parapet_training.text_rows import Rows


class Layers:
    """Writes layers. ranges: of each value that is quantised, whose scales stand in the outer graph."""

    def __init__(self, outer: GraphWriter, ranges: dict[str, Range], max_texts: int) -> None:
        self.max_texts = max_texts
        self.scales: dict[str, tuple[str, str]] = {}
        for index, (value, values) in enumerate(ranges.items()):
            scale, zero_point = scale_of(values)
            self.scales[value] = outer.array(f"scale_{index}", np.asarray(scale)), outer.array(f"zero_point_{index}", np.asarray(zero_point))

    def quantised(self, writer: GraphWriter, value: str, source: str) -> str:
        """source: the value of the exported network that it stands for."""
        return writer.add("QuantizeLinear", [value, *self.scales[source]], f"{value.removeprefix(writer.prefix)}_int8")

    def multiplied(self, writer: GraphWriter, value: str, product: Product, output: str, with_bias: bool = True) -> str:
        """value: quantised."""
        scale, zero_point = self.scales[product.input]
        weight, weight_scale, weight_zero_point = (writer.tensor(name) for name in (product.matrix.weight, product.matrix.scale, product.matrix.zero_point))
        bias = [writer.tensor(product.bias)] if with_bias else []
        return writer.add("MatMulIntegerToFloat", [value, weight, scale, weight_scale, zero_point, weight_zero_point, *bias], output)

    def layer(self, writer: GraphWriter, state: str, state_int8: str, layer: Layer, rows: Rows, name: str) -> str:
        attended = self._attended(writer, state_int8, layer, rows, name)
        change = self.multiplied(writer, self.quantised(writer, attended, layer.attention.input), layer.attention, f"{name}_attention")
        middle = normed(writer, [change, state], layer.attention_norm, f"{name}_middle")
        inner = self.multiplied(writer, self.quantised(writer, middle, layer.inner.input), layer.inner, f"{name}_inner")
        active = writer.add("Gelu", [inner], f"{name}_active")
        change = self.multiplied(writer, self.quantised(writer, active, layer.outer.input), layer.outer, f"{name}_outer")
        return normed(writer, [change, middle], layer.norm, f"{name}_state")

    def _attended(self, writer: GraphWriter, state_int8: str, layer: Layer, rows: Rows, name: str) -> str:
        """Each text to itself: where there is one, without a node for every other that there could be."""
        query_key_value = self._query_key_value(writer, state_int8, layer, name)
        several, single = (GraphWriter({}, f"{writer.prefix}{name}_{kind}_") for kind in ("several", "single"))
        by_text = [
            several.several("Split", [value, rows.lengths], [f"{part}_{index}" for index in range(self.max_texts)], axis=1)
            for part, value in zip("qkv", query_key_value, strict=True)
        ]
        attended = [
            several.add("MultiHeadAttention", list(parts), f"attended_{index}", num_heads=layer.attention_heads)
            for index, parts in enumerate(zip(*by_text, strict=True))
        ]
        joined = several.add("Concat", attended, "attended", axis=1)
        alone = single.add("MultiHeadAttention", query_key_value, "attended", num_heads=layer.attention_heads)
        then_branch, else_branch = (
            part.graph(part.prefix, [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)]) for part, output in ((several, joined), (single, alone))
        )
        return writer.add("If", [rows.several], f"{name}_attended", then_branch=then_branch, else_branch=else_branch)

    def _query_key_value(self, writer: GraphWriter, state_int8: str, layer: Layer, name: str) -> list[str]:
        """By three products, which saves a copy of what one gives. The parts of the matrix are constant: ONNX Runtime splits it when it loads the network."""
        matrix, (scale, zero_point) = layer.qkv.matrix, self.scales[layer.qkv.input]
        tensors = {"weight": (matrix.weight, 1), "scale": (matrix.scale, 0), "zero_point": (matrix.zero_point, 0), "bias": (layer.qkv.bias, 0)}
        weights, scales, zero_points, biases = (
            writer.several("Split", [writer.tensor(tensor)], [f"{name}_{part}_{kind}" for part in "qkv"], axis=axis) for kind, (tensor, axis) in tensors.items()
        )
        return [
            writer.add("MatMulIntegerToFloat", [state_int8, weight, scale, weight_scale, zero_point, weight_zero_point, bias], f"{name}_{part}")
            for part, weight, weight_scale, weight_zero_point, bias in zip("qkv", weights, scales, zero_points, biases, strict=True)
        ]


def normed(writer: GraphWriter, values: list[str], norm: Norm, output: str) -> str:
    """Layer normalisation of a sum. ONNX Runtime would make one operator of Add and LayerNormalization, slower than both; Sum it leaves alone."""
    total = writer.add("Sum", values, f"{output}_sum")
    return writer.add("LayerNormalization", [total, writer.tensor(norm.scale), writer.tensor(norm.shift)], output, axis=-1, epsilon=norm.epsilon)


def embedded(writer: GraphWriter, network: Network, max_tokens: int) -> tuple[str, str]:
    """Of the inputs input_ids and attention_mask: of which text each token is [all tokens], and its embedding [1, all tokens, width]."""
    embedding = network.embedding
    places = writer.add("NonZero", ["attention_mask"], "places")
    text_of_token = writer.add("Gather", [places, writer.constant("text_of_place", 0)], "text_of_token", axis=0)
    position = writer.add("Gather", [places, writer.constant("position_of_place", [1])], "position_of_token", axis=0)
    ids = writer.add("GatherND", ["input_ids", writer.add("Transpose", [places], "places_by_token")], "ids")
    words_int8 = writer.add("Gather", [writer.tensor(embedding.words.weight), ids], "words_int8", axis=0)
    words = writer.add("DequantizeLinear", [words_int8, writer.tensor(embedding.words.scale), writer.tensor(embedding.words.zero_point)], "words")
    positions = writer.add("Gather", [_positions(writer, network, max_tokens), position], "positions", axis=0)
    scale, shift = (
        writer.array(f"embedding_{name}", network.dequantised(matrix)) for name, matrix in (("scale", embedding.norm_scale), ("shift", embedding.norm_shift))
    )
    total = writer.add("Sum", [positions, words], "embedding_sum")
    return text_of_token, writer.add("LayerNormalization", [total, scale, shift], "embedding", axis=-1, epsilon=embedding.epsilon)


def _positions(writer: GraphWriter, network: Network, max_tokens: int) -> str:
    """What is added to a word for its position and for the first kind of segment [max_tokens, width]: constant, computed when the network is loaded."""
    matrix, kind = network.embedding.positions, network.dequantised(network.embedding.kinds)[0]
    scale, zero_point = (network.array(name).astype(np.float32) for name in (matrix.scale, matrix.zero_point))
    bounds = [writer.constant("positions_begin", [0]), writer.constant("positions_end", [max_tokens])]
    integers = writer.add("Slice", [writer.tensor(matrix.weight), *bounds], "positions_int8")
    floats = writer.add("Cast", [integers], "positions_float", to=TensorProto.FLOAT)
    scaled = writer.add("Mul", [floats, writer.array("positions_scale", scale)], "positions_scaled")
    return writer.add("Add", [scaled, writer.array("positions_shift", kind - zero_point * scale)], "position_table")
