"""Stage student: six layers learn what people said of whole texts and what the teachers say of every segment. Writes student/checkpoint.pt.

Steps and seeds decide what comes out, never the clock. It goes on from its last checkpoint exactly as if it had not stopped.
"""

import hashlib
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from parapet_training.device import chosen_device
from parapet_training.disguises import disguise
from parapet_training.files import read_lines
from parapet_training.labels import LABELS, OTHER, OUTPUTS, SENTIMENTS
from parapet_training.network import Classifier, precision, pretrained
from parapet_training.params import Params, StudentParams, folder_of
from parapet_training.restore import load_weights
from parapet_training.scoring import checked, ids_of
from parapet_training.teachers import balanced
from parapet_training.vocabulary import load_tokenizer
from parapet_training.wording import Companions, reworded

# Lengths in steps of 8 give few distinct shapes: kernels are chosen once for each.
LENGTH_STEP = 8
# Log-odds are halved before they become targets: so they tell a harmless text from a more harmless one, where probabilities near 0 are all alike.
TEMPERATURE = 2.0
REPORT_STEPS = 50
UNKNOWN = -1  # in place of the index of a sentiment or a language
# As encoder.start: some layers of the larger teacher, once it has learnt.
LARGER = "larger teacher"


@dataclass(frozen=True)
class Units:
    """texts; ids of each; languages, the index of each, and tags; ours, whether they are our own examples with labels; labels [units, labels], NaN where
    unknown; sentiments [units], UNKNOWN where they are; targets [units, labels + sentiments], NaN where the teachers are not asked; chances [units]."""

    texts: list[str]
    ids: list[list[int]]
    languages: NDArray[np.int64]
    tags: list[str]
    ours: NDArray[np.bool_]
    labels: NDArray[np.float32]
    sentiments: NDArray[np.int64]
    targets: NDArray[np.float32]
    chances: NDArray[np.float64]


@dataclass(frozen=True)
class Batch:
    """[texts, tokens], [texts], [texts, labels], [texts], [texts, labels + sentiments]."""

    input_ids: Tensor
    languages: Tensor
    labels: Tensor
    sentiments: Tensor
    targets: Tensor


@dataclass(frozen=True)
class Run:
    """fingerprint: of all that the training depends on. A checkpoint with another one is not gone on from."""

    settings: StudentParams
    max_tokens: int
    seed: int
    checkpoint: Path
    fingerprint: str
    companions: Companions = field(default_factory=Companions)


@dataclass
class Place:
    """Where the training is: the next batch of a chunk, and how many steps were made."""

    chunk: int = 0
    batch: int = 0
    step: int = 0


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    tokenizer = load_tokenizer(work)
    units = read_units(work, tokenizer, params)
    torch.manual_seed(params.seed)
    model = beginning(params, here, work).to(chosen_device())
    fingerprint = hashlib.sha256(repr((params.seed, params.encoder, params.student, params.max_tokens, params.mixture, params.languages)).encode())
    fingerprint.update(units.targets.tobytes())
    checkpoint = work / "student" / "checkpoint.pt"
    train(model, units, tokenizer, Run(params.student, params.max_tokens, params.seed, checkpoint, fingerprint.hexdigest()))


def beginning(params: Params, here: Path, work: Path) -> Classifier:
    """The network before the first step."""
    model = pretrained(params, work, params.encoder.layers)
    if params.encoder.start == LARGER:
        taken = {layer: place for place, layer in enumerate(params.larger_teacher.layers)}
        state = torch.load(work / "larger" / "checkpoint.pt", weights_only=True, map_location="cpu")["model"]
        model.load_state_dict({name: state[of_layers(name, [taken[layer] for layer in params.encoder.layers])] for name in model.state_dict()})
    elif params.encoder.start != "published":
        teacher = params.teacher(params.encoder.start)
        checked(folder_of(teacher.path, here, work) / "model.onnx", teacher.sha256)
        load_weights(model, folder_of(teacher.path, here, work) / "model.onnx")
    return model


def of_layers(name: str, layers: list[int]) -> str:
    """The name that a weight of the student has in the larger teacher, of which it begins with some layers."""
    return re.sub(r"(?<=encoder\.layer\.)\d+", lambda match: str(layers[int(match[0])]), name)


def read_units(work: Path, tokenizer: Tokenizer, params: Params) -> Units:
    records = list(read_lines(work / "teachers" / "units.jsonl"))
    targets = np.load(work / "teachers" / "targets.npy").astype(np.float32)
    if params.larger_teacher.enabled:
        larger, weight = np.load(work / "larger" / "targets.npy").astype(np.float32), params.larger_teacher.weight
        targets = np.where(np.isnan(targets), larger, (targets + weight * larger) / (1 + weight))
    return units_from(records, targets, tokenizer, params)


def units_from(records: list[dict[str, Any]], targets: NDArray[np.float32], tokenizer: Tokenizer, params: Params) -> Units:
    """records: of units.jsonl; targets: [units, outputs]."""
    texts = [record["text"] for record in records]
    chances = balanced(records, params, params.student.language_balance)
    outputs = params.read_languages or [OTHER]
    languages = np.array([outputs.index(record["lang"]) if record["lang"] in outputs else len(outputs) - 1 for record in records])
    labels = np.array([[record["labels"].get(label, np.nan) for label in LABELS] for record in records], np.float32)
    sentiments = np.array([SENTIMENTS.index(record["sentiment"]) if record["sentiment"] else UNKNOWN for record in records])
    sure = np.array([record["source"].startswith(tuple(params.student.sure_of)) for record in records])
    known = np.concatenate([~np.isnan(labels), np.repeat((sentiments >= 0)[:, None], len(SENTIMENTS), 1)], axis=1)
    asked = np.where(known & sure[:, None], np.float32(np.nan), targets)
    tags = [record["lang"] for record in records]
    ids = ids_of(tokenizer, texts, params.max_tokens)
    return Units(texts, ids, languages, tags, sure & known[:, : len(LABELS)].any(1), labels, sentiments, asked, chances / chances.sum())


def batches_of(units: Units, chunk: int, tokenizer: Tokenizer, run: Run) -> list[Callable[[], Batch]]:
    """The batches of a chunk, which depend on its number and the seed alone, of texts of like length, in random order."""
    draw, rng = np.random.default_rng((run.seed, chunk)), random.Random(run.seed * 1_000_003 + chunk)
    # As many texts as a batch has tokens: enough of them to sort into batches of like length.
    drawn = draw.choice(len(units.texts), run.settings.batch_tokens, p=units.chances)
    ids = [units.ids[index] for index in drawn]
    changed: dict[int, str] = {}
    in_company = np.zeros(len(drawn), bool)
    for place, index in enumerate(drawn):
        if units.ours[index] and rng.random() < run.companions.share:
            changed[place], in_company[place] = reworded(units.texts[index], units.tags[index], run.companions, rng)
        if rng.random() < run.settings.disguised:
            changed[place] = disguise(changed.get(place, units.texts[index]), rng)
    for place, read in zip(changed, ids_of(tokenizer, list(changed.values()), run.max_tokens), strict=True):
        ids[place] = read
    groups = like_lengths([len(each) for each in ids], run.settings.batch_tokens)
    rng.shuffle(groups)

    def batch(group: list[int]) -> Batch:
        of_units = drawn[group]
        return Batch(
            torch.from_numpy(padded([ids[place] for place in group])),
            torch.from_numpy(np.where(in_company[group], UNKNOWN, units.languages[of_units])),
            torch.from_numpy(units.labels[of_units]),
            torch.from_numpy(np.where(in_company[group], UNKNOWN, units.sentiments[of_units])),
            torch.from_numpy(units.targets[of_units]),
        )

    return [partial(batch, group) for group in groups]


def rounded_up(length: int) -> int:
    return -(-length // LENGTH_STEP) * LENGTH_STEP


def like_lengths(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Indices in groups of at most so many tokens, padding included, the longest first."""
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    groups = []
    while order:
        size = max(1, batch_tokens // rounded_up(lengths[order[-1]]))
        groups.append(order[-size:])
        del order[-size:]
    return groups


def padded(ids: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """[texts, tokens], 0 beyond the end of a text: no text has that token."""
    result = np.zeros((len(ids), rounded_up(max(map(len, ids)))), np.int64)
    for index, each in enumerate(ids):
        result[index, : len(each)] = each
    return result


def loss_of(logits: Tensor, batch: Batch, settings: StudentParams) -> Tensor:
    """What people said, where they said it, and what the teachers say; both a mean over the texts."""
    labels, sentiments, languages = logits[:, : len(LABELS)], logits[:, len(LABELS) : OUTPUTS], logits[:, OUTPUTS:]
    # Multiplied by masks, since to choose by them a GPU would have to wait for each step.
    known = ~batch.labels.isnan()
    by_people = (binary_cross_entropy_with_logits(labels, batch.labels.nan_to_num(), reduction="none") * known).sum()
    by_people = by_people + cross_entropy(sentiments, batch.sentiments, ignore_index=UNKNOWN, reduction="sum")
    asked, asked_sentiment = ~batch.targets[:, : len(LABELS)].isnan(), ~batch.targets[:, -1].isnan()
    soft = torch.sigmoid(batch.targets[:, : len(LABELS)].nan_to_num() / TEMPERATURE)
    by_teachers = (binary_cross_entropy_with_logits(labels / TEMPERATURE, soft, reduction="none") * asked).sum()
    opinions = batch.targets[:, len(LABELS) :].nan_to_num().softmax(1)
    by_teachers = by_teachers + (cross_entropy(sentiments, opinions, reduction="none") * asked_sentiment).sum()
    if languages.shape[1]:
        by_people = by_people + cross_entropy(languages, batch.languages, ignore_index=UNKNOWN, reduction="sum")
    return (settings.labels_weight * by_people + settings.distillation_weight * by_teachers) / len(logits)


def rate_at(step: int, settings: StudentParams) -> float:
    """Rises for `warmup_steps`, then falls along a cosine to 0; once more from `restart_step` on."""
    if settings.restart_step and step >= settings.restart_step:
        peak, begun, end = settings.restart_rate, settings.restart_step, settings.steps
    else:
        peak, begun, end = settings.peak_rate, 0, settings.restart_step or settings.steps
    return peak * min(1.0, (step - begun) / settings.warmup_steps) * 0.5 * (1 + math.cos(math.pi * (step - begun) / (end - begun)))


def train(model: Classifier, units: Units, tokenizer: Tokenizer, run: Run) -> None:
    settings = run.settings
    device = model.output.weight.device
    trained = [weights for weights in model.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=settings.peak_rate, weight_decay=settings.weight_decay, betas=(0.9, 0.98), fused=True)
    place = load(run, model, optimizer)
    model.train()
    losses: list[Tensor] = []
    started, first = time.monotonic(), place.step
    for chunk, batches in prepared(units, place.chunk, tokenizer, run):
        if chunk > place.chunk:
            place.chunk, place.batch = chunk, 0
        for make in batches[place.batch :]:
            if place.step == settings.steps:
                return
            batch = moved(make(), device)
            for group in optimizer.param_groups:
                group["lr"] = rate_at(place.step, settings)
            with precision(device):
                logits = model(batch.input_ids, (batch.input_ids != 0).long())
            loss = loss_of(logits, batch, settings)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.detach())
            place.batch += 1
            place.step += 1
            if place.step % REPORT_STEPS == 0:
                per_step = (time.monotonic() - started) / (place.step - first)
                print(f"step {place.step} of {settings.steps}, loss {torch.stack(losses).mean().item():.4f}, {per_step:.3f} s a step", flush=True)
                losses.clear()
            if place.step % settings.checkpoint_steps == 0 or place.step == settings.steps:
                save(run, model, optimizer, place)


def prepared(units: Units, first: int, tokenizer: Tokenizer, run: Run) -> Iterator[tuple[int, list[Callable[[], Batch]]]]:
    """The chunks from `first` on, each made while the one before it trains."""
    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(batches_of, units, first, tokenizer, run)
        for chunk in count(first):
            batches, ready = ready.result(), pool.submit(batches_of, units, chunk + 1, tokenizer, run)
            yield chunk, batches


def moved(batch: Batch, device: torch.device) -> Batch:
    return Batch(*(tensor.to(device, non_blocking=True) for tensor in (batch.input_ids, batch.languages, batch.labels, batch.sentiments, batch.targets)))


def save(run: Run, model: Classifier, optimizer: torch.optim.Optimizer, place: Place) -> None:
    run.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    temporary = run.checkpoint.with_suffix(".part")
    state = {
        "fingerprint": run.fingerprint,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "random": torch.get_rng_state(),
        "place": vars(place),
    }
    torch.save(state, temporary)
    temporary.replace(run.checkpoint)


def load(run: Run, model: Classifier, optimizer: torch.optim.Optimizer) -> Place:
    """Where the checkpoint is, or the beginning if there is none of this training."""
    if not run.checkpoint.exists():
        return Place()
    state = torch.load(run.checkpoint, weights_only=True, map_location="cpu")
    if state["fingerprint"] != run.fingerprint:
        print("the checkpoint is of other data or parameters: it begins anew", flush=True)
        return Place()
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    return Place(**state["place"])
