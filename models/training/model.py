"""The network: a MiniLM encoder, mean and max pooling, one hidden layer, and one logit a label, a sentiment and a teacher's opinion."""

from functools import cache

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from labels import LABELS, SENTIMENTS, TEACHERS
from vocabulary import base_folder, emoji_names, kept_ids, load_tokenizer


def adopt_vocabulary(encoder: BertModel) -> None:
    """Keeps the embeddings of the kept tokens and appends those of the emoji tokens, each the mean of its name's tokens."""
    words = encoder.get_input_embeddings().weight[kept_ids()]
    tokenizer = load_tokenizer()
    names = [tokenizer.encode(name, add_special_tokens=False).ids for name in emoji_names()]
    with torch.no_grad():
        emoji = torch.stack([words[ids].mean(0) for ids in names])
        # A mean of vectors is shorter than they are: it gets the length that words have.
        emoji *= words.norm(dim=1).mean() / emoji.norm(dim=1, keepdim=True)
        encoder.set_input_embeddings(nn.Embedding.from_pretrained(torch.cat([words, emoji]), freeze=False, padding_idx=0))
    encoder.config.vocab_size = len(words) + len(names)


# Of the base model.
LAYERS = 6
DROPPED = 1 / 9
MASK_POOL = 1 << 24


@cache
def mask_pool(dtype: torch.dtype) -> Tensor:
    """Random masks in which DROPPED of the numbers are zero: the others are 1.125, which is exact in bfloat16."""
    keep = torch.rand(MASK_POOL, generator=torch.Generator().manual_seed(0)) >= DROPPED
    return keep.to(dtype) * 1.125


class Dropout(nn.Module):
    """Dropout with a stretch of one pool of masks, from a random place on.

    PyTorch's own draws a number for every activation, which takes almost as long as the rest of the network on a CPU; on a GPU it costs nothing.
    """

    def forward(self, values: Tensor) -> Tensor:
        if not self.training:
            return values
        if values.is_cuda:
            return nn.functional.dropout(values, DROPPED)
        start = int(torch.randint(MASK_POOL - values.numel(), ()))
        return values * mask_pool(values.dtype)[start : start + values.numel()].view_as(values)


def quick_precision(device: torch.device) -> torch.autocast:
    """bfloat16 where the processor multiplies in it: on others it is emulated, at a third of the speed. It moves no AUC by more than 0.0005."""
    is_quick = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=is_quick)


class Classifier(nn.Module):
    """input_ids, attention_mask: int64 [batch, tokens] -> logits: float32 [batch, labels + sentiments + teachers]."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = Dropout()
        encoder.embeddings.dropout = self.dropout
        for layer in encoder.encoder.layer:
            layer.attention.output.dropout = layer.output.dropout = self.dropout
        width = encoder.config.hidden_size
        self.hidden = nn.Linear(2 * width, width)
        self.output = nn.Linear(width, len(LABELS) + len(SENTIMENTS) + len(TEACHERS))

    @classmethod
    def from_base(cls) -> "Classifier":
        # The dropout of the library is off: ours takes its place, but for attention.
        # Eager attention: at 128 tokens and fewer it trains twice as fast on a CPU as the fused kernel.
        encoder = BertModel.from_pretrained(
            base_folder(),
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        adopt_vocabulary(encoder)
        return cls(encoder)

    @classmethod
    def empty(cls, layers: int = LAYERS) -> "Classifier":
        """The same shape without the base weights, to load a checkpoint into; of so many layers, as teachers have more."""
        config = BertConfig.from_pretrained(
            base_folder(), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, attn_implementation="eager"
        )
        config.num_hidden_layers = layers
        config.vocab_size = len(kept_ids()) + len(emoji_names())
        return cls(BertModel(config, add_pooling_layer=False))

    @property
    def device(self) -> torch.device:
        return self.output.weight.device

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return self.judgement_of(states, attention_mask).float()

    def judgement_of(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        """[batch, tokens, width] -> logits."""
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        # A large negative number instead of -inf keeps int8 and half precision finite.
        peak = (states + (mask - 1.0) * 1e4).amax(1)
        hidden = torch.nn.functional.gelu(self.hidden(torch.cat([mean, peak], dim=1)))
        return self.output(self.dropout(hidden))
