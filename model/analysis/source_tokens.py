"""The part of a head, split by the tokens that it reads from; and what each token gives through all heads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.attribution import Account, edits_of_run, head_directions
from model.analysis.head_steps import Attention, module_of
from model.config import TransformerConfig
from model.run import Model
from model.tape import Trace


def keep_for_sources(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `head_sources`, beside those of `keep_for_account`."""
    stack = config.stacks[-1]
    return (f"{stack}.*.weights", f"{stack}.*.v")


@torch.inference_mode()
def head_sources(model: Model, trace: Trace, account: Account, at: Attention) -> Tensor:
    """What each head of an attention gives from each token: (heads, keys). A row sums to the head's part.

    Weight x value x W_O x direction: A[q, k] v_k W_O[i] r. Elhage et al. (2021), "Attention Heads as Information
    Movement". A head that an edit has silenced gives nothing.
    """
    by_head = head_directions(module_of(model, at).out, account.directions[at.path], model.config)  # (heads, d_head)
    values = trace[f"{at.path}.v"].repeat_interleave(model.config.heads_per_kv_head, 0)
    gives = (values * by_head[:, None]).sum(-1)  # (heads, keys)
    speaks = trace[f"{at.path}.heads"][:, account.position].any(-1, keepdim=True)  # (heads, 1)
    return trace[f"{at.path}.weights"][:, account.position] * gives * speaks


@dataclass(frozen=True)
class TokenParts:
    """What each token gives to a logit through value paths: its weighted values in all heads of all layers.

    `tokens` are those of the stack that answers, `source` those that its encoder reads, or None. The token at the
    position also gives its own embedding. `rest` are the feed-forwards and the biases, which belong to no token, and
    what an edit put in the place of a head's output. All sum to the logit. A head of a higher layer reads more than the
    token: what lower layers wrote there, too.
    """

    tokens: Tensor  # (tokens,)
    source: Tensor | None  # (source tokens,)
    rest: float

    @property
    def total(self) -> float:
        """What the tokens of both sentences and the rest add up to: the value of the account."""
        return float(self.tokens.sum()) + (0.0 if self.source is None else float(self.source.sum())) + self.rest


def token_parts(model: Model, trace: Trace, account: Account) -> TokenParts:
    """What each token adds to the account, summed over all layers. The trace must also hold `keep_for_sources`."""
    layers = range(model.config.n_layers(account.stack))
    return add_sources(model, trace, account, [layer_sources(model, trace, account, layer) for layer in layers])


@torch.inference_mode()
def layer_sources(model: Model, trace: Trace, account: Account, layer: int) -> dict[str, Tensor]:
    """What each token adds through the heads of one layer of the answering stack, by attention: (keys,) each."""
    attentions = (Attention(account.stack, layer, part) for part in model.config.attentions(account.stack))
    return {at.part: head_sources(model, trace, account, at).sum(0) for at in attentions}


@torch.inference_mode()
def add_sources(model: Model, trace: Trace, account: Account, layers: Sequence[dict[str, Tensor]]) -> TokenParts:
    """Add up what each token gives in each layer. `layers`: the results of `layer_sources`, in any order."""
    sums = {part: torch.stack([layer[part] for layer in layers]).sum(0) for part in layers[0]}  # (keys,) each
    embedding = math.fsum(part for name, part in account.parts.items() if _is_embedding(name))
    others = (part for name, part in account.parts.items() if not _is_embedding(name) and ".heads." not in name)
    rest = math.fsum(others)
    edits = edits_of_run(model, trace)
    if any(edit.matches(name.rpartition(".")[0]) for name in account.parts if ".heads." in name for edit in edits):
        heads = math.fsum(part for name, part in account.parts.items() if ".heads." in name)
        rest += heads - math.fsum(float(each.sum()) for each in sums.values())
    tokens = sums["self_attn"].clone()
    tokens[account.position] += embedding
    return TokenParts(tokens, sums.get("cross_attn"), rest)


def _is_embedding(name: str) -> bool:
    return name.endswith(("embed.tokens", "embed.positions", "embed.segments"))
