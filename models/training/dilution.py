"""Teaches the network to see what stands among other text as it sees it alone, with itself as the teacher.

    python dilution.py --work work --start-from work/settle.pt --output work/undiluted.pt

An insult between two halves of somebody else's sentence scores far less than the insult alone, and a text of 10,000 characters is
read in windows that nobody cut with regard to it. So short texts are put within harmless ones, and what the network is to say of the whole, label
by label, is the higher of what it said, before this step, of the two apart. A quarter of the texts stay as they are and keep what it said
of them, so that nothing else changes. No label of any source is read here but to choose what is hidden in what.
"""

import argparse
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, smooth_l1_loss

from augment import disguise, first_words, last_words, put_within
from labels import LABEL_LOGITS, SENTIMENT_LOGITS, TEACHER_LOGITS, Row
from model import Classifier
from train import TEACHER_WEIGHT, crop, of_like_length, padded, plan_epoch, read_rows
from vocabulary import load_tokenizer
from windows import MAX_TOKENS, known_tokens

CHUNK_TEXTS = 4096
PEAK_RATE = 6e-5
# Share of the texts that are put within others; of these, the share with a bad label of some kind, and of those that are cut: a window or a
# piece ends anywhere.
HIDDEN = 0.75
HIDDEN_HARM = 0.5
CUT = 0.15
MOST_HIDDEN_CHARACTERS = 300
# Of a whole text, and how many texts in ten are of such a length: a window, or a piece of the closer look.
LENGTHS, SHARES_OF_LENGTHS = ((240, 480), (60, 200)), (7, 3)
MAX_COMPANIONS = 4
DISGUISED = 0.1
# Cross-entropy hardly tells log-odds of 2 from 4, and the threshold of a long text lies between them: so their distance counts too. How far below
# LEAST_LOGIT a harmless text lies says nothing.
DISTANCE_WEIGHT = 0.25
LEAST_LOGIT = -4.0


@dataclass
class Sample:
    ids: list[int]
    # What the network judges to know what is to be said of `ids`: the text itself, or the hidden one and what stands around it.
    parts: list[list[int]]


def samples(rows: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    """Chunks of samples, of which HIDDEN are texts within others."""
    short = [row for row in rows if len(row.text) <= MOST_HIDDEN_CHARACTERS]
    harmful = [row for row in short if any(value >= 0.5 for value in row.labels.values())]
    harmless = [row for row in rows if row.labels.get("toxicity", 1.0) <= 0.1]
    for begin in range(0, count, CHUNK_TEXTS):
        texts: list[tuple[str, ...]] = []
        for _ in range(min(CHUNK_TEXTS, count - begin)):
            if rng.random() < HIDDEN:
                row = rng.choice(harmful if rng.random() < HIDDEN_HARM else short)
                around = [companion.text for companion in rng.choices(harmless, k=rng.randint(1, MAX_COMPANIONS))]
                room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
                hidden = disguise(row.text, rng) if rng.random() < DISGUISED else row.text
                if rng.random() < CUT:
                    hidden = rng.choice([first_words, last_words])(hidden, rng.randint(len(hidden) // 2, len(hidden)))
                whole, rest = put_within(hidden, around, room, rng)
                texts.append((whole, hidden, rest) if rest else (whole,))
            else:
                row = rng.choice(rows)
                texts.append((disguise(row.text, rng) if rng.random() < DISGUISED else row.text,))
        encodings = iter(tokenizer.encode_batch([text[:4000] for whole_and_parts in texts for text in whole_and_parts]))
        chunk = []
        for whole_and_parts in texts:
            whole, *parts = [next(encodings).ids for _ in whole_and_parts]
            if not parts:
                ids, _ = crop(whole, rng)
                chunk.append(Sample(ids, [ids]))
            elif len(whole) <= MAX_TOKENS:
                chunk.append(Sample(readable(whole), [readable(part) for part in parts]))
        yield chunk


def readable(ids: list[int]) -> list[int]:
    return [ids[0], *known_tokens(ids[1:-1]), ids[-1]]


@torch.no_grad()
def logits_of(model: Classifier, texts: list[list[int]]) -> Tensor:
    """float32 [texts, logits]"""
    result = torch.empty(len(texts), model.output.out_features)
    for group in of_like_length(texts):
        with torch.autocast("cpu", torch.bfloat16):
            result[group] = model(*padded([texts[index] for index in group])).float()
    return result


def targets_of(model: Classifier, chunk: list[Sample]) -> Tensor:
    """What is to be said of each sample, [samples, logits]; NaN for the sentiment of those that are put together, which nobody knows."""
    said = logits_of(model, [part for sample in chunk for part in sample.parts])
    targets = []
    for parts in said.split([len(sample.parts) for sample in chunk]):
        target = parts.amax(0)
        if len(parts) > 1:
            target[SENTIMENT_LOGITS] = math.nan
        targets.append(target)
    return torch.stack(targets)


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """A mean over the texts: cross-entropy against what is to be said, and the distance of the labels' log-odds."""
    labels = binary_cross_entropy_with_logits(logits[:, LABEL_LOGITS], targets[:, LABEL_LOGITS].sigmoid(), reduction="sum")
    distance = smooth_l1_loss(
        logits[:, LABEL_LOGITS].clamp(min=LEAST_LOGIT), targets[:, LABEL_LOGITS].clamp(min=LEAST_LOGIT), reduction="sum"
    )
    teachers = binary_cross_entropy_with_logits(logits[:, TEACHER_LOGITS], targets[:, TEACHER_LOGITS].sigmoid(), reduction="sum")
    known = ~targets[:, SENTIMENT_LOGITS].isnan().any(1)
    sentiment = cross_entropy(logits[known, SENTIMENT_LOGITS], targets[known, SENTIMENT_LOGITS].softmax(1), reduction="sum")
    return (labels + DISTANCE_WEIGHT * distance + TEACHER_WEIGHT * teachers + sentiment) / len(logits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="the network before this step, where --start-from is one after it")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--texts", type=int, default=160_000)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer()
    rows = plan_epoch(read_rows(options.work), "settle", rng)

    # Without dropout: the network is to repeat itself, and sees no text twice.
    before, model = Classifier.empty().eval(), Classifier.empty().eval()
    for each, path in ((before, options.teacher or options.start_from), (model, options.start_from)):
        each.load_state_dict(torch.load(path, weights_only=True)["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=0.0, betas=(0.9, 0.98), fused=True)

    seen, running_loss, started = 0, None, time.monotonic()
    for chunk in samples(rows, options.texts, tokenizer, rng):
        targets = targets_of(before, chunk)
        groups = of_like_length([sample.ids for sample in chunk])
        rng.shuffle(groups)
        for group in groups:
            progress = seen / options.texts
            for parameters in optimizer.param_groups:
                parameters["lr"] = PEAK_RATE * min(progress / 0.03, 1.0) * max(0.0, 0.5 * (1 + math.cos(math.pi * progress)))
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(*padded([chunk[index].ids for index in group]))
            loss = loss_of(logits.float(), targets[group])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            seen += len(group)
            running_loss = loss.item() if running_loss is None else 0.98 * running_loss + 0.02 * loss.item()
        per_second = seen / (time.monotonic() - started)
        left = (options.texts - seen) / per_second / 60
        print(f"texts {seen}/{options.texts} loss {running_loss:.4f} {per_second:.0f} texts/s, {left:.0f} min left", flush=True)
        torch.save({"model": model.state_dict()}, options.output)


if __name__ == "__main__":
    main()
