"""The same small language model trained five times, with five ways to say where a token stands."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.inputs.positions_parts import controls
from pages.shared import lesson, state, traces
from viz.positions import variants_figure
from viz.style import markdown_text, percent

VARIANTS = {
    "tiny-lm": "sinusoidal, added",
    "tiny-lm-concat": "sinusoidal, concatenated",
    "tiny-lm-learned": "learned table",
    "tiny-lm-rotary": "rotary",
    "tiny-lm-none": "none",
}


def show() -> None:
    """Their measured skills side by side; for those that are not here, the command that makes them."""
    st.subheader("Five models, five ways", anchor=False, divider="gray")
    cards = {card.name: card for card in traces.cards() if card.ready}
    here = {name: way for name, way in VARIANTS.items() if name in cards}
    missing = [name for name in VARIANTS if name not in cards]
    if here:
        metrics = {name: cards[name].details.get("metrics", {}) for name in here}
        skills = [skill for skill in next(iter(metrics.values())) if all(skill in each for each in metrics.values())]
        shares = {skill: [float(metrics[name][skill]) for name in here] for skill in skills}
        shares = {skill: values for skill, values in shares.items() if all(0 <= value <= 1 for value in values)}
        controls.chart(
            variants_figure(list(here.values()), shares, state.theme()),
            "variants",
            alt="Skills of the position variants, as shares of held-out questions answered rightly.",
        )
        lesson.caption(_what_to_see(list(here.values()), shares))
        st.dataframe(pd.DataFrame(shares, index=list(here.values())))
    if missing:
        commands = "\n".join(f"python -m model.train {name}" for name in missing)
        st.info(f"{len(missing)} of the five are not here yet. These commands train them:")
        st.code(commands, language="bash")


def _what_to_see(ways: list[str], shares: dict[str, list[float]]) -> str:
    if not shares or len(ways) < 2:
        return "Each bar is a share of held-out questions that the model answers rightly."
    gaps = {skill: max(values) - min(values) for skill, values in shares.items()}
    widest = max(gaps, key=lambda skill: gaps[skill])
    values = shares[widest]
    best, worst = ways[values.index(max(values))], ways[values.index(min(values))]
    return (
        f"Same data, same size, same steps. They differ most in “{markdown_text(widest)}”: {percent(max(values))} with "
        f"{best} positions, {percent(min(values))} with {worst}."
    )
