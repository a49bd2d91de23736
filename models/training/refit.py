"""Fits the last layer of a network anew, so that it says of what it was not to learn what the network said that it goes on from.

    python refit.py --work work --network work/mean.pt --like work/0.13.0.pt --output work/settle.pt

`vile.py` holds all outputs but severe toxicity to what they were, and they drift a little nonetheless, the more the more runs follow each other. Most
of that drift is in what the last layer makes of the one before it, so ridge regression of the differences takes it out again in three minutes. What
`--leave` names stays as it is: severe toxicity, which was to learn, and for 0.14.0 spam as well (decision 59). With `--spam`, all but spam stays.
"""

import argparse
import random
from pathlib import Path

import torch
from torch import Tensor

from calibrate import REFERENCE
from distillation import SPAM, readable
from labels import LABELS, Row
from model import Classifier, quick_precision
from runtimes import device, load_checkpoint
from sources import E_MAILS, FRAMES_SOURCES, SPAM_EXAMPLES, TEXT_MESSAGES, VIDEO_COMMENTS
from train import of_like_length, padded, read_rows
from vocabulary import load_tokenizer
from windows import MAX_TOKENS

# Half of the comments that define what is served as toxic, and half of all else.
TEXTS = 34_000
# Of texts on spam: a longer one, or another text that is longer, is left out, and of an e-mail that much is read.
LONGEST_ON_SPAM, LONGEST_OF_OTHERS, OTHERS_BESIDE_SPAM = 500, 300, 5000
# Of ridge regression, per text.
PENALTY = 1e-3


@torch.no_grad()
def last_layer(model: Classifier, texts: list[list[int]]) -> tuple[Tensor, Tensor]:
    """float64 [texts, width + 1], what the last layer gets and a one, and [texts, logits], what it makes of that."""
    inputs = torch.ones(len(texts), model.output.in_features + 1, dtype=torch.double)
    logits = torch.empty(len(texts), model.output.out_features, dtype=torch.double)
    got: list[Tensor] = []
    hook = model.output.register_forward_pre_hook(lambda _, given: got.append(given[0]))
    for group in of_like_length(texts):
        with quick_precision(model.device):
            logits[group] = model(*(each.to(model.device) for each in padded([texts[index] for index in group]))).double().cpu()
        inputs[group, :-1] = got.pop().double().cpu()
    hook.remove()
    return inputs, logits


def texts_of_all_kinds(rows: list[Row], rng: random.Random) -> list[str]:
    comments = [row.text for row in rows if row.source in REFERENCE]
    others = [row.text for row in rows if row.source not in REFERENCE]
    return rng.sample(comments, TEXTS // 2) + rng.sample(others, TEXTS // 2)


def texts_on_spam(rows: list[Row], rng: random.Random) -> list[str]:
    """Those of the sources on spam, of e-mails the beginnings, and short ones of all other sources."""
    of_sources = [row.text for row in rows if row.source.startswith((*TEXT_MESSAGES, *VIDEO_COMMENTS, *SPAM_EXAMPLES))]
    e_mails = [row.text[:LONGEST_ON_SPAM] for row in rows if row.source.startswith(E_MAILS)]
    others = [row.text for row in rows if len(row.text) <= LONGEST_OF_OTHERS and row.source not in FRAMES_SOURCES]
    return [text for text in of_sources if len(text) <= LONGEST_ON_SPAM] + e_mails + rng.sample(others, OTHERS_BESIDE_SPAM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--like", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--leave", choices=LABELS, nargs="+", default=["severe_toxicity"], help="labels whose output stays as it is")
    parser.add_argument("--spam", action="store_true", help="fit spam alone, on texts of the sources on spam (decision 68)")
    parser.add_argument("--seed", type=int, default=4)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    torch.set_num_threads(2)

    rows = read_rows(options.work)
    texts = (texts_on_spam if options.spam else texts_of_all_kinds)(rows, rng)
    rng.shuffle(texts)
    ids = [readable(encoding.ids)[:MAX_TOKENS] for encoding in load_tokenizer().encode_batch(texts)]

    model = load_checkpoint(options.network).to(device())
    inputs, logits = last_layer(model, ids)
    _, wanted = last_layer(load_checkpoint(options.like).to(device()), ids)
    fitted = len(ids) * 9 // 10  # the others tell whether it helps
    some, missing = inputs[:fitted], (wanted - logits)[:fitted]
    correction = torch.linalg.solve(some.T @ some / fitted + PENALTY * torch.eye(some.shape[1], dtype=torch.double), some.T @ missing / fitted)
    if options.spam:
        correction[:, [column for column in range(correction.shape[1]) if column != SPAM]] = 0
    for label in options.leave:
        correction[:, LABELS.index(label)] = 0
    for index, label in enumerate(LABELS):
        before = (wanted - logits)[fitted:, index]
        after = before - inputs[fitted:] @ correction[:, index]
        print(f"{label}: differs by {before.square().mean().sqrt():.3f}, then by {after.square().mean().sqrt():.3f} (log-odds, root mean square)")
    model.cpu()
    with torch.no_grad():
        model.output.weight += correction[:-1].T.float()
        model.output.bias += correction[-1].float()
    torch.save({"model": model.state_dict()}, options.output)


if __name__ == "__main__":
    main()
