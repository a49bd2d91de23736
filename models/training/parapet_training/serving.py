"""Stage serving: the network as the service runs it. Writes model/.

- Activations are quantised with fixed scales (fixed_scales.py).
- Of the last layer's inner layer the neurons that say least are left out (narrow_layer.py).
- One run takes several texts, and tells each the same as alone, to the bit (side_by_side.py).

The weights are the file of the stage before, to the byte; what is new stands in model.onnx. With `max_texts: 1` all files are those of the stage before.
"""

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from parapet_training.files import read_lines, write_json
from parapet_training.fixed_scales import extremes, middle, quantised, values_of
from parapet_training.labels import TRAIN
from parapet_training.narrow_layer import Moments, left_out, narrowed
from parapet_training.network_parts import EXIT_HEAD, WORST_HEAD, Layer, Matrix, Network, Product, read_network
from parapet_training.params import Params
from parapet_training.scoring import WEIGHTS_FILE, OnnxModel
from parapet_training.side_by_side import Plan, side_by_side


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    source, folder = work / "worst_segment", work / "model"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.onnx", WEIGHTS_FILE, "tokenizer.json"):
        shutil.copyfile(source / name, folder / name)
    if params.serving.max_texts == 1:
        return
    texts = OnnxModel.load(work / "export", params.max_tokens).ids_of(training_texts(work, params))
    plan, report = planned(params, work, texts)
    model = side_by_side(plan)
    onnx.save(model, folder / "model.onnx")
    onnx.checker.check_model(folder / "model.onnx")
    write_json(folder / "report.json", report)
    print({name: (folder / name).stat().st_size for name in ("model.onnx", WEIGHTS_FILE)})


def training_texts(work: Path, params: Params) -> list[str]:
    texts = [row["text"] for row in read_lines(work / "segments" / "rows.jsonl") if row["split"] == TRAIN and row["segments"]]
    return random.Random(params.seed).sample(texts, min(len(texts), params.serving.texts))


def planned(params: Params, work: Path, texts: list[list[int]]) -> tuple[Plan, dict[str, Any]]:
    """Also what to report: the range of each value that is quantised, and the share that the neurons left out said."""
    settings = params.serving
    loaded = read_network(onnx.load(work / "worst_segment" / "model.onnx"))
    network = read_network(onnx.load(work / "worst_segment" / "model.onnx", load_external_data=False))
    last = network.layers[-1]
    names = [product.input for layer in network.layers for product in layer.products] + [last.output]
    compute, moments = values_of(onnx.load(work / "export" / "model.onnx"), names), Moments()
    whole = extremes(compute, texts, lambda values: moments.add(values[last.outer.input]))
    outgoing = loaded.dequantised(last.outer.matrix)
    kept, weights = narrowed(moments.with_ridge(), outgoing, settings.last_layer_neurons)
    ranges = middle(compute, texts, whole, settings.range, {last.outer.input: kept})
    tensors = dict(network.tensors)
    layers = [*network.layers[:-1], with_neurons(last, loaded, tensors, kept, weights)]
    exit_tokens, worst_tokens = token_products(params, loaded, tensors)
    plan = Plan(
        replace(network, layers=layers, tensors=tensors), params.early_exit.layer, exit_tokens, worst_tokens, ranges, settings.max_texts, params.max_tokens
    )
    rounded = {name: [round(float(bound), 4) for bound in values] for name, values in ranges.items()}
    return plan, {"left_out": round(left_out(moments.with_ridge(), outgoing, kept, weights), 5), "ranges": rounded}


def with_neurons(layer: Layer, loaded: Network, tensors: dict[str, onnx.TensorProto], kept: NDArray[np.int64], weights: NDArray[np.float64]) -> Layer:
    """The same with these neurons of its inner layer. loaded: has the content of its tensors; what is new is added to `tensors`."""

    def some(name: str) -> str:
        content = loaded.array(name)
        return added(tensors, f"narrow.{name}", content[..., kept] if content.ndim else content)

    matrix = layer.inner.matrix
    inner = Product(layer.inner.input, Matrix(some(matrix.weight), some(matrix.scale), some(matrix.zero_point)), some(layer.inner.bias))
    return replace(layer, inner=inner, outer=product(tensors, layer.outer.input, "narrow.outer", weights, layer.outer.bias))


def token_products(params: Params, loaded: Network, tensors: dict[str, onnx.TensorProto]) -> tuple[Product, list[Product]]:
    """The first layer of each head in int8: that of the early exit, and that of the worst segment, by the layers that it reads."""
    outputs = [layer.output for layer in loaded.layers]
    exit_weight, worst_weight = (loaded.array(f"{head}tokens.weight") for head in (EXIT_HEAD, WORST_HEAD))
    exit_tokens = product(tensors, outputs[params.early_exit.layer - 1], f"{EXIT_HEAD}tokens", exit_weight, f"{EXIT_HEAD}tokens.bias")
    parts = np.split(worst_weight, len(params.worst_segment.layers))
    return exit_tokens, [
        product(tensors, outputs[layer - 1], f"{WORST_HEAD}tokens.{layer}", part, f"{WORST_HEAD}tokens.bias")
        for layer, part in zip(params.worst_segment.layers, parts, strict=True)
    ]


def product(tensors: dict[str, onnx.TensorProto], value: str, name: str, weights: NDArray[np.floating], bias: str) -> Product:
    integers, scale = quantised(weights)
    new: dict[str, NDArray[Any]] = {"quantized": integers, "scale": scale, "zero_point": np.zeros(len(scale), np.int8)}
    weight, scales, zero_points = (added(tensors, f"{name}.{kind}", content) for kind, content in new.items())
    return Product(value, Matrix(weight, scales, zero_points), bias)


def added(tensors: dict[str, onnx.TensorProto], name: str, content: NDArray[Any]) -> str:
    tensors[name] = numpy_helper.from_array(np.ascontiguousarray(content), name)
    return name
