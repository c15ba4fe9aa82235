"""Patching: the patched run of the opened cell, as the run of every page."""

from __future__ import annotations

import streamlit as st

from model.edits.activations import ALL, Patch
from model.experiments.sentence_pair import Site
from pages.shared.model_runs import edited_parts
from pages.shared.session import state
from views.models.why.patched_answer import PatchedAnswer
from views.models.why.question import Question

INSIDE = "The run bar holds outputs of heads, but not their queries, keys, values and patterns: patch “heads” for it."


def part_of(site: Site, layer: int, row: int, text: str, target: str = "") -> Patch:
    """The edit that puts one cell of a patching into a run: a head at all tokens, or a sublayer at one token."""
    if site.is_of_heads:
        return Patch(site.name(layer), ALL, text, row, target)
    return Patch(site.name(layer), row, text, target=target)


def offer(view: PatchedAnswer) -> None:
    """A button that makes the patched run of the cell that of the run bar."""
    if view.patched is None or view.cell is None:
        return
    asked = view.asked
    part = part_of(view.site, *view.cell, asked.run.text, _target(asked))
    trouble = _trouble(asked, part) if view.site.is_output else INSIDE
    st.button(
        "See this run on every page",
        key="why see run",
        icon=":material/open_in_full:",
        on_click=_see,
        args=(part, view.patched.other, view.patched.patching.tokens, asked.position),
        disabled=bool(trouble),
        help=trouble or "The run bar then has the other sentence, with this part of yours in it, and undoes both.",
    )


def _target(asked: Question) -> str:
    """What the decoder of a translator reads, as text; "" for a model without an encoder."""
    if not asked.run.trace.source_tokens:
        return ""
    return asked.run.target or asked.run.model.output_tokenizer.decode([each.id for each in asked.run.trace.tokens[1:]])


def _trouble(asked: Question, part: Patch) -> str:
    """Why other pages cannot show the run; "" if they can."""
    if asked.run.edits:
        return "The run is edited, and a patch takes parts of a whole one: undo the edits in the run bar first."
    if not edited_parts.fits(part, asked.run.model):
        return "A link cannot hold this place."
    if part.target:
        again = asked.run.model.output_tokenizer.encode(part.target, add_special=False)
        if [each.id for each in again] != [each.id for each in asked.run.trace.tokens[1:]]:
            return "The translation, read as a text, has other tokens than those that the model wrote."
    return edited_parts.why_refused(part)


def _see(part: Patch, other: str, tokens: tuple[int, ...], position: int) -> None:
    """The other sentence in the run bar, with the part of this one. The page accounts for the lead that was patched."""
    edited_parts.put(part)
    state.put(text=other, target=part.target, why_text2=part.text, why_part="account", query=position)
    answer, against = (*tokens, -1)[:2]
    state.put(why_answer=answer, why_against=against, why_opened="", why_cell=())
