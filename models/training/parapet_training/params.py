"""params.yaml as typed values, read once."""

from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import yaml

from parapet_training.labels import OTHER


@dataclass(frozen=True)
class Folders:
    data: str
    work: str


@dataclass(frozen=True)
class Split:
    validation: int
    held_out: int


@dataclass(frozen=True)
class Definition:
    """Sources whose labels differ from what is served, see data.py."""

    swearing_is_toxic: list[str]
    identity_is_topic: list[str]


@dataclass(frozen=True)
class DataParams:
    licences: list[str]
    fetch: bool
    base_url: str
    probes: str
    abusive_test_comments: str  # hashes of comments that the Wikipedia test calls harmless and language models abusive
    multilingual: bool
    split: Split
    examples_split: Split
    definition: Definition


@dataclass(frozen=True)
class SegmentsParams:
    command: list[str]


@dataclass(frozen=True)
class Teacher:
    name: str
    path: str  # a folder with model.onnx and tokenizer.json, see folder_of
    sha256: str  # of model.onnx; "" of a teacher that the pipeline itself trains
    weight: float


@dataclass(frozen=True)
class TeachersParams:
    train_texts: int
    language_balance: float
    validation_texts: int
    shard: int
    models: list[Teacher]


@dataclass(frozen=True)
class EncoderParams:
    name: str  # see vocabulary.py
    pieces: int  # of the vocabulary that are kept; 0 where the encoder says itself which
    layers: list[int]  # of the published encoder
    start: str  # name of a teacher, "larger teacher" or "published"


@dataclass(frozen=True)
class StudentParams:
    steps: int
    batch_tokens: int
    peak_rate: float
    restart_step: int  # where the rate rises again (a warm restart), or 0
    restart_rate: float
    language_balance: float  # as in TeachersParams
    warmup_steps: int
    weight_decay: float
    distillation_weight: float
    labels_weight: float
    sure_of: list[str]
    disguised: float
    checkpoint_steps: int


@dataclass(frozen=True)
class LargerTeacherParams:
    enabled: bool
    layers: list[int]
    weight: float  # against the other teachers
    steps: int
    peak_rate: float


@dataclass(frozen=True)
class EarlyExitParams:
    layer: int  # after which a text may leave, or 0 for none
    token_width: int
    hidden_width: int
    epochs: int
    peak_rate: float
    harmless_probability: float
    detected_probability: float
    lost: float


@dataclass(frozen=True)
class WorstSegmentParams:
    layers: list[int]  # after which the states are read, or none for a network that reads segments alone
    token_width: int
    hidden_width: int
    epochs: int
    peak_rate: float
    made: int  # windows that are made of parts of others


@dataclass(frozen=True)
class ServingParams:
    max_texts: int  # of one run; 1 for the network of the stage before, unchanged
    last_layer_neurons: int  # of its inner layer
    range: float  # the share of an activation's values that its scale holds
    texts: int  # of the training split, that scales and neurons are chosen by


@dataclass(frozen=True)
class CalibrationParams:
    epsilon: float
    definition: list[str]
    conversation: list[str]
    joined_texts: int
    joined_characters: int
    joined_flagged: float
    ordinary_rates: dict[str, float]
    everyday: list[str]
    everyday_rates: dict[str, float]
    toxic_precision: float


@dataclass(frozen=True)
class PackageParams:
    id: str
    version: str
    languages: list[str]
    floor: float  # of the ROC-AUC of toxicity in a language, below which it is experimental
    scripts: list[str]
    output: str  # a folder, see folder_of


@dataclass(frozen=True)
class Params:
    seed: int
    languages: list[str]  # BCP 47; with more than one the network says which it reads
    folders: Folders
    data: DataParams
    segments: SegmentsParams
    max_tokens: int
    teachers: TeachersParams
    mixture: dict[str, float]
    encoder: EncoderParams
    student: StudentParams
    larger_teacher: LargerTeacherParams
    early_exit: EarlyExitParams
    worst_segment: WorstSegmentParams
    serving: ServingParams
    calibration: CalibrationParams
    package: PackageParams
    round: str  # the file of the last round, or nothing where the stage student makes the network

    @property
    def read_languages(self) -> list[str]:
        """The outputs of the language head: none with one language, else all, and other."""
        return [*self.languages, OTHER] if len(self.languages) > 1 else []

    def teacher(self, name: str) -> Teacher:
        """Raises ValueError if none of that name is declared."""
        for teacher in self.teachers.models:
            if teacher.name == name:
                return teacher
        raise ValueError(f"params.yaml: there is no teacher {name}")

    def share_of(self, source: str) -> float:
        """How often a text of a source is drawn: by its name, else by the longest prefix that ends with a slash, else once."""
        prefixes = [name for name in self.mixture if name.endswith("/") and source.startswith(name)]
        return self.mixture.get(source, self.mixture[max(prefixes, key=len)] if prefixes else 1.0)


def folder_of(path: str, here: Path, work: Path) -> Path:
    """A path from the folder of params.yaml, or with work: one below the work folder."""
    return work / path.removeprefix("work:") if path.startswith("work:") else here / path


def read_params(path: Path) -> Params:
    """A file may name another as its `base`, and say only what differs. Raises ValueError that names a member which is missing, unknown or of another type."""
    return parsed(Params, _with_base(path), path.name)


def _with_base(path: Path) -> dict[str, Any]:
    own = yaml.safe_load(path.read_text(encoding="utf-8"))
    return _merged(_with_base(path.parent / own.pop("base")), own) if "base" in own else own


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Members of members too; lists and plain values are replaced."""
    both = {name: _merged(base[name], value) for name, value in own.items() if isinstance(value, dict) and isinstance(base.get(name), dict)}
    return base | own | both


def parsed(kind: Any, value: Any, where: str) -> Any:
    """A value of a dataclass, list, dict or plain kind. Raises ValueError that names a member which is missing, unknown or of another type."""
    if is_dataclass(kind) and isinstance(kind, type):
        names = {field.name for field in fields(kind)}
        if not isinstance(value, dict) or set(value) != names:
            given = set(value) if isinstance(value, dict) else set()
            raise ValueError(f"{where}: missing {sorted(names - given)}, unknown {sorted(given - names)}")
        hints = get_type_hints(kind)
        return kind(**{name: parsed(hints[name], value[name], f"{where}.{name}") for name in names})
    if get_origin(kind) is list and isinstance(value, list):
        return [parsed(get_args(kind)[0], item, f"{where}[{index}]") for index, item in enumerate(value)]
    if get_origin(kind) is dict and isinstance(value, dict):
        return {name: parsed(get_args(kind)[1], item, f"{where}.{name}") for name, item in value.items()}
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and isinstance(value, kind):
        return value
    raise ValueError(f"{where}: {value!r} is not {kind}")
