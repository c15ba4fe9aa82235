"""Beam search: several translations grow side by side, and each step keeps the best. Sutskever et al. (2014), 3.2.

Greedy search takes the likeliest word and can never take it back. A beam of width b keeps the b likeliest beginnings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import SamplingError
from model.generation.sampling import check_scores
from model.network.transformer import Transformer

State = Literal["live", "finished", "pruned"]


@dataclass(frozen=True)
class Hypothesis:
    """One node of the tree: the beginning of a translation. `parent` is the number of the node that it continues.

    A live node was kept at its step. A finished one ends with <EOS> or at the limit. A pruned one was dropped.
    """

    number: int
    parent: int | None
    ids: tuple[int, ...]  # tokens written so far, without the start of the search
    log_probability: float  # the sum over its tokens, in nats
    score: float  # log_probability / length^alpha
    state: State

    @property
    def step(self) -> int:
        """The number of its tokens."""
        return len(self.ids)


@dataclass(frozen=True)
class Tree:
    """The tree of a search. `nodes[i].number` is i. Node 0 has no token yet."""

    nodes: tuple[Hypothesis, ...]
    width: int
    alpha: float

    @property
    def finished(self) -> tuple[Hypothesis, ...]:
        """The best finished hypotheses, at most `width`, the best score first."""
        finished = (node for node in self.nodes if node.state == "finished")
        return tuple(sorted(finished, key=lambda node: -node.score)[: self.width])

    @property
    def best(self) -> Hypothesis:
        """The finished hypothesis with the highest normalised score."""
        return self.finished[0]

    def path(self, node: Hypothesis) -> tuple[Hypothesis, ...]:
        """The nodes from the first token to this node."""
        steps = []
        while node.parent is not None:
            steps.append(node)
            node = self.nodes[node.parent]
        return tuple(reversed(steps))


def normalise_score(log_probability: float, length: int, alpha: float) -> float:
    """log p / length^alpha. Without this (alpha = 0) every further token costs, and short translations win.

    Alpha = 1 gives the mean log probability of a token. Bahdanau et al. (2015) and the library transformers use this
    form; Wu et al. (2016), eq. 14, use a smoother one.
    """
    return log_probability / length**alpha


def beam_search(
    network: Transformer,
    start: Tensor,
    limit: int,
    ends: Collection[int],
    *,
    source: Tensor | None = None,
    width: int = 4,
    alpha: float = 1.0,
) -> Tree:
    """The tree of a whole search after `start` (T,), at most `limit` tokens deep. See `beam_steps`."""
    *_, tree = beam_steps(network, start, limit, ends, source=source, width=width, alpha=alpha)
    return tree


@torch.inference_mode()
def beam_steps(
    network: Transformer,
    start: Tensor,
    limit: int,
    ends: Collection[int],
    *,
    source: Tensor | None = None,
    width: int = 4,
    alpha: float = 1.0,
) -> Iterator[Tree]:
    """The growing tree, after each step. A width of 1 is greedy search.

    At each step the likeliest beginnings are looked at: `width` of them, and as many more for each token of `ends`, so
    that `width` can live on. One with an end is finished if it is among the first `width`, and pruned if it is not.
    The search ends when `width` hypotheses are finished and no live one has a better score than the worst of them, or
    at the limit, where the first `width` count as finished. So does the library transformers with
    `early_stopping=False`, its default: later ends still come in, where `early_stopping=True` stops at the first
    `width`. Raises `SamplingError`, and `NumbersNotFinite` where the model prefers no token.
    """
    if width < 1 or limit < 1 or alpha < 0:
        raise SamplingError(f"A beam needs a width ({width}) and a limit ({limit}) of at least 1, and alpha >= 0.")
    memory = None if source is None else network.encode(source)  # (source tokens, d_model)
    nodes = [Hypothesis(0, None, (), 0.0, 0.0, "live")]
    live = [nodes[0]]
    for step in range(1, limit + 1):
        gains = _log_probabilities(network, start, live, memory)  # (live, V)
        offers = _offers(live, gains, width * (1 + max(1, len(ends))), alpha)
        live = []
        for rank, offer in enumerate(offers):
            ended = offer.ids[-1] in ends or step == limit
            goes_on = rank < width if ended else len(live) < width
            state: State = "pruned" if not goes_on else "finished" if ended else "live"
            nodes.append(replace(offer, number=len(nodes), state=state))
            if state == "live":
                live.append(nodes[-1])
        tree = Tree(tuple(nodes), width, alpha)
        yield tree
        best = tree.finished
        if not live or (len(best) == width and live[0].score <= best[-1].score):
            return


def _log_probabilities(network: Transformer, start: Tensor, live: list[Hypothesis], memory: Tensor | None) -> Tensor:
    """log p of every next token after every live hypothesis: (live, V)."""
    ids = torch.stack([torch.cat((start, torch.tensor(node.ids, dtype=torch.long))) for node in live])
    shared = None if memory is None else memory.expand(len(live), *memory.shape)
    hidden = network.decode(ids, shared)[:, -1]  # (live, d_model)
    logits = PLAIN.take(network.logits(hidden))
    check_scores(logits)
    return logits.log_softmax(-1)


def _offers(live: list[Hypothesis], gains: Tensor, count: int, alpha: float) -> list[Hypothesis]:
    """The `count` most probable continuations of all live hypotheses by one token, the most probable first."""
    values, ids = gains.topk(min(count, gains.shape[-1]), dim=-1)  # (live, count)
    offers = [
        Hypothesis(0, node.number, (*node.ids, id), total, normalise_score(total, node.step + 1, alpha), "pruned")
        for node, row, row_ids in zip(live, values.tolist(), ids.tolist(), strict=True)
        for gain, id in zip(row, row_ids, strict=True)
        for total in (node.log_probability + gain,)
    ]
    return sorted(offers, key=lambda offer: -offer.log_probability)[:count]
