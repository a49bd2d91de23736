"""What readers found in texts of others, whatever their label. The texts are not ours to publish: they are known by their hashes."""

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labels import Row

HERE = Path(__file__).parent
ROBUSTNESS = HERE.parents[1] / "benchmarks" / "robustness"
HASH_LENGTH = 16
MOST_CHARACTERS = 4000
SENTENCE_END = re.compile(r"""[.!?]+["')\]]*(?=\s)|\n""")
# A longer sentence is cut into overlapping pieces, since a window of the service's closer look is as well.
LONGEST_SENTENCE, PIECE_LENGTH, STEP = 160, 120, 60
# Characters before and after a sentence that are kept with it.
AROUND = 200
# Nothing is told of what is rude: in a comment that is labelled harmless it is mostly an insult (decision 55), and told to be hardly vile it cost vile
# sentences that people wrote (decision 60).
VILENESS_OF_GRADES = {"vile": 1.0, "harmless": 0.0}


@dataclass(slots=True)
class Sentence:
    """Of a comment or another text, and how vile it is to a reader, whatever the label of the whole."""

    text: str
    around: str  # a stretch of the whole that the text is a part of
    vileness: float


def hash_of(text: str) -> str:
    """The first 16 digits of the SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def grades_of_sentences() -> dict[str, str]:
    """By the hash of a sentence: "vile", "rude" or "harmless" (decision 54)."""
    return dict(line.split() for line in (HERE / "read_by_eye.txt").read_text(encoding="ascii").splitlines())


def sentences_of(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, or of each piece of a long one."""
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        while end - start > LONGEST_SENTENCE:
            border = text.rfind(" ", start, start + PIECE_LENGTH + 1)
            border = border if border > start else start + PIECE_LENGTH
            yield start, border
            word = text.find(" ", start + STEP)
            start = word if start < word < border else border
        yield start, end
        start = end


def sentences_with_words(text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentences_of(text) if re.search(r"\w", text[start:end])]


def distinct_sentences(text: str) -> set[str]:
    text = text[:MOST_CHARACTERS]
    return {text[start:end].strip() for start, end in sentences_with_words(text)}


def random_sentence(text: str, rng: random.Random) -> str:
    """One of those with words, or else the whole."""
    text = text[:MOST_CHARACTERS]
    spans = sentences_with_words(text)
    start, end = rng.choice(spans) if spans else (0, len(text))
    return text[start:end].strip()


def graded_sentences(row: Row, grades: dict[str, str]) -> list[tuple[str, str, str]]:
    """Of a text that is labelled toxic, each sentence with what stands around it and its grade, "" where nobody read it."""
    if row.source.startswith("examples/") or row.labels.get("toxicity", 0.0) < 0.5:
        return []
    text = row.text[:MOST_CHARACTERS]
    return [
        (sentence := text[start:end].strip(), text[max(0, start - AROUND) : end + AROUND], grades.get(hash_of(sentence), ""))
        for start, end in sentences_with_words(text)
    ]


def read_sentences(row: Row, grades: dict[str, str]) -> list[Sentence]:
    """Those of a text that is labelled toxic that readers called vile or harmless."""
    return [Sentence(text, around, VILENESS_OF_GRADES[grade]) for text, around, grade in graded_sentences(row, grades) if grade in VILENESS_OF_GRADES]


def vileness_by_readers(row: Row, grades: dict[str, str]) -> float | None:
    """1 if a sentence of a text that is labelled toxic is vile, 0 if all of them were read and none is, None if nobody knows."""
    found = [grade for _, _, grade in graded_sentences(row, grades)]
    if "vile" in found:
        return 1.0
    return 0.0 if found and all(found) else None


def abusive_comments() -> set[str]:
    """Hashes of Wikipedia's comments of the validation split that are labelled harmless and that a reader called abusive (decision 55)."""
    return set((HERE / "abusive_comments.txt").read_text(encoding="ascii").split())


def abusive_test_comments() -> set[str]:
    """The same of the Wikipedia test, where most of five readers called them so."""
    return set((ROBUSTNESS / "abusive-comments.txt").read_text(encoding="ascii").split())


def vile_test_comments() -> set[str]:
    """Of 1,800 short ones that it calls toxic, those that most of three readers call vile (decision 60)."""
    return set((ROBUSTNESS / "vile-comments.txt").read_text(encoding="ascii").split())
