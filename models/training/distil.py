"""Teaches our network what it and larger ones (general_teacher.py) say on average, of far more texts than anybody labelled (decision 68).

    python distil.py --work work --hard work/hard.jsonl --start-from work/before.pt --teachers work/E.pt work/F.pt --own spam --output work/distilled.pt

It reads what vile.py reads, in other shares. Of whole texts and of sentences alone all networks are asked, and the larger ones' log-odds are first
moved and stretched to spread as our network's do, which is calibrated. What stands within other text, our network alone judges as it did: the larger ones never learnt to. How
vile a sentence is, all say together, as vile.py has it; what readers graded is told besides.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from distillation import options_of
from labels import LABELS, SENTIMENT_LOGITS, Row
from model import Classifier
from readers import Sentence, grades_of_sentences
from reconcile import COMMENTS_WEIGHT, distance_of
from runtimes import device, load_checkpoint
from streams import add_options, in_parallel, judge, learn, on_device, padded_ids
from train import of_like_length, read_rows
from vile import SEVERE, SEVERE_WEIGHT, TOLD_BESIDE_TEACHERS, Sample, known_rows, samples, suspects
from vocabulary import load_tokenizer

PEAK_RATE = 2.2e-4
BATCH_TOKENS = 49_152
CHUNKS_AT_A_TIME = 3
# Whole texts, of which the larger networks know most that is new, far more often than vile.py has them.
SHARES = {"comment": 1.2, "other": 0.8, "spam": 0.16, "example": 0.4, "piece": 0.12, "within": 0.7, "hard": 0.4, "read": 0.4, "ungraded": 1.6}
# Of what is said on average, what our network says.
OWN_SHARE = 0.5
# Batches by which the larger networks are moved and stretched.
ALIGNED_BY = 24


@dataclass
class Batch:
    """[texts, tokens] and [texts]."""

    ids: Tensor
    # What the networks judge: the texts without their disguise.
    judged: Tensor
    vileness: Tensor
    weight: Tensor
    importance: Tensor
    is_asked_of_all: Tensor


def batch_of(chunk: Sequence[Sample]) -> Batch:
    return Batch(
        ids=padded_ids([sample.ids for sample in chunk]),
        judged=padded_ids([sample.judged for sample in chunk]),
        vileness=torch.tensor([sample.vileness for sample in chunk]),
        weight=torch.tensor([sample.weight for sample in chunk]),
        importance=torch.tensor([COMMENTS_WEIGHT if sample.is_comment else 1.0 for sample in chunk]),
        is_asked_of_all=torch.tensor([sample.is_alone or sample.is_whole for sample in chunk]),
    )


def batches(rows: list[Row], hard: list[Sentence], read: list[Sentence], count: int, rng: random.Random) -> Iterator[Batch]:
    drawn = samples(rows, hard, read, [], True, count, load_tokenizer(), rng, SHARES)
    while chunk := list(chain.from_iterable(islice(drawn, CHUNKS_AT_A_TIME))):
        groups = of_like_length([sample.ids for sample in chunk], BATCH_TOKENS)
        rng.shuffle(groups)
        for group in groups:
            yield batch_of([chunk[index] for index in group])


def as_opinions(logits: Tensor) -> Tensor:
    """Sentiment in log-probabilities, which several networks agree on."""
    logits = logits.clone()
    logits[:, SENTIMENT_LOGITS] = logits[:, SENTIMENT_LOGITS].log_softmax(1)
    return logits


@dataclass
class Panel:
    """Who is asked: our network as it was, and larger ones."""

    own: Classifier
    larger: Sequence[Classifier]
    # [larger networks, logits]: what makes their log-odds spread as ours do.
    scale: Tensor
    shift: Tensor
    own_share: Tensor  # [logits]

    @classmethod
    @torch.no_grad()
    def of(cls, own: Classifier, larger: Sequence[Classifier], own_labels: Sequence[str], known: Sequence[Batch]) -> "Panel":
        def said_by(model: Classifier) -> Tensor:
            return torch.cat([as_opinions(judge(model, batch.judged))[batch.is_asked_of_all] for batch in map(on_device, known)])

        ours, theirs = said_by(own), [said_by(model) for model in larger]
        scale = torch.stack([ours.std(0) / logits.std(0) for logits in theirs])
        shift = torch.stack([ours.mean(0) - factor * logits.mean(0) for factor, logits in zip(scale, theirs, strict=True)])
        scale[:, SENTIMENT_LOGITS], shift[:, SENTIMENT_LOGITS] = 1.0, 0.0
        own_share = torch.full_like(scale[0], OWN_SHARE)
        own_share[[SEVERE, *(LABELS.index(label) for label in own_labels)]] = 1.0
        return cls(own, larger, scale, shift, own_share)

    @torch.no_grad()
    def say(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """[texts, logits], what is to be said of each text, and [texts], how vile all together find it, as a probability."""
        own = as_opinions(judge(self.own, batch.judged))
        larger = torch.stack([as_opinions(judge(model, batch.judged)) for model in self.larger])
        vileness = torch.cat([own[None, :, SEVERE], larger[:, :, SEVERE]]).mean(0).sigmoid()
        aligned = (larger * self.scale[:, None] + self.shift[:, None]).mean(0)
        together = self.own_share * own + (1 - self.own_share) * aligned
        return torch.where(batch.is_asked_of_all[:, None], together, own), vileness


def loss_of(model: Classifier, batch: Batch, panel: Panel) -> Tensor:
    said, taught = panel.say(batch)
    told = torch.where(batch.weight > 0, TOLD_BESIDE_TEACHERS * batch.vileness + (1 - TOLD_BESIDE_TEACHERS) * taught, taught)
    vileness = torch.where(batch.is_asked_of_all, told, batch.vileness)
    weight = torch.where(batch.is_asked_of_all, 1.0, batch.weight)
    logits = judge(model, batch.ids)
    severity = binary_cross_entropy_with_logits(logits[:, SEVERE], vileness, reduction="none") * weight
    kept = logits.clone()
    # Of severe toxicity, nothing is kept where it is told.
    kept[:, SEVERE] = torch.where(weight > 0, said[:, SEVERE], logits[:, SEVERE])
    return (distance_of(kept, said) * batch.importance + SEVERE_WEIGHT * severity).mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True, help="our network")
    parser.add_argument("--teachers", type=Path, nargs="+", required=True, help="what general_teacher.py wrote")
    parser.add_argument("--hard", type=Path, required=True, help="what hard_negatives.py wrote")
    parser.add_argument("--own", choices=LABELS, nargs="*", default=[], help="labels that our network alone is asked of")
    parser.add_argument("--peak-rate", type=float, default=PEAK_RATE)
    add_options(parser)
    options = options_of(parser, texts=4_000_000)
    hard, doubtful = suspects(options.hard)
    rows, read = known_rows(read_rows(options.work), doubtful, grades_of_sentences())

    def draw(rng: random.Random) -> Iterator[Batch]:
        return batches(rows, hard, read, options.texts // options.workers, rng)

    stream = in_parallel(draw, options.workers, options.seed)
    first = list(islice(stream, ALIGNED_BY))  # the processes have started: from here on the GPU may be touched
    model = load_checkpoint(options.start_from).to(device())
    own, *larger = (load_checkpoint(path).to(device()) for path in (options.start_from, *options.teachers))
    panel = Panel.of(own, larger, options.own, first)
    learn(
        model,
        chain(first, stream),
        lambda network, batch: loss_of(network, batch, panel),
        lambda batch: len(batch.ids),
        options,
        options.peak_rate,
        weight_decay=0.0,
    )


if __name__ == "__main__":
    main()
