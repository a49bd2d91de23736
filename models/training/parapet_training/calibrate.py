"""Stage calibrate: everything that turns the probabilities of segments into verdicts, fitted on validation texts. Writes calibration.json.

- pooling: per label, on single texts and on long ones that are joined of harmless ones of a kind, with and without a harmful sentence (pooling.py). Then
  `count` rises where that costs the fewest found sentences until no more than `joined_flagged` of the long harmless texts are flagged;
- thresholds: per label, where precision equals recall on the texts that judge it; of rare labels no lower than what
  flags a small share of ordinary texts;
- riskCurves: how threat, identity attack and severe toxicity raise the risk; the last to a 4 and to a 7 where enough of what it marks is toxic;
- scoreKnots: 4 begins at the threshold of toxicity, 7 where precision reaches `toxic_precision`.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from parapet_training.examples import ANNOTATIONS, EXAMPLES
from parapet_training.files import read_lines, write_json
from parapet_training.joining import Joined, Part, features, joined, parts_of, read
from parapet_training.labels import LABELS, PRESETS, VALIDATION
from parapet_training.params import Params
from parapet_training.pooling import COUNT, NAMES, FloatArray, as_json, fit_pooling, logit, pooled, shifts_as_json, sigmoid
from parapet_training.scoring import OnnxModel, Scores

TOXICITY, SEVERE = LABELS.index("toxicity"), LABELS.index("severe_toxicity")
RAISING = ("threat", "identity_attack")
# The labels that fail a text by default, toxicity and severe toxicity through the score.
FAILING = [LABELS.index(label) for label in ("toxicity", "severe_toxicity", *RAISING, "sexual_explicit", "self_harm", "spam")]
LIMITS = (0.02, 0.98)  # of thresholds
STEP, MOST_STEPS, MOST_COUNT, ROUNDS = 0.05, 40, 8.0, 10
NEEDLE_CHARACTERS = 240
LEAST_EVERYDAY, MOST_SHIFT, EVIDENCE = 100, 3.0, 200  # of language_shifts; so many toxic texts count half
# Share of the joined texts that are English.
ENGLISH = 0.5
LEAST_OF_A_POOL = 20
EVERYDAY = "everyday"  # of texts joined of everyday sentences


@dataclass(frozen=True)
class Calibration:
    """weights: of the pooling, [labels, 6]. severe: from which probability of severe toxicity on a score is 4, and 7."""

    epsilon: float
    weights: FloatArray
    thresholds: FloatArray
    severe: tuple[float, float]
    seven: float
    shifts: FloatArray = field(default_factory=lambda: np.zeros((0, len(LABELS))))  # [languages, labels], added to log-odds

    def logits_of(self, features: FloatArray) -> FloatArray:
        """Without what languages add."""
        return pooled(features, self.weights)

    def limits(self) -> FloatArray:
        """[labels]: the log-odds from which on a label fails a text."""
        limits = np.log(self.thresholds / (1 - self.thresholds))
        limits[SEVERE] = logit(self.severe[0])
        return limits

    def flags(self, features: FloatArray) -> NDArray[np.bool_]:
        """[texts, failing labels]."""
        return (self.logits_of(features) >= self.limits())[:, FAILING]

    def risk_curves(self) -> dict[str, list[list[float]]]:
        four = self.thresholds[TOXICITY]
        curves = {label: [[0.0, 0.0], [self.thresholds[LABELS.index(label)], four], [1.0, 1.0]] for label in RAISING}
        curves["severe_toxicity"] = [[0.0, 0.0], [self.severe[0], four], [self.severe[1], self.seven], [1.0, 1.0]]
        return {label: [[round(float(x), 4), round(float(y), 4)] for x, y in points] for label, points in curves.items()}

    def score_knots(self) -> list[float]:
        four, seven = float(self.thresholds[TOXICITY]), self.seven
        top = max(0.985, seven + (1 - seven) * 0.8)
        knots = [*between(min(0.02, four / 4), four, 3), four, *between(four, seven, 2), seven, *between(seven, top, 2), top]
        return [round(knot, 4) for knot in knots]

    def as_json(self, languages: Sequence[str]) -> dict[str, Any]:
        shifts = shifts_as_json(self.shifts, LABELS, languages) if languages else {}
        return {
            **({"languageShifts": shifts} if shifts else {}),
            "pooling": as_json(self.epsilon, self.weights, LABELS),
            "thresholds": {label: round(float(value), 4) for label, value in zip(LABELS, self.thresholds, strict=True)},
            "riskCurves": self.risk_curves(),
            "scoreKnots": self.score_knots(),
        }


@dataclass(frozen=True)
class Texts:
    """features [texts, labels, 5]; targets [texts, labels], NaN where unknown; importance [texts]."""

    features: FloatArray
    targets: FloatArray
    importance: FloatArray
    sources: NDArray[np.str_]
    languages: NDArray[np.str_]


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    model = OnnxModel.load(work / "model", params.max_tokens)
    rows = validation_rows(work, params)
    scores = Scores(model, work / "scores", params.teachers.shard)
    calibration, report = calibrate(rows, scores, params)
    write_json(work / "calibration.json", {"calibration": calibration.as_json(params.read_languages[:-1]), "validation": report})


def validation_rows(work: Path, params: Params) -> list[dict[str, Any]]:
    rows = [row for row in read_lines(work / "segments" / "rows.jsonl") if row["split"] == VALIDATION and row["segments"]]
    return random.Random(params.seed).sample(rows, min(len(rows), params.teachers.validation_texts))


def calibrate(rows: list[dict[str, Any]], scores: Scores, params: Params) -> tuple[Calibration, dict[str, Any]]:
    settings, rng = params.calibration, random.Random(params.seed)
    parts = parts_of([(row["text"], row["segments"], row["labels"]) for row in rows], scores)
    singles = Texts(
        np.stack([features(part, settings.epsilon) for part in parts]),
        np.array([[part.labels.get(label, np.nan) for label in LABELS] for part in parts]),
        np.array([min(1.0, params.share_of(row["source"])) for row in rows]),
        np.array([row["source"] for row in rows]),
        np.array([row["lang"] for row in rows]),
    )
    conversation = np.isin(singles.sources, settings.conversation)
    ordinary = conversation & (singles.targets[:, TOXICITY] <= 0.05)
    texts, everyday = list[Joined](), list[bool]()
    for tag, share, harmless, needles in surroundings(parts, rows, params):
        texts += joined(harmless, needles, round(share * settings.joined_texts), settings.joined_characters, rng)
        everyday += [tag != "en"] * (len(texts) - len(everyday))
    company = long_texts(read(texts, scores), np.array(everyday, bool), settings.epsilon)

    weights = np.zeros((len(LABELS), len(NAMES)))
    for index in range(len(LABELS)):
        known = judged(singles, index, params)
        known_long = ~np.isnan(company.targets[:, index])
        if LABELS[index] not in PRESETS["not_toxic"]:
            known_long &= company.sources == EVERYDAY  # in conversation nobody looked for the label
        importance = np.concatenate([singles.importance[known], np.full(known_long.sum(), singles.importance[known].sum() / max(1, known_long.sum()))])
        if not known.any():
            raise ValueError(f"no validation text says anything of {LABELS[index]}: a label needs data, see sources.toml")
        weights[index] = fit_pooling(
            np.concatenate([singles.features[known, index], company.features[known_long, index]]),
            np.concatenate([singles.targets[known, index], company.targets[known_long, index]]),
            importance,
        )
    calibration = with_thresholds(weights, singles, ordinary, params)
    # Of what one run holds the number of segments does not count.
    several_runs = of_texts(company, (company.features[:, :, COUNT] != 0).any(1))
    # Thresholds move with the weights, as texts of several segments are among the single ones.
    for _ in range(ROUNDS):
        weights = with_higher_counts(calibration, several_runs, settings.joined_flagged)
        if (weights == calibration.weights).all():
            break
        calibration = with_thresholds(weights, singles, ordinary, params)
    if params.read_languages:
        calibration = replace(calibration, shifts=language_shifts(calibration, singles, params))
    return calibration, report_of(calibration, singles, ordinary, several_runs, params)


def surroundings(parts: Sequence[Part], rows: Sequence[dict[str, Any]], params: Params) -> Iterator[tuple[str, float, list[Part], list[Part]]]:
    """Of each language: its tag, its share of the joined texts, harmless parts, and parts with a harmful sentence of our own. English ones are conversation,
    harmless as people label it, so with what they overlook; those of other languages everyday sentences. Our harmless texts are none of them: they resemble
    harmful ones, and nobody writes a hundred such sentences in a row."""
    settings = params.calibration
    harmless: dict[str, list[Part]] = defaultdict(list)
    needles: dict[str, list[Part]] = defaultdict(list)
    for part, row in zip(parts, rows, strict=True):
        if row["source"].startswith((ANNOTATIONS, EXAMPLES)):
            if len(part.text) <= NEEDLE_CHARACTERS and any(part.labels.get(LABELS[label], 0.0) >= 0.5 for label in FAILING):
                needles[row["lang"]].append(part)
        elif row["source"] in settings.everyday or (row["source"] in settings.conversation and part.labels.get("toxicity", 1.0) < 0.5):
            harmless[row["lang"]].append(part)
    pools = [tag for tag in needles if min(len(harmless[tag]), len(needles[tag])) >= LEAST_OF_A_POOL]
    for tag in pools:
        of_english = 1.0 if len(pools) == 1 else ENGLISH
        yield tag, of_english if tag == "en" else (1 - ENGLISH) / max(1, len(pools) - 1), harmless[tag], needles[tag]


def long_texts(texts: list[Joined], everyday: NDArray[np.bool_], epsilon: float) -> Texts:
    """Everyday sentences have no label; of conversation that is false what follows from "not toxic". Where there is a needle, its own labels count and the
    others are unknown."""
    nothing = dict.fromkeys(LABELS, 0.0)
    targets = np.array([[(nothing if is_everyday else PRESETS["not_toxic"]).get(label, np.nan) for label in LABELS] for is_everyday in everyday])
    for index, text in enumerate(texts):
        if text.needle:
            targets[index] = [text.needle.labels.get(label, np.nan) for label in LABELS]
    return Texts(
        np.stack([features(text, epsilon) for text in texts]),
        targets,
        np.ones(len(texts)),
        np.where(everyday, EVERYDAY, "conversation"),
        np.full(len(texts), ""),
    )


def of_texts(texts: Texts, chosen: NDArray[np.bool_]) -> Texts:
    return Texts(texts.features[chosen], texts.targets[chosen], texts.importance[chosen], texts.sources[chosen], texts.languages[chosen])


def judged(texts: Texts, label: int, params: Params) -> NDArray[np.bool_]:
    """The texts that a label is calibrated on: of toxicity English ones whose source calls toxic what is served as toxic, and our English examples."""
    known = ~np.isnan(texts.targets[:, label])
    if label == TOXICITY:
        known &= texts.languages == "en"
        examples = np.char.startswith(texts.sources, EXAMPLES) & ~np.char.startswith(texts.sources, f"{EXAMPLES}severe")
        known &= np.isin(texts.sources, params.calibration.definition) | examples
    return known


def with_thresholds(weights: FloatArray, singles: Texts, ordinary: NDArray[np.bool_], params: Params) -> Calibration:
    settings = params.calibration
    probabilities = sigmoid(pooled(singles.features, weights))
    thresholds = np.zeros(len(LABELS))
    for index, label in enumerate(LABELS):
        known = judged(singles, index, params)
        positive = singles.targets[known, index] >= 0.5
        chosen = balanced_threshold(probabilities[known, index], positive, singles.importance[known])
        if label in settings.ordinary_rates and ordinary.any():
            chosen = max(chosen, float(np.quantile(probabilities[ordinary, index], 1 - settings.ordinary_rates[label])))
        thresholds[index] = np.clip(chosen, *LIMITS)
    known = judged(singles, TOXICITY, params)
    positive, importance = singles.targets[known, TOXICITY] >= 0.5, singles.importance[known]
    # Texts that are severely toxic for certain score 7 whatever their toxicity: they count for the precision of a 7.
    severe = probabilities[known, SEVERE]
    severe_four = float(thresholds[SEVERE])
    severe_seven = precise_from(severe, positive, importance, severe_four, settings.toxic_precision)
    risk = probabilities[known, TOXICITY]
    for label in RAISING:
        place = LABELS.index(label)
        risk = np.maximum(risk, np.interp(probabilities[known, place], [0.0, thresholds[place], 1.0], [0.0, thresholds[TOXICITY], 1.0]))
    risk = np.where(severe >= severe_seven, 1.0, risk)
    seven = min(0.99, precise_from(risk, positive, importance, thresholds[TOXICITY], settings.toxic_precision))
    return Calibration(settings.epsilon, weights, thresholds, (severe_four, severe_seven), seven)


def language_shifts(calibration: Calibration, singles: Texts, params: Params) -> FloatArray:
    """[languages, labels]: what makes the one threshold of a label, which English texts set, right in each other language.

    Toxicity: so that of the posts that people called harmless no more are flagged than of English ones; the fewer toxic posts there are, the nearer to none.
    Then all labels are made rarer, until they flag no more than a small share of everyday sentences.
    """
    settings = params.calibration
    logits, limits = calibration.logits_of(singles.features), calibration.limits()
    everyday = np.isin(singles.sources, settings.everyday)
    toxicity = singles.targets[:, TOXICITY]
    posts = ~np.isnan(toxicity) & ~everyday & ~np.char.startswith(singles.sources, EXAMPLES)
    english = judged(singles, TOXICITY, params) & posts & (toxicity < 0.5)
    rate = float((logits[english, TOXICITY] >= limits[TOXICITY]).mean()) if english.any() else 0.0
    shifts = np.zeros((len(params.languages), len(LABELS)))
    for place, tag in enumerate(params.languages):
        if tag == "en":
            continue
        of_language = singles.languages == tag
        harmless = of_language & posts & (toxicity < 0.5)
        toxic = int((of_language & posts & (toxicity >= 0.5)).sum())
        for index in FAILING:
            own = float(limits[index])
            if index == TOXICITY and harmless.any():
                own += toxic / (toxic + EVIDENCE) * (float(np.quantile(logits[harmless, index], 1 - rate)) - own)
            ordinary = logits[of_language & everyday, index]
            if len(ordinary) >= LEAST_EVERYDAY:
                allowed = settings.everyday_rates.get(LABELS[index], settings.everyday_rates["other"])
                own = max(own, float(np.quantile(ordinary, 1 - allowed)))
            shifts[place, index] = np.clip(limits[index] - own, -MOST_SHIFT, MOST_SHIFT)
    return shifts


def balanced_threshold(probabilities: FloatArray, positive: NDArray[np.bool_], importance: FloatArray) -> float:
    """Where as many are missed as are flagged by mistake: precision equals recall. Steadier than the best F1, which is flat around its top."""
    if not positive.any():
        return LIMITS[1]  # nothing speaks for the label, so it flags nothing
    order = np.argsort(-probabilities)
    weights = importance[order]
    count = int(np.searchsorted(np.cumsum(weights), (weights * positive[order]).sum()))
    return float(probabilities[order][min(count, len(order) - 1)])


def precise_from(risk: FloatArray, positive: NDArray[np.bool_], importance: FloatArray, least: float, goal: float) -> float:
    """The least risk from which on precision is at least `goal`, and above `least`."""
    order = np.argsort(-risk)
    good = np.cumsum((positive * importance)[order]) / np.cumsum(importance[order]) >= goal
    last = int(np.flatnonzero(good)[-1]) if good.any() else 0
    return float(min(max(risk[order][last], least + 0.05), 0.985))


def with_higher_counts(calibration: Calibration, long: Texts, allowed: float) -> FloatArray:
    """Raises `count` until of the long harmless texts no more than the share `allowed` is flagged: each time of the label where the fewest needles are
    lost for each false alarm that ends. Those of each label count alike together: what few texts are of is not given up for what many are of."""
    weights, limits = calibration.weights.copy(), calibration.limits()
    has_needle = holds_harm(long)
    holds = np.nan_to_num(long.targets) >= 0.5
    worth = (holds / np.maximum(1, holds.sum(0))).sum(1)
    worth = worth / max(worth.mean(where=has_needle), 1e-9) if has_needle.any() else worth

    def flagged(weights: FloatArray) -> NDArray[np.bool_]:
        return np.asarray((pooled(long.features, weights) >= limits)[:, FAILING].any(1))

    while flagged(weights)[~has_needle].mean() > allowed:
        before = flagged(weights)
        best: tuple[float, FloatArray] | None = None
        for label in FAILING:
            for step in range(1, MOST_STEPS):
                tried = weights.copy()
                tried[label, COUNT] += STEP * step
                ended = before & ~flagged(tried)
                if (gain := ended[~has_needle].sum()) > 0:
                    price = (worth[ended].sum() + 0.5) / gain
                    if best is None or price < best[0]:
                        best = (price, tried)
                    break
        if best is None or best[1][:, COUNT].max() > MOST_COUNT:
            break
        weights = best[1]
    return weights


def holds_harm(texts: Texts) -> NDArray[np.bool_]:
    return np.asarray((np.nan_to_num(texts.targets) >= 0.5).any(1))


def between(low: float, high: float, count: int) -> list[float]:
    """So many probabilities strictly between two others, evenly spaced in log-odds."""
    return [float(value) for value in sigmoid(np.linspace(logit(low), logit(high), count + 2)[1:-1])]


def calibration_error(probabilities: FloatArray, targets: FloatArray, importance: FloatArray, bins: int = 15) -> float:
    place = np.clip((probabilities * bins).astype(int), 0, bins - 1)
    error = 0.0
    for index in np.unique(place):
        inside = place == index
        share = importance[inside] / importance.sum()
        error += abs(float((share * (probabilities[inside] - targets[inside])).sum()))
    return error


def report_of(calibration: Calibration, singles: Texts, ordinary: NDArray[np.bool_], long: Texts, params: Params) -> dict[str, Any]:
    logits = calibration.logits_of(singles.features)
    highest = singles.features[:, :, 1]
    labels = {}
    for index, label in enumerate(LABELS):
        known = judged(singles, index, params)
        targets = singles.targets[known, index]
        positive = targets >= 0.5
        has_both = bool(0 < positive.sum() < len(positive))
        labels[label] = {
            "known": int(known.sum()),
            "positive": int(positive.sum()),
            "roc_auc": float(roc_auc_score(positive, logits[known, index])) if has_both else None,
            "roc_auc_of_highest": float(roc_auc_score(positive, highest[known, index])) if has_both else None,
            "average_precision": float(average_precision_score(positive, logits[known, index])) if has_both else None,
            "calibration_error": calibration_error(sigmoid(logits[known, index]), targets, singles.importance[known]),
        }
    has_needle = holds_harm(long)
    flagged = calibration.flags(long.features)
    severe = long.targets[:, SEVERE] >= 0.5
    return {
        "labels": labels,
        "ordinary_flagged": float(calibration.flags(singles.features[ordinary]).any(1).mean()),
        "joined_flagged": float(flagged[~has_needle].any(1).mean()),
        "joined_flagged_by": {LABELS[label]: float(share) for label, share in zip(FAILING, flagged[~has_needle].mean(0), strict=True)},
        "joined_found": float(flagged[has_needle].any(1).mean()),
        "joined_severe_found": float(flagged[severe].any(1).mean()),
    }
