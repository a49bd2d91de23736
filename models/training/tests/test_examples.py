"""What our own examples in many languages say, and which of them are held out."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

from conftest import TRAINING, Project

from parapet_training import data
from parapet_training.data import with_one_definition
from parapet_training.examples import read_examples
from parapet_training.files import read_lines
from parapet_training.gate_texts import read_gates, read_parallel
from parapet_training.labels import HELD_OUT, LABELS, Row, key_of
from parapet_training.params import Definition
from parapet_training.wording import Companions, companions_of, reworded


def contrast(folder: Path, lang: str) -> None:
    """Ten groups in ten functions."""
    path = folder / "languages" / "contrast" / f"{lang}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {"text": f"{lang} {group} {function}", "group": f"group {group}", "function": f"{'h' if function < 5 else 'p'}_{function}", "labels": []}
        for group in range(10)
        for function in range(10)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))


def test_a_fifth_of_the_groups_and_functions_is_held_out_whole_and_others_in_each_language(tmp_path: Path) -> None:
    for lang in ("de", "fr"):
        contrast(tmp_path, lang)
    held_out = {}
    for lang in ("de", "fr"):
        rows = [row for row in read_examples(tmp_path, [lang]) if row.lang == lang]
        trained = {tuple(row.text.split()[1:]) for row in rows if row.split != HELD_OUT}
        assert len({group for group, _ in trained}) == 8 and len({function for _, function in trained}) == 8
        assert len(trained) == 64
        held_out[lang] = {tuple(row.text.split()[1:]) for row in rows if row.split == HELD_OUT}
    assert held_out["de"] != held_out["fr"]


def test_a_label_that_a_line_calls_unknown_is_not_false(tmp_path: Path) -> None:
    (tmp_path / "ours.jsonl").write_text(json.dumps({"text": "he said it", "labels": ["toxicity"], "unknown": ["obscene"]}))
    (row,) = read_examples(tmp_path, [])
    assert row.labels["toxicity"] == 1 and row.labels["insult"] == 0 and "obscene" not in row.labels


def test_the_gates_have_texts_in_every_language_and_none_of_them_is_trained_on(project: Project) -> None:
    gates = read_gates(TRAINING / "gates")
    by_language = Counter(text.lang for text in gates)
    assert len(by_language) == 32 and min(by_language.values()) >= 150
    parallel = read_parallel(TRAINING / "gates")
    assert len(parallel) == 33 and {len(sentences) for sentences in parallel.values()} == {24}
    (project.here / "gates").mkdir()
    (project.here / "gates" / "en.jsonl").write_text(json.dumps({"text": "I will hurt you, window number 5!", "kind": "threat", "labels": []}))
    data.run(project.params, project.here, project.data, project.work)
    kept = {key_of(row["text"]) for row in read_lines(project.work / "data" / "rows.jsonl")}
    others = [key for key in kept if key.startswith("iwillhurtyouwindownumber")]
    assert others and "iwillhurtyouwindownumber5" not in others


def test_swearing_at_nobody_says_nothing_of_toxicity_where_a_source_calls_it_toxic() -> None:
    definition = Definition(swearing_is_toxic=["wiki"], identity_is_topic=["topics"])
    swears, insults, elsewhere = (
        Row("1", "holy", source, labels={"toxicity": 1.0, "obscene": 1.0, "insult": insult})
        for source, insult in (("wiki", 0.0), ("wiki", 1.0), ("other", 0.0))
    )
    topic = Row("2", "them", "topics", labels={"toxicity": 1.0, "identity_attack": 1.0})
    for row in (swears, insults, elsewhere, topic):
        with_one_definition(row, definition)
    assert swears.labels == {"obscene": 1.0, "insult": 0.0}
    assert insults.labels["toxicity"] == elsewhere.labels["toxicity"] == 1.0
    assert topic.labels == {"toxicity": 1.0}


def test_rewording_changes_stops_capitals_and_company_and_keeps_what_is_said() -> None:
    nothing = dict.fromkeys(LABELS, 0.0)
    rows = [
        {"text": "What a lovely day.", "lang": "en", "source": "examples/ours", "labels": nothing},
        {"text": "You are a fool.", "lang": "en", "source": "examples/ours", "labels": {**nothing, "toxicity": 1.0}},
    ]
    companions = companions_of(rows, 0.5)
    assert companions.by_language == {"en": ["What a lovely day."]}
    rng = random.Random(1)
    said = [reworded("I will find you.", "en", companions, rng) for _ in range(300)]
    assert all("i will find you" in text.lower() for text, _ in said)
    assert {text for text, has_company in said if not has_company} == {"I will find you.", "I will find you", "i will find you"}
    assert any(text.startswith("What a lovely day") and has_company for text, has_company in said)
    assert reworded("hei", "fi", replace(companions, by_language={}), rng)[1] is False
    assert Companions().share == 0
