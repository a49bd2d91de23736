"""FastAPI and transformers with PyTorch in float32: the same network as the service's, served the way Detoxify is.

Without a checkpoint the weights are random: they change what comes out, and nothing of the time it takes.
"""

import json

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from routes import app_of
from settings import CHECKPOINT, MAX_TOKENS, MODEL_FOLDER, THREADS


class Classifier(nn.Module):
    """The shape of models/training/parapet_training/network.py, so that its checkpoints load."""

    def __init__(self, vocabulary_size: int, outputs: int) -> None:
        super().__init__()
        # all-MiniLM-L6-v2
        config = BertConfig(
            vocab_size=vocabulary_size,
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
        )
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.hidden = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, outputs)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        peak = (states + (mask - 1.0) * 1e4).amax(1)
        return self.output(nn.functional.gelu(self.hidden(torch.cat([mean, peak], dim=1))))


torch.set_num_threads(THREADS)
manifest = json.loads((MODEL_FOLDER / "manifest.json").read_text())
labels, sentiments = manifest["labels"], manifest["sentiments"]
tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(MODEL_FOLDER / "tokenizer.json"))
model = Classifier(len(tokenizer), len(labels) + len(sentiments))
if CHECKPOINT is not None:
    weights = torch.load(CHECKPOINT, weights_only=True, map_location="cpu")["model"]
    # What follows the sentiments is for training only (older checkpoints have more).
    for name in ("output.weight", "output.bias"):
        weights[name] = weights[name][: len(labels) + len(sentiments)]
    model.load_state_dict(weights)
model.eval()


@torch.inference_mode()
def predict(text: str) -> dict[str, float]:
    inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
    logits = model(inputs["input_ids"], inputs["attention_mask"])[0]
    label_values = torch.sigmoid(logits[: len(labels)]).tolist()
    sentiment_values = torch.softmax(logits[len(labels) :], dim=0).tolist()
    return dict(zip(labels + sentiments, label_values + sentiment_values, strict=True))


app = app_of(predict)
