"""Writes sklearn-cases.json: cases with the figures that scikit-learn gives for them.

    pip install scikit-learn==1.9.1
    python test/unit/benchmarks/accuracy/metrics/sklearn_cases.py && npx prettier --write test/unit/benchmarks/accuracy/metrics/sklearn-cases.json
"""

import json
from pathlib import Path

import numpy as np
import sklearn
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    balanced_accuracy_score,
    brier_score_loss,
    confusion_matrix,
    f1_score,
    precision_recall_curve,
    precision_score,
    recall_score,
    roc_auc_score,
)

BINS = 15
GROUPS = 3
random = np.random.default_rng(20191)


def calibration_error(truth, probability):
    """Expected calibration error, from the curve of scikit-learn, whose bins hold their upper ends too."""
    share, mean = calibration_curve(truth, probability, n_bins=BINS)
    place = np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], probability)
    rows = np.bincount(place, minlength=BINS)
    rows = rows[rows > 0]
    return float(np.sum(rows / rows.sum() * np.abs(share - mean)))


def best_f1(truth, probability):
    """The highest of equally good thresholds."""
    precision, recall, thresholds = precision_recall_curve(truth, probability)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    best = max(range(len(thresholds)), key=lambda index: (round(f1[index], 12), thresholds[index]))
    return {"threshold": float(thresholds[best]), "f1": float(f1[best])}


def group_figures(truth, probability, groups):
    """Subgroup, BPSN and BNSP AUC: Borkan et al. 2019, section 4."""
    found = []
    for group in range(GROUPS):
        inside = groups & (1 << group) != 0
        positive = truth == 1
        parts = {
            "subgroupAuc": inside,
            "bpsnAuc": (inside & ~positive) | (~inside & positive),
            "bnspAuc": (inside & positive) | (~inside & ~positive),
        }
        found.append({name: float(roc_auc_score(truth[rows], probability[rows])) for name, rows in parts.items()})
    return found


def case(name, truth, probability, threshold):
    truth = np.asarray(truth, dtype=int)
    probability = np.asarray(probability, dtype=float).round(6)
    weights = random.poisson(1, len(truth))
    weights[[int(np.argmax(truth)), int(np.argmin(truth))]] = 1
    # Bit 0 is set for a row in the first group, bit 1 for one in the second. Each group needs rows of both kinds.
    groups = random.integers(0, 2**GROUPS, len(truth))
    for group in range(GROUPS):
        for kind in (0, 1):
            groups[np.flatnonzero(truth == kind)[group]] |= 1 << group
    flagged = probability >= threshold
    negative_true, positive_false, negative_false, positive_true = confusion_matrix(truth, flagged).ravel().tolist()
    return {
        "name": name,
        "positives": truth.tolist(),
        "probabilities": probability.tolist(),
        "weights": weights.tolist(),
        "groups": groups.tolist(),
        "expected": {
            "rocAuc": float(roc_auc_score(truth, probability)),
            "averagePrecision": float(average_precision_score(truth, probability)),
            "brierScore": float(brier_score_loss(truth, probability)),
            "expectedCalibrationError": calibration_error(truth, probability),
            "bestF1": best_f1(truth, probability),
            "weighted": {
                "rocAuc": float(roc_auc_score(truth, probability, sample_weight=weights)),
                "averagePrecision": float(average_precision_score(truth, probability, sample_weight=weights)),
                "brierScore": float(brier_score_loss(truth, probability, sample_weight=weights)),
            },
            "decision": {
                "threshold": threshold,
                "confusion": {
                    "truePositives": positive_true,
                    "falsePositives": positive_false,
                    "falseNegatives": negative_false,
                    "trueNegatives": negative_true,
                },
                "precision": float(precision_score(truth, flagged)),
                "recall": float(recall_score(truth, flagged)),
                "f1": float(f1_score(truth, flagged)),
                "accuracy": float(accuracy_score(truth, flagged)),
            },
            "groups": group_figures(truth, probability, groups),
        },
    }


def classes_case():
    truth = random.integers(0, 3, 60)
    chosen = np.where(random.random(60) < 0.6, truth, random.integers(0, 3, 60))
    return {
        "truth": truth.tolist(),
        "chosen": chosen.tolist(),
        "expected": {
            "recalls": recall_score(truth, chosen, average=None).tolist(),
            "macroRecall": float(balanced_accuracy_score(truth, chosen)),
            "accuracy": float(accuracy_score(truth, chosen)),
            "confusion": confusion_matrix(truth, chosen).tolist(),
        },
    }


def separated(rows, share):
    """Positives drawn higher than negatives."""
    truth = (random.random(rows) < share).astype(int)
    truth[:4], truth[4:8] = 1, 0
    return truth, np.where(truth == 1, random.beta(4, 2, rows), random.beta(2, 5, rows))


def main():
    truth, probability = separated(150, 0.3)
    rare, rare_probability = separated(200, 0.03)
    ends = np.where(probability > 0.5, 1.0, 0.0)
    cases = [
        case("continuous probabilities", truth, probability, 0.5),
        case("probabilities at eleven values, so that almost all are tied", truth, probability.round(1), 0.5),
        case("rare positives", rare, rare_probability, 0.5),
        case("nothing but 0 and 1", truth, ends, 0.5),
        case("a ranking by chance", truth, random.random(len(truth)), 0.5),
        case("a perfect ranking with probabilities that are too low", truth, 0.1 + 0.2 * truth, 0.3),
    ]
    file = Path(__file__).with_name("sklearn-cases.json")
    content = {"sklearn": sklearn.__version__, "cases": cases, "classes": classes_case()}
    file.write_text(json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
