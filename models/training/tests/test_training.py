"""From rows to a packaged model with a tiny random encoder: needs PyTorch and the built service."""

import lzma
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import KIND, RUDE, THINGS, Project

torch = pytest.importorskip("torch")
for needed in ("transformers", "onnx", "emoji"):
    pytest.importorskip(needed)

import onnx

from parapet_training import (
    calibrate,
    data,
    early_exit,
    evaluate,
    export,
    heads,
    larger_teacher,
    network,
    package,
    segments,
    serving,
    student,
    teachers,
    vocabulary,
    worst_segment,
)
from parapet_training.files import read_json, read_lines
from parapet_training.labels import LABELS, OUTPUTS, SENTIMENTS
from parapet_training.params import Teacher
from parapet_training.scoring import OnnxModel, WrongModel, log_odds


def exported(model: network.Classifier, project: Project) -> None:
    """As a teacher."""
    export.export(model, project.work / "vocabulary" / "tokenizer.json", project.here / "teacher")


def made_up_units(project: Project, count: int = 60) -> student.Units:
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice([*KIND, *RUDE], rng.integers(3, 30))) for _ in range(count)]
    labels = np.full((count, len(LABELS)), np.nan, np.float32)
    labels[::2, 0] = 1.0
    ids = [encoding.ids for encoding in vocabulary.load_tokenizer(project.work).encode_batch(texts)]
    targets, nobody = rng.normal(-2, 2, (count, OUTPUTS)).astype(np.float32), np.full(count, student.UNKNOWN)
    return student.Units(texts, ids, np.zeros(count, np.int64), ["en"] * count, labels[:, 0] == 1, labels, nobody, targets, np.full(count, 1 / count))


def trained(project: Project, checkpoint: Path, steps: int | None = None, fingerprint: str = "same") -> dict[str, Any]:
    """The weights after all steps of the parameters, or when it is interrupted after some."""
    torch.manual_seed(3)
    model = network.pretrained(project.params, project.work, [0, 1])
    save = student.save
    if steps is not None:

        def interrupt(run: student.Run, model: network.Classifier, optimizer: Any, place: student.Place) -> None:
            save(run, model, optimizer, place)
            if place.step == steps:
                raise KeyboardInterrupt

        student.save = interrupt
    try:
        student.train(
            model, made_up_units(project), vocabulary.load_tokenizer(project.work), student.Run(project.params.student, 128, 7, checkpoint, fingerprint)
        )
    except KeyboardInterrupt:
        pass
    finally:
        student.save = save
    return torch.load(checkpoint, weights_only=True)["model"]


def test_training_that_was_interrupted_goes_on_as_if_it_had_not_been(project: Project, encoder: Path, tmp_path: Path) -> None:
    at_once = trained(project, tmp_path / "one" / "checkpoint.pt")
    interrupted = trained(project, tmp_path / "other" / "checkpoint.pt", steps=3)
    assert any(not torch.equal(at_once[name], interrupted[name]) for name in at_once)
    torch.manual_seed(99)  # whatever happened in between
    resumed = trained(project, tmp_path / "other" / "checkpoint.pt")
    assert all(torch.equal(at_once[name], resumed[name]) for name in at_once)


def test_a_checkpoint_of_other_data_is_not_gone_on_from(project: Project, encoder: Path, tmp_path: Path) -> None:
    at_once = trained(project, tmp_path / "one" / "checkpoint.pt")
    trained(project, tmp_path / "other" / "checkpoint.pt", steps=3, fingerprint="other")
    anew = trained(project, tmp_path / "other" / "checkpoint.pt")
    assert all(torch.equal(at_once[name], anew[name]) for name in at_once)


def test_an_absent_label_teaches_nothing(project: Project, encoder: Path) -> None:
    settings = replace(project.params.student, distillation_weight=0.0)
    logits = torch.zeros(2, OUTPUTS, requires_grad=True)
    labels = torch.full((2, len(LABELS)), float("nan"))
    labels[0, 1] = 1.0
    batch = student.Batch(torch.ones(2, 8, dtype=torch.long), torch.zeros(2, dtype=torch.long), labels, torch.tensor([-1, -1]), torch.zeros(2, OUTPUTS))
    student.loss_of(logits, batch, settings).backward()
    assert logits.grad is not None
    assert logits.grad.nonzero().tolist() == [[0, 1]]


def test_batches_hold_no_more_tokens_than_they_may() -> None:
    lengths = [3, 120, 64, 7, 8, 9, 33, 128, 5]
    groups = student.like_lengths(lengths, 256)
    assert sorted(index for group in groups for index in group) == list(range(len(lengths)))
    assert all(student.rounded_up(max(lengths[index] for index in group)) * len(group) <= 256 for group in groups)


def test_a_classifier_says_the_same_of_a_text_whatever_it_is_padded_with(project: Project, encoder: Path) -> None:
    model = network.pretrained(project.params, project.work, [0, 1]).eval()
    ids = torch.tensor([[2, 9, 10, 3]])
    padded = torch.nn.functional.pad(ids, (0, 12))
    with torch.inference_mode():
        alone, beside = model(ids, torch.ones_like(ids)), model(padded, (padded != 0).long())
        library = export.Exported(model)(padded, (padded != 0).long())[0]
    torch.testing.assert_close(alone, beside, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(torch.sigmoid(alone[:, : len(LABELS)]), library, atol=1e-5, rtol=1e-4)


def test_all_stages_make_a_model_of_public_data_and_a_teacher(project: Project, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the data folder to a package, with a teacher that is a random network of the same kind."""
    monkeypatch.setattr(calibrate, "LEAST_OF_A_POOL", 5)  # the tiny data set has few harmful examples
    torch.manual_seed(2)
    exported(network.pretrained(project.params, project.work, [0, 1]), project)
    teacher = Teacher("random", "teacher", "", 1.0)
    project = replace(project, params=replace(project.params, teachers=replace(project.params.teachers, models=[teacher])))
    place = (project.params, project.here, project.data, project.work)
    for stage in (data, segments, vocabulary, teachers, student, export, early_exit, worst_segment, serving, calibrate):
        stage.run(*place)
    units = list(read_lines(project.work / "teachers" / "units.jsonl"))
    assert len(np.load(project.work / "teachers" / "targets.npy")) == len(units) > 300
    served = OnnxModel.load(project.work / "model", 128)
    assert served.has_exit and served.tells_highest and served.texts_of_a_run == 4
    assert (project.work / "model" / "model.onnx.data").read_bytes() == (project.work / "exit" / "model.onnx.data").read_bytes()
    assert read_json(project.work / "worst_segment" / "report.json")["windows"] > 100
    assert any(unit["labels"] for unit in units) and any(not unit["labels"] for unit in units)

    write_test_sets(project.data)
    evaluate.run(*place)
    package.run(*place)
    output = project.work / "package"
    manifest = read_json(output / "manifest.json")
    assert manifest["format"] == 2 and manifest["labels"] == list(LABELS) and manifest["sentiments"] == list(SENTIMENTS)
    assert set(manifest["files"]) == {"model.onnx", "model.onnx.data", "tokenizer.json"}
    assert all(file["bytes"] == (output / name).stat().st_size for name, file in manifest["files"].items())
    assert manifest["window"] == {"maxTokens": 128, "maxTexts": 4}
    model_card = (output / "MODEL_CARD.md").read_text()
    assert "language models" in model_card and len(model_card.splitlines()) <= 150
    assert not re.search(r"\{\w*\}", model_card)


def test_who_leaves_early_is_answered_by_the_head_and_who_stays_by_the_whole_network(project: Project, encoder: Path) -> None:
    torch.manual_seed(4)
    exported(network.pretrained(project.params, project.work, [0, 1]), project)
    full = OnnxModel.load(project.here / "teacher", 128)
    model = onnx.load(project.here / "teacher" / "model.onnx")
    boundary = early_exit.states_after(model, 1)
    head = early_exit.ExitHead(32, project.params.early_exit, OUTPUTS).eval()
    ids = full.ids_of(["kind lovely garden", "stupid moron. a quiet river story", "sunny"])
    states, _ = heads.States.computed(model, [boundary], ids, project.work / "states.npy")
    needs = early_exit.needs_of(head, states, np.arange(3))
    middle = float(np.sort(needs)[:2].mean())
    folder = project.work / "model"
    folder.mkdir()
    shutil.copyfile(project.here / "teacher" / "tokenizer.json", folder / "tokenizer.json")
    early_exit.save(early_exit.with_exit(model, boundary, head, middle, full.names), folder)
    both = OnnxModel.load(folder, 128)
    logits = both.logits_of(ids)
    assert logits[:, -1].tolist() == (needs < middle).tolist() and 0 < logits[:, -1].sum() < 3
    for index, each in enumerate(ids):
        if logits[index, -1]:
            _, values, mask = next(states.batches(np.array([index]), None))
            said = head(values, mask)[0]
            expected = torch.cat([said[: len(LABELS)], torch.log_softmax(said[len(LABELS) : OUTPUTS], 0)]).detach().numpy()
        else:
            expected = full.logits_of([each])[0, :-1]
        np.testing.assert_allclose(logits[index, :-1], expected, atol=0.01)
    # One that must go on takes the others of its run along.
    padded = np.zeros((3, max(map(len, ids))), np.int32)
    mask = np.zeros_like(padded)
    for index, each in enumerate(ids):
        padded[index, : len(each)], mask[index, : len(each)] = each, 1
    assert not both.session.run(["exited"], {"input_ids": padded, "attention_mask": mask})[0]


def test_one_run_says_what_a_window_is_and_what_its_worst_segment_is(project: Project, encoder: Path) -> None:
    """In ONNX as in PyTorch: of a window that goes on what the head says, of one that leaves early what it says itself, and nothing else changes."""
    torch.manual_seed(4)
    exported(network.pretrained(project.params, project.work, [0, 1]), project)
    full = OnnxModel.load(project.here / "teacher", 128)
    model = onnx.load(project.here / "teacher" / "model.onnx")
    ids = full.ids_of(["kind lovely garden", "stupid moron. a quiet river story", "sunny"])
    first, last = (early_exit.states_after(model, layer) for layer in (1, 2))
    exit_head = early_exit.ExitHead(32, project.params.early_exit, OUTPUTS).eval()
    states, _ = heads.States.computed(model, [first], ids, project.work / "exit.npy")
    middle = float(np.sort(early_exit.needs_of(exit_head, states, np.arange(3)))[:2].mean())
    head = worst_segment.WorstSegmentHead(64, project.params.worst_segment).eval()
    torch.nn.init.normal_(head.output.weight)
    states, said = heads.States.computed(model, [first, last], ids, project.work / "states.npy", ("labels",))
    with_exit = early_exit.with_exit(model, first, exit_head, middle, full.names)
    for name, before in (("plain", model), ("exit", with_exit)):
        folder = project.work / name
        folder.mkdir()
        shutil.copyfile(project.here / "teacher" / "tokenizer.json", folder / "tokenizer.json")
        early_exit.save(before, folder)
        asked = OnnxModel.load(folder, 128).logits_of(ids)
        onnx.save(worst_segment.with_highest(onnx.load(folder / "model.onnx", load_external_data=False), head, [1, 2]), folder / "model.onnx")
        answered = OnnxModel.load(folder, 128).logits_of(ids)
        np.testing.assert_array_equal(answered[:, :OUTPUTS], asked[:, :OUTPUTS])
        for index, has_left in enumerate(answered[:, -1]):
            _, values, mask = next(states.batches(np.array([index]), None))
            expected = head(values, mask, torch.from_numpy(log_odds(said["labels"][[index]])))[0].detach().numpy()
            np.testing.assert_allclose(answered[index, OUTPUTS:-1], asked[index, : len(LABELS)] if has_left else expected, atol=0.01)
    assert 0 < answered[:, -1].sum() < 3


def test_windows_hold_as_many_segments_as_one_run_and_one_at_least() -> None:
    assert worst_segment.windows_of(["a", "b", "c", "d", "e"], [52, 52, 32, 128, 3], 128) == [["a", "b"], ["c"], ["d"], ["e"]]
    assert worst_segment.windows_of(["a", "b"], [65, 65], 128) == [["a", "b"]] and worst_segment.windows_of(["a", "b"], [65, 66], 128) == [["a"], ["b"]]
    assert worst_segment.windows_of([], [], 128) == []


def test_a_larger_teacher_learns_first_and_is_one_of_the_teachers_then(project: Project, encoder: Path) -> None:
    torch.manual_seed(2)
    exported(network.pretrained(project.params, project.work, [0, 1]), project)
    params = replace(
        project.params,
        languages=["en", "de"],
        teachers=replace(project.params.teachers, models=[Teacher("random", "teacher", "", 1.0)]),
        encoder=replace(project.params.encoder, layers=[1]),
        larger_teacher=replace(project.params.larger_teacher, enabled=True, layers=[0, 1], steps=3),
    )
    place = (params, project.here, project.data, project.work)
    for stage in (data, segments, teachers, larger_teacher, student, export):
        stage.run(*place)
    said = np.load(project.work / "larger" / "targets.npy").astype(np.float32)
    asked = np.load(project.work / "teachers" / "targets.npy").astype(np.float32)
    units = student.read_units(project.work, vocabulary.load_tokenizer(project.work), params)
    unlabelled = [index for index, record in enumerate(read_lines(project.work / "teachers" / "units.jsonl")) if not record["labels"]]
    np.testing.assert_allclose(units.targets[unlabelled], ((asked + said) / 2)[unlabelled], atol=0.01)
    session = OnnxModel.load(project.work / "export", 128).session
    languages = session.run(["languages"], {"input_ids": np.ones((2, 8), np.int32), "attention_mask": np.ones((2, 8), np.int32)})[0]
    assert languages.shape == (2, 3)
    learnt = torch.load(project.work / "larger" / "checkpoint.pt", weights_only=True)["model"]
    begun = student.beginning(replace(params, encoder=replace(params.encoder, start=student.LARGER)), project.here, project.work).state_dict()
    name = "encoder.encoder.layer.{}.intermediate.dense.weight"
    assert torch.equal(begun[name.format(0)], learnt[name.format(1)])
    assert torch.equal(begun["output.weight"], learnt["output.weight"])


def test_the_rate_falls_to_nothing_and_rises_once_more_at_a_restart(project: Project) -> None:
    settings = replace(project.params.student, steps=150, restart_step=100, peak_rate=2.0, restart_rate=1.0, warmup_steps=10)
    rates = [student.rate_at(step, settings) for step in range(150)]
    assert rates[0] == 0 and max(rates[:100]) == pytest.approx(2.0, rel=0.05) and rates[99] < 0.01
    assert rates[100] == 0 and max(rates[100:]) == pytest.approx(1.0, rel=0.12) and rates[149] < 0.01


def test_a_student_begins_as_the_teacher_that_it_is_told_to(project: Project, encoder: Path) -> None:
    torch.manual_seed(3)
    taught = network.pretrained(project.params, project.work, [0, 1]).eval()
    with torch.no_grad():
        for weight in taught.parameters():
            weight.add_(0.05 * torch.randn_like(weight))  # no two alike: equal ones are stored once
    exported(taught, project)
    teacher = Teacher("random", "teacher", "", 1.0)
    params = replace(
        project.params,
        teachers=replace(project.params.teachers, models=[teacher]),
        encoder=replace(project.params.encoder, start="random"),
    )
    torch.manual_seed(4)
    begun = student.beginning(params, project.here, project.work).eval()
    ids = torch.randint(5, taught.encoder.config.vocab_size, (16, 24))
    with torch.inference_mode():
        said, says, other = (model(ids, torch.ones_like(ids)) for model in (taught, begun, network.pretrained(project.params, project.work, [0, 1]).eval()))
    assert (said - says).abs().max() < 0.2 * (said - other).abs().max()


def test_of_what_a_sure_source_says_the_teachers_are_not_asked(project: Project, encoder: Path) -> None:
    records = [{"text": "you fool", "lang": "en", "source": source, "labels": {"insult": 1.0}, "sentiment": None} for source in ("examples/ours", "comments")]
    units = student.units_from(records, np.ones((2, OUTPUTS), np.float32), vocabulary.load_tokenizer(project.work), project.params)
    assert np.isnan(units.targets[0]).tolist() == [label == "insult" for label in LABELS] + [False] * len(SENTIMENTS)
    assert not np.isnan(units.targets[1]).any()
    logits = torch.zeros(2, OUTPUTS, requires_grad=True)
    batch = student.Batch(
        torch.ones(2, 8, dtype=torch.long),
        torch.zeros(2, dtype=torch.long),
        torch.full((2, len(LABELS)), float("nan")),
        torch.tensor([-1, -1]),
        torch.from_numpy(units.targets),
    )
    student.loss_of(logits, batch, project.params.student).backward()
    assert logits.grad is not None and logits.grad.isfinite().all()
    assert (logits.grad[0] == 0).nonzero().flatten().tolist() == [LABELS.index("insult")]


def test_a_teacher_with_another_content_is_refused(project: Project, encoder: Path) -> None:
    exported(network.pretrained(project.params, project.work, [0, 1]), project)
    params = replace(project.params, teachers=replace(project.params.teachers, models=[Teacher("random", "teacher", "0" * 64, 1.0)]))
    for stage in (data, segments):
        stage.run(params, project.here, project.data, project.work)
    with pytest.raises(WrongModel, match=r"has the SHA-256"):
        teachers.run(params, project.here, project.data, project.work)


def write_test_sets(folder: Path) -> None:
    (folder / "eval").mkdir()
    rows = [f"a {KIND[index % 8]} {THINGS[index % 10]} number {index},0" for index in range(30)] + [f"you {RUDE[index % 6]} {index},1" for index in range(20)]
    for name, lines in (
        ("jigsaw_wiki_test.csv", rows),
        ("tweeteval_sentiment_test_text.txt", ["a lovely day", "a dumb day", "a day"]),
        ("tweeteval_sentiment_test_labels.txt", ["2", "0", "1"]),
    ):
        (folder / "eval" / f"{name}.xz").write_bytes(lzma.compress("\n".join(lines).encode()))
