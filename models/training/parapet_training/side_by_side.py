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
from parapet_training.text_rows import all_texts, mean_and_peak, those_that_stay

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
    def outputs(self) -> int:
        return int(self.network.tensors[f"{CLASSIFIER}output.bias"].dims[0])


def side_by_side(plan: Plan) -> onnx.ModelProto:
    writer, rest = GraphWriter(plan.network.tensors), GraphWriter(plan.network.tensors, "rest_")
    layers = Layers(writer, plan.ranges, plan.max_texts)
    before, after = plan.network.layers[: plan.exit_layer], plan.network.layers[plan.exit_layer :]
    boundary = before[-1].output
    text_of_token, state = embedded(writer, plan.network, plan.max_tokens)
    texts = all_texts(writer, text_of_token, plan.max_texts)

    # By the value of the exported network that each stands for.
    states_int8: dict[str, str] = {}
    for number, layer in enumerate(before):
        states_int8[layer.qkv.input] = layers.quantised(writer, state, layer.qkv.input)
        state = layers.layer(writer, state, states_int8[layer.qkv.input], layer, texts.rows, f"layer_{number}")
    states_int8[boundary] = layers.quantised(writer, state, boundary)
    features = writer.add("Gelu", [layers.multiplied(writer, states_int8[boundary], plan.exit_tokens, "exit_tokens")], "exit_features")
    said = answer(writer, EXIT_HEAD, mean_and_peak(writer, features, texts.rows, texts.shares, "exit"), "exit")
    sizes = [len(LABELS), plan.outputs - len(LABELS)]
    early_labels, early_others, needs = writer.several(
        "Split", [said, writer.constant("exit_sizes", [*sizes, 1])], ["early_labels", "early_others", "needs"], axis=1
    )
    early = [early_labels, early_others, early_labels]
    threshold = writer.tensor(f"{EXIT_HEAD}threshold")
    leaves = writer.add("Less", [needs, threshold], "leaves")
    all_leave = writer.add("Less", [writer.add("ReduceMax", [needs], "most_needed", keepdims=0), threshold], "all_leave")

    stay = rest.add("Not", [leaves], "stay")
    kept, rows = those_that_stay(rest, texts, stay, plan.max_texts)
    read = {product.input for product in plan.worst_tokens}
    for value in read.union([boundary]).intersection(states_int8):
        states_int8[value] = rest.add("Compress", [states_int8[value], kept], f"kept_{states_int8[value]}", axis=1)
    state = rest.add("Compress", [state, kept], "kept_state", axis=1)
    for number, layer in enumerate(after, len(before)):
        if layer.qkv.input not in states_int8:
            states_int8[layer.qkv.input] = layers.quantised(rest, state, layer.qkv.input)
        state = layers.layer(rest, state, states_int8[layer.qkv.input], layer, rows, f"layer_{number}")
    last = plan.network.layers[-1].output
    if last not in states_int8:
        states_int8[last] = layers.quantised(rest, state, last)
    full = answer(rest, CLASSIFIER, mean_and_peak(rest, state, rows, texts.shares, "classifier"), "classifier")
    of_text, others = rest.several("Split", [full, rest.constant("sizes", sizes)], ["labels", "others"], axis=1)
    parts = [
        layers.multiplied(rest, states_int8[product.input], product, f"worst_tokens_{index}", with_bias=index == 0)
        for index, product in enumerate(plan.worst_tokens)
    ]
    features = rest.add("Gelu", [rest.add("Sum", parts, "worst_tokens")], "worst_features")
    change = answer(rest, WORST_HEAD, [*mean_and_peak(rest, features, rows, texts.shares, "worst"), of_text], "worst")
    highest = rest.add("Add", [of_text, change], "highest")
    _join(writer, rest, all_leave, stay, early, [of_text, others, highest])
    return _model(writer, plan, leaves)


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
    languages = plan.outputs - OUTPUTS
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
