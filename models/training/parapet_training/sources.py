"""Reads the data sources that sources.toml declares: a reader for each format, and rules that map the columns onto labels.

A source with a format of its own gets a function in READERS that yields records of columns; all else stays in the table.
"""

import csv
import html
import io
import json
import lzma
import re
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from parapet_training.labels import LABELS, PRESETS, SENTIMENTS, Row

Record = dict[str, str]


@dataclass(frozen=True)
class SourceFile:
    """A file of the data folder, where it also lies with .xz; with its place in a public repository where it is published as it is."""

    path: str
    sha256: str  # of the file before compression
    repository: str | None = None
    commit: str | None = None
    upstream: str | None = None
    package: str | None = None  # of PyPI, NAME==VERSION, whose wheel the file is
    origin: str = ""  # how the file was made, where no repository has it as it is


@dataclass(frozen=True)
class Source:
    """One row of sources.toml.

    rules: each whose `when` holds adds its `preset`, `labels` and `sentiment`; a later one wins; a record that none fits is left out.
    """

    name: str
    licence: str  # "open", "sharealike" or "none"
    columns: str  # what they mean, for people
    format: str
    text: tuple[str, ...]
    files: tuple[SourceFile, ...]
    rules: tuple[dict[str, Any], ...]
    join: str | None = None  # the column by which the last file adds its columns to the others
    cut: str | None = None  # a regular expression of what is cut out of a text
    max_characters: int | None = None
    held_out_percent: int | None = None  # by a hash of the text without digits: campaigns repeat one text with other numbers
    held_out_file: str | None = None  # the stem of a file that is held out whole


def read_sources(path: Path) -> list[Source]:
    """The list of sources.

    Raises ValueError for unknown labels, sentiments, presets or formats.
    """
    sources = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["source"]:
        text = entry.pop("text")
        source = Source(
            text=(text,) if isinstance(text, str) else tuple(text),
            files=tuple(SourceFile(**file) for file in entry.pop("files")),
            rules=tuple(entry.pop("rules")),
            **entry,
        )
        for rule in source.rules:
            if unknown := set(rule.get("labels", {})) - set(LABELS):
                raise ValueError(f"{source.name}: unknown labels {sorted(unknown)}")
            if rule.get("sentiment", SENTIMENTS[0]) not in SENTIMENTS or rule.get("preset", "hate") not in PRESETS:
                raise ValueError(f"{source.name}: unknown sentiment or preset in {rule}")
        if source.format not in READERS:
            raise ValueError(f"{source.name}: unknown format {source.format}")
        sources.append(source)
    return sources


def rows_of(source: Source, contents: dict[str, bytes]) -> Iterator[Row]:
    """The rows of a source. contents: by the paths of its files, before compression."""
    for place, record in READERS[source.format](source, contents):
        known = known_of(source.rules, record)
        for column in source.text:
            text = record.get(column, "")
            if source.cut:
                text = re.sub(source.cut, "", text)
            text = text.replace("[linebreak]", "\n").strip("\ufeff \n")[: source.max_characters]
            if text and known is not None:
                suffix = "" if len(source.text) == 1 else f":{column}"
                yield Row(f"{source.name}:{place}{suffix}", text, source.name, labels=dict(known[0]), sentiment=known[1])


def known_of(rules: tuple[dict[str, Any], ...], record: Record) -> tuple[dict[str, float], str | None] | None:
    """Labels and sentiment that the rules give a record; None where no rule fits."""
    labels: dict[str, float] = {}
    sentiment: str | None = None
    fits = False
    for rule in rules:
        if not all(_holds(condition, record.get(column, "")) for column, condition in rule.get("when", {}).items()):
            continue
        fits = True
        labels |= PRESETS[rule["preset"]] if "preset" in rule else {}
        labels |= {label: _value(value, record) for label, value in rule.get("labels", {}).items()}
        sentiment = rule.get("sentiment", sentiment)
    return (labels, sentiment) if fits else None


def _holds(condition: Any, value: str) -> bool:
    """A condition is a value, a list of values, or a table with one of begins, contains, lacks, above, below, not."""
    if isinstance(condition, list):
        return value in condition
    if not isinstance(condition, dict):
        return value == str(condition)
    ((kind, wanted),) = condition.items()
    if kind in ("above", "below"):
        number = float(value or 0.0)
        return number > wanted if kind == "above" else number < wanted
    tests: dict[str, Callable[[], bool]] = {
        "begins": lambda: value.startswith(wanted),
        "contains": lambda: wanted in value,
        "lacks": lambda: wanted not in value,
        "not": lambda: value not in wanted,
    }
    return tests[kind]()


def _value(value: Any, record: Record) -> float:
    """A number, the name of a column, or {column, scale, shift, divide}: scale * column / divide + shift, between 0 and 1."""
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        value = {"column": value}
    number = float(record[value["column"]] or 0.0) * value.get("scale", 1.0) + value.get("shift", 0.0)
    if "divide" in value:
        number /= float(record[value["divide"]])
    return min(1.0, max(0.0, number))


# Readers: (source, contents) -> (place, record). The place is the file's stem and the number of the row in it.

Places = Iterator[tuple[str, Record]]
Reader = Callable[[Source, dict[str, bytes]], Places]


def _stem(file: SourceFile) -> str:
    return Path(file.path).name.split(".")[0]


def _table(content: bytes, separator: str = ",", quoting: Any = csv.QUOTE_MINIMAL, names: list[str] | None = None) -> list[Record]:
    csv.field_size_limit(1 << 30)
    lines = io.StringIO(content.decode("utf-8-sig"), newline="")
    reader = csv.DictReader(lines, fieldnames=names, delimiter=separator, quoting=quoting)
    return [{key: value or "" for key, value in record.items() if key is not None} for record in reader]


def _tables(separator: str, quoting: Any = csv.QUOTE_MINIMAL) -> Reader:
    def read(source: Source, contents: dict[str, bytes]) -> Places:
        files = source.files[:-1] if source.join else source.files
        joined: dict[str, Record] = {}
        if source.join:
            column = source.join
            joined = {record[column]: record for record in _table(contents[source.files[-1].path], separator, quoting)}
        for file in files:
            for index, record in enumerate(_table(contents[file.path], separator, quoting)):
                more = joined.get(record.get(source.join or "", ""), {})
                yield f"{_stem(file)}:{index}", {"file": _stem(file)} | record | more

    return read


def _jsonl(source: Source, contents: dict[str, bytes]) -> Places:
    for file in source.files:
        for index, line in enumerate(contents[file.path].decode().split("\n")):
            if line.strip():
                record = json.loads(line)
                yield f"{_stem(file)}:{index}", {key: _plain(value) for key, value in record.items()}


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else value if isinstance(value, str) else json.dumps(value)


def _labelled_lines(source: Source, contents: dict[str, bytes]) -> Places:
    """`label TAB text` or `text TAB label`: the label is whichever side is a single word."""
    for file in source.files:
        for index, line in enumerate(contents[file.path].decode().split("\n")):
            if "\t" in line:
                first, last = line.split("\t", 1)[0], line.rstrip("\r").rsplit("\t", 1)[1].strip()
                before = first in ("ham", "spam")
                text = line.split("\t", 1)[1] if before else line.rsplit("\t", 1)[0]
                yield f"{_stem(file)}:{index}", {"text": text.strip(), "label": first if before else last}


def _xlsx(source: Source, contents: dict[str, bytes]) -> Places:
    for file in source.files:
        rows = load_workbook(io.BytesIO(contents[file.path]), read_only=True).active.iter_rows(values_only=True)
        header = [str(name) for name in next(rows)]
        for index, row in enumerate(rows):
            yield f"{_stem(file)}:{index}", {name: "" if cell is None else str(cell) for name, cell in zip(header, row, strict=False)}


def _toxic_spans(source: Source, contents: dict[str, bytes]) -> Places:
    """Columns: comment_text, and the share of the annotators who called it toxic and who marked a span of each type; "" where none could mark."""
    annotations, comments, spans = (_table(contents[file.path]) for file in source.files)
    marked: dict[str, set[str]] = defaultdict(set)
    for span in spans:
        marked[span["annotation"]].add(span["type"])
    votes: dict[str, list[Record]] = defaultdict(list)
    for annotation in annotations:
        votes[annotation["comment_id"]].append(annotation)
    for index, comment in enumerate(comments):
        judged = votes[comment["comment_id"]]
        if not judged:
            continue
        record = {"comment_text": comment["comment_text"], "with_spans": "0"}
        record["toxic"] = str(sum(vote["not toxic"] != "True" for vote in judged) / len(judged))
        # "all toxic" means that the annotator could not point at words: such a vote says nothing about kinds.
        if with_spans := [vote for vote in judged if vote["all toxic"] != "True"]:
            record["with_spans"] = "1"
            for kind in ("Insult", "Profane/Obscene", "Identity based Attack", "Threat"):
                record[kind] = str(sum(kind in marked[vote["annotation"]] for vote in with_spans) / len(with_spans))
        yield f"comments:{index}", record


def _convabuse(source: Source, contents: dict[str, bytes]) -> Places:
    """Columns: user, and for each kind of abuse the share of the annotators who marked it; is_abuse.-1 to -3 are its degrees."""
    kinds = {
        "abuse": ("is_abuse.-1", "is_abuse.-2", "is_abuse.-3"),
        "severe": ("is_abuse.-3",),
        "identity": ("homophobic", "racist", "sexist", "transphobic", "ableist"),
        "sexual": ("sex_harassment",),
    }
    for file in source.files:
        for index, record in enumerate(_table(contents[file.path])):
            annotators = {column.split("_")[0] for column in record if column.startswith("Annotator")}
            votes = [who for who in annotators if record.get(f"{who}_is_abuse.1", "") != ""]
            if votes:
                shares = {
                    kind: sum(any("1" in record.get(f"{who}_{column}", "") for column in columns) for who in votes) / len(votes)
                    for kind, columns in kinds.items()
                }
                yield f"{_stem(file)}:{index}", {"user": record["user"], **{kind: str(share) for kind, share in shares.items()}}


POSITIVE = {"admiration", "amusement", "approval", "caring", "desire", "excitement", "gratitude", "joy", "love", "optimism", "pride", "relief"}
NEGATIVE = {"anger", "annoyance", "disappointment", "disapproval", "disgust", "embarrassment", "fear", "grief", "nervousness", "remorse", "sadness"}


def _goemotions(source: Source, contents: dict[str, bytes]) -> Places:
    """Columns: text, side: positive, negative or neutral where all emotions of a text are of one side, else mixed."""
    names = contents[source.files[0].path].decode().split()
    sides = {"positive": POSITIVE, "negative": NEGATIVE, "neutral": {"neutral"}}
    for file in source.files[1:]:
        for index, record in enumerate(_table(contents[file.path], "\t", csv.QUOTE_NONE, ["text", "ids", "id"])):
            emotions = {names[int(number)] for number in record["ids"].split(",")}
            side = next((side for side, members in sides.items() if emotions <= members), "mixed")
            yield f"{_stem(file)}:{index}", {"text": record["text"], "side": side}


def _jigsaw_package(source: Source, contents: dict[str, bytes]) -> Places:
    """Jigsaw's training file as a published package carries it, shuffled with Davidson's tweets, which come from their own source.

    The package cut parts out of some tweets, so that their ends are compared as well.
    """
    package, davidson = (contents[file.path] for file in source.files)
    tweets = {_letters(record["tweet"]) for record in _table(davidson)}
    ends = {end for tweet in tweets for end in (tweet[:20], tweet[-20:])}
    content = zipfile.ZipFile(io.BytesIO(package)).read("profanity_check/data/clean_data.csv")
    for index, record in enumerate(_table(content)):
        letters = _letters(record["text"])
        if letters not in tweets and not (len(letters) >= 20 and (letters[:20] in ends or letters[-20:] in ends)):
            yield f"clean_data:{index}", record


def _letters(text: str) -> str:
    """What a tweet says without mentions, links and punctuation."""
    words = re.sub(r"https?:\S*|www\S*|@\w+|\bRT\b", "", html.unescape(html.unescape(text)))
    return re.sub(r"[\W_]+", "", words.lower())


READERS: dict[str, Reader] = {
    "csv": _tables(","),
    "csv_semicolon": _tables(";"),
    "tsv": _tables("\t"),
    "tsv_unquoted": _tables("\t", csv.QUOTE_NONE),
    "jsonl": _jsonl,
    "labelled_lines": _labelled_lines,
    "xlsx": _xlsx,
    "toxic_spans": _toxic_spans,
    "convabuse": _convabuse,
    "goemotions": _goemotions,
    "jigsaw_package": _jigsaw_package,
}


def uncompressed(path: Path) -> bytes:
    """The content of a file of the data folder, which may lie there with .xz."""
    packed = path.with_name(f"{path.name}.xz")
    return lzma.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
