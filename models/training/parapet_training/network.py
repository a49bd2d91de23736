"""The network: a BERT encoder, mean and max pooling of its tokens, one hidden layer, a logit a label and a sentiment."""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, scaled_dot_product_attention
from transformers import BertModel

from parapet_training.labels import OUTPUTS
from parapet_training.params import Params
from parapet_training.vocabulary import ENCODERS, emoji_names, kept_ids, load_tokenizer

DROPPED = 1 / 9
MASK_POOL = 1 << 24


@cache
def _mask_pool(dtype: torch.dtype) -> Tensor:
    """Random masks in which DROPPED of the numbers are zero: the others are 1.125, which is exact in bfloat16."""
    keep = torch.rand(MASK_POOL, generator=torch.Generator().manual_seed(0)) >= DROPPED
    return keep.to(dtype) * 1.125


class Dropout(nn.Module):
    """Dropout with a stretch of one pool of masks: PyTorch's own draws a number an activation, a third of the time of a step on a CPU."""

    def forward(self, values: Tensor) -> Tensor:
        if not self.training:
            return values
        if values.is_cuda:
            return dropout(values, DROPPED)
        start = int(torch.randint(MASK_POOL - values.numel(), ()))
        return values * _mask_pool(values.dtype)[start : start + values.numel()].view_as(values)


class Classifier(nn.Module):
    """input_ids, attention_mask: int64 [texts, tokens] -> logits: float32 [texts, outputs]: labels, sentiments, languages."""

    def __init__(self, encoder: BertModel, outputs: int = OUTPUTS) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = Dropout()
        width = encoder.config.hidden_size
        self.hidden = nn.Linear(2 * width, width)
        self.output = nn.Linear(width, outputs)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return self.judgement_of(self.states(input_ids, attention_mask), attention_mask)

    def judgement_of(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        """[texts, tokens, width] -> logits."""
        return self.head(self.pooled(states, attention_mask))

    def pooled(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        """[texts, tokens, width] -> [texts, 2 * width]: mean and maximum over the tokens."""
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        # A large negative number in place of -inf keeps int8 and half precision finite.
        peak = (states + (mask - 1.0) * 1e4).amax(1)
        return torch.cat([mean, peak], dim=1)

    def head(self, pooled: Tensor) -> Tensor:
        """[texts, 2 * width] -> logits."""
        return self.output(self.dropout(gelu(self.hidden(pooled)))).float()

    def states(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """[texts, tokens, width]: what BertModel computes too, with our dropout, and on a GPU in fewer kernels."""
        parts: Any = self.encoder.embeddings
        states = parts.word_embeddings(input_ids) + parts.position_embeddings.weight[: input_ids.shape[1]] + parts.token_type_embeddings.weight[0]
        states = self.dropout(parts.LayerNorm(states))
        heads = self.encoder.config.num_attention_heads
        seen_by = attention_mask.bool()[:, None, None, :]
        layers: Any = self.encoder.encoder.layer
        for layer in layers:
            attention = layer.attention.self
            queries, keys, values = (
                project(states).unflatten(-1, (heads, -1)).transpose(1, 2) for project in (attention.query, attention.key, attention.value)
            )
            seen = scaled_dot_product_attention(queries, keys, values, attn_mask=seen_by)
            seen = layer.attention.output.dense(seen.transpose(1, 2).flatten(2))
            states = layer.attention.output.LayerNorm(states + self.dropout(seen))
            inner = gelu(layer.intermediate.dense(states))
            states = layer.output.LayerNorm(states + self.dropout(layer.output.dense(inner)))
        return states


def precision(device: torch.device) -> torch.autocast:
    """bfloat16 where the processor multiplies in it; it moves no AUC by more than 0.0005."""
    is_quick = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=is_quick)


def pretrained(params: Params, work: Path, layers: list[int]) -> Classifier:
    """From the published encoder: some of its layers, with the vocabulary of the stage of that name."""
    encoder = ENCODERS[params.encoder.name].load(layers, kept_ids(work))
    add_emoji(encoder, work)
    return Classifier(encoder, OUTPUTS + len(params.read_languages))


def add_emoji(encoder: BertModel, work: Path) -> None:
    """Appends embeddings of the emoji, each the mean of its name's tokens."""
    words = encoder.get_input_embeddings().weight
    tokenizer = load_tokenizer(work)
    names = [tokenizer.encode(name, add_special_tokens=False).ids for name in emoji_names(work)]
    with torch.no_grad():
        added = torch.stack([words[ids].mean(0) for ids in names])
        # A mean of vectors is shorter than they are: it gets the length that words have.
        added *= words.norm(dim=1).mean() / added.norm(dim=1, keepdim=True)
        encoder.set_input_embeddings(nn.Embedding.from_pretrained(torch.cat([words, added]), freeze=False, padding_idx=0))
    encoder.config.vocab_size = len(words) + len(names)
