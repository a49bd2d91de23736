"""Fits everything that turns logits into verdicts, on validation data: writes work/calibration.json.

    python calibrate.py --work work

- blend: how much of each label's and teacher's logit makes up the served toxicity, fitted on the Jigsaw sources and our examples on toxicity;
- platt: scale and shift of each label's logit, so that its sigmoid is a calibrated probability (Platt 1999, with the soft targets);
- thresholds: per label, the probability of the best F1 on the sources that judge it (of toxicity and spam, whose F1 is flat there, the highest and
  the lowest within one standard error; of self-harm the best F2); for rare labels no lower than what flags at most MAX_ORDINARY_RATE of ordinary texts of the other sources;
- scoreKnots: 4 begins at the toxicity threshold, 7 where precision reaches 0.95;
- riskCurves: how threat, identity attack and severe toxicity raise the risk; the last to a 4 where SEVERE_PRECISION of what it marks is toxic, and to a 7 where TOXIC_PRECISION is;
- lengthCorrection, standOut (with signsOfAbuse): so that long harmless texts are flagged no more often than short ones; by the number of their windows, and by how much in
  the others is in doubt. The second serves those of twelve windows and more.
"""

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from base_rates import BASE_RATE, COMMENTS, SIGNS
from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, SENTIMENTS, TEACHER_LOGITS, Row
from readers import abusive_comments, grades_of_sentences, hash_of, vileness_by_readers
from runtimes import device, load_checkpoint, torch_predict
from sources import FURTHER_VILE_SOURCE
from vocabulary import load_tokenizer
from windows import label_logits, log_roughness, sigmoid, stand_out_correction, text_logits, worth_sentences

# A little more than the 95 % that are promised: knots are rounded.
TOXIC_PRECISION = 0.951
# Of what scores 4 or more for its severe toxicity, whatever its toxicity, at least so much has to be toxic.
SEVERE_PRECISION = 0.95
# Share of ordinary texts (of sources that never judge the label) that may be flagged.
MAX_ORDINARY_RATE = {"sexual_explicit": 0.005, "self_harm": 0.003, "spam": 0.0091, "threat": 0.005}
LONG_TEXTS = 500
LONG_CHARACTERS = 9900
# How much more often than short ones long harmless texts may be flagged by one label. Nearly all of it is for what finds a vile sentence among
# harmless ones.
MAX_EXTRA_LONG_RATE = {"toxicity": 0.03, "severe_toxicity": 0.006, "identity_attack": 0.011, "threat": 0.006}
MAX_EXTRA_LONG_RATE_OF_OTHERS = 0.001
# Harm that toxicity does not tell. Of these labels nearly no harmless long text may be flagged: many hold something that comes near to one of them.
APART_FROM_TOXICITY = ("sexual_explicit", "self_harm", "spam")
MAX_LONG_RATE = {"sexual_explicit": 0.0, "self_harm": 0.002, "spam": 0.002}
# And of those long enough for `standOut`: what severe toxicity stands for is what is to be found in them, so it may flag whatever the others leave.
MAX_LONG_RATE_OF_OTHERS = MAX_LONG_RATE | {"toxicity": 0.016, "threat": 0.001, "identity_attack": 0.001}
# How much of what a piece of a long text says of toxicity is severe toxicity, obscenity and insults (decision 59).
SIGNS_OF_ABUSE = 0.5
# What is added to `standOut` as fitted, with a look at joined comments of the Wikipedia test: sexual talk and spam flag several times as many of these as of
# validation's, and toxicity a few more than are found for it (decisions 59, 61, 63, 65, 67 and 69).
ADDED_BY_HAND = {"toxicity": 0.3, "sexual_explicit": 0.25, "spam": 0.5}
# And by any label that fails a text. The factor of ln(windows) serves texts of two to five windows: with less than 0.95, Wikipedia comments of that length are ranked
# worse (EXPERIMENTS.md, version 0.9.0). Of joined Wikipedia comments that are not of validation, `standOut` flags more than of these, where more than
# twice as many are flagged alone: with 7 points more here, about as many as alone there (decisions 51 and 53).
MAX_EXTRA_LONG_RATE_OF_ALL = {"lengthCorrection": -0.01, "standOut": 0.07}
FAILING = ("toxicity", "severe_toxicity", "threat", "identity_attack", *APART_FROM_TOXICITY)
MAX_CORRECTION = 8.0
CORRECTION_STEP = 0.05

# The definition of toxicity that is served is theirs; the network's own toxicity output also had to please the other sources.
REFERENCE = ("jigsaw_wiki_subset", "jigsaw_first20k", "jigsaw_six_label_samples", "jigsaw_train")
# Our examples of what Jigsaw's annotators did not look at: at whom a text is aimed, whether it says a thing or denies or quotes it, contempt without
# a swear word, swearing among friends, emoji. Those on other labels speak of toxicity only in passing.
EXAMPLES_ON_TOXICITY = {
    f"examples/{name}"
    for name in (
        "emoji",
        "emoji_meaning",
        "everyday_toxic_misc",
        "hate_without_slurs",
        "identity_everyday",
        "implicit_hate_groups",
        "insults_and_criticism",
        "negation_and_counterspeech",
        "profanity_and_targets",
        "reclaimed_and_friendly",
        "social_comments",
    )
}

# Sources whose harmless rows are ordinary conversation.
CONVERSATION = {*COMMENTS, "tweet_sentiment_extraction", "semeval_2013_2016_sentiment"}
# Sources that call toxic what is served as toxic. The others helped to learn, but collect hate, count any swear word, or never looked
# at other toxicity: they would move the threshold away from what a caller means.
SERVED_DEFINITION = {
    "jigsaw_wiki_subset",
    "jigsaw_first20k",
    "jigsaw_six_label_samples",
    "jigsaw_train",
    "context_toxicity_wiki",
    "civil_comments_binary",
    "toxic_spans",
    "ruddit",
    "convabuse",
    "github_issue_toxicity",
    "dynahate",
    "gab_hate_corpus",
    "hope_edi_en",
    "uci_sentiment_sentences",
}


# Weight of such an example against a Jigsaw text when the blend is fitted, of which there are ten times as many: the more, the better are our
# probes ranked and the worse Wikipedia comments (EXPERIMENTS.md).
EXAMPLES_WEIGHT = 0.3
# The log-odds on whose right side an example has to be; that it is far on that side counts for nothing, as where swearing without a target stands
# among harmless comments is for Jigsaw to say.
EXAMPLES_BORDER = -0.8
EXAMPLES_STEEPNESS = 2.0
BLEND_PENALTY = 10.0  # L2; 3 and 20 differ by 0.0001 AUC


def with_vileness(row: dict, grades: dict[str, str]) -> dict:
    """Severe toxicity stands for what readers call vile, where they read a text (decision 60)."""
    vileness = vileness_by_readers(Row(**row), grades)
    return row if vileness is None else row | {"labels": row["labels"] | {"severe_toxicity": vileness}}


def without_held_labels(row: dict) -> dict:
    """Of the examples that severe toxicity alone learnt from, nothing else is fitted: the other outputs never saw such."""
    if row["source"] != FURTHER_VILE_SOURCE:
        return row
    severe = {label: value for label, value in row["labels"].items() if label == "severe_toxicity"}
    return row | {"labels": severe, "sentiment": None}


def is_reference(source: str) -> bool:
    return source in REFERENCE or source in EXAMPLES_ON_TOXICITY


def blend_inputs(logits: np.ndarray) -> np.ndarray:
    """Those that the served toxicity is blended from: [rows, logits] -> [rows, labels + teachers]."""
    return np.concatenate([logits[:, LABEL_LOGITS], logits[:, TEACHER_LOGITS]], axis=1)


def fit_blend(logits: np.ndarray, windows: np.ndarray, toxic: np.ndarray, example: np.ndarray) -> np.ndarray:
    """Weights of the labels' and teachers' logits, scaled so that toxicity's own is 1.

    Cross-entropy on Jigsaw's texts, a smooth count of errors on our examples. ln(windows) takes part in the fit alone: the strongest of many windows
    is higher by chance.
    """
    inputs = torch.tensor(np.column_stack([logits, -np.log(windows), np.ones(len(logits))]))
    targets, is_example = torch.tensor(toxic, dtype=torch.float64), torch.tensor(example)
    weights = torch.zeros(inputs.shape[1], dtype=torch.float64)
    weights[LABELS.index("toxicity")] = 1.0
    weights.requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=500, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        scores = inputs @ weights
        on_comments = binary_cross_entropy_with_logits(scores[~is_example], targets[~is_example], reduction="sum")
        wrong_side = (1 - 2 * targets) * (scores - EXAMPLES_BORDER)
        on_examples = torch.sigmoid(EXAMPLES_STEEPNESS * wrong_side[is_example]).sum()
        loss = on_comments + EXAMPLES_WEIGHT * on_examples + BLEND_PENALTY / 2 * (weights[:-1] ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    blend = weights.detach().numpy()[: logits.shape[1]]
    return blend / blend[LABELS.index("toxicity")]


def fit_platt(logits: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """scale > 0 and shift that minimise the weighted cross-entropy to the soft targets."""
    z, y, w = (torch.tensor(array, dtype=torch.float64) for array in (logits, targets, weights))
    parameters = torch.zeros(2, dtype=torch.float64, requires_grad=True)  # log scale, shift
    optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (binary_cross_entropy_with_logits(z * parameters[0].exp() + parameters[1], y, reduction="none") * w).sum() / w.sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return float(parameters[0].exp()), float(parameters[1])


def fit_sentiment_scale(logits: np.ndarray, targets: np.ndarray) -> float:
    z, y = torch.tensor(logits, dtype=torch.float64), torch.tensor(targets)
    parameter = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parameter], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = cross_entropy(z * parameter.exp(), y)
        loss.backward()
        return loss

    optimizer.step(closure)
    return float(parameter.exp())


def best_threshold(probabilities: np.ndarray, positive: np.ndarray, weights: np.ndarray, beta: float = 1.0) -> float:
    """Of the best F-beta: F1 holds precision and recall in balance, F2 weighs recall more."""
    precision, recall, thresholds = precision_recall_curve(positive, probabilities, sample_weight=weights)
    f = (1 + beta**2) * precision * recall / np.maximum(beta**2 * precision + recall, 1e-12)
    return float(thresholds[int(np.argmax(f[:-1]))])


def thresholds_near_best(probabilities: np.ndarray, positive: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Those whose F1 is within one standard error of the best: where F1 is flat, the best is chance."""
    precision, recall, thresholds = precision_recall_curve(positive, probabilities, sample_weight=weights)
    f1 = (2 * precision * recall / np.maximum(precision + recall, 1e-12))[:-1]
    error = np.sqrt(f1.max() * (1 - f1.max()) / positive.sum())
    return thresholds[f1 >= f1.max() - error]


def precision_threshold(risk: np.ndarray, positive: np.ndarray, weights: np.ndarray, least: float, goal: float) -> float:
    """The least risk from which on precision is at least `goal`, and above `least`."""
    order = np.argsort(-risk)
    hits = np.cumsum((positive * weights)[order])
    all_flagged = np.cumsum(weights[order])
    good = hits / all_flagged >= goal
    # Everything from the highest risk down to the last place where precision still holds.
    last = np.flatnonzero(good)[-1] if good.any() else 0
    return float(max(risk[order][last], least + 0.05))


def joined(texts: list[str], rng: random.Random) -> str:
    """Texts one a line, chosen at random, the last one cut off at LONG_CHARACTERS."""
    pieces: list[str] = []
    while sum(map(len, pieces)) < LONG_CHARACTERS:
        pieces.append(rng.choice(texts))
    return "\n".join(pieces)[:LONG_CHARACTERS]


@dataclass
class LongTexts:
    """Harmless texts of one kind of source, joined."""

    # [texts, labels]: how far the strongest logit is above the label's threshold, as read in texts of few windows and in long ones.
    excess: np.ndarray
    excess_of_long: np.ndarray
    log_windows: np.ndarray  # [texts, 1]
    log_roughness: np.ndarray  # [texts, labels]
    alone: np.ndarray  # [labels]: share of the same texts, not joined, that the label flags
    failing_alone: float  # share of these that any label fails


# [texts, labels]: what is left of the excess with a number a label.
Correct = Callable[[LongTexts, np.ndarray], np.ndarray]


def by_windows(group: LongTexts, factors: np.ndarray) -> np.ndarray:
    return group.excess - factors * group.log_windows


def by_roughness(group: LongTexts, stand_out: np.ndarray) -> np.ndarray:
    return group.excess_of_long - stand_out_correction(stand_out, group.log_roughness)


def fit_length_correction(groups: list[LongTexts]) -> np.ndarray:
    """[labels]: the least factors of ln(windows) with which long texts are flagged hardly more often than short ones, by each label and by any."""
    toxicity, severe = LABELS.index("toxicity"), LABELS.index("severe_toxicity")
    failing = [LABELS.index(label) for label in FAILING]
    factors = np.zeros(len(LABELS))
    for column, label in enumerate(LABELS):
        for group in groups:
            extra = MAX_EXTRA_LONG_RATE.get(label, MAX_EXTRA_LONG_RATE_OF_OTHERS)
            raise_until(factors, column, group, by_windows, [column], MAX_LONG_RATE.get(label, float(group.alone[column]) + extra))
    while True:
        # What is severely toxic is toxic: it needs no easier way. On the Wikipedia test this label made a third of the false alarms, on validation none.
        factors[severe] = max(factors[severe], factors[toxicity])
        too_many = any(
            flagged(group, by_windows, factors, failing) > group.failing_alone + MAX_EXTRA_LONG_RATE_OF_ALL["lengthCorrection"] for group in groups
        )
        if not too_many or factors[failing].max() >= MAX_CORRECTION:
            return factors
        rates = [max(flagged(group, by_windows, factors, [column]) for group in groups) for column in failing]
        factors[failing[int(np.argmax(rates))]] += CORRECTION_STEP


def fit_stand_out(groups: list[LongTexts]) -> np.ndarray:
    """[labels]: the same of `standOut`; severe toxicity may flag what the other labels leave of what may be flagged."""
    severe = LABELS.index("severe_toxicity")
    failing = [LABELS.index(label) for label in FAILING]
    stand_out = np.zeros(len(LABELS))
    for column, label in enumerate(LABELS):
        for group in groups:
            if column != severe:
                allowed = MAX_LONG_RATE_OF_OTHERS.get(label, float(group.alone[column]) + MAX_EXTRA_LONG_RATE_OF_OTHERS)
                raise_until(stand_out, column, group, by_roughness, [column], allowed)
    for group in groups:
        raise_until(stand_out, severe, group, by_roughness, failing, group.failing_alone + MAX_EXTRA_LONG_RATE_OF_ALL["standOut"])
    return stand_out + np.array([ADDED_BY_HAND.get(label, 0.0) for label in LABELS])


def raise_until(correction: np.ndarray, column: int, group: LongTexts, correct: Correct, labels: list[int], allowed: float) -> None:
    """Raises one label's number until these labels flag no more of the texts than is allowed."""
    while flagged(group, correct, correction, labels) > allowed and correction[column] < MAX_CORRECTION:
        correction[column] += CORRECTION_STEP


def flagged(group: LongTexts, correct: Correct, correction: np.ndarray, labels: list[int]) -> float:
    """The share of the texts that one of these labels flags."""
    return float((correct(group, correction) >= 0)[:, labels].any(1).mean())


def by_label(values: np.ndarray) -> dict[str, float]:
    return {label: round(float(value), 3) for label, value in zip(LABELS, values, strict=True)}


def logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def between(low: float, high: float, count: int) -> list[float]:
    """`count` probabilities strictly between two others, evenly spaced in logits."""
    steps = np.linspace(logit(low), logit(high), count + 2)[1:-1]
    return [float(value) for value in sigmoid(steps)]


def expected_calibration_error(probabilities: np.ndarray, targets: np.ndarray, weights: np.ndarray, bins: int = 15) -> float:
    edges = np.clip((probabilities * bins).astype(int), 0, bins - 1)
    error = 0.0
    for index in range(bins):
        inside = edges == index
        if inside.any():
            weight = weights[inside].sum()
            error += abs(np.average(probabilities[inside], weights=weights[inside]) - np.average(targets[inside], weights=weights[inside])) * weight
    return float(error / weights.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--checkpoint", default="settle.pt")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer()
    predict = torch_predict(load_checkpoint(options.work / options.checkpoint).to(device()))

    grades = grades_of_sentences()
    rows = [with_vileness(without_held_labels(json.loads(line)), grades) for line in open(options.work / "validation.jsonl", encoding="utf-8")]
    texts = [row["text"] for row in rows]
    judged = text_logits(texts, tokenizer, predict)
    targets = np.array([[row["labels"].get(label, np.nan) for label in LABELS] for row in rows])
    toxicity_index = LABELS.index("toxicity")
    reference = np.array([is_reference(row["source"]) for row in rows]) & ~np.isnan(targets[:, toxicity_index])
    example = np.array([row["source"] in EXAMPLES_ON_TOXICITY for row in rows])
    blend = fit_blend(
        np.stack([text.map(blend_inputs).strongest() for text in judged])[reference].astype(np.float64),
        np.array([len(text.windows) for text in judged])[reference],
        targets[reference, toxicity_index] >= 0.5,
        example[reference],
    )

    def blended(logits: np.ndarray) -> np.ndarray:
        result = logits.copy()
        result[:, toxicity_index] = blend_inputs(logits) @ blend
        return result

    judged = [text.map(blended) for text in judged]
    raw = label_logits(judged)
    weights = np.array([min(row["weight"], 1.0) for row in rows])
    served = np.array([row["source"] in SERVED_DEFINITION or row["source"].startswith("examples/") for row in rows])

    def known_rows(label: str) -> np.ndarray:
        known = ~np.isnan(targets[:, LABELS.index(label)])
        return known & served if label == "toxicity" else known

    def judged_rows(label: str) -> np.ndarray:
        """Known from the source's own judgement and not from a base rate (base_rates.py)."""
        return known_rows(label) & (targets[:, LABELS.index(label)] != BASE_RATE)

    platt: dict[str, tuple[float, float]] = {}
    calibrated = np.zeros_like(raw)
    for index, label in enumerate(LABELS):
        known = known_rows(label)
        scale, shift = fit_platt(raw[known, index], targets[known, index], weights[known])
        platt[label] = (scale, shift)
        calibrated[:, index] = raw[:, index] * scale + shift
    probabilities = sigmoid(calibrated)

    with_sentiment = [index for index, row in enumerate(rows) if row["sentiment"]]
    sentiment_logits = np.stack([judged[index].windows[:, SENTIMENT_LOGITS].mean(0) for index in with_sentiment])
    sentiment_targets = np.array([SENTIMENTS.index(rows[index]["sentiment"]) for index in with_sentiment])
    sentiment_scale = fit_sentiment_scale(sentiment_logits, sentiment_targets)

    # An ordinary text: conversation that was judged harmless. Not tweets: many of them are advertisements.
    toxicity = targets[:, toxicity_index]
    ordinary = (toxicity <= 0.1) & np.array([row["source"] in CONVERSATION for row in rows])

    thresholds: dict[str, float] = {}
    report: dict[str, dict[str, float]] = {}
    for index, label in enumerate(LABELS):
        known = judged_rows(label)
        positive = targets[known, index] >= 0.5
        judged_alone = probabilities[known, index], positive, weights[known]
        if label == "spam":
            chosen = float(thresholds_near_best(*judged_alone).min())
        elif label == "toxicity":
            chosen = float(thresholds_near_best(*judged_alone).max())
        else:
            # Somebody in danger who is missed is worse than an alarm too many.
            chosen = best_threshold(*judged_alone, beta=2.0 if label == "self_harm" else 1.0)
        if label in MAX_ORDINARY_RATE:
            unspoken = ordinary & ~known
            if unspoken.sum() > 500:
                chosen = max(chosen, float(np.quantile(probabilities[unspoken, index], 1 - MAX_ORDINARY_RATE[label])))
        thresholds[label] = float(np.clip(chosen, 0.03, 0.98))
        report[label] = {
            "known": int(known.sum()),
            "positive": int(positive.sum()),
            "roc_auc": float(roc_auc_score(positive, raw[known, index])),
            "average_precision": float(average_precision_score(positive, raw[known, index])),
            "calibration_error": expected_calibration_error(probabilities[known, index], targets[known, index], weights[known]),
        }

    index = LABELS.index("toxicity")
    known = known_rows("toxicity")
    positive = targets[known, index] >= 0.5
    four = thresholds["toxicity"]
    # Texts that are severely toxic for certain will score 7 or more whatever their toxicity: so nearly all of them have to be toxic, and they count for
    # the precision of a 7.
    severe_index = LABELS.index("severe_toxicity")
    severe_alone = probabilities[known][:, severe_index]
    severe_from_four = precision_threshold(severe_alone, positive, weights[known], 0.0, SEVERE_PRECISION)
    severe_from_seven = precision_threshold(severe_alone, positive, weights[known], severe_from_four, TOXIC_PRECISION)
    curves = {label: [(0.0, 0.0), (thresholds[label], four), (1.0, 1.0)] for label in ("threat", "identity_attack")}

    def risk_of(values: np.ndarray) -> np.ndarray:
        risk = values[:, index]
        for label, points in curves.items():
            x, y = zip(*points, strict=True)
            risk = np.maximum(risk, np.interp(values[:, LABELS.index(label)], x, y))
        return risk

    severe = severe_alone >= severe_from_seven
    risk_with_severe = np.where(severe, 1.0, risk_of(probabilities[known]))
    seven = precision_threshold(risk_with_severe, positive, weights[known], four, TOXIC_PRECISION)
    curves["severe_toxicity"] = [(0.0, 0.0), (severe_from_four, four), (severe_from_seven, min(seven, 0.99)), (1.0, 1.0)]
    top = max(0.985, seven + (1 - seven) * 0.8)
    knots = [*between(0.02, four, 3), four, *between(four, seven, 2), seven, *between(seven, top, 2), top]

    # Long harmless texts: harmless ones joined, against the same alone; of each kind of source, as each has its own hard cases.
    scale = np.array([platt[label][0] for label in LABELS])
    shift = np.array([platt[label][1] for label in LABELS])
    # From where on a label fails a text.
    limits = np.array([logit((thresholds | {"severe_toxicity": severe_from_four})[label]) for label in LABELS])
    apart = [LABELS.index(label) for label in APART_FROM_TOXICITY]
    worth_a_look = np.array([logit(thresholds[label] / 2) for label in APART_FROM_TOXICITY])

    def decisive(windows: np.ndarray) -> set[int]:
        """As src/moderation/closer-look.ts: the most toxic window, the severest, and the one nearest to harm apart from toxicity if that comes near."""
        excess = (windows[:, apart] * scale[apart] + shift[apart] - worth_a_look).max(1)
        return worth_sentences(windows) | ({int(excess.argmax())} if excess.max() >= 0 else set())

    def calibrate_labels(logits: np.ndarray) -> np.ndarray:
        result = blended(logits)
        result[:, LABEL_LOGITS] = result[:, LABEL_LOGITS] * scale + shift
        return result

    failing = [LABELS.index(label) for label in FAILING]
    label_thresholds = np.array([thresholds[label] for label in LABELS])
    abusive = abusive_comments()
    groups: list[LongTexts] = []
    for sources in (CONVERSATION, REFERENCE):
        harmless = [
            index
            for index, row in enumerate(rows)
            if row["labels"].get("toxicity", 1.0) <= 0.05 and row["source"] in sources and len(row["text"]) < 2000
            # One such comment in fifty is labelled harmless by mistake: nearly half of the long texts would hold one.
            and hash_of(row["text"]) not in abusive
            # Nobody looked for despair in these: what may be of it says nothing of false alarms.
            and ("self_harm" in row["labels"] or not SIGNS["self_harm"].search(row["text"]))
        ]
        long_texts = [joined([texts[index] for index in harmless], rng) for _ in range(LONG_TEXTS)]
        long_judged = [text.map(calibrate_labels) for text in text_logits(long_texts, tokenizer, predict, decisive)]
        above = calibrated[harmless] >= limits
        groups.append(
            LongTexts(
                excess=label_logits(long_judged) - limits,
                excess_of_long=label_logits([text.with_signs_of_abuse(SIGNS_OF_ABUSE, label_thresholds) for text in long_judged]) - limits,
                log_windows=np.log([[len(text.windows)] for text in long_judged]),
                log_roughness=np.stack([log_roughness(sigmoid(text.windows[:, LABEL_LOGITS]), label_thresholds) for text in long_judged]),
                alone=above.mean(0),
                failing_alone=float(above[:, failing].any(1).mean()),
            )
        )
    correction = fit_length_correction(groups)
    stand_out = fit_stand_out(groups)
    long_texts_report = [
        {"alone": group.failing_alone, "flagged": flagged(group, by_roughness, stand_out, failing)} for group in groups
    ]

    risk = risk_of(probabilities[known])
    scores = np.searchsorted(np.array(knots), risk, side="right")
    bands = {
        "precision_of_7_to_10": float(np.average(positive[scores >= 7], weights=weights[known][scores >= 7])),
        "recall_of_7_to_10": float(np.average(scores[positive] >= 7, weights=weights[known][positive])),
        "recall_of_4_to_10": float(np.average(scores[positive] >= 4, weights=weights[known][positive])),
        "harmless_at_4_to_10": float(np.average(scores[~positive] >= 4, weights=weights[known][~positive])),
    }
    result = {
        "blend": [float(weight) for weight in blend],
        "platt": platt,
        "sentiment_scale": sentiment_scale,
        "calibration": {
            "thresholds": {label: round(value, 4) for label, value in thresholds.items()},
            "riskCurves": {label: [[round(x, 4), round(y, 4)] for x, y in points] for label, points in curves.items()},
            "scoreKnots": [round(knot, 4) for knot in knots],
            "lengthCorrection": by_label(correction),
            "standOut": by_label(stand_out),
            "signsOfAbuse": SIGNS_OF_ABUSE,
        },
        "validation": {"labels": report, "bands": bands, "long_texts": long_texts_report},
    }
    (options.work / "calibration.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
