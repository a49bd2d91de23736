"""Makes a checkpoint of an exported model, to go on training from, to average or to calibrate anew: the opposite of export.py.

    python restore.py --model ../parapet-en/model.onnx --output work/settle.pt

The weights of a checkpoint are not kept in the repository, those of the exported model are, in int8. Exporting the restored checkpoint
gives the same int8 weights. The last layer, in full precision, holds the labels with their calibration folded in: toxicity is the blend
and not the network's own output, of which the blend is a part, so a blend that is fitted anew can reach the same.
"""

import argparse
import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from model import Classifier

# The second where the range of the activations is fixed (outliers.py).
PRODUCTS_OF_INTEGERS = ("MatMulInteger", "MatMulIntegerToFloat")


def dequantised(initializers: dict[str, np.ndarray], name: str) -> np.ndarray:
    """The weights of a name: as they are, or (int8 - zero point) times scale, which is one number or one a column."""
    if name in initializers:
        return initializers[name]
    values = initializers[f"{name}_quantized"].astype(np.float32) - initializers[f"{name}_zero_point"].astype(np.float32)
    return values * initializers[f"{name}_scale"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=Path("../parapet-en/model.onnx"))
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()

    graph = onnx.load(options.model).graph
    initializers = {initializer.name: numpy_helper.to_array(initializer) for initializer in graph.initializer}
    # Multiplications have lost the names of their weights: each is told by the name of its node, "/classifier/encoder/encoder/layer.0/…".
    weights_of_node = {node.name: node.input[1] for node in graph.node if node.op_type in PRODUCTS_OF_INTEGERS}

    classifier = Classifier.empty()
    restored = {}
    for name, parameter in classifier.state_dict().items():
        if not parameter.is_floating_point():
            restored[name] = parameter
            continue
        module, _, kind = name.rpartition(".")
        if ".attention.self." in name:
            layer = int(name.split(".layer.")[1].split(".")[0])
            part = ("query", "key", "value").index(module.rpartition(".")[2])
            whole = dequantised(initializers, f"Attention_{layer}_qkv_{kind}")
            value = np.split(whole, 3, axis=-1)[part].T
        elif kind == "weight" and module in ("hidden", "output"):
            value = initializers[f"classifier.{name}"].T
        elif kind == "weight" and module.endswith("dense"):
            node = "/classifier/" + re.sub(r"\.(?!\d)", "/", module) + "/MatMul_quant"
            value = dequantised(initializers, weights_of_node[node].removesuffix("_quantized")).T
        else:
            value = dequantised(initializers, f"classifier.{name}")
        restored[name] = torch.from_numpy(np.array(value, dtype=np.float32, order="C"))
    classifier.load_state_dict(restored)
    torch.save({"model": restored}, options.output)


if __name__ == "__main__":
    main()
