"""What heads on the states of a frozen network have in common: its states, how tokens are pooled, training, and ONNX."""

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from torch import Tensor, nn

from parapet_training.params import EarlyExitParams, WorstSegmentParams

BATCH = 64
MASK_OF_TOKENS = "mask_of_tokens"  # in the graph, behind the prefix of its head
Floats = NDArray[np.float32]


def mean_and_peak(seen: Tensor, mask: Tensor) -> Tensor:
    """seen: [texts, tokens, features]; mask: [texts, tokens] -> [texts, 2 * features]. One bad word among many good ones must show in the maximum."""
    mask = mask.unsqueeze(-1)
    return torch.cat([(seen * mask).sum(1) / mask.sum(1), (seen + (mask - 1.0) * 1e4).amax(1)], dim=1)


@dataclass(frozen=True)
class States:
    """values: float16 [all tokens, width], in a file; the tokens of a text are those from its place in `offsets` to the next one's."""

    values: NDArray[np.float16]
    offsets: NDArray[np.int64]

    @classmethod
    def computed(
        cls, model: onnx.ModelProto, boundaries: list[str], ids: list[list[int]], path: Path, others: tuple[str, ...] = ()
    ) -> tuple["States", dict[str, Floats]]:
        """Of all these boundaries, one after the other, and what other outputs of the network say of each text [texts, ...]."""
        path.parent.mkdir(parents=True, exist_ok=True)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(part_of(model, [*boundaries, *others]).SerializeToString(), options, providers=["CPUExecutionProvider"])
        offsets = np.concatenate([[0], np.cumsum([len(each) for each in ids])])
        width = next(int(item.dims[-1]) for item in model.graph.initializer if "word_embeddings.weight" in item.name and len(item.dims) == 2)
        values = np.lib.format.open_memmap(path, "w+", np.float16, (int(offsets[-1]), len(boundaries) * width))
        said: dict[str, list[Floats]] = {name: [np.zeros(0, np.float32)] * len(ids) for name in others}

        def compute(index: int) -> None:
            input_ids = np.array([ids[index]], np.int32)
            answers = session.run([*boundaries, *others], {"input_ids": input_ids, "attention_mask": np.ones_like(input_ids)})
            values[offsets[index] : offsets[index + 1]] = np.concatenate([each[0] for each in answers[: len(boundaries)]], axis=1)
            for name, answer in zip(others, answers[len(boundaries) :], strict=True):
                said[name][index] = answer[0]

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(compute, range(len(ids))):
                pass
        return cls(values, offsets), {name: np.stack(each) for name, each in said.items()}

    def batches(self, indices: NDArray[np.int64], rng: np.random.Generator | None) -> Iterator[tuple[NDArray[np.int64], Tensor, Tensor]]:
        """Of texts of about one length each: indices, states [texts, tokens, width], mask [texts, tokens]. In order of length without rng, else shuffled."""
        lengths = np.diff(self.offsets)
        keys = lengths[indices] + (0 if rng is None else 3 * rng.random(len(indices)))
        indices = indices[np.argsort(keys, kind="stable")]
        groups = [indices[begin : begin + BATCH] for begin in range(0, len(indices), BATCH)]
        if rng is not None:
            rng.shuffle(groups)  # type: ignore[arg-type]
        for group in groups:
            states = np.zeros((len(group), int(lengths[group].max()), self.values.shape[1]), np.float32)
            mask = np.zeros(states.shape[:2], np.float32)
            for place, index in enumerate(group):
                states[place, : lengths[index]] = self.values[self.offsets[index] : self.offsets[index + 1]]
                mask[place, : lengths[index]] = 1
            yield group, torch.from_numpy(states), torch.from_numpy(mask)


def fit(
    head: nn.Module,
    settings: EarlyExitParams | WorstSegmentParams,
    states: States,
    learnt: NDArray[np.int64],
    seed: int,
    loss_of: Callable[[NDArray[np.int64], Tensor, Tensor], Tensor],
) -> None:
    """loss_of: of the texts of these indices, with their states and mask. Leaves the head ready to be asked."""
    optimizer = torch.optim.AdamW(head.parameters(), weight_decay=0.01)
    steps = settings.epochs * math.ceil(len(learnt) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.peak_rate, total_steps=steps)
    rng = np.random.default_rng(seed)
    for epoch in range(settings.epochs):
        total = 0.0
        for indices, values, mask in states.batches(learnt, rng):
            loss = loss_of(indices, values, mask)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(indices)
        print(f"epoch {epoch + 1} of {settings.epochs}: loss {total / len(learnt):.4f}", flush=True)
    head.eval()


def split_at(model: onnx.ModelProto, wanted: list[str]) -> tuple[list[onnx.NodeProto], list[onnx.NodeProto]]:
    """The nodes that these depend on, and all others, each in order."""
    needed, before, after = set(wanted), list[onnx.NodeProto](), list[onnx.NodeProto]()
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            before.insert(0, node)
        else:
            after.insert(0, node)
    return before, after


def part_of(model: onnx.ModelProto, wanted: list[str]) -> onnx.ModelProto:
    """input_ids, attention_mask -> these values"""
    part = onnx.ModelProto()
    part.CopyFrom(model)
    before, _ = split_at(model, wanted)
    used = {name for node in before for name in node.input}
    del part.graph.node[:], part.graph.output[:], part.graph.initializer[:]
    part.graph.node.extend(before)
    part.graph.initializer.extend(item for item in model.graph.initializer if item.name in used)
    part.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in wanted)
    return part


class NodeWriter:
    """Writes the parts of a head in ONNX. prefix: of its names."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []

    def constant(self, name: str, values: Any, kind: type = np.float32) -> str:
        self.tensors.append(numpy_helper.from_array(np.asarray(values, kind), f"{self.prefix}_head.{name}"))
        return f"{self.prefix}_head.{name}"

    def add(self, operator: str, inputs: list[str], name: str, **attributes: Any) -> str:
        output = f"{self.prefix}_{name}" if name else self.prefix
        self.nodes.append(helper.make_node(operator, inputs, [output], f"{self.prefix}_head/{output}", **attributes))
        return output

    def linear(self, layer: nn.Linear, name: str, states: str) -> str:
        weight = self.constant(f"{name}.weight", layer.weight.detach().numpy().T)
        product = self.add("MatMul", [states, weight], f"{name}_product")
        return self.add("Add", [product, self.constant(f"{name}.bias", layer.bias.detach().numpy())], name)

    def gelu(self, values: str) -> str:
        name = values.removeprefix(f"{self.prefix}_")
        half = self.add("Mul", [values, self.constant(f"{values}.half", 0.5)], f"{name}_half")
        error = self.add("Erf", [self.add("Div", [values, self.constant(f"{values}.root", math.sqrt(2))], f"{name}_scaled")], f"{name}_erf")
        return self.add("Mul", [half, self.add("Add", [error, self.constant(f"{values}.one", 1.0)], f"{name}_plus")], f"{name}_gelu")

    def mask(self) -> str:
        """[texts, tokens, 1]"""
        last = self.constant("last", [-1], np.int64)
        return self.add("Unsqueeze", [self.add("Cast", ["attention_mask"], "mask", to=onnx.TensorProto.FLOAT), last], MASK_OF_TOKENS)

    def pooled(self, tokens: nn.Linear, states: str, mask: str) -> str:
        """Mean and maximum of the tokens' features."""
        seen = self.gelu(self.linear(tokens, "tokens", states))
        self.second = self.constant("second", [1], np.int64)
        total = self.add("ReduceSum", [self.add("Mul", [seen, mask], "masked"), self.second], "total", keepdims=0)
        mean = self.add("Div", [total, self.add("ReduceSum", [mask, self.second], "count", keepdims=0)], "mean")
        away = self.add("Mul", [self.add("Sub", [mask, self.constant("one", 1.0)], "padding"), self.constant("far", 1e4)], "away")
        peak = self.add("ReduceMax", [self.add("Add", [seen, away], "present")], "peak", axes=[1], keepdims=0)
        return self.add("Concat", [mean, peak], "pooled", axis=1)
