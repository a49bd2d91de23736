"""Which device trains: that of --device, else a GPU if there is one."""

import os

import torch

VARIABLE = "PARAPET_DEVICE"


def chosen_device() -> torch.device:
    return torch.device(os.environ.get(VARIABLE) or ("cuda" if torch.cuda.is_available() else "cpu"))
