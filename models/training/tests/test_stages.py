"""The stages that need no PyTorch, beside data and calibration: parameters, segments, what the student is given."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import TRAINING, Project

from parapet_training import data, segments
from parapet_training.disguises import disguise, romanised
from parapet_training.files import read_lines
from parapet_training.params import read_params
from parapet_training.teachers import draw, units_of


def test_parameters_that_are_missing_unknown_or_of_another_type_are_named(tmp_path: Path) -> None:
    settings = yaml.safe_load((TRAINING / "params.yaml").read_text())
    path = tmp_path / "params.yaml"
    for change, message in (
        ({"seed": "one"}, r"params\.yaml\.seed: 'one' is not"),
        ({"sead": 1}, r"params\.yaml: missing \[\], unknown \['sead'\]"),
        ({"student": {**settings["student"], "steps": 1.5}}, r"params\.yaml\.student\.steps: 1\.5"),
    ):
        path.write_text(yaml.safe_dump({**settings, **change}))
        with pytest.raises(ValueError, match=message):
            read_params(path)


def test_a_share_of_the_mixture_is_that_of_the_source_or_of_its_longest_prefix(project: Project) -> None:
    params = replace(project.params, mixture={"examples/": 2.0, "examples/frames": 0.5, "spam": 9.0})
    assert [params.share_of(name) for name in ("examples/ours", "examples/frames", "spam", "other")] == [2.0, 0.5, 9.0, 1.0]


def test_segments_are_those_of_the_service(project: Project) -> None:
    texts = ["You are kind. Go away now, f u c k you!", "🖕🏽 is a finger and nothing else. And this is another sentence.", ""]
    found = list(segments.segments_of(texts, project.params.segments.command, project.here))
    assert found[0] == ("You are kind. Go away now, fuck you!", ["You are kind.", "Go away now, fuck you!"])
    assert found[1][1][-1] == "And this is another sentence."
    assert found[2] == ("", [])


def test_a_command_that_fails_is_told(project: Project) -> None:
    with pytest.raises(RuntimeError, match="npm run build"):
        list(segments.segments_of(["a"], ["node", "-e", "process.exit(3)"], project.here))


def test_every_row_gets_its_segments(project: Project) -> None:
    for stage in (data, segments):
        stage.run(project.params, project.here, project.data, project.work)
    before, after = (list(read_lines(project.work / name / "rows.jsonl")) for name in ("data", "segments"))
    assert [row["id"] for row in before] == [row["id"] for row in after]
    assert all(row["segments"] for row in after)
    assert max(len(row["segments"]) for row in after) > 1


def row(text: str, *parts: str, source: str = "a", **labels: float) -> dict[str, Any]:
    return {"id": text, "text": text, "lang": "en", "english": None, "segments": list(parts) or [text], "source": source, "labels": labels, "sentiment": None}


def test_what_people_said_of_a_text_stays_with_the_whole_text() -> None:
    units = {unit["text"]: unit["labels"] for unit in units_of([row("Hi. Die.", "Hi.", "Die.", threat=1.0), row("Hi.", threat=0.0)])}
    assert units == {"Hi.": {"threat": 0.0}, "Die.": {}, "Hi. Die.": {"threat": 1.0}}


def test_rare_sources_are_drawn_whole_and_the_rest_by_their_shares(project: Project) -> None:
    params = replace(project.params, mixture={"rare": 9.0, "common": 0.5}, teachers=replace(project.params.teachers, train_texts=300))
    rows = [row(f"text {index}", source="rare" if index < 50 else "common") for index in range(2050)]
    drawn = draw(rows, params)
    assert sum(each["source"] == "rare" for each in drawn) == 50
    assert 200 < len(drawn) < 400
    without_some = [each for index, each in enumerate(rows) if index % 10 or each in drawn]
    assert sum(each in drawn for each in draw(without_some, params)) > 0.95 * len(drawn)


def test_texts_in_other_alphabets_are_written_in_latin_letters_as_people_do() -> None:
    for text, some in (("Θα σε δω αύριο", {"8a", "tha"}), ("Я тебя люблю", {"lyublyu", "liubliu"}), ("قلبي", {"2lby", "qlby", "qlbi", "2lbi"})):
        written = {romanised(text, random.Random(seed)) for seed in range(30)}
        assert len(written) > 1
        assert all(each.isascii() for each in written)
        assert any(word in each for word in some for each in written)


def test_a_disguise_depends_on_its_seed_alone_and_leaves_something_to_read() -> None:
    text = "you are such a stupid person and everybody knows"
    changed = {disguise(text, random.Random(seed)) for seed in range(30)}
    assert changed == {disguise(text, random.Random(seed)) for seed in range(30)}
    assert len(changed) > 15 and all(changed)
