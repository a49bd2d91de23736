"""Writes texts and the ids that Python's `tokenizers` gives them: what the service's own tokenizer must agree with.

    python -m parapet_training.tokenizer_cases --tokenizer ../parapet-en/tokenizer.json --output ../../test/contract/tokenizer-cases.jsonl.gz

The tokenizer is a WordPiece or a Unigram one. Every text is made up by a seeded generator from the words of the vocabulary and from
Unicode's tables; none comes from a data set.
Each line is {"text": ..., "ids": [...]}, the ids without [CLS] and [SEP].
"""

import argparse
import gzip
import json
import random
import re
import unicodedata
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import Unigram

COUNT = 5000
SEED = 20240607

# The service cuts stretches longer than this that hold an unknown token, on purpose: they are tested apart from these cases.
LONGEST_UNCUT_STRETCH = 100

SPECIMENS = (
    "ΟΔΥΣΣΕΥΣ ΣΑΣ ΌΔΟΣ",
    "İstanbul DİYARBAKIR ılık IĞDIR",
    "ﬁne ﬂow oﬃce ﬆop ŉa Ǆ ß STRASSE ẞ",
    "naïve café Ångström Ångstro\u0308m Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "\u0301alone \u0308\u0308 \u20dd",
    "one\u0085two \u0085 three\u0085",
    "\ufeffmark in\ufeffside end\ufeff \ufeff",
    "\u200bzero\u200bwidth\u200d \u200c\u2060 soft\u00adhyphen \u202eright to left\u202c",
    "a\u000bb a\u000cb a\u001cb a\u001fb a\u0000b a\u007fb a\ufffdb",
    "a\u00a0b a\u1680b a\u2003b a\u2028b a\u2029b a\u202fb a\u205fb a\u3000b a\u180eb",
    "tabs\tand\nlines\r\nand\rreturns",
    "[SEP] [PAD] [CLS] [UNK] [MASK] [unused1] ##ing [sep] a[SEP]b",
    "👩‍👩‍👧‍👦 👍🏽 🏴‍☠️ 🏳️‍🌈 🇩🇪 ❤️ ☺ 🧑🏿‍🚀",
    "you🐒🐒go👋back🇰🇪🇩🇪🇽 ok👍🏿yes 5️⃣ #️⃣1 ♥❤️♥️ 😂😂😂! 🫩🪾",
    "中文字符 漢字かな交じり文 カタカナ ｶﾀｶﾅ 한국어 텍스트 ㄱㄴㄷ",
    "العَرَبِيَّة עִבְרִית हिन्दी ไทย தமிழ் ქართული Ქ Հայերեն ꭰ Ꭰ Русский Ёлка",
    "１２３ ＡＢＣ ①② ½ ² ³ Ⅳ ⅳ ℃ № ™ ǅ",
    "https://example.org/a/b?c=d&e=%20#f me@example.org @name #tag $5.00 50% 1,234,567.89 2024-06-07T10:11:12Z",
    "if (a[i] !== b) { return `${x}`; } // <b>&amp;</b> \\n ~/.x | y && z <<= 3",
    "!!!??? ...--- ***___ ~~^^ ||| ````` $$$ +++ === <<<>>> ¿¡ «» „“ ‚‘ — – … ‽ 、。「」 ؟ ۔",
    "don't I'm they'll o'clock rock'n'roll e-mail co-op state-of-the-art",
    "𝓯𝓪𝓷𝓬𝔂 𝕕𝕠𝕦𝕓𝕝𝕖 𝐛𝐨𝐥𝐝 ⓒⓘⓡⓒⓛⓔ 🅱🅾🆇 ᴄᴀᴘꜱ ƃoɥʇ",
    "𠀀𪚥 \U0002f800 \U0001f1e6 \U000e0041 \U000f0000 \ue000",
    "Ａ\u0301 e\u0323\u0302 \u1e69 \u0130\u0307 \u03f4 \u2126 \u212a \u212b",
)

SCRIPTS = (
    (0x00A1, 0x024F),  # Latin with accents
    (0x0250, 0x02FF),  # phonetic letters, modifiers
    (0x0300, 0x036F),  # combining marks
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x052F),  # Cyrillic
    (0x0531, 0x05F4),  # Armenian, Hebrew
    (0x0600, 0x06FF),  # Arabic
    (0x0900, 0x0DFF),  # the scripts of India
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x10A0, 0x10FF),  # Georgian
    (0x13A0, 0x13FF),  # Cherokee
    (0x1E00, 0x1FFF),  # Latin and Greek with accents
    (0x2000, 0x206F),  # punctuation, spaces, format characters
    (0x2070, 0x218F),  # super- and subscripts, currency, letter-like symbols
    (0x2190, 0x27BF),  # arrows, mathematics, dingbats
    (0x3000, 0x30FF),  # CJK punctuation, Kana
    (0x3400, 0x34FF),  # CJK, extension A
    (0x4E00, 0x9FFF),  # CJK
    (0xAC00, 0xD7A3),  # Hangul
    (0xF900, 0xFAFF),  # CJK compatibility
    (0xFB00, 0xFDFF),  # ligatures, Arabic forms
    (0xFE00, 0xFEFF),  # variation selectors, small forms
    (0xFF01, 0xFFEF),  # full and half width
    (0x1D400, 0x1D7FF),  # mathematical letters
    (0x1F300, 0x1FAFF),  # emoji
    (0x20000, 0x2A6DF),  # CJK, extension B
)

PUNCTUATION = "!?.,;:-_*'\"()[]{}<>/\\|@#$%^&+=~`"
SEPARATORS = (" ",) * 12 + ("  ", "\n", "\t", "\u00a0", "\u2003", "\u0085", "\u000b", "\u3000", "\ufeff", "\u200b", ", ", ". ", "-", "/")
# What the normaliser counts as whitespace, as the service's tokenizer splits by it.
WHITESPACE = re.compile("[\\t\\n\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+")
# Begins the piece of a Unigram that begins a word.
WORD_START = "\u2581"
SPECIAL_TOKEN = re.compile(r"\[(?:PAD|UNK|CLS|SEP)\]")


class Maker:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self.random = random.Random(SEED)
        vocabulary = {token.removeprefix(WORD_START) for token in tokenizer.get_vocab()}
        self.tokenizer = tokenizer
        self.words = sorted(word for word in vocabulary if word.isalpha() and word.isascii() and len(word) > 1)
        self.other = sorted(word for word in vocabulary if not word.isascii() and not word.startswith("##"))

    def letter(self, script: tuple[int, int] | None = None) -> str:
        while True:
            first, last = script or self.random.choice(SCRIPTS)
            character = chr(self.random.randint(first, last))
            if self.is_known(character):
                return character

    def is_known(self, character: str) -> bool:
        """False for what is something else in the tables of `tokenizers` (of an older Unicode): cases with it would prove nothing."""
        category = unicodedata.category(character)
        if is_unigram(self.tokenizer):
            is_same = self.tokenizer.normalizer.normalize_str(character) == unicodedata.normalize("NFKC", character)
            return category != "Cn" and is_same
        if category in ("Mn", "Cf"):
            return self.tokenizer.normalizer.normalize_str(character) == ""
        if category.startswith("P"):
            return len(self.tokenizer.pre_tokenizer.pre_tokenize_str(f"a{character}b")) == 3
        return category != "Cn"

    def typo(self, word: str) -> str:
        at = self.random.randrange(len(word))
        kind = self.random.randrange(6)
        if kind == 0:
            return word[:at] + word[at + 1 :]
        if kind == 1:
            return word[:at] + word[at] * self.random.randint(2, 6) + word[at:]
        if kind == 2:
            return word[:at] + self.random.choice("4310$5@7!|") + word[at + 1 :]
        if kind == 3:
            return word[:at] + self.random.choice("\u200b\u00ad\u0301\u0336\u200d.*-") + word[at:]
        if kind == 4:
            return word[:at] + self.letter() + word[at:]
        return self.random.choice(" .-_").join(word)

    def word(self) -> str:
        kind = self.random.random()
        word = self.random.choice(self.words)
        if kind < 0.4:
            return word
        if kind < 0.55:
            return self.random.choice((word.upper(), word.capitalize(), word + self.random.choice(self.words)))
        if kind < 0.75:
            return self.typo(word)
        if kind < 0.8:
            return self.random.choice(("", word)) + self.random.choice(self.other) + self.random.choice(("", word))
        if kind < 0.86:
            script = self.random.choice(SCRIPTS)
            return "".join(self.letter(script) for _ in range(self.random.randint(1, 6)))
        if kind < 0.9:
            return "".join(self.letter() for _ in range(self.random.randint(1, 4)))
        if kind < 0.94:
            return self.random.choice(PUNCTUATION) * self.random.randint(1, 12)
        if kind < 0.97:
            return str(self.random.randrange(10 ** self.random.randint(1, 12)))
        return self.random.choice(self.random.choice(SPECIMENS).split(" "))

    def long_stretch(self) -> str:
        """A word of up to 100 letters, or up to 300 characters without whitespace that punctuation divides."""
        if self.random.random() < 0.4:
            letters = "".join(self.random.choice(self.words) for _ in range(30))
            return letters[: self.random.randint(90, 100)]
        parts = [self.random.choice(self.words) for _ in range(60)]
        return self.random.choice("-/.,_&=").join(parts)[: self.random.randint(90, 300)]

    def text(self) -> str:
        kind = self.random.random()
        if kind < 0.04:
            return self.long_stretch()
        if kind < 0.06:
            return f"{self.word()} {self.long_stretch()} {self.word()}"
        if kind < 0.08:
            return self.random.choice(SPECIMENS) + self.random.choice(SEPARATORS) + self.word()
        text = self.word()
        for _ in range(self.random.randint(0, 14)):
            text += self.random.choice(SEPARATORS) + self.word()
        return text


def is_unigram(tokenizer: Tokenizer) -> bool:
    return isinstance(tokenizer.model, Unigram)


def is_read_otherwise_by_the_service(text: str, tokenizer: Tokenizer) -> bool:
    if is_unigram(tokenizer):
        # Names of special tokens are plain text to it, and U+FEFF, which the vocabulary lacks, is nothing.
        return SPECIAL_TOKEN.search(text) is not None or "\ufeff" in text
    unknown = tokenizer.token_to_id("[UNK]")
    return any(
        len(stretch.encode("utf-16-le")) // 2 > LONGEST_UNCUT_STRETCH and unknown in tokenizer.encode(stretch, add_special_tokens=False).ids
        for stretch in WHITESPACE.split(text)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", type=Path, default=Path("../parapet-en/tokenizer.json"))
    parser.add_argument("--output", type=Path, default=Path("../../test/contract/tokenizer-cases.jsonl.gz"))
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    maker = Maker(tokenizer)
    texts = {} if is_unigram(tokenizer) else dict.fromkeys(SPECIMENS)
    while len(texts) < options.count:
        text = maker.text()
        if not is_read_otherwise_by_the_service(text, tokenizer):
            texts[text] = None
    # mtime 0: the same texts make the same file.
    with gzip.GzipFile(options.output, "wb", compresslevel=9, mtime=0) as file:
        for text in texts:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            file.write(json.dumps({"text": text, "ids": ids}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main()
