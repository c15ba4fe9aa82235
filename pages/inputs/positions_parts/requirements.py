"""The requirements for positions, checked live for five schemes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from model.arrays import Array
from model.experiments import position_schemes
from model.experiments.position_schemes import REQUIREMENTS, Check, Scheme
from pages.inputs.positions_parts import controls
from pages.inputs.positions_parts.distance import find_learned_table
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state
from viz.inputs.position_schemes import checks_figure, counter_figure, scheme_figure
from viz.shared.style import markdown_text, number

FOCUS = ("positions schemes",)  # the container of both pictures
SCHEMES = {
    "counter": "Plain counter",
    "normalised": "Normalised counter",
    "sinusoidal": "Sinusoidal",
    "learned": "Learned table",
    "rotary": "Rotary",
}
MAX_DRAWN_FEATURES = 64  # drawn of a learned table
FAILS = "missing"  # what is told of a requirement
SHORT_NAMES = {
    "unique": "Unique",
    "bounded": "Bounded",
    "deterministic": "Deterministic",
    "consistent": "Distances consistent",
    "extends": "Extends",
}


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(position_schemes.check, *position_schemes.CHECKS.values())
    elif depth == "Formula":
        _show_formula()
    else:
        _show_checks(numbers=depth == "Numbers")
    layout.try_this(
        layout.Prompt(
            "Why not simply count?",
            "Values grow with the sentence.",
            {"positions_check": "counter"},
            claim=Claim(SHORT_NAMES["bounded"], "is", FAILS),
            at=FOCUS[0],
        ),
        layout.Prompt(
            "Why not divide by the length?",
            "Then a step of one word means less in a longer sentence.",
            {"positions_check": "normalised"},
            claim=Claim(SHORT_NAMES["consistent"], "is", FAILS),
            at=FOCUS[0],
        ),
        layout.Prompt(
            "Where a table ends",
            "There is no vector after its last row.",
            {"positions_check": "learned"},
            claim=Claim(SHORT_NAMES["extends"], "is", FAILS),
            at=FOCUS[0],
        ),
    )


def _show_checks(numbers: bool) -> None:
    bar, below = controls.bar()
    with bar:
        lengths = controls.length("positions_trained", least=4, most=128)
        d, base, trained = controls.row(below, controls.width(most=256), controls.base(), lengths)
    schemes = _make_schemes(d, base)
    results = {name: position_schemes.check(scheme, trained) for name, scheme in schemes.items()}
    holds = np.array([[each.passed for each in checks] for checks in results.values()])
    measured = np.array([[each.measured for each in checks] for checks in results.values()])
    draw = partial(checks_figure, holds, measured, [SCHEMES[name] for name in results], list(SHORT_NAMES.values()))
    if numbers:
        st.dataframe(pd.DataFrame(_rows(results)), hide_index=True)
        figures.export("positions-requirements", draw, partial(_rows, results), holds=holds, measured=measured)
        return
    state.checked_choice("positions_check", tuple(schemes), "Scheme", "sinusoidal")
    with st.container(key=FOCUS[0]):
        st.markdown(_write_table(results))
        layout.caption(
            f"Measured now, on sentences of up to {trained} tokens and longer ones. The number beside each sign "
            "decides. “Extends” means only that the vectors stay familiar: whether a trained model copes is another "
            "matter."
        )
        rows = partial(_rows, results)
        figures.export("positions-requirements", draw, rows, FOCUS, holds=holds, measured=measured)
        chosen = controls.choose("Scheme", "positions_check", {name: SCHEMES[name] for name in schemes}, collapsed=True)
        _show_strip(schemes[chosen], trained)
    _show_scheme(schemes[chosen], results[chosen], trained)


def _rows(results: dict[str, tuple[Check, ...]]) -> list[dict[str, Any]]:
    """One row for each scheme and requirement."""
    return [
        {
            "scheme": SCHEMES[name],
            "requirement": SHORT_NAMES[each.requirement],
            "holds": each.passed,
            "measured": each.measured,
            "what": each.finding,
        }
        for name, checks in results.items()
        for each in checks
    ]


def _make_schemes(d: int, base: float) -> dict[str, Scheme]:
    """The five schemes by name. The learned table is that of a trained model, and is left out if there is none."""
    schemes = {
        "counter": position_schemes.counter(),
        "normalised": position_schemes.normalised_counter(),
        "sinusoidal": position_schemes.sinusoidal_scheme(d, base),
    }
    table = find_learned_table(traces.current(keep="*embed.*"))
    if table is not None:
        schemes["learned"] = position_schemes.learned_scheme(table[1])
    return schemes | {"rotary": position_schemes.rotary_scheme(d, base)}


def _write_table(results: dict[str, tuple[Check, ...]]) -> str:
    """A Markdown table of schemes by requirements: a sign, and the number that decides."""
    lines = [["", *SHORT_NAMES.values()], [":---", *[":---:"] * len(SHORT_NAMES)]]
    for name, checks in results.items():
        lines.append([f"**{SCHEMES[name]}**", *(f"{_sign(each)} {number(each.measured, 2)}" for each in checks)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _sign(check: Check) -> str:
    return ":green[:material/check:]" if check.passed else ":red[:material/close:]"


def _draw_strip(scheme: Scheme, trained: int) -> tuple[Figure, Array]:
    """The vectors of a scheme, in sentences of up to twice `trained` tokens, as a picture and as (places, features)."""
    count = 2 * trained
    values = scheme.all(min(count, scheme.longest or count))[:, :MAX_DRAWN_FEATURES].numpy()
    training_length = trained if scheme.longest is None else min(trained, scheme.longest)
    if values.shape[1] == 1:  # one number a place: its size says more than a colour
        shorter = scheme.all(trained)[:, 0].numpy()
        return counter_figure(shorter, values[:, 0], state.theme()), values
    return scheme_figure(values, training_length, state.theme()), values


def _show_strip(scheme: Scheme, trained: int) -> None:
    figure, values = _draw_strip(scheme, trained)
    controls.chart(figure, "scheme", alt=f"{scheme.title}: the vectors of {len(values)} positions.")


def _show_scheme(scheme: Scheme, checks: tuple[Check, ...], trained: int) -> None:
    """Show the checks of a scheme on sentences of up to `trained` tokens, and the files of its picture."""
    figure, values = _draw_strip(scheme, trained)
    for each in checks:
        claims.tell(SHORT_NAMES[each.requirement], "holds" if each.passed else FAILS)
        st.markdown(
            f"{_sign(each)} **{SHORT_NAMES[each.requirement]}.** {REQUIREMENTS[each.requirement]} "
            f":gray[Measured: {markdown_text(each.finding)}: **{number(each.measured, 2)}**]"
        )
    rows = [
        {"requirement": each.requirement, "holds": each.passed, "measured": each.measured, "what": each.finding}
        for each in checks
    ]
    figures.export(f"positions-{scheme.title.lower().replace(' ', '-')}", figure, lambda: rows, FOCUS, positions=values)


def _show_formula() -> None:
    layout.equation(
        r"\text{counter: } p(t) = t \qquad \text{normalised: } p(t) = \frac{t}{L-1} \qquad "
        r"\text{sinusoidal: } p(t)_{2k,\,2k+1} = (\sin\omega_k t,\ \cos\omega_k t)",
        "Palaskos (2022), section 3.2; Bishop, ch. 12: the requirements",
        {"L": "the sentence's length, which changes the number of the same t"},
    )
    st.markdown("\n".join(f"- **{SHORT_NAMES[name]}.** {meaning}" for name, meaning in REQUIREMENTS.items()))
