"""Texts that the network is judged by and never learns from: the gates of this folder, and the Wikipedia test set."""

import csv
import io
import json
import lzma
from dataclasses import dataclass
from pathlib import Path

from parapet_training.labels import LABELS


@dataclass(frozen=True)
class GateText:
    """Written by language models, other authors than those of any example. labels: all nine, 0 or 1. kind: see gates/README.md."""

    text: str
    lang: str
    kind: str
    labels: dict[str, float]


def read_gates(folder: Path) -> list[GateText]:
    return [
        GateText(record["text"], path.stem, record["kind"], {label: float(label in record["labels"]) for label in LABELS})
        for path in sorted(folder.glob("*.jsonl"))
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


def read_parallel(folder: Path) -> dict[str, list[str]]:
    """By language, the same sentences in the same order. Not excluded from training: they are what people say first to try a filter."""
    return {
        path.stem: [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted((folder / "parallel").glob("*.jsonl"))
    }


def wikipedia(data: Path) -> list[tuple[str, bool]]:
    """Jigsaw's test set: text, toxic. A text of spaces alone is left out."""
    content = lzma.decompress((data / "eval" / "jigsaw_wiki_test.csv.xz").read_bytes()).decode()
    csv.field_size_limit(1 << 30)
    return [(text, toxic == "1") for text, toxic in csv.reader(io.StringIO(content, newline="")) if text.strip()]
