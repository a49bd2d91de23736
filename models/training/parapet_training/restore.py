"""Weights of an exported network, back in PyTorch: as near to those that were rounded as int8 is."""

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from parapet_training.labels import OUTPUTS
from parapet_training.network import Classifier
from parapet_training.scoring import checked

QUANTISED = "_quantized"
ENCODER = "classifier.encoder."
EMBEDDINGS = f"{ENCODER}embeddings."
Arrays = dict[str, NDArray[np.generic]]


def load_weights(classifier: Classifier, path: Path, sha256: str) -> None:
    """Of a model.onnx that the stage export wrote of the same shape. Raises WrongModel if the file has not the SHA-256."""
    graph = onnx.load_model_from_string(checked(path, sha256)).graph
    arrays: Arrays = {initializer.name: numpy_helper.to_array(initializer) for initializer in graph.initializer}
    weights: dict[str, NDArray[np.float32]] = {}
    for kind in ("word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias"):
        weights[f"encoder.embeddings.{kind}"] = dequantised(arrays, f"{EMBEDDINGS}{kind}")
    for name in arrays:
        if name.startswith("classifier.") and not name.startswith(EMBEDDINGS):
            value = arrays[name].astype(np.float32)
            weights[name.removeprefix("classifier.")] = value.T if value.ndim == 2 else value
    for name in ("output.weight", "output.bias"):
        # Outputs that are not served may follow those that are.
        weights[name] = weights[name][:OUTPUTS]
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
