"""Weights of an exported network, back in PyTorch: as near to those that were rounded as int8 is."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from parapet_training.network import Classifier

QUANTISED = "_quantized"
ENCODER = "classifier.encoder."
EMBEDDINGS = f"{ENCODER}embeddings."
Arrays = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Shape:
    """Of an exported network, as BertConfig names it."""

    words: int
    positions: int
    types: int
    width: int
    inner: int
    layers: int
    heads: int
    outputs: int


def shape_of(path: Path) -> Shape:
    graph = onnx.load(path, load_external_data=False).graph
    sizes = {item.name: list(item.dims) for item in tensors_of(graph)}
    words, positions, types = (sizes[f"{EMBEDDINGS}{kind}_embeddings.weight{QUANTISED}"] for kind in ("word", "position", "token_type"))
    heads = next(attribute.i for node in graph.node if node.op_type.endswith("Attention") for attribute in node.attribute if attribute.name == "num_heads")
    layers = sum(name.startswith("Attention_") and name.endswith("_qkv_bias") for name in sizes)
    inner = sizes[f"{ENCODER}encoder.layer.0.intermediate.dense.bias"][0]
    return Shape(words[0], positions[0], types[0], words[1], inner, layers, heads, sizes["classifier.output.bias"][0])


def tensors_of(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    """Of a graph and its branches: behind an early exit lie the other layers."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from tensors_of(attribute.g)


def load_weights(classifier: Classifier, path: Path) -> None:
    """Of a model.onnx of the same shape that the stage export or early_exit wrote."""
    arrays: Arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in tensors_of(onnx.load(path).graph)}
    weights: dict[str, NDArray[np.float32]] = {}
    for kind in ("word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias"):
        weights[f"encoder.embeddings.{kind}"] = dequantised(arrays, f"{EMBEDDINGS}{kind}")
    for name in arrays:
        if name.startswith("classifier.") and not name.startswith(EMBEDDINGS):
            value = arrays[name].astype(np.float32)
            weights[name.removeprefix("classifier.")] = value.T if value.ndim == 2 else value
    for name in ("output.weight", "output.bias"):
        # Outputs that are not served may follow those that are.
        weights[name] = weights[name][: classifier.output.out_features]
    # Multiplications have lost the names of their weights, which are stored in the order of the layers.
    matrices = iter([name.removesuffix(QUANTISED) for name in arrays if name.startswith("onnx::MatMul_") and name.endswith(QUANTISED)])
    for layer in range(classifier.encoder.config.num_hidden_layers):
        prefix = f"encoder.encoder.layer.{layer}"
        together = dequantised(arrays, f"Attention_{layer}_qkv_weight").T
        for part, rows, bias in zip(("query", "key", "value"), np.split(together, 3), np.split(arrays[f"Attention_{layer}_qkv_bias"], 3), strict=True):
            weights[f"{prefix}.attention.self.{part}.weight"], weights[f"{prefix}.attention.self.{part}.bias"] = rows, bias.astype(np.float32)
        for matrix in ("attention.output.dense", "intermediate.dense", "output.dense"):
            values = dequantised(arrays, next(matrices))
            # Channels far out are multiplied apart, in full precision.
            apart = f"/{ENCODER.replace('.', '/')}encoder/layer.{layer}/{matrix.replace('.', '/')}/MatMul"
            if f"{apart}_apart" in arrays:
                values[arrays[f"{apart}_apart"]] = arrays[f"{apart}_weights_apart"]
            weights[f"{prefix}.{matrix}.weight"] = values.T
    state: dict[str, Tensor] = {name: torch.tensor(np.ascontiguousarray(value)) for name, value in weights.items()}
    classifier.load_state_dict(state)


def dequantised(arrays: Arrays, name: str) -> NDArray[np.float32]:
    """The weights of a name: as they are, or (int8 - zero point) times scale, which is one number or one a column."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    values = arrays[f"{name}{QUANTISED}"].astype(np.float32) - arrays[f"{name}_zero_point"].astype(np.float32)
    return np.asarray(values * arrays[f"{name}_scale"].astype(np.float32))
