"""Writes harmless texts of several kinds, of the validation split, for `bench:robustness --surroundings`: work/surroundings.jsonl.

    python surroundings.py --work work
"""

import argparse
import json
from pathlib import Path

from calibrate import REFERENCE
from labels import Row

KINDS = {
    "Wikipedia comments": ("jigsaw_train", "jigsaw_first20k"),
    "Reddit": ("goemotions",),
    "tweets": ("semeval_2013_2016_sentiment", "tweet_sentiment_extraction"),
    "requests to assistants": ("clinc150_benign", "banking77_benign"),
    "reviews and comments on videos": ("uci_sentiment_sentences", "hope_edi_en"),
    "medical answers": ("medquad_benign",),
    "code reviews": ("toxicr_code_review", "github_issue_toxicity"),
}
KIND_OF_SOURCE = {source: kind for kind, sources in KINDS.items() for source in sources}
# Sources that do not judge toxicity are ordinary conversation: hardly any of their texts is toxic.
MOST_TOXICITY = 0.05
MOST_CHARACTERS = 2000


def is_harmless_elsewhere(row: Row) -> bool:
    """A harmless text of one of these kinds that is no Wikipedia comment."""
    return row.source in KIND_OF_SOURCE and row.source not in REFERENCE and row.labels.get("toxicity", 0.0) <= MOST_TOXICITY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    options = parser.parse_args()
    with (
        open(options.work / "validation.jsonl", encoding="utf-8") as validation,
        open(options.work / "surroundings.jsonl", "w", encoding="utf-8") as surroundings,
    ):
        for row in map(json.loads, validation):
            kind = KIND_OF_SOURCE.get(row["source"])
            if kind and row["labels"].get("toxicity", 0.0) <= MOST_TOXICITY and len(row["text"]) <= MOST_CHARACTERS:
                surroundings.write(json.dumps({"text": row["text"], "kind": kind}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
