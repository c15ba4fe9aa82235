"""The edits of a model in words, and as Python code: of a sign in the run bar, of a saved page, of a program."""

from __future__ import annotations

from collections.abc import Sequence

from model.edits.activations import ALL, FIRST, NO_HEAD, Patch
from model.edits.parts import WHOLE, Scale
from model.edits.text import WrittenEdit
from viz.shared.tokens import shorten

MAX_SIGN_CHARACTERS = 24  # of a sentence in the run bar
PARTS = {
    "resid_in": "stream",
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "ffn": "feed-forward",
}


def title(edit: WrittenEdit, has_several: bool) -> str:
    """Its place: "Layer 3, head 2", after the stack, and the kind of attention, where the model has several."""
    stack, part, index = edit.stack.capitalize(), PARTS[edit.part], edit.index
    at = "" if isinstance(edit, Scale) or edit.where == ALL else f", token {edit.where}"
    if not isinstance(edit, Scale) and edit.where == FIRST:
        at = ", first tokens"
    if edit.part == "ffn" and index != WHOLE:
        what = f"{'expert' if isinstance(edit, Scale) and edit.is_of_expert else 'neuron'} {index}"
    elif index == NO_HEAD:
        what = part
    elif isinstance(edit, Scale):
        what, stack = f"head {index}", f"{stack} {part}"
    else:
        what = f"{part} head {index}" if edit.part == "cross_attn" else f"head {index}"
    place = f"layer {edit.layer}, {what}{at}"
    return f"{stack}, {place}" if has_several else place.capitalize()


def how(edit: WrittenEdit) -> str:
    """What is done to it: "muted", "× 1.5", "from “The keys”"."""
    if isinstance(edit, Scale):
        return f"× {edit.factor:g}".replace("-", "−") if edit.factor else "muted"
    if isinstance(edit, Patch):
        return f"from {_quote(edit.text)}"
    sign = "−" if edit.factor < 0 else "+"
    return f"{sign} {abs(edit.factor):g} × ({_quote(edit.plus)} − {_quote(edit.minus)})"


def in_code(source: str, load: str, edits: Sequence[WrittenEdit]) -> str:
    """Python code with the edits of a run: what `load` makes of a model, "load(model)", has them."""
    if not edits or load not in source:
        return source
    calls = ", ".join(map(_call, edits))
    imports = "from glassformer.model.experiments.surgery import with_edits\n"
    if "scale(" in calls:
        imports = f"from glassformer.model.edits.parts import scale\n{imports}"
    if names := [name for name in ("add_difference", "patch") if f"{name}(whole" in calls]:
        imports = f"from glassformer.model.experiments.activation_edits import {', '.join(names)}\n{imports}"
        return imports + source.replace(load, f"with_edits(whole := {load}, [{calls}])")
    return imports + source.replace(load, f"with_edits({load}, [{calls}])")


def _call(edit: WrittenEdit) -> str:
    """The call that makes an edit; `whole` is the model without edits."""
    if isinstance(edit, Scale):
        return f'scale("{edit.name}", {edit.factor:g})'
    if isinstance(edit, Patch):
        values = [repr(edit.name), repr(edit.text)]
        values += [f"token={edit.where}"] if isinstance(edit.where, int) else []
        values += [] if edit.head == NO_HEAD else [f"head={edit.head}"]
        return f"patch(whole, {', '.join(values)}, target={edit.target!r})"
    values = [repr(edit.name), repr(edit.plus), repr(edit.minus), f"{edit.factor:g}", repr(edit.where)]
    return f'add_difference(whole, {", ".join(values)}, target="")'


def _quote(text: str) -> str:
    return f"“{shorten(text, MAX_SIGN_CHARACTERS)}”"
