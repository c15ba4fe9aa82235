"""Heads: type a sentence and see where every head of the model looks, and why."""

from __future__ import annotations

import streamlit as st

from pages.attention.heads_parts import all_heads, compare, formula, head_choice, lines, matrix, query_key, what_they_do
from pages.shared.elements import claims, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.model_runs import head_tiles, traces
from pages.shared.session import state
from views.head_of_run import HeadOfRun, keep
from views.run import Run

VIEWS = {
    "Lines": ":material/timeline: Lines",
    "Matrix": ":material/grid_on: Matrix",
    "All heads": ":material/apps: All heads",
    "Query-key": ":material/bar_chart: Query · key",
    "Compare": ":material/compare: Compare",
    "What they do": ":material/query_stats: What they do",
}
MOST_LOOKED_AT = "the word that the query looks at most"
PROMPTS = (
    layout.Prompt(
        "Who is hungry?",
        "One head of SmolLM2 looks from “it” back to “fox”: it finds the noun of a pronoun.",
        {**FOX, "attention": "decoder.self_attn", "heads_view": "Lines"}
        | {"layer": 9, "head": 2, "query": 10, "key": 3, "heads_shown": ()},
        claim=Claim(MOST_LOOKED_AT, "is", "fox"),
        at="heads lines",
    ),
    layout.Prompt(
        "Which heads look back one token?",
        "Sorted by that measure, the first pictures are a line just below the diagonal.",
        {"heads_view": "All heads", "heads_sort": "previous"},
        claim=Claim(all_heads.STRONGEST, "over", 0.5),
    ),
    layout.Prompt(
        "Change one word",
        "Both sentences in the same head, and the difference: what one word does to all the others.",
        {"text": "I swam across the river to get to the other bank", "heads_view": "Compare"}
        | {"heads_with": "Another sentence", "heads_text2": "I swam across the street to get to the other bank"}
        | {"model": FOX["model"], "attention": "decoder.self_attn", "layer": 9, "head": 2},
        claim=Claim(compare.LARGEST, "over", 0.1),
        at="heads compared",
    ),
)


def main() -> None:
    depth = layout.begin("Heads", "For every word, each head decides where to look.")
    screen = head_choice.read(_run())
    _controls(screen)
    if screen.query >= 0:
        claims.tell(MOST_LOOKED_AT, screen.keys[int(screen.weights[screen.query].argmax())])
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


def _run() -> Run:
    """The run of the reader's sentence. The view of all heads takes something of each layer."""
    if state.get("heads_view") != "All heads":
        return traces.current(keep=keep)
    tiles = head_tiles.tiles_hook()
    run = traces.current(keep=keep, look=tiles.look)
    head_tiles.keep(run, tiles)
    return run


def _controls(screen: HeadOfRun) -> None:
    """The view and the kind of attention, the key where the view is about one pair, and the head to compare with."""
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
        head_controls.choose_attention(screen.config)
    layout.name_part(VIEWS[state.get("heads_view")])
    if state.get("heads_view") == "Query-key" or _explains_one_head():
        _choose_key(screen)
    if state.get("heads_view") == "Compare":
        compare.choose_other(screen)


def _explains_one_head() -> bool:
    return state.get("depth") in ("Formula", "Code")


def _choose_key(screen: HeadOfRun) -> None:
    """The choice of a key for the query of the run bar."""
    if screen.query < 0:
        return
    st.session_state["heads key"] = screen.key
    options = [f"{i}  {word}" for i, word in enumerate(screen.keys)]
    st.selectbox(
        "Key", range(len(options)), key="heads key", format_func=options.__getitem__, on_change=_take_key, width=230
    )


def _take_key() -> None:
    state.put(key=st.session_state["heads key"])


main()
