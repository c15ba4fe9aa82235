"""The same small language model, trained five times with five kinds of positions."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from pages.inputs.positions_parts import controls
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from viz.inputs.positions import variants_figure
from viz.shared.style import markdown_text, number, percent

if TYPE_CHECKING:
    from model import Card

VARIANTS = {
    "tiny-lm": "sinusoidal",
    "tiny-lm-concat": "concatenated",
    "tiny-lm-learned": "learned",
    "tiny-lm-rotary": "rotary",
    "tiny-lm-none": "none",
}
Skills = dict[str, tuple[list[float], list[float]]]  # shares of right answers: words in order, and shuffled
SHUFFLED = "_shuffled"  # the end of a skill's name when the words of its text are shuffled


def show() -> None:
    """Show the measured skills of the five models, and the commands that train the missing ones."""
    st.subheader("Five models, five ways", anchor=False, divider="gray")
    ready = {card.name: card for card in traces.cards() if card.ready}
    here = {way: ready[name] for name, way in VARIANTS.items() if name in ready}
    missing = [name for name in VARIANTS if name not in ready]
    if here:
        _show_comparison(here)
    if missing:
        st.info(f"{len(missing)} of the five are not here. These commands train them:")
        st.code("\n".join(f"python -m model.train {name}" for name in missing), language="bash", wrap_lines=True)


def _show_comparison(here: dict[str, Card]) -> None:
    """Compare the models in `here`: cards by kind of positions. Their numbers are from the end of training."""
    metrics = {way: card.details["metrics"] for way, card in here.items()}
    first = next(iter(metrics.values()))
    names = [name for name in first if all({name, name + SHUFFLED} <= each.keys() for each in metrics.values())]
    skills: Skills = {
        name: (
            [float(each[name]) for each in metrics.values()],
            [float(each[name + SHUFFLED]) for each in metrics.values()],
        )
        for name in names
    }
    figure = variants_figure(list(here), skills, state.theme())
    controls.chart(
        figure,
        "variants",
        alt="Skills of the position variants, with the words in order and shuffled, as shares of questions.",
    )
    within, beyond = (
        {way: float(each.get(key, math.nan)) for way, each in metrics.items()} for key in ("loss", "loss_beyond")
    )
    layout.caption(_explain(skills, list(here), beyond))
    limit = next(iter(here.values())).details.get("training_length", "the training length in")
    table = pd.DataFrame(
        {
            "positions": list(here),
            "parameters": [card.parameters for card in here.values()],
            f"loss up to {limit} tokens": list(within.values()),
            f"loss past {limit} tokens": list(beyond.values()),
        }
    )
    st.dataframe(table, hide_index=True)
    focus = ("positions variants", "positions order")  # The second picture of the part on order.
    figures.export("position-variants", figure, partial(_rows, table, skills), focus)


def _rows(table: pd.DataFrame, skills: Skills) -> list[dict[str, Any]]:
    """One row for each model: its losses, and its share of right answers in each skill."""
    shares = {
        f"{name}, {how}": values[place]
        for name, values in skills.items()
        for place, how in enumerate(("in order", "shuffled"))
    }
    return [dict(row) for row in table.assign(**shares).to_dict("records")]


def _explain(skills: Skills, ways: list[str], beyond: dict[str, float]) -> str:
    drops = {name: max(ordered) - min(shuffled) for name, (ordered, shuffled) in skills.items()}
    hardest = max(drops, key=lambda name: drops[name])
    ordered, shuffled = skills[hardest]
    means = {way: sum(values[0][i] for values in skills.values()) / len(skills) for i, way in enumerate(ways)}
    text = (
        f"Same corpus, same recipe. Shuffle the words, and “{markdown_text(hardest)}” falls from "
        f"{percent(max(ordered))} to {percent(min(shuffled))}: order matters to the answer. "
    )
    if len(ways) < 2:
        return text
    best, worst = max(means, key=lambda way: means[way]), min(means, key=lambda way: means[way])
    far = min(beyond, key=lambda way: beyond[way])
    text += (
        f"In order, {best} positions do best ({percent(means[best])} of all questions), {worst} worst "
        f"({percent(means[worst])}); past the training length, the loss is lowest with {far} "
        f"({number(beyond[far], 2)} nats)."
    )
    if "none" in means:
        text += (
            f" Without positions the model still answers {percent(means['none'])}: the causal mask alone lets a "
            "decoder tell early from late. An encoder has no such help."
        )
    return text
