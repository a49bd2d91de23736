"""What readers found in texts of others that are labelled harmless. The texts are not ours to publish: they are known by their hashes."""

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
ABUSIVE_TEST_COMMENTS = HERE.parents[1] / "benchmarks" / "robustness" / "abusive-comments.txt"
HASH_LENGTH = 16


def hash_of(text: str) -> str:
    """The first 16 digits of the SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def grades_of_sentences() -> dict[str, str]:
    """By the hash of a sentence: "vile", "rude" or "harmless" (decision 54)."""
    return dict(line.split() for line in (HERE / "read_by_eye.txt").read_text(encoding="ascii").splitlines())


def abusive_comments() -> set[str]:
    """Hashes of Wikipedia's comments of the validation split that are labelled harmless and that a reader called abusive (decision 55)."""
    return set((HERE / "abusive_comments.txt").read_text(encoding="ascii").split())


def abusive_test_comments() -> set[str]:
    """The same of the Wikipedia test, where most of five readers called them so."""
    return set(ABUSIVE_TEST_COMMENTS.read_text(encoding="ascii").split())
