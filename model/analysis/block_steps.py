"""One layer as a list of steps, in the order that its configuration says, each step a recorded tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.network.block import SUMS
from model.tape import Trace

Role = Literal["stream", "norm", "attention", "feed-forward"]


@dataclass(frozen=True)
class LayerStep:
    """One tensor of a layer. `name` is its place below the layer (`ffn.out`), `symbol` its letter in the documents
    (LaTeX), `does` the step that made it in words. `role` is "stream" where the residual stream passes."""

    name: str
    symbol: str
    does: str
    role: Role


def steps(config: TransformerConfig, stack: str) -> tuple[LayerStep, ...]:
    """The steps of a layer of that stack, from what it finds to what it hands on.

    Post-norm: T1 .. T5 and H of the slides, "Transformer Block". Any other: X, Z and X~ of Bishop, ch. 12 slides;
    where both sublayers read X, in parallel.
    """
    if config.parallel_residual:
        return tuple(_parallel(config))
    order = _post_norm if config.norms_sums else _open_stream
    return tuple(order("cross_attn" in config.attentions(stack), config))


def _post_norm(cross: bool, config: TransformerConfig) -> list[LayerStep]:
    crossing = [
        LayerStep("cross_attn.out", r"C^1", "cross-attention", "attention"),
        LayerStep("resid_cross", r"C^2 = T^3 + C^1", "added to the stream", "stream"),
        LayerStep("cross_norm", r"C^3", "normalised", "stream"),
    ]
    before = "C^3" if cross else "T^3"
    return [
        LayerStep("resid_in", "X", "what the layer finds", "stream"),
        LayerStep("self_attn.out", "T^1", "self-attention", "attention"),
        LayerStep("resid_mid", "T^2 = X + T^1", "added to the stream", "stream"),
        LayerStep("attn_norm", "T^3", "normalised", "stream"),
        *(crossing if cross else []),
        *_feed_forward(before, "T^4", config),
        LayerStep("resid_out", f"T^5 = T^4 + {before}", "added to the stream", "stream"),
        LayerStep("ffn_norm", "H", "normalised: what the next layer finds", "stream"),
    ]


def _open_stream(cross: bool, config: TransformerConfig) -> list[LayerStep]:
    """A layer whose stream passes no norm: one stands before each sublayer, after it, or at both places."""

    def sublayer(
        part: str, x: str, total: str, symbol: str, inner: Callable[[str], list[LayerStep]]
    ) -> list[LayerStep]:
        read, given = rf"\mathrm{{Norm}}({x})", rf"\mathrm{{Norm}}({symbol})"
        before = [LayerStep(f"{part}_norm", read, "a normalised copy", "norm")]
        after = [LayerStep(f"{part}_out_norm", given, "its output, normalised", "norm")]
        scaled = [LayerStep(f"{part}_scaled", f"c {symbol}", f"times c = {config.residual_scale:g}", "norm")]
        is_scaled = config.residual_scale != 1
        added = given if config.norms_outputs else f"c {symbol}" if is_scaled else symbol
        return [
            *(before if config.norms_inputs else []),
            *inner(read if config.norms_inputs else x),
            *(scaled if is_scaled else []),
            *(after if config.norms_outputs else []),
            LayerStep(SUMS[part], f"{total} = {added} + {x}", "added to the stream", "stream"),
        ]

    attention = [LayerStep("self_attn.out", "Y", "self-attention", "attention")]
    crossing = [LayerStep("cross_attn.out", "C", "cross-attention", "attention")]
    before = "Z'" if cross else "Z"
    return [
        LayerStep("resid_in", "X", "what the layer finds", "stream"),
        *sublayer("attn", "X", "Z", "Y", lambda _: attention),
        *(sublayer("cross", "Z", "Z'", "C", lambda _: crossing) if cross else []),
        *sublayer("ffn", before, r"\tilde X", r"\mathrm{MLP}", lambda x: _feed_forward(x, r"\mathrm{MLP}", config)),
    ]


def _parallel(config: TransformerConfig) -> list[LayerStep]:
    """Both sublayers read what the layer finds. Black et al. (2022), section 2.1."""
    return [
        LayerStep("resid_in", "X", "what the layer finds", "stream"),
        LayerStep("attn_norm", r"\mathrm{Norm}_1(X)", "a normalised copy", "norm"),
        LayerStep("self_attn.out", "Y", "self-attention", "attention"),
        LayerStep("resid_mid", "Z = Y + X", "added to the stream", "stream"),
        LayerStep("ffn_norm", r"\mathrm{Norm}_2(X)", "another normalised copy of what the layer finds", "norm"),
        *_feed_forward(r"\mathrm{Norm}_2(X)", r"\mathrm{MLP}", config),
        LayerStep("resid_out", r"\tilde X = \mathrm{MLP} + Z", "added to the stream", "stream"),
    ]


def _feed_forward(x: str, symbol: str, config: TransformerConfig) -> list[LayerStep]:
    if config.n_experts:
        return _experts(x, symbol, config)
    plain = [
        LayerStep("ffn.hidden", f"W_1 {x}", "hidden features", "feed-forward"),
        LayerStep("ffn.activated", rf"\sigma(W_1 {x})", "after the nonlinearity", "feed-forward"),
    ]
    with_gate = [
        LayerStep("ffn.hidden", rf"W_{{gate}} {x}", "the gate", "feed-forward"),
        LayerStep("ffn.up", rf"W_{{up}} {x}", "what the gate multiplies", "feed-forward"),
        LayerStep(
            "ffn.activated",
            rf"\sigma(W_{{gate}} {x}) \odot W_{{up}} {x}",
            "the activated gate times up",
            "feed-forward",
        ),
    ]
    return [
        *(with_gate if config.gated else plain),
        LayerStep("ffn.out", symbol, "back to d_model features", "feed-forward"),
    ]


def _experts(x: str, symbol: str, config: TransformerConfig) -> list[LayerStep]:
    taken = r"\textstyle\sum_e g_e \mathrm{FFN}_e"
    routed = "routed" if config.d_shared else "out"
    shared = [
        LayerStep("ffn.shared.out", r"\mathrm{FFN}_s", "what the shared expert gives", "feed-forward"),
        LayerStep("ffn.out", symbol, "the taken experts and the shared one", "feed-forward"),
    ]
    return [
        LayerStep("ffn.router", f"W_r {x}", "how well each expert suits", "feed-forward"),
        LayerStep("ffn.gates", "g", f"the weights of the {config.n_taken} taken experts", "feed-forward"),
        LayerStep(f"ffn.{routed}", taken if config.d_shared else symbol, "what they give together", "feed-forward"),
        *(shared if config.d_shared else []),
    ]


def output_name(config: TransformerConfig) -> str:
    """The step that the next layer finds as its `resid_in`."""
    return "ffn_norm" if config.norms_sums else "resid_out"


def norm_input(config: TransformerConfig, stack: str, norm: str) -> str:
    """The step that a norm of `norm_names` reads."""
    layer = f"{stack}.0."
    return make_graph(config)[f"{layer}{norm}"].one("x").removeprefix(layer)


def norm_names(config: TransformerConfig, stack: str) -> tuple[str, ...]:
    """The norms of a layer in the order in which they run, such as `attn_norm`, `attn_out_norm` and `ffn_norm`."""
    return tuple(each.name for each in steps(config, stack) if each.name.endswith("_norm"))


def sublayer_outputs(config: TransformerConfig, stack: str) -> tuple[str, ...]:
    """What the sublayers of a layer add to the stream: `self_attn.out`, `cross_attn.out` where it exists, `ffn.out`;
    or each of them after its norm, `attn_out_norm`, or its scale, `attn_scaled`."""
    ending = "_out_norm" if config.norms_outputs else "_scaled" if config.residual_scale != 1 else ".out"
    names = (each.name for each in steps(config, stack))
    return tuple(name for name in names if name.endswith(ending) and name != "ffn.shared.out")


@dataclass(frozen=True)
class Sum:
    """One addition on the residual stream: `total = before + added`, and by how much the tensors of a run miss it."""

    before: str
    added: str
    total: str
    difference: float  # the largest over tokens and features


def sums(config: TransformerConfig, trace: Trace, stack: str, layer: int) -> tuple[Sum, ...]:
    """Every addition of a layer, checked on the tensors of a run."""
    outputs, found = sublayer_outputs(config, stack), []
    order = [each for each in steps(config, stack) if each.role == "stream" or each.name in outputs]
    for place, each in enumerate(order):
        if each.name not in outputs:
            continue
        before, added, total = (_of(trace, stack, layer, order[place + n].name) for n in (-1, 0, 1))
        gap = float((before + added - total).abs().max())
        found.append(Sum(order[place - 1].name, each.name, order[place + 1].name, gap))
    return tuple(found)


def _of(trace: Trace, stack: str, layer: int, name: str) -> Tensor:
    return trace[f"{stack}.{layer}.{name}"]
