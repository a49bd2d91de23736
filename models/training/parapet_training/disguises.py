"""Disguises that the service's normaliser does not undo: slips, masks and digits for letters, in any alphabet. What it undoes never reaches the network and
need not be learnt."""

import random
import re
import unicodedata

from anyascii import anyascii

WORD = re.compile(r"\w{4,}")
VOWEL = re.compile("[aeiouáàâäãåéèêëíìîïóòôöõøúùûüıаеёиоуыэюяєіїαάεέηήιίοόυύωώ]", re.IGNORECASE)
# Alphabets that people also write in Latin letters: Greek, Cyrillic, Arabic.
ROMANISED = re.compile("[\u0370-\u03ff\u0400-\u04ff\u0600-\u06ff]")
# How they do it where that is not what anyascii says: Greeklish, Arabizi and their like.
HABITS = """
θ=8,th ξ=3,ks,x ω=w,o η=h,i υ=y,u χ=x,h ψ=ps ή=h,i ώ=w,o
х=h,x,kh ц=c,ts ш=sh,w щ=sch,sh ы=y,i ь=,' ъ=,a ю=yu,u ж=zh,j
ع=3 ح=7,h خ=5,kh ق=q,2 ء=2 أ=a,2a ط=t,6 ة=a,eh ش=sh,ch و=w,o,u ي=y,i,ee
"""
WAYS = {letter: ways.split(",") for letter, ways in (pair.split("=") for pair in HABITS.split())}
# English in Cyrillic letters.
CYRILLIC = {"sh": "ш", "ch": "ч", "th": "з", "ph": "ф", "oo": "у", "ee": "и", "ck": "к", "you": "ю", "ya": "я"} | dict(
    zip("abcdefghijklmnopqrstuvwxyz", "абкдефгхижклмнопкрстуввкйз", strict=True)
)
DIGRAPHS = re.compile("|".join(sorted(CYRILLIC, key=len, reverse=True)))
LOOKS_LIKE = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7", "а": "@", "о": "0", "з": "3", "е": "3", "и": "u"}


def disguise(text: str, rng: random.Random) -> str:
    """The text with a change in a third of its longer words or in all, without its punctuation or its accents, or in letters of another alphabet."""
    kind = rng.random()
    if ROMANISED.search(text) and rng.random() < 0.6:
        return romanised(text, rng)
    if kind < 0.02 and text.isascii():
        return DIGRAPHS.sub(lambda match: CYRILLIC[match[0]], text.lower())
    if kind < 0.15:
        return re.sub(r"[^\w\s]", "", text) or text
    if kind < 0.3:
        return without_accents(text)
    change = rng.choice((_swap, _drop, _replace, _double, _mask, _vowels, _digits, _apart))
    share = rng.choice((0.35, 0.35, 1.0))
    return WORD.sub(lambda match: change(match[0], rng) if rng.random() < share else match[0], text)


def romanised(text: str, rng: random.Random) -> str:
    """In Latin letters, by the habits of one writer."""
    habits = {letter: rng.choice(ways) for letter, ways in WAYS.items()}
    return anyascii("".join(habits.get(letter, letter) for letter in text.lower()))


def without_accents(text: str) -> str:
    """Marks such as those of é and й go; where marks are vowels, as in Devanagari, they stay."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", decomposed))


def _swap(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _drop(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _replace(word: str, rng: random.Random) -> str:
    """By a letter near another of the word in its alphabet."""
    at = rng.randrange(1, len(word))
    other = chr(ord(rng.choice(word)) + rng.randrange(-6, 7))
    return word[:at] + (other if other.isalpha() else rng.choice(word)) + word[at + 1 :]


def _double(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at] * rng.randrange(1, 4) + word[at:]


def _mask(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    width = rng.choice((1, 1, 2)) if len(word) > 4 else 1
    return word[:at] + rng.choice("*#-_.") * width + word[at + width :]


def _vowels(word: str, rng: random.Random) -> str:
    return VOWEL.sub(rng.choice("*#_.-"), word)


def _digits(word: str, rng: random.Random) -> str:
    return "".join(rng.choice(LOOKS_LIKE[letter]) if letter in LOOKS_LIKE and rng.random() < 0.6 else letter for letter in word)


def _apart(word: str, rng: random.Random) -> str:
    return rng.choice(" .-").join(word)
