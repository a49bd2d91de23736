"""Makes one network of two: it is to judge whole comments as the one before dilution.py does, and what stands among other text as the one after it.

    python reconcile.py --work work --comments work/settle.pt --hidden work/undiluted.pt --output work/reconciled.pt

dilution.py moves the ranking of single comments, and the mean of weights gives back half of that for half of what it gained. So the mean is only where this begins:
from there the network learns the log-odds of both teachers, labels and opinions alike, since toxicity is blended from all of them. Labels take part where they are
plain: what is known of an example of ours is told, and that harmless comments hold nothing severe. So severe toxicity, which Wikipedia's comments are hardly ever
ranked by, comes to stand for what anybody would call vile. A disguised text is to be judged as the first or second teacher judges it undisguised.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import kl_div, smooth_l1_loss

from augment import disguise, put_within
from average import mean_of
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
from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, TEACHER_LOGITS, TEACHERS, Row
from model import Classifier
from runtimes import load_checkpoint
from train import crop, read_rows
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

PEAK_RATE = 6e-5
# Of the texts: Wikipedia comments and texts of any source, which the first teacher judges; our examples, pieces of harmless comments and hidden
# texts, which the second does. Of the comments, the share that is toxic for certain; of whole texts that are short enough to fit a
# window in any disguise, the share that gets one.
COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN = 0.42, 0.11, 0.14, 0.08, 0.25
TOXIC = 0.25
DISGUISED = 0.15
MOST_DISGUISED_CHARACTERS = 400
# What is hidden, as NEEDLES of dilution.py.
NEEDLES = (0.40, 0.15, 0.15, 0.30)
# Of our examples, alone or hidden, how many come from the plain abuse and what looks like it.
VILE_SOURCE = "examples/vile"
VILE = 0.33
COMMENTS_WEIGHT = 1.5
TOXICITY_WEIGHT, SEVERE_WEIGHT = 4.0, 3.0
SENTIMENT_WEIGHT = 0.3
# How far below this a harmless text lies says nothing.
LEAST_LOGIT = -7.0
# Log-odds that an example has at least, or at most, for a label that is known of it.
TRUE_LOGIT, FALSE_LOGIT = 4.0, -4.0
SEVERE = LABELS.index("severe_toxicity")


@cache
def weights(device: torch.device) -> Tensor:
    """Of each label and opinion in the loss; their sum is 1."""
    result = torch.ones(len(LABELS) + len(TEACHERS))
    result[LABELS.index("toxicity")] = TOXICITY_WEIGHT
    result[SEVERE] = SEVERE_WEIGHT
    return (result / result.sum()).to(device)


@dataclass
class Sample:
    ids: list[int]
    of_first_teacher: bool
    # What the teacher judges: the text itself, without its disguise if it has one; or the one that is hidden, what stands around it, and the whole.
    judged: list[list[int]]
    # The example of ours that it is, or that is hidden in it.
    example: Row | None = None
    is_piece: bool = False
    # A whole comment that is not toxic at all.
    is_harmless: bool = False

    @property
    def hides_something(self) -> bool:
        return len(self.judged) > 1


@dataclass
class Draft:
    """A sample as text."""

    text: str
    of_first_teacher: bool
    # What the teacher judges where that is not `text`.
    judged: list[str] | None = None
    example: Row | None = None
    is_piece: bool = False
    is_harmless: bool = False


def drafts(pools: Pools, comments: list[Row], count: int, rng: random.Random) -> Iterator[Draft]:
    """`count` of them, less the few hidden texts that leave no room for others."""
    toxic = [row for row in comments if row.labels.get("toxicity", 0.0) >= 0.5]
    vile = [row for row in pools.examples if row.source == VILE_SOURCE]

    def alone(row: Row, **known) -> Draft:
        if len(row.text) <= MOST_DISGUISED_CHARACTERS and rng.random() < DISGUISED:
            return Draft(disguise(row.text, rng), judged=[row.text], **known)
        return Draft(row.text, **known)

    for kind in rng.choices(("comment", "other", "example", "piece", "hidden"), (COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN), k=count):
        if kind == "comment":
            row = rng.choice(toxic if rng.random() < TOXIC else comments)
            yield alone(row, of_first_teacher=True, is_harmless=row.labels.get("toxicity", 1.0) <= 0.05)
        elif kind == "other":
            yield alone(rng.choice(pools.rows), of_first_teacher=True)
        elif kind == "example":
            row = rng.choice(vile if rng.random() < VILE else pools.examples)
            yield alone(row, of_first_teacher=False, example=row)
        elif kind == "piece":
            yield Draft(piece_of(rng.choice(pools.harmless_comments).text, rng), of_first_teacher=False, is_piece=True)
        else:
            row = pools.needle(NEEDLES, rng)
            if is_example(row) and rng.random() < VILE:
                row = rng.choice(vile)
            room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
            whole, rest = put_within(row.text, pools.around(rng), room, rng)
            if rest:
                yield Draft(whole, of_first_teacher=False, judged=[row.text, rest, whole], example=row if is_example(row) else None)


def samples(pools: Pools, comments: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    """Chunks of samples; the few of put-together texts that are longer than a window are dropped."""
    for begin in range(0, count, CHUNK_TEXTS):
        chunk = []
        for draft in drafts(pools, comments, min(CHUNK_TEXTS, count - begin), rng):
            ids, *judged = [encoding.ids for encoding in tokenizer.encode_batch([text[:4000] for text in (draft.text, *(draft.judged or ()))])]
            ids = readable(ids) if judged else crop(ids, rng)[0]
            if len(ids) <= MAX_TOKENS:
                seen = [readable(text)[:MAX_TOKENS] for text in judged] or [ids]
                chunk.append(Sample(ids, draft.of_first_teacher, seen, draft.example, draft.is_piece, draft.is_harmless))
        yield chunk


def said_of(first: Classifier, second: Classifier, chunk: list[Sample]) -> Tensor:
    """[samples, logits]: what its teacher says of each, of a hidden text the higher of what it says of the two parts; sentiment and spam are those of the
    whole. Then what is known is told."""
    judgements: list[Tensor] = [torch.empty(0)] * len(chunk)
    for teacher, is_first in ((first, True), (second, False)):
        members = [index for index, sample in enumerate(chunk) if sample.of_first_teacher is is_first]
        logits = logits_of(teacher, [ids for index in members for ids in chunk[index].judged])
        for index, of_sample in zip(members, logits.split([len(chunk[index].judged) for index in members]), strict=True):
            judgements[index] = of_sample

    said = []
    for sample, of_sample in zip(chunk, judgements, strict=True):
        row = of_sample[0].clone()
        if sample.hides_something:
            hidden, rest, whole = of_sample
            row = torch.maximum(hidden, rest)
            row[SENTIMENT_LOGITS], row[SPAM] = whole[SENTIMENT_LOGITS], whole[SPAM]
        tell(row, sample)
        said.append(row)
    return torch.stack(said)


def tell(said: Tensor, sample: Sample) -> None:
    """Moves what was said of a sample, in place, to where labels are plain.

    What is false of an example need not be false of what it is hidden in. Not every example that is severe is labelled so, hence only what is not
    toxic at all is known not to be severe. The comment that a piece is of is harmless, and a piece seldom looks worse than it for a reason: the teacher is
    believed half of the probability that it gives.
    """
    if sample.example:
        for label in (*TOLD_BY_EXAMPLES, "severe_toxicity"):
            column = LABELS.index(label)
            if sample.example.labels[label] >= 0.5:
                said[column] = said[column].clamp(min=TRUE_LOGIT)
            elif not sample.hides_something and (column != SEVERE or sample.example.labels["toxicity"] < 0.5):
                said[column] = said[column].clamp(max=FALSE_LOGIT)
    if sample.is_piece:
        for opinions in (said[LABEL_LOGITS], said[TEACHER_LOGITS]):
            opinions.copy_(torch.logit(opinions.sigmoid() / 2))
    if sample.is_piece or sample.is_harmless:
        said[SEVERE] = said[SEVERE].clamp(max=FALSE_LOGIT)


def distance_of(logits: Tensor, said: Tensor) -> Tensor:
    """[texts]: of labels and opinions in log-odds, and of sentiment."""

    def opinions(values: Tensor) -> Tensor:
        return torch.cat([values[:, LABEL_LOGITS], values[:, TEACHER_LOGITS]], dim=1).clamp(min=LEAST_LOGIT)

    distance = smooth_l1_loss(opinions(logits), opinions(said), reduction="none") @ weights(logits.device)
    ours, theirs = (values[:, SENTIMENT_LOGITS].log_softmax(1) for values in (logits, said))
    return distance + SENTIMENT_WEIGHT * kl_div(ours, theirs, log_target=True, reduction="none").sum(1)


def lesson_of(chunk: list[Sample], first: Classifier, second: Classifier) -> Lesson:
    said = said_of(first, second, chunk)
    importance = torch.tensor([COMMENTS_WEIGHT if sample.of_first_teacher else 1.0 for sample in chunk])

    def loss(logits: Tensor, group: list[int]) -> Tensor:
        return (distance_of(logits, said[group]) * importance[group]).mean()

    return Lesson([sample.ids for sample in chunk], loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comments", type=Path, required=True, help="the network whose judgement of whole texts is to stay")
    parser.add_argument("--hidden", type=Path, required=True, help="the one that dilution.py made of it")
    parser.add_argument("--start-from", type=Path, help="in place of the mean of both")
    parser.add_argument("--peak-rate", type=float, default=PEAK_RATE)
    options = options_of(parser, texts=250_000)
    rng = random.Random(options.seed)
    rows = read_rows(options.work)
    pools = Pools.of(rows, rng)
    comments = [row for row in rows if row.source in (*REFERENCE, "context_toxicity_wiki")]

    first, second, model = load_checkpoint(options.comments), load_checkpoint(options.hidden), Classifier.empty().eval()
    model.load_state_dict(mean_of([options.start_from] if options.start_from else [options.comments, options.hidden]))
    lessons = (lesson_of(chunk, first, second) for chunk in samples(pools, comments, options.texts, load_tokenizer(), rng))
    teach(model, lessons, options, options.peak_rate, rng)


if __name__ == "__main__":
    main()
