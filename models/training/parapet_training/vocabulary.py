"""Stage vocabulary: the encoder's vocabulary cut to what the texts use, as vocabulary/tokenizer.json with vocabulary/kept.json: ids that the kept pieces have
in the published encoder.

Every tokenizer has no padding, no truncation, no literal special tokens ("[SEP]" in a text is just a text), [PAD] at id 0, and a token for each emoji, which
the encoders hardly know: it starts as the mean of its Unicode name's tokens.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import emoji
from tokenizers import Tokenizer

from parapet_training import e5, minilm
from parapet_training.files import read_json, read_lines, written
from parapet_training.params import Params

ENCODERS: dict[str, ModuleType] = {"all-MiniLM-L6-v2": minilm, "multilingual-e5-small": e5}

VARIATION_SELECTOR = "\ufe0f"
FIRST_EMOJI = 0x2190  # below are digits, letters, ©, ® and punctuation
SKIN_TONES = range(0x1F3FB, 0x1F400)
REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    encoder = ENCODERS[params.encoder.name]
    rows = ((row["text"], row["lang"]) for row in read_lines(work / "segments" / "rows.jsonl"))
    write(work / "vocabulary", *encoder.vocabulary(rows, params.encoder.pieces, params.languages))


def write(folder: Path, definition: dict[str, Any], kept: list[int]) -> None:
    """definition: of the tokenizer without emoji. kept: ids in the published encoder, in the order of the new ones."""
    tokens = pieces_of(definition)
    added = [symbol for symbol in emoji_symbols() if symbol not in tokens]
    definition = definition | {"padding": None, "truncation": None}
    definition["added_tokens"] = [{"id": len(tokens) + index, "content": symbol, **FLAGS} for index, symbol in enumerate(added)]
    for name, value in (("tokenizer.json", definition), ("kept.json", kept)):
        with written(folder / name) as file:
            file.write(json.dumps(value, ensure_ascii=False))


def pieces_of(definition: dict[str, Any]) -> set[str]:
    vocabulary: Iterable[Any] = definition["model"]["vocab"]
    return set(vocabulary) if isinstance(vocabulary, dict) else {piece for piece, _ in vocabulary}


def kept_ids(work: Path) -> list[int]:
    return read_json(work / "vocabulary" / "kept.json")


def load_tokenizer(work: Path) -> Tokenizer:
    return Tokenizer.from_file(str(work / "vocabulary" / "tokenizer.json"))


def emoji_symbols() -> list[str]:
    return sorted(symbol for symbol in {symbol.replace(VARIATION_SELECTOR, "") for symbol in emoji.EMOJI_DATA} if _is_token(symbol))


def _is_token(symbol: str) -> bool:
    """Single emoji and flags. Sequences (families, professions) are read as the emoji they are made of; skin tones are left unread."""
    codes = [ord(character) for character in symbol]
    if len(codes) == 2:
        return all(code in REGIONAL_INDICATORS for code in codes)
    return len(codes) == 1 and codes[0] >= FIRST_EMOJI and codes[0] not in SKIN_TONES and codes[0] not in REGIONAL_INDICATORS


def emoji_names(work: Path) -> list[str]:
    """Names of the added tokens in the order of their ids: "monkey face", "flag of Kenya"."""
    names = {symbol.replace(VARIATION_SELECTOR, ""): data["en"] for symbol, data in emoji.EMOJI_DATA.items()}
    words = []
    for token in read_json(work / "vocabulary" / "tokenizer.json")["added_tokens"]:
        name = names[token["content"]].strip(":").replace("_", " ").replace("-", " ").lower()
        words.append(f"flag of {name}" if len(token["content"]) == 2 else name)
    return words
