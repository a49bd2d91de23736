"""Looks into a network while it runs."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from onnx import ModelProto, TensorProto, helper

from onnx_runtime import InferenceSession


def activations_of(model: ModelProto, tensors: Sequence[str], inputs: Iterable[dict[str, np.ndarray]]) -> Iterator[tuple[str, np.ndarray]]:
    """For each of the inputs and each of the tensors, by its name: float32 [positions, channels]."""
    names = sorted(set(tensors))
    observed = ModelProto()
    observed.CopyFrom(model)
    observed.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    session = InferenceSession(observed.SerializeToString(), providers=["CPUExecutionProvider"])
    for each in inputs:
        for name, values in zip(names, session.run(names, each), strict=True):
            yield name, values.reshape(-1, values.shape[-1])
