"""Writes the manifest and the model card of models/parapet-en/ from what the other steps left.

    python package.py --work work --output ../parapet-en --version 0.8.0

Besides calibration.json, measured.json and prepare-report.json it reads what the service's own benchmarks found with this very
model: work/probes.json (bench:probes --json) and work/robustness*.json (bench:robustness --json), one file of all parts or several of some each.
"""

import argparse
import hashlib
import json
from pathlib import Path

from labels import LABELS, SENTIMENTS
from windows import MAX_TOKENS, OVERLAP_TOKENS


# The vocabulary has no letters of other scripts (vocabulary.py). Names of Unicode's property Script.
SCRIPTS = ["Latin"]
# Of bench:robustness.
PARTS = ("disguises", "length", "kinds", "surroundings")


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return {key: rounded(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def share(count: dict) -> str:
    return percent(count["right"] / count["texts"]) if count["texts"] else ""


def probe_row(name: str, figures: dict) -> str:
    count, harmful, harmless = figures["all"], figures["harmful"], figures["harmless"]
    return (
        f"| {name} | {count['texts']:,} | {share(count)} | {share(harmful)} | {share(harmless)} "
        f"| {figure(figures['rocAuc'])} | {figure(figures['averagePrecision'])} |"
    )


def lowest_groups(probes: dict) -> str:
    groups = probes["identity_templates"]["groups"]
    lowest = sorted(groups.items(), key=lambda item: item[1])[:5]
    return f"{len(groups)} terms; the five lowest: " + ", ".join(f"{name} {area:.3f}" for name, area in lowest)


def read_robustness(work: Path) -> tuple[dict, dict[str, float]]:
    """Each part of bench:robustness, and the share of the texts that it was measured with."""
    parts, shares = {}, {}
    for file in sorted(work.glob("robustness*.json")):
        found = json.loads(file.read_text())
        for part in found.keys() & set(PARTS):
            if part in parts:
                raise SystemExit(f"{file.name}: {part} is in an earlier file as well: leave one of them")
            parts[part], shares[part] = found[part], found["share"]
    if missing := [part for part in PARTS if part not in parts]:
        raise SystemExit(f"robustness*.json lack {', '.join(missing)}: run bench:robustness with --surroundings and without --only, or with --only for these")
    return parts, shares


def shares_in_words(shares: dict[str, float]) -> str:
    if len(set(shares.values())) == 1:
        return percent(next(iter(shares.values())))
    return ", ".join(f"{percent(shares[part])} ({part})" for part in PARTS)


def robustness_rows(robustness: dict) -> str:
    disguises = [
        f"| {row['disguise']} | {percent(row['recall'])} | {percent(row['falseAlarms'])} |" for row in robustness["disguises"]
    ]
    return "\n".join(disguises)


def flagged_by_length(length: dict) -> dict[str, str]:
    by_label, by_readers, vile = length["byLabel"], length["byReaders"], length["vile"]
    return {
        "abusive": str(by_label["texts"] - by_readers["texts"]),
        "by_label": f"{by_label['texts']:,}",
        "short": percent(by_readers["shortFlagged"]),
        "long": percent(by_readers["longFlagged"]),
        "short_by_label": percent(by_label["shortFlagged"]),
        "long_by_label": percent(by_label["longFlagged"]),
        "hidden": by_place(length["found"]),
        "vile_comments": str(vile["texts"]),
        "vile_alone": percent(vile["shortFlagged"]),
        "vile_hidden": by_place(vile["found"]),
    }


def by_place(found: dict) -> str:
    return ", ".join(f"{place} {percent(share)}" for place, share in found.items())


def hidden_rows(robustness: dict) -> str:
    def row(figures: dict) -> str:
        def longest(part: dict) -> list[str]:
            return [str(part["texts"]), percent(part["found"]["9900"]) if part["texts"] else ""]

        shares = [percent(share) for share in figures["found"].values()]
        return f"| {' | '.join([figures['kind'], str(figures['texts']), *shares, *longest(figures['toxicAlone']), *longest(figures['vile'])])} |"

    return "\n".join(map(row, robustness["kinds"]))


def surroundings_rows(robustness: dict) -> str:
    rows = [
        f"| {row['kind']} | {percent(row['shortFlagged'])} | {percent(row['longFlagged'])} | {percent(row['vileTexts']['share'])} "
        f"| {percent(row['vileSentences']['share'])} |"
        for row in robustness["surroundings"]
    ]
    return "\n".join(rows)


def card(
    version: str,
    calibration: dict,
    measured: dict,
    prepared: dict,
    megabytes: float,
    weak_spots: str,
    probes: dict,
    robustness: dict,
    shares: dict[str, float],
) -> str:
    """card-template.md with its figures filled in."""
    wiki, sms = measured["jigsaw_wiki_test"], measured["sms_spam_fixed_fifth"]
    youtube, tweets = measured["youtube_spam_held_out_song"], measured["tweeteval_sentiment_test"]
    rows = [
        ("Wikipedia comments (Jigsaw test, balanced half)", wiki["texts"], "toxicity, ROC-AUC", wiki["roc_auc"]),
        ("SMS spam, a fixed fifth of the UCI collection", sms["texts"], "spam, F1 at the served threshold", sms["f1"]),
        ("YouTube spam, comments of one song left out", youtube["texts"], "spam, F1 at the served threshold", youtube["f1"]),
        ("TweetEval sentiment test", tweets["texts"], "macro-recall", tweets["macro_recall"]),
    ]
    validation, thresholds = calibration["validation"], calibration["calibration"]["thresholds"]
    labels = [
        f"| {label} | {row['known']:,} | {row['positive']:,} | {row['roc_auc']:.3f} | {row['average_precision']:.3f} "
        f"| {row['calibration_error']:.3f} | {thresholds[label]:.3f} |"
        for label, row in validation["labels"].items()
    ]
    bands = validation["bands"]
    return (Path(__file__).parent / "card-template.md").read_text(encoding="utf-8").format(
        version=version,
        megabytes=f"{megabytes:.1f}",
        measured="\n".join(f"| {name} | {texts:,} | {figure} | {value:.4f} |" for name, texts, figure, value in rows),
        int8=f"{wiki['roc_auc']:.4f}",
        float32=f"{wiki['roc_auc_float32']:.4f}",
        validation="\n".join(labels),
        precision7=percent(bands["precision_of_7_to_10"]),
        recall4=percent(bands["recall_of_4_to_10"]),
        false4=percent(bands["harmless_at_4_to_10"]),
        excluded=f"{prepared['dropped']['excluded evaluation text']:,}",
        merged=f"{prepared['dropped']['duplicate, merged']:,}",
        train=f"{prepared['kept']['train']:,}",
        weak=weak_spots,
        probes="\n".join(probe_row(name, figures) for name, figures in probes.items()),
        groups=lowest_groups(probes),
        robustness_share=shares_in_words(shares),
        disguises=robustness_rows(robustness),
        **flagged_by_length(robustness["length"]),
        kinds=hidden_rows(robustness),
        surroundings=surroundings_rows(robustness),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--output", type=Path, default=Path("../parapet-en"))
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    calibration = json.loads((options.work / "calibration.json").read_text())
    measured = json.loads((options.work / "measured.json").read_text())
    files = {}
    for name in ("model.onnx", "tokenizer.json"):
        content = (options.output / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest = {
        "format": 1,
        "id": "parapet-en",
        "version": options.version,
        "runtime": "onnx",
        "labels": LABELS,
        "sentiments": SENTIMENTS,
        "scripts": SCRIPTS,
        "window": {"maxTokens": MAX_TOKENS, "overlapTokens": OVERLAP_TOKENS},
        "calibration": calibration["calibration"],
        "files": files,
        "measured": rounded({**measured, "validation": calibration["validation"]}),
    }
    (options.output / "manifest.json").write_text(json.dumps(manifest, indent=2, allow_nan=False) + "\n")
    prepared = json.loads((options.work / "prepare-report.json").read_text())
    megabytes = sum(file["bytes"] for file in files.values()) / 1e6
    weak_spots = (Path(__file__).parent / "weak-spots.md").read_text(encoding="utf-8").strip()
    probes = json.loads((options.work / "probes.json").read_text())
    robustness, shares = read_robustness(options.work)
    text = card(options.version, calibration, measured, prepared, megabytes, weak_spots, probes, robustness, shares)
    (options.output / "MODEL_CARD.md").write_text(text, encoding="utf-8")
    print(f"wrote {options.output}/manifest.json and MODEL_CARD.md")


if __name__ == "__main__":
    main()
