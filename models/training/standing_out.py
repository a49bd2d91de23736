"""Says of figures of `standOut` how many long harmless texts they flag, and how much that is vile they find in such texts.

    python standing_out.py --work work --data DATA --stand-out toxicity=3,severe_toxicity=1.05 toxicity=3.5,severe_toxicity=0.75

It does with work/settle.pt, before rounding, what `bench:robustness` does with the service, of more texts and for several figures at once: a minute or
two on a GPU, two hours without one (`--share 0.05` for a look). What is not named stays as in work/calibration.json, and that is told first. Comments are
those of the Wikipedia test that are harmless by their label and that readers do not call abusive; the window nearest to harm apart from toxicity is not
looked at closely here.
"""

import argparse
import json
import random
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from calibrate import FAILING, LONG_CHARACTERS, blend_inputs, joined, logit
from labels import LABEL_LOGITS, LABELS
from readers import abusive_test_comments, hash_of, vile_test_comments
from runtimes import device, load_checkpoint, torch_predict
from sentences import MOST_OF_THE_READERS, PROBES
from vocabulary import load_tokenizer
from windows import LengthCorrection, TextLogits, label_logits, sigmoid, text_logits

JOINED_TEXTS = 2000
# Where a vile comment stands; each sentence of our lists stands three times anywhere.
PLACES = ("beginning", "middle", "end", "anywhere")
TIMES_HIDDEN = 3
# As src/moderation/verdict.ts: what passes with so much is what others are hidden in, and this is the worst band.
PEACEFUL_SCORE, WORST_SCORE = 2, 9
COMMENTS, JOINED, VILE_COMMENTS = "comments", "joined", "vile comments"
CHUNK_TEXTS = 512


@dataclass
class Judge:
    """What work/calibration.json makes of logits."""

    fitted: dict

    def calibrated(self, logits: np.ndarray) -> np.ndarray:
        result = logits.astype(np.float64)
        result[:, LABELS.index("toxicity")] = blend_inputs(logits) @ np.array(self.fitted["blend"])
        scale, shift = np.array([self.fitted["platt"][label] for label in LABELS]).T
        result[:, LABEL_LOGITS] = result[:, LABEL_LOGITS] * scale + shift
        return result

    def lowered(self, texts: list[TextLogits], stand_out: dict[str, float]) -> np.ndarray:
        """[texts, labels]: log-odds, less what is taken off for length."""
        calibration = deepcopy(self.fitted["calibration"])
        calibration["standOut"] |= stand_out
        return label_logits(texts, LengthCorrection.of(calibration))

    def flagged(self, lowered: np.ndarray) -> np.ndarray:
        """[texts]: whether any label fails them."""
        calibration = self.fitted["calibration"]
        limits = calibration["thresholds"] | {"severe_toxicity": calibration["riskCurves"]["severe_toxicity"][1][0]}
        return np.any([lowered[:, LABELS.index(label)] >= logit(limits[label]) for label in FAILING], axis=0)

    def scores(self, lowered: np.ndarray) -> np.ndarray:
        """[texts]: 0 to 10."""
        probabilities = sigmoid(lowered)
        risk = probabilities[:, LABELS.index("toxicity")]
        for label, points in self.fitted["calibration"]["riskCurves"].items():
            risk = np.maximum(risk, np.interp(probabilities[:, LABELS.index(label)], *np.array(points).T))
        return np.searchsorted(self.fitted["calibration"]["scoreKnots"], risk, side="right")


def hide(needle: str, hay: str, place: str, rng: random.Random) -> str:
    if place == "beginning":
        return f"{needle}\n{hay}"
    if place == "end":
        return f"{hay}\n{needle}"
    about = len(hay) // 2 if place == "middle" else rng.randrange(len(hay))
    at = max(0, hay.find(" ", about))
    return f"{hay[:at]} {needle} {hay[at:]}"


def vile_sentences() -> dict[str, list[str]]:
    lists = {}
    for file in sorted(PROBES.glob("vile_sentences*.jsonl")):
        probes = [json.loads(line) for line in open(file, encoding="utf-8")]
        lists[file.stem] = [probe["text"] for probe in probes if probe["vile"] >= MOST_OF_THE_READERS]
    return lists


def percent(values: np.ndarray) -> str:
    return f"{100 * values.mean():.1f}" if len(values) else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--checkpoint", default="settle.pt")
    parser.add_argument("--stand-out", nargs="*", default=[], metavar="LABEL=FIGURE,...", help="to be compared")
    parser.add_argument("--share", type=float, default=1.0, help="of the texts")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    settings = [{label: float(figure) for label, figure in (each.split("=") for each in setting.split(","))} for setting in options.stand_out]
    if unknown := {label for setting in settings for label in setting} - set(LABELS):
        parser.error(f"no labels: {', '.join(sorted(unknown))}")
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer()
    predict = torch_predict(load_checkpoint(options.work / options.checkpoint).to(device()))
    judge = Judge(json.loads((options.work / "calibration.json").read_text()))

    def some_of(texts: list[str]) -> list[str]:
        return rng.sample(texts, round(len(texts) * options.share))

    def judged(texts: list[str]) -> list[TextLogits]:
        chunks = [texts[begin : begin + CHUNK_TEXTS] for begin in range(0, len(texts), CHUNK_TEXTS)]
        return [text.map(judge.calibrated) for chunk in chunks for text in text_logits(chunk, tokenizer, predict)]

    wiki = pd.read_csv(options.data / "eval" / "jigsaw_wiki_test.csv.xz", header=None, names=["text", "toxic"], keep_default_na=False)
    by_label = [[text for text in wiki[wiki["toxic"] == toxic]["text"].astype(str) if len(text) <= LONG_CHARACTERS] for toxic in (0, 1)]
    abusive, vile = abusive_test_comments(), vile_test_comments()
    comments = some_of([text for text in by_label[0] if hash_of(text) not in abusive])
    vile_comments = some_of([text for text in by_label[1] if hash_of(text) in vile])

    alone = judged(comments)
    lowered = judge.lowered(alone, {})
    is_peaceful = (judge.scores(lowered) <= PEACEFUL_SCORE) & ~judge.flagged(lowered)
    peaceful = [text for text, is_quiet in zip(comments, is_peaceful, strict=True) if is_quiet]
    is_worst = judge.scores(judge.lowered(judged(vile_comments), {})) >= WORST_SCORE

    groups = {COMMENTS: alone, JOINED: judged([joined(comments, rng) for _ in range(round(JOINED_TEXTS * options.share))])}
    for name, sentences in vile_sentences().items():
        groups[name] = judged([hide(text, joined(peaceful, rng), "anywhere", rng) for text in some_of(sentences) for _ in range(TIMES_HIDDEN)])
    groups[VILE_COMMENTS] = judged([hide(text, joined(peaceful, rng), place, rng) for place in PLACES for text in vile_comments])

    for setting in ({}, *settings):
        flags = {name: judge.flagged(judge.lowered(texts, setting)) for name, texts in groups.items()}
        print(setting or "as calibrated")
        print(f"  harmless, flagged: alone {percent(flags[COMMENTS])} %, joined {percent(flags[JOINED])} %")
        print("  vile sentences, found: " + ", ".join(f"{name} {percent(found)} %" for name, found in flags.items() if name.startswith("vile_sentences")))
        found = flags[VILE_COMMENTS].reshape(len(PLACES), -1)
        print(f"  vile comments: {percent(found)} %, those that score {WORST_SCORE} alone {percent(found[:, is_worst])} %", flush=True)


if __name__ == "__main__":
    main()
