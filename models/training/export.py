"""Exports a checkpoint to models/parapet-en/: calibrated ONNX in int8, tokenizer.json and the files' hashes.

    python export.py --work work --output ../parapet-en

Reads work/settle.pt and work/calibration.json (calibrate.py). The calibration of each label is folded into the last layer, so the
file's outputs are calibrated probabilities. Outliers of activations are kept apart (outliers.py), and the int8 weights of a matrix are
rounded together (rounding.py). Also writes
work/float.onnx, the same network in full precision, for the check of int8 against it (evaluate.py).
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, TEACHER_LOGITS
from model import Classifier
from onnx_runtime import QuantType, optimize_model, quantize_dynamic
from outliers import fix_ranges, keep_apart, products_apart
from rounding import round_weights
from runtimes import load_checkpoint
from train import read_rows
from vocabulary import load_tokenizer, tokenizer_definition
from windows import PIECE_LENGTH, windows_of

OPSET = 17
TEXTS_TO_ROUND_WITH = 600


class Exported(nn.Module):
    """int32 ids and mask -> probabilities per label [batch, labels] and per sentiment [batch, sentiments]."""

    def __init__(self, classifier: Classifier) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        logits = self.classifier(input_ids.long(), attention_mask.long())
        return torch.sigmoid(logits[:, LABEL_LOGITS]), torch.softmax(logits[:, SENTIMENT_LOGITS], dim=1)


def fold_calibration(classifier: Classifier, calibration: dict) -> None:
    """Blend, scale and shift of the labels' logits, and one scale for all sentiments, as new weights of the last layer.

    The teachers' outputs go into the blend and are not exported.
    """
    with torch.no_grad():
        blend = torch.tensor(calibration["blend"], dtype=torch.float32)
        toxicity = LABELS.index("toxicity")
        for parameter in (classifier.output.weight, classifier.output.bias):
            parameter[toxicity] = blend @ torch.cat([parameter[LABEL_LOGITS], parameter[TEACHER_LOGITS]])
        for index, label in enumerate(LABELS):
            scale, shift = calibration["platt"][label]
            classifier.output.weight[index] *= scale
            classifier.output.bias[index] = classifier.output.bias[index] * scale + shift
        classifier.output.weight[SENTIMENT_LOGITS] *= calibration["sentiment_scale"]
        classifier.output.bias[SENTIMENT_LOGITS] *= calibration["sentiment_scale"]


def normalise_layers_by_instance(model: onnx.ModelProto) -> None:
    """Replaces SkipLayerNormalization, a third of the time of a run, by Add, InstanceNormalization, Mul and Add: a tenth of that time.

    ONNX Runtime computes layer normalisation on the CPU one value after another, instance normalisation with vector instructions. They are the
    same where a token counts as a channel: mean and variance over the width of its state.
    """
    graph = model.graph
    nodes: list[onnx.NodeProto] = []

    def add(operator: str, inputs: list[str], output: str, **attributes) -> str:
        nodes.append(helper.make_node(operator, inputs, [output], output, **attributes))
        return output

    tokens = add("Gather", [add("Shape", ["input_ids"], "ids_shape"), "token_axis"], "token_count")
    graph.initializer.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "token_axis"))
    ones, zeros = (
        add("ConstantOfShape", [tokens], f"token_{name}s", value=helper.make_tensor(name, onnx.TensorProto.FLOAT, [1], [value]))
        for name, value in (("one", 1.0), ("zero", 0.0))
    )
    for node in graph.node:
        if node.op_type != "SkipLayerNormalization":
            nodes.append(node)
            continue
        states, residual, scale, shift, bias = node.input
        epsilon = next(attribute.f for attribute in node.attribute if attribute.name == "epsilon")
        name = node.output[0]
        # The bias first: ONNX Runtime fuses it with the multiplication before it.
        total = add("Add", [add("Add", [states, bias], f"{name}_biased"), residual], f"{name}_sum")
        normalised = add("InstanceNormalization", [total, ones, zeros], f"{name}_normalised", epsilon=epsilon)
        add("Add", [add("Mul", [normalised, scale], f"{name}_scaled"), shift], name)
    del graph.node[:]
    graph.node.extend(nodes)


def texts_to_round_with(work: Path) -> list[str]:
    """Of the training split: whole texts, and their first characters, since long texts are read in pieces as well."""
    texts = [row.text for row in random.Random(1).sample(read_rows(work), TEXTS_TO_ROUND_WITH)]
    return texts + [text[:PIECE_LENGTH] for text in texts]


def inputs_of(texts: list[str]) -> Iterator[dict[str, np.ndarray]]:
    """The first window of each."""
    tokenizer = load_tokenizer()
    for text in texts:
        ids = np.array([windows_of(tokenizer.encode(text))[0].ids], dtype=np.int32)
        yield {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def write_tokenizer(path: Path) -> None:
    path.write_text(json.dumps(tokenizer_definition(), ensure_ascii=False), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--checkpoint", default="settle.pt")
    parser.add_argument("--output", type=Path, default=Path("../parapet-en"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)

    classifier = load_checkpoint(options.work / options.checkpoint)
    fold_calibration(classifier, json.loads((options.work / "calibration.json").read_text()))
    example = (torch.randint(1000, 2000, (2, 16), dtype=torch.int32), torch.ones(2, 16, dtype=torch.int32))
    raw = options.work / "raw.onnx"
    batch, tokens = "batch", "tokens"
    torch.onnx.export(
        Exported(classifier).eval(),
        example,
        str(raw),
        input_names=["input_ids", "attention_mask"],
        output_names=["labels", "sentiments"],
        dynamic_axes={
            "input_ids": {0: batch, 1: tokens},
            "attention_mask": {0: batch, 1: tokens},
            "labels": {0: batch},
            "sentiments": {0: batch},
        },
        opset_version=OPSET,
        dynamo=False,
    )
    config = classifier.encoder.config
    fused = optimize_model(
        str(raw),
        model_type="bert",
        num_heads=config.num_attention_heads,
        hidden_size=config.hidden_size,
        opt_level=0,
    )
    statistics = fused.get_fused_operator_statistics()
    print("fused:", statistics)
    if (layers := statistics["Attention"]) != config.num_hidden_layers:
        raise SystemExit(
            f"the attention of {layers} of {config.num_hidden_layers} layers was fused, and the model would be slower than it has to be: "
            "is onnxruntime of the version in requirements.txt?"
        )
    full = options.work / "float.onnx"
    fused.save_model_to_file(str(full))
    # The last layers decide and are tiny: they stay in full precision. 7-bit weights (reduce_range) keep the products of older
    # x86 processors, which add two of them in 16 bits, from saturating.
    head = [name for node in fused.model.graph.node if node.op_type == "Gemm" for name in (node.name, f"{node.name}_MatMul")]
    texts = texts_to_round_with(options.work)
    apart, ranges = keep_apart(onnx.load(full), inputs_of(texts))
    quantize_dynamic(
        apart,
        str(options.output / "model.onnx"),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=head + products_apart(apart),
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    served = onnx.load(options.output / "model.onnx")
    print("matrices rounded together:", round_weights(served, apart, inputs_of(texts)))
    fix_ranges(served, ranges)
    normalise_layers_by_instance(served)
    onnx.checker.check_model(served)
    onnx.save(served, options.output / "model.onnx")
    write_tokenizer(options.output / "tokenizer.json")
    print({path.name: path.stat().st_size for path in options.output.iterdir()})


if __name__ == "__main__":
    main()
