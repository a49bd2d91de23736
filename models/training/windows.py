"""Scores whole texts as the service does: overlapping token windows, a closer look at the sentences of two of them, the strongest
per label, corrected for length.

The service's own code is src/inference/windows.ts, src/moderation/closer-look.ts and src/moderation/probabilities.ts; it cuts windows at
word borders and sentences by Unicode's rules, this cuts at any token and at punctuation, which makes no measurable difference.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from tokenizers import Encoding, Tokenizer

from labels import LABEL_LOGITS, LABELS, SENTIMENT_LOGITS

MAX_TOKENS = 128
OVERLAP_TOKENS = 32
UNKNOWN_ID = 100
TOXICITY = LABELS.index("toxicity")
CLOSELY_JUDGED_WINDOWS = 2
MAX_SENTENCES = 16
SENTENCE = re.compile(r"[^.!?\n]{1,240}[.!?]*\s*")

# input_ids, attention_mask: int64 [batch, tokens] -> logits: float32 [batch, labels + sentiments + teachers] (an exported model has none)
Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]


def known_tokens(ids: Sequence[int]) -> list[int]:
    """Without unknown tokens, as the service does: words in other scripts, of which the model could only know where they occur."""
    return [token for token in ids if token != UNKNOWN_ID]


@dataclass
class Window:
    ids: list[int]  # with [CLS] and [SEP]
    start: int  # of the characters that it covers
    end: int


def windows_of(encoding: Encoding) -> list[Window]:
    """Windows of at most MAX_TOKENS; unknown tokens are left out."""
    room = MAX_TOKENS - 2
    tokens = [(token, span) for token, span in zip(encoding.ids[1:-1], encoding.offsets[1:-1], strict=True) if token != UNKNOWN_ID]
    starts = [0]
    while starts[-1] + room < len(tokens):
        starts.append(starts[-1] + room - OVERLAP_TOKENS)
    windows = []
    for start in starts:
        part = tokens[start : start + room]
        first, last = (part[0][1][0], part[-1][1][1]) if part else (0, 0)
        windows.append(Window([encoding.ids[0], *(token for token, _ in part), encoding.ids[-1]], first, last))
    return windows


def sentences_of(text: str) -> list[str]:
    """About what src/moderation/sentences.ts makes of a window, neighbours joined where there are many."""
    sentences = [sentence.strip() for sentence in SENTENCE.findall(text) if sentence.strip()]
    size = -(-len(sentences) // MAX_SENTENCES)
    return [" ".join(sentences[begin : begin + size]) for begin in range(0, len(sentences), max(1, size))]


@dataclass
class TextLogits:
    windows: np.ndarray  # [windows, logits]
    # Of the windows of a long text that were looked at closely: [sentences, logits]
    sentences: dict[int, np.ndarray] = field(default_factory=dict)

    def map(self, change: Callable[[np.ndarray], np.ndarray]) -> "TextLogits":
        return TextLogits(change(self.windows), {index: change(rows) for index, rows in self.sentences.items()})

    def strongest(self) -> np.ndarray:
        """Per logit that of the strongest window, or the mean of it and of that window's strongest sentence."""
        columns = np.arange(self.windows.shape[1])
        best = self.windows.argmax(0)
        values = self.windows[best, columns]
        for index, rows in self.sentences.items():
            here = best == index
            values[here] = (values[here] + rows.max(0)[here]) / 2
        return values


def text_logits(texts: Sequence[str], tokenizer: Tokenizer, predict: Predict, batch_tokens: int = 8192) -> list[TextLogits]:
    """Of each text, the logits of its windows and, if it has several, of the sentences of the most toxic ones."""
    windows = [windows_of(encoding) for encoding in tokenizer.encode_batch(list(texts))]
    results = [TextLogits(rows) for rows in _grouped([[window.ids for window in ours] for ours in windows], predict, batch_tokens)]
    looks = [
        (position, int(index), sentences)
        for position, result in enumerate(results)
        if len(result.windows) > 1
        for index in np.argsort(-result.windows[:, TOXICITY])[:CLOSELY_JUDGED_WINDOWS]
        if (sentences := sentences_of(texts[position][windows[position][index].start : windows[position][index].end]))
    ]
    encoded = [[windows_of(encoding)[0].ids for encoding in tokenizer.encode_batch(sentences)] for _, _, sentences in looks]
    for (position, index, _), rows in zip(looks, _grouped(encoded, predict, batch_tokens), strict=True):
        results[position].sentences[index] = rows
    return results


def _grouped(groups: Sequence[Sequence[list[int]]], predict: Predict, batch_tokens: int) -> list[np.ndarray]:
    """The logits of the ids of each group, judged in batches of like length: [[ids]] -> float32 [ids, logits] per group."""
    jobs = [(position, ids) for position, group in enumerate(groups) for ids in group]
    order = sorted(range(len(jobs)), key=lambda job: len(jobs[job][1]))
    logits: list[np.ndarray | None] = [None] * len(jobs)
    begin = 0
    while begin < len(order):
        # Longest last: the size of a batch follows from its own longest window.
        end = begin + 1
        while end < len(order) and (end - begin + 1) * len(jobs[order[end]][1]) <= batch_tokens:
            end += 1
        batch = [jobs[job][1] for job in order[begin:end]]
        width = max(map(len, batch))
        input_ids = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros((len(batch), width), dtype=np.int64)
        for row, ids in enumerate(batch):
            input_ids[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        for job, row in zip(order[begin:end], predict(input_ids, mask), strict=True):
            logits[job] = row
        begin = end
    rows: list[list[np.ndarray]] = [[] for _ in groups]
    for (position, _), row in zip(jobs, logits, strict=True):
        rows[position].append(row)
    return [np.stack(group) for group in rows]


def label_logits(texts: Sequence[TextLogits], length_correction: np.ndarray) -> np.ndarray:
    """[texts, labels]: the strongest logit, less correction times ln(windows)."""
    return np.stack([text.strongest()[LABEL_LOGITS] - length_correction * np.log(len(text.windows)) for text in texts])


def sentiment_probabilities(texts: Sequence[TextLogits]) -> np.ndarray:
    """[texts, sentiments]: mean over windows (the service weights by tokens)."""
    result = []
    for text in texts:
        scores = text.windows[:, SENTIMENT_LOGITS]
        exponents = np.exp(scores - scores.max(1, keepdims=True))
        result.append((exponents / exponents.sum(1, keepdims=True)).mean(0))
    return np.stack(result)


def sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -40, 40)))
