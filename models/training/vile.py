"""Teaches severe toxicity to stand for what is vile, alone or among other text, and leaves all else as it is.

    python vile.py --work work --start-from work/reconciled.pt --output work/vile.pt

Toxicity is blended for the ranking of Wikipedia's comments, which are read alone: among the windows of a long text that blend finds fewer vile sentences than the
network's own output of toxicity does (decision 48). So severe toxicity begins as that output and a share of its own, and learns what is
known of vile and of harmless texts; what the network says of all else, it said before this step, of a disguised text without its disguise. The
lower half of the encoder stays as it is.

Further runs go on from the first (`--go-on`), with what that took for vile in harmless comments (`--hard`, from hard_negatives.py;
decisions 49 and 50); what they say of all else can be that of an earlier network (`--keep`). All runs learn from the sentences of toxic texts that readers
graded (`read_by_eye.txt`, decision 60).

With `--teachers` (severity_teacher.py), what stands alone is as vile as these say, whether anybody graded it or not, and with `--all-layers` nothing is left as it is (decisions 64
and 65). `--disputed` (disputed.py) are sentences of which these and the network said different things (decision 66).
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from augment import disguise, first_words, last_words, put_within
from calibrate import REFERENCE
from distillation import (
    CHUNK_TEXTS,
    LENGTHS,
    MOST_HIDDEN_CHARACTERS,
    Lesson,
    Pools,
    freeze_lower_layers,
    is_example,
    logits_of,
    options_of,
    piece_of,
    readable,
    teach,
)
from labels import LABELS, Row
from model import Classifier
from readers import VILENESS_OF_GRADES, Sentence, distinct_sentences, grades_of_sentences, hash_of, random_sentence, read_sentences
from reconcile import COMMENTS_WEIGHT, DISGUISED, MOST_DISGUISED_CHARACTERS, VILE_SOURCE, distance_of
from runtimes import load_checkpoint
from sources import E_MAILS, FURTHER_VILE_SOURCE, SPAM_EXAMPLES, TEXT_MESSAGES, VIDEO_COMMENTS, VILE_FRAMES_SOURCE
from surroundings import is_harmless_elsewhere
from train import crop, read_rows
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

VILE_SOURCES = (VILE_SOURCE, FURTHER_VILE_SOURCE)
PEAK_RATE = 5e-5
# Of the texts: whole Wikipedia comments and texts of any source, examples of ours, pieces of harmless comments, and texts within others. The vile
# examples are drawn twice as often as up to 0.13.0: of those that were trained on, a fifth still went unfound (decision 59).
COMMENTS, OTHERS, EXAMPLES, PIECES, WITHIN = 0.24, 0.08, 0.12, 0.06, 0.30
# Of the comments, the share that is toxic for certain; of our examples, the share that comes from the plain abuse and what looks like it.
TOXIC, VILE = 0.25, 0.75
# Whose annotators call hateful what attacks a group; what they call harmless counts wherever it is from.
HATEFUL = ("dynahate", "hatexplain_rationales", "ethos", "gab_hate_corpus")
# Put within others: plainly vile texts, those of them that are sexual, those of frames, any example of ours that is vile, Wikipedia comments that are, hateful
# posts, insults and rudeness, our harmless examples, harmless comments.
NEEDLES = (0.38, 0.10, 0.06, 0.06, 0.05, 0.05, 0.06, 0.12, 0.12)
# Of these, the share that stands alone, as the service reads what may be the sentences of a long text.
ALONE = 0.5
# Of those within others, the share that loses the full stop at its end. Many people write none, and the vocabulary knows no capitals: where both texts
# meet, nothing tells.
WITHOUT_FULL_STOP = 0.4
# Texts of the sources on spam: what the network says of them is kept by seeing them (decision 60).
SPAM = 0.08
# Beside these, if there are hard negatives. Of them the shares that stand alone, where they were found, and within others.
HARD = 0.30
HARD_ALONE, HARD_IN_PLACE, HARD_WITHIN = 0.55, 0.225, 0.225
# The higher, the more often one of the hardest is taken.
HARDEST_FIRST = 1.7
# And sentences of toxic texts that readers graded, by their grade; where those that are vile stand, as above.
READ, READ_GRADES = 0.35, {"vile": 0.8, "harmless": 0.2}
READ_ALONE, READ_IN_PLACE, READ_WITHIN = 0.55, 0.15, 0.30
# And, of teachers, sentences that nobody need have graded: of harmless comments, of harmless texts of other kinds, of toxic texts and of those that may
# be or of which nobody knows. Few are of the harmless ones: they tell little of what the teachers know (decision 65).
UNGRADED, UNGRADED_OF = 1.20, (0.20, 0.10, 0.50, 0.20)
# And of what is disputed; then fewer of those are drawn (decision 66).
DISPUTED, UNGRADED_BESIDE_DISPUTED = 0.90, 0.50
# With teachers, WITHIN and ALONE: what our examples call vile was forgotten for what people write, so more of it is drawn, and more of that stands alone
# (decision 65).
WITHIN_BESIDE_TEACHERS, ALONE_BESIDE_TEACHERS = 0.45, 0.65
# Of how vile a text is that stands alone and of which it is known, what is told; the rest is what the teachers say.
TOLD_BESIDE_TEACHERS = 0.3
# Of what stands alone.
ALONE_WITHOUT_FULL_STOP = 0.2
# Of comments with a sentence that two networks find toxic, one of them so severely, nobody is told that they are harmless.
DOUBTED_FROM, LEAST_DOUBTED_CHARACTERS = -2.0, 9
SHARES_OF_LENGTHS = (5, 4)
# What severe toxicity begins with: the network's own output of toxicity, and of this one.
SHARE_OF_SEVERE = 0.3
TOXICITY, SEVERE = LABELS.index("toxicity"), LABELS.index("severe_toxicity")
# Of the cross-entropy of severe toxicity against the distance of all else, of which a text has both.
SEVERE_WEIGHT = 1.5
# Of what is bad but not plainly vile.
DOUBTFUL = 0.5
# How vile a text is, by what it holds: insults nearly as much as threats, hatred, sexual abuse and death wishes.
VILE_COMMENT, CRUDE_INSULT, INSULT, RUDE = 0.9, 1.0, 0.9, 0.15
READ_SOURCE, UNGRADED_SOURCE = "read_by_eye", "ungraded"
PLACES = ("alone", "in place", "within")
Hard = TypeVar("Hard")


@dataclass(slots=True)
class Sample:
    ids: list[int]
    # What the network judged before: the text without its disguise.
    judged: list[int]
    # How vile what it holds is, and how much that counts: 0 where it is not known.
    vileness: float
    weight: float
    is_comment: bool
    is_alone: bool
    is_whole: bool


@dataclass(slots=True)
class Draft:
    text: str
    plainly: str  # without its disguise
    row: Row  # what of it is known
    is_whole: bool = False  # whether it is that row's whole text
    is_alone: bool = False  # whether it is read as the service reads what may be a sentence of a long text


def vileness_of(row: Row) -> tuple[float, float]:
    """How vile a text is, from 0 to 1, and how much that is worth: 0 where nobody said so."""
    if row.source == READ_SOURCE:
        return row.labels["severe_toxicity"], 1.0
    known = is_example(row) or row.source in REFERENCE
    if row.source in HATEFUL and min(row.labels.get("toxicity", 0.0), row.labels.get("identity_attack", 0.0)) > 0.6:
        return 1.0, DOUBTFUL
    if row.labels.get("toxicity", 1.0) <= (0.05 if known else 0.1):
        return 0.0, 1.0
    if not known or row.labels.get("toxicity", 0.0) < 0.5:
        return 0.0, 0.0

    def is_true(*labels: str) -> bool:
        return any(row.labels.get(label, 0.0) >= 0.5 for label in labels)

    if is_example(row) and is_true("severe_toxicity"):
        if is_true("threat", "identity_attack", "sexual_explicit", "self_harm"):
            return 1.0, 1.0
        return CRUDE_INSULT if is_true("obscene") else INSULT, 1.0
    if is_true("severe_toxicity"):
        return VILE_COMMENT, 1.0
    if "severe_toxicity" not in row.labels and not is_example(row) and not is_true("threat", "identity_attack"):
        return 0.0, 0.0
    return (1.0 if is_true("threat", "identity_attack") else RUDE), DOUBTFUL


def without_full_stop(text: str) -> str:
    return text.rstrip(".!") or text


def one_of_the_hardest(hard: Sequence[Hard], rng: random.Random) -> Hard:
    """Of those that are sorted, the hardest first."""
    return hard[int(len(hard) * rng.random() ** HARDEST_FIRST)]


def is_toxic_elsewhere(row: Row) -> bool:
    """A text that is not ours and that most call toxic."""
    return not is_example(row) and row.labels.get("toxicity", 0.0) >= 0.5


def is_doubtful_elsewhere(row: Row) -> bool:
    """A text that is not ours and that some call toxic, or of which nobody knows."""
    return not is_example(row) and 0.05 < row.labels.get("toxicity", 0.1) < 0.5


def is_sexual(row: Row) -> bool:
    return row.labels.get("sexual_explicit", 0.0) >= 0.5


def samples(
    rows: list[Row],
    hard: list[Sentence],
    read: list[Sentence],
    disputed: list[Row],
    have_teachers: bool,
    count: int,
    tokenizer: Tokenizer,
    rng: random.Random,
    shares_of_kinds: dict[str, float] | None = None,
) -> Iterator[list[Sample]]:
    """Chunks of samples; the few of put-together texts that are longer than a window are dropped. `shares_of_kinds` takes the place of some of the shares above."""
    pools = Pools.of(rows, rng)
    comments = [row for row in rows if row.source in (*REFERENCE, "context_toxicity_wiki")]
    toxic = [row for row in comments if row.labels.get("toxicity", 0.0) >= 0.5]
    short = [row for row in rows if len(row.text) <= MOST_HIDDEN_CHARACTERS]
    vile = [row for row in short if vileness_of(row)[0] >= VILE_COMMENT and vileness_of(row)[1] > 0.0]
    plain = [row for row in pools.examples if row.source in (*VILE_SOURCES, VILE_FRAMES_SOURCE)]
    needles = (
        [row for row in vile if row.source in VILE_SOURCES],
        [row for row in vile if row.source in VILE_SOURCES and is_sexual(row)],
        [row for row in vile if row.source == VILE_FRAMES_SOURCE],
        [row for row in vile if is_example(row)],
        [row for row in vile if row.source in REFERENCE],
        [row for row in vile if row.source in HATEFUL],
        [row for row in short if 0.0 < vileness_of(row)[0] < VILE_COMMENT],
        [row for row in short if is_example(row) and vileness_of(row) == (0.0, 1.0)],
        [row for row in short if row.source in REFERENCE and vileness_of(row) == (0.0, 1.0)],
    )

    def perhaps_disguised(text: str) -> str:
        return disguise(text, rng) if len(text) <= MOST_DISGUISED_CHARACTERS and rng.random() < DISGUISED else text

    spam = [row for row in rows if row.source.startswith((*TEXT_MESSAGES, *VIDEO_COMMENTS, *E_MAILS, *SPAM_EXAMPLES))]
    read_of_grade = [[each for each in read if each.vileness == VILENESS_OF_GRADES[grade]] for grade in READ_GRADES]

    ungraded = (
        pools.harmless_comments,
        [row for row in rows if is_harmless_elsewhere(row)],
        [row for row in rows if is_toxic_elsewhere(row)],
        [row for row in rows if is_doubtful_elsewhere(row)],
    )

    shares = {"comment": COMMENTS, "other": OTHERS, "spam": SPAM, "example": EXAMPLES, "piece": PIECES}
    shares["within"] = WITHIN_BESIDE_TEACHERS if have_teachers else WITHIN
    shares |= {kind: share for kind, share, drawn_of in (("hard", HARD, hard), ("read", READ, read)) if drawn_of}
    if have_teachers:
        shares["ungraded"] = UNGRADED_BESIDE_DISPUTED if disputed else UNGRADED
    if disputed:
        shares["disputed"] = DISPUTED
    shares |= shares_of_kinds or {}

    def alone(text: str, row: Row) -> Draft:
        text = without_full_stop(text) if rng.random() < ALONE_WITHOUT_FULL_STOP else text
        return Draft(perhaps_disguised(text), text, row, is_alone=True)

    def draft() -> Draft:
        kind = rng.choices(list(shares), list(shares.values()))[0]
        if kind in ("ungraded", "disputed"):
            if kind == "disputed":
                row = one_of_the_hardest(disputed, rng)
            else:
                sentence = random_sentence(rng.choice(rng.choices(ungraded, UNGRADED_OF)[0]).text, rng)
                row = Row(sentence, source=UNGRADED_SOURCE)
            return alone(row.text, row)
        if kind == "piece":
            row = rng.choice(pools.harmless_comments)
            piece = piece_of(row.text, rng)
            return Draft(piece, piece, row)
        if kind == "hard":
            sentence = one_of_the_hardest(hard, rng)
            where = rng.choices(PLACES, (HARD_ALONE, HARD_IN_PLACE, HARD_WITHIN))[0]
        elif kind == "read":
            sentence = rng.choice(rng.choices(read_of_grade, list(READ_GRADES.values()))[0])
            # What stands around one that is not may be vile.
            where = rng.choices(PLACES, (READ_ALONE, READ_IN_PLACE if sentence.vileness == 1.0 else 0.0, READ_WITHIN))[0]
        elif kind == "within":
            row = rng.choice(rng.choices(needles, NEEDLES)[0])
            where = "alone" if rng.random() < (ALONE_BESIDE_TEACHERS if have_teachers else ALONE) else "within"
        if kind in ("hard", "read"):
            row = Row(sentence.text, {"severe_toxicity": sentence.vileness}, source=READ_SOURCE)
        if kind in ("hard", "read", "within"):
            if where == "alone":
                return alone(row.text, row)
            room = rng.randint(*rng.choices(LENGTHS, SHARES_OF_LENGTHS)[0])
            needle = without_full_stop(row.text) if rng.random() < WITHOUT_FULL_STOP else row.text
            whole = in_place(sentence, room, rng) if where == "in place" else put_within(needle, pools.around(rng), room, rng)[0]
            return Draft(whole, whole, row)
        if kind == "comment":
            row = rng.choice(toxic if rng.random() < TOXIC else comments)
        elif kind == "other":
            row = rng.choice(pools.rows)
        elif kind == "spam":
            row = rng.choice(spam)
        else:
            row = rng.choice(plain if rng.random() < VILE else pools.examples)
        return Draft(perhaps_disguised(row.text), row.text, row, is_whole=True)

    for begin in range(0, count, CHUNK_TEXTS):
        chunk = []
        for _ in range(min(CHUNK_TEXTS, count - begin)):
            drawn = draft()
            ids, judged = (encoding.ids for encoding in tokenizer.encode_batch([drawn.text[:4000], drawn.plainly[:4000]]))
            if drawn.text == drawn.plainly:
                ids = readable(crop(ids, rng)[0]) if drawn.is_whole else readable(ids)
                judged = ids
            else:
                ids, judged = readable(ids), readable(judged)[:MAX_TOKENS]
            if len(ids) <= MAX_TOKENS:
                is_comment = drawn.is_whole and drawn.row.source in REFERENCE
                chunk.append(Sample(ids, judged, *vileness_of(drawn.row), is_comment, drawn.is_alone, drawn.is_whole))
        yield chunk


def in_place(sentence: Sentence, room: int, rng: random.Random) -> str:
    """The text and as much of what is around it as there is room for, in whole words."""
    start = sentence.around.find(sentence.text)
    begin = max(0, start - rng.randint(0, max(0, room - len(sentence.text))))
    before = last_words(sentence.around[:start], start - begin)
    return before + first_words(sentence.around[start:], max(room - len(before), len(sentence.text)))


def lesson_of(chunk: list[Sample], before: Classifier, start: Classifier, teachers: Sequence[Classifier]) -> Lesson:
    """before: says what is to be kept of all but severe toxicity; start: of that, where it is not told; teachers, and `before` as one of them: of that, where
    a sample stands alone."""
    said = logits_of(before, [sample.judged for sample in chunk])
    severity_before = said[:, SEVERE].clone()
    not_told = [index for index, sample in enumerate(chunk) if sample.weight == 0.0]
    if start is not before and not_told:
        said[not_told, SEVERE] = logits_of(start, [chunk[index].judged for index in not_told])[:, SEVERE]
    vileness, weight = torch.tensor([sample.vileness for sample in chunk]), torch.tensor([sample.weight for sample in chunk])
    alone = [index for index, sample in enumerate(chunk) if sample.is_alone]
    if teachers and alone:
        judged = [chunk[index].judged for index in alone]
        opinions = [severity_before[alone], *(logits_of(teacher, judged)[:, SEVERE] for teacher in teachers)]
        taught = torch.sigmoid(torch.stack(opinions).mean(0))
        told = TOLD_BESIDE_TEACHERS * vileness[alone] + (1 - TOLD_BESIDE_TEACHERS) * taught
        vileness[alone] = torch.where(weight[alone] > 0.0, told, taught)
        weight[alone] = 1.0
    importance = torch.tensor([COMMENTS_WEIGHT if sample.is_comment else 1.0 for sample in chunk])

    def loss(logits: Tensor, group: list[int]) -> Tensor:
        told = binary_cross_entropy_with_logits(logits[:, SEVERE], vileness[group], reduction="none") * weight[group]
        kept = logits.clone()
        # All but severe toxicity: of that, nothing is kept where it is told.
        kept[:, SEVERE] = torch.where(weight[group] > 0.0, said[group, SEVERE], logits[:, SEVERE])
        return (distance_of(kept, said[group]) * importance[group] + SEVERE_WEIGHT * told).mean()

    return Lesson([sample.ids for sample in chunk], loss)


def suspects(file: Path) -> tuple[list[Sentence], set[str]]:
    """What hard_negatives.py wrote, the hardest first; and the sentences that make a comment's label doubtful."""
    found = [json.loads(line) for line in open(file, encoding="utf-8")]
    doubtful = {
        each["text"]
        for each in found
        if each["grade"] != "harmless" and each["severity"] > DOUBTED_FROM and len(each["text"]) >= LEAST_DOUBTED_CHARACTERS
    }
    told = [each for each in found if each["grade"] in VILENESS_OF_GRADES]
    return [Sentence(each["text"], each["around"], VILENESS_OF_GRADES[each["grade"]]) for each in told], doubtful


def read_disputed(file: Path, grades: dict[str, str]) -> list[Row]:
    """What disputed.py wrote, the most disputed first, with what readers found, if they did."""
    texts = [json.loads(line)["text"] for line in open(file, encoding="utf-8")]
    vileness = [VILENESS_OF_GRADES.get(grades.get(hash_of(text), "")) for text in texts]
    return [
        Row(text, source=UNGRADED_SOURCE) if vile is None else Row(text, {"severe_toxicity": vile}, source=READ_SOURCE)
        for text, vile in zip(texts, vileness, strict=True)
    ]


def without_doubtful_labels(row: Row, doubtful: Set[str]) -> Row:
    is_harmless = row.source in REFERENCE and row.labels.get("toxicity", 1.0) <= 0.05
    return replace(row, labels={}) if is_harmless and not doubtful.isdisjoint(distinct_sentences(row.text)) else row


def known_rows(rows: list[Row], doubtful: Set[str], grades: dict[str, str]) -> tuple[list[Row], list[Sentence]]:
    """The rows with what is known of them from readers, and the sentences that these graded."""
    rows = [without_doubtful_labels(row, doubtful) for row in rows]
    read = []
    for row in rows:
        found = read_sentences(row, grades)
        read += found
        if row.source in REFERENCE and any(sentence.vileness == 1.0 for sentence in found):
            row.labels["severe_toxicity"] = 1.0
    return rows, read


def begin_with_toxicity(model: Classifier) -> None:
    with torch.no_grad():
        for parameter in (model.output.weight, model.output.bias):
            parameter[SEVERE] = parameter[TOXICITY] + SHARE_OF_SEVERE * parameter[SEVERE]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start-from", type=Path, required=True, help="the network that reconcile.py made, or a mean of it")
    parser.add_argument("--peak-rate", type=float, default=PEAK_RATE)
    parser.add_argument("--go-on", action="store_true", help="severe toxicity begins as it is: the network went through this step before")
    parser.add_argument("--hard", type=Path, help="what hard_negatives.py wrote")
    parser.add_argument("--keep", type=Path, help="the network whose other outputs are kept, if not the one to start from")
    parser.add_argument("--teachers", type=Path, nargs="+", default=[], help="what severity_teacher.py wrote")
    parser.add_argument("--disputed", type=Path, help="what disputed.py wrote; needs --teachers")
    parser.add_argument("--all-layers", action="store_true", help="the lower half of the encoder learns as well")
    options = options_of(parser, texts=180_000)
    if options.disputed and not options.teachers:
        parser.error("--disputed needs --teachers")
    rng = random.Random(options.seed)
    start, model = load_checkpoint(options.start_from), load_checkpoint(options.start_from)
    before = load_checkpoint(options.keep) if options.keep else start
    if not options.go_on:
        for network in (start, model):
            begin_with_toxicity(network)
    if not options.all_layers:
        freeze_lower_layers(model)
    teachers = [load_checkpoint(path) for path in options.teachers]
    hard, doubtful = suspects(options.hard) if options.hard else ([], set())
    grades = grades_of_sentences()
    rows, read = known_rows(read_rows(options.work), doubtful, grades)
    disputed = read_disputed(options.disputed, grades) if options.disputed else []
    drawn = samples(rows, hard, read, disputed, bool(teachers), options.texts, load_tokenizer(), rng)
    lessons = (lesson_of(chunk, before, start, teachers) for chunk in drawn)
    teach(model, lessons, options, options.peak_rate, rng)


if __name__ == "__main__":
    main()
