"""Measures the exported model on data that it never saw, int8 beside full precision: writes work/measured.json.

    python evaluate.py --data ../../../shared/data --work work --model ../parapet-en
"""

import argparse
import json
import lzma
import platform
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score, recall_score, roc_auc_score
from tokenizers import Tokenizer

from labels import LABELS, SENTIMENTS
from runtimes import onnx_predict
from windows import LengthCorrection, label_logits, sentiment_probabilities, sigmoid, text_logits

TWEETEVAL_LABELS = ("negative", "neutral", "positive")


def read_jsonl(path: Path) -> list[dict]:
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--model", type=Path, default=Path("../parapet-en"))
    options = parser.parse_args()

    calibration = json.loads((options.work / "calibration.json").read_text())["calibration"]
    correction = LengthCorrection.of(calibration)
    tokenizer = Tokenizer.from_file(str(options.model / "tokenizer.json"))
    int8 = onnx_predict(options.model / "model.onnx")
    full = onnx_predict(options.work / "float.onnx")

    wiki = pd.read_csv(options.data / "eval" / "jigsaw_wiki_test.csv.xz", header=None, names=["text", "toxic"], keep_default_na=False)
    texts = wiki["text"].astype(str).tolist()
    toxicity = LABELS.index("toxicity")
    auc = {}
    for name, predict in (("int8", int8), ("float32", full)):
        begun = time.monotonic()
        scores = label_logits(text_logits(texts, tokenizer, predict), correction)[:, toxicity]
        auc[name] = float(roc_auc_score(wiki["toxic"], scores))
        print(f"jigsaw_wiki_test {name}: {auc[name]:.4f} in {time.monotonic() - begun:.0f} s", flush=True)

    def spam_figures(rows: list[dict]) -> dict[str, float]:
        truth = np.array([row["spam"] == 1 for row in rows])
        logits = label_logits(text_logits([row["text"] for row in rows], tokenizer, int8), correction)[:, LABELS.index("spam")]
        flagged = sigmoid(logits) >= calibration["thresholds"]["spam"]
        return {"texts": len(rows), "f1": float(f1_score(truth, flagged)), "roc_auc": float(roc_auc_score(truth, logits))}

    with lzma.open(options.data / "eval" / "tweeteval_sentiment_test_text.txt.xz", "rt", encoding="utf-8") as file:
        tweets = [line.rstrip("\n") for line in file]
    with lzma.open(options.data / "eval" / "tweeteval_sentiment_test_labels.txt.xz", "rt") as file:
        truth = [TWEETEVAL_LABELS[int(line)] for line in file if line.strip()]
    likeliest = sentiment_probabilities(text_logits(tweets[: len(truth)], tokenizer, int8)).argmax(1)
    macro_recall = float(recall_score(truth, [SENTIMENTS[index] for index in likeliest], average="macro"))

    measured = {
        "jigsaw_wiki_test": {"texts": len(wiki), "roc_auc": auc["int8"], "roc_auc_float32": auc["float32"]},
        "sms_spam_fixed_fifth": spam_figures(read_jsonl(options.work / "test_sms.jsonl")),
        "youtube_spam_held_out_song": spam_figures(read_jsonl(options.work / "test_youtube.jsonl")),
        "tweeteval_sentiment_test": {"texts": len(truth), "macro_recall": macro_recall},
        "machine": f"{platform.machine()}, int8 on the CPU",
    }
    (options.work / "measured.json").write_text(json.dumps(measured, indent=2) + "\n")
    print(json.dumps(measured, indent=2))


if __name__ == "__main__":
    main()
