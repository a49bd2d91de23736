"""Scores whole texts as the service does: overlapping token windows, the strongest window per label, corrected for length.

The service's own code is src/inference/windows.ts and src/moderation/probabilities.ts; it cuts at word borders, this cuts at any
token, which makes no measurable difference.
"""

from collections.abc import Callable, Sequence

import numpy as np
from tokenizers import Tokenizer

from labels import LABEL_LOGITS, SENTIMENT_LOGITS

MAX_TOKENS = 128
OVERLAP_TOKENS = 32
UNKNOWN_ID = 100

# input_ids, attention_mask: int64 [batch, tokens] -> logits: float32 [batch, labels + sentiments + teachers] (an exported model has none)
Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]


def known_tokens(ids: Sequence[int]) -> list[int]:
    """Without unknown tokens, as the service does: words in other scripts, of which the model could only know where they occur."""
    return [token for token in ids if token != UNKNOWN_ID]


def windows_of(ids: Sequence[int]) -> list[list[int]]:
    """Ids with [CLS] and [SEP] -> windows of at most MAX_TOKENS, each with [CLS] and [SEP]; unknown tokens are left out."""
    room = MAX_TOKENS - 2
    inner = known_tokens(ids[1:-1])
    starts = [0]
    while starts[-1] + room < len(inner):
        starts.append(starts[-1] + room - OVERLAP_TOKENS)
    return [[ids[0], *inner[start : start + room], ids[-1]] for start in starts]


def window_logits(texts: Sequence[str], tokenizer: Tokenizer, predict: Predict, batch_tokens: int = 8192) -> list[np.ndarray]:
    """Per text, the logits of its windows: float32 [windows, logits]."""
    jobs = [
        (index, window)
        for index, encoding in enumerate(tokenizer.encode_batch(list(texts)))
        for window in windows_of(encoding.ids)
    ]
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
        for row, window in enumerate(batch):
            input_ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        for job, row in zip(order[begin:end], predict(input_ids, mask), strict=True):
            logits[job] = row
        begin = end
    texts_logits: list[list[np.ndarray]] = [[] for _ in texts]
    for (index, _), row in zip(jobs, logits, strict=True):
        texts_logits[index].append(row)
    return [np.stack(rows) for rows in texts_logits]


def label_logits(windows: Sequence[np.ndarray], length_correction: np.ndarray) -> np.ndarray:
    """[texts, labels]: the strongest window's logit, less correction times ln(windows)."""
    return np.stack([rows[:, LABEL_LOGITS].max(0) - length_correction * np.log(len(rows)) for rows in windows])


def sentiment_probabilities(windows: Sequence[np.ndarray]) -> np.ndarray:
    """[texts, sentiments]: mean over windows (the service weights by tokens)."""
    result = []
    for rows in windows:
        scores = rows[:, SENTIMENT_LOGITS]
        exponents = np.exp(scores - scores.max(1, keepdims=True))
        result.append((exponents / exponents.sum(1, keepdims=True)).mean(0))
    return np.stack(result)


def sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -40, 40)))
