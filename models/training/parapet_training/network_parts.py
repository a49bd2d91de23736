"""What a network of the stage worst_segment is made of, read from its graph: embeddings, layers and heads, by the names of their tensors and values.

Reads what the stage export writes (dynamic int8, attention fused) and what heads.py writes beside it. Where a graph is anything else, it raises ValueError.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

EXIT_HEAD, WORST_HEAD, CLASSIFIER = "exit_head.", "worst_head.", "classifier."


@dataclass(frozen=True)
class Matrix:
    """Names of tensors: integers, and their scale and zero point, each one number or one a column."""

    weight: str
    scale: str
    zero_point: str


@dataclass(frozen=True)
class Product:
    """Of the value `input` by an int8 matrix [in, out], and a bias [out]."""

    input: str
    matrix: Matrix
    bias: str


@dataclass(frozen=True)
class Norm:
    """Of a layer: names of its scale and shift."""

    scale: str
    shift: str
    epsilon: float


@dataclass(frozen=True)
class Layer:
    """output: the value that it hands on."""

    qkv: Product
    attention_heads: int
    attention: Product
    attention_norm: Norm
    inner: Product
    outer: Product
    norm: Norm
    output: str

    @property
    def products(self) -> tuple[Product, ...]:
        return self.qkv, self.attention, self.inner, self.outer


@dataclass(frozen=True)
class Embedding:
    words: Matrix
    positions: Matrix
    kinds: Matrix
    norm_scale: Matrix
    norm_shift: Matrix
    epsilon: float


@dataclass(frozen=True)
class Network:
    """tensors: of the graph and of its branches; those that are stored beside it are references."""

    embedding: Embedding
    layers: list[Layer]
    tensors: dict[str, onnx.TensorProto]

    def array(self, name: str) -> NDArray[Any]:
        """Of a tensor whose content is loaded."""
        return numpy_helper.to_array(self.tensors[name])

    def dequantised(self, matrix: Matrix) -> NDArray[np.float32]:
        weight, scale, zero_point = (self.array(name).astype(np.float32) for name in (matrix.weight, matrix.scale, matrix.zero_point))
        return np.asarray((weight - zero_point) * scale, np.float32)


class _Reader:
    def __init__(self, model: onnx.ModelProto) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}
        self._take(model.graph)
        self.readers = defaultdict[str, list[onnx.NodeProto]](list)
        self.producer: dict[str, onnx.NodeProto] = {}
        for node in self.nodes:
            for name in node.input:
                self.readers[name].append(node)
            for name in node.output:
                self.producer[name] = node

    def _take(self, graph: onnx.GraphProto) -> None:
        self.tensors.update((tensor.name, tensor) for tensor in graph.initializer)
        for node in graph.node:
            self.nodes.append(node)
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    self._take(attribute.g)

    def the(self, operator: str, value: str) -> onnx.NodeProto:
        """The only node of this kind that reads the value."""
        found = [node for node in self.readers[value] if node.op_type == operator]
        if len(found) != 1:
            raise ValueError(f"{len(found)} of the nodes that read {value} are {operator}, in place of one: is the network of the stage worst_segment?")
        return found[0]

    def tensor(self, node: onnx.NodeProto) -> str:
        """The only tensor that a node reads."""
        found = [name for name in node.input if name in self.tensors]
        if len(found) != 1:
            raise ValueError(f"{node.op_type} {node.name} reads {len(found)} tensors, in place of one")
        return found[0]

    def product(self, value: str, then: str) -> tuple[Product, str]:
        """Of a value that is quantised and multiplied, and what a node of the kind `then` makes of that with the bias."""
        node = self.the("MatMulInteger", self.the("DynamicQuantizeLinear", value).output[0])
        scaled = self.the("Mul", self.the("Cast", node.output[0]).output[0])
        scale = self.tensor(self.producer[scaled.input[1]])
        biased = self.the(then, scaled.output[0])
        return Product(value, Matrix(node.input[1], scale, node.input[3]), self.tensor(biased)), biased.output[0]

    def norm(self, value: str) -> tuple[Norm, str]:
        """Of a value to which the state before is added."""
        node = self.the("InstanceNormalization", self.the("Add", value).output[0])
        scaled = self.the("Mul", node.output[0])
        shifted = self.the("Add", scaled.output[0])
        epsilon = next(attribute.f for attribute in node.attribute if attribute.name == "epsilon")
        return Norm(self.tensor(scaled), self.tensor(shifted), epsilon), shifted.output[0]

    def layer(self, state: str) -> Layer:
        attends = self.the("QAttention", self.the("DynamicQuantizeLinear", state).output[0])
        heads = next(attribute.i for attribute in attends.attribute if attribute.name == "num_heads")
        qkv = Product(state, Matrix(attends.input[1], attends.input[4], attends.input[7]), attends.input[2])
        attention, added = self.product(attends.output[0], "Add")
        attention_norm, middle = self.norm(added)
        inner, active = self.product(middle, "BiasGelu")
        outer, added = self.product(active, "Add")
        norm, output = self.norm(added)
        return Layer(qkv, heads, attention, attention_norm, inner, outer, norm, output)

    def embedding(self) -> tuple[Embedding, str]:
        found = [node for node in self.nodes if node.op_type == "QEmbedLayerNormalization"]
        if len(found) != 1:
            raise ValueError(f"the network has {len(found)} nodes QEmbedLayerNormalization, in place of one")
        node = found[0]
        # ids, kinds, five tensors, the mask; then the scales of the five and their zero points.
        words, positions, kinds, scale, shift = (Matrix(node.input[2 + index], node.input[8 + index], node.input[13 + index]) for index in range(5))
        epsilon = next(attribute.f for attribute in node.attribute if attribute.name == "epsilon")
        return Embedding(words, positions, kinds, scale, shift, epsilon), node.output[0]


def read_network(model: onnx.ModelProto) -> Network:
    """Raises ValueError where the graph is not of the shape that the stages export, early_exit and worst_segment give it."""
    reader = _Reader(model)
    embedding, state = reader.embedding()
    layers: list[Layer] = []
    for _ in range(sum(node.op_type == "QAttention" for node in reader.nodes)):
        layers.append(reader.layer(state))
        state = layers[-1].output
    for prefix in (EXIT_HEAD, WORST_HEAD, CLASSIFIER):
        for name in ("hidden.weight", "hidden.bias", "output.weight", "output.bias"):
            if f"{prefix}{name}" not in reader.tensors:
                raise ValueError(f"the network has no {prefix}{name}: what is served side by side has an early exit and tells the worst segment")
    return Network(embedding, layers, reader.tensors)
