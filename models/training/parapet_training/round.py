"""Stage round: a release learns what a round adds, beside what it knows. Writes rounds/NNN/checkpoint.pt in the work folder.

A round is a file, rounds/NNN.yaml. Its fingerprint is what that file says: it goes on from its checkpoint whatever else has changed since.
"""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from numpy.typing import NDArray
from torch import Tensor
from transformers import BertConfig, BertModel

from parapet_training.device import chosen_device
from parapet_training.files import read_lines
from parapet_training.labels import LABELS, OUTPUTS, TRAIN, hash_of, key_of
from parapet_training.network import Classifier
from parapet_training.params import Params, StudentParams, folder_of, parsed
from parapet_training.restore import load_weights, shape_of
from parapet_training.scoring import WEIGHTS_FILE, OnnxModel, Scores, checked
from parapet_training.student import Run, Units, train, units_from
from parapet_training.teachers import MOST_CHARACTERS, balanced, chance, units_of
from parapet_training.wording import EVERYDAY, companions_of

# Groups of the mixture that are no name or prefix of sources.
ENGLISH, LANGUAGES, PARALLEL = "english", "languages", "parallel"


@dataclass(frozen=True)
class Start:
    """A released network of the stage export, with all its neurons. commit: of this repository, where the file is in the history."""

    release: str
    commit: str
    path: str
    sha256: str  # of the file with its weights
    round: str  # the one that made it, whose graph is rounds/NNN.onnx; nothing where model.onnx of the release is whole


@dataclass(frozen=True)
class Group:
    """Of the mixture. share: of the texts that are drawn. texts: so many of its texts take part at the most, drawn by their ids."""

    share: float
    texts: int


@dataclass(frozen=True)
class Round:
    """after: the number of the round whose network in the work folder is trained further, or nothing for that of the release; either way the release is the
    teacher of what must not be forgotten. frozen_layers: so many of the first layers, and the embeddings, stay as they are. trained_share: of the trained
    weights in what is exported; the rest is the release's, which a mean forgets less of. reworded: share of our own examples whose stops, capitals and company
    differ from how they are written (wording.py). everyday_teacher: number of the round whose release judges the everyday sentences that the mixture names, so
    that what rounds have come to fear in them is not taught on; nothing for the network that the round begins with."""

    number: str
    why: str
    start: Start
    after: str
    english_teacher: str
    everyday_teacher: str
    mixture: dict[str, Group]
    frozen_layers: int
    trained_share: float
    seed: int
    steps: int
    batch_tokens: int
    peak_rate: float
    warmup_steps: int
    weight_decay: float
    labels_weight: float
    distillation_weight: float
    disguised: float
    reworded: float
    language_balance: float
    checkpoint_steps: int


def read_round(path: Path) -> Round:
    """Raises ValueError that names a member which is missing, unknown or of another type."""
    return parsed(Round, yaml.safe_load(path.read_text(encoding="utf-8")) | {"number": path.stem}, path.name)


@dataclass(frozen=True)
class Prepared:
    """What a round begins with. start: folder of the released network. rows: those that are drawn from. settings: of the training."""

    start: Path
    rows: list[dict[str, Any]]
    units: Units
    settings: StudentParams


def prepare(this: Round, params: Params, here: Path, work: Path) -> Prepared:
    start = release_of(this.start, here, work)
    rows = drawn(here, work, this, params)
    units = with_opinions(units_of(rows, one_reading), this, start, here, work, params)
    own = {name: getattr(this, name) for name in vars(params.student) if hasattr(this, name)}
    return Prepared(start, rows, units, replace(params.student, **own, restart_step=0))


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    this = read_round(here / params.round)
    prepared = prepare(this, params, here, work)
    model = restored(prepared.start / "model.onnx").to(chosen_device())
    if this.after:
        before = read_round((here / params.round).with_name(f"{this.after}.yaml"))
        model.load_state_dict(finished(checkpoint_of(before, work), before.steps))
    freeze(model, this.frozen_layers)
    torch.manual_seed(this.seed)
    # What it is for, and how much of it is exported, change no step.
    fingerprint = hashlib.sha256(repr(replace(this, why="", trained_share=1.0)).encode()).hexdigest()
    tokenizer = OnnxModel.load(prepared.start, params.max_tokens).tokenizer
    companions = companions_of(prepared.rows, this.reworded)
    train(model, prepared.units, tokenizer, Run(prepared.settings, params.max_tokens, this.seed, checkpoint_of(this, work), fingerprint, companions))


def mean_of(release: dict[str, Tensor], trained: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """The weights of both, so much of the trained ones (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models")."""
    return {name: torch.lerp(values.float(), trained[name].float(), share) for name, values in release.items()}


def finished(checkpoint: Path, steps: int) -> dict[str, Any]:
    """The weights of a training that has made all its steps. Raises SystemExit for another."""
    state = torch.load(checkpoint, weights_only=True, map_location="cpu")
    if state["place"]["step"] < steps:
        raise SystemExit(f"the training has made {state['place']['step']} of {steps} steps: let it go on")
    return state["model"]


def checkpoint_of(this: Round, work: Path) -> Path:
    return work / "rounds" / this.number / "checkpoint.pt"


def release_of(start: Start, here: Path, work: Path) -> Path:
    """A folder with the network that the round begins with, as it was released. Raises WrongModel if the history has another file."""
    folder = work / "releases" / start.sha256[:16]
    folder.mkdir(parents=True, exist_ok=True)
    weights = WEIGHTS_FILE if start.round else "model.onnx"
    for name in (weights, "tokenizer.json"):
        if not (folder / name).exists():
            blob = subprocess.run(["git", "show", f"{start.commit}:{start.path}/{name}"], cwd=here, capture_output=True, check=True).stdout
            (folder / name).write_bytes(blob)
    checked(folder / weights, start.sha256)
    if start.round:
        shutil.copyfile(here / "rounds" / f"{start.round}.onnx", folder / "model.onnx")
    return folder


def restored(path: Path) -> Classifier:
    shape = shape_of(path)
    config = BertConfig(
        vocab_size=shape.words,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        max_position_embeddings=shape.positions,
        type_vocab_size=shape.types,
        layer_norm_eps=1e-12,
        pad_token_id=0,
        attn_implementation="eager",
    )
    model = Classifier(BertModel(config, add_pooling_layer=False), shape.outputs)
    load_weights(model, path)
    return model


def freeze(model: Classifier, layers: int) -> None:
    encoder: Any = model.encoder
    for part in [encoder.embeddings, *encoder.encoder.layer[:layers]] if layers else []:
        part.requires_grad_(False)


def group_of(row: dict[str, Any], this: Round) -> str:
    """By the longest name or prefix of its source, else by what it is: parallel, English, or of another language."""
    names = [name for name in this.mixture if row["source"] == name or (name.endswith("/") and row["source"].startswith(name))]
    if names:
        return max(names, key=len)
    return PARALLEL if row["english"] else ENGLISH if row["lang"] == "en" else LANGUAGES


def drawn(here: Path, work: Path, this: Round, params: Params) -> list[dict[str, Any]]:
    """Of each group as many texts as it says, each with the chance that its source and language give it; none that a gate has, which may be younger."""
    gates = {hash_of(key_of(record["text"])) for path in (here / "gates").glob("*.jsonl") for record in read_lines(path)}
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in this.mixture}
    for row in read_lines(work / "segments" / "rows.jsonl"):
        if row["split"] == TRAIN and row["segments"] and (name := group_of(row, this)) in groups and hash_of(key_of(row["text"])) not in gates:
            groups[name].append(row)
    rows = []
    for name, members in groups.items():
        chances = balanced(members, params, this.language_balance)
        scale = this.mixture[name].texts / max(1e-9, chances.sum())
        kept = [row for row, each in zip(members, chances * scale, strict=True) if chance(this.seed, row["id"]) < each]
        rows += [row | {"group": name} for row in kept]
        print(f"{name}: {len(kept):,} of {len(members):,} texts", flush=True)
    return rows


def one_reading(row: dict[str, Any]) -> list[tuple[str, bool]]:
    """The whole text, or of a long one a segment: more texts teach more than all segments of fewer. See units_of."""
    if len(row["segments"]) == 1 or len(row["text"]) <= MOST_CHARACTERS:
        return [(row["text"], True)]
    return [(row["segments"][int(chance(0, row["id"]) * len(row["segments"]))], False)]


def with_opinions(units: list[dict[str, Any]], this: Round, start: Path, here: Path, work: Path, params: Params) -> Units:
    """English, and what a text says in English, is judged by the English teacher, everyday sentences by theirs, all else by the network that the round begins
    with."""
    teacher = params.teacher(this.english_teacher)
    targets = np.full((len(units), OUTPUTS), np.nan, np.float32)
    english = [unit["english"] or (unit["text"] if unit["lang"] == "en" else None) for unit in units]
    sure = np.array([unit["source"].startswith(tuple(params.student.sure_of)) and bool(unit["labels"]) for unit in units])
    checked(folder_of(teacher.path, here, work) / "model.onnx", teacher.sha256)
    for folder, asked in (
        (folder_of(teacher.path, here, work), [None if is_sure else text for text, is_sure in zip(english, sure, strict=True)]),
        (start, [None if is_sure or known else unit["text"] for unit, known, is_sure in zip(units, english, sure, strict=True)]),
    ):
        places = [index for index, text in enumerate(asked) if text]
        if places:
            texts = [asked[index] or "" for index in places]
            scores = Scores(OnnxModel.load(folder, params.max_tokens), work / "scores", params.teachers.shard)
            scores.score(texts)
            targets[places] = scores.of(texts)[:, :OUTPUTS]
    alarms = alarms_of(targets)
    everyday = [index for index, unit in enumerate(units) if unit["group"] in EVERYDAY]
    if this.everyday_teacher and everyday:
        first = read_round((here / params.round).with_name(f"{this.everyday_teacher}.yaml"))
        scores = Scores(OnnxModel.load(release_of(first.start, here, work), params.max_tokens), work / "scores", params.teachers.shard)
        texts = [units[index]["text"] for index in everyday]
        scores.score(texts)
        targets[everyday] = scores.of(texts)[:, :OUTPUTS]
    # Teachers that call swearing at nobody toxic are not asked where the data says nothing of it.
    swears = [unit["labels"].get("obscene", 0.0) >= 0.5 and "toxicity" not in unit["labels"] for unit in units]
    targets[np.ix_(swears, [LABELS.index("toxicity"), LABELS.index("severe_toxicity")])] = np.nan
    tokenizer = OnnxModel.load(start, params.max_tokens).tokenizer
    made = units_from(units, targets, tokenizer, params)
    return replace(made, chances=chances_of(units, targets, alarms, this, params))


def alarms_of(logits: NDArray[np.floating]) -> NDArray[np.floating]:
    """[texts], how likely the likeliest label is. logits: [texts, outputs]; 0 where they are unknown."""
    return 1 / (1 + np.exp(-np.nan_to_num(logits[:, : len(LABELS)], nan=-9).max(1)))


def chances_of(units: list[dict[str, Any]], targets: NDArray[np.float32], alarms: NDArray[np.floating], this: Round, params: Params) -> NDArray[np.float64]:
    """Each group gets its share. Of parallel texts those count most that the teacher calls harmful, since most of them say nothing that could harm; of everyday
    sentences those whose alarm in the network that the round begins with exceeds their teacher's."""
    groups = np.array([unit["group"] for unit in units])
    chances = np.zeros(len(units))
    for name, group in this.mixture.items():
        members = groups == name
        if not members.any():
            continue
        each = balanced([unit for unit, is_member in zip(units, members, strict=True) if is_member], params, this.language_balance)
        if name == PARALLEL:
            each = each * (0.1 + alarms_of(targets[members]))
        elif name in EVERYDAY:
            each = each * (0.1 + np.maximum(0, alarms[members] - alarms_of(targets[members])))
        chances[members] = group.share * each / each.sum()
    return chances / chances.sum()
