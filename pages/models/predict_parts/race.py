"""The KV cache race: the same tokens with and without the cache, counted by formula and timed on this machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from model.cost.cache_race import race_steps, time_steps
from model.numerals import milliseconds
from pages.components import inference_mounts
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import figures, layout
from pages.shared.model_runs import model_turns
from pages.shared.server import limits, rate_limits
from pages.shared.server.session_values import of_session
from viz.models.predict import pack_race, race_figure
from viz.shared.style import number
from viz.shared.tokens import words

TITLES = {True: "With the KV cache", False: "Without"}


@dataclass
class RaceSession:
    """The model and the tokens that are to be measured, and those that were, with each step's seconds by `cache`."""

    wanted: tuple[str, tuple[int, ...]] | None = None
    timed: tuple[str, tuple[int, ...]] | None = None
    times: dict[bool, list[float]] = field(default_factory=dict)


def show(written: Continuation, depth: str) -> None:
    steps = len(written.path)
    if not steps:
        st.info("Write at least one token first: the race repeats what was written.")
        return
    key = (written.run.name, written.ids)
    st.button("Measure both on this machine", icon=":material/timer:", on_click=_request_measurement, args=(key,))
    session = of_session(RaceSession)
    if session.wanted == key:
        rate_limits.spend(limits.TOKENS, 2 * steps)
    wanted, session.wanted = session.wanted, None
    if wanted == key:
        _measure(written, key)
    times = session.times if session.timed == key else {}
    config, prompt = written.run.model.config, len(written.prompt)
    sides: list[dict[str, Any]] = []
    for cache in (True, False):
        counts = race_steps(config, prompt, steps, cache)
        rows: list[dict[str, Any]] = [
            {
                "computed": step.computed,
                "reused": step.reused,
                "multiplications": step.multiplications,
                "bytes": step.cache_bytes,
            }
            for step in counts
        ]
        for row, duration in zip(rows, times.get(cache, ()), strict=False):
            row["seconds"] = duration
        sides.append({"title": TITLES[cache], "steps": rows})
    if depth == "Numbers":
        st.dataframe(_table(sides), hide_index=True)
    else:
        identity = repr((key, bool(times)))
        data = pack_race(words(written.trace.tokens), prompt, sides, identity=identity)
        inference_mounts.race(data, key="predict race")
    layout.caption(_what_to_see(sides, times))
    figures.export("cache-race", partial(race_figure, sides), partial(_table, sides))


def _table(sides: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for i in range(len(sides[0]["steps"])):
        row: dict[str, Any] = {"step": i + 1}
        for side in sides:
            row |= {f"{name}, {side['title'].lower()}": value for name, value in side["steps"][i].items()}
        rows.append(row)
    return rows


def _request_measurement(key: tuple[str, tuple[int, ...]]) -> None:
    of_session(RaceSession).wanted = key


def _measure(written: Continuation, key: tuple[str, tuple[int, ...]]) -> None:
    """Times each step of both generations, one generation after the other. A click elsewhere stops it."""
    network, steps = written.run.model.network, len(written.path)
    prompt = [token.id for token in written.prompt]
    times: dict[bool, list[float]] = {}
    tokens: dict[bool, list[int]] = {}
    bar = st.progress(0.0)
    for cache in (True, False):
        times[cache], tokens[cache] = [], []
        timed = time_steps(network, prompt, steps, cache)
        for step in range(1, steps + 1):
            with model_turns.forward_pass(runs=0, measured=True):
                chosen, seconds = next(timed)
            times[cache].append(seconds)
            tokens[cache].append(chosen)
            bar.progress(step / steps, text=f"{TITLES[cache]}: token {step} of {steps}")
    bar.empty()
    same = "the same tokens" if tokens[True] == tokens[False] else "different tokens"
    st.toast(f"Both wrote {same}.", icon=":material/check:")
    session = of_session(RaceSession)
    session.timed, session.times = key, times


def _what_to_see(sides: list[dict[str, Any]], times: dict[bool, list[float]]) -> str:
    products = [sum(row["multiplications"] for row in side["steps"]) for side in sides]
    text = f"Without the cache the same tokens cost {number(products[1] / products[0], 1)} times the multiplications"
    if times:
        slow, fast = sum(times[False]), sum(times[True])
        text += f" and took {number(slow / fast, 1)} times as long ({milliseconds(slow)} against {milliseconds(fast)})"
    return text + ". Both take the likeliest token at full width, step by step; the first step reads the whole text."
