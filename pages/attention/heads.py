"""Heads: type a sentence and see where every head of the model looks, and why."""

from __future__ import annotations

from collections.abc import Callable

from pages.attention.heads_parts import controls, head_choice, many_texts, sweep_work
from pages.shared.elements import head_controls
from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.elements.page import ABOVE, BESIDE_PARTS, Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.session import state, token_window
from views import head_tiles
from views.attention.all_heads import STRONGEST, AllHeads
from views.attention.by_turn import ByTurn
from views.attention.compare import LARGEST, Compared
from views.attention.head_view import MOST_LOOKED_AT, HeadView
from views.attention.lines import LineChoice, Lines
from views.attention.many_texts.all_heads import LARGEST as MOST_OF_A_HEAD
from views.attention.matrix import HeadMatrix
from views.attention.measures import Measures
from views.attention.query_key import QueryKey
from views.attention.rollout import Rollout
from views.attention.sweep import Sweep
from views.attention.why_there import ALONE, BEST_AT_KEY, WhyThere

PROMPTS = (
    Prompt(
        "Who is hungry?",
        "In this sentence, one head of SmolLM2 looks from “it” back to “fox”. One sentence proves no rule: over 1,118 "
        "texts it also looks from a word to its earlier self, in 57% of places where one comes again: see Many texts.",
        {**FOX, "attention": "decoder.self_attn", "heads_view": "Lines"}
        | {"layer": 9, "head": 2, "query": 10, "key": 3, "heads_shown": ()},
        claim=Claim(MOST_LOOKED_AT, "is", "fox"),
        at="heads lines",
    ),
    Prompt(
        "Which heads look back one token?",
        "Sorted by that measure, the first pictures are a line just below the diagonal.",
        {"heads_view": "All heads", "heads_sort": "previous"},
        claim=Claim(STRONGEST, "over", 0.5),
    ),
    Prompt(
        "Change one word",
        "Both sentences in the same head, and the difference: what one word does to all the others.",
        {"text": "I swam across the river to get to the other bank", "heads_view": "Compare"}
        | {"heads_with": "Another sentence", "heads_text2": "I swam across the street to get to the other bank"}
        | {"model": FOX["model"], "attention": "decoder.self_attn", "layer": 9, "head": 2},
        claim=Claim(LARGEST, "over", 0.1),
        at="heads compared",
    ),
    Prompt(
        "Why does it look there?",
        "This head finds what came next the last time, “bl”. An earlier one, which looks one token back, has written "
        "there what stands before it.",
        {"model": FOX["model"], "text": "The zorblat fell. Then the zor", "attention": "decoder.self_attn"}
        | {"heads_view": "Why there", "layer": 18, "head": 6, "query": 10, "key": 3, "heads_against": -1},
        claim=Claim(BEST_AT_KEY, "is", "layer 16, head 0"),
        at="heads margins",
    ),
    Prompt(
        "Which heads repeat what came next?",
        "Each point is a head of a tiny model, over 280 texts. The highest ones look at what followed the same token "
        "earlier: induction heads.",
        {"model": "tiny-lm", "attention": "decoder.self_attn", "heads_view": "Many texts", "heads_many": "All heads"}
        | {"heads_texts": "small world", "heads_kinds": "", "heads_x": "previous", "heads_y": "induction"}
        | {"heads_drawn": "points"},
        claim=Claim(MOST_OF_A_HEAD, "over", 0.2),
        at="heads of texts",
    ),
)


def lines() -> Lines:
    head = head_choice.read(Lines)
    names = ("heads_shown", "heads_least", "heads_hide", "heads_layout", "key")
    choice = LineChoice.of(head, *map(state.get, names))
    shape = len(head.query_tokens), len(head.key_tokens)
    return Lines(head, choice, token_window.read_part(shape, (head.query, head.key)))


def matrix() -> HeadMatrix:
    head = head_choice.read(HeadMatrix)
    part = token_window.read_pair(tuple(head.weights.shape), (head.query, head.key))
    return HeadMatrix(head, state.get("heads_values").lower(), part)


def all_heads() -> AllHeads:
    """It takes something of each layer, which is taken while the run is made."""
    tiles = head_tiles.tiles_hook()
    head = head_choice.read(AllHeads, tiles.look)
    head_tiles.keep(head.run, tiles)
    orders = ("layer", *(kind.key for kind in head_tiles.kinds_of(head.at.part)))
    return AllHeads(head, state.checked_choice("heads_sort", orders, "Order", "layer"))


def query_key() -> QueryKey:
    return QueryKey(head_choice.read(QueryKey))


def why_there() -> WhyThere:
    head = head_choice.read(WhyThere)
    return WhyThere(head, state.checked_number("heads_against", ALONE, len(head.keys) - 1, "Compared with"))


def compared() -> Compared:
    head = head_choice.read(Compared)
    other, why_not = head_choice.read_other(head)
    return Compared(head, other, token_window.read_pair(tuple(head.hidden.shape), (head.query, head.key)), why_not)


def what_they_do() -> HeadView:
    views: dict[str, Callable[[], HeadView]] = {
        "measures": measures,
        "turns": by_turn,
        "rollout": rollout,
        "sweep": sweep,
    }
    return views[state.get("heads_work")]()


def measures() -> Measures:
    return Measures(head_choice.read(Measures))


def by_turn() -> ByTurn:
    return ByTurn(head_choice.read(ByTurn), state.get("asked"), state.get("summed"))


def rollout() -> Rollout:
    head = head_choice.read(Rollout)
    part = token_window.read_part(tuple(head.hidden.shape), (head.query, head.key))
    return Rollout(head, "sink" in state.get("heads_hide"), part)


def sweep() -> Sweep:
    head = head_choice.read(Sweep)
    harms, why_not = sweep_work.measured(head)
    return Sweep(head, tuple(harms), state.get("heads_sweep"), why_not, sweep_work.example_texts())


ALL = {BESIDE_PARTS: head_controls.choose_attention_of, "pair": controls.choose_key}
PARTS = {
    "Lines": Part(
        ":material/timeline: Lines", lines, ALL | controls.windows_of("lines", reads_all=True), goes_beside=True
    ),
    "Matrix": Part(
        ":material/grid_on: Matrix",
        matrix,
        ALL | {"values": controls.choose_values} | controls.windows_of("matrix"),
        goes_beside=True,
    ),
    "All heads": Part(":material/apps: All heads", all_heads, ALL | {"order": controls.choose_order}, goes_beside=True),
    "Query-key": Part(":material/bar_chart: Query · key", query_key, ALL, goes_beside=True),
    "Why there": Part(":material/account_tree: Why there?", why_there, ALL | {"against": controls.choose_against}),
    "Compare": Part(
        ":material/compare: Compare", compared, ALL | {"other": controls.choose_other} | controls.windows_of("compare")
    ),
    "What they do": Part(
        ":material/query_stats: What they do",
        what_they_do,
        ALL
        | {ABOVE: controls.choose_work, "turns": head_controls.choose_turns}
        | {"rollout": controls.choose_rollout, "sweep": sweep_work.choose_and_measure},
    ),
    "Many texts": Part(
        ":material/library_books: Many texts",
        many_texts.many_texts,
        {BESIDE_PARTS: head_controls.choose_attention_of, ABOVE: many_texts.choose} | many_texts.CONTROLS,
        alone=many_texts.draw_and_read,
    ),
}
PAGE = Page("Heads", "For every word, each head decides where to look.", "heads_view", PARTS, PROMPTS)
