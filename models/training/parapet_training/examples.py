"""Reads examples/ and annotations.jsonl.gz, which language models wrote and graded for this project."""

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parapet_training.labels import LABELS, TRAIN, Row

EXAMPLES = "examples/"
FRAMES = "examples/frames"
ANNOTATIONS = "annotations"
GROUPS_PER_FRAME = 12
LOWERCASED = 0.35  # share of filled frames without a capital, as many people write
# What a grade says of severe toxicity. Rude sentences say nothing of it.
SEVERITY = {"severe": 1.0, "harmless": 0.0}


def read_examples(folder: Path, languages: list[str]) -> Iterator[Row]:
    """`labels` of a line are all labels that are true, so that the others are known to be false. English ones, and those of languages/LANGUAGE.jsonl."""
    for path in [*sorted(folder.glob("*.jsonl")), *(path for path in sorted(folder.glob("languages/*.jsonl")) if path.stem in languages)]:
        source = f"{EXAMPLES}{path.relative_to(folder).with_suffix('')}"
        for index, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            record = json.loads(line)
            yield Row(f"{source}:{index}", record["text"], source, TRAIN, _labels(record), record.get("sentiment"), record.get("lang", "en"))


def read_frames(folder: Path) -> Iterator[Row]:
    """Sentences with gaps for a group or other words, each filled several times: what is said decides, not of whom."""
    groups = json.loads((folder / "groups.json").read_text(encoding="utf-8"))
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    for path in sorted(folder.glob("*.jsonl")):
        for index, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            record = json.loads(line)
            rng = random.Random(record["text"])
            for number, group in enumerate(rng.sample(groups, GROUPS_PER_FRAME)):
                text = _filled(record["text"], words, group, rng)
                yield Row(f"{FRAMES}/{path.stem}:{index}:{number}", text, FRAMES, TRAIN, _labels(record), record.get("sentiment"))


def annotate(path: Path, rows: dict[str, Row]) -> Iterator[Row]:
    """A row for each sentence that is graded severe or harmless and whose text is at hand, in the split of that text; and in the text's own row what
    follows: it is severe if a sentence is, and nothing is known of it where people called harmless what the grades contradict.

    rows: by id; each annotation names the row of its sentence and the offsets in it (of characters).
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for index, line in enumerate(lines):
            record = json.loads(line)
            row = rows.get(record["row"])
            if row is None:
                continue
            grade = record["grade"]
            if grade in ("severe", "abusive") and row.labels.get("toxicity", 0.0) < 0.5:
                row.labels.clear()
            elif grade == "severe":
                row.labels["severe_toxicity"] = 1.0
            if grade in SEVERITY:
                text = row.text[record["start"] : record["end"]]
                yield Row(f"{ANNOTATIONS}:{index}", text, ANNOTATIONS, row.split, {"severe_toxicity": SEVERITY[grade]})


def _labels(record: dict[str, Any]) -> dict[str, float]:
    if unknown := set(record["labels"]) - set(LABELS):
        raise ValueError(f"unknown labels {sorted(unknown)}: {record['text']}")
    return {label: float(label in record["labels"]) for label in LABELS}


def _filled(frame: str, words: dict[str, list[str]], group: dict[str, str], rng: random.Random) -> str:
    """A placeholder is a form of the group or one of the words; one that begins a sentence is written with a capital."""

    def fill(match: re.Match[str]) -> str:
        begin, name = match.groups()
        value = group[name] if name in group else rng.choice(words[name])
        return value if begin is None else begin + value[0].upper() + value[1:]

    text = re.sub(r"(^|[.!?]\s+)?\{(\w+)\}", fill, frame)
    return text.lower() if rng.random() < LOWERCASED else text
