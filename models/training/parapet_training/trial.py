"""Stage trial: the cheap look before a round. The encoder's pooled states of all texts are kept once, and the last two layers alone are refitted on them, in
minutes. Writes trial/model.onnx in the folder of the round, and prints the gates before and after."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from parapet_training.device import chosen_device
from parapet_training.export import export
from parapet_training.gates import gate_sets, measure
from parapet_training.network import Classifier, precision
from parapet_training.params import Params
from parapet_training.round import checkpoint_of, prepare, read_round, restored
from parapet_training.scoring import OnnxModel, Scores
from parapet_training.student import Batch, Units, like_lengths, loss_of, padded

BATCH_TOKENS, BATCH_TEXTS, STEPS, PEAK_RATE = 8192, 512, 3000, 1e-3


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    this = read_round(here / params.round)
    prepared = prepare(this, params, here, work)
    model = restored(prepared.start / "model.onnx").to(chosen_device())
    torch.manual_seed(this.seed)
    refit(model, pooled_of(model, prepared.units), prepared.units, this.seed, lambda logits, batch: loss_of(logits, batch, prepared.settings))
    folder = checkpoint_of(this, work).parent / "trial"
    export(model.cpu(), prepared.start / "tokenizer.json", folder)
    sets = gate_sets(params, here, data, work)
    before, after = (measure(Scores(OnnxModel.load(each, params.max_tokens), work / "scores"), sets) for each in (prepared.start, folder))
    print(json.dumps({name: [before[name], after[name]] for name in before}, indent=1))


def pooled_of(model: Classifier, units: Units) -> NDArray[np.float16]:
    """[units, 2 * width]."""
    device = model.output.weight.device
    result = np.empty((len(units.ids), model.hidden.in_features), np.float16)
    model.eval()
    for group in like_lengths([len(ids) for ids in units.ids], BATCH_TOKENS):
        ids = torch.from_numpy(padded([units.ids[index] for index in group])).to(device)
        mask = (ids != 0).long()
        with torch.inference_mode(), precision(device):
            result[group] = model.pooled(model.states(ids, mask), mask).float().cpu().numpy()
    return result


def refit(model: Classifier, pooled: NDArray[np.float16], units: Units, seed: int, loss: Callable[[Tensor, Batch], Tensor]) -> None:
    """The hidden and the last layer, on texts drawn by their chances."""
    device, draw = model.output.weight.device, np.random.default_rng(seed)
    model.train()
    optimizer = torch.optim.AdamW([*model.hidden.parameters(), *model.output.parameters()], weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, total_steps=STEPS)
    for _ in range(STEPS):
        drawn = draw.choice(len(pooled), min(BATCH_TEXTS, len(pooled)), p=units.chances)
        parts = (np.zeros((len(drawn), 1), np.int64), units.languages[drawn], units.labels[drawn], units.sentiments[drawn], units.targets[drawn])
        batch = Batch(*(torch.from_numpy(each).to(device) for each in parts))
        optimizer.zero_grad()
        loss(model.head(torch.from_numpy(pooled[drawn]).float().to(device)), batch).backward()
        optimizer.step()
        schedule.step()
