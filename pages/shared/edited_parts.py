"""The parts that the reader has muted or scaled: heads, feed-forwards and neurons, in every run of the reader's model.

The run bar mutes a head; Why this word scales any part. `traces` runs the edited model on every page of the key
`muted`. The other pages run the whole model, and the bar says so. The key holds the parts as text. A part without a
factor is muted: "decoder.3.self_attn.2,decoder.5.ffn*1.5,decoder.9.ffn.812*-1".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import stand_ins, state
from pages.shared.keys import KEYS

if TYPE_CHECKING:
    from model import Edit, Model
    from model.config import TransformerConfig

MAX_EDITS = 8  # parts
LEAST_FACTOR, MOST_FACTOR = -2.0, 3.0
WHOLE = -1  # the index of a whole feed-forward
KINDS = {"self_attn": "self-attention", "cross_attn": "cross-attention"}
PART = re.compile(
    r"(?P<stack>encoder|decoder)\.(?P<layer>[0-9]{1,5})\.(?:(?P<part>self_attn|cross_attn|ffn)\.(?P<index>[0-9]{1,5})|"
    r"(?P<whole>ffn))(?:\*(?P<factor>-?[0-9](?:\.[0-9]{1,2})?))?"
)


@dataclass(frozen=True, order=True)
class EditedPart:
    """One part whose output is multiplied by `factor`; 0 mutes it. `index` is a head's, or a neuron's of "ffn"."""

    stack: str
    layer: int
    part: str
    index: int = WHOLE
    factor: float = 0.0

    @property
    def path(self) -> str:
        """The sublayer as on the tape, "decoder.3.self_attn"."""
        return f"{self.stack}.{self.layer}.{self.part}"

    @property
    def place(self) -> str:
        """The part without its factor. No two edits have the same."""
        return self.path if self.index == WHOLE else f"{self.path}.{self.index}"

    @property
    def name(self) -> str:
        """The part as `model.experiments.steering.scale` names it: "decoder.3.self_attn.heads.2"."""
        return self.place if self.part == "ffn" else f"{self.path}.heads.{self.index}"

    @property
    def how(self) -> str:
        """What is done to it, in words: "muted", "× 1.5"."""
        return f"× {self.factor:g}".replace("-", "−") if self.factor else "muted"

    def __str__(self) -> str:
        return f"{self.place}*{self.factor:g}" if self.factor else self.place

    def title(self, has_several: bool) -> str:
        """ "Layer 3, head 2", after the stack, and the kind of attention, where the model has several."""
        place = f"layer {self.layer}, "
        if self.part == "ffn":
            place += "feed-forward" if self.index == WHOLE else f"neuron {self.index}"
            return f"{self.stack.capitalize()}, {place}" if has_several else place.capitalize()
        place += f"head {self.index}"
        return f"{self.stack.capitalize()} {KINDS[self.part]}, {place}" if has_several else place.capitalize()

    def exists_in(self, config: TransformerConfig) -> bool:
        """Whether a model of this configuration has the part."""
        if self.stack not in config.stacks or self.layer >= config.n_layers(self.stack):
            return False
        if self.part == "ffn":
            return self.index < config.d_ff
        return self.part in config.attentions(self.stack) and 0 <= self.index < config.n_heads

    def edit(self) -> Edit:
        """The edit of a run."""
        from model.experiments.steering import scale  # it needs torch, which is not loaded before a run is made

        return scale(self.name, self.factor)

    def code(self) -> str:
        """The edit as Python code."""
        if self.factor or self.part == "ffn":
            return f'scale("{self.name}", {self.factor:g})'
        return f'ablate("{self.path}", {self.index})'


def parse(text: str) -> tuple[EditedPart, ...]:
    """The parts that a text names, in order, each place once: its last factor counts. Raises `ValueError` where it is
    no list of parts."""
    parts = {part.place: part for part in map(_parse_part, filter(None, text.split(",")))}
    return tuple(sorted(part for part in parts.values() if part.factor != 1))


def write(parts: Iterable[EditedPart]) -> str:
    """Parts as the text of the key."""
    return ",".join(map(str, sorted(parts)))


def _parse_part(text: str) -> EditedPart:
    found = PART.fullmatch(text)
    if found is None or not LEAST_FACTOR <= float(found["factor"] or 0) <= MOST_FACTOR:
        raise ValueError(f"{text} names no part and factor")
    part, index = (found["part"], int(found["index"])) if found["part"] else ("ffn", WHOLE)
    return EditedPart(found["stack"], int(found["layer"]), part, index, float(found["factor"] or 0))


def chosen() -> tuple[EditedPart, ...]:
    """The parts that the reader has edited, also on a page that runs the whole model."""
    try:
        return parse(state.get("muted"))
    except ValueError:
        return ()


def forget_of_other_model(name: str) -> None:
    """Forget the edits when the reader has chosen another model, unless they change with it."""
    now = (name, state.get("muted"))
    before = st.session_state.get("_muted_of", now)
    if before[0] != name and before[1] == now[1]:
        state.put(muted="")
    keep_for(name)


def keep_for(name: str) -> None:
    """The edits are those of this model."""
    st.session_state["_muted_of"] = (name, state.get("muted"))


def is_applied(name: str) -> bool:
    """Whether this page runs an edited model, if there are edits: it is the reader's, and the page shows it."""
    return st.session_state.get("_page") in KEYS["muted"].pages and stand_ins.choice_of("model") == name


def name_of(name: str) -> str:
    """The edits of a model on this page, as text; "" where it is whole. It tells edited runs from others."""
    return write(chosen()) if is_applied(name) else ""


def edit(model: Model) -> Model:
    """The model as this page runs it. Edits of parts that it lacks are forgotten, and the page says so."""
    name = model.card.name
    if not state.get("muted") or not is_applied(name):
        return model
    _mend(model.config)
    parts = chosen()
    if not parts:
        return model
    from model.experiments.surgery import with_edits  # it needs torch, which is not loaded before a run is made

    return with_edits(model, [each.edit() for each in parts])


def in_code(source: str, load: str, muted: str) -> str:
    """Python code with the edits of a run: what `load` makes of a model, "load(model)", has them."""
    if not muted or load not in source:
        return source
    edits = ", ".join(part.code() for part in parse(muted))
    imports = "from model.experiments.surgery import with_edits\n"
    if "ablate(" in edits:
        imports = f"from model import ablate\n{imports}"
    if "scale(" in edits:
        imports = f"from model.experiments.steering import scale\n{imports}"
    return imports + source.replace(load, f"with_edits({load}, [{edits}])")


def _mend(config: TransformerConfig) -> None:
    parts = chosen()
    kept = [part for part in parts if part.exists_in(config)][:MAX_EDITS]
    if parts and len(kept) == len(parts):
        return
    what = "" if kept else " Nothing is edited."
    state.put(muted=write(kept))
    state.say("muted", f"The link edits parts that this model lacks, or more than {MAX_EDITS}.{what}")


def toggle(text: str, config: TransformerConfig) -> None:
    """Mute a part, or make an edited one whole again. A text that names no part of the model changes nothing."""
    try:
        (part,) = parse(text)
    except ValueError:
        return
    if any(each.place == part.place for each in chosen()):
        set_factor(part, 1.0)
    elif part.exists_in(config) and len(chosen()) < MAX_EDITS:
        set_factor(part, part.factor)


def set_factor(part: EditedPart, factor: float) -> None:
    """Multiply a part by another factor; 1 makes it whole again."""
    others = [each for each in chosen() if each.place != part.place]
    state.put(muted=write([*others, *([replace(part, factor=factor)] if factor != 1 else [])]))
