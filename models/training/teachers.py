"""Opinions of two published classifiers on the texts that are trained on: writes work/teachers.npy.

    python teachers.py --work work

Both were trained on all of Jigsaw's published Wikipedia comments, of which the data here hold a third. The network learns to say what they
would say, in outputs of its own (labels.TEACHERS), beside the labels; calibrate.py then decides how much of each goes into the
served toxicity. Neither is needed to run the service.

- alt-profanity-check (MIT): a linear classifier on words. Its document frequencies fit a training set of 184,350 texts: Jigsaw's 159,571
  and Davidson's 24,783 less a few.
- toxic-comment-classifier (MIT): a bidirectional LSTM on words, six outputs. Its tokenizer counted 159,571 texts: Jigsaw's
  training file and nothing else.

So neither saw the Jigsaw test set. A third one, tox-block, counted 223,549 texts, which is training and test set together: it must not
teach here.
"""

import argparse
import json
import pickle
from importlib.util import find_spec
from pathlib import Path

import h5py
import numpy as np
import torch
from torch import Tensor, nn

from labels import TEACHERS
from vocabulary import load_tokenizer
from windows import windows_of

CHUNK_ROWS = 8192
MAX_LOGIT = 8.0


def linear_logits(texts: list[str]) -> np.ndarray:
    """[texts, 1]: log-odds of alt-profanity-check."""
    from profanity_check import predict_prob

    probabilities = np.clip(predict_prob(texts), 1e-6, 1 - 1e-6)
    return np.log(probabilities / (1 - probabilities))[:, None]


class _Attributes:
    """Stands for a class of a library that is not installed: keeps the attributes that were pickled, runs nothing."""

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)


class _TokenizerUnpickler(pickle.Unpickler):
    """Reads the pickled Keras tokenizer without Keras, and without letting the file name a function to call."""

    def find_class(self, module: str, name: str) -> type:
        if (module, name) in {("collections", "OrderedDict"), ("collections", "defaultdict"), ("builtins", "int")}:
            return super().find_class(module, name)
        return _Attributes


class Lstm:
    """toxic-comment-classifier without TensorFlow: its words, embedding, bidirectional LSTM, maximum over time, two dense layers."""

    WORDS = 20_000
    LENGTH = 100

    def __init__(self) -> None:
        package = find_spec("toxic_classifier")
        if package is None or package.origin is None:
            raise SystemExit("toxic-comment-classifier is missing: pip install --no-deps toxic-comment-classifier==0.3.0")
        folder = Path(package.origin).parent / "model"
        with open(folder / "tokenizer.pickle", "rb") as file:
            tokenizer = _TokenizerUnpickler(file).load()
        self.word_ids: dict[str, int] = tokenizer.word_index
        self.separators = str.maketrans(dict.fromkeys(tokenizer.filters, " "))
        with h5py.File(folder / "model.weights.h5") as weights:

            def read(name: str) -> Tensor:
                return torch.from_numpy(weights["layers/" + name][:])

            self.embedding = read("embedding/vars/0")
            self.dense = [(read(f"{layer}/vars/0"), read(f"{layer}/vars/1")) for layer in ("dense", "dense_1")]
            # Keras and PyTorch order the gates alike: input, forget, cell, output.
            self.lstm = nn.LSTM(50, 50, batch_first=True, bidirectional=True)
            with torch.no_grad():
                for layer, suffix in (("forward_layer", ""), ("backward_layer", "_reverse")):
                    kernel, recurrent, bias = (read(f"bidirectional/{layer}/cell/vars/{index}") for index in range(3))
                    getattr(self.lstm, f"weight_ih_l0{suffix}").copy_(kernel.T)
                    getattr(self.lstm, f"weight_hh_l0{suffix}").copy_(recurrent.T)
                    getattr(self.lstm, f"bias_ih_l0{suffix}").copy_(bias)
                    getattr(self.lstm, f"bias_hh_l0{suffix}").zero_()

    def ids(self, text: str) -> list[int]:
        """The last LENGTH known words, zeros before them."""
        words = text.lower().translate(self.separators).split()
        known = [number for word in words if (number := self.word_ids.get(word, self.WORDS)) < self.WORDS][-self.LENGTH :]
        return [0] * (self.LENGTH - len(known)) + known

    @torch.inference_mode()
    def logits(self, texts: list[str], batch: int = 256) -> np.ndarray:
        """[texts, 6]: toxic, severe_toxic, obscene, threat, insult, identity_hate."""
        parts = []
        for begin in range(0, len(texts), batch):
            states, _ = self.lstm(self.embedding[torch.tensor([self.ids(text) for text in texts[begin : begin + batch]])])
            (hidden, hidden_bias), (output, output_bias) = self.dense
            parts.append(torch.relu(states.amax(1) @ hidden + hidden_bias) @ output + output_bias)
        return torch.cat(parts).numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    options = parser.parse_args()
    texts = [json.loads(line)["text"] for line in open(options.work / "train.jsonl", encoding="utf-8")]
    tokenizer, lstm = load_tokenizer(), Lstm()
    opinions = np.empty((len(texts), len(TEACHERS)), dtype=np.float16)
    for begin in range(0, len(texts), CHUNK_ROWS):
        chunk = texts[begin : begin + CHUNK_ROWS]
        # Training reads one window of a text: an opinion on more than the first would not be one on what the network sees.
        encodings = tokenizer.encode_batch([text[:4000] for text in chunk])
        judged = [text[: windows_of(encoding)[0].end] for text, encoding in zip(chunk, encodings, strict=True)]
        logits = np.concatenate([linear_logits(judged), lstm.logits(judged)], axis=1)
        opinions[begin : begin + len(chunk)] = np.clip(logits, -MAX_LOGIT, MAX_LOGIT)
        print(f"{begin + len(chunk)}/{len(texts)}", flush=True)
    np.save(options.work / "teachers.npy", opinions)


if __name__ == "__main__":
    main()
