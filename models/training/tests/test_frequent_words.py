"""The count of frequent words, on made-up sets."""

import hashlib
import json
import lzma
from pathlib import Path

from parapet_training.frequent_words import english_in, frequent_words, words_in
from parapet_training.multilingual import Set
from parapet_training.sources import SourceFile


def made_up(folder: Path, name: str, kind: str, texts: list[tuple[str, str]], licence: str = "open") -> Set:
    content = "".join(json.dumps({"lang": language, "text": text}) + "\n" for language, text in texts).encode()
    (folder / f"{name}.jsonl.xz").write_bytes(lzma.compress(content))
    return Set(name, kind, licence, SourceFile(f"{name}.jsonl", hashlib.sha256(content).hexdigest()))


def test_words_are_letters_and_their_marks_in_lower_case() -> None:
    assert words_in("İyi, İYİ! Was 2nd हूँ e\u0301t\u00e9") == {"iyi", "was", "nd", "हूँ", "\u00e9t\u00e9"}


def test_words_are_ranked_by_their_shares_of_sentences_and_comments(tmp_path: Path) -> None:
    sentences = [("de", "Das Haus"), ("de", "das Haus"), ("de", "das Haus"), ("de", "das Haus")]
    sets = [
        # Three times each, but for the one that is there twice.
        made_up(tmp_path, "tatoeba_laser", "parallel", sentences),
        made_up(tmp_path, "comments", "labelled", [("de", "doof")] * 3 + [("de", "user hallooo")] * 3),
        made_up(tmp_path, "closed", "labelled", [("de", "geschlossen")] * 9, "none"),
        made_up(tmp_path, "tg_spam_zh", "labelled", [("de", "gewinn")] * 9),
        made_up(tmp_path, "ntrex", "parallel", [("de", "satz")] * 9),
    ]
    head = ["# Frequent words.\n"]
    assert list(frequent_words(head, ["idiot 0 en\n"], sets, tmp_path))[:1] == head
    lines = [line.split() for line in frequent_words([], ["idiot 0 en\n"], sets, tmp_path)]
    assert {word: rank for word, rank, *languages in lines if "de" in languages} == {"das": "0", "haus": "1", "doof": "2"}
    assert ["idiot", "0", "en"] in lines
    assert [word for word, *_ in lines] == sorted(word for word, *_ in lines)


def test_an_english_word_that_another_language_has_sooner_keeps_its_order() -> None:
    assert english_in(["die 1 en de\n", "cat 3 en\n", "you 0 en\n", "the 1 en\n", "Haus 2 de\n"]) == {"you": 0, "the": 1, "die": 2, "cat": 3}
