"""A round from a released network: needs PyTorch, git and the built service."""

import hashlib
import json
import lzma
import random
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import yaml
from conftest import TRAINING, Project, sentence

torch = pytest.importorskip("torch")
for needed in ("transformers", "onnx", "emoji"):
    pytest.importorskip(needed)

from parapet_training import data, export, gates, network, package, round, segments, student, trial, vocabulary
from parapet_training.files import read_json
from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.params import Teacher
from parapet_training.scoring import OnnxModel, WrongModel

KIND, RUDE = ["kind", "calm"], ["stupid", "idiot"]


@pytest.fixture
def released(project: Project, encoder: Path) -> Iterator[Project]:
    """With a random network as the release in the history of a repository, another one as the English teacher, and a round of eight steps."""
    torch.manual_seed(2)
    place = (project.params, project.here, project.data, project.work)
    for stage in (data, segments, vocabulary):
        stage.run(*place)
    tokenizer = project.work / "vocabulary" / "tokenizer.json"
    for name in ("release", "teacher"):
        model = network.pretrained(project.params, project.work, [0, 1])
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(0.1 * torch.randn_like(weight))  # no two alike: equal ones are stored once
        export.export(model, tokenizer, project.here / name)
    for command in (["init", "--quiet"], ["add", "release"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "release"]):
        subprocess.run(["git", *command], cwd=project.here, check=True)
    sha256 = hashlib.sha256((project.here / "release" / "model.onnx").read_bytes()).hexdigest()
    settings = yaml.safe_load((TRAINING / "rounds" / "003.yaml").read_text())
    settings |= {
        "start": {"release": "random", "commit": "HEAD", "path": "./release", "sha256": sha256, "round": ""},
        "english_teacher": "random",
        "mixture": {"examples/": {"share": 0.5, "texts": 100}, "english": {"share": 0.5, "texts": 200}},
        "frozen_layers": 1,
        "steps": 8,
        "batch_tokens": 512,
        "checkpoint_steps": 3,
        "warmup_steps": 2,
    }
    (project.here / "rounds").mkdir()
    (project.here / "rounds" / "001.yaml").write_text(yaml.safe_dump(settings))
    rng = random.Random(9)
    (project.here / "gates").mkdir()
    (project.here / "gates" / "en.jsonl").write_text(
        "\n".join(
            json.dumps({"text": sentence(rng, RUDE if index % 2 else KIND), "kind": "insult", "labels": ["toxicity"] if index % 2 else []})
            for index in range(80)
        )
    )
    teachers = replace(project.params.teachers, models=[Teacher("random", "teacher", "", 1.0)])
    params = replace(project.params, round="rounds/001.yaml", teachers=teachers)
    yield replace(project, params=params)


def weights(project: Project) -> dict[str, Any]:
    return torch.load(project.work / "rounds" / "001" / "checkpoint.pt", weights_only=True)["model"]


def test_a_round_trains_what_is_not_frozen_and_ends_as_figures_before_and_after(released: Project) -> None:
    place = (released.params, released.here, released.data, released.work)
    round.run(*place)
    begun = round.restored(released.here / "release" / "model.onnx").state_dict()
    changed = {name for name, values in weights(released).items() if not torch.equal(values, begun[name])}
    assert changed and not any("embeddings" in name or "layer.0." in name for name in changed)
    assert any("layer.1." in name for name in changed) and "output.weight" in changed
    export.run(*place)
    (released.data / "eval").mkdir()
    with lzma.open(released.data / "eval" / "jigsaw_wiki_test.csv.xz", "wt") as file:
        file.write("".join(f"you {word} {index},{index % 2}\n" for index, word in enumerate(KIND * 30)))
    gates.run(*place)
    figures = read_json(released.here / "rounds" / "001.json")
    assert set(figures["gate: AUC, mean of languages"]) == {"before", "after"}
    assert "| gate: AUC, mean of languages |" in (released.here / "rounds" / "README.md").read_text()


def test_a_round_goes_on_from_its_checkpoint_when_data_were_added_and_not_when_it_was_changed(
    released: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = (released.params, released.here, released.data, released.work)
    save = student.save

    def interrupt(run: student.Run, model: Any, optimizer: Any, at: student.Place) -> None:
        save(run, model, optimizer, at)
        raise KeyboardInterrupt

    monkeypatch.setattr(student, "save", interrupt)
    with pytest.raises(KeyboardInterrupt):
        round.run(*place)
    monkeypatch.undo()
    rows = released.work / "segments" / "rows.jsonl"
    rows.write_text("\n".join(rows.read_text().splitlines()[:-20]) + "\n")
    round.run(*place)
    assert "begins anew" not in capsys.readouterr().out
    path = released.here / released.params.round
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "seed": 5}))
    round.run(*place)
    assert "begins anew" in capsys.readouterr().out


def test_what_is_exported_has_the_share_of_the_trained_weights_that_the_round_says(released: Project) -> None:
    begun = {"a": torch.tensor([0.0, 4.0])}
    assert round.mean_of(begun, {"a": torch.tensor([2.0, 0.0])}, 0.25)["a"].tolist() == [0.5, 3.0]
    path = released.here / released.params.round
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "trained_share": 0.0}))
    place = (released.params, released.here, released.data, released.work)
    round.run(*place)
    export.run(*place)
    exported = (released.work / "export" / "model.onnx", released.here / "release" / "model.onnx")
    after, before = (round.restored(each).state_dict() for each in exported)
    assert all(torch.allclose(after[name], values, atol=0.02, rtol=0.02) for name, values in before.items())
    assert any(not torch.equal(weights(released)[name], values) for name, values in before.items())


def test_a_round_after_another_trains_its_network_further(released: Project) -> None:
    place = (released.here, released.data, released.work)
    round.run(released.params, *place)
    first = released.here / "rounds" / "001.yaml"
    second = first.with_name("002.yaml")
    second.write_text(yaml.safe_dump({**yaml.safe_load(first.read_text()), "after": "001", "steps": 1, "peak_rate": 0.0, "warmup_steps": 1}))
    round.run(replace(released.params, round="rounds/002.yaml"), *place)
    after = torch.load(released.work / "rounds" / "002" / "checkpoint.pt", weights_only=True)["model"]
    assert all(torch.equal(values, after[name]) for name, values in weights(released).items())
    assert [each["round"] for each in package.chain_of(second)] == ["001", "002"]


def test_everyday_sentences_are_drawn_by_how_much_more_alarming_they_have_become_than_their_teacher_finds_them(released: Project) -> None:
    path = released.here / released.params.round
    settings = yaml.safe_load(path.read_text()) | {"mixture": {"common_voice": {"share": 0.4, "texts": 3}, "english": {"share": 0.6, "texts": 1}}}
    path.write_text(yaml.safe_dump(settings))
    units = [{"source": name, "lang": "de", "group": name} for name in ("common_voice", "common_voice", "common_voice", "english")]
    targets = np.full((4, OUTPUTS), -9.0, np.float32)
    targets[1] = 9.0  # rude, as its teacher knows
    alarms = np.array([1.0, 1.0, 0.0, 0.0])
    chances = round.chances_of(units, targets, alarms, round.read_round(path), released.params)
    assert chances.tolist() == pytest.approx([0.4 * 1.1 / 1.3, 0.4 * 0.1 / 1.3, 0.4 * 0.1 / 1.3, 0.6], abs=1e-3)


def test_everyday_sentences_are_judged_by_the_release_that_the_named_round_begins_with(released: Project) -> None:
    path = released.here / released.params.round
    settings = yaml.safe_load(path.read_text())
    other = {**settings["start"], "path": "./teacher", "sha256": hashlib.sha256((released.here / "teacher" / "model.onnx").read_bytes()).hexdigest()}
    for command in (["add", "teacher"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "teacher"]):
        subprocess.run(["git", *command], cwd=released.here, check=True)
    path.with_name("000.yaml").write_text(yaml.safe_dump({**settings, "start": other}))
    path.write_text(yaml.safe_dump({**settings, "everyday_teacher": "000"}))
    unit: dict[str, Any] = {"text": "kind sentence", "lang": "de", "source": "common_voice", "labels": {}, "sentiment": None, "english": None}
    units = [unit | {"group": "common_voice"}, unit | {"group": "languages"}]
    mixture = {"common_voice": round.Group(0.5, 1), "languages": round.Group(0.5, 1)}
    this = replace(round.read_round(path), mixture=mixture)
    said = round.with_opinions(units, this, released.here / "release", released.here, released.work, released.params).targets
    models = (OnnxModel.load(released.here / name, released.params.max_tokens) for name in ("teacher", "release"))
    expected = [model.logits_of(model.ids_of(["kind sentence"]))[0, :OUTPUTS] for model in models]
    assert np.allclose(said, expected, atol=0.01) and not np.allclose(said[0], said[1], atol=0.01)


def test_a_gate_leaves_out_what_people_could_not_tell(released: Project) -> None:
    texts = [gates.Text("kind", "zh", "posts", {"self_harm": value}) for value in [0.0, 1.0, 0.5] * 20]

    class Sure:
        def score(self, texts: Any) -> None: ...

        def of(self, texts: list[str]) -> Any:
            return np.array([[-9.0 if index % 3 == 0 else 9.0 if index % 3 == 1 else -99.0] * len(LABELS) for index in range(len(texts))])

    sets = defaultdict(list, posts=texts)
    assert gates.measure(cast(Any, Sure()), sets) == {"self_harm: AUC": 1.0}


def test_a_trial_refits_the_last_layers_and_leaves_the_encoder_alone(released: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "STEPS", 40)
    (released.data / "eval").mkdir()
    with lzma.open(released.data / "eval" / "jigsaw_wiki_test.csv.xz", "wt") as file:
        file.write("".join(f"you {word} {index},{index % 2}\n" for index, word in enumerate(KIND * 30)))
    trial.run(released.params, released.here, released.data, released.work)
    before = round.restored(released.here / "release" / "model.onnx").state_dict()
    after = round.restored(released.work / "rounds" / "001" / "trial" / "model.onnx").state_dict()
    # The encoder is rounded to int8 once more.
    moved = {name: float((after[name] - before[name]).abs().mean() / before[name].abs().mean()) for name in before}
    assert all(share < 0.05 for name, share in moved.items() if name.startswith("encoder"))
    assert moved["hidden.weight"] > 0.01 and moved["output.weight"] > 0.01


def test_a_release_of_another_hash_is_refused(released: Project) -> None:
    path = released.here / released.params.round
    settings = yaml.safe_load(path.read_text())
    settings["start"]["sha256"] = "0" * 64
    path.write_text(yaml.safe_dump(settings))
    with pytest.raises(WrongModel):
        round.run(released.params, released.here, released.data, released.work)
