"""The stage data: what is read, what is left out, and what stays unknown."""

import gzip
import hashlib
import http.server
import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Project

from parapet_training import data as stage
from parapet_training.examples import annotate
from parapet_training.fetch import WrongContent, fetch, read
from parapet_training.files import read_json, read_lines
from parapet_training.labels import HELD_OUT, TRAIN, VALIDATION, Row, hash_of, key_of
from parapet_training.params import Definition, read_params
from parapet_training.sources import SourceFile, known_of, read_sources, rows_of

TRAINING = Path(__file__).parents[1]


def rows_after(project: Project) -> list[dict[str, Any]]:
    stage.run(project.params, project.here, project.data, project.work)
    return list(read_lines(project.work / "data" / "rows.jsonl"))


def test_a_label_that_a_source_does_not_speak_of_is_absent_and_not_0(project: Project) -> None:
    rows = rows_after(project)
    assert {tuple(row["labels"]) for row in rows if row["source"] == "junk"} == {("spam",)}
    assert all("spam" not in row["labels"] and "obscene" not in row["labels"] for row in rows if row["source"] == "comments")


def test_texts_of_the_exclude_lists_and_probes_are_left_out_and_counted(project: Project) -> None:
    excluded = json.loads((project.data / "train" / "comments.jsonl").read_text().splitlines()[0])["text"]
    with gzip.open(project.data / "exclude-hashes.txt.gz", "wt") as file:
        file.write(hash_of(key_of(excluded)))
    probe = "buy 7 cheap pills"
    (project.here / "probes" / "more.jsonl").write_text(json.dumps({"text": probe}))
    texts = {row["text"] for row in rows_after(project)}
    assert excluded not in texts and probe not in texts
    assert read_json(project.work / "data" / "report.json")["dropped"]["excluded"] == 2


def test_no_example_comes_near_a_severe_sentence_that_the_model_is_judged_on(project: Project) -> None:
    (project.here / "examples" / "near.jsonl").write_text(json.dumps({"text": "I will break every bone of his", "labels": ["threat"]}))
    assert all(row["source"] != "examples/near" for row in rows_after(project))


def test_a_text_and_its_near_duplicate_are_in_one_split(project: Project) -> None:
    long = "the same long beginning of a text that somebody sent to many people at once with other numbers "
    lines = [{"text": f"{long}{number} {'x' * number}", "toxic": 0} for number in range(40)]
    content = (project.data / "train" / "comments.jsonl").read_text() + "\n" + "\n".join(map(json.dumps, lines))
    sources = (project.here / "sources.toml").read_text()
    old = hashlib.sha256((project.data / "train" / "comments.jsonl").read_bytes()).hexdigest()
    (project.data / "train" / "comments.jsonl").write_text(content)
    (project.here / "sources.toml").write_text(sources.replace(old, hashlib.sha256(content.encode()).hexdigest()))
    splits = {row["split"] for row in rows_after(project) if row["text"].startswith(long)}
    assert splits == {HELD_OUT}


def test_the_split_of_a_text_does_not_depend_on_other_sources(project: Project) -> None:
    before = {row["text"]: row["split"] for row in rows_after(project)}
    project = replace(project, params=replace(project.params, data=replace(project.params.data, licences=["open"])))
    after = {row["text"]: row["split"] for row in rows_after(project)}
    assert len(after) < len(before) and after.items() <= before.items()
    assert set(before.values()) == {TRAIN, VALIDATION, HELD_OUT}


def test_of_one_text_in_two_sources_the_first_labels_win_and_missing_ones_are_added() -> None:
    rows = [Row("a:1", "Good day to you", "a", labels={"toxicity": 0.0}), Row("b:1", "good DAY to you!", "b", labels={"toxicity": 1.0, "spam": 0.0})]
    merged = stage.merged(rows, set(), [], Definition([], []), Counter())
    assert merged["b:1"] is merged["a:1"]
    assert merged["a:1"].labels == {"toxicity": 0.0, "spam": 0.0}


def test_grades_make_rows_of_sentences_and_unmake_labels_that_they_contradict(tmp_path: Path) -> None:
    rows = {
        "a:1": Row("a:1", "Nice. Burn in hell.", "a", VALIDATION, {"toxicity": 0.0}),
        "a:2": Row("a:2", "Shut up. Burn in hell.", "a", TRAIN, {"toxicity": 1.0}),
    }
    grades = [("a:1", 6, 19, "severe"), ("a:2", 9, 22, "severe"), ("a:2", 0, 8, "rude"), ("gone:1", 0, 3, "severe")]
    with gzip.open(tmp_path / "annotations.jsonl.gz", "wt") as file:
        file.write("\n".join(json.dumps({"row": row, "start": start, "end": end, "grade": grade}) for row, start, end, grade in grades))
    found = list(annotate(tmp_path / "annotations.jsonl.gz", rows))
    assert [(row.text, row.split, row.labels) for row in found] == [
        ("Burn in hell.", VALIDATION, {"severe_toxicity": 1.0}),
        ("Burn in hell.", TRAIN, {"severe_toxicity": 1.0}),
    ]
    assert rows["a:1"].labels == {}
    assert rows["a:2"].labels == {"toxicity": 1.0, "severe_toxicity": 1.0}


def test_a_changed_file_is_refused(project: Project) -> None:
    with open(project.data / "train" / "spam.csv", "a") as file:
        file.write("\nmore,1")
    with pytest.raises(WrongContent, match=r"train/spam\.csv has the SHA-256"):
        rows_after(project)


def test_a_source_whose_file_is_not_here_is_named_and_the_others_are_read(project: Project) -> None:
    (project.data / "train" / "spam.csv").unlink()
    assert {row["source"] for row in rows_after(project)} >= {"comments", "examples/ours"}
    assert read_json(project.work / "data" / "report.json")["missing_files"] == ["train/spam.csv"]


@pytest.mark.parametrize(
    ("rule", "record", "expected"),
    [
        ({"labels": {"toxicity": {"column": "x", "scale": 2, "shift": -1}}}, {"x": "0.75"}, {"toxicity": 0.5}),
        ({"labels": {"toxicity": {"column": "x", "divide": "n"}}}, {"x": "1", "n": "4"}, {"toxicity": 0.25}),
        ({"labels": {"toxicity": "x"}}, {"x": "7"}, {"toxicity": 1.0}),
        ({"when": {"x": {"begins": "1."}}, "preset": "hate"}, {"x": "1.2"}, {"toxicity": 1.0, "identity_attack": 1.0}),
        ({"when": {"x": ["a", "b"]}, "labels": {"spam": 1}}, {"x": "b"}, {"spam": 1.0}),
        ({"when": {"x": {"above": 0.5}}, "labels": {"spam": 1}}, {"x": "0.6"}, {"spam": 1.0}),
        ({"when": {"x": {"not": ["a"]}}, "labels": {"spam": 1}}, {"x": "a"}, None),
    ],
)
def test_rules_map_columns_onto_labels(rule: dict[str, Any], record: dict[str, str], expected: dict[str, float] | None) -> None:
    known = known_of((rule,), record)
    assert (known and known[0]) == expected


def test_every_declared_source_is_valid_and_names_where_its_files_come_from() -> None:
    for source in read_sources(TRAINING / "sources.toml"):
        assert source.licence in ("open", "sharealike", "none")
        for file in source.files:
            assert len(file.sha256) == 64
            assert file.package or file.origin or (file.repository and file.commit and file.upstream), file.path


def test_an_unknown_label_in_the_list_of_sources_is_refused(project: Project) -> None:
    text = (project.here / "sources.toml").read_text()
    (project.here / "sources.toml").write_text(text.replace("insult = 1.0", "insolt = 1.0"))
    with pytest.raises(ValueError, match=r"comments: unknown labels \['insolt'\]"):
        read_sources(project.here / "sources.toml")


def test_readers_give_rows_with_the_place_in_the_file(project: Project) -> None:
    source = read_sources(project.here / "sources.toml")[1]
    rows = list(rows_of(source, {file.path: read(file, project.data) for file in source.files}))
    assert (rows[3].id, rows[3].text, rows[3].labels) == ("junk:spam:3", "buy 3 cheap pills", {"spam": 1.0})


@pytest.fixture
def repositories(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a server on this machine, and the folder that it serves."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", folder
    server.shutdown()


def served(folder: Path, content: bytes, sha256: str | None = None) -> SourceFile:
    path = folder / "owner" / "name" / "c0ffee" / "data" / "a file.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return SourceFile("train/a.csv", sha256 or hashlib.sha256(content).hexdigest(), "owner/name", "c0ffee", "data/a file.csv")


def test_a_file_is_fetched_by_repository_commit_and_path(repositories: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = repositories
    file = served(folder, b"text\n1")
    nowhere = SourceFile("train/b.csv", "0" * 64, origin="made by hand")
    assert fetch([file, nowhere], tmp_path / "data", address) == ["train/b.csv"]
    assert read(file, tmp_path / "data") == b"text\n1"


def test_a_fetched_file_with_another_content_is_refused_and_not_kept(repositories: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = repositories
    with pytest.raises(WrongContent):
        fetch([served(folder, b"text\n1", "0" * 64)], tmp_path / "data", address)
    assert not [path for path in (tmp_path / "data").rglob("*") if path.is_file()]


def test_a_file_that_is_not_there_is_named_with_the_answer(repositories: tuple[str, Path], tmp_path: Path) -> None:
    file = SourceFile("train/a.csv", "0" * 64, "owner/name", "c0ffee", "gone.csv")
    with pytest.raises(OSError, match=r"owner/name/c0ffee/gone\.csv answers 404"):
        fetch([file], tmp_path / "data", repositories[0])


def test_parameters_that_name_a_base_say_only_what_differs(project: Project) -> None:
    path = project.here / "other.yaml"
    path.write_text("base: params.yaml\nstudent: { steps: 3 }\nlanguages: [de]\n")
    other = read_params(path)
    assert (other.student.steps, other.student.batch_tokens, other.languages) == (3, project.params.student.batch_tokens, ["de"])
    path.write_text("base: params.yaml\nstudent: { step: 3 }\n")
    with pytest.raises(ValueError, match="unknown \\['step'\\]"):
        read_params(path)
