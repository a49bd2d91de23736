"""Teaches the network to see what stands among other text as it sees it alone, with itself as the teacher.

    python dilution.py --work work --start-from work/settle.pt --output work/undiluted.pt

An insult between two halves of somebody else's sentence scores far less than the insult alone, and a text of 10,000 characters is
read in windows that nobody cut with regard to it. So short texts are put within harmless ones, and what the network is to say of the whole, label
by label, is the higher of what it said, before this step, of the two apart; of what is known to be harmful at least that it plainly is. Our own examples get their
labels alone, as the network had kept some of them at arm's length ("do us all a favour and drink bleach" scored 3), and pieces of harmless comments are judged as
harmless as these are. The other texts stay as they are and get the mean of what it said of them and of what train.py's settling stage would teach it.

It costs some of the ranking of single comments: reconcile.py gets that back.
"""

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot, smooth_l1_loss

from augment import disguise, first_words, last_words, put_within
from calibrate import REFERENCE
from distillation import (
    CHUNK_TEXTS,
    LENGTHS,
    SHARES_OF_LENGTHS,
    SPAM,
    TOLD_BY_EXAMPLES,
    Lesson,
    Pools,
    is_example,
    logits_of,
    options_of,
    piece_of,
    readable,
    teach,
)
from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, SENTIMENTS, TEACHER_LOGITS, Row
from model import Classifier
from runtimes import load_checkpoint
from train import TEACHER_TEMPERATURE, TEACHER_WEIGHT, Batch, collate, crop, masked_cross_entropy, read_rows_with_opinions
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

PEAK_RATE = 4e-5
# Shares of the texts: put within others, pieces of harmless Wikipedia comments, and texts as they are, of which some are examples of ours.
HIDDEN, PIECES = 0.42, 0.13
EXAMPLES = 0.25
# What is hidden: examples of ours that are toxic, toxic Wikipedia comments, texts with a bad label of some kind, any. The share of these that is cut, as a
# window or a piece ends anywhere, and of what is disguised.
NEEDLES = (0.35, 0.10, 0.15, 0.40)
CUT = 0.15
HIDDEN_DISGUISED, DISGUISED = 0.08, 0.1
# Cross-entropy hardly tells log-odds of 2 from 4, and the threshold of a long text lies between them: so their distance counts too. How far below
# LEAST_LOGIT a harmless text lies says nothing.
DISTANCE_WEIGHT = 0.25
LEAST_LOGIT = -4.0
# Log-odds that are said at least of the known labels of a hidden text, an example of ours or a Wikipedia comment; and those of our examples as they are, of
# the labels that are harm.
LEAST_OF_EXAMPLE, LEAST_OF_COMMENT = 3.0, 1.5
EXAMPLE_TRUE, EXAMPLE_FALSE = 4.0, -4.0


@dataclass
class Sample:
    ids: list[int]
    # What the network judges to know what is to be said of `ids`: the text itself, or the hidden one and what stands around it.
    parts: list[list[int]]
    # What is known of `ids`: nothing where it is put together.
    known: Row
    # The row that is hidden in `ids`, if it is whole.
    hidden: Row | None = None


def samples(pools: Pools, count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    """Chunks of samples; the few of hidden texts that leave no room for others or for themselves are dropped."""
    for begin in range(0, count, CHUNK_TEXTS):
        # What is known of the text, the row hidden in it, and the text with its parts if it has any.
        texts: list[tuple[Row | None, Row | None, list[str]]] = []
        for _ in range(min(CHUNK_TEXTS, count - begin)):
            kind = rng.random()
            if kind < HIDDEN:
                row = pools.needle(NEEDLES, rng)
                room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
                hidden = disguise(row.text, rng) if rng.random() < HIDDEN_DISGUISED else row.text
                is_cut = rng.random() < CUT
                if is_cut:
                    hidden = rng.choice([first_words, last_words])(hidden, rng.randint(len(hidden) // 2, len(hidden)))
                whole, rest = put_within(hidden, pools.around(rng), room, rng)
                if rest:
                    texts.append((None, None if is_cut else row, [whole, hidden, rest]))
            elif kind < HIDDEN + PIECES:
                row = rng.choice(pools.harmless_comments)
                texts.append((replace(row, teachers=None), None, [piece_of(row.text, rng)]))
            else:
                row = rng.choice(pools.examples if rng.random() < EXAMPLES else pools.rows)
                texts.append((row, None, [disguise(row.text, rng) if rng.random() < DISGUISED else row.text]))
        encodings = iter(tokenizer.encode_batch([text[:4000] for *_, whole_and_parts in texts for text in whole_and_parts]))
        chunk = []
        for known, hidden_row, whole_and_parts in texts:
            whole_ids, *parts = [next(encodings).ids for _ in whole_and_parts]
            if known:
                ids, at_beginning = crop(whole_ids, rng)
                chunk.append(Sample(ids, [ids], known if at_beginning else replace(known, teachers=None)))
            elif len(whole_ids) <= MAX_TOKENS:
                chunk.append(Sample(readable(whole_ids), [readable(part) for part in parts], Row(""), hidden_row))
        yield chunk


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


def insisted(said: Tensor, chunk: list[Sample]) -> Tensor:
    """What was said, where labels say more: of hidden texts that are known to be harmful, and of our examples."""
    result = said.clone()
    for row, sample in zip(result, chunk, strict=True):
        if sample.hidden and (is_example(sample.hidden) or sample.hidden.source in REFERENCE):
            least = LEAST_OF_EXAMPLE if is_example(sample.hidden) else LEAST_OF_COMMENT
            for column, label in enumerate(LABELS):
                if column != SPAM and sample.hidden.labels.get(label, 0.0) >= 0.5:
                    row[column] = max(float(row[column]), least)
        if is_example(sample.known):
            for label in TOLD_BY_EXAMPLES:
                row[LABELS.index(label)] = EXAMPLE_TRUE if sample.known.labels[label] >= 0.5 else EXAMPLE_FALSE
    return result


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


def lesson_of(chunk: list[Sample], before: Classifier) -> Lesson:
    said = insisted(said_of(before, chunk), chunk)

    def loss(logits: Tensor, group: list[int]) -> Tensor:
        return loss_of(logits, said[group], collate([(chunk[index].ids, chunk[index].known) for index in group]))

    return Lesson([sample.ids for sample in chunk], loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="the network before this step, where --start-from is one after it")
    options = options_of(parser, texts=190_000)
    rng = random.Random(options.seed)
    pools = Pools.of(read_rows_with_opinions(options.work), rng)
    # Without dropout: the network is to repeat itself, and sees no text twice.
    before, model = load_checkpoint(options.teacher or options.start_from), load_checkpoint(options.start_from)
    lessons = (lesson_of(chunk, before) for chunk in samples(pools, options.texts, load_tokenizer(), rng))
    teach(model, lessons, options, PEAK_RATE, rng)


if __name__ == "__main__":
    main()
