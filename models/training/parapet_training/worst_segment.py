"""Stage worst_segment: a second answer of the network about a window of several segments, how likely each label is in the worst of them. Writes worst_segment/.

Alone, a severe sentence among harmless ones shows better than in the whole. A head reads the states of every token after `layers`, and learns to say of a
window what the network says of its segments, each in a run of its own (distillation), so that one run tells both. Output `highest`: of a window that left
early, what that says itself.

Its weights stand in model.onnx. Those of the network are the files of the stage before, to the byte.
"""

import math
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, gelu

from parapet_training.calibrate import validation_rows
from parapet_training.early_exit import EXIT, renamed, states_after, states_named
from parapet_training.files import write_json
from parapet_training.heads import MASK_OF_TOKENS, NodeWriter, States, fit, mean_and_peak
from parapet_training.joining import FRAME_TOKENS
from parapet_training.labels import LABELS
from parapet_training.params import Params, WorstSegmentParams
from parapet_training.scoring import HIGHEST, WEIGHTS_FILE, Logits, OnnxModel, Scores, log_odds

TESTED_BY = 0.1  # the share of windows that the head does not learn from, for the report
PART_CHARACTERS, LONG_CHARACTERS = 240, 1200
WITH_NEEDLE, WITH_TWO, LONG = 0.5, 0.1, 0.25  # shares of the windows that are made
CERTAIN = 7.0  # log-odds beyond which nothing is learnt
LOGITS_WEIGHT = 0.02  # of the squared difference of log-odds, against the cross-entropy of probabilities


@dataclass(frozen=True)
class Window:
    """Several segments of one run. highest: [labels], the highest log-odds of each in a segment of its own run."""

    text: str
    highest: Logits


class WorstSegmentHead(nn.Module):
    """states [windows, tokens, layers * width], mask [windows, tokens], what the window says [windows, labels] -> the worst segment [windows, labels].

    Both in log-odds.
    """

    def __init__(self, width: int, settings: WorstSegmentParams) -> None:
        super().__init__()
        self.tokens = nn.Linear(width, settings.token_width)
        self.hidden = nn.Linear(2 * settings.token_width + len(LABELS), settings.hidden_width)
        self.output = nn.Linear(settings.hidden_width, len(LABELS))
        # It begins with what the window says.
        nn.init.zeros_(self.output.weight)
        nn.init.zeros_(self.output.bias)

    def forward(self, states: Tensor, mask: Tensor, of_window: Tensor) -> Tensor:
        pooled = mean_and_peak(gelu(self.tokens(states)), mask)
        return of_window + self.output(gelu(self.hidden(torch.cat([pooled, of_window], dim=1))))


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    settings, source, folder = params.worst_segment, work / "exit", work / "worst_segment"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", WEIGHTS_FILE):
        shutil.copyfile(source / name, folder / name)
    if not settings.layers:
        shutil.copyfile(source / "model.onnx", folder / "model.onnx")
        return
    torch.manual_seed(params.seed)
    scores = Scores(OnnxModel.load(work / "export", params.max_tokens), work / "scores", params.teachers.shard)
    windows = windows_to_learn(validation_rows(work, params), scores, params)
    full = onnx.load(work / "export" / "model.onnx")
    ids = scores.model.ids_of([window.text for window in windows])
    states, labels = States.computed(full, [states_after(full, layer) for layer in settings.layers], ids, folder / "states.npy", ("labels",))
    of_windows = log_odds(labels["labels"])
    order = np.random.default_rng(params.seed).permutation(len(windows))
    tested, learnt = np.split(order, [round(TESTED_BY * len(windows))])
    head = trained(settings, windows, of_windows, states, learnt, params.seed)
    (folder / "model.onnx").unlink(missing_ok=True)
    onnx.save(with_highest(onnx.load(source / "model.onnx", load_external_data=False), head, settings.layers), folder / "model.onnx")
    report = report_of(head, windows, of_windows, states, tested)
    (folder / "states.npy").unlink()
    write_json(folder / "report.json", report)
    print(report)


def windows_to_learn(rows: list[dict[str, Any]], scores: Scores, params: Params) -> list[Window]:
    """Of validation texts, and made of their parts: the network has learnt the training texts and is surer of them than of any others."""
    rng, model = random.Random(params.seed), scores.model
    segments = {segment for row in rows for segment in row["segments"]}
    scores.score(segments)
    tokens = dict(zip(segments, model.tokens_of(list(segments)), strict=True))

    def windows_in(segments: Sequence[str]) -> list[list[str]]:
        return [window for window in windows_of(segments, [tokens[segment] for segment in segments], model.max_tokens) if len(window) > 1]

    found = [window for row in rows for window in windows_in(row["segments"])]
    by_language: dict[str, tuple[list[list[str]], list[list[str]]]] = {}
    for row in rows:
        if len(row["text"]) <= PART_CHARACTERS:
            harmless, harmful = by_language.setdefault(row.get("lang", "en"), ([], []))
            (harmful if max(row["labels"].values(), default=0.0) >= 0.5 else harmless).append(row["segments"])
    pools = [pool for pool in by_language.values() if pool[0] and pool[1]]
    sizes = [math.sqrt(len(harmless) + len(harmful)) for harmless, harmful in pools]
    made = len(found)
    while pools and len(found) < made + params.worst_segment.made:
        harmless, harmful = rng.choices(pools, sizes)[0]
        length = LONG_CHARACTERS if rng.random() < LONG else rng.randint(40, 500)
        parts: list[list[str]] = []
        while sum(len(segment) for part in parts for segment in part) < length:
            parts.append(rng.choice(harmless))
        for _ in range(1 if (drawn := rng.random()) < WITH_NEEDLE else 2 if drawn < WITH_NEEDLE + WITH_TWO else 0):
            parts.insert(rng.randint(0, len(parts)), rng.choice(harmful))
        found += windows_in([segment for part in parts for segment in part])
    different = {" ".join(window): window for window in found}
    return [Window(text, scores.of(window)[:, : len(LABELS)].max(0)) for text, window in different.items()]


def windows_of(segments: Sequence[str], tokens: Sequence[int], max_tokens: int) -> list[list[str]]:
    """Segments in order, as many in each window as one run holds, and one at least. tokens: of each segment, with the frame that a run has once."""
    windows: list[list[str]] = []
    room = 0
    for segment, count in zip(segments, tokens, strict=True):
        if windows and count - FRAME_TOKENS <= room:
            windows[-1].append(segment)
            room -= count - FRAME_TOKENS
        else:
            windows.append([segment])
            room = max_tokens - count
    return windows


def trained(settings: WorstSegmentParams, windows: list[Window], of_windows: Logits, states: States, learnt: NDArray[np.int64], seed: int) -> WorstSegmentHead:
    targets = torch.from_numpy(np.stack([window.highest for window in windows])).clamp(-CERTAIN, CERTAIN)
    head = WorstSegmentHead(states.values.shape[1], settings)

    def loss_of(indices: NDArray[np.int64], values: Tensor, mask: Tensor) -> Tensor:
        said, target = head(values, mask, torch.from_numpy(of_windows[indices])), targets[torch.from_numpy(indices)]
        loss = binary_cross_entropy_with_logits(said, torch.sigmoid(target), reduction="none").sum(1).mean()
        return loss + LOGITS_WEIGHT * ((said.clamp(-CERTAIN, CERTAIN) - target) ** 2).sum(1).mean()

    fit(head, settings, states, learnt, seed, loss_of)
    return head


def report_of(head: WorstSegmentHead, windows: list[Window], of_windows: Logits, states: States, tested: NDArray[np.int64]) -> dict[str, Any]:
    """How far from the worst segment's log-odds of each label the window's own are, and what the head says: means of the absolute difference."""
    said = np.zeros_like(of_windows)
    with torch.no_grad():
        for indices, values, mask in states.batches(tested, None):
            said[indices] = head(values, mask, torch.from_numpy(of_windows[indices])).numpy()
    truth = np.stack([window.highest for window in windows])

    def distance(values: Logits) -> dict[str, float]:
        far = np.abs(values[tested].clip(-CERTAIN, CERTAIN) - truth[tested].clip(-CERTAIN, CERTAIN)).mean(0)
        return dict(zip(LABELS, far.round(3).tolist(), strict=True))

    return {"windows": len(windows), "tested": len(tested), "of_the_window": distance(of_windows), "of_the_head": distance(said)}


def with_highest(model: onnx.ModelProto, head: WorstSegmentHead, layers: list[int]) -> onnx.ModelProto:
    """The same model, of early exit or not, with the output `highest`."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    way_out = next((node for node in graph.node if node.op_type == "If"), None)
    # Where all layers have been computed: the branch of those that did not leave, or the only graph.
    rest = graph if way_out is None else next(attribute.g for attribute in way_out.attribute if attribute.name == "else_branch")
    early = None if way_out is None else next(attribute.g for attribute in way_out.attribute if attribute.name == "then_branch")
    names = [[name for node in part.node for name in node.output] for part in (graph, rest)]
    states = [states_named(layer, [*names[0], *names[1]]) for layer in layers]
    labels = next(node for node in rest.node if "labels" in node.output)
    writer = NodeWriter("worst")
    of_window = labels.input[0]
    joined = writer.add("Concat", states, "states", axis=2) if len(states) > 1 else states[0]
    # The early exit has made one; a second beside it keeps ONNX Runtime from tidying up.
    mask = writer.mask() if way_out is None else f"{EXIT}_{MASK_OF_TOKENS}"
    pooled = writer.pooled(head.tokens, joined, mask)
    inputs = writer.add("Concat", [pooled, of_window], "inputs", axis=1)
    change = writer.linear(head.output, "output", writer.gelu(writer.linear(head.hidden, "hidden", inputs)))
    name = HIGHEST if way_out is None else f"full_{HIGHEST}"
    writer.nodes.append(helper.make_node("Sigmoid", [writer.add("Add", [of_window, change], "said")], [name]))
    rest.node.extend(writer.nodes)
    rest.initializer.extend(writer.tensors)
    kind = next(output for output in graph.output if output.name == "labels")
    if way_out is None or early is None:
        graph.output.append(renamed(kind, HIGHEST))
        return result
    rest.output.append(renamed(kind, name))
    early.node.append(helper.make_node("Identity", ["early_labels"], [f"exit_{HIGHEST}"]))
    early.output.append(renamed(kind, f"exit_{HIGHEST}"))
    way_out.output.append(HIGHEST)
    graph.output.append(renamed(kind, HIGHEST))
    return result
