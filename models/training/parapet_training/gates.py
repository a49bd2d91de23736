"""Stage gates: what the network of a round says of texts that no round trains on, beside the release that it began with. Writes rounds/NNN.json and
rounds/README.md in this folder. Of a network that no round made it prints the figures alone.

Texts are read whole, by the int8 file of the stage export, without calibration: a figure tells what the network knows. What is served of it, evaluate.py tells.
"""

import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from parapet_training.disguises import ROMANISED, disguise, romanised
from parapet_training.examples import CONTRAST, EXAMPLES
from parapet_training.files import read_json, read_lines, write_json, written
from parapet_training.gate_texts import GateText, read_gates, wikipedia
from parapet_training.labels import HELD_OUT, LABELS
from parapet_training.params import Params
from parapet_training.round import read_round, release_of
from parapet_training.scoring import OnnxModel, Scores
from parapet_training.segments import segments_of
from parapet_training.wording import EVERYDAY

FAILING = [LABELS.index(label) for label in ("toxicity", "severe_toxicity", "threat", "identity_attack", "sexual_explicit", "self_harm", "spam")]
TOXICITY, IDENTITY = LABELS.index("toxicity"), LABELS.index("identity_attack")
RARE = ("threat", "sexual_explicit", "self_harm", "spam")
# Of the harmless texts of a gate, the share that may be flagged where it says what is found.
FALSE_ALARMS = 0.05
MOST_OF_A_SET, LEAST_OF_A_KIND, MOST_WIKIPEDIA = 300, 20, 4000
TOLERANCE = 0.005
UNSURE = 0.5
HEADING = "## Gates"


@dataclass(frozen=True)
class Text:
    """labels: as of a Row. set: what it is measured with."""

    text: str
    lang: str
    set: str
    labels: dict[str, float]


Sets = dict[str, list[Text]]


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    sets = gate_sets(params, here, data, work)
    after = measure(Scores(OnnxModel.load(work / "export", params.max_tokens), work / "scores", params.teachers.shard), sets)
    if not params.round:
        print(json.dumps(after, indent=1))
        return
    this = read_round(here / params.round)
    before = measure(Scores(OnnxModel.load(release_of(this.start, here, work), params.max_tokens), work / "scores", params.teachers.shard), sets)
    write_json(here / "rounds" / f"{this.number}.json", {name: {"before": before[name], "after": after[name]} for name in before})
    write_table(here / "rounds")
    lost = [name for name in before if after[name] < before[name] - TOLERANCE]
    print(json.dumps({name: [before[name], after[name]] for name in before}, indent=1), f"lost more than {TOLERANCE}: {lost}")


def gate_sets(params: Params, here: Path, data: Path, work: Path) -> Sets:
    sets: Sets = defaultdict(list)
    rng = random.Random(params.seed)
    gates, own = read_gates(here / "gates"), random.Random(params.seed)
    sets["gate"] = as_read(gates, params, here)
    sets["romanised"] = as_read([replace(gate, text=romanised(gate.text, own)) for gate in gates if ROMANISED.search(gate.text)], params, here)
    sets["disguised"] = as_read([replace(gate, text=disguise(gate.text, own)) for gate in gates], params, here)
    people: dict[tuple[str, str], list[Text]] = defaultdict(list)
    for row in read_lines(work / "segments" / "rows.jsonl"):
        if row["split"] != HELD_OUT or not row["text"]:
            continue
        text = Text(row["text"], row["lang"], row["source"], row["labels"])
        if row["source"].startswith(CONTRAST):
            sets["contrast"].append(Text(text.text, text.lang, text.lang, text.labels))
        elif not row["source"].startswith(EXAMPLES) and row["labels"]:
            people[row["source"], row["lang"]].append(text)
    for (_, lang), members in sorted(people.items()):
        chosen = members if len(members) <= MOST_OF_A_SET else rng.sample(members, MOST_OF_A_SET)
        sets["english" if lang == "en" else "posts"] += chosen
    sets["everyday"] = [text for text in sets["gate"] if is_harmful(text)] + [text for text in sets["posts"] if text.set in EVERYDAY]
    wiki = [Text(text, "en", "wikipedia", {"toxicity": float(toxic)}) for text, toxic in wikipedia(data)]
    wiki = wiki if len(wiki) <= MOST_WIKIPEDIA else rng.sample(wiki, MOST_WIKIPEDIA)
    read = segments_of((each.text for each in wiki), params.segments.command, here)
    sets["wikipedia"] = [Text(normalised, "en", "wikipedia", each.labels) for each, (normalised, _) in zip(wiki, read, strict=True)]
    for path in sorted((here / params.data.probes).glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        probes = [Text(line["text"], "en", path.stem, {"toxicity": float(line["toxic"])}) for line in lines if "toxic" in line]
        sets["probes"] += [
            Text(normalised, "en", probe.set, probe.labels)
            for probe, (normalised, _) in zip(probes, segments_of([each.text for each in probes], params.segments.command, here), strict=True)
        ]
    return sets


def as_read(gates: Sequence[GateText], params: Params, here: Path) -> list[Text]:
    read = segments_of((gate.text for gate in gates), params.segments.command, here)
    return [Text(text, gate.lang, gate.lang, gate.labels) for gate, (text, _) in zip(gates, read, strict=True)]


def measure(scores: Scores, sets: Sets) -> dict[str, float]:
    logits = {name: read(scores, texts) for name, texts in sets.items()}
    worst = {name: values[:, FAILING].max(1) for name, values in logits.items()}

    def by(name: str, key: Callable[[Text], str], figure: Callable[[NDArray[np.bool_], NDArray[np.floating]], float], label: int | None) -> dict[str, float]:
        """The figure for each set that has enough of both kinds. label: the one that tells, or any that fails a text; a text of which people could not tell it
        (0.5) counts for neither."""
        members: dict[str, list[int]] = defaultdict(list)
        for index, text in enumerate(sets[name]):
            if label is None or text.labels.get(LABELS[label], UNSURE) != UNSURE:
                members[key(text)].append(index)
        figures = {}
        for each, indices in members.items():
            texts = [sets[name][index] for index in indices]
            harmful = np.array([is_harmful(text) if label is None else text.labels[LABELS[label]] >= 0.5 for text in texts])
            if min(harmful.sum(), (~harmful).sum()) >= LEAST_OF_A_KIND:
                figures[each] = figure(harmful, worst[name][indices] if label is None else logits[name][indices, label])
        return figures

    def auc(harmful: NDArray[np.bool_], said: NDArray[np.floating]) -> float:
        return float(roc_auc_score(harmful, said))

    result: dict[str, float] = {}
    languages = by("gate", lambda text: text.lang, auc, None)
    if languages:
        result |= {"gate: AUC, mean of languages": mean(languages), "gate: AUC, lowest language": min(languages.values())}
        result["gate: found at 5 % false alarms"] = mean(by("gate", lambda text: text.lang, found, None))
    for name, told in (("romanised", "in Latin letters"), ("disguised", "disguised"), ("everyday", "beside everyday sentences")):
        if by_writing := by(name, lambda text: text.lang, auc, None):
            result[f"gate, {told}: AUC, mean of languages"] = mean(by_writing)
    contrast = by("contrast", lambda text: text.lang, auc, IDENTITY)
    if contrast:
        result |= {"contrast: AUC of hate, mean": mean(contrast), "contrast: AUC of hate, lowest language": min(contrast.values())}
    posts = by("posts", lambda text: f"{text.set} {text.lang}", auc, TOXICITY)
    by_language: dict[str, dict[str, float]] = defaultdict(dict)
    for name, value in posts.items():
        by_language[name.split()[1]][name] = value
    if by_language:
        means = {lang: mean(values) for lang, values in by_language.items()}
        result |= {"posts: AUC, mean of languages": mean(means), "posts: AUC, lowest language": min(means.values())}
    english = by("english", lambda text: text.set, auc, TOXICITY)
    if english:
        result["English sets: AUC, mean"] = mean(english)
    for label in RARE:
        every = by("english", lambda text: "all", auc, LABELS.index(label)) | by("posts", lambda text: "others", auc, LABELS.index(label))
        if every:
            result[f"{label}: AUC"] = mean(every)
    result |= {f"probes, {name.replace('_', ' ')}: AUC": value for name, value in by("probes", lambda text: text.set, auc, None).items()}
    if sets["wikipedia"]:
        result["Wikipedia: AUC"] = by("wikipedia", lambda text: text.set, auc, TOXICITY)["wikipedia"]
    return {name: round(value, 4) for name, value in result.items()}


def read(scores: Scores, texts: Sequence[Text]) -> NDArray[np.floating]:
    """[texts, labels] in log-odds."""
    scores.score(text.text for text in texts)
    return scores.of([text.text for text in texts])[:, : len(LABELS)] if texts else np.zeros((0, len(LABELS)))


def is_harmful(text: Text) -> bool:
    return any(text.labels.get(LABELS[index], 0.0) >= 0.5 for index in FAILING)


def found(harmful: NDArray[np.bool_], said: NDArray[np.floating]) -> float:
    return float((said[harmful] > np.quantile(said[~harmful], 1 - FALSE_ALARMS)).mean())


def mean(figures: dict[str, float]) -> float:
    return float(np.mean(list(figures.values())))


def write_table(folder: Path) -> None:
    """All rounds, two columns each, from their files: what stands behind the last heading of the README."""
    rounds: dict[str, dict[str, Any]] = {path.stem: read_json(path) for path in sorted(folder.glob("*.json"))}
    names = list(dict.fromkeys(name for gates in rounds.values() for name in gates))
    head = ["gate", *(f"{number}: before | {number}: after" for number in rounds)]
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * (1 + 2 * len(rounds))]
    for name in names:
        cells = [f"{gates[name][side]:.3f}" if name in gates else "" for gates in rounds.values() for side in ("before", "after")]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    readme = folder / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    with written(readme) as file:
        file.write("\n".join([text.partition(f"{HEADING}\n")[0] + HEADING, "", *lines, ""]))
