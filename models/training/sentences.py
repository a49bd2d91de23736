"""Compares checkpoints by what their severe toxicity says of sentences alone, in a minute each: how many vile sentences would be found within long texts.

    python sentences.py work/settle.pt work/other.pt --data DATA --work work --threat 0 0.1

The closer look at a long text reads sentences alone, and flags the text for the worst one. So joined comments of the Wikipedia test have the severity of
their severest sentence, and the sentences of our lists are found if they exceed what a given share of the joined texts has. What the service does beyond that
(other labels, pieces, how rough the rest is, where a sentence begins) is not counted: `bench:robustness` says what is found in the end.
With `--work`, the same of the vile examples of the validation split, which are varied and seldom plain, and of sentences that people wrote: those of its toxic texts that
readers called vile.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from distillation import logits_of
from labels import LABELS, Row
from readers import abusive_test_comments, grades_of_sentences, hash_of, read_sentences
from runtimes import load_checkpoint
from sources import FURTHER_VILE_SOURCE
from vocabulary import load_tokenizer
from windows import WEIGHT_OF_WHOLE_SENTENCE, possible_sentences, windows_of

PROBES = Path(__file__).parents[2] / "benchmarks" / "probes"
LISTS_TO_CHOOSE_WITH = ("vile_sentences", "vile_sentences_2", "vile_sentences_3", "vile_sentences_4")
LONG_CHARACTERS = 9900
JOINED_TEXTS = 3000
SHARES_OF_JOINED = (0.06, 0.08, 0.10)
# For the kinds of sentences, each by itself.
SHARE_FOR_KINDS = 0.08
# Of three readers.
MOST_OF_THE_READERS = 2
SEVERE, THREAT = LABELS.index("severe_toxicity"), LABELS.index("threat")


@dataclass
class Comments:
    texts: list[str]
    sentences: list[str]
    comment_of: np.ndarray  # [sentences]
    whole_of: np.ndarray  # [sentences]: the index of the one that it begins within, or its own
    by_label: np.ndarray  # indices of the harmless comments
    by_readers: np.ndarray  # of those that readers do not call abusive

    @classmethod
    def of_the_test(cls, data: Path) -> "Comments":
        wiki = pd.read_csv(data / "eval" / "jigsaw_wiki_test.csv.xz", header=None, names=["text", "toxic"], keep_default_na=False)
        texts = [text for text in wiki[wiki["toxic"] == 0]["text"].astype(str) if len(text) <= LONG_CHARACTERS]
        found = [(index, sentence) for index, text in enumerate(texts) for sentence in possible_sentences(text)]
        places = {(index, sentence.text): place for place, (index, sentence) in enumerate(found)}
        whole_of = np.array([places[index, sentence.whole] for index, sentence in found])
        abusive = abusive_test_comments()
        is_harmless = np.array([hash_of(text) not in abusive for text in texts])
        comment_of = np.array([index for index, _ in found])
        by_label, by_readers = np.arange(len(texts)), np.flatnonzero(is_harmless)
        return cls(texts, [sentence.text for _, sentence in found], comment_of, whole_of, by_label, by_readers)

    def joined_severities(self, severities: np.ndarray, among: np.ndarray) -> np.ndarray:
        """[sentences] -> [JOINED_TEXTS]: the highest in each text that is joined of some of the comments."""
        rng = np.random.default_rng(1)
        of_comment = np.full(len(self.texts), -np.inf)
        np.maximum.at(of_comment, self.comment_of, severities)
        lengths = np.array([len(text) for text in self.texts])
        result = []
        for _ in range(JOINED_TEXTS):
            characters, highest = 0, -np.inf
            while characters < LONG_CHARACTERS:
                comment = rng.choice(among)
                characters, highest = characters + lengths[comment], max(highest, of_comment[comment])
            result.append(highest)
        return np.array(result)


def severe_and_threat(checkpoint: Path, texts: list[str]) -> np.ndarray:
    """Log-odds, [texts, 2]."""
    encodings = load_tokenizer().encode_batch(texts)
    return logits_of(load_checkpoint(checkpoint), [windows_of(encoding)[0].ids for encoding in encodings]).numpy()[:, [SEVERE, THREAT]]


def vile_of_validation(work: Path | None) -> tuple[list[str], list[str]]:
    """Examples of ours, and sentences that people wrote."""
    if work is None:
        return [], []
    rows = [Row(**json.loads(line)) for line in open(work / "validation.jsonl", encoding="utf-8")]
    grades = grades_of_sentences()
    written = {sentence.text for row in rows for sentence in read_sentences(row, grades) if sentence.vileness == 1.0}
    return [row.text for row in rows if row.source == FURTHER_VILE_SOURCE and row.labels.get("severe_toxicity") == 1.0], sorted(written)


def percent_above(severities: np.ndarray, threshold: float) -> str:
    return f"{100 * (severities > threshold).mean():.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, help="where prepare.py wrote validation.jsonl")
    parser.add_argument("--threat", type=float, nargs="+", default=[0.0], help="shares of threat to add to severe toxicity, as average.py does")
    options = parser.parse_args()
    torch.set_num_threads(2)
    comments = Comments.of_the_test(options.data)
    probes = [json.loads(line) for name in LISTS_TO_CHOOSE_WITH for line in open(PROBES / f"{name}.jsonl", encoding="utf-8")]
    is_vile = np.array([probe["vile"] >= MOST_OF_THE_READERS for probe in probes])
    kinds = np.array([probe["kind"] for probe in probes])
    examples, written = vile_of_validation(options.work)
    for checkpoint in options.checkpoints:
        said_of = severe_and_threat(checkpoint, [*comments.sentences, *(probe["text"] for probe in probes), *examples, *written])
        ends = np.cumsum([len(comments.sentences), len(probes), len(examples)])
        of_comments, of_probes, of_examples, of_written = np.split(said_of, ends)
        of_comments += WEIGHT_OF_WHOLE_SENTENCE * (of_comments[comments.whole_of] - of_comments)
        for share in options.threat:
            weights = np.array([1.0, share])
            severities, said = of_comments @ weights, of_probes @ weights
            print(f"{checkpoint}, threat {share}")
            for name, among in (("label", comments.by_label), ("readers", comments.by_readers)):
                joined = comments.joined_severities(severities, among)
                for flagged in SHARES_OF_JOINED:
                    threshold = float(np.quantile(joined, 1 - flagged))
                    vile, others = percent_above(said[is_vile], threshold), percent_above(said[~is_vile], threshold)
                    line = f"  harmless by {name}, {flagged:.0%} flagged: vile {vile}, others {others}"
                    if examples:
                        line += f", of validation {percent_above(of_examples @ weights, threshold)}"
                        line += f", written by people {percent_above(of_written @ weights, threshold)}"
                    print(line, flush=True)
                    if flagged == SHARE_FOR_KINDS:
                        print("    " + ", ".join(f"{kind} {percent_above(said[kinds == kind], threshold)}" for kind in sorted(set(kinds))))


if __name__ == "__main__":
    main()
