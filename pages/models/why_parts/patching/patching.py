"""Why this word, Patching: what of the reader's sentence, put into the run of another one, brings the answer back?"""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from model import GlassformerError
from model.arrays import Array
from model.experiments import patching as code_of_patching
from model.experiments import sentence_pair
from model.experiments.second_sentence import swap_noun
from model.experiments.sentence_pair import Site, sites_of
from pages.models.why_parts.patching import patched_head, patched_run, runs
from pages.models.why_parts.patching.view import PatchingView
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import model_turns
from pages.shared.session import state
from pages.shared.session.keys import KEYS, MAX_CHARACTERS
from views.models.why.question import Question, likeliest
from views.shared import long_text, quotes
from viz.models.patching import next_tokens_figure, patching_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number

BROUGHT_BACK = "the most that one part brings back"
LIKELIEST = 3  # tokens of each run, beside the answer and its rival
CHART = {"displayModeBar": False}
Maps = dict[str, Array]  # (layers, columns) each, by their titles


def show(asked: Question, depth: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = _choose_sentence(asked)
        site = _choose_site(asked)
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    if depth == "Code":
        layout.code(code_of_patching.Patching, sentence_pair.record_pair)
        return
    if not text:
        st.info(
            "Type a second sentence with as many tokens, which changes the answer: another name, another country, one "
            "instead of many."
        )
        return
    try:
        view = runs.measure(asked, text, site, row)
    except GlassformerError as error:
        st.warning(markdown_text(str(error)), icon=":material/info:")
        return
    cell = _read_cell(view)
    if depth == "Formula":
        _formula(view, cell)
    else:
        _show(view, cell, depth == "Numbers")


def _choose_sentence(asked: Question) -> str:
    """The second sentence: the reader's, or an example where the field is empty; "" where none of ours fits."""
    place = asked.account.position
    # In a decoder alone, the example changes a token that the asked one sees, with few after it: so it takes less.
    near = range(max(0, place + 1 - long_text.MOST_TOKENS), place + 1) if asked.config.kind == "decoder" else None
    example = swap_noun(asked.run.model, asked.run.text, near)
    is_long = asked.most_tokens > long_text.MOST_TOKENS
    field = st.text_area if is_long else st.text_input  # an area shows the end of a long text, and keeps its lines
    field(
        "In the run of another sentence, with as many tokens",
        key="why_text2",
        width=420,
        max_chars=MAX_CHARACTERS,
        placeholder=example,
    )
    if is_long:
        st.button(
            "Copy your text",
            key="why copy text",
            icon=":material/content_copy:",
            on_click=state.put,
            kwargs={"why_text2": asked.run.text},
            help="Then change a word of it. The nearer it is to the end, the fewer tokens are run again.",
        )
    typed = state.get("why_text2")
    return typed if typed.strip() else example  # as it was typed: a space at its end is a token


def _choose_site(asked: Question) -> Site:
    """The menu of what is patched. A site that this model lacks gives way to the residual stream."""
    sites = {f"{site.stack}.{site.part}": site for site in sites_of(asked.run.model.network)}
    if state.get("why_site") not in sites:
        if state.get("why_site") != KEYS["why_site"].default:
            state.say("why_site", "The link patches a part that this model lacks. It is the residual stream now.")
        state.put(why_site=f"{asked.config.stacks[-1]}.resid_in")
    several = len(asked.config.stacks) > 1
    st.selectbox("put", tuple(sites), key="why_site", format_func=lambda key: sites[key].title(several), width=190)
    return sites[state.get("why_site")]


def _read_cell(view: PatchingView) -> tuple[int, int] | None:
    """The chosen (layer, row), or else the one that brings most back; None if that is not known yet."""
    cell = state.get("why_cell")
    if len(cell) == 2 and cell[0] < view.count and view.rows.start <= cell[1] < view.rows.stop:
        return cell[0], cell[1]
    return view.best


def _show(view: PatchingView, cell: tuple[int, int] | None, numbers: bool) -> None:
    maps = {"measured": view.measured} if view.layers else {}
    if view.estimate is not None:
        maps["estimated by the gradient"] = view.estimated
    shares = view.measured if view.layers else view.estimated
    if not np.isnan(shares).all():
        claims.tell(BROUGHT_BACK, float(np.nanmax(shares)))
    if maps and numbers:
        st.dataframe(view.table(), hide_index=True, height=420)
    elif maps and cell is not None:
        picture, story = st.columns([3, 2], gap="medium")
        with picture, st.container(key="why patching"):
            _show_maps(view, maps, cell)
        with story:
            _show_run(view, cell)
    elif cell is not None:
        _show_run(view, cell)
    layout.caption(view.describe())
    layout.cite(
        "Patching: Meng et al. (2022), arXiv:2202.05262; Zhang and Nanda (2024), arXiv:2309.16042. The estimate: Nanda "
        "(2023), “Attribution Patching”."
    )
    if maps:
        draw = partial(patching_figure, maps, view.columns, view.axis)
        arrays = {"measured": view.measured, "estimate": view.estimated}
        figures.export(f"{view.asked.run.name}-patching", draw, view.table, ("why patching",), **arrays)


def _show_maps(view: PatchingView, maps: Maps, cell: tuple[int, int]) -> None:
    """The maps, on which a click chooses the cell that is framed."""
    selected = cell[0], cell[1] - view.first
    figure = patching_figure(maps, view.columns, view.axis, selected=selected, theme=state.theme())
    figures.chart(
        figure,
        key="why patched",
        on_select=partial(_take_cell, view.first),
        selection_mode="points",
        config=CHART,
        alt=describe_figure(f"The share of {view.number.plain_name} that each part brings back", figure),
    )


def _show_run(view: PatchingView, cell: tuple[int, int]) -> None:
    """The answers of the patched run of a cell, beside those of both sentences."""
    with model_turns.forward_pass():
        patched = view.patching.run_row(view.site, *cell)  # (answers,)
    answers = dict(zip(("your sentence", "the other", "patched"), (*view.patching.pair.logits, patched), strict=True))
    shares = {name: view.asked.scores(logits) for name, logits in answers.items()}
    ids = likeliest(answers.values(), LIKELIEST, view.patching.tokens)
    names = [view.asked.word(id) for id in ids]
    st.markdown(f"**The patched run**, {view.name(cell)}")
    kind = view.asked.config.label_scores
    figure = next_tokens_figure({name: each[ids].numpy() for name, each in shares.items()}, names, state.theme(), kind)
    figures.show(figure, f"The {view.asked.answers} of both sentences and of the patched run")
    patched_run.offer(view.asked, view.site, cell, view.other, view.patching.tokens)
    if view.site.is_of_heads:
        patched_head.show(view, cell)


def _formula(view: PatchingView, cell: tuple[int, int] | None) -> None:
    layout.equation(
        r"s = \frac{\Delta(x^* \leftarrow x_c) - \Delta(x^*)}{\Delta(x) - \Delta(x^*)}, \qquad "
        r"\hat s = \frac{(x_c - x^*_c) \cdot \nabla_{x^*_c} \Delta}{\Delta(x) - \Delta(x^*)}",
        "Zhang and Nanda (2024), arXiv:2309.16042, section 2; the estimate: Nanda (2023), “Attribution Patching”.",
        {
            r"\Delta": view.number.name,
            "x": "the run of your sentence",
            "x^*": "the run of the other sentence",
            "x_c": "one part of a run: what is patched",
        },
    )
    if cell is None:
        layout.caption(view.describe())
        return
    with model_turns.forward_pass():
        patched = view.patching.run_row(view.site, *cell)
    clean, corrupted = view.patching.measures
    minus = f"- {quotes.tex(corrupted)}" if corrupted >= 0 else f"+ {quotes.tex(-corrupted)}"
    measure = view.patching.measure(patched)
    change, share = float(measure), float(view.patching.share(measure))
    layout.work_out(
        f"With {view.name(cell)} from your sentence, {view.number.statement} {number(change)}:",
        rf"s = \frac{{{quotes.tex(change)} {minus}}}{{{quotes.tex(clean)} {minus}}} = {quotes.tex(share)}",
    )


def _take_cell(first: int) -> None:
    """`first`: the row of the first column."""
    points = st.session_state["why patched"]["selection"]["points"]
    if points:
        state.put(why_cell=(int(points[0]["y"]), first + int(points[0]["x"])))
