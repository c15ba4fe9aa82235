"""Why this word, Patching: what of the reader's sentence, put into the run of another one, brings the answer back?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model import GlassformerError
from model.experiments import patching as code_of_patching
from model.experiments import sentence_pair
from model.experiments.patching import Patching
from model.experiments.second_sentence import swap_noun
from model.experiments.sentence_pair import Prompt, SentencePair, Site, record_pair, sites_of
from model.run import ids_of
from pages.models.why_parts import patched_head, patched_run
from pages.models.why_parts.patching_view import HEADS, TOKENS, PatchingView
from pages.models.why_parts.question import Question, likeliest
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import measurements, traces
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.session import state
from pages.shared.session.keys import KEYS, MAX_CHARACTERS
from viz.models.patching import next_tokens_figure, patching_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number

MAX_PAIR_BYTES = 150_000_000  # of the runs of pairs that are kept for all readers
MAX_KEPT_SWEEPS = 12
LIKELIEST = 3  # tokens of each run, beside the answer and its rival
CHART = {"displayModeBar": False}


def show(asked: Question, depth: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = _choose_sentence(asked)
        site = _choose_site(asked)
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    if depth == "Code":
        layout.code(code_of_patching.Patching, sentence_pair.record_pair)
        return
    if asked.config.kind != "decoder" and not site.is_of_heads:
        what = "Each token is patched in a run of its own, and here all tokens see the changed word."
        if long_text.is_refused(asked.most_tokens, what, "Shorten it, or put heads."):
            return
    if not text:
        st.info(
            "Type a second sentence with as many tokens, which changes the answer: another name, another country, one "
            "instead of many."
        )
        return
    try:
        view = _measure(asked, text, site, row)
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
    # In a decoder alone, the example changes a token that the asked one sees, and not too many behind it.
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
            help=f"Then change a word of it, among the last {long_text.MOST_TOKENS} tokens.",
        )
    return state.get("why_text2").strip() or example


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


@st.cache_resource(show_spinner=False)
def _pairs() -> SharedCache[SentencePair]:
    """Runs of pairs for all readers. They hold no model."""
    return SharedCache(MAX_PAIR_BYTES, lambda pair: pair.nbytes, keeps_last=True)


def _pair(asked: Question, text: str) -> SentencePair:
    """The runs of both sentences, up to the token after which the page asks. Raises `GlassformerError`."""
    run, model = asked.run, asked.run.model
    traces.check_length(model, text)
    other = model.tokens_of(text)
    count = asked.account.position + 1
    if run.trace.source_tokens:
        written = ids_of(run.trace.tokens)[:count]
        prompts = Prompt(written, ids_of(run.trace.source_tokens)), Prompt(written, ids_of(other))
    else:
        if asked.of_encoder or len(other) != len(run.trace.tokens):
            count = max(len(other), len(run.trace.tokens))  # all that an encoder reads; or the counts are told
        place = asked.account.position if asked.of_encoder else -1
        own, theirs = (ids_of(tokens)[:count] for tokens in (run.trace.tokens, other))
        prompts = Prompt(own, position=place), Prompt(theirs, position=place)

    most = long_text.MOST_TOKENS if model.config.kind == "decoder" else None

    def make() -> SentencePair:
        with traces.forward_pass(runs=2):
            return record_pair(model.network, *prompts, most_tokens=most)

    return _pairs().get((*run.key, text, count, asked.account.position), make)


def _measure(asked: Question, text: str, site: Site, row: DeltaGenerator) -> PatchingView:
    """The estimate, and the measured shares. Those of a large model wait for the reader's wish.

    Raises `GlassformerError`.
    """
    run, pair = asked.run, _pair(asked, text)
    answer, against = pair.telling_tokens(asked.account.token)
    against = against if asked.account.against is None else asked.account.against
    patching = Patching(run.model.network, pair, answer, against)
    key = (*asked.identity, text, patching.tokens)
    kept = _kept(key)
    if "estimates" not in kept:
        with traces.forward_pass(runs=2):
            kept["estimates"] = patching.estimates
    layers: list[Tensor] = kept.setdefault(site, [])
    total, tokens = patching.shape(site)[0], patching.count_tokens(patching.batches(site))
    if not layers and total <= measurements.quick_steps(run.model, tokens):
        _patch_layers(patching, site, layers)
    with row:
        label = "Measure again" if len(layers) == total else "Patch all layers"
        start = measurements.measure_button(label, layers, ":material/healing:")
        stop = st.empty()
    if start:
        with measurements.watch(stop, "Patching") as bar:
            _patch_layers(patching, site, layers, bar)
    by_token = kept.setdefault("by token", {})
    return PatchingView(asked, patching, text, site, kept["estimates"][site], layers, by_token)


def _patch_layers(patching: Patching, site: Site, layers: list[Tensor], bar: DeltaGenerator | None = None) -> None:
    """Appends the shares of each layer, (rows,), to `layers`. Each batch has a turn at the processor."""
    total, batches = patching.shape(site)[0], patching.batches(site)
    for layer in range(total):
        found = list[Tensor]()
        for cells in batches:
            with traces.forward_pass():
                found.append(patching.shares(site, layer, cells))
            if len(found) == len(batches):
                layers.append(patching.join(site, found))
            if bar is not None:
                done = (layer + len(found) / len(batches)) / total
                bar.progress(done, text=f"{len(layers)} of {total} layers")


def _kept(key: tuple[Any, ...]) -> dict[Any, Any]:
    """What the session keeps of a pair: "estimates", a list of layers for each site, and heads "by token". The oldest
    give way."""
    kept: dict[Any, dict[Any, Any]] = st.session_state.setdefault("_why_patched", {})
    found = kept.setdefault(key, {})
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return found


def _read_cell(view: PatchingView) -> tuple[int, int]:
    """The chosen (layer, row), or else the one that brings most back. Rows that bring all back at once tell little, so
    of the residual stream that is the highest layer's."""
    layers, rows = view.patching.shape(view.site)
    cell = state.get("why_cell")
    if len(cell) == 2 and cell[0] < layers and view.first <= cell[1] < rows:
        return cell[0], cell[1]
    shares = view.measured if len(view.layers) == layers else view.estimate.numpy()
    shares = shares[:, view.first :]
    layer, row = np.unravel_index(int(np.argmax(shares)), shares.shape)
    return int(layer), int(row) + view.first


def _show(view: PatchingView, cell: tuple[int, int], numbers: bool) -> None:
    axis = HEADS if view.site.is_of_heads else TOKENS
    arrays = {"measured": view.measured[:, view.first :], "estimate": view.estimate.numpy()[:, view.first :]}
    maps = {"measured": arrays["measured"]} if view.layers else {}
    maps["estimated by the gradient"] = arrays["estimate"]
    selected = cell[0], cell[1] - view.first
    figure = patching_figure(maps, view.columns, axis, selected=selected, theme=state.theme())
    if numbers:
        st.dataframe(view.rows(), hide_index=True, height=420)
    else:
        picture, story = st.columns([3, 2], gap="medium")
        with picture, st.container(key="why patching"):
            figures.chart(
                figure,
                key="why patched",
                on_select=partial(_take_cell, view.first),
                selection_mode="points",
                config=CHART,
                alt=describe_figure("The share that each part brings back, measured and estimated", figure),
            )
        with story:
            _show_run(view, cell)
    layout.caption(view.describe())
    layout.cite(
        "Patching: Meng et al. (2022), arXiv:2202.05262; Zhang and Nanda (2024), arXiv:2309.16042. The estimate: Nanda "
        "(2023), “Attribution Patching”."
    )
    draw = partial(patching_figure, maps, view.columns, axis)
    figures.export(f"{view.asked.run.name}-patching", draw, view.rows, ("why patching",), **arrays)


def _show_run(view: PatchingView, cell: tuple[int, int]) -> None:
    """The answers of the patched run of a cell, beside those of both sentences."""
    with traces.forward_pass():
        patched = view.patching.run_row(view.site, *cell)  # (answers,)
    runs = dict(zip(("your sentence", "the other", "patched"), (*view.patching.pair.logits, patched), strict=True))
    shares = {name: logits.softmax(-1) for name, logits in runs.items()}
    ids = likeliest(runs.values(), LIKELIEST, view.patching.tokens)
    names = [view.asked.word(id) for id in ids]
    st.markdown(f"**The patched run**, {view.name(cell)}")
    figure = next_tokens_figure({name: each[ids].numpy() for name, each in shares.items()}, names, state.theme())
    figures.show(figure, f"The {view.asked.answers} of both sentences and of the patched run")
    patched_run.offer(view.asked, view.site, cell, view.other, view.patching.tokens)
    if view.site.is_of_heads:
        patched_head.show(view, cell)


def _formula(view: PatchingView, cell: tuple[int, int]) -> None:
    layout.equation(
        r"s = \frac{\Delta(x^* \leftarrow x_c) - \Delta(x^*)}{\Delta(x) - \Delta(x^*)}, \qquad "
        r"\hat s = \frac{(x_c - x^*_c) \cdot \nabla_{x^*_c} \Delta}{\Delta(x) - \Delta(x^*)}",
        "Zhang and Nanda (2024), arXiv:2309.16042, section 2; the estimate: Nanda (2023), “Attribution Patching”.",
        {
            r"\Delta": "the logit of the answer minus that of its rival",
            "x": "the run of your sentence",
            "x^*": "the run of the other sentence",
            "x_c": "one part of a run: what is patched",
        },
    )
    with traces.forward_pass():
        patched = view.patching.run_row(view.site, *cell)
    answer, against = view.patching.tokens
    clean, corrupted = view.patching.measures
    minus = f"- {layout.tex(corrupted)}" if corrupted >= 0 else f"+ {layout.tex(-corrupted)}"
    change = float(patched[answer] - patched[against])
    share = float(view.patching.share(patched[answer] - patched[against]))
    layout.work_out(
        f"With {view.name(cell)} from your sentence, {view.word(answer)} leads {view.word(against)} by "
        f"{number(change)}:",
        rf"s = \frac{{{layout.tex(change)} {minus}}}{{{layout.tex(clean)} {minus}}} = {layout.tex(share)}",
    )


def _take_cell(first: int) -> None:
    """`first`: the row of the first column."""
    points = st.session_state["why patched"]["selection"]["points"]
    if points:
        state.put(why_cell=(int(points[0]["y"]), first + int(points[0]["x"])))
