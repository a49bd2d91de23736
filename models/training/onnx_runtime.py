"""onnxruntime without its reports to Microsoft: the only module here that imports it.

They begin with the import (https://github.com/microsoft/onnxruntime/pull/27379), so the variable must be set before it;
onnxruntime.disable_telemetry_events() comes too late.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from onnxruntime import InferenceSession, SessionOptions  # noqa: E402
from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: E402
from onnxruntime.transformers.optimizer import optimize_model  # noqa: E402

__all__ = ["InferenceSession", "QuantType", "SessionOptions", "optimize_model", "quantize_dynamic"]
