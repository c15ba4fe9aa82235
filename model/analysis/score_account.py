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
from torch import Tensor, nn

from model.analysis.attribution import NORM_OF, edits_of_run
from model.analysis.frozen_norm import FrozenNorm
from model.analysis.head_steps import (
    Attention,
    columns_of,
    gain_of,
    input_name,
    kinds,
    memory_name,
    module_of,
    spread_of,
)
from model.analysis.stream_parts import Parts, keep_for_stream, parts_before, parts_of_memory
from model.analysis.weight_story import scores_of
from model.config import TransformerConfig
from model.errors import GlassformerError, ModelMismatch
from model.graph.network_graph import make_graph
from model.network.positions import rotary_gains, rotary_speeds, rotate, rotation
from model.notebook.sums import account_card
from model.numerals import number
from model.run import Model
from model.tape import Trace

MEAN = "mean"
Against = int | Literal["mean"] | None  # another key, the mean of all keys that the query may see, or nothing
Side = Literal["query", "key"]
SIDES: tuple[Side, Side] = ("query", "key")
SCORES = ("raw_scores", "scores_unbiased", "scores")  # tensors between queries and keys and the mask
TOKENS_AT_ONCE = 16  # whose parts are in memory together


class NoSuchScore(GlassformerError):
    """The attention, head or token that was asked for does not exist, or the query may not see the key."""


@dataclass(frozen=True, eq=False)
class ScoreAccount:
    """The score of a query and a key in one head as a sum over pairs of parts; or its lead over another key's.

    `pairs[a, b]` is what part a of the query and part b of the key give together: (query's parts, key's parts), and
    `parts` are the names of both. `rest` is the bias of relative positions, and what an edit of the scores has
    added. `value` is the score (or lead) of the run: the sum of all pairs and the rest. `against`: the key over which
    the lead is told, or "mean" for the mean of all keys that the query may see.
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

    def margin(self, side: Side) -> dict[str, float]:
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
    looks, found = _Side(model, trace, at, head, "query"), _Side(model, trace, at, head, "key")
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
) -> dict[Side, dict[str, float]]:
    """What the weight of the pair would be without each part at the query, and without each at the key.

    It is computed again, not estimated: the part is taken out of the vector, and norms, projection, positions and
    softmax follow. What it did to the other parts of this vector stays. As `score_account` otherwise.
    """
    row = _Row(model, trace, at, head, query)
    row.check(key)
    looks, found = _Side(model, trace, at, head, "query"), _Side(model, trace, at, head, "key")
    queries, keys = looks.without_each(query), found.without_each(key)  # (parts, d_head)
    scale = module_of(model, at).scale
    masked = queries.vectors[:, 0] @ found.recorded.mT * scale + row.rest + row.mask  # (query's parts, keys)
    of_query = masked.softmax(-1)[:, key]
    masked = (row.scores + row.mask).repeat(len(keys.names), 1)  # (key's parts, keys)
    masked[:, key] = keys.vectors[:, 0] @ looks.recorded[query] * scale + row.rest[key] + row.mask[key]
    of_key = masked.softmax(-1)[:, key]
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
        self.scores = scores_of(model.config, trace, at.path, head)[query]
        bias = f"{at.path}.position_bias"
        self.rest = trace[bias][head, query] if bias in trace else torch.zeros(keys)
        if any(edit.matches(f"{at.path}.{name}") for edit in edits_of_run(model, trace) for name in SCORES):
            kv_head = model.config.kv_head_of(head)
            product = trace[f"{at.path}.k"][kv_head] @ trace[f"{at.path}.q"][head, query]
            self.rest = self.scores - product * module_of(model, at).scale

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


class _Side:
    """The queries or the keys of one head, as sums of parts."""

    def __init__(self, model: Model, trace: Trace, at: Attention, head: int, side: Side) -> None:
        self.model, self.trace, self.at, self.side = model, trace, at, side
        module, config = module_of(model, at), model.config
        self.own, self.head = f"{at.path}.{side[0]}", head if side == "query" else config.kv_head_of(head)
        self.weight, self.bias = columns_of(getattr(module, side), self.head, module.d_head)
        self.module, self.layer, self.head_norm = module, getattr(module, side), getattr(module, f"{side}_norm")
        self.reads_memory = at.is_cross and side == "key"
        self.input = (memory_name if self.reads_memory else input_name)(config, at)
        self.has_norm = config.norms_inputs and config.norm != "none" and not self.reads_memory
        block = model.on_cpu.network.get_submodule(f"{at.stack}.blocks.{at.layer}")
        self.norm = block.get_submodule(NORM_OF[at.part]) if self.has_norm else nn.Identity()
        self.stream = make_graph(config)[self.input].one("x") if self.has_norm else self.input
        changed = (self.input if self.has_norm else self.own, self.own, f"{self.own}_unnormed", f"{self.own}_unrotated")
        self.is_edited = any(edit.matches(name) for edit in edits_of_run(model, trace) for name in changed)

    @property
    def recorded(self) -> Tensor:
        """Those of the run: (tokens, d_head)."""
        return self.trace[self.own][self.head]

    def parts(self, tokens: Tensor) -> Parts:
        """The parts at some tokens: (parts, tokens, d_head)."""
        parts = self._of_stream(tokens)
        if self.has_norm:
            parts = parts.through(self.norm, self.trace[self.stream][tokens], f"{self.at.path}.norm.bias")
        parts = Parts(parts.names, parts.vectors @ self.weight)
        if self.bias is not None:
            parts = parts.plus(f"{self.at.path}.{self.side}.bias", self.bias.expand_as(parts.vectors[0]))
        if self.head_norm is not None:
            parts = Parts(parts.names, self._freeze_head_norm(tokens).push(parts.vectors))
        return self._with_edit(Parts(parts.names, self._turn(parts.vectors, tokens)), tokens)

    def _freeze_head_norm(self, tokens: Tensor) -> FrozenNorm:
        """The norm of this head's queries or keys at some tokens, also where it is one of all heads together."""
        unnormed = self.trace[f"{self.own}_unnormed"][:, tokens]  # (heads, tokens, d_head)
        gain = gain_of(self.module, self.head_norm, self.head)
        scale = spread_of(self.module, self.head_norm, unnormed, self.head)
        assert gain is not None
        assert scale is not None
        return FrozenNorm(gain, None, scale, subtracts_mean=False)

    def mean(self, tokens: Tensor) -> Tensor:
        """The mean of the parts over some tokens: (parts, d_head)."""
        sums = [self.parts(some).vectors.sum(1) for some in tokens.split(TOKENS_AT_ONCE)]
        return torch.stack(sums).sum(0) / len(tokens)

    def without_each(self, token: int) -> Parts:
        """The query or the key of a token, made again without each of its parts: (parts, 1, d_head)."""
        at = torch.tensor([token])
        parts, x = self.parts(at), self.trace[self.stream][at]  # x: (1, d_model)
        read = self.norm(torch.cat((x - self._of_stream(at).vectors, x[None])))  # the last one has all parts
        if self.has_norm and f"{self.at.path}.norm.bias" in parts.names:
            read = torch.cat((read[:-1], read[-1:] - self.norm.bias, read[-1:]))
        made = self._turn(self._project(read), at)  # (parts, 1, d_head), or one more where there is a bias
        if self.is_edited:
            edit = parts.vectors[-1:]
            made = torch.cat((made + edit, self.recorded[at] - edit))
        return Parts(parts.names, made)

    def _project(self, read: Tensor) -> Tensor:
        """The queries or keys of vectors (vectors, 1, d_model), unturned. That of the last one is without the bias."""
        module, norm = self.module, self.head_norm
        of_all_heads = norm is not None and len(norm.gain) > module.d_head
        weight, bias = (self.layer.weight.mT, self.layer.bias) if of_all_heads else (self.weight, self.bias)
        made = read @ weight
        made = made[:-1] if bias is None else torch.cat((made[:-1] + bias, made[-1:]))
        if of_all_heads:
            return module.normalise(norm, module.split(made, len(norm.gain) // module.d_head))[:, self.head]
        return made if norm is None else norm(made)

    def _of_stream(self, tokens: Tensor) -> Parts:
        """The parts of the vectors that the norm before this attention reads: (parts, tokens, d_model)."""
        if self.reads_memory:
            return parts_of_memory(self.model, self.trace, tokens)
        return parts_before(self.model, self.trace, self.at, tokens)

    def _turn(self, vectors: Tensor, tokens: Tensor) -> Tensor:
        """Turned by rotary positions, where the model has them: (parts, tokens, d_head)."""
        config = self.model.config.of_layer(self.at.stack, self.at.layer)
        if config.positions != "rotary" or self.at.is_cross:
            return vectors
        return rotate(vectors, rotation(tokens, rotary_speeds(config), vectors.dtype, rotary_gains(config)))

    def _with_edit(self, parts: Parts, tokens: Tensor) -> Parts:
        """What an edit of the run has made of the query or the key is a part of its own."""
        if not self.is_edited:
            return parts
        return parts.plus(f"{self.at.path}.{self.side}.edit", self.recorded[tokens] - parts.vectors.sum(0))
