"""Counts the frequent words of the languages that are served: python -m parapet_training.frequent_words DATA LIST

A text counts a word once. A language has two corpora, and a word's shares of both are added up: everyday sentences (film dialogue and Tatoeba
count three times, since people speak in them) and public comments of sets with an open licence. English words are those of LIST, in its order.

LIST is src/text/words/frequent.txt, which is written anew. Of the list in the repository 2 words of 100 change by that: words that are equally
frequent stand there in an order of chance, and where an English word stands in English is not told where another language has it sooner. The
comments in which English was counted are not in the data folder.
"""

import argparse
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from parapet_training.fetch import read
from parapet_training.files import written
from parapet_training.multilingual import Set, read_sets

HERE = Path(__file__).parents[1]
ENGLISH = "en"
# The languages of a script, and how many words of each are listed.
LANGUAGES = {
    "LATIN": ("es fr de pt it nl pl cs sv tr id vi da nb fi ro hu sk hi-Latn", 4000),
    "CYRILLIC": ("ru uk bg", 4000),
    "GREEK": ("el", 4000),
    "ARABIC": ("ar fa", 3000),
    "HEBREW": ("he", 3000),
    "HANGUL": ("ko", 3000),
    "DEVANAGARI": ("hi", 3000),
    "BENGALI": ("bn", 3000),
}
# All words of one letter, which stand behind the ten most frequent words. Others are initials.
OF_ONE_LETTER = {
    **{"es": "a y o e", "fr": "à a y", "pt": "a o e é à", "it": "a e è i o", "pl": "a i o u w z", "cs": "a i o u k s v z", "sk": "a i o u k s v z"},
    **{"sv": "i å", "da": "i", "nb": "i å", "hu": "a s", "ro": "a o", "tr": "o", "el": "η ο", "fa": "و"},
    **{"ru": "а в и к о с у я", "uk": "а в з і й о у я є", "bg": "а в и с е я"},
}
# What stands in data sets for names, links and accounts.
PLACEHOLDERS = {"user", "users", "anonymized", "account", "http", "https", "url", "rt", "co", "amp", "nbsp", "username", "emoji", "link", "usuario"}
WEIGHTS = {"xed_subtitles": 3, "tatoeba_laser": 3, "common_voice": 1, "massive": 1}
SPAM = {"telegram_spam_ru", "tg_spam_zh"}
FEWEST = 3
LONGEST = 16
# A letter, and letters or the marks of Latin, Hebrew, Arabic, Devanagari and Bengali.
WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd])*")
STRETCHED = re.compile(r"(.)\1\1")

Counts = dict[str, Counter[str]]


def words_in(text: str) -> set[str]:
    return set(WORD.findall(unicodedata.normalize("NFC", text).lower().replace("i\u0307", "i")))


def texts_of(item: Set, data: Path) -> Iterator[tuple[str, str]]:
    """Language and text; of sets with labels as often as they stand there."""
    seen = set()
    for line in read(item.file, data).decode("utf-8").splitlines():
        record = json.loads(line)
        found = (record["lang"], unicodedata.normalize("NFC", record["text"]))
        if item.kind == "labelled" or found not in seen:
            seen.add(found)
            yield found


def counted(sets: Iterable[Set], data: Path) -> tuple[Counts, Counts]:
    """Of sentences and of comments: in how many texts of a language a word stands."""
    sentences: Counts = defaultdict(Counter)
    comments: Counts = defaultdict(Counter)
    for item in sets:
        commented = item.kind == "labelled" and item.licence == "open" and item.name not in SPAM
        if commented or item.name in WEIGHTS:
            corpus, weight = (comments, 1) if commented else (sentences, WEIGHTS[item.name])
            for language, text in texts_of(item, data):
                for word in words_in(text):
                    corpus[language][word] += weight
    return sentences, comments


def is_listed(word: str, script: str, language: str) -> bool:
    if not 1 < len(word) <= LONGEST or word in PLACEHOLDERS or (STRETCHED.search(word) and language != "ro"):
        return False
    return all(unicodedata.name(letter, "?").split()[0] == script or unicodedata.category(letter)[0] == "M" for letter in word)


def ranked(sentences: Counter[str], comments: Counter[str], script: str, language: str, english: dict[str, int]) -> list[str]:
    """Most frequent first, of equal ones in the order of the alphabet. A common English word is left out where it is much rarer here."""
    total, total_of_comments = sentences.total() or 1, comments.total() or 1
    shares = {
        word: sentences[word] / total + comments[word] / total_of_comments
        for word in sorted(set(sentences) | set(comments))
        if sentences[word] + comments[word] >= FEWEST and is_listed(word, script, language)
    }
    found = sorted(shares, key=lambda word: -shares[word])
    found[10:10] = OF_ONE_LETTER.get(language, "").split()
    borrowed = {word for place, word in enumerate(found) if script == "LATIN" and english.get(word, 2000) < 2000 and place > 4 * english[word] + 150}
    return [word for word in found if word not in borrowed]


def lines_of(ranks: dict[str, dict[str, int]]) -> Iterator[str]:
    """A word, its best rank, and the languages in which it is not much rarer than that."""
    best: dict[str, int] = {}
    for words in ranks.values():
        for word, rank in words.items():
            best[word] = min(rank, best.get(word, rank))
    languages = defaultdict(list)
    for language, words in ranks.items():
        for word, rank in words.items():
            if rank <= 20 * best[word] + 1000:
                languages[word].append(language)
    for word in sorted(best, key=lambda word: word.encode("utf-16-be")):
        yield f"{word} {best[word]} {' '.join(languages[word])}\n"


def english_in(lines: Iterable[str]) -> dict[str, int]:
    """The ranks of its words. One that another language has sooner gets the first place that is free from there on."""
    words = sorted((int(rank), len(languages) > 1, word) for word, rank, *languages in (line.split() for line in lines) if ENGLISH in languages)
    ranks = {word: rank for rank, shared, word in words if not shared}
    free = iter(sorted(set(range(2 * len(words))) - set(ranks.values())))
    for rank, shared, word in words:
        if shared:
            ranks[word] = next(place for place in free if place >= rank)
    return ranks


def frequent_words(head: list[str], lines: list[str], sets: Iterable[Set], data: Path) -> Iterator[str]:
    """The lines of the list made anew, of the head and the lines of the one that is there."""
    english = english_in(lines)
    ranks = {ENGLISH: english}
    sentences, comments = counted(sets, data)
    for script, (languages, most) in LANGUAGES.items():
        for language in languages.split():
            words = ranked(sentences[language], comments[language], script, language, english)[:most]
            ranks[language] = {word: rank for rank, word in enumerate(words)}
    yield from head
    yield from lines_of(ranks)


def main() -> None:
    parser = argparse.ArgumentParser(prog="parapet_training.frequent_words", description=__doc__)
    parser.add_argument("data", type=Path, help="the data folder")
    parser.add_argument("list", type=Path, help="the list, which is written anew")
    options = parser.parse_args()
    lines = options.list.read_text(encoding="utf-8").splitlines(keepends=True)
    head, words = [line for line in lines if line.startswith("# ")], [line for line in lines if not line.startswith("# ")]
    with written(options.list) as file:
        file.writelines(frequent_words(head, words, read_sets(HERE / "multilingual.toml"), options.data))


if __name__ == "__main__":
    main()
