"""The heads that the reader has muted in the run bar: their outputs are 0 in every run of the reader's model.

`traces` runs the edited model on every page of the key `muted`. The other pages run the whole model, and the bar says
so. The key holds the heads as text, "decoder.3.self_attn.2,decoder.5.self_attn.0".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import stand_ins, state
from pages.shared.keys import KEYS

if TYPE_CHECKING:
    from model import Model
    from model.config import TransformerConfig

MAX_MUTED = 8  # heads
KINDS = {"self_attn": "self-attention", "cross_attn": "cross-attention"}


@dataclass(frozen=True, order=True)
class MutedHead:
    """One head of one attention: `path` names the attention as on the tape, "decoder.3.self_attn"."""

    stack: str
    layer: int
    part: str
    head: int

    @property
    def path(self) -> str:
        return f"{self.stack}.{self.layer}.{self.part}"

    def __str__(self) -> str:
        return f"{self.path}.{self.head}"

    def title(self, has_several: bool) -> str:
        """ "Layer 3, head 2", after the kind of attention where the model has several."""
        place = f"layer {self.layer}, head {self.head}"
        return f"{self.stack.capitalize()} {KINDS[self.part]}, {place}" if has_several else place.capitalize()

    def exists_in(self, config: TransformerConfig) -> bool:
        return (
            self.stack in config.stacks
            and self.part in config.attentions(self.stack)
            and self.layer < config.n_layers(self.stack)
            and self.head < config.n_heads
        )


def parse(text: str) -> tuple[MutedHead, ...]:
    """The heads that a text names, each once and in order. Raises `ValueError` where it is no list of heads."""
    return tuple(sorted({_parse_head(part) for part in text.split(",") if part}))


def write(heads: Iterable[MutedHead]) -> str:
    """Heads as the text of the key."""
    return ",".join(map(str, sorted(heads)))


def _parse_head(text: str) -> MutedHead:
    match text.split("."):
        case ["encoder" | "decoder" as stack, layer, "self_attn" | "cross_attn" as part, head]:
            if all(number.isascii() and number.isdigit() and len(number) < 6 for number in (layer, head)):
                return MutedHead(stack, int(layer), part, int(head))
    raise ValueError(f"{text} names no head")


def chosen() -> tuple[MutedHead, ...]:
    """The heads that the reader has muted, also on a page that runs the whole model."""
    try:
        return parse(state.get("muted"))
    except ValueError:
        return ()


def forget_of_other_model(name: str) -> None:
    """Forget the muted heads when the reader has chosen another model, unless they change with it."""
    now = (name, state.get("muted"))
    before = st.session_state.get("_muted_of", now)
    if before[0] != name and before[1] == now[1]:
        state.put(muted="")
    keep_for(name)


def keep_for(name: str) -> None:
    """The muted heads are those of this model."""
    st.session_state["_muted_of"] = (name, state.get("muted"))


def is_applied(name: str) -> bool:
    """Whether this page runs a model with muted heads, if there are any: it is the reader's, and the page shows it."""
    return st.session_state.get("_page") in KEYS["muted"].pages and stand_ins.choice_of("model") == name


def name_of(name: str) -> str:
    """The muted heads of a model on this page, as text; "" where it is whole. It tells edited runs from others."""
    return write(chosen()) if is_applied(name) else ""


def mute(model: Model) -> Model:
    """The model as this page runs it. Heads that it lacks are forgotten, and the page says so."""
    name = model.card.name
    if not state.get("muted") or not is_applied(name):
        return model
    _mend(model.config)
    heads = chosen()
    if not heads:
        return model
    from model.experiments.surgery import with_edits  # it needs torch, which is not loaded before a run is made
    from model.tape import ablate

    return with_edits(model, [ablate(each.path, each.head) for each in heads])


def in_code(source: str, load: str, muted: str) -> str:
    """Python code with the muted heads of a run: what `load` makes of a model, "load(model)", is without them."""
    if not muted or load not in source:
        return source
    edits = ", ".join(f'ablate("{head.path}", {head.head})' for head in parse(muted))
    imports = "from model import ablate\nfrom model.experiments.surgery import with_edits\n"
    return imports + source.replace(load, f"with_edits({load}, [{edits}])")


def _mend(config: TransformerConfig) -> None:
    heads = chosen()
    kept = [head for head in heads if head.exists_in(config)][:MAX_MUTED]
    if heads and len(kept) == len(heads):
        return
    what = "" if kept else " No head is muted."
    state.put(muted=write(kept))
    state.say("muted", f"The link mutes heads that this model lacks, or more than {MAX_MUTED}.{what}")


def toggle(text: str, config: TransformerConfig) -> None:
    """Mute a head, or let a muted one speak again. A text that names no head of the model changes nothing."""
    try:
        (head,) = parse(text)
    except ValueError:
        return
    muted = set(chosen())
    if head in muted:
        muted.remove(head)
    elif head.exists_in(config) and len(muted) < MAX_MUTED:
        muted.add(head)
    state.put(muted=write(muted))
