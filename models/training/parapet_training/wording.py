"""How a text is written, apart from what it says: stops, capitals, and harmless company. Harmful and harmless texts vary alike, so that none of it tells."""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from parapet_training.examples import EXAMPLES
from parapet_training.labels import LABELS

STOPS = {"ja": "。", "zh": "。", "hi": "।", "bn": "।", "th": ""}
ENDS = re.compile(r"[.。।]+$")
MOST_CHARACTERS, LONGEST_COMPANY = 420, 120
# Sources of everyday sentences that are harmless company too.
EVERYDAY = ("common_voice", "tatoeba_laser")
OTHER_LANGUAGE = 0.25  # share of the joined texts whose company is of another language


@dataclass(frozen=True)
class Companions:
    """Harmless sentences by language. share: of the texts that are reworded."""

    share: float = 0.0
    by_language: dict[str, list[str]] = field(default_factory=dict)


def companions_of(rows: Sequence[dict[str, Any]], share: float) -> Companions:
    by_language: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        ours = row["source"].startswith(EXAMPLES) and len(row["labels"]) == len(LABELS) and not any(row["labels"].values())
        if (ours or row["source"] in EVERYDAY) and 5 < len(row["text"]) <= LONGEST_COMPANY:
            by_language[row["lang"]].append(row["text"])
    return Companions(share, dict(by_language))


def reworded(text: str, lang: str, companions: Companions, rng: random.Random) -> tuple[str, bool]:
    """The text otherwise written, and whether it has company now."""
    has_company = rng.random() < 0.4 and len(text) < MOST_CHARACTERS and lang in companions.by_language
    parts = [text]
    if has_company:
        own = lang if rng.random() >= OTHER_LANGUAGE else rng.choice(sorted(companions.by_language))
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            parts.insert(rng.randint(0, len(parts)), rng.choice(companions.by_language[own]))
            if sum(map(len, parts)) > MOST_CHARACTERS:
                break
    kind = rng.random()
    if kind < 0.4:
        parts = [ENDS.sub("", part) for part in parts]
        if kind < 0.2:
            parts = [part.lower() for part in parts]
    elif kind < 0.7:
        parts = [part[:1].upper() + part[1:] + ("" if part[-1:] in ".!?…。！？।" else STOPS.get(lang, ".")) for part in parts]
    joint = "" if lang in ("ja", "zh") and rng.random() < 0.5 else " "
    return joint.join(parts), has_company
