"""Writes nodes and tensors of an ONNX graph, one after the other."""

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

OF_MICROSOFT = {"MatMulIntegerToFloat", "MultiHeadAttention", "Gelu"}


class GraphWriter:
    """tensors: that may be used, by name. prefix: of the names of what is written, so that a branch shares none with the graph around it."""

    def __init__(self, tensors: dict[str, onnx.TensorProto], prefix: str = "") -> None:
        self.prefix = prefix
        self.nodes: list[onnx.NodeProto] = []
        self.used: dict[str, onnx.TensorProto] = {}
        self._tensors = tensors

    def add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Gives the name of the output."""
        return self.several(operator, inputs, [output], **attributes)[0]

    def several(self, operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> list[str]:
        """The same with several outputs."""
        names = [self.prefix + output for output in outputs]
        domain = "com.microsoft" if operator in OF_MICROSOFT else ""
        self.nodes.append(helper.make_node(operator, inputs, names, names[0], domain=domain, **attributes))
        return names

    def tensor(self, name: str) -> str:
        """One of those that may be used, which the graph holds from then on."""
        self.used[name] = self._tensors[name]
        return name

    def constant(self, name: str, value: Any, kind: type[np.generic] = np.int64) -> str:
        return self.array(name, np.asarray(value, kind))

    def array(self, name: str, value: NDArray[Any]) -> str:
        self.used[self.prefix + name] = numpy_helper.from_array(np.ascontiguousarray(value) if value.ndim else value, self.prefix + name)
        return self.prefix + name

    def graph(self, name: str, outputs: list[onnx.ValueInfoProto], inputs: list[onnx.ValueInfoProto] | None = None) -> onnx.GraphProto:
        return helper.make_graph(self.nodes, name, inputs or [], outputs, list(self.used.values()))
