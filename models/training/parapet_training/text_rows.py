"""In a graph: how the tokens of several texts lie behind one another [all tokens], and means and maxima over those of each."""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, helper

from parapet_training.graph_writer import GraphWriter


@dataclass(frozen=True)
class Rows:
    """Names of values. several: bool, whether there is more than one text. lengths: [max_texts], only asked for where there is. index: [texts, tokens], the
    place of each token; padding, and a text that is not among them, lies at that of some other token."""

    several: str
    lengths: str
    index: str


@dataclass(frozen=True)
class Texts:
    """Names of values. counts: [texts, 1], tokens of each. text_of_token: [all tokens]. shares: [texts, 2, tokens], twice what a token counts in a mean."""

    rows: Rows
    counts: str
    text_of_token: str
    shares: str


def all_texts(writer: GraphWriter, text_of_token: str, max_texts: int) -> Texts:
    """Of the input attention_mask."""
    tokens_axis = writer.constant("tokens_axis", [1])
    counts = writer.add("ReduceSum", ["attention_mask", tokens_axis], "counts", keepdims=1)
    begins = writer.add("CumSum", [counts, writer.constant("first_axis", 0)], "begins", exclusive=1)
    before = writer.add("Sub", [begins, writer.constant("one", 1, np.int32)], "before")
    within = writer.add("CumSum", ["attention_mask", writer.constant("second_axis", 1)], "within")
    index = writer.add("Add", [before, within], "index")
    several = writer.add("Greater", [writer.add("Shape", ["attention_mask"], "texts", end=1), writer.constant("one_text", [1])], "several")
    mask, divisor = (writer.add("Cast", [value], name, to=TensorProto.FLOAT) for value, name in (("attention_mask", "mask"), (counts, "divisor")))
    share = writer.add("Unsqueeze", [writer.add("Div", [mask, divisor], "share"), tokens_axis], "share_once")
    # ONNX Runtime sums a product of one row in groups that depend on the number of tokens, padding included; one of two rows it sums token after token.
    shares = writer.add("Concat", [share, share], "shares", axis=1)
    return Texts(Rows(several, _lengths(writer, several, counts, max_texts), index), counts, text_of_token, shares)


def those_that_stay(writer: GraphWriter, texts: Texts, stay: str, max_texts: int) -> tuple[str, Rows]:
    """In a branch. stay: bool [texts, 1]. Gives which tokens are theirs, bool [all tokens], and how these lie."""
    numbers = writer.add("Cast", [stay], "stay_int32", to=TensorProto.INT32)
    by_text = writer.add("Squeeze", [stay, writer.constant("tokens_axis", [1])], "stay_by_text")
    kept = writer.add("Gather", [by_text, texts.text_of_token], "kept", axis=0)
    passed = writer.add("CumSum", [writer.add("Cast", [kept], "kept_int32", to=TensorProto.INT32), writer.constant("first_axis", 0)], "passed")
    one = writer.constant("one", 1, np.int32)
    index = writer.add("Gather", [writer.add("Sub", [passed, one], "place"), texts.rows.index], "index", axis=0)
    several = writer.add("Greater", [writer.add("ReduceSum", [numbers], "staying", keepdims=0), one], "several")
    counts = writer.add("Mul", [texts.counts, numbers], "counts")
    return kept, Rows(several, _lengths(writer, several, counts, max_texts), index)


def _lengths(writer: GraphWriter, several: str, counts: str, max_texts: int) -> str:
    """[max_texts], with 0 for a text that is not there."""
    known, unknown = (GraphWriter({}, f"{writer.prefix}{name}_") for name in ("lengths", "no_lengths"))
    filled = known.add("Concat", [counts, known.constant("zeros", np.zeros((max_texts - 1, 1)), np.int32)], "filled", axis=0)
    first = known.add("Slice", [filled, known.constant("begin", [0]), known.constant("end", [max_texts])], "first")
    lengths = known.add("Squeeze", [known.add("Cast", [first], "int64", to=TensorProto.INT64), known.constant("axis", [1])], "all")
    none = unknown.add("Identity", [unknown.constant("zeros", np.zeros(max_texts))], "all")
    then_branch, else_branch = (
        part.graph(part.prefix, [helper.make_tensor_value_info(name, TensorProto.INT64, [max_texts])]) for part, name in ((known, lengths), (unknown, none))
    )
    return writer.add("If", [several], "lengths", then_branch=then_branch, else_branch=else_branch)


def mean_and_peak(writer: GraphWriter, features: str, rows: Rows, shares: str, name: str) -> list[str]:
    """features: [1, all tokens, width] -> the mean and the maximum of each text, [texts, width] both."""
    padded = writer.add("Gather", [features, rows.index], f"{name}_padded", axis=1)
    means = writer.add("MatMul", [shares, padded], f"{name}_means")
    # The two rows of means are equal.
    return [writer.add("ReduceMax", [each], f"{name}_{kind}", axes=[0, 2], keepdims=0) for each, kind in ((means, "mean"), (padded, "peak"))]
