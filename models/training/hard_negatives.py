"""Harmless Wikipedia comments that a network takes for vile: writes what `vile.py --hard` reads, {"text": ...} per line.

    python hard_negatives.py --work work --start-from work/settle.pt --output work/hard.jsonl

A long text is full of harmless sentences, so it is flagged for the vilest-looking of them. Here are the windows of comments that people
called harmless, and the pieces of the vilest-looking windows, as the service's closer look cuts them. Many of the worst are vile and
mislabelled: what a published classifier finds toxic is left out (teachers.py).
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from calibrate import REFERENCE
from distillation import logits_of
from labels import LABELS
from model import Classifier
from runtimes import load_checkpoint
from teachers import Lstm
from train import read_rows
from vocabulary import load_tokenizer
from windows import PIECE_LENGTH, pieces_of, windows_of

CHUNK_TEXTS = 8192
MOST_CHARACTERS = 4000
# Of the windows, the share whose pieces are judged.
LOOKED_AT = 1 / 8
SEVERE = LABELS.index("severe_toxicity")
MOST_TOXIC_TO_THE_TEACHER = 0.0  # log-odds
TOXIC_OF_THE_TEACHER = 0


def severity_of(texts: list[str], model: Classifier, tokenizer: Tokenizer) -> np.ndarray:
    """float32 [texts]: the logit of severe toxicity of each text's first window."""
    parts = [np.empty(0, dtype=np.float32)]
    for begin in range(0, len(texts), CHUNK_TEXTS):
        ids = [windows_of(encoding)[0].ids for encoding in tokenizer.encode_batch(texts[begin : begin + CHUNK_TEXTS])]
        parts.append(logits_of(model, ids)[:, SEVERE].numpy())
        print(f"{min(begin + CHUNK_TEXTS, len(texts))}/{len(texts)}", flush=True)
    return np.concatenate(parts)


def vilest(texts: list[str], count: int, model: Classifier, tokenizer: Tokenizer) -> list[str]:
    return [texts[index] for index in np.argsort(-severity_of(texts, model, tokenizer))[:count]]


def not_found_toxic(texts: list[str]) -> list[str]:
    said = Lstm().logits(texts)[:, TOXIC_OF_THE_TEACHER]
    return [text for text, logit in zip(texts, said, strict=True) if logit < MOST_TOXIC_TO_THE_TEACHER]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True, help="a network that vile.py made")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--comments", type=int, help="look at so many comments, drawn at random, in place of all")
    parser.add_argument("--count", type=int, default=4000, help="of the windows, and twice as many pieces")
    options = parser.parse_args()
    torch.set_num_threads(2)
    model, tokenizer = load_checkpoint(options.start_from), load_tokenizer()
    comments = [row.text[:MOST_CHARACTERS] for row in read_rows(options.work) if row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05]
    if options.comments is not None:
        comments = random.Random(9).sample(comments, min(options.comments, len(comments)))
    windows = [
        comment[window.start : window.end]
        for comment, encoding in zip(comments, tokenizer.encode_batch(comments), strict=True)
        for window in windows_of(encoding)
    ]
    windows = vilest(windows, int(len(windows) * LOOKED_AT), model, tokenizer)
    pieces = [piece for window in not_found_toxic(windows) for piece in pieces_of(window, PIECE_LENGTH)]
    hard = dict.fromkeys(not_found_toxic(windows[: options.count] + vilest(pieces, 2 * options.count, model, tokenizer)))
    with open(options.output, "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for text in hard)
    print(f"wrote {len(hard)} texts to {options.output}")


if __name__ == "__main__":
    main()
