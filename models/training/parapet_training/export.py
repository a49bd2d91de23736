"""Stage export: the student as model.onnx in int8 with tokenizer.json, in export/. Also export/float.onnx, the same in full precision, to compare with.

Weights have 7 bits (reduce_range), so that products of older x86 processors, which add two of them in 16 bits, cannot saturate; the last layers decide and are
tiny: they stay in full precision.
"""

import os
import shutil
from pathlib import Path
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.optimizer import optimize_model
from torch import Tensor, nn

from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.network import Classifier, pretrained
from parapet_training.params import Params
from parapet_training.round import checkpoint_of, finished, mean_of, read_round, release_of, restored

OPSET = 17


class Exported(nn.Module):
    """int32 ids and mask -> probabilities per label [texts, labels], per sentiment [texts, sentiments], and per language where it tells several apart."""

    def __init__(self, classifier: Classifier) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        # The library's own forward pass, whose attention the optimizer knows how to fuse.
        mask = attention_mask.long()
        states = self.classifier.encoder(input_ids=input_ids.long(), attention_mask=mask).last_hidden_state
        logits = self.classifier.judgement_of(states, mask).float()
        parts = torch.sigmoid(logits[:, : len(LABELS)]), torch.softmax(logits[:, len(LABELS) : OUTPUTS], dim=1)
        return (*parts, torch.softmax(logits[:, OUTPUTS:], dim=1)) if logits.shape[1] > OUTPUTS else parts


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    if params.round:
        this = read_round(here / params.round)
        start = release_of(this.start, here, work)
        classifier, tokenizer = restored(start / "model.onnx"), start / "tokenizer.json"
        checkpoint, steps, share = checkpoint_of(this, work), this.steps, this.trained_share
    else:
        classifier, tokenizer = pretrained(params, work, params.encoder.layers), work / "vocabulary" / "tokenizer.json"
        checkpoint, steps, share = work / "student" / "checkpoint.pt", params.student.steps, 1.0
    trained = finished(checkpoint, steps)
    classifier.load_state_dict(mean_of(classifier.state_dict(), trained, share) if share < 1 else trained)
    export(classifier, tokenizer, work / "export")


def export(classifier: Classifier, tokenizer: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    raw, full, served = folder / "raw.onnx", folder / "float.onnx", folder / "model.onnx"
    example = (torch.randint(1, classifier.encoder.config.vocab_size, (2, 16), dtype=torch.int32), torch.ones(2, 16, dtype=torch.int32))
    texts_and_tokens = {0: "batch", 1: "tokens"}
    outputs = ["labels", "sentiments", "languages"][: 3 if classifier.output.out_features > OUTPUTS else 2]
    torch.onnx.export(
        Exported(classifier).eval(),
        example,
        str(raw),
        input_names=["input_ids", "attention_mask"],
        output_names=outputs,
        dynamic_axes={"input_ids": texts_and_tokens, "attention_mask": texts_and_tokens, **{name: {0: "batch"} for name in outputs}},
        opset_version=OPSET,
        dynamo=False,
    )
    config = classifier.encoder.config
    fused = optimize_model(str(raw), model_type="bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size, opt_level=0)
    layers = fused.get_fused_operator_statistics()["Attention"]
    if layers != config.num_hidden_layers:
        raise SystemExit(f"the attention of {layers} of {config.num_hidden_layers} layers was fused: is onnxruntime of the pinned version?")
    fused.save_model_to_file(str(full))
    head = [name for node in fused.model.graph.node if node.op_type == "Gemm" for name in (node.name, f"{node.name}_MatMul")]
    quantize_dynamic(
        str(full),
        str(served),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=head,
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    model = onnx.load(served)
    normalise_layers_by_instance(model)
    onnx.checker.check_model(model)
    onnx.save(model, served)
    shutil.copyfile(tokenizer, folder / "tokenizer.json")
    raw.unlink()
    print({path.name: path.stat().st_size for path in sorted(folder.iterdir())})


def normalise_layers_by_instance(model: onnx.ModelProto) -> None:
    """Replaces SkipLayerNormalization, a third of the time of a run, by Add, InstanceNormalization, Mul and Add: a tenth of that time.

    ONNX Runtime computes layer normalisation on the CPU one value after another, instance normalisation with vector instructions. They are the
    same where a token counts as a channel: mean and variance over the width of its state.
    """
    graph = model.graph
    nodes: list[onnx.NodeProto] = []

    def add(operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
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
