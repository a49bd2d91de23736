"""Disguises and joins training texts, so that the model has seen both toxic and harmless text that is written oddly or is long.

Every function takes its random generator, so a run with one seed repeats. Labels never change under a disguise.
"""

import random
import re

from labels import LABELS, Row

LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7+", "b": "8", "g": "9", "l": "1|"}
HOMOGLYPHS = {"a": "аα", "c": "сϲ", "e": "еε", "i": "іɩ", "j": "ј", "k": "κк", "o": "оο", "p": "рρ", "s": "ѕ", "u": "υ", "x": "хχ", "y": "уγ"}
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
COMBINING = "\u0301\u0308\u0336\u0323"
WORD = re.compile(r"[A-Za-z]{3,}")
JOINED_CHARACTERS = 480  # about 120 tokens


def _in_words(text: str, rng: random.Random, share: float, change) -> str:
    """Applies `change` to about `share` of the words, and to one at least."""
    words = [match.span() for match in WORD.finditer(text)]
    if not words:
        return text
    chosen = {span for span in words if rng.random() < share} or {rng.choice(words)}
    pieces, end = [], 0
    for start, stop in words:
        pieces.append(text[end:start])
        word = text[start:stop]
        pieces.append(change(word, rng) if (start, stop) in chosen else word)
        end = stop
    return "".join(pieces) + text[end:]


def _substitute(table: dict[str, str], share: float):
    def change(word: str, rng: random.Random) -> str:
        return "".join(
            rng.choice(table[letter.lower()]) if letter.lower() in table and rng.random() < share else letter for letter in word
        )

    return change


def _space_out(word: str, rng: random.Random) -> str:
    return rng.choice([" ", ".", "-", "_", "*", " "]).join(word)


def _insert(characters: str):
    def change(word: str, rng: random.Random) -> str:
        return "".join(letter + (rng.choice(characters) if rng.random() < 0.5 else "") for letter in word)

    return change


def _double(word: str, rng: random.Random) -> str:
    position = rng.randrange(len(word))
    return word[:position] + word[position] * rng.randint(2, 4) + word[position + 1 :]


def _typo(word: str, rng: random.Random) -> str:
    position = rng.randrange(len(word) - 1)
    kind = rng.randrange(3)
    if kind == 0:
        return word[:position] + word[position + 1] + word[position] + word[position + 2 :]
    if kind == 1:
        return word[:position] + word[position + 1 :]
    return word[:position] + rng.choice("abcdefghijklmnopqrstuvwxyz") + word[position + 1 :]


def _mask(word: str, rng: random.Random) -> str:
    """f*ck, b!tch: an inner letter hidden."""
    position = rng.randrange(1, len(word) - 1)
    return word[:position] + rng.choice("*#-@!_") + word[position + 1 :]


def disguise(text: str, rng: random.Random) -> str:
    """The text in one random disguise."""
    kind = rng.randrange(11)
    if kind == 0:
        return _in_words(text, rng, 0.5, _substitute(LEET, 0.6))
    if kind == 1:
        return _in_words(text, rng, 0.3, _space_out)
    if kind == 2:
        return _in_words(text, rng, 0.5, _substitute(HOMOGLYPHS, 0.6))
    if kind == 3:
        return _in_words(text, rng, 0.5, _insert(ZERO_WIDTH))
    if kind == 4:
        return _in_words(text, rng, 0.5, _insert(COMBINING))
    if kind == 5:
        return _in_words(text, rng, 0.3, _double)
    if kind in (6, 7):
        return _in_words(text, rng, 0.3, _typo)
    if kind in (8, 9):
        return _in_words(text, rng, 0.3, _mask)
    return re.sub(r"\s+", "", text) if len(text) < 40 else re.sub(r"[^\w\s]", "", text)


def join(row: Row, companions: list[Row], rng: random.Random) -> Row:
    """The row's text among harmless ones, as one window of a long text shows it: whole, between two texts or between two words of one,
    and what stands around it cut off anywhere.

    The companions are harmless, so that joined texts are toxic as often as others: with random ones, most long texts held something
    toxic, and the model learnt that a text which changes its subject is. A label is true if the row's is, and false only if
    it is known to be false in all of them: of a companion that has one, the part that makes it so may be cut off.
    """
    text, _ = put_within(row.text, [companion.text for companion in companions], JOINED_CHARACTERS, rng)
    known_in_all = [label for label in LABELS if all(label in part.labels for part in [row, *companions])]
    labels = {label: max(part.labels[label] for part in [row, *companions]) for label in known_in_all}
    labels |= {label: value for label, value in row.labels.items() if value >= 0.5}
    return Row(text, labels)


def put_within(text: str, around: list[str], room: int, rng: random.Random) -> tuple[str, str]:
    """The text among others, between two of them or between two words of one, `room` characters in all where it is not longer itself; and
    what stands around it there."""
    separator = rng.choice([" ", "\n", " ", "\n\n"])
    spot = rng.randint(0, len(around))
    before, after = separator.join(around[:spot]), separator.join(around[spot:])
    if rng.random() < 0.5:
        words = " ".join(around).split(" ")
        spot = rng.randint(0, len(words))
        before, after, separator = " ".join(words[:spot]), " ".join(words[spot:]), " "
    room = max(0, room - len(text))
    before = last_words(before, rng.randint(0, room))
    after = first_words(after, room - len(before))
    return (
        separator.join(part for part in [before, text, after] if part),
        separator.join(part for part in [before, after] if part),
    )


def first_words(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room + 1].rpartition(" ")[0]


def last_words(text: str, room: int) -> str:
    return text if len(text) <= room else text[len(text) - room - 1 :].partition(" ")[2]
