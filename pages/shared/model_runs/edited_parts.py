"""The edits that the reader has made of the model, in every run: parts muted, scaled, patched, or added to.

The run bar mutes a head; Why this word scales any part, and takes activations of other sentences
(`activation_parts`). `traces` runs the edited model on every page of the key `muted`. The other pages run the whole
model, and the bar says so. The key holds the edits as text. A part without a factor is muted:
"decoder.3.self_attn.2,decoder.5.ffn*1.5,decoder.9.ffn.812*-1".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.frame import bar_notes
from pages.shared.model_runs import begin_token
from pages.shared.model_runs.activation_parts import ActivationPart, AddedDifference, parse_activation
from pages.shared.session import stand_ins, state
from pages.shared.session.keys import KEYS
from pages.shared.session.text_length import MAX_TOKENS

if TYPE_CHECKING:
    from model import Edit, Model, Trace
    from model.config import TransformerConfig
    from pages.shared.model_runs.runs import Run

MAX_EDITS = 8
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

    def fits(self, model: Model, most_tokens: int) -> bool:
        """Whether the model has the part."""
        return self.exists_in(model.config)

    def edit(self, model: Model) -> Edit:
        """The edit of a run."""
        from model.edits.parts import scale  # it needs torch, which is not loaded before a run is made

        return scale(self.name, self.factor)

    def code(self) -> str:
        """The edit as Python code."""
        if self.factor or self.part == "ffn":
            return f'scale("{self.name}", {self.factor:g})'
        return f'ablate("{self.path}", {self.index})'


RunEdit = EditedPart | ActivationPart


def parse(text: str) -> tuple[RunEdit, ...]:
    """The edits that a text names, in order, each place once: the last one counts. Raises `ValueError` where it is no
    list of edits."""
    edits = {each.place: each for each in map(_parse_edit, filter(None, text.split(",")))}
    return tuple(sorted((each for each in edits.values() if _changes_something(each)), key=_order))


def write(edits: Iterable[RunEdit]) -> str:
    """Edits as the text of the key."""
    return ",".join(map(str, sorted(edits, key=_order)))


def _order(edit: RunEdit) -> tuple[str, int, str, int, str]:
    return edit.stack, edit.layer, edit.part, edit.index, edit.place


def _changes_something(edit: RunEdit) -> bool:
    if isinstance(edit, EditedPart):
        return edit.factor != 1
    return not isinstance(edit, AddedDifference) or edit.factor != 0


def _parse_edit(text: str) -> RunEdit:
    return parse_activation(text) if "|" in text else parse_part(text)


def parse_part(text: str) -> EditedPart:
    """The part and its factor that a text names. Raises `ValueError` where it names none."""
    found = PART.fullmatch(text)
    if found is None or not LEAST_FACTOR <= float(found["factor"] or 0) <= MOST_FACTOR:
        raise ValueError(f"{text} names no part and factor")
    part, index = (found["part"], int(found["index"])) if found["part"] else ("ffn", WHOLE)
    return EditedPart(found["stack"], int(found["layer"]), part, index, float(found["factor"] or 0))


def chosen() -> tuple[RunEdit, ...]:
    """The edits of the reader, also on a page that runs the whole model."""
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


def tensors() -> tuple[str, ...]:
    """The tensors of activations that this page's run has edited, by their names on the tape."""
    edits = chosen() if state.get("muted") else ()
    return tuple(each.tensor for each in edits if not isinstance(each, EditedPart))


def edit(model: Model) -> Model:
    """The model as this page runs it. Edits that do not fit it are forgotten, and the page says so."""
    name = model.card.name
    if not state.get("muted") or not is_applied(name):
        return model
    _mend(model)
    edits = chosen()
    if not edits:
        return model
    from model.experiments.surgery import with_edits  # it needs torch, which is not loaded before a run is made

    return with_edits(model, _make(model, edits))


def _make(model: Model, edits: tuple[RunEdit, ...]) -> list[Edit]:
    """The edits of a run. The session keeps them, since those of activations take runs of other sentences."""
    from pages.shared.model_runs import traces  # it imports this module

    kept: dict[tuple[str, str, str], Edit] = st.session_state.get("_made_edits", {})
    made: dict[tuple[str, str, str], Edit] = {}
    for each in edits:
        key = (model.card.name, model.state, str(each))
        if key in kept:
            made[key] = kept[key]
        elif isinstance(each, EditedPart):
            made[key] = each.edit(model)
        else:
            with traces.forward_pass(runs=2):
                made[key] = each.edit(model)
    st.session_state["_made_edits"] = made
    return list(made.values())


def say_unused(trace: Trace) -> None:
    """A line below the bar for each edit of a token that the run has not."""
    for each in chosen():
        tokens = trace.source_tokens if each.stack == "encoder" and trace.source_tokens else trace.tokens
        if not isinstance(each, EditedPart) and isinstance(each.where, int) and each.where >= len(tokens):
            bar_notes.add(f"{each.title(bool(trace.source_tokens))}: this sentence has no such token, so it is whole.")


def in_code_of(run: Run, source: str) -> str:
    """Python code that opens the model of a run by its name, as the run had it."""
    return begin_token.in_code(in_code(source, f"load({run.name!r})", run.muted), begin_token.name_of(run.model))


def in_code(source: str, load: str, muted: str) -> str:
    """Python code with the edits of a run: what `load` makes of a model, "load(model)", has them."""
    if not muted or load not in source:
        return source
    edits = ", ".join(each.code() for each in parse(muted))
    imports = "from model.experiments.surgery import with_edits\n"
    if "ablate(" in edits:
        imports = f"from model import ablate\n{imports}"
    if "scale(" in edits:
        imports = f"from model.edits.parts import scale\n{imports}"
    if names := [name for name in ("add_difference", "patch") if f"{name}(whole" in edits]:
        imports = f"from model.experiments.activation_edits import {', '.join(names)}\n{imports}"
        return imports + source.replace(load, f"with_edits(whole := {load}, [{edits}])")
    return imports + source.replace(load, f"with_edits({load}, [{edits}])")


def _mend(model: Model) -> None:
    edits = chosen()
    kept = [each for each in edits if each.fits(model, min(MAX_TOKENS, model.config.max_length))][:MAX_EDITS]
    if edits and len(kept) == len(edits):
        return
    what = "" if kept else " Nothing is edited."
    state.put(muted=write(kept))
    state.say("muted", f"The link edits parts that do not fit this model, or more than {MAX_EDITS}.{what}")


def toggle(text: str, config: TransformerConfig) -> None:
    """Mute a part, or undo an edit by its place. A text that names no part of the model changes nothing."""
    if any(each.place == text for each in chosen()):
        undo(text)
        return
    try:
        part = parse_part(text)
    except ValueError:
        return
    if any(each.place == part.place for each in chosen()):
        undo(part.place)
    elif part.exists_in(config) and not why_refused(part):
        put(part)


def set_factor(part: EditedPart, factor: float) -> None:
    """Multiply a part by another factor; 1 makes it whole again."""
    put(replace(part, factor=factor))


def put(edit: RunEdit) -> None:
    """Make an edit, in the place of an earlier one of the same place. One that changes nothing undoes it."""
    others = [each for each in chosen() if each.place != edit.place]
    state.put(muted=write([*others, *([edit] if _changes_something(edit) else [])]))


def undo(place: str) -> None:
    """Take an edit back."""
    state.put(muted=write(each for each in chosen() if each.place != place))


def why_refused(edit: RunEdit) -> str:
    """Why an edit has no room beside the others; "" if it has."""
    others = [each for each in chosen() if each.place != edit.place]
    if len(others) >= MAX_EDITS:
        return f"{MAX_EDITS} parts are edited: undo one in the run bar first."
    if len(write([*others, edit])) > KEYS["muted"].max_characters:
        return "The sentences of all edits are too long for a link: undo one in the run bar, or shorten them."
    return ""
