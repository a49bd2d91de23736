"""Runs one stage: python -m parapet_training STAGE. dvc.yaml runs them all in order."""

import argparse
import importlib
import os
from pathlib import Path

from parapet_training.params import read_params

# Before anything imports onnxruntime: a training machine reports to nobody.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

HERE = Path(__file__).parents[1]
STAGES = (
    "data",
    "segments",
    "vocabulary",
    "teachers",
    "larger_teacher",
    "student",
    "trial",
    "round",
    "export",
    "gates",
    "early_exit",
    "worst_segment",
    "serving",
    "calibrate",
    "evaluate",
    "package",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="parapet_training", description=__doc__)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--data", type=Path, help="the data folder, in place of that of the parameters")
    parser.add_argument("--work", type=Path, help="where stages write, in place of that of the parameters")
    parser.add_argument("--params", type=Path, default=HERE / "params.yaml")
    parser.add_argument("--device", help="cpu or cuda, in place of a GPU where there is one")
    options = parser.parse_args()
    if options.device:
        os.environ["PARAPET_DEVICE"] = options.device
    # One module a stage, so that a stage without PyTorch needs none.
    stage = importlib.import_module(f"parapet_training.{options.stage}")
    params, here = read_params(options.params), options.params.parent.resolve()
    data, work = options.data or here / params.folders.data, options.work or here / params.folders.work
    stage.run(params, here, data.resolve(), work.resolve())


if __name__ == "__main__":
    main()
