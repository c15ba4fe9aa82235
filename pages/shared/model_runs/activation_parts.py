"""Edits of a run that take activations of other sentences: a place that was patched, a difference that is added.

As text, the place stands before "|", the sentences behind it. "decoder.3.resid_in@4|The keys" puts the stream of that
sentence there at token 4, "decoder.3.self_attn.2@all|The keys" a head at all tokens. "decoder.3.resid_in*2@all|yes|no"
adds twice the difference of two sentences. A translator's decoder reads the last sentence of a patch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from model.errors import GlassformerError
from viz.shared.tokens import shorten

if TYPE_CHECKING:
    from model import Edit, Model
    from model.config import TransformerConfig

LEAST_STRENGTH, MOST_STRENGTH = -2.0, 3.0
MAX_SIGN_CHARACTERS = 24  # of a sentence in the run bar
ALL: Literal["all"] = "all"
FIRST: Literal["first"] = "first"
Where = int | Literal["all", "first"]
ESCAPED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%,|"})
PLACE = re.compile(
    r"(?P<stack>encoder|decoder)\.(?P<layer>[0-9]{1,5})\.(?P<part>resid_in|self_attn|cross_attn|ffn)"
    r"(?:\.(?P<head>[0-9]{1,5}))?(?:\*(?P<strength>-?[0-9](?:\.[0-9]{1,2})?))?@(?P<where>all|first|[0-9]{1,5})"
)
WORDS = {
    "resid_in": "stream",
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "ffn": "feed-forward",
}
NO_HEAD = -1


@dataclass(frozen=True)
class PatchedPart:
    """A place of the run that is as in the run of another sentence: `text`, and what a translator writes of it.

    `part` is the stream before a layer ("resid_in") or a sublayer's output; with an `index`, that head. `where` is a
    token, or "all" tokens of a head.
    """

    stack: str
    layer: int
    part: str
    index: int
    where: Where
    text: str
    target: str = ""

    @property
    def place(self) -> str:
        """The edit without its sentences. No two edits have the same."""
        head = "" if self.index == NO_HEAD else f".{self.index}"
        return f"{self.stack}.{self.layer}.{self.part}{head}@{self.where}"

    @property
    def tensor(self) -> str:
        """The tensor that is edited, by its name on the tape."""
        part = self.part if self.part == "resid_in" else f"{self.part}.{'out' if self.index == NO_HEAD else 'heads'}"
        return f"{self.stack}.{self.layer}.{part}"

    @property
    def how(self) -> str:
        """What is done, in words."""
        return f"from {_quote(self.text)}"

    def __str__(self) -> str:
        return "|".join([self.place, *(text.translate(ESCAPED) for text in (self.text, self.target) if text)])

    def title(self, has_several: bool) -> str:
        """ "Layer 3, stream, token 4", after the stack where the model has several."""
        what = WORDS[self.part] if self.index == NO_HEAD else f"head {self.index}"
        if self.part == "cross_attn" and self.index != NO_HEAD:
            what = f"cross-attention {what}"
        return _title(self.stack, self.layer, f"{what}{_at(self.where)}", has_several)

    def exists_in(self, config: TransformerConfig) -> bool:
        """Whether a model of this configuration has the place."""
        if self.index == NO_HEAD:
            return _has_part(config, self.stack, self.layer, self.part)
        is_head = self.part in ("self_attn", "cross_attn") and self.index < config.n_heads
        return is_head and _has_part(config, self.stack, self.layer, self.part)

    def fits(self, model: Model, most_tokens: int) -> bool:
        """Whether the model can read the other sentence, and finds the token in it."""
        if not self.exists_in(model.config) or (count := _count_tokens(model, self.text, most_tokens)) == 0:
            return False
        if model.config.kind == "encoder-decoder" and self.stack == "decoder":
            try:
                count = 1 + len(model.output_tokenizer.encode(self.target, add_special=False))
            except GlassformerError:
                return False
            if count > most_tokens:
                return False
        return self.where == ALL or (isinstance(self.where, int) and self.where < count)

    def edit(self, model: Model) -> Edit:
        """The edit of a run. It takes a run of the other sentence."""
        from model.experiments.activation_edits import patch  # it needs torch, not loaded before a run is made

        token = self.where if isinstance(self.where, int) else None
        head = None if self.index == NO_HEAD else self.index
        return patch(model, self.tensor, self.text, token, head, target=self.target)

    def code(self) -> str:
        """The edit as Python code; `whole` is the model without edits."""
        values = [repr(self.tensor), repr(self.text)]
        values += [f"token={self.where}"] if isinstance(self.where, int) else []
        values += [] if self.index == NO_HEAD else [f"head={self.index}"]
        return f"patch(whole, {', '.join(values)}, target={self.target!r})"


@dataclass(frozen=True)
class AddedDifference:
    """The difference of two sentences' streams before a layer, times `factor`, added at some tokens or all.

    `where` is as in `model.experiments.activation_edits.add_difference`.
    """

    stack: str
    layer: int
    where: Where
    plus: str
    minus: str
    factor: float

    part = "resid_in"
    index = NO_HEAD

    @property
    def place(self) -> str:
        """The edit without its factor and its sentences. No two edits have the same."""
        return f"{self.tensor}*@{self.where}"

    @property
    def tensor(self) -> str:
        """The tensor that is edited, by its name on the tape."""
        return f"{self.stack}.{self.layer}.resid_in"

    @property
    def how(self) -> str:
        """What is done, in words."""
        sign = "−" if self.factor < 0 else "+"
        return f"{sign} {abs(self.factor):g} × ({_quote(self.plus)} − {_quote(self.minus)})"

    def __str__(self) -> str:
        texts = (text.translate(ESCAPED) for text in (self.plus, self.minus))
        return "|".join([f"{self.tensor}*{self.factor:g}@{self.where}", *texts])

    def title(self, has_several: bool) -> str:
        """ "Layer 3, stream", after the stack where the model has several."""
        return _title(self.stack, self.layer, f"stream{_at(self.where)}", has_several)

    def exists_in(self, config: TransformerConfig) -> bool:
        """Whether a model of this configuration has the layer."""
        return _has_part(config, self.stack, self.layer, self.part)

    def fits(self, model: Model, most_tokens: int) -> bool:
        """Whether the model can read both sentences. Those of a translator are read by its encoder."""
        if not self.exists_in(model.config) or self.stack != model.config.stacks[0]:
            return False
        return all(_count_tokens(model, text, most_tokens) for text in (self.plus, self.minus))

    def edit(self, model: Model) -> Edit:
        """The edit of a run. It takes a run of each sentence."""
        from model.experiments.activation_edits import add_difference  # it needs torch, as above

        return add_difference(model, self.tensor, self.plus, self.minus, self.factor, self.where, target="")

    def code(self) -> str:
        """The edit as Python code; `whole` is the model without edits."""
        values = f"{self.tensor!r}, {self.plus!r}, {self.minus!r}, {self.factor:g}, {self.where!r}"
        return f'add_difference(whole, {values}, target="")'


ActivationPart = PatchedPart | AddedDifference


def parse_activation(text: str) -> ActivationPart:
    """The edit that a text names. Raises `ValueError` where it is none."""
    written, *texts = text.split("|")
    found, texts = PLACE.fullmatch(written), [unquote(each) for each in texts]
    if found is None or not 1 <= len(texts) <= 2 or not all(each.strip() for each in texts):
        raise ValueError(f"{text} names no activations of another sentence")
    where: Where = int(found["where"]) if found["where"].isdigit() else ALL if found["where"] == ALL else FIRST
    stack, layer, part = found["stack"], int(found["layer"]), found["part"]
    if found["strength"]:
        strength = float(found["strength"])
        if part != "resid_in" or found["head"] or len(texts) != 2 or not LEAST_STRENGTH <= strength <= MOST_STRENGTH:
            raise ValueError(f"{text} adds no difference of two streams")
        return AddedDifference(stack, layer, where, texts[0], texts[1], strength)
    head = int(found["head"]) if found["head"] else NO_HEAD
    if where == FIRST or (where == ALL and head == NO_HEAD):
        raise ValueError(f"{text} names no token")
    return PatchedPart(stack, layer, part, head, where, *texts)


def _has_part(config: TransformerConfig, stack: str, layer: int, part: str) -> bool:
    if stack not in config.stacks or layer >= config.n_layers(stack):
        return False
    return part in ("resid_in", "ffn", *config.attentions(stack))


def _count_tokens(model: Model, text: str, most: int) -> int:
    """The number of tokens of a sentence; 0 where the model cannot read it here."""
    try:
        count = len(model.tokens_of(text))
    except GlassformerError:
        return 0
    return count if count <= most else 0


def _title(stack: str, layer: int, what: str, has_several: bool) -> str:
    place = f"layer {layer}, {what}"
    return f"{stack.capitalize()}, {place}" if has_several else place.capitalize()


def _at(where: Where) -> str:
    return f", token {where}" if isinstance(where, int) else ", first tokens" if where == FIRST else ""


def _quote(text: str) -> str:
    return f"“{shorten(text, MAX_SIGN_CHARACTERS)}”"
