"""Which translator: a bundled one, or one that the reader has added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from model.numerals import large
from pages.shared.elements import layout
from pages.shared.model_runs import model_choice, traces
from viz.shared.style import markdown_text, percent

if TYPE_CHECKING:
    from model import Card


def choose(card: Card) -> None:
    """Where there are several translators, draw the choice among them, and say which is which. The bar has it too."""
    here = [each for each in traces.cards() if each.kind == "encoder-decoder" and each.ready]
    if len(here) < 2:
        return
    titles = {each.name: each.title for each in here}
    key = f"translator {card.name}"  # of this model, so that a choice in the bar is shown here too
    st.segmented_control(
        "Translator",
        tuple(titles),
        default=card.name if card.name in titles else None,
        key=key,
        format_func=lambda name: titles[name],
        required=card.name in titles,
        on_change=_take,
        args=(key,),
    )
    layout.caption(" ".join(_describe(each) for each in here))


def offer_better(card: Card) -> None:
    """A button with the translator that gets the most everyday sentences right, unless it is this one."""
    measured = [each for each in traces.cards() if each.ready and "everyday" in each.details]
    best = max((card, *measured), key=_share_right)
    if best.name == card.name:
        return
    st.button(
        f"Ask {markdown_text(best.title)}: of everyday sentences it gets {percent(_share_right(best))} right, "
        f"this one {percent(_share_right(card))}",
        on_click=model_choice.take,
        args=(best.name,),
        type="tertiary",
        key="translate better",
    )


def _share_right(card: Card) -> float:
    """The share of the everyday sentences that a translator gets right, by its card; 0 where nobody measured it."""
    found = card.details.get("everyday")
    return found["right"] / found["sentences"] if found else 0.0


def _take(key: str) -> None:
    model_choice.take(st.session_state[key])


def _describe(card: Card) -> str:
    """Where a translator comes from, its size, and how well it does everyday sentences."""
    own = card.is_added or card.in_memory
    origin = f"was added: {markdown_text(card.source)}" if own else f"was trained here. {markdown_text(card.about)}"
    size = f"{card.layers} layers, {large(card.parameters)} parameters"
    share = _share_right(card)
    known = f"; {percent(share)} of everyday sentences right" if share else ""
    return f"**{markdown_text(card.title)}** {origin.rstrip('.')}: {size}{known}."
