"""Teaches the network to see what stands among other text as it sees it alone, with itself as the teacher.

    python dilution.py --work work --start-from work/settle.pt --output work/undiluted.pt

An insult between two halves of somebody else's sentence scores far less than the insult alone, and a text of 10,000 characters is
read in windows that nobody cut with regard to it. So short texts are put within harmless ones, and what the network is to say of the whole, label
by label, is the higher of what it said, before this step, of the two apart. The other texts stay as they are and get the mean of what it said
of them and of what train.py's settling stage would teach it, so that the ranking of single comments does not suffer.
"""

import argparse
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot, smooth_l1_loss

from augment import disguise, first_words, last_words, put_within
from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, SENTIMENTS, TEACHER_LOGITS, Row
from model import Classifier
from train import (
    TEACHER_TEMPERATURE,
    TEACHER_WEIGHT,
    Batch,
    collate,
    crop,
    masked_cross_entropy,
    of_like_length,
    padded,
    plan_epoch,
    read_rows_with_opinions,
)
from vocabulary import load_tokenizer
from windows import MAX_TOKENS, known_tokens

CHUNK_TEXTS = 4096
PEAK_RATE = 5e-5
# Share of the texts that are put within others; of these, the share with a bad label of some kind, and of those that are cut: a window or a
# piece ends anywhere.
HIDDEN = 0.5
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
SPAM = LABELS.index("spam")


@dataclass
class Sample:
    ids: list[int]
    # What the network judges to know what is to be said of `ids`: the text itself, or the hidden one and what stands around it.
    parts: list[list[int]]
    # What is known of `ids`: nothing where it is put together.
    known: Row


def samples(rows: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    """Chunks of samples, of which HIDDEN are texts within others; of those, the few that leave no room for others or for themselves are dropped."""
    short = [row for row in rows if len(row.text) <= MOST_HIDDEN_CHARACTERS]
    harmful = [row for row in short if any(value >= 0.5 for value in row.labels.values())]
    harmless = [row for row in rows if row.labels.get("toxicity", 1.0) <= 0.1]
    for begin in range(0, count, CHUNK_TEXTS):
        texts: list[tuple[Row | None, list[str]]] = []
        for _ in range(min(CHUNK_TEXTS, count - begin)):
            if rng.random() < HIDDEN:
                row = rng.choice(harmful if rng.random() < HIDDEN_HARM else short)
                around = [companion.text for companion in rng.choices(harmless, k=rng.randint(1, MAX_COMPANIONS))]
                room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
                hidden = disguise(row.text, rng) if rng.random() < DISGUISED else row.text
                if rng.random() < CUT:
                    hidden = rng.choice([first_words, last_words])(hidden, rng.randint(len(hidden) // 2, len(hidden)))
                whole, rest = put_within(hidden, around, room, rng)
                if rest:
                    texts.append((None, [whole, hidden, rest]))
            else:
                row = rng.choice(rows)
                texts.append((row, [disguise(row.text, rng) if rng.random() < DISGUISED else row.text]))
        encodings = iter(tokenizer.encode_batch([text[:4000] for _, whole_and_parts in texts for text in whole_and_parts]))
        chunk = []
        for row, whole_and_parts in texts:
            whole, *parts = [next(encodings).ids for _ in whole_and_parts]
            if row:
                ids, at_beginning = crop(whole, rng)
                chunk.append(Sample(ids, [ids], row if at_beginning else replace(row, teachers=None)))
            elif len(whole) <= MAX_TOKENS:
                chunk.append(Sample(readable(whole), [readable(part) for part in parts], Row("")))
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


def said_of(model: Classifier, chunk: list[Sample]) -> Tensor:
    """What the network said of each sample, the higher of its parts: log-odds, [samples, logits].

    NaN for what is not to be learnt of a text that is put together: its sentiment, which nobody knows, and whether it is spam; the higher of
    two low ones, again and again, would call ordinary texts spam.
    """
    logits = logits_of(model, [part for sample in chunk for part in sample.parts])
    said = []
    for parts in logits.split([len(sample.parts) for sample in chunk]):
        highest = parts.amax(0)
        if len(parts) > 1:
            highest[SENTIMENT_LOGITS] = math.nan
            highest[SPAM] = math.nan
        said.append(highest)
    return torch.stack(said)


def with_known(said: Tensor, known: Tensor) -> Tensor:
    """Probabilities: the mean of both where something is known, else what was said."""
    return torch.where(known.isnan(), said, (said + known) / 2)


def loss_of(logits: Tensor, said: Tensor, batch: Batch) -> Tensor:
    """A mean over the texts: cross-entropy against what was said and is known, and the labels' distance from log-odds that nothing is known against."""
    labels = masked_cross_entropy(logits[:, LABEL_LOGITS], with_known(said[:, LABEL_LOGITS].sigmoid(), batch.labels))
    opinions = torch.sigmoid(batch.teachers / TEACHER_TEMPERATURE)
    teachers = masked_cross_entropy(logits[:, TEACHER_LOGITS], with_known(said[:, TEACHER_LOGITS].sigmoid(), opinions))

    alone = batch.labels.isnan() & ~said[:, LABEL_LOGITS].isnan()
    ours, theirs = (values[:, LABEL_LOGITS][alone].clamp(min=LEAST_LOGIT) for values in (logits, said))
    distance = smooth_l1_loss(ours, theirs, reduction="sum")

    judged = ~said[:, SENTIMENT_LOGITS].isnan().any(1)
    known = one_hot(batch.sentiment.clamp(min=0), len(SENTIMENTS)).float()
    known[batch.sentiment < 0] = math.nan
    targets = with_known(said[:, SENTIMENT_LOGITS].softmax(1), known)
    sentiment = cross_entropy(logits[judged][:, SENTIMENT_LOGITS], targets[judged], reduction="sum")
    return (labels + DISTANCE_WEIGHT * distance + TEACHER_WEIGHT * teachers + sentiment) / len(logits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="the network before this step, where --start-from is one after it")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--texts", type=int, default=320_000)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer()
    rows = plan_epoch(read_rows_with_opinions(options.work), "settle", rng)

    # Without dropout: the network is to repeat itself, and sees no text twice.
    before, model = Classifier.empty().eval(), Classifier.empty().eval()
    for each, path in ((before, options.teacher or options.start_from), (model, options.start_from)):
        each.load_state_dict(torch.load(path, weights_only=True)["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=0.0, betas=(0.9, 0.98), fused=True)

    seen, running_loss, started = 0, None, time.monotonic()
    for chunk in samples(rows, options.texts, tokenizer, rng):
        said = said_of(before, chunk)
        groups = of_like_length([sample.ids for sample in chunk])
        rng.shuffle(groups)
        for group in groups:
            progress = seen / options.texts
            for parameters in optimizer.param_groups:
                parameters["lr"] = PEAK_RATE * min(progress / 0.03, 1.0) * max(0.0, 0.5 * (1 + math.cos(math.pi * progress)))
            batch = collate([(chunk[index].ids, chunk[index].known) for index in group])
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(batch.input_ids, batch.attention_mask)
            loss = loss_of(logits.float(), said[group], batch)
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
