"""Reads the data in many languages: labelled texts, parallel sentences, everyday sentences, as multilingual.toml declares them.

All have one format, JSON Lines: text, lang, labels (0 to 1; absent is unknown) and split, or en beside text where the sentence is there in English too.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parapet_training.fetch import read
from parapet_training.labels import LABELS, OTHER, PRESETS, SENTIMENTS, Row
from parapet_training.sources import SourceFile

RENAMED = {"sexual": "sexual_explicit"}
FEELINGS = {"sent_pos": "positive", "sent_neg": "negative", "sent_neu": "neutral"}
# Everyday sentences that nobody labelled; a few may be rude.
HARMLESS = {label: value for label, value in PRESETS["harmless"].items() if label != "obscene"}


@dataclass(frozen=True)
class Set:
    """kind: "labelled", "parallel" or "harmless". url: where it comes from."""

    name: str
    kind: str
    licence: str
    file: SourceFile
    url: str = ""


def read_sets(path: Path) -> list[Set]:
    """Raises KeyError or TypeError that names a member which is missing or unknown."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["set"]
    return [Set(table["name"], table["kind"], table["licence"], SourceFile(table["path"], table["sha256"]), table.get("url", "")) for table in tables]


def rows_of(item: Set, data: Path, languages: list[str]) -> Iterator[Row]:
    """Of a set; a language that is not served is called other."""
    for index, line in enumerate(read(item.file, data).decode("utf-8").splitlines()):
        record = json.loads(line)
        lang = record["lang"] if record["lang"] in languages else OTHER
        if record["text"].strip():
            labels, sentiment = labels_of(record) if item.kind == "labelled" else (dict(HARMLESS) if item.kind == "harmless" else {}, None)
            yield Row(f"{item.name}:{index}", record["text"], item.name, labels=labels, sentiment=sentiment, lang=lang, english=record.get("en"))


def labels_of(record: dict[str, Any]) -> tuple[dict[str, float], str | None]:
    """Raises ValueError for a label that nobody knows."""
    named = {RENAMED.get(name, name): float(value) for name, value in record["labels"].items()}
    feelings = {FEELINGS[name]: value for name, value in named.items() if name in FEELINGS}
    labels = {name: value for name, value in named.items() if name not in FEELINGS}
    if unknown := set(labels) - set(LABELS):
        raise ValueError(f"unknown labels {sorted(unknown)}")
    likeliest = max(SENTIMENTS, key=lambda name: feelings.get(name, 0.0))
    return labels, likeliest if feelings.get(likeliest, 0.0) >= 0.5 else None
