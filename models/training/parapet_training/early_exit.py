"""Stage early_exit: a way out of the exported network after its first layers, for texts that are certainly harmless. Writes exit/.

A head reads the states of every token after `layer` layers, and learns two things of the network that it belongs to: what it says (distillation), and
whether any reading of the text, whole or by segments, says of a label that it is likelier than `harmless_probability`. Where it is certain that none does, the
network says what the head says and computes no further: the other layers stand in a branch of one If, in the same file. `exited` tells which way a text went.

The head learns from texts of the validation split: the network has learnt the training texts and is surer of them than of any others.
"""

import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, gelu, log_softmax

from parapet_training.calibrate import validation_rows
from parapet_training.files import write_json
from parapet_training.heads import Floats, NodeWriter, States, fit, mean_and_peak, split_at
from parapet_training.joining import joined, parts_of, read
from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.params import EarlyExitParams, Params
from parapet_training.pooling import logit
from parapet_training.scoring import WEIGHTS_FILE, OnnxModel, Scores

JOINED_CHARACTERS, JOINED_TEXTS, NEEDLE_CHARACTERS = (120, 200, 300), 4000, 240
CHOSEN_BY = 0.2  # the share of texts that the threshold is chosen by, and that the head does not learn from
STEEPNESS = 3.0  # of the target around harmless_probability
WEIGHTS = {"sentiments": 0.5, "languages": 0.3}
EXIT = "exit"  # in the graph


@dataclass(frozen=True)
class Item:
    """A text of one run. outputs: what the full network says of it. worst: the highest log-odds of a label in any reading of it."""

    text: str
    outputs: Floats
    worst: float


class ExitHead(nn.Module):
    """states [texts, tokens, width], mask [texts, tokens] -> [texts, outputs + 1]: logits, and last that the text needs the whole network."""

    def __init__(self, width: int, settings: EarlyExitParams, outputs: int) -> None:
        super().__init__()
        self.tokens = nn.Linear(width, settings.token_width)
        self.hidden = nn.Linear(2 * settings.token_width, settings.hidden_width)
        self.output = nn.Linear(settings.hidden_width, outputs + 1)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        return self.output(gelu(self.hidden(mean_and_peak(gelu(self.tokens(states)), mask))))


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    settings, folder = params.early_exit, work / "exit"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(work / "export" / "tokenizer.json", folder / "tokenizer.json")
    if settings.layer == 0:
        save(onnx.load(work / "export" / "model.onnx"), folder)
        return
    torch.manual_seed(params.seed)
    scores = Scores(OnnxModel.load(work / "export", params.max_tokens), work / "scores", params.teachers.shard)
    items = items_of(validation_rows(work, params), scores, params)
    model = onnx.load(work / "export" / "model.onnx")
    boundary = states_after(model, settings.layer)
    states, _ = States.computed(model, [boundary], scores.model.ids_of([item.text for item in items]), work / "early_exit" / "states.npy")
    order = np.random.default_rng(params.seed).permutation(len(items))
    chosen_by, learnt = np.split(order, [round(CHOSEN_BY * len(items))])
    head = trained(settings, items, states, learnt, params.seed)
    needs = needs_of(head, states, chosen_by)
    worst = np.array([items[index].worst for index in chosen_by])
    threshold = float(np.quantile(needs[worst >= logit(settings.detected_probability)], settings.lost))
    leaves = needs < threshold
    is_harmless = worst < logit(settings.harmless_probability)
    report = {"texts": len(chosen_by), "leave": int(leaves.sum()), "harmless": int(is_harmless.sum()), "harmless_that_leave": int(leaves[is_harmless].sum())}
    save(with_exit(model, boundary, head, threshold, scores.model.names), folder)
    (work / "early_exit" / "states.npy").unlink()
    write_json(work / "early_exit" / "report.json", report)
    print(report)


def save(model: onnx.ModelProto, folder: Path) -> None:
    """With its weights beside it, in a file that ONNX Runtime maps into memory: all sessions of a machine share its pages."""
    (folder / WEIGHTS_FILE).unlink(missing_ok=True)
    onnx.save_model(model, folder / "model.onnx", save_as_external_data=True, location=WEIGHTS_FILE, size_threshold=4096)
    (folder / WEIGHTS_FILE).chmod(0o644)


def items_of(rows: list[dict[str, Any]], scores: Scores, params: Params) -> list[Item]:
    """Texts that one run reads whole, single segments of others, and short harmless texts around a harmful one."""
    rng, settings = random.Random(params.seed), params.calibration
    parts = parts_of([(row["text"], row["segments"], row["labels"]) for row in rows], scores)
    items = []
    for part, row in zip(parts, rows, strict=True):
        if len(part.logits) == 1:
            items.append(Item(row["segments"][0], part.logits[0], worst_of(part.logits)))
            continue
        if part.whole is not None:
            items.append(Item(" ".join(part.segments), part.whole, worst_of(np.concatenate([part.whole[None], part.logits]))))
        index = rng.randrange(len(part.logits))
        items.append(Item(row["segments"][index], part.logits[index], worst_of(part.logits[index : index + 1])))
    harmless = [
        part
        for part, row in zip(parts, rows, strict=True)
        if row["source"] in settings.conversation and row["labels"].get("toxicity", 1.0) < 0.5 and len(part.text) < max(JOINED_CHARACTERS)
    ]
    needles = [part for part in parts if len(part.text) <= NEEDLE_CHARACTERS and max(part.labels.values(), default=0.0) >= 0.5]
    if harmless and needles:
        for characters in JOINED_CHARACTERS:
            for text in read(joined(harmless, needles, JOINED_TEXTS, characters, rng, only_longest=True), scores):
                if text.whole is not None:
                    items.append(Item(" ".join(text.segments), text.whole, worst_of(np.concatenate([text.whole[None], text.logits]))))
    return items


def worst_of(readings: Floats) -> float:
    """readings: [readings, outputs]"""
    return float(readings[:, : len(LABELS)].max())


def trained(settings: EarlyExitParams, items: list[Item], states: States, learnt: NDArray[np.int64], seed: int) -> ExitHead:
    outputs = np.stack([item.outputs for item in items]).astype(np.float32)
    boundary = logit(settings.harmless_probability)
    needs = torch.sigmoid(torch.tensor([STEEPNESS * (item.worst - boundary) for item in items]))
    head = ExitHead(states.values.shape[1], settings, outputs.shape[1])
    fit(
        head,
        settings,
        states,
        learnt,
        seed,
        lambda indices, values, mask: loss_of(head(values, mask), torch.from_numpy(outputs[indices]), needs[torch.from_numpy(indices)]),
    )
    return head


def loss_of(said: Tensor, outputs: Tensor, needs: Tensor) -> Tensor:
    """outputs: log-odds of the labels and log-probabilities of the others, as the full network says them."""
    labels, sentiments, languages = slice(len(LABELS)), slice(len(LABELS), OUTPUTS), slice(OUTPUTS, outputs.shape[1])
    loss = binary_cross_entropy_with_logits(said[:, labels], torch.sigmoid(outputs[:, labels]), reduction="none").sum(1)
    for name, place in (("sentiments", sentiments), ("languages", languages)):
        loss = loss - WEIGHTS[name] * (outputs[:, place].exp() * log_softmax(said[:, place], dim=1)).sum(1)
    return (loss + binary_cross_entropy_with_logits(said[:, -1], needs, reduction="none")).mean()


def needs_of(head: ExitHead, states: States, indices: NDArray[np.int64]) -> Floats:
    """[texts], in the order of `indices`: the log-odds that each needs the whole network."""
    needs = dict[int, float]()
    with torch.no_grad():
        for group, values, mask in states.batches(indices, None):
            needs.update(zip(group.tolist(), head(values, mask)[:, -1].tolist(), strict=True))
    return np.array([needs[index] for index in indices.tolist()], np.float32)


def states_after(model: onnx.ModelProto, layer: int) -> str:
    """Name of the states after so many layers. Raises ValueError if the network has no such layer."""
    return states_named(layer, [name for node in model.graph.node for name in node.output])


def states_named(layer: int, names: list[str]) -> str:
    """Raises ValueError if none of the names is that of the states after so many layers."""
    found = [name for name in names if f"layer.{layer - 1}/output/LayerNorm/" in name and name.endswith("LayerNormalization_output_0")]
    if not found:
        raise ValueError(f"the network has no layer {layer}: see the parameters of early_exit and worst_segment")
    return found[-1]


def with_exit(model: onnx.ModelProto, boundary: str, head: ExitHead, threshold: float, names: list[str]) -> onnx.ModelProto:
    """The same model with the way out. Several texts at once all go on if one of them must."""
    before, after = split_at(model, [boundary])
    shared = {name for node in before for name in node.output}
    used_before, used_after = ({name for node in nodes for name in node.input} for nodes in (before, after))
    types = {output.name: output for output in model.graph.output}
    # What leads to the states and is needed again after them comes from the outer graph.
    rest = helper.make_graph(
        [*after, *(helper.make_node("Identity", [name], [f"full_{name}"]) for name in names)],
        "rest",
        [],
        [renamed(types[name], f"full_{name}") for name in names],
        [item for item in model.graph.initializer if item.name in used_after and item.name not in used_before],
    )
    early = helper.make_graph(
        [helper.make_node("Identity", [f"early_{name}"], [f"exit_{name}"]) for name in names],
        "early",
        [],
        [renamed(types[name], f"exit_{name}") for name in names],
    )
    nodes, weights = nodes_of(head, boundary, threshold, names)
    assert boundary in shared
    whole = helper.make_graph(
        [*before, *nodes, helper.make_node("If", ["exit"], names, then_branch=early, else_branch=rest), helper.make_node("Identity", ["exit"], ["exited"])],
        "classifier with an early exit",
        model.graph.input,
        [*(types[name] for name in names), helper.make_tensor_value_info("exited", onnx.TensorProto.BOOL, [])],
        [*(item for item in model.graph.initializer if item.name in used_before), *weights],
    )
    result = helper.make_model(whole, opset_imports=model.opset_import, ir_version=model.ir_version)
    onnx.checker.check_model(result)
    return result


def renamed(info: onnx.ValueInfoProto, name: str) -> onnx.ValueInfoProto:
    copy = onnx.ValueInfoProto()
    copy.CopyFrom(info)
    copy.name = name
    return copy


def nodes_of(head: ExitHead, boundary: str, threshold: float, names: list[str]) -> tuple[list[onnx.NodeProto], list[onnx.TensorProto]]:
    """ExitHead in ONNX: early_NAME for each output, and the scalar `exit`."""
    writer = NodeWriter(EXIT)
    pooled = writer.pooled(head.tokens, boundary, writer.mask())
    said = writer.linear(head.output, "output", writer.gelu(writer.linear(head.hidden, "hidden", pooled)))
    ends = {"labels": (0, len(LABELS)), "sentiments": (len(LABELS), OUTPUTS), "languages": (OUTPUTS, head.output.out_features - 1)}

    def part(begin: int, end: int, name: str, output: str) -> str:
        borders = [writer.constant(f"{name}.begin", [begin], np.int64), writer.constant(f"{name}.end", [end], np.int64)]
        return writer.add("Slice", [said, *borders, writer.second], output)

    for name in names:
        logits = part(*ends[name], name, f"logits_of_{name}")
        kind = "Sigmoid" if name == "labels" else "Softmax"
        writer.nodes.append(helper.make_node(kind, [logits], [f"early_{name}"], f"exit_head/early_{name}", **({} if name == "labels" else {"axis": 1})))
    size = head.output.out_features
    most = writer.add("ReduceMax", [part(size - 1, size, "needs", "needs")], "most_needed", keepdims=0)
    writer.add("Less", [most, writer.constant("threshold", threshold)], "")
    return writer.nodes, writer.tensors
