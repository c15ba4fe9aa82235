"""Activations of other sentences, put into a run or added to its residual stream.

To put: activation patching, Meng et al. (2022), arXiv:2202.05262. To add the difference of two sentences: Turner et al.
(2023), arXiv:2308.10248, at the first tokens; Rimsky et al. (2024), arXiv:2312.06681, at every token.

As text, the place stands before "|", the sentences after it. "decoder.3.resid_in@4|The keys" puts the stream of that
sentence there at token 4, "decoder.3.self_attn.2@all|The keys" a head at all tokens. "decoder.3.resid_in*2@all|yes|no"
adds twice the difference of two sentences. A translator's decoder reads the last sentence of a patch.

The values come from runs of these sentences: `model.experiments.activation_edits.take`. An edit with its values equals
one without, since the model and the sentences say what they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import unquote

from model.edits.edit import PlacedEdit
from model.errors import EditError

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig

LEAST_STRENGTH, MOST_STRENGTH = -2.0, 3.0  # of a link
ALL: Literal["all"] = "all"
FIRST: Literal["first"] = "first"
Where = int | Literal["all", "first"]
NO_HEAD = -1
ESCAPED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%,|"})
PLACE = re.compile(
    r"(?P<place>(?:encoder|decoder)\.[0-9]{1,5}\.(?P<part>resid_in|self_attn|cross_attn|ffn))"
    r"(?:\.(?P<head>[0-9]{1,5}))?(?:\*(?P<strength>-?[0-9](?:\.[0-9]{1,2})?))?@(?P<where>all|first|[0-9]{1,5})"
)


@dataclass(frozen=True)
class ActivationEdit(PlacedEdit):
    """What both kinds share. `name` is the tensor on the tape, "decoder.3.resid_in".

    `seen` tokens of it are in a KV cache. `values` are what is put or added: (tokens, features).
    """

    name: str
    where: Where
    seen: int = field(default=0, init=False)
    values: Tensor | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def pattern(self) -> str:
        return self.name

    def tensors(self) -> tuple[str, ...]:
        return (self.name,)

    def exists_in(self, config: TransformerConfig) -> bool:
        if self.stack not in config.stacks or self.layer >= config.n_layers(self.stack):
            return False
        if self.index != NO_HEAD and not (self.part.endswith("_attn") and self.index < config.n_heads):
            return False
        return self.part in ("resid_in", "ffn", *config.attentions(self.stack))

    def with_values(self: Of, values: Tensor | None, seen: int = 0) -> Of:
        """The same edit with its values, or as it is after `seen` tokens of a KV cache. It equals this one."""
        made = replace(self)
        object.__setattr__(made, "values", values)
        object.__setattr__(made, "seen", seen)
        return made

    def after(self: Of, seen: int) -> Of:
        return self.with_values(self.values, self.seen + seen)

    def _change_rows(self, tensor: Tensor, values: Tensor, *, adds: bool) -> Tensor:
        """The tensor whose tokens from `where` on have `values`, one row for each, or have them added.

        The other tokens stay. A tensor may lack some of these tokens, or all. With a head, it is (..., heads, tokens,
        d_head).
        """
        first = (self.where if isinstance(self.where, int) else 0) - self.seen
        begin, end = max(first, 0), min(first + len(values), tensor.shape[-2])
        if begin >= end:
            return tensor
        changed = tensor.clone()
        rows = (changed if self.index == NO_HEAD else changed[..., self.index, :, :])[..., begin:end, :]
        new = values[begin - first : end - first].to(rows)
        rows.copy_(rows + new if adds else new)
        return changed

    def _ready(self) -> Tensor:
        if self.values is None:
            raise EditError(f"{self} has no values yet: take them from a run with `activation_edits.take`.")
        return self.values


Of = TypeVar("Of", bound=ActivationEdit)


@dataclass(frozen=True)
class Patch(ActivationEdit):
    """A place of the run that is as in the run of another sentence, `text`.

    `name` is the stream before a layer or a sublayer's output, "decoder.3.ffn.out"; with a `head`,
    "decoder.3.self_attn.heads". `where` is a token, or "all". The decoder of a translator reads `target` in the run of
    the other sentence; None: its own translation.
    """

    text: str
    head: int = NO_HEAD
    target: str | None = None

    @property
    def index(self) -> int:
        return self.head

    @property
    def place(self) -> str:
        path = self.name.removesuffix(".out").removesuffix(".heads")
        return f"{path}@{self.where}" if self.head == NO_HEAD else f"{path}.{self.head}@{self.where}"

    def __str__(self) -> str:
        return "|".join([self.place, *(text.translate(ESCAPED) for text in (self.text, self.target) if text)])

    def apply(self, tensor: Tensor) -> Tensor:
        return self._change_rows(tensor, self._ready(), adds=False)


@dataclass(frozen=True)
class Add(ActivationEdit):
    """The difference of two sentences' streams before a layer, `plus` minus `minus`, times `factor`.

    "all" adds the difference of their last tokens at every token, also at those that are written later; a number adds
    it at that token. "first" lines both texts up from their first tokens, as far as both go, and adds the difference of
    each pair at the same place. `target` is as in `Patch`.
    """

    plus: str
    minus: str
    factor: float
    target: str | None = None

    @property
    def index(self) -> int:
        return NO_HEAD

    @property
    def place(self) -> str:
        return f"{self.name}*@{self.where}"

    def __str__(self) -> str:
        texts = (text.translate(ESCAPED) for text in (self.plus, self.minus))
        return "|".join([f"{self.name}*{self.factor:g}@{self.where}", *texts])

    def apply(self, tensor: Tensor) -> Tensor:
        values = self.factor * self._ready()
        return tensor + values.to(tensor) if self.where == ALL else self._change_rows(tensor, values, adds=True)


def parse_activation(text: str) -> Patch | Add:
    """The edit that a text names, without its values. Raises `EditError` where it is none."""
    written, *texts = text.split("|")
    found, texts = PLACE.fullmatch(written), [unquote(each) for each in texts]
    if found is None or not 1 <= len(texts) <= 2 or not all(each.strip() for each in texts):
        raise EditError(f"{text[:60]} names no activations of another sentence.")
    where: Where = int(found["where"]) if found["where"].isdigit() else ALL if found["where"] == ALL else FIRST
    place, part, head = found["place"], found["part"], int(found["head"]) if found["head"] else NO_HEAD
    if found["strength"]:
        strength = float(found["strength"])
        if part != "resid_in" or head != NO_HEAD or len(texts) != 2 or not LEAST_STRENGTH <= strength <= MOST_STRENGTH:
            raise EditError(f"{text[:60]} adds no difference of two streams.")
        plus, minus = texts
        return Add(place, where, plus, minus, strength, target="")
    if where == FIRST or (where == ALL and head == NO_HEAD):
        raise EditError(f"{text[:60]} names no token.")
    name = place if part == "resid_in" else f"{place}.{'out' if head == NO_HEAD else 'heads'}"
    return Patch(name, where, texts[0], head, texts[1] if len(texts) == 2 else "")
