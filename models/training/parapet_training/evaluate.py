"""Stage evaluate: figures of the exported model on texts that nothing was chosen by. Writes measured.json.

It reads segments as the service does and pools them as the service does; `parapet accuracy` and `bench:probes` measure the same of the service itself.
"""

import json
import lzma
import platform
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score, recall_score, roc_auc_score

from parapet_training.calibrate import FAILING
from parapet_training.examples import EXAMPLES
from parapet_training.files import read_json, read_lines, write_json
from parapet_training.gate_texts import GateText, read_gates, read_parallel, wikipedia
from parapet_training.joining import Joined, Part, features, joined, languages_of, parts_of, read
from parapet_training.labels import HELD_OUT, LABELS, OUTPUTS, SENTIMENTS, hash_of
from parapet_training.params import Params
from parapet_training.pooling import FloatArray, from_json, pooled, pooled_sentiment, shifts_from_json, sigmoid
from parapet_training.scoring import OnnxModel, Scores
from parapet_training.segments import segments_of

TOXICITY, SEVERE, SPAM = (LABELS.index(label) for label in ("toxicity", "severe_toxicity", "spam"))
TWEETEVAL = ("negative", "neutral", "positive")
LONG_CHARACTERS = 9900
SHORT_CHARACTERS = (300, 800, 2300)
JOINED_TEXTS = 1000
HELD_OUT_TEXTS, LANGUAGE_TEXTS, LEAST_OF_A_KIND, TOGETHER = 30_000, 3000, 8, "smaller sets together"
FIRST_MODERATE_SCORE = 4
EVERYDAY = "everyday"  # a kind of the gates
# Of comments that are not Wikipedia's, for long texts of another kind.
SOCIAL = ("goemotions", "ruddit", "hope_edi_en", "tweet_sentiment_extraction", "semeval_2013_2016_sentiment")


class Judge:
    """Verdicts of texts as the service gives them."""

    def __init__(self, scores: Scores, calibration: dict[str, Any], languages: list[str]) -> None:
        self.scores = scores
        self.epsilon, self.weights = from_json(calibration["pooling"], LABELS)
        thresholds = {**calibration["thresholds"], "severe_toxicity": calibration["riskCurves"]["severe_toxicity"][1][0]}
        probabilities = np.array([thresholds[label] for label in LABELS])
        self.limits = np.log(probabilities / (1 - probabilities))
        self.shifts = shifts_from_json(calibration.get("languageShifts", {}), languages)
        self.curves = {LABELS.index(label): np.array(points).T for label, points in calibration["riskCurves"].items()}
        self.knots = np.array(calibration["scoreKnots"])

    def logits(self, texts: Sequence[Part] | Sequence[Joined]) -> FloatArray:
        """[texts, labels]"""
        logits = pooled(np.stack([features(text, self.epsilon) for text in texts]), self.weights)
        return logits + np.stack([languages_of(text) for text in texts]) @ self.shifts if len(self.shifts) else logits

    def flags(self, logits: FloatArray) -> NDArray[np.bool_]:
        """[texts]: whether a text fails by default."""
        return (logits >= self.limits)[:, FAILING].any(1)

    def scores_of(self, logits: FloatArray) -> NDArray[np.int64]:
        """[texts]: 0 to 10, as src/moderation/verdict.ts has it."""
        probabilities = sigmoid(logits)
        risk = probabilities[:, TOXICITY]
        for label, (x, y) in self.curves.items():
            risk = np.maximum(risk, np.interp(probabilities[:, label], x, y))
        scores = np.searchsorted(self.knots, risk, side="right")
        return np.where(logits[:, SEVERE] >= self.limits[SEVERE], np.maximum(scores, FIRST_MODERATE_SCORE), scores)

    def parts(self, texts: Sequence[tuple[str, list[str]]]) -> list[Part]:
        """Of texts with their segments."""
        return parts_of([(text, segments, {}) for text, segments in texts], self.scores)

    def sentiments(self, part: Part) -> FloatArray:
        """[sentiments]"""
        if part.whole is not None:
            return np.asarray(part.whole[len(LABELS) : OUTPUTS], np.float64)
        return pooled_sentiment(part.logits[:, len(LABELS) : OUTPUTS], part.tokens)


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    scores = Scores(OnnxModel.load(work / "model", params.max_tokens), work / "scores", params.teachers.shard)
    judge = Judge(scores, read_json(work / "calibration.json")["calibration"], params.read_languages[:-1])
    measured = measure(judge, params, here, data, work)
    if (work / "export" / "float.onnx").exists():
        measured["jigsaw_wiki_test"]["roc_auc_float32"] = full_precision(params, here, data, work)
    write_json(work / "measured.json", measured)
    print(json.dumps(measured, indent=2))


def full_precision(params: Params, here: Path, data: Path, work: Path) -> float:
    """ROC-AUC on the Wikipedia test before the weights were rounded."""
    full = Scores(OnnxModel.load_file(work / "export" / "float.onnx", work / "export", params.max_tokens), work / "scores", params.teachers.shard)
    wiki = wikipedia(data)
    texts = [(text, segments or [text]) for text, segments in segments_of((text for text, _ in wiki), params.segments.command, here)]
    judge = Judge(full, read_json(work / "calibration.json")["calibration"], params.read_languages[:-1])
    logits = judge.logits(judge.parts(texts))
    return float(roc_auc_score([toxic for _, toxic in wiki], logits[:, TOXICITY]))


def measure(judge: Judge, params: Params, here: Path, data: Path, work: Path, most_texts: int | None = None) -> dict[str, Any]:
    """most_texts: of a test set so many, drawn at random, for a first look."""
    scores, rng = judge.scores, random.Random(params.seed)

    def segmented(texts: Sequence[str]) -> list[tuple[str, list[str]]]:
        return [(text, segments or [text]) for text, segments in segments_of(texts, params.segments.command, here)]

    def drawn(items: list[Any]) -> list[Any]:
        return items if most_texts is None or len(items) <= most_texts else rng.sample(items, most_texts)

    wiki = drawn(wikipedia(data))
    toxic = np.array([is_toxic for _, is_toxic in wiki])
    texts = segmented([text for text, _ in wiki])
    parts = judge.parts(texts)
    logits = judge.logits(parts)
    scores.score(text for text, _ in texts)
    whole = scores.of([text for text, _ in texts])[:, TOXICITY]
    flagged = judge.flags(logits)
    measured: dict[str, Any] = {
        "jigsaw_wiki_test": {
            "texts": len(wiki),
            "roc_auc": float(roc_auc_score(toxic, logits[:, TOXICITY])),
            "roc_auc_whole_window": float(roc_auc_score(toxic, whole)),
            "toxic_flagged": float(flagged[toxic].mean()),
            "harmless_flagged": float(flagged[~toxic].mean()),
        }
    }
    # Of what the test calls harmless, language models call one in fifty abusive: more than half of the long texts would hold one.
    abusive = set((here / params.data.abusive_test_comments).read_text(encoding="ascii").split())
    harmless = [
        part for part, (text, is_toxic) in zip(parts, wiki, strict=True) if not is_toxic and len(part.text) <= LONG_CHARACTERS and hash_of(text) not in abusive
    ]
    severe = severe_parts(judge, segmented, here / params.data.probes)
    measured["long"] = long_figures(judge, harmless, severe, rng)
    held_out = [row for row in read_lines(work / "segments" / "rows.jsonl") if row["split"] == HELD_OUT and row["segments"]]
    social = [row for row in held_out if row["source"] in SOCIAL and row["lang"] == "en" and row["labels"].get("toxicity", 0.0) < 0.25]
    if social:
        parts = judge.parts([(row["text"], row["segments"]) for row in social])
        measured["long_social"] = long_figures(judge, parts, severe, rng)
    for source in ("sms_spam", "youtube_spam"):
        rows = [row for row in held_out if row["source"] == source]
        measured[source] = spam_figures(judge, rows)
    measured["tweeteval_sentiment_test"] = sentiment_figures(judge, segmented, drawn(tweets(data)))
    sampled = held_out if len(held_out) <= HELD_OUT_TEXTS else rng.sample(held_out, HELD_OUT_TEXTS)
    measured["held_out"] = held_out_figures(judge, drawn(sampled))
    measured["examples_held_out"] = example_figures(judge, [row for row in held_out if row["source"].startswith(EXAMPLES)])
    measured["probes"] = probe_figures(judge, segmented, here / params.data.probes)
    if params.read_languages:
        measured["languages"] = {tag: language_figures(judge, tag, sampled, params, rng) for tag in params.languages}
        measured["gates"] = gate_figures(judge, segmented, read_gates(here / "gates"), read_parallel(here / "gates"), rng)
    measured["machine"] = f"{platform.machine()}, int8 on the CPU"
    return measured


def severe_parts(judge: Judge, segmented: Any, probes: Path) -> dict[str, list[Part]]:
    """By split, the sentences that most of three language models call severe."""
    lines = [json.loads(line) for line in (probes / "severe_sentences.jsonl").read_text(encoding="utf-8").splitlines()]
    severe = [line for line in lines if line["severe"] >= 2]
    parts: dict[str, list[Part]] = {"development": [], "held_out": []}
    for line, part in zip(severe, judge.parts(segmented([line["text"] for line in severe])), strict=True):
        parts[line["split"]].append(replace(part, labels={"severe_toxicity": 1.0}))
    return parts


def long_figures(judge: Judge, harmless: list[Part], severe: dict[str, list[Part]], rng: random.Random) -> dict[str, Any]:
    figures: dict[str, Any] = {"harmless_alone_flagged": float(judge.flags(judge.logits(harmless)).mean())}
    for split, needles in severe.items():
        figures[f"{split}_alone_found"] = float(judge.flags(judge.logits(needles)).mean())
        for characters in (*SHORT_CHARACTERS, LONG_CHARACTERS):
            texts = read(joined(harmless, needles, JOINED_TEXTS, characters, rng, only_longest=True), judge.scores)
            flagged = judge.flags(judge.logits(texts))
            has_needle = np.array([text.needle is not None for text in texts])
            figures[f"{split}_found_in_{characters}"] = float(flagged[has_needle].mean())
            figures[f"harmless_joined_flagged_{characters}"] = float(flagged[~has_needle].mean())
    return figures


def spam_figures(judge: Judge, rows: list[dict[str, Any]]) -> dict[str, Any]:
    if not rows:
        return {"texts": 0}
    logits = judge.logits(judge.parts([(row["text"], row["segments"]) for row in rows]))[:, SPAM]
    truth = np.array([row["labels"]["spam"] >= 0.5 for row in rows])
    return {"texts": len(rows), "f1": float(f1_score(truth, logits >= judge.limits[SPAM])), "roc_auc": float(roc_auc_score(truth, logits))}


def tweets(data: Path) -> list[tuple[str, str]]:
    texts = lzma.decompress((data / "eval" / "tweeteval_sentiment_test_text.txt.xz").read_bytes()).decode().split("\n")
    labels = lzma.decompress((data / "eval" / "tweeteval_sentiment_test_labels.txt.xz").read_bytes()).decode().split()
    return [(text, TWEETEVAL[int(label)]) for text, label in zip(texts, labels, strict=False)]


def sentiment_figures(judge: Judge, segmented: Any, items: list[tuple[str, str]]) -> dict[str, Any]:
    texts = segmented([text for text, _ in items])
    likeliest = [SENTIMENTS[int(judge.sentiments(part).argmax())] for part in judge.parts(texts)]
    return {"texts": len(items), "macro_recall": float(recall_score([label for _, label in items], likeliest, average="macro"))}


def verdict_figures(flagged: NDArray[np.bool_], harmful: NDArray[np.bool_]) -> dict[str, Any]:
    """found: of harmful texts the share that fails, passed: of harmless ones the share that does not; null where there are none."""
    return {
        "texts": len(flagged),
        "right": float((flagged == harmful).mean()),
        "found": float(flagged[harmful].mean()) if harmful.any() else None,
        "passed": float(1 - flagged[~harmful].mean()) if not harmful.all() else None,
    }


def language_figures(judge: Judge, tag: str, held_out: list[dict[str, Any]], params: Params, rng: random.Random) -> dict[str, Any]:
    """Of a language on the held-out split: the mean of toxicity's ROC-AUC over the sets that have so many of both kinds, the share of everyday sentences
    that pass, and of its texts the share whose language is told right; null where nothing speaks."""
    # Not our own examples, whose authors the network has learnt from.
    rows = [row for row in held_out if row["lang"] == tag and not row["source"].startswith(EXAMPLES)]
    rows = rows if len(rows) <= LANGUAGE_TEXTS else rng.sample(rows, LANGUAGE_TEXTS)
    if not rows:
        return {"texts": 0, "sets": {}, "toxicity": None, "everyday_passed": None, "identified": None}
    parts = judge.parts([(row["text"], row["segments"]) for row in rows])
    logits = judge.logits(parts)
    toxic = np.array([row["labels"].get("toxicity", np.nan) for row in rows])
    sources = np.array([row["source"] for row in rows])
    everyday = np.isin(sources, params.calibration.everyday)
    sets = {}
    together = ~np.isnan(toxic) & ~everyday
    for source in [*sorted(set(sources[together].tolist())), TOGETHER]:
        # What is left in the end is measured as one set.
        known = together if source == TOGETHER else (sources == source) & ~np.isnan(toxic)
        positive = toxic[known] >= 0.5
        if min(positive.sum(), (~positive).sum()) >= LEAST_OF_A_KIND:
            sets[source] = float(roc_auc_score(positive, logits[known, TOXICITY]))
            together = together & ~known
    return {
        "texts": len(rows),
        "sets": sets,
        "toxicity": float(np.mean(list(sets.values()))) if sets else None,
        "everyday_passed": float(1 - judge.flags(logits)[everyday].mean()) if everyday.any() else None,
        "identified": float(np.mean([params.languages[int(languages_of(part).argmax())] == tag for part in parts])),
    }


def gate_figures(judge: Judge, segmented: Any, texts: Sequence[GateText], parallel: dict[str, list[str]], rng: random.Random) -> dict[str, dict[str, Any]]:
    """By language, on texts by authors of whom nothing was trained on, at the thresholds that are served: found of the harmful texts, alone and among three
    everyday sentences, passed of the harmless ones, and how far the mean score of the parallel sentences is from that of the English ones."""
    failing = [LABELS[index] for index in FAILING]
    means = {tag: float(judge.scores_of(judge.logits(judge.parts(segmented(sentences)))).mean()) for tag, sentences in parallel.items()}
    figures: dict[str, dict[str, Any]] = {}
    for tag in sorted({text.lang for text in texts}):
        members = [text for text in texts if text.lang == tag]
        logits = judge.logits(judge.parts(segmented([text.text for text in members])))
        harmful = np.array([any(text.labels[label] for label in failing) for text in members])
        everyday = [text.text for text in members if text.kind == EVERYDAY]
        around = []
        for text in (each for each, is_harmful in zip(members, harmful, strict=True) if is_harmful):
            first, second, third = rng.sample(everyday, 3)
            around.append(f"{first} {second} {text.text} {third}")
        in_company = judge.flags(judge.logits(judge.parts(segmented(around))))
        toxic = np.array([text.labels["toxicity"] >= 0.5 for text in members])
        figures[tag] = {
            **verdict_figures(judge.flags(logits), harmful),
            "found_in_company": float(in_company.mean()),
            "roc_auc": float(roc_auc_score(toxic, logits[:, TOXICITY])),
            "score_beside_english": means[tag] - means["en"] if tag in means else None,
        }
    return figures


def example_figures(judge: Judge, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """By file of our own examples. Harmful is what has a label that fails a text."""
    failing = [LABELS[index] for index in FAILING]
    figures = {}
    for source in sorted({row["source"] for row in rows}):
        members = [row for row in rows if row["source"] == source]
        flagged = judge.flags(judge.logits(judge.parts([(row["text"], row["segments"]) for row in members])))
        harmful = np.array([any(row["labels"].get(label, 0.0) >= 0.5 for label in failing) for row in members])
        figures[source.removeprefix(EXAMPLES)] = verdict_figures(flagged, harmful)
    return figures


def probe_figures(judge: Judge, segmented: Any, folder: Path) -> dict[str, Any]:
    """By file and split of the probes, as `bench:probes` counts them: of spam its own label decides, since such a text may fail for other reasons."""
    figures = {}
    for path in sorted(folder.glob("*.jsonl")):
        probes = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        logits = judge.logits(judge.parts(segmented([probe["text"] for probe in probes])))
        flagged = np.where([("spam" in probe) for probe in probes], logits[:, SPAM] >= judge.limits[SPAM], judge.flags(logits))
        harmful = np.array([bool(probe.get("spam", probe.get("toxic"))) for probe in probes])
        splits = np.array([probe.get("split", "") for probe in probes])
        for split in sorted(set(splits.tolist())):
            figures[" ".join(filter(None, (path.stem, split)))] = verdict_figures(flagged[splits == split], harmful[splits == split])
    return figures


def held_out_figures(judge: Judge, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """ROC-AUC of each label on the held-out split of all sources."""
    logits = judge.logits(judge.parts([(row["text"], row["segments"]) for row in rows]))
    figures = {}
    for index, label in enumerate(LABELS):
        known = np.array([label in row["labels"] for row in rows])
        positive = np.array([row["labels"].get(label, 0.0) >= 0.5 for row in rows])[known]
        if 0 < positive.sum() < len(positive):
            figures[label] = {"known": int(known.sum()), "positive": int(positive.sum()), "roc_auc": float(roc_auc_score(positive, logits[known, index]))}
    return figures
