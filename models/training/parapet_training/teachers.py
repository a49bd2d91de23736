"""Stage teachers: what the declared teachers say of every segment, and of every whole text of one window, that the student may learn from.

Writes teachers/units.jsonl, {text, lang, english, source, labels, sentiment} a line, and teachers/targets.npy, float16 [units, labels + sentiments]: the
teachers' log-odds and log-probabilities, a weighted mean, NaN where no teacher can be asked. labels are those that people gave, where the unit is a whole text.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parapet_training.files import read_lines, write_lines
from parapet_training.labels import OUTPUTS, TRAIN
from parapet_training.params import Params, folder_of
from parapet_training.scoring import OnnxModel, Scores

# So that a unit surely fits a window before it is tokenised: the rest is read by segments alone.
MOST_CHARACTERS = 480


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    drawn = draw((row for row in read_lines(work / "segments" / "rows.jsonl") if row["split"] == TRAIN), params)
    units = units_of(drawn)
    # Teachers read English: of another language what it says in English, where that is known.
    asked = [unit["text"] if unit["lang"] == "en" else unit["english"] for unit in units]
    texts = [text for text in asked if text]
    targets = np.full((len(units), OUTPUTS), np.nan, np.float32)
    opinions = np.zeros((len(texts), OUTPUTS), np.float32)
    for teacher in params.teachers.models:
        model = OnnxModel.load(folder_of(teacher.path, here, work), params.max_tokens, teacher.sha256)
        scores = Scores(model, work / "scores", params.teachers.shard)
        scores.score(texts)
        opinions += teacher.weight * scores.of(texts)[:, :OUTPUTS]
    targets[[bool(text) for text in asked]] = opinions / sum(teacher.weight for teacher in params.teachers.models)
    write_lines(work / "teachers" / "units.jsonl", units)
    np.save(work / "teachers" / "targets.npy", targets.astype(np.float16))
    print(f"{len(units)} units of {len(drawn)} texts")


def draw(rows: Iterable[dict[str, Any]], params: Params) -> list[dict[str, Any]]:
    """About `train_texts` of the rows, each with the chance that the mixture gives its source: where shares are high all are taken."""
    known = [row for row in rows if row["segments"]]
    shares = np.minimum(1.0, balanced(known, params, params.teachers.language_balance))
    scale = min(1.0, params.teachers.train_texts / max(shares.sum(), 1.0))
    # What is drawn more than once an epoch is rare and wanted: all of it.
    wanted = np.array([params.share_of(row["source"]) > 1.0 for row in known])
    return [
        row for row, share, is_wanted in zip(known, shares, wanted, strict=True) if chance(params.seed, row["id"]) < (share if is_wanted else share * scale)
    ]


def balanced(rows: list[dict[str, Any]], params: Params, balance: float) -> NDArray[np.float64]:
    """The shares of the mixture, times what evens languages out: each gets a share of its sum of shares to the power of `balance`."""
    shares = np.array([params.share_of(row["source"]) for row in rows])
    languages = [row["lang"] for row in rows]
    sums: dict[str, float] = defaultdict(float)
    for lang, share in zip(languages, shares, strict=True):
        sums[lang] += share
    largest = max(sums.values(), default=1.0)
    return shares * np.array([(sums[lang] / largest) ** (balance - 1) for lang in languages])


def chance(seed: int, name: str) -> float:
    """Random from 0 to 1 by the name alone, so that a row stays drawn when others come and go."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()[:7]) / 2**56


Reading = tuple[str, bool]  # a text, and whether it is the whole


def units_of(rows: Iterable[dict[str, Any]], readings_of: Callable[[dict[str, Any]], Iterable[Reading]] | None = None) -> list[dict[str, Any]]:
    """What the network reads of them, each text once; what people said of a whole text stays with it. readings_of: in place of every segment and the whole."""
    units: dict[str, dict[str, Any]] = {}
    for row in rows:
        for text, is_whole in (readings_of or _readings)(row):
            nothing: dict[str, Any] = {"labels": {}, "sentiment": None, "english": None}
            known = {name: row[name] for name in nothing} if is_whole else nothing
            unit = units.setdefault(text, {"text": text, "lang": row["lang"], "source": row["source"], "group": row.get("group"), **known})
            unit["labels"] = {**known["labels"], **unit["labels"]}
            unit["sentiment"] = unit["sentiment"] or known["sentiment"]
            unit["english"] = unit["english"] or known["english"]
    return list(units.values())


def _readings(row: dict[str, Any]) -> Iterator[Reading]:
    segments = row["segments"]
    if len(segments) == 1:
        yield segments[0], True
        return
    yield from ((segment, False) for segment in segments)
    if len(row["text"]) <= MOST_CHARACTERS:
        yield row["text"], True
