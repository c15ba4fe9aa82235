"""The edits that the reader has made of the model, in every run: parts muted, scaled, patched, or added to.

The run bar mutes a head; Why this word scales any part, and takes activations of other sentences. `traces` runs the
edited model on every page of the key `edits`. The other pages run the whole model, and the bar says so. The key holds
the edits as text (`model.edits.text`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from model.edits.activations import ALL, Patch
from model.edits.edit import Edit
from model.edits.parts import Scale
from model.edits.text import WrittenEdit, changes_something, parse, write
from model.errors import EditError, GlassformerError
from pages.shared.model_runs import model_turns
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state, substitutes
from pages.shared.session.keys import KEYS
from pages.shared.session.text_length import MAX_TOKENS
from views.shared import edit_words

if TYPE_CHECKING:
    from model import Model, Trace
    from model.config import TransformerConfig

MAX_EDITS = 8


@dataclass
class EditsOfModel:
    """The model for which the edits were `chosen`, with their text; and those that were `made` ready for a run, by the
    model's name, its state and the edit."""

    chosen: tuple[str, str] | None = None
    made: dict[tuple[str, str, Edit], Edit] = field(default_factory=dict)


def chosen() -> tuple[WrittenEdit, ...]:
    """The edits of the reader, also on a page that runs the whole model."""
    try:
        return parse(state.get("edits"))
    except EditError:
        return ()


def forget_of_other_model(name: str) -> None:
    """Forget the edits when the reader has chosen another model, unless they change with it."""
    now = (name, state.get("edits"))
    before = of_session(EditsOfModel).chosen or now
    if before[0] != name and before[1] == now[1]:
        state.put(edits="")
    keep_for(name)


def keep_for(name: str) -> None:
    """The edits are those of this model."""
    of_session(EditsOfModel).chosen = (name, state.get("edits"))


def is_applied(name: str) -> bool:
    """Whether this page runs an edited model, if there are edits: it is the reader's, and the page shows it."""
    return state.page() in KEYS["edits"].pages and substitutes.choice_of("model") == name


def of_model(name: str) -> tuple[WrittenEdit, ...]:
    """The edits of a model on this page; () where it is whole."""
    return chosen() if is_applied(name) else ()


def tensors() -> tuple[str, ...]:
    """The tensors that the account of an edited run needs, by their names on the tape."""
    return tuple(name for each in chosen() for name in each.tensors())


def edit(model: Model) -> Model:
    """The model as this page runs it. Edits that do not fit it are forgotten, and the page says so."""
    name = model.card.name
    if not state.get("edits") or not is_applied(name):
        return model
    _mend(model)
    edits = chosen()
    if not edits:
        return model
    from model.experiments.surgery import with_edits  # it needs torch, which is not loaded before a run is made

    return with_edits(model, _with_values(model, edits))


def _with_values(model: Model, edits: tuple[WrittenEdit, ...]) -> list[Edit]:
    """The edits, ready for a run. The session keeps them, since those of activations take runs of other sentences."""
    kept = of_session(EditsOfModel)
    made: dict[tuple[str, str, Edit], Edit] = {}
    for each in edits:
        key = (model.card.name, model.state, each)
        if key in kept.made:
            made[key] = kept.made[key]
        elif isinstance(each, Scale):
            made[key] = each
        else:
            from model.experiments.activation_edits import take  # it needs torch, as above

            with model_turns.forward_pass(runs=2):
                made[key] = take(each, model)
    kept.made = made
    return list(made.values())


def say_unused(trace: Trace) -> None:
    """A line below the bar for each edit of a token that the run has not."""
    for each in chosen():
        tokens = trace.source_tokens if each.stack == "encoder" and trace.source_tokens else trace.tokens
        if not isinstance(each, Scale) and isinstance(each.where, int) and each.where >= len(tokens):
            title = edit_words.title(each, bool(trace.source_tokens))
            bar_notes.add(f"{title}: this sentence has no such token, so it is whole.")


def fits(edit: WrittenEdit, model: Model) -> bool:
    """Whether the model has the part, can read the other sentences, and finds the token in them."""
    config = model.config
    if not edit.exists_in(config):
        return False
    if isinstance(edit, Scale):
        return True
    most = min(MAX_TOKENS, config.max_length)
    if not isinstance(edit, Patch):  # a difference; those of a translator are read by its encoder
        return edit.stack == config.stacks[0] and all(_count(model, text, most) for text in (edit.plus, edit.minus))
    count = _count(model, edit.text, most)
    if count and config.kind == "encoder-decoder" and edit.stack == "decoder":
        count = _count_written(model, edit.target or "", most)
    return count > 0 and (edit.where == ALL or (isinstance(edit.where, int) and edit.where < count))


def _count(model: Model, text: str, most: int) -> int:
    """The number of tokens of a sentence; 0 where the model cannot read it here."""
    try:
        count = len(model.tokens_of(text))
    except GlassformerError:
        return 0
    return count if count <= most else 0


def _count_written(model: Model, target: str, most: int) -> int:
    """The number of tokens that a translator's decoder reads, <SOS> among them; 0 where it cannot."""
    try:
        count = 1 + len(model.output_tokenizer.encode(target, add_special=False))
    except GlassformerError:
        return 0
    return count if count <= most else 0


def _mend(model: Model) -> None:
    edits = chosen()
    kept = [each for each in edits if fits(each, model)][:MAX_EDITS]
    if edits and len(kept) == len(edits):
        return
    what = "" if kept else " Nothing is edited."
    state.put(edits=write(kept))
    state.say("edits", f"The link edits parts that do not fit this model, or more than {MAX_EDITS}.{what}")


def toggle(text: str, config: TransformerConfig) -> None:
    """Mute a part, or undo an edit by its place. A text that names no part of the model changes nothing."""
    if any(each.place == text for each in chosen()):
        undo(text)
        return
    try:
        part = Scale.parse(text)
    except EditError:
        return
    if any(each.place == part.place for each in chosen()):
        undo(part.place)
    elif part.exists_in(config) and not why_refused(part):
        put(part)


def put(edit: WrittenEdit) -> None:
    """Make an edit, in the place of an earlier one of the same place. One that changes nothing undoes it."""
    others = [each for each in chosen() if each.place != edit.place]
    state.put(edits=write([*others, *([edit] if changes_something(edit) else [])]))


def undo(place: str) -> None:
    """Take an edit back."""
    state.put(edits=write(each for each in chosen() if each.place != place))


def why_refused(edit: WrittenEdit) -> str:
    """Why an edit has no room beside the others; "" if it has."""
    others = [each for each in chosen() if each.place != edit.place]
    if len(others) >= MAX_EDITS:
        return f"{MAX_EDITS} parts are edited: undo one in the run bar first."
    if len(write([*others, edit])) > KEYS["edits"].max_characters:
        return "The sentences of all edits are too long for a link: undo one in the run bar, or shorten them."
    return ""
