"""Averages the weights of checkpoints that were trained from the same beginning ("model soup", Wortsman et al. 2022): one network that
errs less than each of them.

    python average.py --output work/settle.pt one/settle.pt other/settle.pt ...

Threats are what vile texts without a swear word are most often, and another output knows them: `--threat 0.2` adds a fifth of its log-odds to those of
severe toxicity (decision 54).
"""

import argparse
from pathlib import Path

import torch
from torch import Tensor

from labels import LABELS


def mean_of(checkpoints: list[Path]) -> dict[str, Tensor]:
    """Each weight's mean over the checkpoints, by name."""
    models = [torch.load(path, weights_only=True)["model"] for path in checkpoints]
    average = {}
    for name, tensor in models[0].items():
        # What is no floating-point number (positions, say) is the same in all.
        is_weight = tensor.is_floating_point()
        average[name] = torch.stack([model[name] for model in models]).mean(0) if is_weight else tensor
    return average


def add_threat_to_severe_toxicity(model: dict[str, Tensor], share: float) -> None:
    severe, threat = LABELS.index("severe_toxicity"), LABELS.index("threat")
    for name in ("output.weight", "output.bias"):
        model[name][severe] += share * model[name][threat]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--threat", type=float, default=0.0, help="so much of the log-odds of threat is added to those of severe toxicity")
    options = parser.parse_args()
    model = mean_of(options.checkpoints)
    add_threat_to_severe_toxicity(model, options.threat)
    torch.save({"model": model}, options.output)


if __name__ == "__main__":
    main()
