"""Scores whole texts as the service does: overlapping token windows, a closer look at those that decide in short pieces and sentences, the
strongest per label, corrected for length.

The service's own code is src/inference/windows.ts, src/moderation/closer-look.ts, sentences.ts and probabilities.ts; it cuts windows at
word borders and chooses by risk and where it is worth it, this cuts at any token and chooses by toxicity and at any risk, which makes no measurable difference.
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
TOXICITY, SEVERE = LABELS.index("toxicity"), LABELS.index("severe_toxicity")
# Texts of fewer windows are not looked at closely: src/moderation/closer-look.ts says why.
CLOSELY_JUDGED_WINDOWS = 6
PIECE_LENGTH = 120
# The most toxic window and the severest are cut into what may be sentences as well. These count for toxicity and severe toxicity twice as much as the pieces, and for nothing else.
MAX_SENTENCES = 32
WEIGHT_OF_SENTENCES = 2 / 3
# What a piece or sentence of a long text says of these counts for its toxicity: `signsOfAbuse` of the calibration says how much.
SIGNS_OF_ABUSE = [SEVERE, LABELS.index("obscene"), LABELS.index("insult")]
# Of what begins within a sentence, how much the whole of that counts.
WEIGHT_OF_WHOLE_SENTENCE = 0.3
# For severe toxicity the window that they are in counts a little.
WEIGHT_OF_WINDOW = 0.1
SEVEREST_WINDOWS = 2
ENDS_A_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*$")
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|\n")
# A sentence that goes on further beyond its window is cut where that is.
REACH = 160
QUOTES_AND_BRACKETS = "\"'“‘("
# As in src/moderation/length-correction.ts.
LEAST_WINDOWS_TO_STAND_OUT = 12
ROUGHNESS_WEIGHTS = np.where(np.arange(len(LABELS)) == SEVERE, 1.25, 0.75)
LEAST_CORRECTIONS = np.where(np.arange(len(LABELS)) == SEVERE, -0.5, 0.0)
# By whose doubtful windows a text is rough.
DOUBTS_OF = [TOXICITY if label == SEVERE else label for label in range(len(LABELS))]

# input_ids, attention_mask: int64 [batch, tokens] -> logits: float32 [batch, labels + sentiments + teachers] (an exported model has none)
Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]
# [windows, logits] -> which windows of a long text to look at closely
Choose = Callable[[np.ndarray], set[int]]


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


def pieces_of(text: str, most: int = PIECE_LENGTH) -> list[str]:
    """Pieces of whole words, of at most so many characters, each beginning with the second half of the one before."""
    pieces: list[str] = []
    piece: list[str] = []
    for word in text.split():
        if piece and len(" ".join([*piece, word])) > most:
            pieces.append(" ".join(piece))
            while piece and (len(" ".join(piece)) > most / 2 or len(" ".join([*piece, word])) > most):
                piece = piece[1:]
        piece.append(word)
    return [*pieces, " ".join(piece)] if piece else pieces


@dataclass(frozen=True)
class PossibleSentence:
    text: str
    whole: str  # what stands between full stops around it: itself, if it does not begin within that


def possible_sentences(text: str) -> list[PossibleSentence]:
    """What stands between full stops or line breaks, then what goes on to such an end from a capital that follows a word without one."""
    whole, begun_within = [], []
    for line in text.split("\n"):
        words, sentence = line.split(), []
        for index, word in enumerate(words):
            sentence.append(word)
            if index == len(words) - 1 or ENDS_A_SENTENCE.search(word):
                capitals = [begins_with_a_capital(each) for each in sentence]
                starts = [start for start in range(1, len(sentence) - 1) if capitals[start] and not capitals[start - 1]]
                of_words = " ".join(sentence)
                if any(character.isalpha() for character in of_words):
                    whole.append(PossibleSentence(of_words, of_words))
                    begun_within += [PossibleSentence(" ".join(sentence[start:]), of_words) for start in starts]
                sentence = []
    return [*whole, *begun_within]


def in_whole_sentences(text: str, start: int, end: int) -> str:
    """The stretch from `start` to `end`, with the rest of the sentences that it begins and ends within."""
    near = max(0, start - REACH)
    ends_before = [match.end() for match in SENTENCE_END.finditer(text, near, start)]
    begin = ends_before[-1] if ends_before else near if near == 0 else start
    within = text[start:end].rstrip()
    if ENDS_A_SENTENCE.search(within) and not text[start + len(within) : end + 1][:1].strip():
        return text[begin:end]
    next_end = SENTENCE_END.search(text, end, end + REACH)
    finish = next_end.end() if next_end else len(text) if end + REACH >= len(text) else end
    return text[begin:finish]


def begins_with_a_capital(word: str) -> bool:
    return (word[1:] if word[0] in QUOTES_AND_BRACKETS else word)[:1].isupper()


@dataclass
class TextLogits:
    windows: np.ndarray  # [windows, logits]
    # [pieces or sentences, logits] of each window that was looked at closely, and of those of them that were cut into sentences
    pieces: dict[int, np.ndarray] = field(default_factory=dict)
    sentences: dict[int, np.ndarray] = field(default_factory=dict)

    def map(self, change: Callable[[np.ndarray], np.ndarray]) -> "TextLogits":
        pieces, sentences = ({window: change(of) for window, of in group.items()} for group in (self.pieces, self.sentences))
        return TextLogits(change(self.windows), pieces, sentences)

    def with_signs_of_abuse(self, weight: float, thresholds: np.ndarray) -> "TextLogits":
        """What the pieces and sentences of a long text say of toxicity, with what they say of its signs: all measured by the labels' thresholds."""
        limits = np.log(thresholds / (1 - thresholds))

        def abuse(logits: np.ndarray) -> np.ndarray:
            excess = logits[:, LABEL_LOGITS] - limits
            result = logits.copy()
            of_abuse = (1 - weight) * excess[:, TOXICITY] + weight * excess[:, SIGNS_OF_ABUSE].mean(1)
            result[:, TOXICITY] = limits[TOXICITY] + of_abuse
            return result

        pieces, sentences = ({window: abuse(of) for window, of in group.items()} for group in (self.pieces, self.sentences))
        return TextLogits(self.windows, pieces, sentences)

    def severity(self) -> float:
        """The logit of severe toxicity: of the pieces and sentences of all windows that were cut into these, wherever the severest window is."""
        if not self.sentences:
            return float(self.windows[:, SEVERE].max())
        return max(
            (1 - WEIGHT_OF_WINDOW) * self._with_sentences(window, SEVERE) + WEIGHT_OF_WINDOW * float(self.windows[window, SEVERE])
            for window in self.sentences
        )

    def _with_sentences(self, window: int, label: int) -> float:
        piece, sentence = (float(group[window][:, label].max()) for group in (self.pieces, self.sentences))
        return piece + WEIGHT_OF_SENTENCES * (sentence - piece)

    def strongest(self) -> np.ndarray:
        """Per logit that of the strongest window or, if that was looked at closely, of its strongest piece."""
        values = self.windows.max(0)
        decisive = self.windows.argmax(0)
        for window, pieces in self.pieces.items():
            here = decisive == window
            strongest = pieces.max(0)
            if window in self.sentences:
                strongest[TOXICITY] = self._with_sentences(window, TOXICITY)
            values[here] = strongest[here]
        return values

    def of_labels(self) -> np.ndarray:
        """[labels]: of each the strongest logit."""
        logits = self.strongest()[LABEL_LOGITS].copy()
        logits[SEVERE] = self.severity()
        return logits


def most_toxic(windows: np.ndarray) -> set[int]:
    return {int(windows[:, TOXICITY].argmax())}


def worth_sentences(windows: np.ndarray) -> set[int]:
    return most_toxic(windows) | set(np.argsort(-windows[:, SEVERE])[:SEVEREST_WINDOWS].tolist())


def text_logits(
    texts: Sequence[str], tokenizer: Tokenizer, predict: Predict, choose: Choose = worth_sentences, batch_tokens: int = 8192
) -> list[TextLogits]:
    """Of each text, the logits of its windows and, if it has many, of the pieces of those that `choose` names."""
    windows = [windows_of(encoding) for encoding in tokenizer.encode_batch(list(texts))]
    results = [TextLogits(rows) for rows in _grouped([[window.ids for window in ours] for ours in windows], predict, batch_tokens)]
    pieces: list[Look] = []
    sentences: list[list[Look]] = [[] for _ in texts]
    for text, ours, result, of_text in zip(texts, windows, results, sentences, strict=True):
        if len(ours) < CLOSELY_JUDGED_WINDOWS:
            continue
        for index in choose(result.windows):
            window = ours[index]
            if found := pieces_of(text[window.start : window.end]):
                pieces.append(Look(result.pieces, index, found))
                cut = possible_sentences(in_whole_sentences(text, window.start, window.end))[:MAX_SENTENCES]
                if cut and index in worth_sentences(result.windows):
                    of_text.append(Look(result.sentences, index, [each.text for each in cut], [each.whole for each in cut]))

    def judged(groups: Sequence[list[str]]) -> list[np.ndarray]:
        encoded = [[windows_of(encoding)[0].ids for encoding in tokenizer.encode_batch(group)] for group in groups]
        return _grouped(encoded, predict, batch_tokens)

    looks = [*pieces, *(look for of_text in sentences for look in of_text)]
    for look, logits in zip(looks, judged([look.texts for look in looks]), strict=True):
        look.group[look.index] = logits
    for of_text in sentences:
        for look in of_text:
            logits = look.group[look.index]
            of_wholes = logits[[look.texts.index(whole) for whole in look.wholes]]
            look.group[look.index] = logits + WEIGHT_OF_WHOLE_SENTENCE * (of_wholes - logits)
    return results


@dataclass
class Look:
    """What a window is cut into, and where what is said of it belongs."""

    group: dict[int, np.ndarray]
    index: int
    texts: list[str]
    wholes: list[str] = field(default_factory=list)


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


def log_roughness(probabilities: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """[windows, labels] -> [labels]: as src/moderation/length-correction.ts, for a long text; -inf for one that is calm all through."""
    doubt = np.where(probabilities < thresholds, probabilities / thresholds, (1 - probabilities) / (1 - thresholds))
    index = np.arange(len(probabilities))[:, None]
    others = np.where(np.abs(index - probabilities.argmax(0)) > 1, doubt[:, DOUBTS_OF], 0.0)
    with np.errstate(divide="ignore"):
        return 0.5 * np.log((others**2).sum(0))


def stand_out_correction(stand_out: np.ndarray, log_roughness: np.ndarray) -> np.ndarray:
    """How much the logit of a label's strongest window is lowered, [labels] or [texts, labels]."""
    return np.maximum(LEAST_CORRECTIONS, stand_out + ROUGHNESS_WEIGHTS * log_roughness)


@dataclass
class LengthCorrection:
    """What the manifest says of it per label, and the thresholds of the labels."""

    factors: np.ndarray  # of ln(windows)
    stand_out: np.ndarray
    thresholds: np.ndarray
    signs_of_abuse: float

    @classmethod
    def of(cls, calibration: dict) -> "LengthCorrection":
        """As calibrate.py writes it."""
        names = ("lengthCorrection", "standOut", "thresholds")
        by_label = (np.array([calibration[name][label] for label in LABELS]) for name in names)
        return cls(*by_label, signs_of_abuse=calibration.get("signsOfAbuse", 0.0))

    def lowered(self, text: TextLogits) -> np.ndarray:
        """[labels]: the strongest logit, less what is to be taken off for the length of the text."""
        if len(text.windows) < LEAST_WINDOWS_TO_STAND_OUT:
            return text.of_labels() - self.factors * np.log(len(text.windows))
        roughness = log_roughness(sigmoid(text.windows[:, LABEL_LOGITS]), self.thresholds)
        return text.with_signs_of_abuse(self.signs_of_abuse, self.thresholds).of_labels() - stand_out_correction(self.stand_out, roughness)


def label_logits(texts: Sequence[TextLogits], correction: LengthCorrection | None = None) -> np.ndarray:
    """[texts, labels]: the strongest logit, lowered for the length of the text."""
    return np.stack([text.of_labels() if correction is None else correction.lowered(text) for text in texts])


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
