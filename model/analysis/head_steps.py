"""One head of one run, as the matrices of its equation, each ready to be multiplied by hand."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.graph.recording import Recording
from model.network.attention import MultiHeadAttention
from model.network.norms import RMSNorm
from model.run import Model
from model.tape import Trace

SCALED = ("scores_unbiased", "scores_uncapped", "scores")  # the first one that a model has is the scaled score
MADE_FOR_ONE = ("raw_scores", *SCALED, "masked")  # endings of tensors that need not be kept


@dataclass(frozen=True)
class Attention:
    """The place of one attention: `Attention("decoder", 3, "cross_attn")`; `path` is its name on the tape."""

    stack: str
    layer: int
    part: str

    @property
    def path(self) -> str:
        """Its name on the tape: "decoder.3.cross_attn"."""
        return f"{self.stack}.{self.layer}.{self.part}"

    @property
    def every_layer(self) -> str:
        """The pattern of this attention in all layers of its stack."""
        return f"{self.stack}.*.{self.part}"

    @property
    def is_cross(self) -> bool:
        """Whether the keys and values come from the encoder."""
        return self.part == "cross_attn"

    def in_layer(self, layer: int) -> Attention:
        """The same attention in another layer."""
        return Attention(self.stack, layer, self.part)


def kinds(config: TransformerConfig) -> tuple[tuple[str, str], ...]:
    """The kinds of attention that a model has, as (stack, part), in the order in which they run."""
    return tuple((stack, part) for stack in config.stacks for part in config.attentions(stack))


def input_name(config: TransformerConfig, at: Attention) -> str:
    """The tensor that the attention's queries are made from: X.

    Pre-norm: the norm before it. Post-norm: the stream itself, which for cross-attention the norm has just left.
    """
    node = make_graph(config)[f"{at.path}.q"]
    while node.operation != "linear to heads":  # a turn, or a norm of the head
        node = make_graph(config)[node.one("x")]
    return node.one("x")


def memory_name(config: TransformerConfig, at: Attention) -> str:
    """The tensor that keys and values are made from: X, or for cross-attention the encoder's final output."""
    return input_name(config, at) if at.part == "self_attn" else final_name(config, "encoder")


def final_name(config: TransformerConfig, stack: str) -> str:
    """The tensor that a stack hands on when all its layers are done: (tokens, d_model)."""
    return make_graph(config).outputs[stack]


def scaled_name(config: TransformerConfig, path: str) -> str:
    """The name of an attention's scores after their scale, before a bias and a cap."""
    graph = make_graph(config)
    return next(name for name in SCALED if f"{path}.{name}" in graph)


def keep_for(config: TransformerConfig, at: Attention) -> tuple[str, ...]:
    """What a run must record for `of_head`."""
    return (f"{at.path}.*", *{input_name(config, at): 0, memory_name(config, at): 0})


def keep_for_one(config: TransformerConfig, at: Attention) -> tuple[str, ...]:
    """As `keep_for`, without the scores of all heads: `of_head` makes those of its head from queries and keys."""
    own = (name for name in make_graph(config).tensors if name.startswith(f"{at.path}."))
    kept = (name for name in own if name.rpartition(".")[2] not in MADE_FOR_ONE)
    return (*kept, *{input_name(config, at): 0, memory_name(config, at): 0})


@dataclass(frozen=True)
class HeadSteps:
    """Everything between X and this head's part of the sum. With no bias in the model, the biases are None.

    `scores` are `scores_unbiased` where no relative positions are added and no cap bounds them.

    `q_projected` and `k_projected` are X W_Q and memory W_K. Where queries and keys have a norm, `q_unrotated` and
    `k_unrotated` come out of it, else they are the same. q and k are these again unless positions are rotary.
    """

    x: Tensor  # (queries, d_model)
    memory: Tensor  # (keys, d_model); x itself in self-attention
    w_q: Tensor  # (d_model, d_k)
    w_k: Tensor
    w_v: Tensor
    b_q: Tensor | None  # (d_k,)
    b_k: Tensor | None
    b_v: Tensor | None
    q_projected: Tensor  # (queries, d_k)
    k_projected: Tensor  # (keys, d_k)
    q_gain: Tensor | None  # of the norm of queries: (d_k,)
    k_gain: Tensor | None
    q_rms: Tensor | None  # what that norm divides queries by, of this head or of all heads: (queries, 1)
    k_rms: Tensor | None
    q_unrotated: Tensor  # (queries, d_k)
    k_unrotated: Tensor  # (keys, d_k)
    rotated: bool
    q: Tensor
    k: Tensor
    v: Tensor
    raw_scores: Tensor  # (queries, keys)
    scores_unbiased: Tensor  # scaled, before the bias of relative positions
    position_bias: Tensor | None  # that bias, where there is one
    scores_uncapped: Tensor | None  # before their cap, where there is one
    scores: Tensor
    mask: Tensor
    masked: Tensor
    weights: Tensor
    mixed: Tensor  # A V: (queries, d_k)
    concat: Tensor  # (queries, heads * d_k)
    w_o: Tensor  # this head's rows of W_O: (d_k, d_model)
    b_o: Tensor | None
    part: Tensor  # what this head adds: (queries, d_model)
    out: Tensor  # the sum of all heads' parts and b_o: (queries, d_model)


def module_of(model: Model, at: Attention) -> MultiHeadAttention:
    """The attention module of the network at a place. Its weights are on the CPU, as traces are."""
    module = model.on_cpu.network.get_submodule(f"{at.stack}.blocks.{at.layer}.{at.part}")
    assert isinstance(module, MultiHeadAttention)
    return module


def of_head(model: Model, trace: Trace, at: Attention, head: int) -> HeadSteps:
    """The matrices of one head, from a trace that kept `keep_for` or `keep_for_one`.

    MHA = sum over heads of head_i W_O[i] (Vaswani et al., section 3.2.2), the same as concat(heads) W_O.
    """
    module, path, shared = module_of(model, at), at.path, model.config.kv_head_of(head)
    rotated, biased = (f"{path}.{name}" in trace for name in ("q_unrotated", "position_bias"))
    turned = "_unrotated" if rotated else ""
    q_norm, k_norm = module.query_norm, module.key_norm
    projected = "_unnormed" if q_norm is not None else turned
    layers = ((module.query, head), (module.key, shared), (module.value, shared))
    (w_q, b_q), (w_k, b_k), (w_v, b_v) = (columns_of(layer, index, module.d_head) for layer, index in layers)
    w_o = module.out.weight.mT.unflatten(0, (-1, module.d_head))[head]
    run, mixed = Recording.of(trace, model.config), trace[f"{path}.heads"][head]
    return HeadSteps(
        x=trace[input_name(model.config, at)],
        memory=trace[memory_name(model.config, at)],
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        b_q=b_q,
        b_k=b_k,
        b_v=b_v,
        q_projected=trace[f"{path}.q{projected}"][head],
        k_projected=trace[f"{path}.k{projected}"][shared],
        q_gain=gain_of(module, q_norm, head),
        k_gain=gain_of(module, k_norm, shared),
        q_rms=spread_of(module, q_norm, trace[f"{path}.q{projected}"], head),
        k_rms=spread_of(module, k_norm, trace[f"{path}.k{projected}"], shared),
        q_unrotated=trace[f"{path}.q{turned}"][head],
        k_unrotated=trace[f"{path}.k{turned}"][shared],
        rotated=rotated,
        q=trace[f"{path}.q"][head],
        k=trace[f"{path}.k"][shared],
        v=trace[f"{path}.v"][shared],
        raw_scores=run.read(f"{path}.raw_scores", (head,)),
        scores_unbiased=run.read(f"{path}.{scaled_name(model.config, path)}", (head,)),
        position_bias=trace[f"{path}.position_bias"][head] if biased else None,
        scores_uncapped=None if module.cap is None else run.read(f"{path}.scores_uncapped", (head,)),
        scores=run.read(f"{path}.scores", (head,)),
        mask=trace[f"{path}.mask"],
        masked=run.read(f"{path}.masked", (head,)),
        weights=trace[f"{path}.weights"][head],
        mixed=mixed,
        concat=trace[f"{path}.concat"],
        w_o=w_o,
        b_o=module.out.bias,
        part=mixed @ w_o,
        out=trace[f"{path}.out"],
    )


def gain_of(module: MultiHeadAttention, norm: RMSNorm | None, head: int) -> Tensor | None:
    """The gain of one head's queries or keys, (d_head,), also where all heads have one norm together."""
    if norm is None:
        return None
    return norm.gain if len(norm.gain) == module.d_head else norm.gain.unflatten(0, (-1, module.d_head))[head]


def spread_of(module: MultiHeadAttention, norm: RMSNorm | None, x: Tensor, head: int) -> Tensor | None:
    """What a norm divides a head's queries or keys by. x: (heads, tokens, d_head), before it -> (tokens, 1)."""
    if norm is None:
        return None
    squares = x[head].square().mean(-1) if len(norm.gain) == module.d_head else x.square().mean((0, 2))
    return (squares + norm.eps).sqrt()[:, None]


def columns_of(layer: nn.Linear, head: int, d_head: int) -> tuple[Tensor, Tensor | None]:
    """One head's columns of a projection, as it stands in X W + b: (d_model, d_head) and (d_head,)."""
    rows = slice(head * d_head, (head + 1) * d_head)  # torch stores W transposed
    return layer.weight[rows].mT, None if layer.bias is None else layer.bias[rows]
