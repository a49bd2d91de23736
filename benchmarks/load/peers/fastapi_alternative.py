"""FastAPI and transformers with PyTorch in float32: networks of the shape of what people run instead, with random weights.

Weights change what comes out, and nothing of the time it takes. Texts go through the tokenizer of the service, which makes about as many
tokens of them; only the table of embeddings, which is not computed with, has another length.
"""

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from routes import app_of
from settings import MAX_TOKENS, MODEL_FOLDER, SHAPE, THREADS

torch.set_num_threads(THREADS)
tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(MODEL_FOLDER / "tokenizer.json"))

CONFIGS = {
    # bert-base-uncased, which the defaults are, with Detoxify's six labels.
    "bert-base": lambda: BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), num_labels=6)),
    # ibm-granite/granite-guardian-hap-38m, by its model card.
    "hap-38m": lambda: RobertaForSequenceClassification(
        RobertaConfig(
            vocab_size=len(tokenizer),
            hidden_size=576,
            num_hidden_layers=4,
            num_attention_heads=12,
            intermediate_size=768,
            max_position_embeddings=514,
            num_labels=2,
        )
    ),
}
model = CONFIGS[SHAPE]()
model.eval()


@torch.inference_mode()
def predict(text: str) -> dict[str, float]:
    inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
    logits = model(inputs["input_ids"], inputs["attention_mask"]).logits[0]
    return {str(label): value for label, value in enumerate(torch.sigmoid(logits).tolist())}


app = app_of(predict)
