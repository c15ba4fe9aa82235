"""One masked pass gives the predictions of T separate passes: the same numbers, in less time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st
import torch

from pages.attention.masks_parts import decoders
from pages.shared import figures, layout, state, traces
from pages.shared.traces import Run
from viz.attention.masks import passes_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number
from viz.shared.tokens import words

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

AT_ONCE = 12  # up to so many tokens are measured without being asked
MOST = 64  # tokens that are measured
PROMPTS = (
    layout.Prompt(
        "Palaskos's sentence",
        "Nine tokens, nine predictions, one pass.",
        {"text": "The quick brown fox jumps over the lazy dog"},
    ),
    layout.Prompt("A short one", "With few tokens there is little to save.", {"text": "I am a robot"}),
)


@dataclass(frozen=True)
class PassTimings:
    """Both ways over one sentence: seconds of each separate pass and of the single one, and the logits' difference."""

    seconds: tuple[float, ...]
    together: float
    differences: tuple[float, ...]
    next_tokens: tuple[int, ...]  # the likeliest after every prefix, by the separate passes
    agree: tuple[bool, ...]  # whether the single pass has the same


def show(depth: str) -> None:
    from model.experiments import causality

    if depth == "Code":
        layout.code(causality.masked_pass, causality.separate_passes)
        return
    if depth == "Formula":
        layout.equation(
            r"u_t(x_1 \dots x_T) = u_t(x_1 \dots x_t) \quad \text{for } t = 1 \dots T",
            "Palaskos (2022), section 3.9",
            {"u_t": "the logits after token t: under the causal mask they do not depend on what comes later"},
        )
        _worked()
        return
    run = traces.current(keep=())
    if not decoders.needed(run, "It predicts nothing from prefixes."):
        return
    found = _measured(run)
    if found is None:
        layout.try_this(*PROMPTS)
        return
    table = _table(run, found)
    figure = passes_figure(range(1, len(found.seconds) + 1), found.seconds, found.together, state.theme())
    if depth == "Numbers":
        st.dataframe(table, hide_index=True)
    else:
        alt = describe_figure("Time of the separate passes and of the single one", figure)
        figures.chart(figure, key="masks passes", alt=alt)
        st.dataframe(table[["given", "next token", "largest difference"]], hide_index=True, height="content")
    total = sum(found.seconds)
    layout.caption(
        f"{len(found.seconds)} passes over growing prefixes took {1000 * total:.0f} ms, one masked pass "
        f"{1000 * found.together:.0f} ms, {total / found.together:.1f} times less; measured once on this server, so "
        f"times "
        f"vary. All logits agree to {number(max(found.differences))}, and {sum(found.agree)} of {len(found.agree)} "
        "next tokens are the same."
    )
    st.button("Measure again", on_click=_forget, icon=":material/refresh:", type="tertiary")
    figures.export(f"{run.name}-passes", figure, lambda: table.to_dict("records"))
    layout.try_this(*PROMPTS)


def _worked() -> None:
    """The largest logit half way through the sentence, from the whole and from the words so far."""
    run = traces.current(keep="logits")
    if not decoders.needed(run, "It predicts nothing from prefixes."):
        return
    ids, source = ([token.id for token in tokens] for tokens in (run.trace.tokens, run.trace.source_tokens))
    read = (len(ids) + 1) // 2
    alone = traces.trace_ids(run.name, tuple(ids[:read]), "logits", tuple(source)).logits[-1]
    together = run.trace.logits[read - 1]
    best = int(alone.argmax())
    token = layout.quote(words(run.model.output_tokenizer.tokens([best]))[0])
    layout.work_out(
        f"For t = {read} of T = {len(ids)}, the logit of {token}, its largest, and the difference over all "
        f"{len(alone):,} logits:",
        rf"u_{{{read}}}(x_1 \dots x_{{{len(ids)}}}) = {layout.tex(float(together[best]), 5)}, \qquad "
        rf"u_{{{read}}}(x_1 \dots x_{{{read}}}) = {layout.tex(float(alone[best]), 5)}, \qquad "
        rf"\lVert \Delta u \rVert_\infty = {layout.tex(float((together - alone).abs().max()), 7)}",
    )


def _ask(what: tuple[str, str, str]) -> None:
    st.session_state["_masks_asked"] = what


def _forget() -> None:
    st.session_state.pop("_masks_passes", None)


def _measured(run: Run) -> PassTimings | None:
    """What was measured for this sentence, measured now if it is short or the reader asks for it."""
    slot = st.empty()  # also where nothing is measured: what is below must not move
    tokens = run.trace.tokens
    now = (run.name, run.text, run.target)
    kept = st.session_state.get("_masks_passes")
    if kept is not None and kept[0] == now:
        return kept[1]
    if len(tokens) > MOST:
        st.info(f"The sentence has {len(tokens)} tokens; up to {MOST} are measured here. Shorten it.")
        return None
    if len(tokens) > AT_ONCE and st.session_state.get("_masks_asked") != now:
        st.button(f"Run {len(tokens)} passes", type="primary", on_click=_ask, args=(now,))
        layout.caption(f"{len(tokens)} passes take a while: they start when you ask for them.")
        return None
    found = _measure(run, slot)
    st.session_state["_masks_passes"] = (now, found)
    return found


def _measure(run: Run, slot: DeltaGenerator) -> PassTimings:
    from model.experiments.causality import masked_pass, separate_passes

    tokens, source = run.trace.tokens, run.trace.source_tokens
    with slot.container():
        bar = st.progress(0.0, text="One masked pass")
        st.button("Stop", on_click=state.put, kwargs={"masks_part": "panels"}, key="masks stop")
    with traces.forward_pass():
        masked_pass(run.model, tokens, source)  # the first run of a length also warms up
        together, seconds = masked_pass(run.model, tokens, source)
        passes = []
        for each in separate_passes(run.model, tokens, source):
            passes.append(each)
            bar.progress(each.length / len(tokens), text=f"Pass {each.length} of {len(tokens)}")
    slot.empty()
    alone = torch.stack([each.logits for each in passes])
    return PassTimings(
        tuple(each.seconds for each in passes),
        seconds,
        tuple((alone - together).abs().amax(-1).tolist()),
        tuple(alone.argmax(-1).tolist()),
        tuple((alone.argmax(-1) == together.argmax(-1)).tolist()),
    )


def _table(run: Run, found: PassTimings) -> pd.DataFrame:
    """One row a prefix: what was given, what comes next, the difference of the logits, the time."""
    given = words(run.trace.tokens)
    return pd.DataFrame(
        {
            "given": [
                " ".join(given[: i + 1][-6:]) if i < 6 else "… " + " ".join(given[i - 4 : i + 1])
                for i in range(len(given))
            ],
            "next token": words(run.model.output_tokenizer.tokens(found.next_tokens)),
            "same in one pass": found.agree,
            "largest difference": found.differences,
            "milliseconds": [round(1000 * seconds, 1) for seconds in found.seconds],
        }
    )
