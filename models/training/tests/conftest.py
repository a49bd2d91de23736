"""A tiny made-up data set, as a folder like models/training and a data folder."""

import gzip
import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from parapet_training.params import Params, read_params

TRAINING = Path(__file__).parents[1]
KIND = ["kind", "lovely", "gentle", "sunny", "calm", "warm", "quiet", "happy"]
RUDE = ["stupid", "idiot", "moron", "loser", "pathetic", "dumb"]
THINGS = ["morning", "garden", "teacher", "river", "story", "window", "friend", "kitchen", "letter", "summer"]


@dataclass(frozen=True)
class Project:
    here: Path
    data: Path
    work: Path
    params: Params


def sentence(rng: random.Random, words: list[str]) -> str:
    return " ".join(rng.choices(words + THINGS, k=4) + rng.choices(words, k=2)) + f" {rng.randrange(1000)}"


def made_up_rows(count: int) -> list[dict[str, object]]:
    rng = random.Random(5)
    rows: list[dict[str, object]] = []
    for index in range(count):
        toxic = index % 3 == 0
        text = ". ".join([sentence(rng, KIND) for _ in range(rng.randrange(3))] + [sentence(rng, RUDE if toxic else KIND)])
        rows.append({"text": text, "toxic": int(toxic), "mood": "negative" if toxic else "positive"})
    return rows


def write_source(project_data: Path, path: str, content: str) -> dict[str, str]:
    file = project_data / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return {"path": path, "sha256": hashlib.sha256(content.encode()).hexdigest()}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    here, data = tmp_path / "training", tmp_path / "data"
    (here / "examples" / "frames").mkdir(parents=True)
    (here / "probes").mkdir()
    (here / "card-template.md").write_text((TRAINING / "card-template.md").read_text(encoding="utf-8"), encoding="utf-8")
    rows = made_up_rows(900)
    comments = write_source(data, "train/comments.jsonl", "\n".join(map(json.dumps, rows)))
    spam = write_source(
        data, "train/spam.csv", "body,junk\n" + "\n".join(f"buy {index} cheap {'pills' if index % 2 else 'flowers'},{index % 2}" for index in range(80))
    )
    (here / "sources.toml").write_text(
        f'''
[[source]]
name = "comments"
licence = "open"
columns = "toxic: 0 or 1"
format = "jsonl"
text = "text"
files = [{{ path = "{comments["path"]}", sha256 = "{comments["sha256"]}" }}]
rules = [
  {{ when = {{ toxic = "1" }}, labels = {{ toxicity = 1.0, insult = 1.0 }} }},
  {{ when = {{ toxic = "0" }}, preset = "not_toxic" }},
  {{ when = {{ mood = "negative" }}, sentiment = "negative" }},
  {{ when = {{ mood = "positive" }}, sentiment = "positive" }},
]

[[source]]
name = "junk"
licence = "none"
columns = "junk: 1 spam"
format = "csv"
text = "body"
files = [{{ path = "{spam["path"]}", sha256 = "{spam["sha256"]}" }}]
rules = [{{ labels = {{ spam = "junk" }} }}]
''',
        encoding="utf-8",
    )
    examples = [
        {
            "text": f"{'I will hurt you' if index % 2 else 'I will help you'} {word} number {index}",
            "labels": ["toxicity", "severe_toxicity", "threat"] if index % 2 else [],
        }
        for index, word in enumerate(THINGS * 12)
    ]
    (here / "examples" / "ours.jsonl").write_text("\n".join(map(json.dumps, examples)), encoding="utf-8")
    (here / "examples" / "frames" / "groups.json").write_text(json.dumps([{"plural": f"group{index}"} for index in range(12)]))
    (here / "examples" / "frames" / "words.json").write_text(json.dumps({"thing": THINGS}))
    (here / "examples" / "frames" / "identity.jsonl").write_text(json.dumps({"text": "{plural} like the {thing}", "labels": []}))
    probe = {"text": "I will break every bone of yours", "severe": 3, "list": 1, "split": "development"}
    (here / "probes" / "severe_sentences.jsonl").write_text(
        json.dumps(probe) + "\n" + json.dumps({**probe, "text": "You will all burn at dawn", "split": "held_out"})
    )
    with gzip.open(data / "exclude-hashes.txt.gz", "wt") as file:
        file.write("")
    settings = yaml.safe_load((TRAINING / "params.yaml").read_text())
    (here / "abusive.txt").write_text("")
    settings["data"] |= {
        "probes": "probes",
        "abusive_test_comments": "abusive.txt",
        "split": {"validation": 30, "held_out": 10},
        "examples_split": {"validation": 30, "held_out": 10},
    }
    settings["segments"]["command"] = ["node", str(TRAINING.parents[1] / "dist" / "src" / "cli" / "segment.js")]
    settings["teachers"] |= {"train_texts": 300, "shard": 64}
    settings["mixture"] = {}
    settings["encoder"] |= {"layers": [0, 1], "start": "published"}
    (here / "multilingual.toml").write_text("set = []")
    settings["student"] |= {"steps": 8, "batch_tokens": 512, "checkpoint_steps": 3, "warmup_steps": 2}
    settings["worst_segment"] |= {"layers": [1, 2], "token_width": 8, "hidden_width": 16, "epochs": 2, "made": 200}
    settings["early_exit"] |= {"layer": 1, "token_width": 8, "hidden_width": 16, "epochs": 2}
    settings["serving"] |= {"max_texts": 4, "last_layer_neurons": 24, "texts": 60}
    settings["calibration"] |= {"definition": ["comments"], "conversation": ["comments"], "joined_texts": 60, "joined_characters": 1500}
    (here / "params.yaml").write_text(yaml.safe_dump(settings))
    return Project(here, data, tmp_path / "work", read_params(here / "params.yaml"))


@pytest.fixture
def encoder(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a random encoder of two layers, in place of the published one. Needs PyTorch."""
    torch, transformers, minilm, vocabulary = (
        pytest.importorskip(name) for name in ("torch", "transformers", "parapet_training.minilm", "parapet_training.vocabulary")
    )
    folder = tmp_path / "encoder"
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *KIND,
        *RUDE,
        *THINGS,
        *"abcdefghijklmnopqrstuvwxyz0123456789.",
        *(f"##{each}" for each in "abcdefghijklmnopqrstuvwxyz0123456789"),
    ]
    tokenizer = Tokenizer(models.WordPiece({word: index for index, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=160
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    monkeypatch.setattr(minilm, "folder", lambda: folder)
    vocabulary.write(project.work / "vocabulary", *minilm.vocabulary([], 0, ["en"]))
    return folder
