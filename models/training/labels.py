"""The label set that every step of the training shares, and the row that carries labels from a source to the model.

Nothing here reads files or knows a dataset.
"""

from collections.abc import Sequence
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
# What the published classifiers of teachers.py say, as further outputs of the network.
TEACHERS = (
    "linear_profane",
    "lstm_toxic",
    "lstm_severe_toxic",
    "lstm_obscene",
    "lstm_threat",
    "lstm_insult",
    "lstm_identity_hate",
)
# The network's logits, in this order.
LABEL_LOGITS = slice(0, len(LABELS))
SENTIMENT_LOGITS = slice(len(LABELS), len(LABELS) + len(SENTIMENTS))
TEACHER_LOGITS = slice(len(LABELS) + len(SENTIMENTS), None)


@dataclass(slots=True)
class Row:
    """One text with what is known about it.

    labels: probability (0 to 1) per known label. A label that is absent is unknown: it is masked in the loss, never taken for zero.
    sentiment: one of SENTIMENTS, or None when unknown.
    weight: factor on the loss of this row.
    teachers: log-odds of each of TEACHERS, NaN where unknown, or None.
    """

    text: str
    labels: dict[str, float] = field(default_factory=dict)
    sentiment: str | None = None
    weight: float = 1.0
    source: str = ""
    teachers: Sequence[float] | None = None


def harmless() -> dict[str, float]:
    """Every label known to be false, for sources that are harmless by construction."""
    return {label: 0.0 for label in LABELS}


def not_toxic() -> dict[str, float]:
    """What follows from a human judgement "not toxic".

    Threats, attacks on identity, insults and severe toxicity are kinds of toxicity, so they are false too. Obscene (friendly
    swearing), sexual, self-harm and spam do not follow and stay unknown.
    """
    return {label: 0.0 for label in ("toxicity", "severe_toxicity", "threat", "insult", "identity_attack")}
