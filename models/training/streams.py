"""What general_teacher.py and distil.py share: batches that worker processes draw, disguise, tokenise and pad, and the loop that learns from them.

On a GPU a network learns faster than one process can draw texts. Both scripts run on a CPU as well, a hundred times slower.
"""

import argparse
import gc
import math
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import cycle
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn.functional import gelu, scaled_dot_product_attention
from transformers import BertModel

from distillation import rate_at
from model import Classifier, quick_precision
from runtimes import device
from train import padded_length

WAITING_BATCHES = 24
LONGEST_WAIT = 300  # seconds
REPORT_STEPS = 100
T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, default=2, help="processes that draw texts")
    parser.add_argument("--minutes", type=float, default=math.inf, help="learn for so long at most; the learning rate falls as fast as that needs")


def in_parallel(draw: Callable[[random.Random], Iterator[T]], workers: int, seed: int) -> Iterator[T]:
    """The batches, dataclasses of tensors, that `draw` yields in each of so many processes, in turns, until one of them is at its end: the same in every run
    with as many of them."""
    # Each process tokenises on its own core.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    context = multiprocessing.get_context("fork")
    queues = [context.Queue(maxsize=WAITING_BATCHES) for _ in range(workers)]

    def work(index: int) -> None:
        torch.set_num_threads(1)
        try:
            for batch in draw(random.Random(seed * 1000 + index)):
                # As arrays: tensors would each take a file descriptor.
                queues[index].put((type(batch), {field.name: getattr(batch, field.name).numpy() for field in fields(batch)}))
        finally:
            queues[index].put(None)

    # What is there already is shared by all: without this, collecting garbage would copy it.
    gc.freeze()
    for index in range(workers):
        context.Process(target=work, args=(index,), daemon=True).start()
    for queue in cycle(queues):
        given = queue.get(timeout=LONGEST_WAIT)
        if given is None:
            return  # of one that failed, the reason was printed
        kind, arrays = given
        yield kind(**{name: torch.from_numpy(array) for name, array in arrays.items()})


def padded_ids(texts: list[list[int]]) -> Tensor:
    """int32 [texts, tokens], 0 where a text has ended: no text has that token."""
    result = torch.zeros(len(texts), padded_length(max(map(len, texts))), dtype=torch.int32)
    for index, ids in enumerate(texts):
        result[index, : len(ids)] = torch.tensor(ids, dtype=torch.int32)
    return result


def states_of(encoder: BertModel, ids: Tensor, mask: Tensor, dropout: Callable[[Tensor], Tensor]) -> Tensor:
    """int64 and bool [texts, tokens] -> [texts, tokens, width]: what the library computes as well, which takes a GPU longer to be told than to do."""
    parts = encoder.embeddings
    states = parts.word_embeddings(ids) + parts.position_embeddings.weight[: ids.shape[1]] + parts.token_type_embeddings.weight[0]
    states = dropout(parts.LayerNorm(states))
    heads = encoder.config.num_attention_heads

    def by_head(values: Tensor) -> Tensor:
        return values.unflatten(-1, (heads, -1)).transpose(1, 2)

    for layer in encoder.encoder.layer:
        attention = layer.attention.self
        queries, keys, values = (by_head(project(states)) for project in (attention.query, attention.key, attention.value))
        seen = scaled_dot_product_attention(queries, keys, values, attn_mask=mask[:, None, None, :])
        seen = layer.attention.output.dense(seen.transpose(1, 2).flatten(2))
        states = layer.attention.output.LayerNorm(states + dropout(seen))
        inner = gelu(layer.intermediate.dense(states))
        states = layer.output.LayerNorm(states + dropout(layer.output.dense(inner)))
    return states


def judge(model: Classifier, ids: Tensor) -> Tensor:
    """int32 [texts, tokens], padded with zeros -> logits: float32 [texts, logits]."""
    ids = ids.long()
    mask = ids != 0
    with quick_precision(ids.device):
        return model.judgement_of(states_of(model.encoder, ids, mask, model.dropout), mask).float()


def on_device(batch: T) -> T:
    """The same dataclass of tensors, on the device."""
    where = device()
    if where.type == "cpu":
        return batch
    # From pinned memory, so that the GPU need not have finished the batch before.
    return type(batch)(**{field.name: getattr(batch, field.name).pin_memory().to(where, non_blocking=True) for field in fields(batch)})


def learn(
    model: Classifier,
    batches: Iterator[T],
    loss_of: Callable[[Classifier, T], Tensor],
    size_of: Callable[[T], int],
    options: argparse.Namespace,
    peak_rate: float,
    weight_decay: float,
) -> None:
    """Trains `model` on about as many texts as `options` say, or for as long, and writes it to `options.output`."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak_rate, weight_decay=weight_decay, betas=(0.9, 0.98), fused=True)
    seen, losses, started = 0, [], time.monotonic()
    for step, batch in enumerate(batches):
        passed = time.monotonic() - started
        progress = max(seen / options.texts, passed / (60 * options.minutes))
        if progress > 1:
            break
        for parameters in optimizer.param_groups:
            parameters["lr"] = rate_at(progress, peak_rate)
        loss = loss_of(model, on_device(batch))
        loss.backward()
        # In bfloat16 a gradient is infinite now and then: the optimizer leaves out such a step, and the GPU need not be waited for to know.
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.found_inf = (~norm.isfinite()).float()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        seen += size_of(batch)
        losses.append(loss.detach())
        if step % REPORT_STEPS == REPORT_STEPS - 1:
            mean = torch.stack(losses).nanmean().item()
            print(f"{seen} texts, {progress:.1%} done, loss {mean:.4f}, {seen / passed:.0f} texts/s", flush=True)
            losses.clear()
    torch.save({"model": {name: tensor.cpu() for name, tensor in model.state_dict().items()}}, options.output)
    print(f"done: {seen} texts in {time.monotonic() - started:.0f} s", flush=True)
