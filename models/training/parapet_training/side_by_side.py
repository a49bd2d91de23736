"""The network as it is served: with fixed scales, and for several texts in one run.

Inputs stay input_ids and attention_mask [texts, tokens]. Inside, the tokens of all texts lie behind one another, so that padding costs nothing; attention is
computed for each text by itself; each text leaves early for itself, and the branch of the other layers reads the tokens of those that stay.

What a text is told is the same to the bit in any company.
"""

from dataclasses import dataclass

import onnx
from onnx import TensorProto, helper

from parapet_training.fixed_scales import Range
from parapet_training.graph_writer import GraphWriter
from parapet_training.labels import LABELS, OUTPUTS, SENTIMENTS
from parapet_training.network_parts import CLASSIFIER, EXIT_HEAD, WORST_HEAD, Network, Product
from parapet_training.scoring import EXITED, HIGHEST, MAX_TEXTS
from parapet_training.served_layers import Layers, embedded
from parapet_training.text_rows import Rows, Texts, all_texts, mean_and_peak, those_that_stay

OPSET, MICROSOFT_OPSET, IR_VERSION = 17, 1, 8
LOGITS = ["label_logits", "other_logits", "highest_logits"]


@dataclass(frozen=True)
class Plan:
    """What is served. exit_layer: after how many layers a text may leave. exit_tokens, worst_tokens: the products that give the tokens' features of
    the two heads, the second a sum of one for each layer that it reads. ranges: of each value that is quantised. max_tokens: of a text."""

    network: Network
    exit_layer: int
    exit_tokens: Product
    worst_tokens: list[Product]
    ranges: dict[str, Range]
    max_texts: int
    max_tokens: int

    @property
    def sizes(self) -> list[int]:
        """How many labels the network tells, and how many other outputs."""
        return [len(LABELS), int(self.network.tensors[f"{CLASSIFIER}output.bias"].dims[0]) - len(LABELS)]


def side_by_side(plan: Plan) -> onnx.ModelProto:
    writer, rest = GraphWriter(plan.network.tensors), GraphWriter(plan.network.tensors, "rest_")
    layers = Layers(writer, plan.ranges, plan.max_texts)
    text_of_token, state = embedded(writer, plan.network, plan.max_tokens)
    texts = all_texts(writer, text_of_token, plan.max_texts)
    boundary = plan.network.layers[plan.exit_layer - 1].output
    states_int8: dict[str, str] = {}
    state = _through(writer, layers, range(plan.exit_layer), plan, state, states_int8, texts.rows)
    early, needs = _early_answer(writer, layers, plan, states_int8[boundary], texts)
    threshold = writer.tensor(f"{EXIT_HEAD}threshold")
    leaves = writer.add("Less", [needs, threshold], "leaves")
    all_leave = writer.add("Less", [writer.add("ReduceMax", [needs], "most_needed", keepdims=0), threshold], "all_leave")

    stay = rest.add("Not", [leaves], "stay")
    kept, rows = those_that_stay(rest, texts, stay, plan.max_texts)
    for value in sorted({boundary, *(product.input for product in plan.worst_tokens)}.intersection(states_int8)):
        states_int8[value] = rest.add("Compress", [states_int8[value], kept], f"kept_{states_int8[value]}", axis=1)
    state = rest.add("Compress", [state, kept], "kept_state", axis=1)
    state = _through(rest, layers, range(plan.exit_layer, len(plan.network.layers)), plan, state, states_int8, rows)
    full = _full_answer(rest, layers, plan, state, states_int8, rows, texts)
    _join(writer, rest, all_leave, stay, early, full)
    return _model(writer, plan, leaves)


def _through(writer: GraphWriter, layers: Layers, numbers: range, plan: Plan, state: str, states_int8: dict[str, str], rows: Rows) -> str:
    """The state after these layers. states_int8: quantised states, by the values of the exported network that they stand for; gets those on the way."""
    for number in numbers:
        layer = plan.network.layers[number]
        state_int8 = states_int8.get(layer.qkv.input) or layers.quantised(writer, state, layer.qkv.input)
        states_int8[layer.qkv.input] = state_int8
        state = layers.layer(writer, state, state_int8, layer, rows, f"layer_{number}")
    last = plan.network.layers[numbers[-1]].output
    states_int8[last] = layers.quantised(writer, state, last)
    return state


def _early_answer(writer: GraphWriter, layers: Layers, plan: Plan, state_int8: str, texts: Texts) -> tuple[list[str], str]:
    """LOGITS, and the log-odds that a text needs the whole network, [texts, 1]."""
    features = writer.add("Gelu", [layers.multiplied(writer, state_int8, plan.exit_tokens, "exit_tokens")], "exit_features")
    said = answer(writer, EXIT_HEAD, mean_and_peak(writer, features, texts.rows, texts.shares, "exit"), "exit")
    names = ["early_labels", "early_others", "needs"]
    labels, others, needs = writer.several("Split", [said, writer.constant("exit_sizes", [*plan.sizes, 1])], names, axis=1)
    return [labels, others, labels], needs


def _full_answer(writer: GraphWriter, layers: Layers, plan: Plan, state: str, states_int8: dict[str, str], rows: Rows, texts: Texts) -> list[str]:
    """LOGITS of those that stay; of the others anything."""
    said = answer(writer, CLASSIFIER, mean_and_peak(writer, state, rows, texts.shares, "classifier"), "classifier")
    labels, others = writer.several("Split", [said, writer.constant("sizes", plan.sizes)], ["labels", "others"], axis=1)
    parts = [
        layers.multiplied(writer, states_int8[product.input], product, f"worst_tokens_{index}", with_bias=index == 0)
        for index, product in enumerate(plan.worst_tokens)
    ]
    features = writer.add("Gelu", [writer.add("Sum", parts, "worst_tokens")], "worst_features")
    change = answer(writer, WORST_HEAD, [*mean_and_peak(writer, features, rows, texts.shares, "worst"), labels], "worst")
    return [labels, others, writer.add("Add", [labels, change], "highest")]


def answer(writer: GraphWriter, head: str, pooled: list[str], name: str) -> str:
    """What a head says [texts, outputs] of pooled features [texts, ...]."""
    joined = writer.add("Concat", pooled, f"{name}_pooled", axis=1)
    hidden = writer.add("Gemm", [joined, writer.tensor(f"{head}hidden.weight"), writer.tensor(f"{head}hidden.bias")], f"{name}_hidden")
    active = writer.add("Gelu", [hidden], f"{name}_active")
    return writer.add("Gemm", [active, writer.tensor(f"{head}output.weight"), writer.tensor(f"{head}output.bias")], f"{name}_output")


def _join(writer: GraphWriter, rest: GraphWriter, all_leave: str, stay: str, early: list[str], full: list[str]) -> None:
    """LOGITS, of each text from where it was answered."""
    then = GraphWriter({}, "early_")
    left = [then.add("Identity", [value], name) for name, value in zip(LOGITS, early, strict=True)]
    told = [rest.add("Where", [stay, value, other], name) for name, value, other in zip(LOGITS, full, early, strict=True)]
    then_branch, else_branch = (part.graph(part.prefix, [_floats(name) for name in names]) for part, names in ((then, left), (rest, told)))
    writer.several("If", [all_leave], LOGITS, then_branch=then_branch, else_branch=else_branch)


def _model(writer: GraphWriter, plan: Plan, leaves: str) -> onnx.ModelProto:
    label_logits, other_logits, highest_logits = LOGITS
    languages = sum(plan.sizes) - OUTPUTS
    sizes = {"sentiments": len(SENTIMENTS), **({"languages": languages} if languages else {})}
    parts = writer.several("Split", [other_logits, writer.constant("other_sizes", [*sizes.values()])], [f"logits_of_{name}" for name in sizes], axis=1)
    writer.add("Sigmoid", [label_logits], "labels")
    for name, part in zip(sizes, parts, strict=True):
        writer.add("Softmax", [part], name, axis=1)
    writer.add("Squeeze", [leaves, writer.constant("exited_axis", [1])], EXITED)
    writer.add("Sigmoid", [highest_logits], HIGHEST)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, ["texts", "tokens"]) for name in ("input_ids", "attention_mask")]
    outputs = [
        *(_floats(name, ["texts", size]) for name, size in {"labels": len(LABELS), **sizes}.items()),
        helper.make_tensor_value_info(EXITED, TensorProto.BOOL, ["texts"]),
        _floats(HIGHEST, ["texts", len(LABELS)]),
    ]
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", MICROSOFT_OPSET)]
    model = helper.make_model(writer.graph("texts side by side", outputs, inputs), opset_imports=opsets, ir_version=IR_VERSION)
    helper.set_model_props(model, {MAX_TEXTS: str(plan.max_texts)})
    return model


def _floats(name: str, shape: list[str | int] | None = None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
