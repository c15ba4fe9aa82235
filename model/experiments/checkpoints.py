"""What a real model could do at one moment of its training: a sentence's loss, the next token, its heads.

It measures a language model that was published in many steps, such as Pythia, in little memory: the numbers that are
kept of a step take some hundred kilobytes, where its weights take gigabytes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray

from model.analysis.induction import induction, repeated_length, repeated_tokens
from model.config import TransformerConfig
from model.errors import ModelMismatch
from model.experiments.snapshots import CONTINUATION
from model.generation.steps import StepsRequest
from model.generation.surprise import surprise
from model.run import Model
from model.tokens.tokenizer import Token

LIKELIEST = 5  # tokens of the next place whose probabilities are kept
MAX_TOKENS = 40  # of the attention that is kept
WEIGHTS = "decoder.*.self_attn.weights"


@dataclass(frozen=True)
class Measures:
    """One sentence of T tokens in one checkpoint. Losses are in nats, probabilities and weights from 0 to 1.

    `losses` (T - 1) are of the tokens after the first, `next_ids` and `next_shares` (LIKELIEST) of the likeliest next
    tokens, `answer` the greedy continuation, `weights` (layers, heads, queries, keys) of the first `MAX_TOKENS` tokens
    in float16, `induction` (layers, heads) that of `model.analysis.induction`. `digest` names the weight files.
    """

    losses: NDArray[np.float32]
    next_ids: NDArray[np.int64]
    next_shares: NDArray[np.float32]
    answer: NDArray[np.int64]
    weights: NDArray[np.float16]
    induction: NDArray[np.float32]
    digest: str = ""

    @property
    def loss(self) -> float:
        """The mean of the losses; nan for a sentence of one token."""
        return float(self.losses.mean()) if len(self.losses) else float("nan")


def check_measurable(model: Model) -> None:
    """Raises `ModelMismatch` for a model whose training cannot be measured so."""
    if model.config.kind != "decoder":
        raise ModelMismatch(
            f"{model.card.title} writes no text token by token, so neither the loss of a sentence nor induction can be "
            "measured."
        )


def measure(model: Model, tokens: tuple[Token, ...]) -> Measures:
    """Runs a sentence, random tokens that repeat, and a greedy continuation. Raises `ModelMismatch`, `DeviceFull`."""
    check_measurable(model)
    trace = model.trace_tokens(tokens, keep=("logits", WEIGHTS))
    losses = surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss  # (T - 1,)
    shares, ids = trace.logits[-1].softmax(-1).topk(min(LIKELIEST, trace.logits.shape[-1]))
    weights = torch.stack([trace[name] for name in weight_names(model.config)])  # (layers, heads, T, T)
    return Measures(
        losses=losses.numpy(),
        next_ids=ids.numpy(),
        next_shares=shares.numpy(),
        answer=np.array(_continue(model, tokens), np.int64),
        weights=weights[..., :MAX_TOKENS, :MAX_TOKENS].numpy().astype(np.float16),
        induction=induction_of_heads(model),
    )


def induction_of_heads(model: Model) -> NDArray[np.float32]:
    """The induction score of each head on random tokens written twice: (layers, heads)."""
    ids = repeated_ids(model)
    trace = model.trace_tokens(model.tokenizer.tokens(ids), keep=WEIGHTS)
    return torch.stack([induction(trace[name]) for name in weight_names(model.config)]).numpy()


def repeated_ids(model: Model) -> tuple[int, ...]:
    """The random ids, twice; fewer of them where the vocabulary is small."""
    size = min(model.config.vocab_size, model.tokenizer.size)
    known = sum(not model.tokenizer.token(id).special for id in range(size))
    length = min(repeated_length(model.config), known)
    return tuple(repeated_tokens(model.tokenizer, model.config.vocab_size, length).tolist())


def weight_names(config: TransformerConfig) -> list[str]:
    """The names of the self-attention weights of all layers."""
    return [f"decoder.{layer}.self_attn.weights" for layer in range(config.n_decoder_layers)]


def _continue(model: Model, tokens: tuple[Token, ...]) -> list[int]:
    """The ids of the greedy continuation, without the end of the text."""
    limit, ends = min(CONTINUATION, model.config.max_length - len(tokens)), model.tokenizer.ends
    request = StepsRequest(tuple(token.id for token in tokens), max(0, limit), ends=ends)
    return [step.chosen for step in request.steps(model.network) if step.chosen not in ends]


def pack(measures: Measures) -> bytes:
    """The measures as the bytes of an NPZ file."""
    out = BytesIO()
    np.savez_compressed(out, **{each.name: getattr(measures, each.name) for each in fields(measures)})
    return out.getvalue()


def unpack(content: bytes) -> Measures | None:
    """The measures in the bytes of an NPZ file; None if they are damaged, or of another version of the app."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            values: dict[str, Any] = {each.name: arrays[each.name] for each in fields(Measures)}
            values["digest"] = str(values["digest"])
    except (KeyError, ValueError, OSError, EOFError, BadZipFile):
        return None
    return Measures(**values)
