"""What the translator gets wrong: everyday sentences written apart from its training, and how well it knows itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from model.analysis.confidence import wilson_interval
from model.zoo import cards
from pages.models.translate_parts import trust
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import figures, layout
from pages.shared.session import state
from viz.models.reliability import reliability_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number, percent

MEASURED = "en-ur"  # the translator that is judged where the run bar's is not
COMMAND = "python -m model.train en-ur --everyday tests/model/train/everyday/sentences.txt --store"
FEW = 10  # sentences of a range, below which its share says little


def show(pair: Pair, depth: str) -> None:
    card = pair.run.model.card if "everyday" in pair.run.model.card.details else cards.card(MEASURED)
    if "everyday" not in card.details or "confidence" not in card.details:
        st.info(f"Nobody has measured yet what {markdown_text(card.title)} gets wrong. Measure it: `{COMMAND}`")
        return
    if card.name != pair.run.model.card.name:
        st.markdown(f"Nobody has judged the translator of the run bar. Below is **{markdown_text(card.title)}**.")
    found = card.details["everyday"]
    st.markdown(_say_share(found))
    ranges = card.details["confidence"]["reliability"]
    points = reliability_points(ranges)
    assessed = trust.assess(pair)
    figure = reliability_figure(points, assessed.sure if assessed else None, theme=state.theme())
    rows = [_row(each) for each in ranges]
    if depth == "Numbers":
        st.dataframe(rows, hide_index=True)
    else:
        alt = describe_figure("How often it was right against how sure it was", figure)
        figures.chart(figure, key="translate reliability", alt=alt)
    layout.caption(_what_to_see(points, card.details["confidence"]["how"]))
    figures.export("translation-reliability", figure, lambda: rows)
    st.subheader(f"All {len(found['misses'])} sentences that it gets wrong", anchor=False)
    misses = [_miss(each) for each in found["misses"]]
    with st.container(key="translate misses"):
        st.dataframe(misses, hide_index=True, height=420)
    layout.caption(found["how"])
    figures.export_table("translation-misses", lambda: misses)


def reliability_points(ranges: list[Mapping[str, Any]]) -> list[tuple[float, float, float, float, int]]:
    """(confidence, share, low, high, sentences) of each range that has a sentence."""
    return [
        (each["confidence"], share, *wilson_interval(share, each["sentences"]), each["sentences"])
        for each in ranges
        if each["sentences"]
        for share in (each["right"] / each["sentences"],)
    ]


def _say_share(found: Mapping[str, Any]) -> str:
    right, count = found["right"], found["sentences"]
    low, high = wilson_interval(right / count, count)
    return (
        f"Of **{count} everyday sentences**, such as ordinary people type, **{right}** come out right: "
        f"{percent(right / count)}. Of all such sentences it is probably {percent(low)} to {percent(high)}. "
        f"It knows every word of {found['of_known_words']} of them, and gets {found['right_of_known_words']} of these "
        f"right. chrF, which also counts parts of words, is {number(found['chrf'], 1)} of 100."
    )


def _row(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "confidence from": each["from"],
        "to": each["to"],
        "mean": each["confidence"],
        "sentences": each["sentences"],
        "right": each["right"],
        "everyday sentences among them": each["everyday"],
        "right of these": each["everyday_right"],
    }


def _miss(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "topic": each["topic"],
        "English": each["english"],
        "it wrote": each["written"],
        "right would be": each["reference"],
        "unknown words": each["unknown"],
    }


def _what_to_see(points: list[tuple[float, float, float, float, int]], how: str) -> str:
    many = [point for point in points if point[4] >= FEW]
    gap = max((abs(sure - share) for sure, share, *_ in many), default=0.0)
    return (
        f"On the dotted line it is right as often as it is sure. In the ranges with at least {FEW} sentences it is at "
        f"most {percent(gap)} off. The bars hold the true share 95 times of 100 (Wilson 1927). {how}"
    )
