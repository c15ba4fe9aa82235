"""Parts of a model that are silenced, or speak louder: heads, feed-forwards, neurons, whole tensors.

The output of a part is multiplied by a factor before it joins the residual stream: 1 leaves it as it is, 0 removes it,
and -1 turns it round. Merullo et al. (2024), arXiv:2310.08744, section 5, scale heads in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.edits.edit import Edit, PlacedEdit
from model.errors import EditError

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig

WHOLE = -1  # the index of a whole feed-forward
LEAST_FACTOR, MOST_FACTOR = -2.0, 3.0  # of a link
NAME = re.compile(
    r"(?P<path>(?:encoder|decoder)\.[0-9]{1,5}\.(?:(?:self_attn|cross_attn|ffn\.experts)(?=\.)|ffn))"
    r"(?:\.(?P<index>[0-9]{1,5}))?(?:\*(?P<factor>-?[0-9](?:\.[0-9]{1,2})?))?"
)


@dataclass(frozen=True)
class Ablate(Edit):
    """Removes heads of an attention: their output becomes 0, so they add nothing to the residual stream.

    `path` names one attention, "decoder.3.self_attn", or several, "decoder.*.self_attn".
    """

    path: str
    heads: tuple[int, ...]

    @property
    def pattern(self) -> str:
        return f"{self.path}.heads"

    def apply(self, tensor: Tensor) -> Tensor:  # (heads, queries, d_head)
        count = tensor.shape[-3]
        for head in self.heads:
            if not 0 <= head < count:
                raise EditError(f"{self.path} has heads 0 to {count - 1}; there is no head {head}.")
        factors = tensor.new_ones(count, 1, 1)
        factors[list(self.heads)] = 0
        return tensor * factors


def ablate(path: str, head: int | Iterable[int]) -> Ablate:
    """The edit that removes heads of an attention: their output (heads, queries, d_head) becomes 0.

    `path` names one attention, "decoder.3.self_attn", or several, "decoder.*.self_attn"; `head` is one number from 0,
    or several. The run raises `EditError` for an attention or a head that the model lacks. Michel et al. (2019),
    arXiv:1905.10650, section 3.

    >>> from glassformer import ablate, load
    >>> trace = load("tiny-lm").trace("the dog", edits=[ablate("decoder.1.self_attn", head=[0, 2])])
    >>> [float(output.abs().max()) > 0 for output in trace["decoder.1.self_attn.heads"]]
    [False, True, False, True]
    """
    return Ablate(path, (head,) if isinstance(head, int) else tuple(sorted(set(head))))


@dataclass(frozen=True)
class Scale(PlacedEdit):
    """Multiplies the output of one part by `factor`, at every token. 0 mutes it.

    `path` is a sublayer, "decoder.3.self_attn", and `index` the number of its head. Of a feed-forward, "decoder.3.ffn",
    `index` is a neuron; -1 is all of it. Of "decoder.3.ffn.experts" it is an expert.
    """

    path: str
    index: int = WHOLE
    factor: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Scale:
        """The part and its factor that a text names: "decoder.3.self_attn.2", "decoder.5.ffn*1.5",
        "decoder.9.ffn.812*-1". Without a factor it is muted. Raises `EditError` for another text."""
        found = NAME.fullmatch(text)
        if found is None or (found["index"] is None and not found["path"].endswith("ffn")):
            raise EditError(f"{text[:60]} names no part.")
        factor = float(found["factor"] or 0)
        if not LEAST_FACTOR <= factor <= MOST_FACTOR:
            raise EditError(f"A factor is from {LEAST_FACTOR:g} to {MOST_FACTOR:g}, and not {factor:g}.")
        return cls(found["path"], WHOLE if found["index"] is None else int(found["index"]), factor)

    def __str__(self) -> str:
        return f"{self.place}*{self.factor:g}" if self.factor else self.place

    @property
    def place(self) -> str:
        return self.path if self.index == WHOLE else f"{self.path}.{self.index}"

    @property
    def is_of_expert(self) -> bool:
        """Whether the part is an expert."""
        return self.path.endswith(".experts")

    @property
    def name(self) -> str:
        """The part as `scale` takes it: "decoder.3.self_attn.heads.2"."""
        return self.place if self.part == "ffn" else f"{self.path}.heads.{self.index}"

    @property
    def pattern(self) -> str:
        if self.is_of_expert:
            return f"{self.path.removesuffix('experts')}gates"
        if self.part == "ffn":
            return f"{self.path}.out" if self.index == WHOLE else f"{self.path}.activated"
        return f"{self.path}.heads"

    def apply(self, tensor: Tensor) -> Tensor:
        if self.index == WHOLE:  # (tokens, d_model)
            return tensor * self.factor
        is_feature = self.part == "ffn"  # a neuron, or the weight of an expert
        count = tensor.shape[-1 if is_feature else -3]
        if self.index >= count:
            raise EditError(f"There is no {self.name}: the last one is {count - 1}.")
        factors = tensor.new_ones(count)
        factors[self.index] = self.factor
        return tensor * (
            factors if is_feature else factors.view(-1, 1, 1)
        )  # (tokens, features), (heads, tokens, d_head)

    def exists_in(self, config: TransformerConfig) -> bool:
        if self.stack not in config.stacks or self.layer >= config.n_layers(self.stack):
            return False
        if self.is_of_expert:
            return 0 <= self.index < config.n_experts
        if self.part == "ffn":
            return self.index == WHOLE or (self.index < config.d_ff and not config.n_experts)
        return self.part in config.attentions(self.stack) and 0 <= self.index < config.n_heads


def scale(part: str, factor: float) -> Scale:
    """The edit that multiplies one part's output at every token by `factor`: `Scale`.

    `part` is a head, "decoder.3.self_attn.heads.2", a feed-forward, "decoder.3.ffn", or one of its neurons,
    "decoder.3.ffn.812", or one of its experts, "decoder.3.ffn.experts.5". Raises `EditError` for another name.
    """
    match part.split("."):
        case [stack, layer, "self_attn" | "cross_attn" as attention, "heads", head] if head.isdecimal():
            return Scale(f"{stack}.{layer}.{attention}", int(head), factor)
        case [stack, layer, "ffn", "experts", expert] if expert.isdecimal():
            return Scale(f"{stack}.{layer}.ffn.experts", int(expert), factor)
        case [_, _, "ffn"]:
            return Scale(part, WHOLE, factor)
        case [stack, layer, "ffn", neuron] if neuron.isdecimal():
            return Scale(f"{stack}.{layer}.ffn", int(neuron), factor)
    raise EditError(
        f"{part} is no part that can be scaled. Name a head (decoder.3.self_attn.heads.2), a feed-forward "
        "(decoder.3.ffn), a neuron (decoder.3.ffn.812) or an expert (decoder.3.ffn.experts.5)."
    )


@dataclass(frozen=True)
class Zero(Edit):
    """Puts zeros in the place of tensors: a sublayer that adds nothing, no positions, a mask that hides nothing."""

    name: str

    @property
    def pattern(self) -> str:
        return self.name

    def apply(self, tensor: Tensor) -> Tensor:
        return tensor.new_zeros(tensor.shape)
