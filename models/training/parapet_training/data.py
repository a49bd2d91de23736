"""Stage data: all sources as rows with labels, without what must not be trained on, in three fixed splits.

Writes data/rows.jsonl, a Row a line, and data/report.json. A row's split depends on its text alone, so that it stays when sources come and go:
train, validation (calibration), and held out, by which nothing is chosen.
"""

import gzip
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from parapet_training.examples import EXAMPLES, FRAMES, annotate, read_examples, read_frames
from parapet_training.fetch import fetch, is_here, read
from parapet_training.files import write_json, write_lines
from parapet_training.labels import HELD_OUT, TRAIN, VALIDATION, Row, hash_of, key_of
from parapet_training.multilingual import read_sets
from parapet_training.multilingual import rows_of as rows_of_set
from parapet_training.params import Definition, Params
from parapet_training.sources import Source, read_sources, rows_of

# Two texts are near-duplicates if so many of their first or last letters are the same; shorter ones if all of them are but for digits.
NEAR_LETTERS = 40
LEAST_WORDS = 3
ATTACKS = ("insult", "threat", "identity_attack")


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    """here: the folder of sources.toml and examples/. data: the data folder, see README.md."""
    settings = params.data
    sources = [source for source in read_sources(here / "sources.toml") if source.licence in settings.licences]
    sets = [item for item in read_sets(here / "multilingual.toml") if settings.multilingual and item.licence in settings.licences]
    missing = set(fetch({file.path: file for source in sources for file in source.files}.values(), data, settings.base_url)) if settings.fetch else set()
    for source in sources:
        missing |= {file.path for file in source.files if not is_here(file, data)}
    missing |= {item.file.path for item in sets if not is_here(item.file, data)}
    excluded = excluded_hashes(data, here / settings.probes, here / "gates")
    dropped: Counter[str] = Counter({"source is not here": 0})
    in_languages = (row for item in sets if item.file.path not in missing for row in rows_of_set(item, data, params.languages))
    rows = merged(
        chain(all_rows(sources, missing, here, data, params.languages), in_languages),
        excluded,
        severe_probes(here / settings.probes),
        settings.definition,
        dropped,
    )
    held_out = {source.name: source for source in sources if source.held_out_percent or source.held_out_file}
    for row in rows.values():
        row.split = split_of(row, held_out.get(row.source), params)
    distinct = list({id(row): row for row in rows.values()}.values())
    kept = without_near_duplicates(distinct, dropped)
    annotations = here / "annotations.jsonl.gz"
    known = {row.id for row in kept}
    by_id = {name: row for name, row in rows.items() if row.id in known}
    kept += list(annotate(annotations, by_id)) if annotations.exists() else []
    write_lines(work / "data" / "rows.jsonl", (asdict(row) for row in kept))
    report = {
        "missing_files": sorted(missing),
        "dropped": dict(dropped),
        "kept": dict(Counter(row.split for row in kept)),
        "sources": dict(Counter(row.source for row in kept)),
        "languages": dict(Counter(row.lang for row in kept)),
        "known": dict(Counter(label for row in kept for label in row.labels)),
        "positive": dict(Counter(label for row in kept for label, value in row.labels.items() if value >= 0.5)),
        "sentiment": dict(Counter(row.sentiment for row in kept if row.sentiment)),
    }
    write_json(work / "data" / "report.json", report)
    print(json.dumps({name: report[name] for name in ("missing_files", "dropped", "kept")}, indent=2))


def all_rows(sources: list[Source], missing: set[str], here: Path, data: Path, languages: list[str]) -> Iterator[Row]:
    """Ours first, since of a text that several have the first one's labels win."""
    yield from read_examples(here / "examples", languages)
    yield from read_frames(here / "examples" / "frames")
    for source in sources:
        if not any(file.path in missing for file in source.files):
            yield from rows_of(source, {file.path: read(file, data) for file in source.files})


def excluded_hashes(data: Path, *folders: Path) -> set[str]:
    """Hashes of the keys of texts that the model is judged on: those of the data folder, and the probes and gates of this repository."""
    lists = [path for path in (data / "exclude-hashes.txt.gz", data / "multilingual" / "exclude-hashes.txt.gz") if path.exists()]
    listed = [each for path in lists for each in gzip.decompress(path.read_bytes()).decode().split()]
    files = (path for folder in folders for path in sorted(folder.glob("*.jsonl")))
    texts = (json.loads(line)["text"] for path in files for line in path.read_text(encoding="utf-8").splitlines())
    return {*listed, *(hash_of(key) for text in texts if (key := key_of(text)))}


def words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z']+", text.lower()))


def severe_probes(probes: Path) -> list[frozenset[str]]:
    """The words of each severe sentence that the model is judged on: none of our examples may come near one."""
    lines = (probes / "severe_sentences.jsonl").read_text(encoding="utf-8").splitlines()
    return [words_of(json.loads(line)["text"]) for line in lines]


class Likeness:
    """Whether a text of some words shares half of all words of both, or more, with one of these."""

    def __init__(self, probes: list[frozenset[str]]) -> None:
        self.probes = probes
        self.places: dict[str, list[int]] = defaultdict(list)
        for index, words in enumerate(probes):
            for word in words:
                self.places[word].append(index)

    def has(self, text: str) -> bool:
        words = words_of(text)
        if len(words) < LEAST_WORDS:
            return False
        shared = Counter(index for word in words for index in self.places.get(word, ()))
        return any(2 * count >= len(words | self.probes[index]) for index, count in shared.items() if 3 * count >= len(words))


def with_one_definition(row: Row, definition: Definition) -> None:
    """Swearing at nobody is obscene and not toxic. Where a source calls all swearing toxic, nothing is known of the toxicity of what is obscene and no attack;
    where identity labels follow the topic, nothing is known of identity attacks."""
    is_attack = any(row.labels.get(label, 0.0) >= 0.5 for label in ATTACKS)
    if row.source in definition.swearing_is_toxic and row.labels.get("obscene", 0.0) >= 0.5 and not is_attack:
        for label in ("toxicity", "severe_toxicity"):
            row.labels.pop(label, None)
    if row.source in definition.identity_is_topic:
        row.labels.pop("identity_attack", None)


def merged(rows: Iterable[Row], excluded: set[str], probes: list[frozenset[str]], definition: Definition, dropped: Counter[str]) -> dict[str, Row]:
    """By id, without excluded texts; the rows of one text are one row, which all their ids name."""
    by_key: dict[str, Row] = {}
    by_id: dict[str, Row] = {}
    likeness = Likeness(probes)
    for row in rows:
        key = key_of(row.text)
        with_one_definition(row, definition)
        if len(row.text.strip()) < 2 and not key:
            dropped["empty"] += 1
        elif hash_of(key) in excluded or (row.english is not None and hash_of(key_of(row.english)) in excluded):
            dropped["excluded"] += 1
        elif row.source.startswith(EXAMPLES) and likeness.has(row.text):
            dropped["like a severe probe"] += 1
        else:
            first = by_key.setdefault(key or row.text, row)
            by_id[row.id] = first
            if first is not row:
                dropped["duplicate, merged"] += 1
                first.labels = {**row.labels, **first.labels}
                first.sentiment = first.sentiment or row.sentiment
    return by_id


def percentile(name: str) -> int:
    return int(hashlib.sha256(b"split:" + name.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16) % 100


def split_of(row: Row, source: Source | None, params: Params) -> str:
    """source: that of the row, where it says itself what is held out."""
    if row.split == HELD_OUT:
        return HELD_OUT  # as its source says
    if row.source == FRAMES:
        return TRAIN  # the same frame with another group must not be on both sides
    if source and source.held_out_file and row.id.split(":")[1] == source.held_out_file:
        return HELD_OUT
    if source and source.held_out_percent and percentile(re.sub(r"[\W\d]+", "", row.text.lower())) < source.held_out_percent:
        return HELD_OUT
    shares = params.data.examples_split if row.source.startswith(EXAMPLES) else params.data.split
    place = percentile(key_of(row.text))
    return VALIDATION if place < shares.validation else HELD_OUT if place < shares.validation + shares.held_out else TRAIN


def near_keys(text: str) -> set[str]:
    letters = re.sub(r"[\W\d_]+", "", text.lower())
    return {letters[:NEAR_LETTERS], letters[-NEAR_LETTERS:]} if len(letters) > NEAR_LETTERS else {letters} if letters else set()


def without_near_duplicates(rows: list[Row], dropped: Counter[str]) -> list[Row]:
    """Of near-duplicates in several splits those of the held-out split stay, else those of validation."""
    kept: list[Row] = []
    seen: set[str] = set()
    for split in (HELD_OUT, VALIDATION, TRAIN):
        members = [row for row in rows if row.split == split]
        of_split = [(row, near_keys(row.text)) for row in members]
        kept += [row for row, keys in of_split if not keys & seen]
        dropped[f"near-duplicate in {split}"] += sum(bool(keys & seen) for _, keys in of_split)
        seen |= {key for _, keys in of_split for key in keys}
    return kept
