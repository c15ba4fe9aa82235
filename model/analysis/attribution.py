"""Why this word? Its logit as an exact sum: the embedding, each head, each feed-forward, and the biases.

Every part is added to the residual stream, and the last norm and the output layer read the sum. With the scales of the
norms as they are in this run, all that is linear. So is the transform that a BERT has before its answer, with the ratio
of each feature before and after the nonlinearity as it is in this run. So the logit is the sum of what each part gives
along one direction.
"Direct logit attribution": Elhage et al. (2021), "A Mathematical Framework for Transformer Circuits".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Protocol

import torch
from torch import Tensor, nn

from model.analysis import written_by_experts
from model.analysis.answers import answers, reading_of
from model.analysis.frozen_norm import Frozen, FrozenNorm, freeze, freeze_map, freeze_output, freeze_transform
from model.analysis.head_steps import final_name
from model.config import TransformerConfig
from model.edits.edit import Edit
from model.errors import GlassformerError
from model.graph.network_graph import make_graph
from model.network.block import Block
from model.network.embedding import Embedding
from model.network.transform import Transform
from model.network.transformer import Stack, Transformer
from model.notebook.sums import account_card
from model.numerals import number
from model.run import Model
from model.tape import Trace

SUM_BEFORE_NORM = {"self_attn": "resid_mid", "cross_attn": "resid_cross", "ffn": "resid_out"}  # of a post-norm block
NORM_OF = {"self_attn": "attn_norm", "cross_attn": "cross_norm", "ffn": "ffn_norm"}


class NoSuchAnswer(GlassformerError):
    """The token, class or position that was asked for does not exist."""


@dataclass(frozen=True)
class Account:
    """The parts of one logit, or of the difference of two, in the order of the run.

    `value` is the logit (or difference) of the run; `parts` sum to it. `directions` has, for each sublayer
    ("decoder.3.ffn"), the direction (d_model,) along which its output counts. `norms` are those that stand after a
    sublayer or at the end, by its name, in the order of the run; and a transform before the answer is among them.
    `outputs` are the gains and norms that the output of a sublayer passes before it is added, by its name.
    `asked` says the answer in words, as far as they are known.
    """

    stack: str
    position: int
    token: int
    against: int | None
    value: float
    parts: Mapping[str, float] = field(repr=False)
    directions: Mapping[str, Tensor] = field(repr=False)
    norms: Mapping[str, Frozen] = field(repr=False)
    outputs: Mapping[str, Sequence[FrozenNorm]] = field(repr=False)
    asked: str = ""

    def _repr_html_(self) -> str:
        """For notebooks."""
        asked = self.asked or f"token {self.token}" + ("" if self.against is None else f" more than {self.against}")
        return account_card(f"Why {asked}: {number(self.value)}", self.parts, self.total, self.value, self.difference)

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return math.fsum(self.parts.values())

    @property
    def difference(self) -> float:
        """How far the sum is from the logit of the run. It is the error of rounding."""
        return abs(self.total - self.value)

    def largest(self, count: int) -> dict[str, float]:
        """The parts of the largest size, largest first."""
        names = sorted(self.parts, key=lambda name: -abs(self.parts[name]))[:count]
        return {name: self.parts[name] for name in names}


def keep_for_account(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `account_of`."""
    stack = config.stacks[-1]
    own = f"{stack}." if config.kind == "encoder-decoder" else ""
    sums = ("mid", "cross", "out") if config.norms_sums else ()
    streams = [f"{stack}.*.resid_{name}" for name in sums] or [f"{stack}.{config.n_layers(stack) - 1}.resid_out"]
    normed = [f"{stack}.*.{attention}.out" for attention in config.attentions(stack) if config.norms_outputs]
    experts = [f"{stack}.*.ffn.{name}" for name in written_by_experts.NEEDS if config.n_experts]
    ffns = f"{stack}.*.ffn.out", *experts
    kept = (f"{own}embed.*", f"{stack}.*.heads", *normed, *ffns, *streams, final_name(config, stack))
    return tuple(dict.fromkeys(kept))


def keep_of(model: Model) -> tuple[str, ...]:
    """The tensors that a run of this model must record, those for its own edits among them."""
    patterns = (edit.pattern for edit in getattr(model.network, "edits", ()))
    return (*keep_for_account(model.config), *keep_for_edits(model.config, patterns), model.config.answer_tensor)


def keep_for_edits(config: TransformerConfig, patterns: Iterable[str]) -> tuple[str, ...]:
    """The tensors that a run with edits of these tensors must record, too. What such an edit adds is a part."""
    return tuple(_names_for_edits(config, tuple(patterns)))


def _names_for_edits(config: TransformerConfig, patterns: tuple[str, ...]) -> Iterator[str]:
    stack = config.stacks[-1]
    for layer in range(config.n_layers(stack)):
        for part in ("resid_in", *(f"{attention}.out" for attention in config.attentions(stack))):
            name = f"{stack}.{layer}.{part}"
            if any(fnmatchcase(name, pattern) for pattern in patterns):
                yield name
                if part == "resid_in":
                    yield _before(config, name)


def _before(config: TransformerConfig, name: str) -> str:
    """The tensor that a layer finds as its residual stream."""
    return make_graph(config)[name].one("x")


def edits_of_run(model: HasNetwork, trace: Trace) -> tuple[Edit, ...]:
    """The edits of a run: those that its model makes always, and its own."""
    always = getattr(model.network, "edits", ())  # of `model.experiments.surgery.EditedTransformer`
    return (*always, *(trace.origin.edits if trace.origin is not None else ()))


@torch.inference_mode()
def attribute(
    model: Model,
    text: str,
    token: int | None = None,
    against: int | None = None,
    position: int = -1,
    *,
    target: str | None = None,
) -> Account:
    """Why the model gives this logit to `token` after a text; of two tokens, why `token` more than `against`.

    Tokens are ids; None is the likeliest one. `position` is that of the last token read. A translator reads `target`
    after <SOS>, or its own translation. Of an encoder with masked words the answer is the token at `position`; of one
    with classes it is a class, by its number: of the text, read off the first token, or of the token at `position`.
    Raises what `Model.trace` raises; `NoSuchAnswer`; `ModelMismatch` for a model without such an answer. Elhage et al.
    (2021), "A Mathematical Framework for Transformer Circuits".

    >>> from glassformer import attribute, load
    >>> account = attribute(load("tiny-lm"), "the dog sees the")
    >>> account.asked, list(account.largest(2))
    ("' sad'", ['decoder.3.ffn', 'decoder.2.self_attn.heads.2'])
    >>> abs(account.total - account.value) < 1e-4  # the parts sum to the logit
    True
    """
    trace = model.trace(text, keep=keep_of(model), target=target)
    return account_of(model, trace, token, against, position)


@torch.inference_mode()
def account_of(
    model: Model, trace: Trace, token: int | None = None, against: int | None = None, position: int = -1
) -> Account:
    """As `attribute`, of a run that has the tensors of `keep_for_account`.

    Raises `NoSuchAnswer`; `ModelMismatch`, also where the weights are no longer those of the run.
    """
    trace = trace.whole()
    if trace.origin is not None:
        trace.origin.check_weights()
    position = _place(trace, position) if model.config.answers_places else 0
    logits = answers(model, trace, position)  # (answers,)
    token = int(logits.argmax()) if token is None else token
    for each in (token, against):
        if each is not None and not 0 <= each < len(logits):
            raise NoSuchAnswer(f"There is no answer {each}: {model.card.title} has 0 to {len(logits) - 1:,}.")
    direction, constant = reading_of(model, trace, position, token)
    value = float(logits[token])
    if against is not None:
        other, other_constant = reading_of(model, trace, position, against)
        direction, constant = direction - other, constant - other_constant
        value -= float(logits[against])
    walk = Walk(
        model, trace, model.config.stacks[-1], position, direction.float(), by_expert=bool(model.config.n_experts)
    )
    walk.from_output()
    parts = walk.parts
    if model.config.output_bias or not model.config.answers_words:
        parts["logits.bias"] = float(constant)
    asked = " more than ".join(_say_answer(model, each) for each in (token, against) if each is not None)
    name, directions, outputs = walk.stack.name, walk.directions, walk.outputs
    return Account(name, position, token, against, value, parts, directions, walk.frozen, outputs, asked)


def _say_answer(model: Model, answer: int) -> str:
    """A token or a class in words."""
    return (
        repr(model.output_tokenizer.token(answer).text) if model.config.answers_words else model.config.classes[answer]
    )


def _place(trace: Trace, position: int) -> int:
    """A position counted from 0. Raises `NoSuchAnswer`."""
    count = len(trace.tokens)
    if not -count <= position < count:
        raise NoSuchAnswer(f"There is no position {position}: the text has {count} tokens, 0 to {count - 1}.")
    return position % count


class HasNetwork(Protocol):
    """What a walk asks of a model, be it of texts or of pictures."""

    @property
    def config(self) -> TransformerConfig: ...

    @property
    def network(self) -> Transformer: ...

    @property
    def on_cpu(self) -> HasNetwork: ...


class Walk:
    """The way of one direction (d_model,) down to the embedding, at one position of a stack.

    `groups` are the parts that it passes, one mapping for each place, the last place of the run first. `by_expert`:
    each expert is a part, and not the feed-forward that has them.
    """

    def __init__(
        self, model: HasNetwork, trace: Trace, stack: str, position: int, direction: Tensor, by_expert: bool = False
    ) -> None:
        config, network = model.config, model.on_cpu.network
        self.config, self.trace, self.position, self.direction = config, trace, position, direction
        self.by_expert = by_expert
        found = getattr(network, stack)
        assert isinstance(found, Stack)
        self.stack = found
        self.own = f"{stack}." if config.kind == "encoder-decoder" else ""
        self.edits = edits_of_run(model, trace)
        self.groups: list[dict[str, float]] = []
        self.directions: dict[str, Tensor] = {}
        self.transform = network.transform
        self.norms: dict[str, Frozen] = {}
        self.outputs: dict[str, Sequence[FrozenNorm]] = {}

    @property
    def parts(self) -> dict[str, float]:
        """The parts that it has passed, in the order of the run."""
        return {name: part for group in reversed(self.groups) for name, part in group.items()}

    @property
    def frozen(self) -> dict[str, Frozen]:
        """The norms that it has passed, in the order of the run."""
        return dict(reversed(self.norms.items()))

    def from_output(self) -> None:
        """From the output layer down."""
        if self.transform is not None:
            self.through_transform(self.transform, self.at(final_name(self.config, self.stack.name)))
        self.from_end()

    def from_end(self) -> None:
        """From what the stack hands on down."""
        if self.stack.final_norm is not None:
            last = f"{self.stack.name}.{len(self.stack.blocks) - 1}"
            self.through_norm(self.stack.final_norm, f"{self.own}final_norm", self.at(f"{last}.resid_out"))
        self.through_layers(len(self.stack.blocks))

    def through_layers(self, count: int, stop: str = "") -> None:
        """The first layers, from above; of the next one, only what stands before its sublayer `stop`, where there is
        one."""
        order = (*self.config.attentions(self.stack.name), "ffn")
        for layer in reversed(range(count + bool(stop))):
            block, place = self.stack.blocks[layer], f"{self.stack.name}.{layer}"
            assert isinstance(block, Block)
            for part in reversed(order[: order.index(stop)] if layer == count else order):
                self.through_sublayer(block, place, part)
            self.through_edit(f"{place}.resid_in")
        self.through_embedding(self.stack.embed)

    def at(self, name: str) -> Tensor:
        """A recorded tensor at the position: (..., features)."""
        return self.trace[name][..., self.position, :]

    def through_norm(self, norm: nn.Module, name: str, x: Tensor, key: str = "") -> None:
        """The direction before a norm whose input was x (d_model,), kept under `key` or else under the norm's name.

        The norm's bias is a part of its own.
        """
        self.norms[key or name] = freeze(norm, x)
        self.through(self.norms[key or name], name)

    def through_transform(self, transform: Transform, x: Tensor) -> None:
        """The direction before the transform of a BERT whose input was x (d_model,). Its biases are parts."""
        frozen, made = freeze_transform(transform, x)
        if transform.norm is not None:
            self.through_norm(transform.norm, "transform.norm", made)
        self.norms["transform"] = frozen
        self.through(frozen, "transform")

    def through(self, frozen: Frozen, name: str) -> None:
        """The direction before what is frozen. What its bias gives is a part of its own."""
        if frozen.bias is not None:
            self.groups.append({f"{name}.bias": float(self.direction @ frozen.bias)})
        self.direction = frozen.pull(self.direction)

    def through_sublayer(self, block: Block, place: str, part: str) -> None:
        """The parts of an attention or a feed-forward, and the direction of the stream before it."""
        path = f"{place}.{part}"
        if self.config.norms_sums:
            norm = block.get_submodule(NORM_OF[part])
            self.through_norm(norm, f"{place}.{NORM_OF[part]}", self.at(f"{place}.{SUM_BEFORE_NORM[part]}"), path)
        stream, outputs = self.direction, self.outputs_of(block, path)
        for name, frozen in reversed(outputs.items()):
            self.through(frozen, f"{place}.{name}")
        self.outputs[path], self.directions[path] = tuple(outputs.values()), self.direction
        out = block.get_submodule(part)
        self.groups.append(self.parts_of_ffn(path) if part == "ffn" else self.parts_of_heads(out.out, path))  # type: ignore[arg-type]
        self.direction = stream if self.config.residual else torch.zeros_like(stream)

    def outputs_of(self, block: Block, path: str) -> dict[str, FrozenNorm]:
        """What the output of a sublayer passes before it is added, by its name."""
        if f"{path}.out" not in self.trace:  # no norm reads it
            return freeze_output(block, path.rpartition(".")[2], torch.zeros(self.config.d_model))
        return freeze_output(block, path.rpartition(".")[2], self.at(f"{path}.out"))

    def is_edited(self, name: str) -> bool:
        """Whether an edit of the run replaced a recorded tensor."""
        return name in self.trace and any(edit.matches(name) for edit in self.edits)

    def through_edit(self, name: str) -> None:
        """What an edit of the residual stream added to it is a part of its own."""
        if self.is_edited(name):
            added = self.at(name) - self.at(_before(self.config, name))
            self.groups.append({f"{name}.edit": float(added @ self.direction)})

    def parts_of_ffn(self, path: str) -> dict[str, float]:
        """A feed-forward is one part, with the bias of W_2; with experts, each of those that the token takes."""
        direction, whole = self.directions[path], float(self.at(f"{path}.out") @ self.directions[path])
        if not self.by_expert:
            return {path: whole}
        written = written_by_experts.written_at(self.config, self.trace, path, self.position)
        named = {name: float(given @ direction) for name, given in written.items()}
        if self.is_edited(f"{path}.out"):
            named[f"{path}.edit"] = whole - math.fsum(named.values())
        return named

    def parts_of_heads(self, out: nn.Linear, path: str) -> dict[str, float]:
        """Each head through its own rows of W_O, and the bias of W_O."""
        by_head = head_directions(out, self.directions[path], self.config)  # (heads, d_head)
        parts = (self.at(f"{path}.heads") * by_head).sum(-1).tolist()  # heads
        named = {f"{path}.heads.{head}": part for head, part in enumerate(parts)}
        if out.bias is not None:
            named[f"{path}.bias"] = float(out.bias @ self.directions[path])
        if self.is_edited(f"{path}.out"):
            named[f"{path}.edit"] = float(self.at(f"{path}.out") @ self.directions[path]) - math.fsum(named.values())
        return named

    def through_embedding(self, embed: Embedding) -> None:
        """The token, its position and its segment. A norm after them is frozen as the others are."""
        pieces = embedding_pieces(self.config, embedding_rows(self.trace, self.position, self.own))
        if embed.widen is not None:
            self.through(freeze_map(embed.widen), f"{self.own}embed.widen")
        if embed.norm is not None:
            self.through_norm(embed.norm, f"{self.own}embed.norm", torch.stack(list(pieces.values())).sum(0))
        self.groups.append({name: float(piece @ self.direction) for name, piece in pieces.items()})
        self.directions[f"{self.own}embed"] = self.direction


def head_directions(out: nn.Linear, direction: Tensor, config: TransformerConfig) -> Tensor:
    """The direction along which each head's output counts, W_O[i] r: (heads, d_head). `out` is W_O, r (d_model,)."""
    return (direction @ out.weight).unflatten(-1, (config.n_heads, config.head_width))


def embedding_rows(trace: Trace, position: int, own: str) -> dict[str, Tensor]:
    """The vectors of one token, its position and its segment, as far as the model has them, by their tape names."""
    names = (f"{own}embed.{name}" for name in ("tokens", "positions", "segments"))
    return {name: trace[name][position] for name in names if name in trace}


def embedding_pieces(config: TransformerConfig, rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What the embedding of tokens is the sum of: (..., d_model) each. `rows`: as those of `embedding_rows`.

    Where token and position stand side by side, each is filled up with zeros.
    """
    if config.position_mix == "add" or not config.position_width:
        return dict(rows)
    (token, e), (position, p) = rows.items()
    e_only, p_only = torch.cat((e, torch.zeros_like(p)), -1), torch.cat((torch.zeros_like(e), p), -1)
    return {token: e_only, position: p_only}
