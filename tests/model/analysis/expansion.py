"""Scores of models of `transformers` as sums over pairs of parts, worked out on their own modules and tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

Vectors = dict[str, Tensor]  # the parts of a stream, by the names that our accounts have: (tokens, d_model) each


@dataclass
class Sublayer:
    """`add` makes what is added to the stream, `norm` is its norm. An attention has the map before its heads."""

    name: str
    add: Any
    norm: Any
    queries: Callable[[Tensor], Tensor] | None = None  # (..., d_model) -> (..., heads, d_head)
    keys: Callable[[Tensor], Tensor] | None = None


@dataclass
class Stack:
    """A stack of the reference. `embed`: its tables by our names. `inner`: what turns by rotary positions, if any."""

    embed: dict[str, Any]
    sublayers: list[Sublayer]
    heads: int
    post_norm: bool = False
    embed_norm: Any = None
    final_norm: Any = None
    rotary: Any = None
    seen: dict[str, tuple[Tensor, Tensor]] = field(default_factory=dict)  # inputs and outputs of the last run

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keeps the inputs and outputs of the modules in the run that is made meanwhile."""
        norms = {f"{each.name} norm": each.norm for each in self.sublayers}
        modules = self.embed | {each.name: each.add for each in self.sublayers} | norms
        modules |= {"embed norm": self.embed_norm, "final norm": self.final_norm}
        hooks = [each.register_forward_hook(self._catcher(name)) for name, each in modules.items() if each is not None]
        yield
        for hook in hooks:
            hook.remove()

    def _catcher(self, name: str) -> Any:
        def catch(_: Any, inputs: Any, output: Any) -> None:
            self.seen[name] = (inputs[0].detach().squeeze(0), output.detach().squeeze(0))

        return catch

    def stream(self, stop: str = "") -> Vectors:
        """The parts of the stream before the sublayer `stop`; by default of all that the stack hands on."""
        parts = {name: self.seen[name][1] for name in self.embed}
        own = next(iter(self.embed)).rpartition(".")[0]
        if self.embed_norm is not None:
            parts = push(self.embed_norm, self.seen["embed norm"][0], parts, f"{own}.norm.bias")
        for each in self.sublayers:
            if each.name == stop:
                return parts
            parts |= self.added(each)
            if self.post_norm:
                kind = {"self_attn": "attn_norm", "ffn": "ffn_norm"}[each.name.rpartition(".")[2]]
                name = f"{each.name.rpartition('.')[0]}.{kind}.bias"
                parts = push(each.norm, self.seen[f"{each.name} norm"][0], parts, name)
        return push(self.final_norm, self.seen["final norm"][0], parts, "") if self.final_norm is not None else parts

    def added(self, each: Sublayer) -> Vectors:
        taken, made = self.seen[each.name]
        if each.queries is None:
            return {each.name: made}
        nothing = each.add(torch.zeros_like(taken))
        width, found = taken.shape[-1] // self.heads, {}
        for head in range(self.heads):
            alone = torch.zeros_like(taken)
            alone[:, head * width : (head + 1) * width] = taken[:, head * width : (head + 1) * width]
            found[f"{each.name}.heads.{head}"] = each.add(alone) - nothing
        return found | ({f"{each.name}.bias": nothing} if nothing.any() else {})

    def turn(self, x: Tensor, position: int) -> Tensor:
        """A vector of a head (..., d_head) turned as the reference turns those of a position."""
        if self.rotary is None:
            return x
        cos, sin = (each[0, 0] for each in self.rotary(x, torch.tensor([[position]])))
        first, rest = x[..., : len(cos)], x[..., len(cos) :]
        low, high = first.chunk(2, -1)
        return torch.cat((first * cos + torch.cat((-high, low), -1) * sin, rest), -1)


def push(norm: Any, x: Tensor, parts: Vectors, bias: str) -> Vectors:
    """Each part through a norm whose scale is that of the whole x (tokens, d_model)."""
    epsilon = getattr(norm, "variance_epsilon", None) or norm.eps
    if isinstance(norm, torch.nn.LayerNorm):
        scale = (x.var(-1, keepdim=True, correction=0) + epsilon).sqrt()
        pushed = {name: (part - part.mean(-1, keepdim=True)) / scale * norm.weight for name, part in parts.items()}
        return pushed | {bias: norm.bias.expand_as(x)}
    scale = (x.square().mean(-1, keepdim=True) + epsilon).sqrt()
    return {name: part / scale * norm.weight for name, part in parts.items()}


@torch.no_grad()
def pairs_of(
    stack: Stack, name: str, head: int, query: int, key: int, memory: Vectors | None = None
) -> dict[tuple[str, str], float]:
    """What each pair of parts gives to q . k of a head, before it is scaled. `memory`: the parts of the encoder."""
    at = next(each for each in stack.sublayers if each.name == name)
    assert at.queries is not None
    assert at.keys is not None
    parts = stack.stream(name)
    if not stack.post_norm:
        parts = push(at.norm, stack.seen[f"{name} norm"][0], parts, f"{name}.norm.bias")
    sides = []
    for made, side, place, read in (
        (at.queries, "query", query, parts),
        (at.keys, "key", key, parts if memory is None else memory),
    ):
        nothing = made(torch.zeros_like(next(iter(read.values()))[place]))[head]
        vectors = {each: made(vector[place])[head] - nothing for each, vector in read.items()}
        vectors |= {f"{name}.{side}.bias": nothing} if nothing.any() else {}
        sides.append({each: stack.turn(vector, place) for each, vector in vectors.items()})
    return {(a, b): float(x @ y) for a, x in sides[0].items() for b, y in sides[1].items()}


def by_head(project: Any, heads: int, share: int = 1) -> Callable[[Tensor], Tensor]:
    """A projection, cut into heads. Of `share` query heads each has the same key head."""
    return lambda x: project(x).unflatten(-1, (heads // share, -1)).repeat_interleave(share, -2)


def llama(reference: Any) -> Stack:
    inner, config = reference.model, reference.config
    heads, share = config.num_attention_heads, config.num_attention_heads // config.num_key_value_heads

    def sublayers() -> Iterable[Sublayer]:
        for i, layer in enumerate(inner.layers):
            own = layer.self_attn
            maps = by_head(own.q_proj, heads), by_head(own.k_proj, heads, share)
            yield Sublayer(f"decoder.{i}.self_attn", own.o_proj, layer.input_layernorm, *maps)
            yield Sublayer(f"decoder.{i}.ffn", layer.mlp, layer.post_attention_layernorm)

    return Stack({"embed.tokens": inner.embed_tokens}, list(sublayers()), heads, rotary=inner.rotary_emb)


def gpt2(reference: Any) -> Stack:
    inner, heads = reference.transformer, reference.config.n_head

    def third(attention: Any, number: int) -> Callable[[Tensor], Tensor]:
        return by_head(lambda x: attention.c_attn(x).chunk(3, -1)[number], heads)

    def sublayers() -> Iterable[Sublayer]:
        for i, layer in enumerate(inner.h):
            maps = third(layer.attn, 0), third(layer.attn, 1)
            yield Sublayer(f"decoder.{i}.self_attn", layer.attn.c_proj, layer.ln_1, *maps)
            yield Sublayer(f"decoder.{i}.ffn", layer.mlp, layer.ln_2)

    return Stack({"embed.tokens": inner.wte, "embed.positions": inner.wpe}, list(sublayers()), heads)


def gpt_neox(reference: Any) -> Stack:
    inner, heads = reference.gpt_neox, reference.config.num_attention_heads

    def third(attention: Any, number: int) -> Callable[[Tensor], Tensor]:
        return lambda x: attention.query_key_value(x).unflatten(-1, (heads, 3, -1))[..., number, :]

    def sublayers() -> Iterable[Sublayer]:
        for i, layer in enumerate(inner.layers):
            maps = third(layer.attention, 0), third(layer.attention, 1)
            yield Sublayer(f"decoder.{i}.self_attn", layer.attention.dense, layer.input_layernorm, *maps)
            yield Sublayer(f"decoder.{i}.ffn", layer.mlp, layer.post_attention_layernorm)

    return Stack({"embed.tokens": inner.embed_in}, list(sublayers()), heads, rotary=inner.rotary_emb)


def bert(reference: Any) -> Stack:
    heads, tables = reference.config.num_attention_heads, reference.embeddings
    embed = {
        "embed.tokens": tables.word_embeddings,
        "embed.positions": tables.position_embeddings,
        "embed.segments": tables.token_type_embeddings,
    }

    def sublayers() -> Iterable[Sublayer]:
        for i, layer in enumerate(reference.encoder.layer):
            own, out = layer.attention.self, layer.attention.output
            maps = by_head(own.query, heads), by_head(own.key, heads)
            yield Sublayer(f"encoder.{i}.self_attn", out.dense, out.LayerNorm, *maps)
            yield Sublayer(f"encoder.{i}.ffn", layer.output.dense, layer.output.LayerNorm)

    return Stack(embed, list(sublayers()), heads, post_norm=True, embed_norm=tables.LayerNorm)


def t5(reference: Any, name: str) -> Stack:
    """The "encoder" or the "decoder"."""
    inner, heads = getattr(reference, name), reference.config.num_heads

    def attention(path: str, own: Any, norm: Any) -> Sublayer:
        return Sublayer(path, own.o, norm, by_head(own.q, heads), by_head(own.k, heads))

    def sublayers() -> Iterable[Sublayer]:
        for i, block in enumerate(inner.block):
            first, *cross, last = block.layer
            yield attention(f"{name}.{i}.self_attn", first.SelfAttention, first.layer_norm)
            for each in cross:
                yield attention(f"{name}.{i}.cross_attn", each.EncDecAttention, each.layer_norm)
            yield Sublayer(f"{name}.{i}.ffn", last.DenseReluDense, last.layer_norm)

    embed, last = {f"{name}.embed.tokens": inner.embed_tokens}, inner.final_layer_norm
    return Stack(embed, list(sublayers()), heads, final_norm=last)
