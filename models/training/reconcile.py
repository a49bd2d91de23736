"""Makes one network of two: it is to judge whole comments as the one before dilution.py does, and what stands among other text as the one after it.

    python reconcile.py --work work --comments work/settle.pt --hidden work/undiluted.pt --output work/reconciled.pt

dilution.py moves the ranking of single comments, and the mean of weights gives back half of that for half of what it gained. So the mean is only where this begins:
from there the network learns the log-odds of both teachers, labels and opinions alike, since toxicity is blended from all of them. No label takes part.
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
from torch.nn.functional import kl_div, smooth_l1_loss

from augment import disguise, put_within
from calibrate import REFERENCE
from dilution import CHUNK_TEXTS, LENGTHS, SHARES_OF_LENGTHS, SPAM, Pools, logits_of, piece_of, readable
from labels import LABEL_LOGITS, SENTIMENT_LOGITS, TEACHER_LOGITS, Row
from model import Classifier
from train import crop, of_like_length, padded, read_rows_with_opinions
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

PEAK_RATE = 4e-5
# Of the texts: Wikipedia comments and texts of any source, which the first teacher judges; our examples, pieces of harmless comments and hidden
# texts, which the second does. Of the comments, the share that is toxic for certain; of the other texts, that which is disguised.
COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN = 0.45, 0.13, 0.14, 0.08, 0.20
TOXIC = 0.2
DISGUISED = 0.1
# What is hidden, as NEEDLES of dilution.py.
NEEDLES = (0.40, 0.15, 0.15, 0.30)
COMMENTS_WEIGHT = 1.5
SENTIMENT_WEIGHT = 0.3
# How far below this a harmless text lies says nothing.
LEAST_LOGIT = -7.0


@dataclass
class Sample:
    ids: list[int]
    of_first_teacher: bool
    # Of a text that is put together: the hidden one and what stands around it.
    parts: list[list[int]]


def samples(pools: Pools, comments: list[Row], count: int, tokenizer: Tokenizer, rng: random.Random) -> Iterator[list[Sample]]:
    toxic = [row for row in comments if row.labels.get("toxicity", 0.0) >= 0.5]
    kinds = ("comment", "other", "example", "piece", "hidden")
    for begin in range(0, count, CHUNK_TEXTS):
        texts: list[tuple[bool, list[str]]] = []
        for kind in rng.choices(kinds, (COMMENTS, OTHERS, EXAMPLES, PIECES, HIDDEN), k=min(CHUNK_TEXTS, count - begin)):
            if kind == "comment":
                texts.append((True, [rng.choice(toxic if rng.random() < TOXIC else comments).text]))
            elif kind == "other":
                text = rng.choice(pools.rows).text
                texts.append((True, [disguise(text, rng) if rng.random() < DISGUISED else text]))
            elif kind == "example":
                texts.append((False, [rng.choice(pools.examples).text]))
            elif kind == "piece":
                texts.append((False, [piece_of(rng.choice(pools.harmless_comments).text, rng)]))
            else:
                hidden = pools.needle(NEEDLES, rng).text
                room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
                whole, rest = put_within(hidden, pools.around(rng), room, rng)
                if rest:
                    texts.append((False, [whole, hidden, rest]))
        encodings = iter(tokenizer.encode_batch([text[:4000] for _, whole_and_parts in texts for text in whole_and_parts]))
        chunk = []
        for of_first_teacher, whole_and_parts in texts:
            whole_ids, *parts = [next(encodings).ids for _ in whole_and_parts]
            ids = readable(whole_ids) if parts else crop(whole_ids, rng)[0]
            if len(ids) <= MAX_TOKENS:
                chunk.append(Sample(ids, of_first_teacher, [readable(part)[:MAX_TOKENS] for part in parts]))
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
    return said


def loss_of(logits: Tensor, said: Tensor, of_first_teacher: Tensor) -> Tensor:
    def opinions(values: Tensor) -> Tensor:
        return torch.cat([values[:, LABEL_LOGITS], values[:, TEACHER_LOGITS]], dim=1).clamp(min=LEAST_LOGIT)

    distance = smooth_l1_loss(opinions(logits), opinions(said), reduction="none").mean(1)
    ours, theirs = (values[:, SENTIMENT_LOGITS].log_softmax(1) for values in (logits, said))
    sentiment = kl_div(ours, theirs, log_target=True, reduction="none").sum(1)
    return (distance * torch.where(of_first_teacher, COMMENTS_WEIGHT, 1.0) + SENTIMENT_WEIGHT * sentiment).mean()


def load(path: Path) -> Classifier:
    model = Classifier.empty().eval()
    model.load_state_dict(torch.load(path, weights_only=True)["model"])
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comments", type=Path, required=True, help="the network whose judgement of whole texts is to stay")
    parser.add_argument("--hidden", type=Path, required=True, help="the one that dilution.py made of it")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--texts", type=int, default=95_000)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer()
    rows = read_rows_with_opinions(options.work)
    pools = Pools.of(rows, rng)
    comments = [row for row in rows if row.source in (*REFERENCE, "context_toxicity_wiki")]

    first, second, model = load(options.comments), load(options.hidden), Classifier.empty().eval()
    theirs = second.state_dict()
    model.load_state_dict(
        {name: (value + theirs[name]) / 2 if value.is_floating_point() else value for name, value in first.state_dict().items()}
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=0.0, betas=(0.9, 0.98), fused=True)

    seen, running_loss, started = 0, None, time.monotonic()
    for chunk in samples(pools, comments, options.texts, tokenizer, rng):
        said = said_of(first, second, chunk)
        of_first_teacher = torch.tensor([sample.of_first_teacher for sample in chunk])
        groups = of_like_length([sample.ids for sample in chunk])
        rng.shuffle(groups)
        for group in groups:
            progress = seen / options.texts
            for parameters in optimizer.param_groups:
                parameters["lr"] = PEAK_RATE * min(progress / 0.03, 1.0) * max(0.0, 0.5 * (1 + math.cos(math.pi * progress)))
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(*padded([chunk[index].ids for index in group]))
            loss = loss_of(logits.float(), said[group], of_first_teacher[group])
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
