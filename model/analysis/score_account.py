"""Why does a head look there? Its score as an exact sum over pairs of parts, one of the query and one of the key.

The score q_i . k_j / sqrt(d_k) is linear in the query and in the key. With the scales of the norms as they are in this
run, the query is a sum over what the embedding, the heads, the feed-forwards and the biases below have written at the
token that looks, and the key over what they have written at the token that is looked at. Rotary positions turn each
part of a side alike. So the score is the sum of the products of all pairs of parts; a bias of relative positions is a
term of its own. Elhage et al. (2021), "A Mathematical Framework for Transformer Circuits", "Two-Layer Attention-Only
Transformers": composition of queries and of keys.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from model.analysis.attribution import edits_of_run
from model.analysis.head_side import HeadSide
from model.analysis.head_steps import Attention, input_name, kinds, memory_name, module_of
from model.analysis.stream_parts import keep_for_stream
from model.config import TransformerConfig
from model.errors import GlassformerError, ModelMismatch
from model.graph.recording import Recording
from model.notebook.sums import account_card
from model.numerals import number
from model.run import Model
from model.tape import Trace

MEAN = "mean"
ScoreSide = Literal["query", "key"]
SIDES: tuple[ScoreSide, ScoreSide] = ("query", "key")
Against = int | Literal["mean"] | None  # another key, the mean of all keys that the query may see, or nothing
SCORES = ("raw_scores", "scores_unbiased", "scores")  # tensors between queries and keys and the mask


class NoSuchScore(GlassformerError):
    """The attention, head or token that was asked for does not exist, or the query may not see the key."""


@dataclass(frozen=True, eq=False)
class ScoreAccount:
    """The score of a query and a key in one head as a sum over pairs of parts; or its lead over another key's.

    `pairs[a, b]` is what part a of the query and part b of the key give together: (query's parts, key's parts), and
    `parts` are the names of both. `rest` is the bias of relative positions, and what an edit of the scores has
    added. `value` is the score (or lead) of the run, before a cap: the sum of all pairs and the rest. `against`: the
    key over which the lead is told, or "mean" for the mean of all keys that the query may see.
    """

    at: Attention
    head: int
    query: int
    key: int
    against: Against
    parts: tuple[tuple[str, ...], tuple[str, ...]] = field(repr=False)
    pairs: Tensor = field(repr=False)
    rest: float
    value: float

    def _repr_html_(self) -> str:
        """For notebooks: what each part gives at the key."""
        over = (
            "" if self.against is None else f" more than at {'the mean key' if self.against == MEAN else self.against}"
        )
        title = f"Why {self.at.path} head {self.head} looks from {self.query} at {self.key}{over}: {number(self.value)}"
        parts = self.margin("key") | ({"rest": self.rest} if self.rest else {})
        return account_card(title, parts, self.total, self.value, self.difference, "score")

    @property
    def total(self) -> float:
        """The sum of all pairs and the rest."""
        return float(self.pairs.double().sum()) + self.rest

    @property
    def difference(self) -> float:
        """How far the sum is from the score of the run. It is the error of rounding."""
        return abs(self.total - self.value)

    def margin(self, side: ScoreSide) -> dict[str, float]:
        """What each part of a side gives with the whole of the other side, by its name."""
        along = SIDES.index(side)
        return dict(zip(self.parts[along], self.pairs.double().sum(1 - along).tolist(), strict=True))

    def largest(self, count: int) -> list[tuple[str, str, float]]:
        """The pairs of the largest size, largest first: the query's part, the key's part, and what they give."""
        sizes = self.pairs.abs().flatten()
        places = sizes.argsort(descending=True, stable=True)[:count].tolist()
        cells = (divmod(place, self.pairs.shape[1]) for place in places)
        return [(self.parts[0][a], self.parts[1][b], float(self.pairs[a, b])) for a, b in cells]


def keep_for_score(config: TransformerConfig, at: Attention) -> tuple[str, ...]:
    """The tensors that a run must record for `score_account` and `weights_without`."""
    stacks = {at.stack: 0, "encoder" if at.is_cross else at.stack: 0}
    streams = (name for stack in stacks for name in keep_for_stream(config, stack))
    own = ("q", "k", "q_unnormed", "k_unnormed", "q_unrotated", "k_unrotated", "position_bias", "mask", "weights")
    read = (input_name(config, at), memory_name(config, at))
    return tuple(dict.fromkeys((*streams, *(f"{at.path}.{name}" for name in own), *read)))


def keep_for_scores(config: TransformerConfig) -> tuple[str, ...]:
    """The same for all attentions of a model, as patterns."""
    places = [Attention(stack, 0, part) for stack, part in kinds(config)]
    names = (name.replace(f"{at.stack}.0.", f"{at.stack}.*.") for at in places for name in keep_for_score(config, at))
    return tuple(dict.fromkeys(names))


def account_of_score(
    trace: Trace, attention: str, layer: int, head: int, query: int, key: int, *, against: Against = None
) -> ScoreAccount:
    """Why a head gives this score to a query and a key: the parts of the model that made the two meet.

    `attention` is "decoder.self_attn", "encoder.self_attn" or "decoder.cross_attn". A softmax sees differences alone,
    so with `against` it is the lead over the score of another key, or over the mean of those of all keys that the
    query may see ("mean"). The trace must hold the tensors of `keep_for_score`, as one of `keep="*"` does. Raises
    `NoSuchScore`; `ModelMismatch` for a trace that does not know its model, or whose model has changed.

    >>> from glassformer import account_of_score, load
    >>> trace = load("tiny-lm").trace("the dog sees the cat. the dog")
    >>> account = account_of_score(trace, "decoder.self_attn", 2, 1, query=8, key=3, against="mean")
    >>> abs(account.total - account.value) < 1e-4  # the pairs sum to the score
    True
    """
    if trace.origin is None or not isinstance(trace.origin.model, Model):
        raise ModelMismatch("This trace does not hold its model, so its scores cannot be told apart. Make it anew.")
    trace.origin.check_weights()
    model = trace.origin.model
    names = [".".join(kind) for kind in kinds(model.config)]
    if attention not in names:
        raise NoSuchScore(f"{model.card.title} has no attention {attention}. It has {', '.join(names)}.")
    stack, part = attention.split(".")
    if not 0 <= layer < model.config.n_layers(stack):
        raise NoSuchScore(f"There is no layer {layer}: the {stack} has {model.config.n_layers(stack)}.")
    return score_account(model, trace.whole(), Attention(stack, layer, part), head, query, key, against)


@torch.inference_mode()
def score_account(
    model: Model, trace: Trace, at: Attention, head: int, query: int, key: int, against: Against = None
) -> ScoreAccount:
    """As `account_of_score`, of a run that has the tensors of `keep_for_score`. Raises `NoSuchScore`."""
    row = _Row(model, trace, at, head, query)
    others = row.others(against)
    for each in (key, *others.tolist()):
        row.check(each)
    looks, found = HeadSide(model, trace, at, head, "query"), HeadSide(model, trace, at, head, "key")
    of_query, of_key = looks.parts(torch.tensor([query])), found.parts(torch.tensor([key]))
    vectors, rest, value = of_key.vectors[:, 0], row.rest[key], row.scores[key]  # (parts, d_head)
    if len(others):
        vectors = vectors - found.mean(others)
        rest, value = rest - row.rest[others].mean(), value - row.scores[others].mean()
    pairs = of_query.vectors[:, 0] @ vectors.mT * module_of(model, at).scale  # (query's parts, key's parts)
    names = of_query.names, of_key.names
    return ScoreAccount(at, head, query, key, against, names, pairs, float(rest), float(value))


@torch.inference_mode()
def weights_without(
    model: Model, trace: Trace, at: Attention, head: int, query: int, key: int
) -> dict[ScoreSide, dict[str, float]]:
    """What the weight of the pair would be without each part at the query, and without each at the key.

    It is computed again, not estimated: the part is taken out of the vector, and norms, projection, positions and
    softmax follow. What it did to the other parts of this vector stays. As `score_account` otherwise.
    """
    row = _Row(model, trace, at, head, query)
    row.check(key)
    looks, found = HeadSide(model, trace, at, head, "query"), HeadSide(model, trace, at, head, "key")
    queries, keys = looks.without_each(query), found.without_each(key)  # (parts, d_head)
    scale = module_of(model, at).scale
    scores = queries.vectors[:, 0] @ found.recorded.mT * scale + row.rest  # (query's parts, keys)
    of_query = row.masked(scores).softmax(-1)[:, key]
    scores = row.scores.repeat(len(keys.names), 1)  # (key's parts, keys)
    scores[:, key] = keys.vectors[:, 0] @ looks.recorded[query] * scale + row.rest[key]
    of_key = row.masked(scores).softmax(-1)[:, key]
    return {
        "query": dict(zip(queries.names, of_query.tolist(), strict=True)),
        "key": dict(zip(keys.names, of_key.tolist(), strict=True)),
    }


class _Row:
    """The scores of one query, (keys,), and what of them is no product of query and key."""

    def __init__(self, model: Model, trace: Trace, at: Attention, head: int, query: int) -> None:
        if not 0 <= head < model.config.n_heads:
            raise NoSuchScore(f"There is no head {head}: the layer has {model.config.n_heads}.")
        queries, keys = trace[f"{at.path}.mask"].shape
        if not 0 <= query < queries:
            raise NoSuchScore(f"There is no query {query}: the text has {queries} tokens, 0 to {queries - 1}.")
        self.query, self.mask = query, trace[f"{at.path}.mask"][query]
        self.cap = model.config.score_cap
        uncapped = "scores" if self.cap is None else "scores_uncapped"
        self.scores = Recording.of(trace, model.config).read(f"{at.path}.{uncapped}", (head,))[query]
        bias = f"{at.path}.position_bias"
        self.rest = trace[bias][head, query] if bias in trace else torch.zeros(keys)
        if any(edit.matches(f"{at.path}.{name}") for edit in edits_of_run(model, trace) for name in SCORES):
            kv_head = model.config.kv_head_of(head)
            product = trace[f"{at.path}.k"][kv_head] @ trace[f"{at.path}.q"][head, query]
            self.rest = self.scores - product * module_of(model, at).scale

    def masked(self, scores: Tensor) -> Tensor:
        """What the softmax gets of scores (..., keys)."""
        return (scores if self.cap is None else self.cap * torch.tanh(scores / self.cap)) + self.mask

    def others(self, against: Against) -> Tensor:
        """The keys whose mean the lead is told over."""
        if against == MEAN:
            return self.mask.isfinite().nonzero().flatten()
        return torch.tensor([] if against is None else [against], dtype=torch.long)

    def check(self, key: int) -> None:
        """Raises `NoSuchScore` for a key that is not there or that the query may not see."""
        if not 0 <= key < len(self.mask):
            raise NoSuchScore(
                f"There is no key {key}: the text has {len(self.mask)} tokens, 0 to {len(self.mask) - 1}."
            )
        if not self.mask[key].isfinite():
            raise NoSuchScore(f"Query {self.query} may not see key {key}: the mask hides it.")
