"""Averages the weights after the last two stages: writes work/final.pt.

    python average.py --work work

The last stage leans towards Wikipedia comments, the one before it towards everything else: their mean keeps both (Wortsman et al. 2022,
"Robust fine-tuning of zero-shot models").
"""

import argparse
from pathlib import Path

import torch

STAGES = ("settle", "polish")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    options = parser.parse_args()
    states = [torch.load(options.work / f"{stage}.pt", weights_only=True)["model"] for stage in STAGES]
    mean = {name: torch.stack([state[name].float() for state in states]).mean(0).to(states[0][name].dtype) for name in states[0]}
    torch.save({"model": mean}, options.work / "final.pt")
    print(f"wrote {options.work / 'final.pt'}: the mean of {' and '.join(STAGES)}")


if __name__ == "__main__":
    main()
