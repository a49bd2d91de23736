"""What dilution.py and reconcile.py share: the texts that they are put together of, what a teacher says of them, and the loop."""

import argparse
import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from calibrate import REFERENCE
from labels import LABELS, Row
from model import Classifier, quick_precision
from sources import FRAMES_SOURCES
from train import of_like_length, padded, plan_epoch
from windows import known_tokens

# So many texts are judged by the teachers and then sorted by length at a time.
CHUNK_TEXTS = 4096
# Of frames, which are many and alike, one in so many is hidden.
FRAMES_STEP = 3
MOST_HIDDEN_CHARACTERS = 300
# Of a whole text, and how many texts in ten are of such a length: a window, or a piece of the closer look.
LENGTHS, SHARES_OF_LENGTHS = ((240, 480), (60, 200)), (5, 5)
PIECE_CHARACTERS = (50, 200)
MAX_COMPANIONS = 4
SPAM = LABELS.index("spam")
# The half of the encoder that stays as it is where one output is to learn and the others are to be kept.
FROZEN_LAYERS = 3
# What an example of ours is known to be or not to be. Severe toxicity is not marked wherever it is true, obscenity and spam are no harm.
TOLD_BY_EXAMPLES = ("toxicity", "threat", "insult", "identity_attack", "sexual_explicit", "self_harm")


@dataclass
class Lesson:
    """Texts with what the network is to learn of them."""

    ids: list[list[int]]
    # Of logits, float32 [texts of a group, logits], and the indices of the group's texts.
    loss_of: Callable[[Tensor, list[int]], Tensor]


def options_of(parser: argparse.ArgumentParser, texts: int) -> argparse.Namespace:
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--texts", type=int, default=texts)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    return options


def rate_at(progress: float, peak: float) -> float:
    """The learning rate after a share of the texts: it rises for 3 % of them and falls as a cosine to zero."""
    return peak * min(progress / 0.03, 1.0) * max(0.0, 0.5 * (1 + math.cos(math.pi * progress)))


def teach(model: Classifier, lessons: Iterable[Lesson], options: argparse.Namespace, peak_rate: float, rng: random.Random) -> None:
    """Trains `model` in bfloat16 and writes it to `options.output` after each lesson."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak_rate, weight_decay=0.0, betas=(0.9, 0.98), fused=True)
    seen, running_loss, started = 0, None, time.monotonic()
    for lesson in lessons:
        groups = of_like_length(lesson.ids)
        rng.shuffle(groups)
        for group in groups:
            progress = seen / options.texts
            for parameters in optimizer.param_groups:
                parameters["lr"] = rate_at(progress, peak_rate)
            with quick_precision(model.device):
                logits = model(*padded([lesson.ids[index] for index in group]))
            loss = lesson.loss_of(logits.float(), group)
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


def freeze_lower_layers(model: Classifier) -> None:
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:FROZEN_LAYERS]):
        part.requires_grad_(False)


def is_example(row: Row) -> bool:
    return row.source.startswith("examples/")


@dataclass
class Pools:
    """What samples are drawn from."""

    rows: list[Row]  # of an epoch of the settling stage
    harmless: list[Row]
    harmless_comments: list[Row]  # Wikipedia's
    examples: list[Row]
    needles: tuple[list[Row], ...]  # as NEEDLES

    @classmethod
    def of(cls, known: list[Row], rng: random.Random) -> "Pools":
        rows = plan_epoch(known, "settle", rng)
        short = [row for row in rows if len(row.text) <= MOST_HIDDEN_CHARACTERS]
        toxic = [row for row in known if row.labels.get("toxicity", 0.0) >= 0.5 and len(row.text) <= MOST_HIDDEN_CHARACTERS]
        frames = [row for row in toxic if row.source in FRAMES_SOURCES]
        return cls(
            rows,
            harmless=[row for row in rows if row.labels.get("toxicity", 1.0) <= 0.1],
            harmless_comments=[row for row in known if row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05],
            examples=[row for row in known if is_example(row)],
            needles=(
                [row for row in toxic if is_example(row) and row.source not in FRAMES_SOURCES] + frames[::FRAMES_STEP],
                [row for row in toxic if row.source in REFERENCE],
                [row for row in short if any(value >= 0.5 for value in row.labels.values())],
                short,
            ),
        )

    def needle(self, shares: tuple[float, ...], rng: random.Random) -> Row:
        return rng.choice(rng.choices(self.needles, shares)[0])

    def around(self, rng: random.Random) -> list[str]:
        companions = self.harmless_comments if rng.random() < 0.5 else self.harmless
        return [row.text for row in rng.choices(companions, k=rng.randint(1, MAX_COMPANIONS))]


def piece_of(text: str, rng: random.Random) -> str:
    """A stretch of the text as the closer look cuts it, without the word that it begins within."""
    length = rng.randint(*PIECE_CHARACTERS)
    start = rng.randrange(max(1, len(text) - length + 1))
    piece = text[start : start + length].strip()
    return (piece.partition(" ")[2] or piece) if start else piece


def readable(ids: list[int]) -> list[int]:
    return [ids[0], *known_tokens(ids[1:-1]), ids[-1]]


@torch.no_grad()
def logits_of(model: Classifier, texts: list[list[int]]) -> Tensor:
    """float32 [texts, logits]"""
    result = torch.empty(len(texts), model.output.out_features)
    for group in of_like_length(texts):
        with quick_precision(model.device):
            result[group] = model(*(each.to(model.device) for each in padded([texts[index] for index in group]))).float().cpu()
    return result
