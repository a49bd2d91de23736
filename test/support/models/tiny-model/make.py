"""Makes the files beside it: a made-up Unigram tokenizer, and networks of random weights with the outputs that a network of three languages has.

    python test/support/models/tiny-model/make.py        # needs numpy, onnx and tokenizers

The network averages a vector a token and reads all outputs from it, so that each text has probabilities of its own. That of worst-segment.onnx also
says what the worst of several segments is: of each label the highest of any token. They mean nothing,
but for one thing that tests can rely on: a Latin text is "en", a Cyrillic one "ru", a Han one "zh", a Greek one "other".
"""

import json
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper, save
from tokenizers import Tokenizer

FOLDER = Path(__file__).parent
LABELS, SENTIMENTS = 9, 3
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
SCRIPTS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZáäçéèíñóöüßłđ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґАБВГДМНПСТ",
    "的一是不了人我在有他这中大来上国你好吗很高兴见到漢字仮名あいうえおかきくアイウエオ",
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
)
WORDS = (
    "▁the ▁you ▁are ▁is ▁and ▁good ▁bad ing ▁stupid ▁idiot ▁a ▁de ▁la ▁que ▁und er en ▁ist ation ▁hello ▁world".split(),
    "▁и ▁в ▁не ▁что ▁ты ▁привет ▁мир ость ение ▁хорошо".split(),
    "你好 世界 我们 漢字 ▁你好".split(),
    "▁και ▁το ▁είσαι".split(),
)
OTHERS = "▁ . , ! ? - ' \" ( ) 0 1 2 3 4 5 6 7 8 9 ▁. ... !! ا ب ت ن ع ر ي ة ال न म स ते ा ก า ร ไ 가 나 다 안녕 😀 ▁😀 👍 ❤ ̈ ́".split()
ADDED = ("🫠", "🫶", "🇩🇪")


def pieces() -> list[tuple[str, float]]:
    """The likelier the earlier in its list, and the longer."""
    listed = [*WORDS, OTHERS, *(list(letters) for letters in SCRIPTS)]
    scores: dict[str, float] = {}
    for group in listed:
        for rank, piece in enumerate(group):
            scores.setdefault(piece, -round(4 + 0.11 * rank + 3 / len(piece), 4))
    return [*((token, 0.0) for token in SPECIAL), *scores.items()]


def tokenizer(vocabulary: list[tuple[str, float]]) -> dict[str, object]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": len(vocabulary) + at, "content": content, **flags} for at, content in enumerate(ADDED)],
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            ],
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": 1, "vocab": vocabulary, "byte_fallback": False},
    }


def script_of(piece: str) -> int | None:
    return next((at for at, letters in enumerate(SCRIPTS) if any(letter in letters for letter in piece)), None)


def network(vocabulary: list[tuple[str, float]], *, tells_highest: bool) -> ModelProto:
    languages = len(SCRIPTS)
    table = np.random.default_rng(7).normal(0, 2, (len(vocabulary) + len(ADDED), LABELS + SENTIMENTS + languages)).astype(np.float32)
    table[:, -languages:] = 0
    for row, (piece, _) in enumerate(vocabulary):
        script = script_of(piece)
        if script is not None and piece not in SPECIAL:
            table[row, script - languages] = 8
    sizes = np.array([LABELS, SENTIMENTS, languages], dtype=np.int64)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["vectors"]),
        helper.make_node("ReduceMean", ["vectors", "axis"], ["mean"], keepdims=0),
        helper.make_node("Split", ["mean", "sizes"], ["label_logits", "sentiment_logits", "language_logits"], axis=1),
        helper.make_node("Sigmoid", ["label_logits"], ["labels"]),
        helper.make_node("Softmax", ["sentiment_logits"], ["sentiments"], axis=1),
        helper.make_node("Softmax", ["language_logits"], ["languages"], axis=1),
    ]
    if tells_highest:
        nodes += [
            helper.make_node("ReduceMax", ["vectors", "axis"], ["peak"], keepdims=0),
            helper.make_node("Split", ["peak", "sizes"], ["peak_logits", "peak_sentiments", "peak_languages"], axis=1),
            helper.make_node("Sigmoid", ["peak_logits"], ["highest"]),
        ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, [1, "tokens"]) for name in ("input_ids", "attention_mask")]
    counts = {"labels": LABELS, "sentiments": SENTIMENTS, "languages": languages, **({"highest": LABELS} if tells_highest else {})}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, count]) for name, count in counts.items()]
    weights = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        numpy_helper.from_array(sizes, "sizes"),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def main() -> None:
    vocabulary = pieces()
    text = json.dumps(tokenizer(vocabulary), ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "tokenizer.json").write_text(text + "\n", encoding="utf-8")
    Tokenizer.from_str(text)
    for name, tells_highest in (("model.onnx", False), ("worst-segment.onnx", True)):
        model = network(vocabulary, tells_highest=tells_highest)
        checker.check_model(model)
        save(model, FOLDER / name)


if __name__ == "__main__":
    main()
