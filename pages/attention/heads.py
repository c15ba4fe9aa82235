"""Heads: type a sentence and see where every head of the model looks, and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from pages.attention.heads_parts import all_heads, compare, formula, head_files, heads_view, weight_story, what_they_do
from pages.attention.heads_parts.heads_view import HeadsView
from pages.components import mounts
from pages.shared import figures, layout, state, traces
from viz.attention.heads import pack_lines, products_figure, weights_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number, percent, plain_text
from viz.shared.tokens import chips

VIEWS = {
    "Lines": ":material/timeline: Lines",
    "Matrix": ":material/grid_on: Matrix",
    "All heads": ":material/apps: All heads",
    "Query-key": ":material/bar_chart: Query · key",
    "Compare": ":material/compare: Compare",
    "What they do": ":material/query_stats: What they do",
}
CHART = {"displayModeBar": False}
FOX = "The quick brown fox jumps over the lazy dog because it is hungry"
PROMPTS = (
    layout.Prompt(
        "Who is hungry?",
        "One head of SmolLM2 looks from “it” back to “fox”: it finds the noun of a pronoun.",
        {"model": "smollm2-135m", "text": FOX, "heads_stack": "decoder", "heads_attention": "self_attn"}
        | {
            "heads_view": "Lines",
            "heads_layer": 9,
            "heads_head": 2,
            "heads_query": 10,
            "heads_key": 3,
            "heads_shown": (),
        },
    ),
    layout.Prompt(
        "Which heads look back one token?",
        "Sorted by that measure, the first pictures are a line just below the diagonal.",
        {"heads_view": "All heads", "heads_sort": "previous"},
    ),
    layout.Prompt(
        "Change one word",
        "Both sentences in the same head, and the difference: what one word does to all the others.",
        {"text": "I swam across the river to get to the other bank", "heads_view": "Compare"}
        | {"heads_with": "Another sentence", "heads_text2": "I swam across the street to get to the other bank"},
    ),
)


def main() -> None:
    depth = layout.begin("Heads", "For every word, each head decides where to look.")
    run = traces.current(keep=heads_view.KEEP)
    shown = heads_view.read(run)
    _strips(shown)
    _controls(shown)
    if state.get("heads_view") == "What they do":
        what_they_do.show(shown, depth)
    elif depth == "Formula":
        formula.show(shown)
    elif depth == "Code":
        formula.code(shown)
    else:
        {
            "Lines": _lines,
            "Matrix": _matrix,
            "All heads": all_heads.show,
            "Query-key": _query_key,
            "Compare": compare.show,
        }[state.get("heads_view")](shown, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _strips(shown: HeadsView) -> None:
    """The tokens: those that ask and, in cross-attention, those that answer."""
    chosen = shown.query if shown.query >= 0 else None
    mounts.token_strip(shown.queries, key="heads tokens", label="Tokens", selected=chosen, on_pick=_take_query)
    if shown.cross:
        chosen = shown.key if shown.key >= 0 else None
        mounts.token_strip(shown.keys, key="heads sources", label="Source tokens", selected=chosen, on_pick=_take_key)


def _take_query() -> None:
    picked = st.session_state["heads tokens"]["pick"]
    state.put(heads_query=-2 if picked is None else int(picked), heads_key=-1)


def _take_key() -> None:
    picked = st.session_state["heads sources"]["pick"]
    state.put(heads_key=-1 if picked is None else int(picked))


def _controls(shown: HeadsView) -> None:
    """What to look at; directly above the picture that it changes."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "View",
            tuple(VIEWS),
            key="heads_view",
            format_func=VIEWS.__getitem__,
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        with st.container(horizontal=True, gap="small", width="content"):  # stay together where the row is too short
            _place_controls(shown)
    if state.get("heads_view") in ("Query-key",) or state.get("depth") in ("Formula", "Code"):
        _pair_controls(shown)


def _place_controls(shown: HeadsView) -> None:
    """Which attention, layer and head; the views of all heads have no use for a layer and a head."""
    config = shown.run.model.config
    places = {
        f"{stack}.{attention}": heads_view.name_of(stack, attention, config)
        for stack, attention in heads_view.attentions(config)
    }
    if len(places) > 1:
        st.session_state["heads place"] = f"{shown.stack}.{shown.attention}"
        st.selectbox(
            "Attention",
            tuple(places),
            key="heads place",
            format_func=places.__getitem__,
            on_change=_take_place,
            width=230,
        )
    if state.get("heads_view") not in ("All heads", "What they do") or state.get("depth") in ("Formula", "Code"):
        st.number_input("Layer", 0, shown.layers - 1, key="heads_layer", width=130)
        st.number_input("Head", 0, shown.heads - 1, key="heads_head", width=130, on_change=_forget_shown)


def _take_place() -> None:
    stack, attention = st.session_state["heads place"].split(".")
    state.put(heads_stack=stack, heads_attention=attention, heads_layer=-1, heads_head=-1, heads_shown=())


def _forget_shown() -> None:
    state.put(heads_shown=())


def _pair_controls(shown: HeadsView) -> None:
    """Pickers of the query and the key."""
    if shown.query < 0:
        return
    with st.container(horizontal=True, gap="small"):
        for role, words, chosen in (
            ("query", shown.query_words, shown.query),
            ("key", shown.key_words, shown.key),
        ):
            st.session_state[f"heads {role}"] = chosen
            numbered = [f"{i}  {word}" for i, word in enumerate(words)]
            st.selectbox(
                role.capitalize(),
                tuple(range(len(words))),
                key=f"heads {role}",
                format_func=numbered.__getitem__,
                on_change=_take_pair,
                width=230,
            )


def _take_pair() -> None:
    state.put(heads_query=st.session_state["heads query"], heads_key=st.session_state["heads key"])


def _beside(shown: HeadsView) -> Any:
    """The column of the picture; the story is drawn in the other one."""
    picture, story = st.columns([7, 5], gap="large")
    with story:
        weight_story.panel(shown)
    return picture


def _lines(shown: HeadsView, numbers: bool) -> None:
    if numbers:
        _matrix(shown, numbers)
        return
    with _beside(shown):
        mounts.attention_lines(
            pack_lines(
                shown.all_weights(),
                chips(shown.queries),
                chips(shown.keys),
                identity=repr((shown.run.name, shown.run.text, shown.run.target, shown.path())),
                title=f"Attention of {shown.place}",
                causal=bool(shown.hidden.any()),
                view=_lines_view(shown),
            ),
            key="heads lines",
            on_view=_take_lines,
        )
        layout.caption(_what_to_see(shown) + " Point at a word for its lines, click to keep them.")
        head_files.lines(shown, heads_of(shown), state.get("heads_least"))


def heads_of(shown: HeadsView) -> list[int]:
    """The heads that have lines: those of the state that exist, if the chosen head is among them; else that one."""
    known = [head for head in state.get("heads_shown") if head < shown.heads]
    return known if shown.head in known else [shown.head]


def _lines_view(shown: HeadsView) -> dict[str, Any]:
    """The view of the component, in the order and form in which it sends it back."""
    return {
        "heads": heads_of(shown),
        "head": shown.head,
        "least": state.get("heads_least"),
        "hide": [name for name in ("special", "sink") if name in state.get("heads_hide").split()],
        "layout": state.get("heads_layout"),
        "query": shown.query if shown.query >= 0 else None,
        "key": shown.key if state.get("heads_key") >= 0 and shown.query >= 0 else None,
    }


def _take_lines() -> None:
    view = st.session_state["heads lines"]["view"]
    heads = tuple(int(head) for head in view["heads"])
    head = int(view["head"])
    state.put(
        heads_shown=heads,
        heads_head=head if head in heads or not heads else heads[0],
        heads_least=min(max(float(view["least"]), 0.0), 0.5),
        heads_hide=" and ".join(view["hide"]) or "nothing",
        heads_layout=view["layout"],
        heads_query=-2 if view["query"] is None else int(view["query"]),
        heads_key=-1 if view["key"] is None else int(view["key"]),
    )


def _matrix(shown: HeadsView, numbers: bool) -> None:
    with _beside(shown):
        st.segmented_control(
            "Values", ("Weights", "Scores"), key="heads_values", required=True, label_visibility="collapsed"
        )
        scores = state.get("heads_values") == "Scores"
        values = shown.scores if scores else shown.weights
        if numbers:
            head_files.show_matrix(head_files.table(shown, values))
        else:
            figure = weights_figure(
                values,
                shown.query_words,
                shown.key_words,
                kind="scores" if scores else "weights",
                hidden=shown.hidden,
                selected=(shown.query, shown.key) if shown.query >= 0 else None,
                theme=state.theme(),
            )
            figures.chart(
                figure,
                key="heads matrix",
                on_select=_take_cell,
                selection_mode="points",
                alt=describe_figure(plain_text(_what_to_see(shown)), figure),
                theme=None,
                config=CHART,
            )
        hint = "" if numbers else " Click a cell for its sum."
        layout.caption((_range_of(shown) if scores else _what_to_see(shown)) + hint)
        head_files.matrix(shown, values, "scores" if scores else "weights")


def _take_cell() -> None:
    points = st.session_state["heads matrix"]["selection"]["points"]
    if points:
        state.put(heads_query=int(points[0]["y"]), heads_key=int(points[0]["x"]))


def _query_key(shown: HeadsView, numbers: bool) -> None:
    story = shown.story
    if story is None:
        st.info("Choose a query and a key first: click two tokens in Lines, or a cell of the Matrix.")
        return
    with _beside(shown):
        if numbers:
            head_files.show_columns(head_files.products_table(story), "%.3f")
        else:
            figure = products_figure(story.q.numpy(), story.k.numpy(), theme=state.theme())
            figures.chart(
                figure, key="heads products figure", alt=plain_text(_about_products(shown)), theme=None, config=CHART
            )
        layout.caption(_about_products(shown))
        head_files.products(shown)


def _about_products(shown: HeadsView) -> str:
    story = shown.story
    assert story is not None
    query, key = weight_story.names(shown)
    products = np.sort(story.products.numpy())[::-1]
    positive = products[products > 0]
    half = int(np.searchsorted(np.cumsum(positive), positive.sum() / 2)) + 1 if len(positive) else 0
    return (
        f"The {story.d_head} products of the query of **{query}** and the key of **{key}** sum to "
        f"{number(story.raw_score)}. The largest is {number(float(products[0]))}; {half} of the {len(positive)} "
        f"positive ones make half of all that is positive, and {int((products < 0).sum())} pull the score down."
    )


def _what_to_see(shown: HeadsView) -> str:
    """What the eye should see in the head's weights. Markdown."""
    where = shown.place[0].upper() + shown.place[1:]
    if shown.query >= 0:
        row = shown.weights[shown.query]
        best = int(row.argmax())
        query, key = layout.quote(shown.query_words[shown.query]), layout.quote(shown.key_words[best])
        told = f"{where}: {query} looks most at {key} ({number(float(row[best]), 2)})"
        if best and row[0] >= 0.1:
            told += f"; {number(float(row[0]), 2)} rests on the first token, where heads park what they do not use"
        return told + "."
    received = shown.weights.sum(0) / np.maximum((~shown.hidden).sum(0), 1)
    best = int(received.argmax())
    return (
        f"{where}: {layout.quote(shown.key_words[best])} receives most, "
        f"{percent(float(received[best]))} of the attention of the tokens that can see it, on average."
    )


def _range_of(shown: HeadsView) -> str:
    seen = shown.scores[~shown.hidden]
    return (
        f"{shown.place[0].upper()}{shown.place[1:]}: scores from {number(float(seen.min()))} to "
        f"{number(float(seen.max()))}. Softmax turns each row into weights; grey cells are masked."
    )


main()
