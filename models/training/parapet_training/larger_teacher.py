"""Stage larger_teacher, where it is enabled: all layers of the encoder learn what the student will, first, and are a teacher then.

Writes larger/checkpoint.pt, and larger/targets.npy: what it says of every unit, as teachers/targets.npy.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from parapet_training.device import chosen_device
from parapet_training.labels import LABELS, OUTPUTS
from parapet_training.network import Classifier, precision, pretrained
from parapet_training.params import Params
from parapet_training.student import Run, Units, like_lengths, padded, read_units, train
from parapet_training.vocabulary import load_tokenizer


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    folder = work / "larger"
    folder.mkdir(parents=True, exist_ok=True)
    if not params.larger_teacher.enabled:
        print("the larger teacher is not enabled")
        return
    alone = replace(params, larger_teacher=replace(params.larger_teacher, enabled=False))
    tokenizer = load_tokenizer(work)
    units = read_units(work, tokenizer, alone)
    torch.manual_seed(params.seed)
    model = pretrained(params, work, params.larger_teacher.layers).to(chosen_device())
    settings = replace(params.student, steps=params.larger_teacher.steps, peak_rate=params.larger_teacher.peak_rate, restart_step=0)
    fingerprint = hashlib.sha256(repr((params.seed, params.encoder, params.larger_teacher, settings, params.mixture, params.languages)).encode())
    fingerprint.update(units.targets.tobytes())
    train(model, units, tokenizer, Run(settings, params.max_tokens, params.seed, folder / "checkpoint.pt", fingerprint.hexdigest()))
    np.save(folder / "targets.npy", said_of(model, units, params.student.batch_tokens).astype(np.float16))


def said_of(model: Classifier, units: Units, batch_tokens: int) -> NDArray[np.float32]:
    """[units, labels + sentiments]: log-odds and log-probabilities."""
    device = model.output.weight.device
    said = np.empty((len(units.ids), OUTPUTS), np.float32)
    model.eval()
    with torch.inference_mode(), precision(device):
        for group in like_lengths([len(ids) for ids in units.ids], batch_tokens):
            input_ids = torch.from_numpy(padded([units.ids[index] for index in group])).to(device)
            logits = model(input_ids, (input_ids != 0).long()).float()[:, :OUTPUTS]
            said[group] = torch.cat([logits[:, : len(LABELS)], logits[:, len(LABELS) :].log_softmax(1)], dim=1).cpu().numpy()
    return said
