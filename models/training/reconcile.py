"""Makes one network of two: it is to judge whole comments as the one before dilution.py does, and what stands among other text as the one after it.

    python reconcile.py --work work --comments work/settle.pt --hidden work/undiluted.pt --output work/reconciled.pt

dilution.py moves the ranking of single comments, and the mean of weights gives back half of that for half of what it gained. So the mean is only where this begins:
from there the network learns the log-odds of both teachers, labels and opinions alike, since toxicity is blended from all of them. Labels take part where they are
our own: what is known of an example is told. So severe toxicity, which Wikipedia's comments are hardly ever ranked by, comes to stand for what anybody
would call vile.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
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
from train import crop, read_rows_with_opinions
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

PEAK_RATE = 5e-5
# Of the texts: Wikipedia comments and texts of any source, which the first teacher judges; our examples, pieces of harmless comments and hidden
# texts, which the second does. Of the comments, the share that is toxic for certain; of the other texts, that which is disguised.
COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN = 0.45, 0.13, 0.12, 0.10, 0.20
TOXIC = 0.25
DISGUISED = 0.1
# What is hidden, as NEEDLES of dilution.py.
NEEDLES = (0.40, 0.15, 0.15, 0.30)
# Of our examples, alone or hidden, how many come from the plain abuse and what looks like it.
VILE_SOURCE = "examples/vile"
VILE = 0.28
COMMENTS_WEIGHT = 1.5
TOXICITY_WEIGHT, SEVERE_WEIGHT = 4.0, 3.0
SENTIMENT_WEIGHT = 0.3
# How far below this a harmless text lies says nothing.
LEAST_LOGIT = -7.0
# Log-odds that an example has at least, or at most, for a label that is known of it.
TRUE_LOGIT, FALSE_LOGIT = 3.0, -3.0
SEVERE = LABELS.index("severe_toxicity")


def weights() -> Tensor:
    """Of each label and opinion in the loss; their sum is 1."""
    result = torch.ones(len(LABELS) + len(TEACHERS))
    result[LABELS.index("toxicity")] = TOXICITY_WEIGHT
    result[SEVERE] = SEVERE_WEIGHT
    return result / result.sum()


WEIGHTS = weights()


@dataclass
class Sample:
    ids: list[int]
    of_first_teacher: bool
    # Of a text that is put together: the hidden one and what stands around it.
    parts: list[list[int]]
    # The example of ours that it is, or that is hidden in it.
    example: Row | None = None


def samples(pools: Pools, comments: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    toxic = [row for row in comments if row.labels.get("toxicity", 0.0) >= 0.5]
    vile = [row for row in pools.examples if row.source == VILE_SOURCE]
    kinds = ("comment", "other", "example", "piece", "hidden")
    for begin in range(0, count, CHUNK_TEXTS):
        # Whose judgement it is to get, the example in it, and the text with its parts if it has any.
        texts: list[tuple[bool, Row | None, list[str]]] = []
        for kind in rng.choices(kinds, (COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN), k=min(CHUNK_TEXTS, count - begin)):
            if kind == "comment":
                texts.append((True, None, [rng.choice(toxic if rng.random() < TOXIC else comments).text]))
            elif kind == "other":
                text = rng.choice(pools.rows).text
                texts.append((True, None, [disguise(text, rng) if rng.random() < DISGUISED else text]))
            elif kind == "example":
                row = rng.choice(vile if rng.random() < VILE else pools.examples)
                texts.append((False, row, [disguise(row.text, rng) if rng.random() < DISGUISED else row.text]))
            elif kind == "piece":
                texts.append((False, None, [piece_of(rng.choice(pools.harmless_comments).text, rng)]))
            else:
                row = pools.needle(NEEDLES, rng)
                if is_example(row) and rng.random() < VILE:
                    row = rng.choice(vile)
                room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
                whole, rest = put_within(row.text, pools.around(rng), room, rng)
                if rest:
                    texts.append((False, row if is_example(row) else None, [whole, row.text, rest]))
        encodings = iter(tokenizer.encode_batch([text[:4000] for *_, whole_and_parts in texts for text in whole_and_parts]))
        chunk = []
        for of_first_teacher, example, whole_and_parts in texts:
            whole_ids, *parts = [next(encodings).ids for _ in whole_and_parts]
            ids = readable(whole_ids) if parts else crop(whole_ids, rng)[0]
            if len(ids) <= MAX_TOKENS:
                chunk.append(Sample(ids, of_first_teacher, [readable(part)[:MAX_TOKENS] for part in parts], example))
        yield chunk


def said_of(first: Classifier, second: Classifier, chunk: list[Sample]) -> Tensor:
    """[samples, logits]: what its teacher says of each, of a hidden text the higher of what it says of the two parts; sentiment and spam are those of the whole."""
    said = torch.empty(len(chunk), first.output.out_features)
    by_first = [index for index, sample in enumerate(chunk) if sample.of_first_teacher]
    by_second = [index for index, sample in enumerate(chunk) if not sample.of_first_teacher]
    said[by_first] = logits_of(first, [chunk[index].ids for index in by_first])
    said[by_second] = logits_of(second, [chunk[index].ids for index in by_second])
    hidden = [index for index, sample in enumerate(chunk) if sample.parts]
    parts = logits_of(second, [part for index in hidden for part in chunk[index].parts])
    for index, both in zip(hidden, parts.split(2), strict=True):
        whole = said[index].clone()
        said[index] = both.amax(0)
        said[index, SENTIMENT_LOGITS], said[index, SPAM] = whole[SENTIMENT_LOGITS], whole[SPAM]
    for row, sample in zip(said, chunk, strict=True):
        if sample.example:
            insist(row, sample.example, is_hidden=bool(sample.parts))
    return said


def insist(said: Tensor, example: Row, is_hidden: bool) -> None:
    """Moves what was said of an example, in place, to where its labels are plain. What is false of it need not be false of what it is hidden in.

    Not every example that is severe is labelled so, hence only what is not toxic at all is known not to be severe.
    """
    for label in (*TOLD_BY_EXAMPLES, "severe_toxicity"):
        column = LABELS.index(label)
        if example.labels[label] >= 0.5:
            said[column] = said[column].clamp(min=TRUE_LOGIT)
        elif not is_hidden and (column != SEVERE or example.labels["toxicity"] < 0.5):
            said[column] = said[column].clamp(max=FALSE_LOGIT)


def loss_of(logits: Tensor, said: Tensor, of_first_teacher: Tensor) -> Tensor:
    def opinions(values: Tensor) -> Tensor:
        return torch.cat([values[:, LABEL_LOGITS], values[:, TEACHER_LOGITS]], dim=1).clamp(min=LEAST_LOGIT)

    distance = smooth_l1_loss(opinions(logits), opinions(said), reduction="none") @ WEIGHTS
    ours, theirs = (values[:, SENTIMENT_LOGITS].log_softmax(1) for values in (logits, said))
    sentiment = kl_div(ours, theirs, log_target=True, reduction="none").sum(1)
    return (distance * torch.where(of_first_teacher, COMMENTS_WEIGHT, 1.0) + SENTIMENT_WEIGHT * sentiment).mean()


def lesson_of(chunk: list[Sample], first: Classifier, second: Classifier) -> Lesson:
    said = said_of(first, second, chunk)
    of_first_teacher = torch.tensor([sample.of_first_teacher for sample in chunk])

    def loss(logits: Tensor, group: list[int]) -> Tensor:
        return loss_of(logits, said[group], of_first_teacher[group])

    return Lesson([sample.ids for sample in chunk], loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comments", type=Path, required=True, help="the network whose judgement of whole texts is to stay")
    parser.add_argument("--hidden", type=Path, required=True, help="the one that dilution.py made of it")
    parser.add_argument("--start-from", type=Path, help="in place of the mean of both")
    options = options_of(parser, texts=270_000)
    rng = random.Random(options.seed)
    rows = read_rows_with_opinions(options.work)
    pools = Pools.of(rows, rng)
    comments = [row for row in rows if row.source in (*REFERENCE, "context_toxicity_wiki")]

    first, second, model = load_checkpoint(options.comments), load_checkpoint(options.hidden), Classifier.empty().eval()
    model.load_state_dict(mean_of([options.start_from] if options.start_from else [options.comments, options.hidden]))
    lessons = (lesson_of(chunk, first, second) for chunk in samples(pools, comments, options.texts, load_tokenizer(), rng))
    teach(model, lessons, options, PEAK_RATE, rng)


if __name__ == "__main__":
    main()
