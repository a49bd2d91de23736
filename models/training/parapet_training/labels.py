"""The outputs of the network, in their order, and what a row is. To change the labels, change LABELS and the rules in sources.toml."""

import hashlib
import re
from dataclasses import dataclass, field

LABELS = (
    "toxicity",
    "severe_toxicity",
    "obscene",
    "threat",
    "insult",
    "identity_attack",
    "sexual_explicit",
    "self_harm",
    "spam",
)
SENTIMENTS = ("positive", "negative", "neutral")
OUTPUTS = len(LABELS) + len(SENTIMENTS)

PRESETS: dict[str, dict[str, float]] = {
    # Sources that are harmless by construction.
    "harmless": dict.fromkeys(LABELS, 0.0),
    # What follows from a person's judgement "not toxic". Swearing, sexual talk, self-harm and spam do not follow and stay unknown.
    "not_toxic": dict.fromkeys(("toxicity", "severe_toxicity", "threat", "insult", "identity_attack"), 0.0),
    "hate": {"toxicity": 1.0, "identity_attack": 1.0},
}

OTHER = "other"  # in place of a language that is not served

TRAIN, VALIDATION, HELD_OUT = "train", "validation", "held_out"


@dataclass(slots=True)
class Row:
    """A text with what is known of it. A label that is absent is unknown: it is masked in the loss, never taken for 0."""

    id: str
    text: str
    source: str
    split: str = TRAIN
    labels: dict[str, float] = field(default_factory=dict)
    sentiment: str | None = None
    lang: str = "en"  # BCP 47
    english: str | None = None  # what it says, in English, where that is at hand: what teachers who read no other language are asked


def key_of(text: str) -> str:
    """Letters and digits of the lowercased text: the identity that the lists of excluded texts use."""
    return re.sub(r"\W+", "", text.lower())


def hash_of(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
