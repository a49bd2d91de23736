"""Reads examples/ and annotations.jsonl.gz, which language models wrote and graded for this project."""

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parapet_training.labels import HELD_OUT, LABELS, TRAIN, Row

EXAMPLES = "examples/"
FRAMES = "examples/frames"
ANNOTATIONS = "annotations"
GROUPS_PER_FRAME = 12
CONTRAST = "examples/languages/contrast/"
HELD_OUT_SHARE = 0.2  # of the groups and functions of a language's contrast sentences
LOWERCASED = 0.35  # share of filled frames without a capital, as many people write
# What a grade says of severe toxicity. Rude sentences say nothing of it.
SEVERITY = {"severe": 1.0, "harmless": 0.0}


def read_examples(folder: Path, languages: list[str]) -> Iterator[Row]:
    """`labels` of a line are all labels that are true, so that the others are known to be false, but for those that are `unknown`.

    English ones, and those of languages/AUTHORS/LANGUAGE.jsonl. Of contrast sentences a fifth of the groups and of the functions is held out.
    """
    for path in sorted(folder.glob("*.jsonl")):
        yield from _examples_of(path, f"{EXAMPLES}{path.stem}", "en")
    for path in sorted(folder.glob("languages/*/*.jsonl")):
        if path.stem in languages:
            yield from _examples_of(path, f"{EXAMPLES}{path.relative_to(folder).with_suffix('')}", path.stem)


def _examples_of(path: Path, source: str, lang: str) -> Iterator[Row]:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    held_out = _held_out_cells(records, lang) if source.startswith(CONTRAST) else set()
    for index, record in enumerate(records):
        split = HELD_OUT if held_out.intersection((record.get("group"), record.get("function"))) else TRAIN
        yield Row(f"{source}:{index}", record["text"], source, split, _labels(record), record.get("sentiment"), lang)


def _held_out_cells(records: list[dict[str, Any]], lang: str) -> set[str]:
    """The groups and functions of which no sentence is trained on: others in each language, and of hateful and of harmless functions the same share."""
    functions = {record["function"] for record in records}
    kinds = [{record["group"] for record in records}, *({name for name in functions if name[0] == kind} for kind in "hp")]
    ordered = [sorted(names, key=lambda name: hashlib.sha256(f"{lang}:{name}".encode()).digest()) for names in kinds]
    return {name for names in ordered for name in names[: round(HELD_OUT_SHARE * len(names))]}


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
    return {label: float(label in record["labels"]) for label in LABELS if label not in record.get("unknown", ())}


def _filled(frame: str, words: dict[str, list[str]], group: dict[str, str], rng: random.Random) -> str:
    """A placeholder is a form of the group or one of the words; one that begins a sentence is written with a capital."""

    def fill(match: re.Match[str]) -> str:
        begin, name = match.groups()
        value = group[name] if name in group else rng.choice(words[name])
        return value if begin is None else begin + value[0].upper() + value[1:]

    text = re.sub(r"(^|[.!?]\s+)?\{(\w+)\}", fill, frame)
    return text.lower() if rng.random() < LOWERCASED else text
