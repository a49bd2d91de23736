"""What an exported network says of texts, each kept by the hash of its content, so that nothing is scored twice."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from parapet_training.labels import LABELS, hash_of

BATCH = 32
EXITED, HIGHEST = "exited", "highest"
MAX_TEXTS = "max_texts"  # among the properties of a model.onnx that takes several texts a run
WEIGHTS_FILE = "model.onnx.data"  # where a model has its weights beside it
FORMAT = "exits"  # of the files of scores: those of another one are scored anew
FLOOR = 1e-6
Logits = NDArray[np.float32]


class WrongModel(Exception):
    """The file of a teacher is not the declared one."""


@dataclass(frozen=True)
class OnnxModel:
    """A folder with model.onnx (input_ids, attention_mask -> probabilities of labels, sentiments and perhaps languages) and tokenizer.json.

    One with an early exit also says whether it `exited`: where it takes one text a run, as in the service, each text is a run; where it takes several, each
    of them exits for itself. One may also tell the `highest` probability that each label has in a segment of the text.
    """

    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer
    sha256: str  # of the network, its weights included
    max_tokens: int

    @classmethod
    def load(cls, folder: Path, max_tokens: int, sha256: str = "") -> "OnnxModel":
        """Raises WrongModel if the file has not the SHA-256, where one is given."""
        return cls.load_file(folder / "model.onnx", folder, max_tokens, sha256)

    @classmethod
    def load_file(cls, path: Path, folder: Path, max_tokens: int, sha256: str = "") -> "OnnxModel":
        """The same with another file than model.onnx."""
        content = checked(path, sha256)
        weights = path.with_name(WEIGHTS_FILE)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        identity = hashlib.sha256(content + (weights.read_bytes() if weights.exists() else b"")).hexdigest()
        return cls(session, Tokenizer.from_file(str(folder / "tokenizer.json")), identity, max_tokens)

    @property
    def names(self) -> list[str]:
        """Of the outputs that are read: labels, sentiments, languages."""
        given = {output.name for output in self.session.get_outputs()}
        return [name for name in ("labels", "sentiments", "languages") if name in given]

    @property
    def has_exit(self) -> bool:
        return any(output.name == EXITED for output in self.session.get_outputs())

    @property
    def texts_of_a_run(self) -> int:
        """As many as its file says; else one where all texts of a run must exit for one to."""
        properties = self.session.get_modelmeta().custom_metadata_map
        return int(properties.get(MAX_TEXTS, 1 if self.has_exit else BATCH))

    @property
    def tells_highest(self) -> bool:
        return any(output.name == HIGHEST for output in self.session.get_outputs())

    @property
    def outputs(self) -> int:
        """How many numbers it says of a text."""
        return sum(int(output.shape[1]) for output in self.session.get_outputs() if output.name in self.names)

    def ids_of(self, texts: Sequence[str]) -> list[list[int]]:
        """At most max_tokens ids a text, [CLS] and [SEP] included."""
        return ids_of(self.tokenizer, texts, self.max_tokens)

    def tokens_of(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self.ids_of(texts)]

    def logits_of(self, ids: Sequence[Sequence[int]]) -> Logits:
        """[texts, outputs + labels of worst segments, if asked for, + 1]: log-odds of labels, log-probabilities of the others, and 1 for an early exit."""
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        size = self.texts_of_a_run
        batches = [order[begin : begin + size] for begin in range(0, len(order), size)]
        result = np.empty((len(ids), self.outputs + (len(LABELS) if self.tells_highest else 0) + 1), np.float32)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for batch, logits in zip(batches, pool.map(lambda batch: self._run([ids[index] for index in batch]), batches), strict=True):
                result[batch] = logits
        return result

    def _run(self, ids: Sequence[Sequence[int]]) -> Logits:
        input_ids = np.zeros((len(ids), max(map(len, ids))), np.int32)
        mask = np.zeros_like(input_ids)
        for index, each in enumerate(ids):
            input_ids[index, : len(each)] = each
            mask[index, : len(each)] = 1
        asked = [*self.names, *([HIGHEST] if self.tells_highest else []), *([EXITED] if self.has_exit else [])]
        answers = dict(zip(asked, self.session.run(asked, {"input_ids": input_ids, "attention_mask": mask}), strict=True))
        # [texts], or one for all of them.
        exited = np.broadcast_to(np.reshape(answers.get(EXITED, np.zeros(1)), (-1, 1)), (len(ids), 1))
        labels, *others = (answers[name] for name in self.names)
        highest = [log_odds(answers[HIGHEST])] if self.tells_highest else []
        return np.concatenate([log_odds(labels), *(np.log(np.maximum(each, FLOOR)) for each in others), *highest, exited], axis=1)


def log_odds(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    values = np.clip(probabilities, FLOOR, 1 - FLOOR)
    return np.log(values / (1 - values))


def checked(path: Path, sha256: str) -> bytes:
    """The content of a file. Raises WrongModel if it has not the SHA-256, where one is given."""
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if sha256 not in ("", found):
        raise WrongModel(f"{path} has the SHA-256 {found} in place of {sha256}")
    return content


def ids_of(tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int) -> list[list[int]]:
    """What the service reads: without unknown tokens, and of a text that is too long the first ids with the separator that ended them."""
    unknown = tokenizer.token_to_id("[UNK]")
    known = ([id for id in encoding.ids if id != unknown] for encoding in tokenizer.encode_batch(list(texts)))
    return [ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]] for ids in known]


class Scores:
    """Logits by text. Shards lie in a folder of the model's hash, so that what was scored before an interruption is not lost."""

    def __init__(self, model: OnnxModel, cache: Path, shard: int = 8192) -> None:
        self.model, self.shard = model, shard
        self.folder = cache / f"{model.sha256[:16]}-{model.max_tokens}-{FORMAT}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.place: dict[int, tuple[int, int]] = {}
        self.blocks: list[Logits] = []
        for path in sorted(self.folder.glob("*.npz")):
            with np.load(path) as stored:
                self._add(stored["hashes"], stored["logits"].astype(np.float32))

    def _add(self, hashes: NDArray[np.uint64], logits: Logits) -> None:
        for index, each in enumerate(hashes.tolist()):
            self.place[each] = (len(self.blocks), index)
        self.blocks.append(logits)

    def score(self, texts: Iterable[str]) -> None:
        """Scores what is not known yet, a shard at a time."""
        unknown = list({key: text for text in texts if (key := _key(text)) not in self.place}.items())
        for begin in range(0, len(unknown), self.shard):
            part = unknown[begin : begin + self.shard]
            hashes = np.array([key for key, _ in part], np.uint64)
            # As they are stored: a run that reads them from there gives the same.
            logits = self.model.logits_of(self.model.ids_of([text for _, text in part])).astype(np.float16)
            path = self.folder / f"{int(hashes[0]):016x}.npz"
            temporary = path.with_suffix(".part")
            with open(temporary, "wb") as file:
                np.savez(file, hashes=hashes, logits=logits)
            os.replace(temporary, path)
            self._add(hashes, logits.astype(np.float32))
            print(f"scored {begin + len(part)} of {len(unknown)}", flush=True)

    def knows(self, text: str) -> bool:
        return _key(text) in self.place

    def of(self, texts: Sequence[str]) -> Logits:
        """[texts, outputs], see logits_of. Raises KeyError for one that was never scored."""
        return np.stack([self._row(text)[: self.model.outputs] for text in texts])

    def highest_of(self, text: str) -> Logits | None:
        """[labels], where the model tells it."""
        return self._row(text)[self.model.outputs : -1] if self.model.tells_highest else None

    def _row(self, text: str) -> Logits:
        block, index = self.place[_key(text)]
        return self.blocks[block][index]


def _key(text: str) -> int:
    return int(hash_of(text), 16)
