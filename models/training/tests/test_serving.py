"""What is served against what was exported, with a tiny random network: needs PyTorch."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import KIND, RUDE, THINGS, Project

torch = pytest.importorskip("torch")
for needed in ("transformers", "onnx", "emoji"):
    pytest.importorskip(needed)

import onnx
from onnx import numpy_helper

from parapet_training import early_exit, export, fixed_scales, heads, narrow_layer, network, round, serving, worst_segment
from parapet_training.labels import OUTPUTS
from parapet_training.network_parts import read_network
from parapet_training.params import ServingParams
from parapet_training.scoring import OnnxModel

FILES = ("model.onnx", "model.onnx.data", "tokenizer.json")
SERVING = ServingParams(max_texts=4, last_layer_neurons=24, range=0.9999, texts=60)


def made_up_texts(count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice([*KIND, *RUDE, *THINGS], rng.integers(1, 60))) for _ in range(count)]


@pytest.fixture
def served(project: Project, encoder: Path) -> Callable[[ServingParams], OnnxModel]:
    """The network of a random student with random heads, of whose texts about half leave early, as the stage serves it with these parameters."""
    torch.manual_seed(4)
    student = network.pretrained(project.params, project.work, [0, 1])
    with torch.no_grad():
        for weight in student.parameters():
            weight.add_(0.1 * torch.randn_like(weight))  # no two alike: equal ones are stored once
    export.export(student, project.work / "vocabulary" / "tokenizer.json", project.work / "export")
    full, model = OnnxModel.load(project.work / "export", 128), onnx.load(project.work / "export" / "model.onnx")
    texts = made_up_texts(80, 2)
    boundary = early_exit.states_after(model, 1)
    exit_head = early_exit.ExitHead(32, project.params.early_exit, OUTPUTS).eval()
    states, _ = heads.States.computed(model, [boundary], full.ids_of(texts), project.work / "exit.npy")
    threshold = float(np.median(early_exit.needs_of(exit_head, states, np.arange(len(texts)))))
    head = worst_segment.WorstSegmentHead(64, project.params.worst_segment).eval()
    torch.nn.init.normal_(head.output.weight)
    folder = project.work / "worst_segment"
    folder.mkdir()
    shutil.copyfile(project.work / "export" / "tokenizer.json", folder / "tokenizer.json")
    early_exit.save(early_exit.with_exit(model, boundary, exit_head, threshold, full.names), folder)
    onnx.save(worst_segment.with_highest(onnx.load(folder / "model.onnx", load_external_data=False), head, [1, 2]), folder / "model.onnx")
    (project.work / "segments").mkdir()
    rows = [{"text": text, "split": "train", "segments": [text]} for text in texts]
    (project.work / "segments" / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def serve(settings: ServingParams) -> OnnxModel:
        serving.run(replace(project.params, serving=settings), project.here, project.data, project.work)
        return OnnxModel.load(project.work / "model", 128)

    return serve


def answers(model: OnnxModel, ids: list[list[int]]) -> list[list[bytes]]:
    """Of one run: of each text the bytes of each output."""
    padded = np.zeros((len(ids), max(map(len, ids))), np.int32)
    mask = np.zeros_like(padded)
    for index, each in enumerate(ids):
        padded[index, : len(each)], mask[index, : len(each)] = each, 1
    outputs = model.session.run(None, {"input_ids": padded, "attention_mask": mask})
    return [[output[index].tobytes() for output in outputs] for index in range(len(ids))]


def test_a_text_is_told_the_same_to_the_bit_alone_and_in_any_company(served: Callable[[ServingParams], OnnxModel]) -> None:
    model, rng = served(SERVING), np.random.default_rng(6)
    ids = model.ids_of([*made_up_texts(60, 3), "", "sunny", " ".join(KIND * 20)])
    alone = [answers(model, [each])[0] for each in ids]
    exited = model.logits_of(ids)[:, -1].astype(bool)
    mixed = 0
    for run in range(300):
        company = rng.integers(0, len(ids), rng.integers(2, 5))
        if run % 5 == 0:
            company[:] = company[0]
        mixed += 0 < exited[company].sum() < len(company)
        told = answers(model, [ids[index] for index in company])
        assert all(said == alone[index] for said, index in zip(told, company, strict=True))
    assert mixed > 50


def test_what_is_served_is_what_was_exported_but_for_rounding(served: Callable[[ServingParams], OnnxModel], project: Project) -> None:
    before = project.work / "worst_segment"
    ids = (source := OnnxModel.load(before, 128)).ids_of(made_up_texts(40, 5))
    expected = source.logits_of(ids)
    all_neurons = served(replace(SERVING, last_layer_neurons=64)).logits_of(ids)
    said = served(SERVING).logits_of(ids)
    assert (project.work / "model" / "model.onnx.data").read_bytes() == (before / "model.onnx.data").read_bytes()
    agreed = (expected[:, -1] == all_neurons[:, -1]) & (expected[:, -1] == said[:, -1])
    assert agreed.mean() > 0.9 and 0 < expected[agreed, -1].sum() < agreed.sum()
    spread = expected[:, :-1].std(0).mean()
    for each, limit in ((all_neurons, 0.1), (said, 0.3)):
        assert np.abs(each[agreed, :-1] - expected[agreed, :-1]).mean() < limit * spread


def test_of_the_last_layer_so_many_neurons_stay_as_they_were(served: Callable[[ServingParams], OnnxModel], project: Project) -> None:
    served(SERVING)
    source = read_network(onnx.load(project.work / "worst_segment" / "model.onnx"))
    model = onnx.load(project.work / "model" / "model.onnx")
    branches = [attribute.g for node in model.graph.node for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
    tensors = {tensor.name: numpy_helper.to_array(tensor) for branch in branches for tensor in branch.initializer}
    inner = source.layers[-1].inner
    columns, all_columns = tensors[f"narrow.{inner.matrix.weight}"].T.tolist(), source.array(inner.matrix.weight).T.tolist()
    assert len(columns) == 24 and all(column in all_columns for column in columns)
    assert tensors["narrow.outer.quantized"].shape == (24, 32) and np.abs(tensors["narrow.outer.quantized"]).max() == 64


def test_with_one_text_a_run_the_files_are_those_of_the_stage_before(served: Callable[[ServingParams], OnnxModel], project: Project) -> None:
    served(replace(SERVING, max_texts=1))
    for name in FILES:
        assert (project.work / "model" / name).read_bytes() == (project.work / "worst_segment" / name).read_bytes()


def test_a_release_with_the_graph_of_its_round_has_all_weights_that_were_exported(served: Callable[[ServingParams], OnnxModel], project: Project) -> None:
    served(SERVING)
    folder = project.work / "release"
    folder.mkdir()
    shutil.copyfile(project.work / "model" / "model.onnx.data", folder / "model.onnx.data")
    shutil.copyfile(project.work / "worst_segment" / "model.onnx", folder / "model.onnx")
    before, after = (round.restored(path / "model.onnx").state_dict() for path in (project.work / "export", folder))
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_a_network_without_heads_is_refused(served: Callable[[ServingParams], OnnxModel], project: Project) -> None:
    model = onnx.load(project.work / "export" / "model.onnx")
    with pytest.raises(ValueError, match=r"no exit_head\.hidden\.weight"):
        read_network(model)
    del model.graph.node[[node.op_type for node in model.graph.node].index("BiasGelu")]
    with pytest.raises(ValueError, match=r"0 of the nodes that read .* are BiasGelu"):
        read_network(model)


def test_a_range_holds_the_middle_of_the_values_that_count() -> None:
    rng = np.random.default_rng(1)
    texts = [(rng.normal(size=(40, 2)) * [1, 50]).astype(np.float32) for _ in range(200)]
    ids = [[index] for index in range(200)]

    def compute(ids: Sequence[int]) -> dict[str, heads.Floats]:
        return {"a": texts[ids[0]]}

    whole = fixed_scales.extremes(compute, ids, lambda values: None)
    assert whole["a"] == (min(each.min() for each in texts), max(each.max() for each in texts))
    low, high = fixed_scales.middle(compute, ids, whole, 0.9, {"a": np.array([0])})["a"]
    assert (low, high) == pytest.approx((-1.645, 1.645), abs=0.1)
    for values in ((low, high), (0.5, 3.0), (-2.0, -1.0)):
        scale, zero_point = fixed_scales.scale_of(values)
        assert (0 - float(zero_point)) * scale <= min(0.0, values[0]) + scale and (255 - float(zero_point)) * scale >= max(0.0, values[1]) - scale


def test_neurons_that_others_make_up_for_are_left_out() -> None:
    rng = np.random.default_rng(2)
    own = rng.normal(size=(500, 20))
    activations = np.concatenate([own, own @ rng.normal(size=(20, 20))], axis=1).astype(np.float32)
    weights = rng.normal(size=(40, 8)).astype(np.float32)
    moments = narrow_layer.Moments()
    for part in np.split(activations, 5):
        moments.add(part)
    kept, outgoing = narrow_layer.narrowed(moments.with_ridge(), weights, 20)
    assert len(kept) == 20 and kept.tolist() == sorted(set(kept.tolist()))
    product = activations @ weights
    assert np.abs(activations[:, kept] @ outgoing - product).mean() < 0.05 * np.abs(product).mean()
    assert narrow_layer.left_out(moments.with_ridge(), weights, kept, outgoing) < 0.01
    assert narrow_layer.left_out(moments.with_ridge(), weights, *narrow_layer.narrowed(moments.with_ridge(), weights, 5)) > 0.1
