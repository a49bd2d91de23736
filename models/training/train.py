"""Trains the classifier in two stages: all sources, then mostly those that define toxicity as it is served, and our own examples.

    python train.py --stage main --work work
    python train.py --stage settle --work work

A run writes work/<stage>.pt every few hundred steps and picks up from there when it is started again: the order of the texts
depends on the seed alone.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from augment import disguise, join
from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS, SENTIMENTS, TEACHER_LOGITS, TEACHERS, Row
from model import Classifier, quick_precision
from sources import FRAMES_SOURCES
from vocabulary import load_tokenizer
from windows import MAX_TOKENS, known_tokens

BATCH_TOKENS = 4096
CHUNK_ROWS = 8192
CHECKPOINT_STEPS = 500
# Only rows this short are joined: the rest of the window is for their companions.
JOINED_ROW_CHARACTERS = 300
MAX_COMPANIONS = 5
# Weight of one teacher's opinion against one known label. Log-odds are halved before they become a target: they then tell a harmless
# text from a more harmless one, where probabilities near zero are all alike.
TEACHER_WEIGHT = 0.3
TEACHER_TEMPERATURE = 2.0


@dataclass(frozen=True)
class Stage:
    epochs: int
    peak_rate: float
    disguised: float  # share of rows in a disguise
    joined: float  # share of short rows among harmless ones
    starts_from: str | None


STAGES = {
    "main": Stage(epochs=2, peak_rate=1e-4, disguised=0.08, joined=0.10, starts_from=None),
    "settle": Stage(epochs=2, peak_rate=5e-5, disguised=0.12, joined=0.25, starts_from="main"),
}

# How often the settling stage sees a source's rows: mostly Wikipedia talk pages under the Jigsaw definition, which is the one that is
# served; our own examples and the rare labels more often than in the main stage; of the rest enough to keep what it taught.
SETTLE_SHARE = {
    "jigsaw_train": 1.0,
    "jigsaw_wiki_subset": 0.8,
    "jigsaw_first20k": 0.7,
    "jigsaw_six_label_samples": 0.8,
    "jigsaw_nontoxic_sublabel": 0.7,
    "context_toxicity_wiki": 1.0,
    "toxic_spans": 0.4,
    "civil_comments_binary": 0.3,
    "civil_comments_toxic_subset": 0.15,
    "ruddit": 0.4,
    "hatemojibuild": 1.0,
    "dynahate": 1.0,
    "gab_hate_corpus": 0.35,
    "implicit_abuse_identity_groups": 0.6,
    "implicit_hate": 0.2,
    "hatexplain_rationales": 0.15,
    "paradetox": 0.1,
    "cad_reddit": 0.15,
    "edos": 0.08,
    "stormfront_vicomtech": 0.08,
    "swad": 0.4,
    "sbic": 0.6,
    "convabuse": 0.5,
    "hope_edi_en": 0.3,
    "sms_spam": 8.0,
    "spamassassin_email": 0.2,
    "cssrs_reddit": 0.4,
    "tweet_sentiment_extraction": 0.25,
    "semeval_2013_2016_sentiment": 0.25,
    "uci_sentiment_sentences": 0.4,
    "goemotions": 0.08,
    "nl2bash_benign": 0.08,
    "medquad_benign": 0.08,
    "clinc150_benign": 0.08,
    "banking77_benign": 0.08,
}
FRAMES_SHARE = 1.0
EXAMPLES_SHARE = 4.0
YOUTUBE_SHARE = 4.0


def share_of(row: Row, stage: str) -> float:
    """How often the row is seen per epoch: 0.4 means in two epochs out of five."""
    if stage == "main":
        return row.weight
    if row.source in FRAMES_SOURCES:
        return FRAMES_SHARE
    if row.source.startswith("examples/"):
        return EXAMPLES_SHARE
    return YOUTUBE_SHARE if row.source.startswith("Youtube") else SETTLE_SHARE.get(row.source, 0.0)


def read_rows(work: Path) -> list[Row]:
    """The rows of prepare.py."""
    with open(work / "train.jsonl", encoding="utf-8") as lines:
        return [Row(**json.loads(line)) for line in lines]


def read_rows_with_opinions(work: Path) -> list[Row]:
    """The rows of prepare.py with the opinions of teachers.py."""
    opinions = np.load(work / "teachers.npy").astype(np.float32)
    rows = read_rows(work)
    if len(rows) != len(opinions):
        raise SystemExit(f"teachers.npy is of other data ({len(opinions)} rows for {len(rows)}): run teachers.py again")
    for row, opinion in zip(rows, opinions, strict=True):
        row.teachers = opinion
    return rows


def plan_epoch(rows: list[Row], stage: str, rng: random.Random) -> list[Row]:
    """The rows of one epoch in random order."""
    plan = []
    for row in rows:
        times = share_of(row, stage)
        plan.extend([row] * (int(times) + (rng.random() < times % 1)))
    rng.shuffle(plan)
    return plan


def crop(ids: list[int], rng: random.Random) -> tuple[list[int], bool]:
    """At most MAX_TOKENS known tokens, and whether they are those at the beginning; by the same rule for toxic and harmless texts.

    With beginnings for toxic texts alone, the model learnt that a long text that starts at its start is toxic.
    """
    room = MAX_TOKENS - 2
    inner = known_tokens(ids[1:-1])
    start = 0 if rng.random() < 0.6 else rng.randrange(max(1, len(inner) - room + 1))
    return [ids[0], *inner[start : start + room], ids[-1]], start == 0


@dataclass
class Batch:
    input_ids: Tensor
    attention_mask: Tensor
    labels: Tensor  # [batch, labels], NaN where unknown
    sentiment: Tensor  # [batch], -100 where unknown
    teachers: Tensor  # [batch, teachers], log-odds, NaN where unknown


def padded_length(tokens: int) -> int:
    return -(-tokens // 8) * 8


def padded(texts: list[list[int]]) -> tuple[Tensor, Tensor]:
    """input_ids, attention_mask: int64 [texts, tokens]."""
    input_ids = torch.zeros(len(texts), padded_length(max(map(len, texts))), dtype=torch.long)
    mask = torch.zeros_like(input_ids)
    for index, ids in enumerate(texts):
        input_ids[index, : len(ids)] = torch.tensor(ids)
        mask[index, : len(ids)] = 1
    return input_ids, mask


def of_like_length(texts: list[list[int]], batch_tokens: int = BATCH_TOKENS) -> list[list[int]]:
    """Indices of texts of like length, about so many tokens a group, the longest first."""
    # Lengths in steps of 8 give few distinct shapes: the CPU kernels are compiled once for each.
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    groups = []
    while order:
        group = order[-(batch_tokens // padded_length(len(texts[order[-1]]))) :]
        groups.append(group)
        del order[-len(group) :]
    return groups


def collate(items: list[tuple[list[int], Row]]) -> Batch:
    input_ids, mask = padded([ids for ids, _ in items])
    labels = torch.full((len(items), len(LABELS)), float("nan"))
    sentiment = torch.full((len(items),), -100, dtype=torch.long)
    teachers = torch.full((len(items), len(TEACHERS)), float("nan"))
    for index, (_, row) in enumerate(items):
        for label, value in row.labels.items():
            labels[index, LABELS.index(label)] = value
        if row.sentiment:
            sentiment[index] = SENTIMENTS.index(row.sentiment)
        if row.teachers is not None:
            teachers[index] = torch.as_tensor(row.teachers)
    return Batch(input_ids, mask, labels, sentiment, teachers)


def presented(
    rows: Sequence[Row], stage: Stage, harmless: Sequence[Row], tokenizer: Tokenizer, rng: random.Random
) -> list[tuple[list[int], Row]]:
    """The ids that are read of each row, and what is known of these: some are disguised, some short ones joined to harmless ones."""
    shown = []
    for row in rows:
        if len(row.text) <= JOINED_ROW_CHARACTERS and rng.random() < stage.joined:
            row = join(row, rng.choices(harmless, k=rng.randint(1, MAX_COMPANIONS)), rng)
        if rng.random() < stage.disguised:
            row = Row(disguise(row.text, rng), row.labels, row.sentiment, teachers=row.teachers)
        shown.append(row)
    items = []
    for encoding, row in zip(tokenizer.encode_batch([row.text[:4000] for row in shown]), shown, strict=True):
        ids, at_beginning = crop(encoding.ids, rng)
        # The teachers judged the beginning.
        items.append((ids, row if at_beginning else replace(row, teachers=None)))
    return items


def can_be_companion(row: Row) -> bool:
    return row.labels.get("toxicity", 1.0) <= 0.1


def batches(rows: list[Row], stage: Stage, tokenizer: Tokenizer, rng: random.Random) -> Iterator[Batch]:
    """Batches of about BATCH_TOKENS tokens, of texts of like length, in random order within a chunk."""
    harmless = [row for row in rows if can_be_companion(row)]
    for begin in range(0, len(rows), CHUNK_ROWS):
        items = presented(rows[begin : begin + CHUNK_ROWS], stage, harmless, tokenizer, rng)
        groups = of_like_length([ids for ids, _ in items])
        rng.shuffle(groups)
        for group in groups:
            yield collate([items[index] for index in group])


def masked_cross_entropy(logits: Tensor, probabilities: Tensor) -> Tensor:
    """Sum over all that is not NaN."""
    losses = binary_cross_entropy_with_logits(logits, torch.nan_to_num(probabilities), reduction="none")
    return (losses * ~torch.isnan(probabilities)).sum()


def loss_of(logits: Tensor, batch: Batch) -> Tensor:
    """Binary cross-entropy of the labels and of the teachers' opinions and cross-entropy of the sentiment, a mean over the batch's texts."""
    labels = masked_cross_entropy(logits[:, LABEL_LOGITS], batch.labels)
    teachers = masked_cross_entropy(logits[:, TEACHER_LOGITS], torch.sigmoid(batch.teachers / TEACHER_TEMPERATURE))
    sentiment = cross_entropy(logits[:, SENTIMENT_LOGITS], batch.sentiment, reduction="sum", ignore_index=-100)
    return (labels + TEACHER_WEIGHT * teachers + sentiment) / len(batch.labels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=STAGES, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start-from", type=Path, help="a checkpoint to begin with instead of the one that the stage names")
    parser.add_argument("--epochs", type=int, help="instead of the stage's own number")
    parser.add_argument("--limit-rows", type=int, help="train on a random slice, for experiments")
    options = parser.parse_args()
    stage = STAGES[options.stage]
    epochs = options.epochs or stage.epochs
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)

    rows = read_rows_with_opinions(options.work)
    if options.limit_rows:
        rows = random.Random(options.seed).sample(rows, options.limit_rows)
    tokenizer = load_tokenizer()

    # A step is about BATCH_TOKENS tokens; the schedule follows the share of rows seen, so that it ends at zero exactly.
    plans = [plan_epoch(rows, options.stage, random.Random(options.seed + epoch)) for epoch in range(epochs)]
    total_rows = sum(map(len, plans))

    model = Classifier.from_base()
    beginning = options.start_from or (options.work / f"{stage.starts_from}.pt" if stage.starts_from else None)
    if beginning:
        model.load_state_dict(torch.load(beginning, weights_only=True)["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=stage.peak_rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    checkpoint_path = options.work / f"{options.stage}.pt"
    done_steps = 0
    if checkpoint_path.exists():
        checkpoint = torch.load(checkpoint_path, weights_only=True)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        done_steps = checkpoint["steps"]
        print(f"resuming after step {done_steps}", flush=True)

    def save(steps: int) -> None:
        temporary = checkpoint_path.with_suffix(".tmp")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "steps": steps}, temporary)
        temporary.replace(checkpoint_path)

    model.train()
    step, seen_rows, running_loss = 0, 0, None
    started, started_rows = time.monotonic(), None
    for epoch, plan in enumerate(plans):
        for batch in batches(plan, stage, tokenizer, random.Random(options.seed + 100 + epoch)):
            step += 1
            seen_rows += len(batch.labels)
            if step <= done_steps:
                continue
            if started_rows is None:
                started, started_rows = time.monotonic(), seen_rows
            progress = seen_rows / total_rows
            rate = stage.peak_rate * min(progress / 0.03, 1.0) * max(0.0, 0.5 * (1 + math.cos(math.pi * progress)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            with quick_precision(model.device):
                logits = model(batch.input_ids, batch.attention_mask)
            loss = loss_of(logits.float(), batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            running_loss = loss.item() if running_loss is None else 0.98 * running_loss + 0.02 * loss.item()
            if step % 50 == 0:
                per_second = (seen_rows - started_rows) / (time.monotonic() - started + 1e-9)
                left = (total_rows - seen_rows) / max(per_second, 1e-9) / 60
                print(
                    f"epoch {epoch + 1} step {step} rows {seen_rows}/{total_rows} loss {running_loss:.4f} "
                    f"{per_second:.0f} texts/s, {left:.0f} min left",
                    flush=True,
                )
            if step % CHECKPOINT_STEPS == 0:
                save(step)
    save(step)
    print(f"done: {step} steps", flush=True)


if __name__ == "__main__":
    main()
