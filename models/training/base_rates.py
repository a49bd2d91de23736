"""Rare labels in ordinary conversation: what is known although no source says it.

Spam, self-harm, obscene and sexual text are labelled by few sources, all of them full of it. Without a word on talk pages and comments, a
network takes whatever differs from those sources' harmless half for one of them. But their base rate there is known to be low, and
lower still in a text without any word or sign that goes with the label: such a text gets the rate as a soft target. One with such
a sign keeps the label unknown.
"""

import re

from labels import Row

BASE_RATE = 0.01

# Sources of comments as people write them, where harmless rows are ordinary and not what stands next to hate.
COMMENTS = {
    "jigsaw_wiki_subset",
    "jigsaw_first20k",
    "jigsaw_six_label_samples",
    "jigsaw_train",
    "context_toxicity_wiki",
    "civil_comments_binary",
    "toxic_spans",
    "ruddit",
    "goemotions",
    "hope_edi_en",
    "uci_sentiment_sentences",
}
TWEETS = {"semeval_2013_2016_sentiment", "tweet_sentiment_extraction"}
CONVERSATION = {*COMMENTS, *TWEETS, "cad_reddit", "github_issue_toxicity", "dynahate"}

# Half of all tweets name somebody, a third shares a link: there, neither is a sign of anything.
HANDLE_OR_LINK = re.compile(r"@\w*|https?://\S*|http\b")

# A word or sign without which a text is hardly obscene. Wide on purpose: what matches stays unknown.
SWEARING = re.compile(
    r"f+u+c+k|f[\W_]{1,3}c?k|fuk|fck|\bf\b|sh[i1!*]t|shat\b|b[i1*]tch|\ba[s$]{2}|arse|\w+ass(es)?\b|cunt|d[i1]ck|cock|puss(y|ies)|prick|twat|wank"
    r"|bollock|bugger|bastard|damn|crap|\bhell\b|whore|slut|\bhoe?s?\b|n[i1]gg|fag|piss|\btits?\b|boob|\bcum\b|jizz|suck|bloody|wtf|stfu|lmf?ao|\bmf"
    r"|motherf|tosser|douche|screw|dyke|retard|\*\*|#\$|\$#|penis|anal\b|sex|porn|rape|turd|butt|poop|nazi|🖕|🍆|💩",
    re.IGNORECASE,
)

SIGNS = {
    "spam": re.compile(
        r"https?:|www\.|\.com\b|\.net\b|\.org\b|@|[$£€]|\b(free|win|won|prize|cash|earn|income|money|buy|cheap|offer|deal|discount|sale|subscribe"
        r"|channel|click|call|txt|text me|loan|viagra|casino|bitcoin|crypto|follow me|check out|promo\w*|advert\w*|market\w*)\b",
        re.IGNORECASE,
    ),
    "self_harm": re.compile(
        r"suicid|self.?harm|kill\w* (my|your|him|her|our|them)|kys|\b(die|dying|dead|death|overdose|cut(ting)? (my|your)|hang|noose|end it all"
        r"|wrists?|pills|no reason to live|better off|depress\w*|anorexi\w*|starv\w*|worthless|hopeless)\b",
        re.IGNORECASE,
    ),
    "sexual_explicit": re.compile(
        r"sex|porn|nude|naked|orgasm|masturbat|fuck|suck|blow|lick|horny|erotic|\b(cocks?|dicks?|pussy|pussies|penis\w*|vagina\w*|tits?|boobs?|breasts?"
        r"|ass(es)?|anal|anus|cum|cunts?|balls|rap(e|ed|ing|ist)|slut\w*|whor\w*|gay|bed|virgin|condom\w*|kiss\w*|strip\w*)\b",
        re.IGNORECASE,
    ),
}


def add_base_rates(row: Row) -> None:
    # Sources of swearing and hate know obscenity by its presence alone.
    if "obscene" not in row.labels and not SWEARING.search(row.text):
        row.labels["obscene"] = BASE_RATE
    if row.source not in CONVERSATION:
        return
    text = HANDLE_OR_LINK.sub("", row.text) if row.source in TWEETS else row.text
    for label, sign in SIGNS.items():
        if label not in row.labels and not sign.search(text):
            row.labels[label] = BASE_RATE
