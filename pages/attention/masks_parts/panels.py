"""Scores and weights without and with a mask, and the effect of the mask on the output and the next token."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.attention.masks_parts import mask_choice, outcome, padding_check, painter, panels_code, panels_formula
from pages.attention.masks_parts.masked_runs import MaskedRuns, run_twice
from pages.attention.masks_parts.sentence import read_sentence
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.session import state, token_window
from views.shared import quotes, score_formula, windows
from views.shared.matrix_tables import number_words
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, cut, pack_panels
from viz.shared.style import count_noun, number, percent

VISIBLE_CHANGE = 1e-4  # of a score; rounding makes smaller ones
# The two runs have different scores, because the layers below differ too: each number names its run.
SCORE, MASKED = "score, run without", "score + mask, run with"
WEIGHT_WITHOUT, WEIGHT_WITH = "weight, run without", "weight, run with"
OF_PAIR = "the weight of the chosen pair with the mask"
SEEN = "the number of keys that the last query sees"
ON_HIDDEN = "the largest weight of a hidden key"
PROMPTS = (
    layout.Prompt(
        "Hide the fox from “it”",
        "One painted cell, in every layer: the key “fox” is gone for the query “it”.",
        {**FOX, "attention": "decoder.self_attn", "masks_kind": "painted", "layer": 9, "head": 2}
        | {"query": 10, "key": 3}
        | {"masks_paint": "13x13.eNprYGOwYHzA31DH_EP-wf_2f9Y__7__3wAAZ4ULzA=="},
        claim=Claim(OF_PAIR, "is", 0.0),
        at="masks panels",
    ),
    layout.Prompt(
        "A window of three",
        "A word sees two words before it. What is farther away reaches it through the layers below, or not at all.",
        {"masks_kind": "window", "masks_width": 3, "masks_where": "every layer"},
        claim=Claim(SEEN, "is", 3),
        at="masks panels",
    ),
    layout.Prompt(
        "A padded batch",
        "Padding fills the shorter sentence, and the mask hides it from every query.",
        {"text": "I am a robot", "masks_kind": "padding"}
        | {"masks_batch": "The quick brown fox jumps over the lazy dog\nWhat time is it?"},
        claim=Claim(ON_HIDDEN, "is", 0.0),
        at="masks panels",
    ),
)


def show(depth: str) -> None:
    screen = head_controls.choose()
    if depth == "Formula":
        panels_formula.show_equations(screen)
    kind = mask_choice.choose_kind(screen)
    sentence = read_sentence(screen, "padding" in kind)
    runs = run_twice(screen, kind, sentence)
    if depth == "Formula":
        panels_formula.work_out_weights(runs)
    elif depth == "Code":
        panels_code.show(runs)
    else:
        _show_effect(runs, depth == "Numbers")


def _show_effect(runs: MaskedRuns, numbers: bool) -> None:
    """The effect of the mask: on the scores and weights, then on the output and the next token."""
    _tell(runs)
    shape = runs.visible.shape
    part = token_window.choose_part("mask panels", shape, (runs.screen.query, runs.screen.key))
    if runs.kind == "painted" and not numbers:
        painter.show(runs, part)
    if numbers:
        st.dataframe(_table(runs, part), height=420, placeholder="−∞")  # of hidden scores
    else:
        _show_panels(runs, part)
    hint = "" if numbers else " Point at a cell to read it in all four."
    layout.caption(_describe(runs) + _say_reach(runs) + hint + windows.say_part(part, shape))
    if runs.sentence.batch is not None:
        layout.caption(padding_check.describe(runs))
    _export(runs, part)
    outcome.show(runs, numbers)
    layout.try_this(*PROMPTS)


def _tell(runs: MaskedRuns) -> None:
    """What the prompts claim of the run with the mask."""
    weights, hidden = runs.effect.weights_with, ~runs.visible
    claims.tell(OF_PAIR, float(weights[runs.screen.query, runs.screen.key]))
    claims.tell(SEEN, int(runs.visible[-1].sum()))
    if hidden.any():
        claims.tell(ON_HIDDEN, float(weights[hidden].max()))


def _show_panels(runs: MaskedRuns, part: windows.MatrixPart) -> None:
    down, across = part
    packed = pack_panels(
        cut(_panels(runs), part),
        runs.queries[down],
        runs.keys[across],
        identity=f"{runs.screen.identity} {len(runs.queries)} {down.start} {across.start}",
        title="Scores and weights without and with the mask",
        selected=windows.nearest_in(part, (runs.screen.query, runs.screen.key)),
    )
    matrix_mounts.panels(packed, key="masks panels", on_cell=partial(_take_cell, down.start, across.start))


def _panels(runs: MaskedRuns) -> list[Panel]:
    """The scores and the weights of the run without the mask and of the run with it."""
    effect, screen = runs.effect, runs.screen
    scores = score_formula.in_words(screen.config, screen.at.is_cross)
    return [
        Panel("Run without: scores", f"{scores}, nothing hidden", SCORE, effect.scores.numpy(), "signed"),
        Panel("Run with: scores + mask", "hidden cells are −∞", MASKED, effect.masked.numpy(), "signed"),
        Panel("Run without: weights", "softmax of the first", WEIGHT_WITHOUT, effect.weights_without.numpy()),
        Panel("Run with: weights", "softmax of the second", WEIGHT_WITH, effect.weights_with.numpy()),
    ]


def _take_cell(first_query: int, first_key: int) -> None:
    query, key = st.session_state["masks panels"]["cell"]
    state.put(query=first_query + int(query), key=first_key + int(key))


def _describe(runs: MaskedRuns) -> str:
    """The number of hidden cells, the weight that they would get, and the change of the visible scores. Markdown."""
    effect, hidden = runs.effect, ~runs.visible
    count = int(hidden.sum())
    if not count:
        return "Nothing is hidden: the mask is 0 everywhere, so both runs are the same."
    sentences = (
        f"{count:,} of {hidden.numel():,} cells {'is' if count == 1 else 'are'} hidden in {runs.screen.place}. "
        f"Without the mask a query would give {percent(effect.weight_on_hidden)} of its attention to what is hidden, "
        f"on average; with it exactly {number(float(effect.weights_with[hidden].max()))}."
    )
    if effect.hidden_rows:
        names = ", ".join(quotes.quote(runs.queries[row], row) for row in effect.hidden_rows[:3])
        sentences += f" The whole row of {names} is hidden: its weights are 0, not undefined."
    if effect.score_change > VISIBLE_CHANGE:
        sentences += (
            f" The visible scores differ by up to {number(effect.score_change)} between the runs, because the layers "
            "below ran with the mask too."
        )
    return sentences


def _say_reach(runs: MaskedRuns) -> str:
    """How far the layers together see where each of them has the same window. Markdown."""
    width, layers = mask_choice.width_of(runs.screen), runs.screen.n_layers
    if runs.kind != "window" or not runs.everywhere:
        return ""
    return (
        f" Each of the {count_noun(layers, 'layer')} looks {count_noun(width - 1, 'token')} back, so after the last "
        f"one a word knows of {layers * (width - 1):,} before it."
        if mask_choice.is_causal(runs.screen)
        else f" Each of the {count_noun(layers, 'layer')} looks {count_noun(width - 1, 'token')} to either side."
    )


def _table(runs: MaskedRuns, part: windows.MatrixPart) -> pd.DataFrame:
    """One row for each cell of the four panels."""
    effect, (down, across) = runs.effect, part
    queries, keys = number_words(runs.queries)[down], number_words(runs.keys)[across]
    rows, columns = np.indices((len(queries), len(keys)))
    masked = effect.masked.masked_fill(effect.masked.isneginf(), np.nan)  # the table writes −∞ there
    return pd.DataFrame(
        {
            "query": [queries[i] for i in rows.flat],
            "key": [keys[j] for j in columns.flat],
            SCORE: effect.scores[part].numpy().ravel(),
            MASKED: masked[part].numpy().ravel(),
            WEIGHT_WITHOUT: effect.weights_without[part].numpy().ravel(),
            WEIGHT_WITH: effect.weights_with[part].numpy().ravel(),
        }
    )


def _export(runs: MaskedRuns, part: windows.MatrixPart) -> None:
    """The pictures and the table hold what is shown, the archive holds the whole matrices."""
    effect, queries, keys = runs.effect, runs.queries[part[0]], runs.keys[part[1]]
    mask = runs.visible.numpy().astype(np.uint8)
    matrices = {
        "scores": effect.scores,
        "masked": effect.masked,
        "weights_without": effect.weights_without,
        "weights_with": effect.weights_with,
    }
    title = f"{runs.screen.run.model.card.title}, {runs.screen.place}"
    selected = windows.nearest_in(part, (runs.screen.query, runs.screen.key))
    code = panels_code.snippet(runs) if runs.sentence.batch is None else None
    figures.files(
        f"{runs.screen.file_name}-{runs.kind.replace(' ', '-')}",
        partial(
            panel_pictures.panels_picture, cut(_panels(runs), part), queries, keys, title, across=2, selected=selected
        ),
        CSV=partial(head_pictures.matrix_csv, mask[part], queries, keys),
        NPZ=partial(npz, visible=mask, queries=runs.queries, keys=runs.keys, **matrices),
        **({} if code is None else {"PY": lambda: code}),
    )
