"""The two ways to run the classifier from Python: the PyTorch checkpoint and the exported ONNX file."""

from pathlib import Path

import numpy as np
import torch

from model import Classifier, quick_precision
from onnx_runtime import InferenceSession, SessionOptions
from windows import Predict


def load_checkpoint(path: Path) -> Classifier:
    weights = torch.load(path, weights_only=True)["model"]
    layers = {name.split(".")[3] for name in weights if name.startswith("encoder.encoder.layer.")}
    model = Classifier.empty(len(layers))
    model.load_state_dict(weights)
    return model.eval()


def device() -> torch.device:
    """A GPU if there is one. Not to be asked before processes are forked: one that has touched the GPU cannot be."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def torch_predict(model: Classifier) -> Predict:

    def predict(input_ids: np.ndarray, attention_mask: np.ndarray) -> np.ndarray:
        with torch.inference_mode(), quick_precision(model.device):
            return model(torch.from_numpy(input_ids).to(model.device), torch.from_numpy(attention_mask).to(model.device)).float().cpu().numpy()

    return predict


def onnx_predict(path: Path, threads: int = 2) -> Predict:
    """Logits recovered from the probabilities that the file gives, one window a run as in the service.

    An int8 model scales the activations of a whole run at once, so windows of one batch would change each other's results.
    """
    options = SessionOptions()
    options.intra_op_num_threads = threads
    session = InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def predict(input_ids: np.ndarray, attention_mask: np.ndarray) -> np.ndarray:
        rows = []
        for ids, mask in zip(input_ids.astype(np.int32), attention_mask.astype(np.int32), strict=True):
            length = int(mask.sum())
            inputs = {"input_ids": ids[None, :length], "attention_mask": mask[None, :length]}
            labels, sentiments = session.run(["labels", "sentiments"], inputs)
            labels = np.clip(labels[0].astype(np.float64), 1e-7, 1 - 1e-7)
            rows.append(np.concatenate([np.log(labels / (1 - labels)), np.log(np.clip(sentiments[0], 1e-9, 1.0))]))
        return np.stack(rows)

    return predict
