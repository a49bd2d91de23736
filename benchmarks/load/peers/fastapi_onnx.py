"""FastAPI and onnxruntime with the very int8 file that the service serves."""

import json
import os

import numpy as np
from tokenizers import Tokenizer

from routes import app_of
from settings import MAX_TOKENS, MODEL_FOLDER, THREADS

# Else it reports to Microsoft, from its import on.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime  # noqa: E402

manifest = json.loads((MODEL_FOLDER / "manifest.json").read_text())
names = manifest["labels"] + manifest["sentiments"]
tokenizer = Tokenizer.from_file(str(MODEL_FOLDER / "tokenizer.json"))
tokenizer.enable_truncation(MAX_TOKENS)
tokenizer.no_padding()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = THREADS
options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(str(MODEL_FOLDER / "model.onnx"), options, providers=["CPUExecutionProvider"])


def predict(text: str) -> dict[str, float]:
    ids = np.array([tokenizer.encode(text).ids], dtype=np.int32)
    label_values, sentiment_values = session.run(
        ["labels", "sentiments"], {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    )
    return dict(zip(names, label_values[0].tolist() + sentiment_values[0].tolist(), strict=True))


app = app_of(predict)
