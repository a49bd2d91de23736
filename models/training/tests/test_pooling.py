"""Pooling and calibration: monotone, on one scale for texts of all lengths."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import KIND, RUDE, Project, made_up_rows

from parapet_training.calibrate import TOXICITY, Calibration, Texts, calibrate, language_shifts
from parapet_training.joining import Part, features, languages_of
from parapet_training.labels import LABELS, OUTPUTS, VALIDATION, hash_of
from parapet_training.pooling import as_json, features_of, fit_pooling, from_json, pooled, shifts_as_json, shifts_from_json
from parapet_training.scoring import Scores

EPSILON = 0.001


class FakeModel:
    """Says how rude the words of a text are, and that it is neutral."""

    sha256 = "f" * 64
    tells_highest = False
    max_tokens = 40
    outputs = OUTPUTS

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ids_of(self, texts: list[str]) -> list[Any]:
        return list(texts)

    def tokens_of(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def logits_of(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        noise = np.stack([np.random.default_rng(int(hash_of(text), 16)).normal(0, 2, OUTPUTS) for text in texts])
        rude = np.array([sum(word in RUDE for word in text.split()) - 0.2 * sum(word in KIND for word in text.split()) for text in texts])
        logits = (rude[:, None] * 2 - 3 + noise).astype(np.float32)
        return np.concatenate([logits, np.zeros((len(texts), 1), np.float32)], axis=1)  # none left early


def test_a_higher_probability_of_any_segment_never_lowers_that_of_the_text() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        weights = rng.uniform(0, 2, 6)
        logits = rng.normal(-3, 3, (rng.integers(1, 9), 1))
        whole = rng.normal(-3, 3, 1) if rng.random() < 0.5 else None
        higher = logits.copy()
        higher[rng.integers(len(logits))] += rng.uniform(0, 5)
        before, after = (float(pooled(features_of(each, whole, EPSILON), weights[None])[0]) for each in (logits, higher))
        assert after >= before - 1e-9


def test_the_order_of_segments_does_not_count() -> None:
    logits = np.random.default_rng(2).normal(-3, 3, (7, len(LABELS)))
    np.testing.assert_allclose(features_of(logits, None, EPSILON), features_of(logits[::-1], None, EPSILON))


def test_a_text_of_one_segment_has_no_second_no_rest_and_no_count() -> None:
    np.testing.assert_allclose(features_of(np.array([[np.log(0.5 / 0.5)]]), None, EPSILON), [[1.0, np.log(999.0), np.log(999.0), 0.0, 0.0, 0.0]], atol=1e-6)


def test_where_the_whole_was_read_the_number_of_segments_does_not_count() -> None:
    logits, whole = np.full((4, 1), -2.0), np.array([0.0])
    alone, together = features_of(logits, None, EPSILON)[0], features_of(logits, whole, EPSILON)[0]
    assert alone[5] == -np.log(4) and together[5] == 0
    assert together[2] == pytest.approx(np.log(999.0)) and alone[2] == alone[1]


def test_fitted_weights_are_0_or_more_and_tell_what_is_to_be_told() -> None:
    rng = np.random.default_rng(3)
    targets = np.arange(600) % 2.0
    seen = np.stack([features_of(rng.normal(-4, 1, (rng.integers(1, 20), 1)) + 4 * target, None, EPSILON)[0] for target in targets])
    weights = fit_pooling(seen.astype(np.float64), targets.astype(np.float64), np.ones(600))
    assert (weights[1:] >= 0).all() and weights[1] + weights[2] > 0
    assert ((seen @ weights >= 0) == (targets == 1)).mean() > 0.95


def test_what_is_written_is_what_is_read() -> None:
    weights = np.random.default_rng(4).uniform(0, 1, (len(LABELS), 6)).round(4)
    epsilon, read = from_json(as_json(EPSILON, weights, LABELS), LABELS)
    assert epsilon == EPSILON
    np.testing.assert_array_equal(read, weights)


def rows_of(count: int) -> list[dict[str, Any]]:
    rows = []
    for index, row in enumerate(made_up_rows(count)):
        labels = dict.fromkeys(LABELS, 0.0) | dict.fromkeys(("toxicity", "severe_toxicity", "threat"), float(index % 3 == 0))
        source = "comments" if index % 2 else "examples/ours"
        rows.append(
            {
                "text": row["text"],
                "segments": str(row["text"]).split(". "),
                "source": source,
                "split": VALIDATION,
                "labels": labels,
                "sentiment": None,
                "lang": "en",
            }
        )
    return rows


@pytest.fixture
def calibrated(project: Project, tmp_path: Path) -> tuple[Any, dict[str, Any]]:
    return calibrate(rows_of(900), Scores(FakeModel(), tmp_path / "scores"), project.params)  # type: ignore[arg-type]


def test_the_calibration_is_as_the_service_wants_it(calibrated: tuple[Any, dict[str, Any]]) -> None:
    written = calibrated[0].as_json([])
    assert list(written) == ["pooling", "thresholds", "riskCurves", "scoreKnots"]
    assert list(written["pooling"]["labels"]) == list(LABELS) == list(written["thresholds"])
    knots = written["scoreKnots"]
    assert len(knots) == 10 and knots == sorted(set(knots)) and knots[0] > 0 and knots[-1] < 1
    assert knots[3] == written["thresholds"]["toxicity"]
    for points in written["riskCurves"].values():
        assert points == sorted(points) and points[0] == [0.0, 0.0] and points[-1] == [1.0, 1.0]
    assert all(weight >= 0 for weights in written["pooling"]["labels"].values() for name, weight in weights.items() if name != "bias")


def test_of_long_harmless_texts_no_more_are_flagged_than_may_be(calibrated: tuple[Any, dict[str, Any]], project: Project) -> None:
    report = calibrated[1]
    assert report["joined_flagged"] <= project.params.calibration.joined_flagged + 0.02
    assert report["joined_found"] > 0.5


def test_nothing_is_scored_twice_even_in_another_run(tmp_path: Path) -> None:
    texts = [f"text {index}" for index in range(100)]
    first, second = FakeModel(), FakeModel()
    scores = Scores(first, tmp_path, shard=30)  # type: ignore[arg-type]
    scores.score([*texts[:70], *texts[:10]])
    again = Scores(second, tmp_path, shard=30)  # type: ignore[arg-type]
    again.score(texts)
    assert first.asked == texts[:70] and second.asked == texts[70:]
    np.testing.assert_allclose(again.of(texts[:70]), scores.of(texts[:70]), atol=1e-2)


def test_toxicity_is_calibrated_by_the_sources_that_define_it(project: Project, tmp_path: Path) -> None:
    rows = rows_of(900)
    others = [{**row, "source": "another", "labels": {"toxicity": 1.0}} for row in rows if row["source"] == "comments"]
    same, _ = calibrate(rows, Scores(FakeModel(), tmp_path / "a"), project.params)  # type: ignore[arg-type]
    more, _ = calibrate([*rows, *others], Scores(FakeModel(), tmp_path / "a"), project.params)  # type: ignore[arg-type]
    assert more.weights[TOXICITY, 0] == pytest.approx(same.weights[TOXICITY, 0], rel=0.1)


def test_joining_is_the_same_for_the_same_seed(project: Project, tmp_path: Path) -> None:
    one, other = (calibrate(rows_of(600), Scores(FakeModel(), tmp_path / "b"), project.params)[0] for _ in range(2))  # type: ignore[arg-type]
    assert one.as_json([]) == other.as_json([])


def test_a_shift_gives_a_language_its_own_threshold(project: Project) -> None:
    """German texts have log-odds that are lower by two, French everyday sentences are judged too harshly, of Polish nothing is known; of Czech texts, which are
    as the German ones, few are toxic."""
    rng = np.random.default_rng(3)
    params = replace(
        project.params,
        languages=["en", "de", "fr", "pl", "cs"],
        calibration=replace(project.params.calibration, everyday=["everyday"], everyday_rates={"toxicity": 0.01, "other": 0.01}),
    )
    languages = np.repeat(["en", "de", "fr", "pl", "cs"], 1000)
    toxic = rng.random(5000) < np.where(languages == "cs", 0.02, 0.5)
    logits = rng.normal(np.where(toxic, 2.0, -2.0), 1.0)
    logits[np.isin(languages, ["de", "cs"])] -= 2
    logits[languages == "fr"] = 3.0
    features = np.zeros((5000, len(LABELS), 6))
    features[:, :, 0] = logits[:, None]
    targets = np.full((5000, len(LABELS)), np.nan)
    targets[:, TOXICITY] = np.where(np.isin(languages, ["en", "de", "cs"]), toxic, np.nan)
    sources = np.where(languages == "fr", "everyday", "posts")
    weights = np.zeros((len(LABELS), 6))
    weights[:, 0] = 1.0
    calibration = Calibration(EPSILON, weights, np.full(len(LABELS), 0.5), (0.5, 0.9), 0.9)
    params = replace(params, calibration=replace(params.calibration, definition=["posts"]))
    shifts = language_shifts(calibration, Texts(features, targets, np.ones(5000), sources, languages), params)
    assert shifts[:, TOXICITY] == pytest.approx([0.0, 2.0 * 500 / 700, -3.0, 0.0, 2.0 * 20 / 220], abs=0.2)
    assert not shifts[3].any()
    assert shifts_from_json(shifts_as_json(shifts, LABELS, params.languages), params.languages) == pytest.approx(shifts, abs=1e-3)


def test_the_language_of_a_text_is_the_mean_by_tokens_or_that_of_the_whole() -> None:
    sure = np.log(np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]]))
    logits = np.concatenate([np.zeros((2, OUTPUTS)), sure], axis=1).astype(np.float32)
    assert languages_of(Part("", logits, [3, 1], {})) == pytest.approx([0.65, 0.25], abs=1e-6)
    assert languages_of(Part("", logits, [3, 1], {}, logits[1])) == pytest.approx([0.2, 0.7], abs=1e-6)


def test_the_worst_segment_counts_as_the_whole_tells_it_where_it_does() -> None:
    """A text that is read once, as a whole, is pooled as one of a segment whose probabilities are those of the worst."""
    segments, whole = np.full((3, OUTPUTS), -5.0, np.float32), np.full(OUTPUTS, 1.0, np.float32)
    highest = np.full(len(LABELS), 2.0, np.float32)
    seen = features(Part("one. two. three.", segments, [2, 2, 2], {}, whole, highest), EPSILON)
    np.testing.assert_allclose(seen, np.tile([1.0, 2 + np.log(999.0), 1 + np.log(999.0), 0.0, 0.0, 0.0], (len(LABELS), 1)), atol=1e-6)
