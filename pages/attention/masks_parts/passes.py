"""One masked pass gives the predictions of T separate passes: the same numbers, in less time."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from model.analysis.head_steps import final_name
from model.experiments import causality
from model.experiments.causality import PassComparison
from model.numerals import milliseconds
from pages.attention.masks_parts import decoders, pass_timings
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.run import Run
from views.shared import quotes
from viz.attention.masks import passes_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number
from viz.shared.tokens import words

COUNT = "the number of predictions"
PROMPTS = (
    layout.Prompt(
        "Palaskos's sentence",
        "Nine tokens, nine predictions, one pass.",
        {"text": "The quick brown fox jumps over the lazy dog"},
        claim=Claim(COUNT, "is", 9),
    ),
    layout.Prompt(
        "A short one",
        "With few tokens there are few passes to save.",
        {"text": "I am a robot"},
        claim=Claim(COUNT, "under", 9),
    ),
)


def show(depth: str) -> None:
    if depth == "Code":
        _show_code()
        return
    if depth == "Formula":
        _show_formula()
        return
    run = traces.current(keep=())
    if not decoders.has_decoder(run, "It predicts nothing from prefixes."):
        return
    _show_timings(run, pass_timings.measure_once(run), depth == "Numbers")
    layout.try_this(*PROMPTS)


def _show_code() -> None:
    layout.code(causality.masked_pass, causality.separate_passes)


def _show_timings(run: Run, timings: PassComparison, numbers: bool) -> None:
    table = _table(run, timings)
    count, total = len(timings.seconds), sum(timings.seconds)
    claims.tell(COUNT, count)
    figure = passes_figure(range(1, count + 1), timings.seconds, timings.together, state.theme())
    if numbers:
        st.dataframe(table, hide_index=True)
    else:
        alt = describe_figure("Time of the separate passes and of the single one", figure)
        figures.chart(figure, key="masks passes", alt=alt)
        st.dataframe(table[["given", "next token", "largest difference"]], hide_index=True, height="content")
    layout.caption(
        f"{count:,} passes over growing prefixes took {milliseconds(total)}, one masked pass "
        f"{milliseconds(timings.together)}, {number(total / timings.together, 1)} times less; measured once on this "
        f"server, so times vary. All logits agree to {number(max(timings.differences))}, and {sum(timings.agree):,} of "
        f"{len(timings.agree):,} next tokens are the same."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        pass_timings.offer_more(run)
        st.button("Measure again", on_click=pass_timings.forget, icon=":material/refresh:", type="tertiary")
    figures.export(f"{run.name}-passes", figure, lambda: table.to_dict("records"))


def _show_formula() -> None:
    layout.equation(
        r"u_t(x_0 \dots x_{T-1}) = u_t(x_0 \dots x_t) \quad \text{for } t = 0 \dots T - 1",
        "Palaskos (2022), section 3.9",
        {
            "u_t": "the logits after token t, counted from 0. Under the causal mask they do not depend on what comes "
            "later",
        },
    )
    run = traces.current(keep=lambda config: (final_name(config, config.stacks[-1]),))
    if decoders.has_decoder(run, "It predicts nothing from prefixes."):
        _work_out_logit(run)


def _work_out_logit(run: Run) -> None:
    """The largest logit half way through the sentence, computed from the whole sentence and from its first half."""
    ids, source = ([token.id for token in tokens] for tokens in (run.trace.tokens, run.trace.source_tokens))
    half = (len(ids) + 1) // 2
    final, network = final_name(run.model.config, "decoder"), run.model.on_cpu.network
    half_run = traces.trace_ids(run.model, tuple(ids[:half]), final, tuple(source))
    alone, together = (network.logits(trace[final][half - 1]) for trace in (half_run, run.trace))  # (vocabulary,)
    best = int(alone.argmax())
    token = quotes.quote(words(run.model.output_tokenizer.tokens([best]))[0])
    layout.work_out(
        f"For t = {half - 1} and T = {len(ids)}, the logit of {token}, its largest, and the difference over all "
        f"{len(alone):,} logits:",
        rf"u_{{{half - 1}}}(x_0 \dots x_{{{len(ids) - 1}}}) = {quotes.tex(float(together[best]), 5)}, \qquad "
        rf"u_{{{half - 1}}}(x_0 \dots x_{{{half - 1}}}) = {quotes.tex(float(alone[best]), 5)}, \qquad "
        rf"\lVert \Delta u \rVert_\infty = {quotes.tex(float((together - alone).abs().max()), 7)}",
    )


def _table(run: Run, timings: PassComparison) -> pd.DataFrame:
    """One row for each prefix: its last words, the next token, the difference of the logits, the time."""
    tokens = words(run.trace.tokens[: len(timings.seconds)])
    return pd.DataFrame(
        {
            "given": [_end_of(tokens[: length + 1]) for length in range(len(tokens))],
            "next token": words(run.model.output_tokenizer.tokens(timings.next_tokens)),
            "same in one pass": timings.agree,
            "largest difference": timings.differences,
            "milliseconds": [1000 * seconds for seconds in timings.seconds],
        }
    )


def _end_of(tokens: list[str]) -> str:
    """All tokens of a short prefix, or the last five of a longer one."""
    return " ".join(tokens) if len(tokens) <= 6 else "… " + " ".join(tokens[-5:])
