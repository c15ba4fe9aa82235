"""Why this word, Steer: a part counts more, less or the other way round, or a difference of two sentences is added."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st
from torch import Tensor

from model import Model
from model.analysis.attribution import answers
from model.config import TransformerConfig
from model.edits.activations import Add
from model.edits.parts import LEAST_FACTOR, MOST_FACTOR, WHOLE, Scale
from model.errors import EditError
from model.run import ids_of
from pages.models.why_parts.steering import difference
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import edited_parts, model_turns, traces
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.session import state
from pages.shared.session.text_length import token_limit
from views.models.why.question import Question, likeliest
from views.shared import quotes
from viz.models.patching import next_tokens_figure
from viz.shared.style import isolate, markdown_text, number, upper_first

KINDS = {"self_attn": "head", "cross_attn": "cross-attention head", "ffn": "feed-forward", "neuron": "neuron"}
STEP = 0.25  # of the factor
LIKELIEST = 5  # tokens of each run
WRITTEN_TOKENS = 16
MAX_TEXT_CHARACTERS = 500_000  # of the continuations that are kept for all readers
LIKELIEST_NOW = "the edited model's likeliest answer"
WRITTEN = "what the edited model writes"
SLIDER = "why factor"


@dataclass(frozen=True)
class SteeredView:
    """The logits after the token of the question, of the whole model and of the edited one: (vocabulary,) each."""

    asked: Question
    whole: Tensor
    edited: Tensor

    @property
    def ids(self) -> list[int]:
        """The likeliest tokens of both, by turns, after those of the question."""
        return likeliest((self.edited, self.whole), LIKELIEST, self.asked.tokens)[: LIKELIEST + 2]


def show(asked: Question, depth: str) -> None:
    if depth == "Code":
        layout.code(Scale if difference.read(asked.config) is None else Add)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _choose(asked)
    view = _run(asked)
    if depth == "Formula":
        _formula(view)
    else:
        _show(view, depth == "Numbers")


def _choose(asked: Question) -> None:
    """What is edited, by the key `why_steered`, and how much."""
    part = difference.read(asked.config) or _read(asked.config)
    kinds = _kinds(asked.config)
    kind = "neuron" if part.part == "ffn" and part.index != WHOLE else part.part
    st.session_state["why kind"] = f"{part.stack}.{kind}"
    take = partial(_take, asked.config)
    st.selectbox("Part", tuple(kinds), key="why kind", format_func=kinds.__getitem__, width=240, on_change=take)
    if isinstance(part, Scale):
        _choose_part(asked, part)
    else:
        difference.choose(asked, part)


def _choose_part(asked: Question, part: Scale) -> None:
    """The layer and the number of a part, and its factor."""
    edits = {each.place: each for each in edited_parts.chosen() if isinstance(each, Scale)}
    st.session_state["why layer"] = part.layer
    st.session_state["why index"] = max(part.index, 0)
    take, layers = partial(_take, asked.config), asked.config.n_layers(part.stack)
    st.number_input("Layer", 0, layers - 1, key="why layer", width=110, on_change=take)
    if part.index != WHOLE:
        count = asked.config.d_ff if part.part == "ffn" else asked.config.n_heads
        label = "Neuron" if part.part == "ffn" else "Head"
        st.number_input(label, 0, count - 1, key="why index", width=110, on_change=take)
    st.session_state[SLIDER] = edits[part.place].factor if part.place in edits else 1.0
    refused = edited_parts.why_refused(replace(part, factor=STEP))
    st.slider(
        "Times", LEAST_FACTOR, MOST_FACTOR, step=STEP, key=SLIDER, width=260,
        on_change=_take_factor, args=(part,), disabled=bool(refused),
        help="1: as it is. 0: muted. Below 0: the other way round. The run bar lists all edits, and undoes them.",
    )  # fmt: skip
    if refused:
        st.caption(refused)


def _kinds(config: TransformerConfig) -> dict[str, str]:
    """The kinds of part of each stack, "decoder.ffn", with their words."""
    several = len(config.stacks) > 1
    parts = {
        f"{stack}.{kind}": f"{stack}: {KINDS[kind]}" if several else KINDS[kind]
        for stack in config.stacks
        for kind in (*config.attentions(stack), "ffn", "neuron")
    }
    return parts | {f"{config.stacks[0]}.{difference.KIND}": difference.TITLE}


def _read(config: TransformerConfig) -> Scale:
    """The part of the key, or else the last layer's feed-forward."""
    try:
        part = Scale.parse(state.get("why_steered"))
    except EditError:
        part = None
    if part is not None and part.exists_in(config):
        return part
    stack = config.stacks[-1]
    return Scale(f"{stack}.{config.n_layers(stack) - 1}.ffn")


def _take(config: TransformerConfig) -> None:
    """Another part: its layer and its number are those of the fields, as far as the model has them."""
    stack, _, kind = st.session_state["why kind"].partition(".")
    layer = min(st.session_state["why layer"], config.n_layers(stack) - 1)
    if kind == difference.KIND:
        state.put(why_steered=difference.key_of(stack, layer))
        return
    last = config.d_ff if kind == "neuron" else config.n_heads
    index = WHOLE if kind == "ffn" else min(st.session_state.get("why index", 0), last - 1)
    state.put(why_steered=Scale(f"{stack}.{layer}.{'ffn' if kind == 'neuron' else kind}", index).place)


def _take_factor(part: Scale) -> None:
    edited_parts.put(replace(part, factor=st.session_state[SLIDER]))


def _run(asked: Question) -> SteeredView:
    """The edited run is that of the page; the whole model reads the same tokens."""
    run = asked.run
    ids, source = (tuple(ids_of(tokens).tolist()) for tokens in (run.trace.tokens, run.trace.source_tokens))
    whole = traces.model(run.name, whole=True)
    trace = traces.trace_ids(whole, ids, "text_logits" if asked.of_class else "logits", source)
    logits = answers(whole, trace, asked.account.position)
    return SteeredView(asked, logits, asked.logits if run.edits else logits)


def _shares(view: SteeredView) -> dict[str, Any]:
    """The scores of `view.ids` in each run; one run where nothing is edited."""
    runs = {"the whole model": view.whole} | ({"edited": view.edited} if view.asked.run.edits else {})
    return {name: view.asked.scores(logits)[view.ids].numpy() for name, logits in runs.items()}


def _show(view: SteeredView, numbers: bool) -> None:
    names = [view.asked.word(id) for id in view.ids]
    kind = view.asked.answers
    claims.tell(LIKELIEST_NOW, view.asked.word(int(view.edited.argmax())))
    shares = _shares(view)
    draw = partial(next_tokens_figure, shares, names, kind=view.asked.config.label_scores)
    rows = [
        {"token": name} | {run: float(each[place]) for run, each in shares.items()} for place, name in enumerate(names)
    ]
    picture, story = st.columns([3, 2], gap="medium")
    with picture, st.container(key="why steer"):
        figures.show_or_list(numbers, draw(state.theme()), f"The {kind} of the whole and edited model", lambda: rows)
    with story:
        if not view.asked.of_encoder:
            _show_texts(view)
    layout.caption(_describe(view))
    layout.cite(
        "To scale what a head writes: Merullo et al. (2024), arXiv:2310.08744. To add a difference: Turner et al. "
        "(2023), arXiv:2308.10248; Rimsky et al. (2024), arXiv:2312.06681."
    )
    figures.export(f"{view.asked.run.name}-steer", draw, lambda: rows, ("why steer",), **shares)


def _show_texts(view: SteeredView) -> None:
    """What both models write, greedily."""
    run = view.asked.run
    key = (run.name, run.model.state, run.text)
    st.markdown("**The whole model writes**")
    st.markdown(isolate(markdown_text(_write(traces.model(run.name, whole=True), (*key, ""), run.text))))
    if run.edits:
        edited = _write(run.model, (*key, run.edits), run.text)
        claims.tell(WRITTEN, edited)
        st.markdown("**The edited one writes**")
        st.markdown(isolate(markdown_text(edited)))


@st.cache_resource(show_spinner=False)
def _written() -> SharedCache[str]:
    return SharedCache(MAX_TEXT_CHARACTERS, len)


def _write(model: Model, key: tuple[Hashable, ...], text: str) -> str:
    """The text as a decoder goes on with it, or a translator's translation."""

    def make() -> str:
        with model_turns.forward_pass(runs=0, tokens=WRITTEN_TOKENS):
            room = token_limit(model) - len(model.tokens_of(text))
            steps = model.generate(text, max_new_tokens=max(0, min(WRITTEN_TOKENS, room)))
            ids = [step.chosen for step in steps if step.chosen not in model.output_tokenizer.ends]
        written = model.output_tokenizer.decode(ids)
        return written if model.config.kind == "encoder-decoder" else text + written

    return _written().get(key, make)


def _describe(view: SteeredView) -> str:
    asked = view.asked
    before, after = (asked.chances(each) for each in (view.whole, view.edited))
    if not asked.run.edits:
        scaled = "Move “Times”: the part’s output is multiplied by it at every token."
        how = scaled if difference.read(asked.config) is None else difference.HOW
        stated = f"{upper_first(asked.number.statement)} {number(asked.read_off(view.whole))} ({before})"
        return f"Nothing is edited yet. {stated}. {how} All other pages then show the edited run, too."
    rise = asked.read_off(view.edited) - asked.read_off(view.whole)
    return (
        f"With the edits that the run bar lists, {asked.number.name} changes by {number(rise)}, "
        f"and the {asked.chances_noun} from {before} to {after}. All other pages show the edited run, too."
    )


def _formula(view: SteeredView) -> None:
    if difference.read(view.asked.config) is None:
        _show_scaling(view.asked)
    else:
        difference.equation(view.asked.number)
    name = view.asked.number.name
    before, after = view.asked.read_off(view.whole), view.asked.read_off(view.edited)
    minus = f"- {quotes.tex(before)}" if before >= 0 else f"+ {quotes.tex(-before)}"
    layout.work_out(
        f"{upper_first(name)} in the edited run, minus that of the whole model:",
        rf"\Delta = {quotes.tex(after)} {minus} = {quotes.tex(after - before)}",
    )


def _show_scaling(asked: Question) -> None:
    asks = asked.number
    layout.equation(
        rf"x' = x + \alpha\, f(x), \qquad \Delta = {asks.symbol}(x') - {asks.symbol}(x)",
        "Merullo et al. (2024), arXiv:2310.08744, section 5, multiply what a head adds to the residual stream.",
        {
            r"\alpha": "the factor: 1 as it is, 0 muted",
            "f": "a head, a feed-forward, or one neuron of it",
        }
        | asks.symbols,
    )
