"""Heads: type a sentence and see where every head of the model looks, and why."""

from __future__ import annotations

import streamlit as st

from pages.attention.examples import FOX
from pages.attention.heads_parts import all_heads, compare, formula, head_choice, lines, matrix, query_key, what_they_do
from pages.components import mounts
from pages.shared import head_controls, layout, state, traces
from pages.shared.head_on_screen import KEEP, NO_PAIR, HeadOnScreen

VIEWS = {
    "Lines": ":material/timeline: Lines",
    "Matrix": ":material/grid_on: Matrix",
    "All heads": ":material/apps: All heads",
    "Query-key": ":material/bar_chart: Query · key",
    "Compare": ":material/compare: Compare",
    "What they do": ":material/query_stats: What they do",
}
PROMPTS = (
    layout.Prompt(
        "Who is hungry?",
        "One head of SmolLM2 looks from “it” back to “fox”: it finds the noun of a pronoun.",
        {**FOX, "attention": "decoder.self_attn", "heads_view": "Lines"}
        | {"layer": 9, "head": 2, "query": 10, "key": 3, "heads_shown": ()},
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
    screen = head_choice.read(traces.current(keep=KEEP))
    _show_tokens(screen)
    _controls(screen)
    view, numbers = state.get("heads_view"), depth == "Numbers"
    if view == "What they do":
        what_they_do.show(screen, depth)
    elif depth == "Formula":
        formula.show(screen)
    elif depth == "Code":
        formula.show_code(screen)
    elif view == "Lines" and not numbers:
        lines.show(screen)
    elif view in ("Lines", "Matrix"):
        matrix.show(screen, numbers)
    else:
        {"All heads": all_heads.show, "Query-key": query_key.show, "Compare": compare.show}[view](screen, numbers)
    layout.try_this(*PROMPTS)


def _show_tokens(screen: HeadOnScreen) -> None:
    """The tokens of the queries and, in cross-attention, those of the keys."""
    query = screen.query if screen.query >= 0 else None
    mounts.token_strip(screen.query_tokens, key="heads tokens", label="Tokens", selected=query, on_pick=_take_query)
    if screen.at.is_cross:
        key = screen.key if screen.key >= 0 else None
        mounts.token_strip(
            screen.key_tokens, key="heads sources", label="Source tokens", selected=key, on_pick=_take_key
        )


def _take_query() -> None:
    place = st.session_state["heads tokens"]["pick"]
    state.put(query=NO_PAIR if place is None else int(place), key=-1)


def _take_key() -> None:
    place = st.session_state["heads sources"]["pick"]
    state.put(key=-1 if place is None else int(place))


def _controls(screen: HeadOnScreen) -> None:
    """The view, the head and the pair, directly above the picture that they change."""
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
            _head_controls(screen)
    if state.get("heads_view") == "Query-key" or _explains_one_head():
        _pair_controls(screen)


def _explains_one_head() -> bool:
    return state.get("depth") in ("Formula", "Code")


def _head_controls(screen: HeadOnScreen) -> None:
    """Which attention, layer and head. The views of all heads need no layer and no head."""
    head_controls.choose_attention(screen.config)
    if state.get("heads_view") not in ("All heads", "What they do") or _explains_one_head():
        st.number_input("Layer", 0, screen.n_layers - 1, key="layer", width=130)
        st.number_input("Head", 0, screen.config.n_heads - 1, key="head", width=130, on_change=_forget_heads_with_lines)


def _forget_heads_with_lines() -> None:
    state.put(heads_shown=())


def _pair_controls(screen: HeadOnScreen) -> None:
    """The choice of the query and the key."""
    if screen.query < 0:
        return
    with st.container(horizontal=True, gap="small"):
        for role, words, place in (("query", screen.queries, screen.query), ("key", screen.keys, screen.key)):
            st.session_state[f"heads {role}"] = place
            options = [f"{i}  {word}" for i, word in enumerate(words)]
            st.selectbox(
                role.capitalize(),
                tuple(range(len(words))),
                key=f"heads {role}",
                format_func=options.__getitem__,
                on_change=_take_pair,
                width=230,
            )


def _take_pair() -> None:
    state.put(query=st.session_state["heads query"], key=st.session_state["heads key"])


main()
