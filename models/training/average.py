"""Averages the weights of checkpoints that were trained from the same beginning ("model soup", Wortsman et al. 2022): one network that
errs less than each of them.

    python average.py --output work/settle.pt one/settle.pt other/settle.pt ...
"""

import argparse
from pathlib import Path

import torch
from torch import Tensor


def mean_of(checkpoints: list[Path]) -> dict[str, Tensor]:
    """Each weight's mean over the checkpoints, by name."""
    models = [torch.load(path, weights_only=True)["model"] for path in checkpoints]
    average = {}
    for name, tensor in models[0].items():
        # What is no floating-point number (positions, say) is the same in all.
        is_weight = tensor.is_floating_point()
        average[name] = torch.stack([model[name] for model in models]).mean(0) if is_weight else tensor
    return average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    torch.save({"model": mean_of(options.checkpoints)}, options.output)


if __name__ == "__main__":
    main()
