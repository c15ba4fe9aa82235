"""The outcome of the run beside the heads: a token or the class, and with muted heads the change of it.

The whole model's shares stand beside those of the edited one. An encoder without answers has neither, only vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.analysis.asked_place import asked_place
from model.analysis.attribution import answers
from model.analysis.change import likeliest_with_new, turn
from model.analysis.head_steps import final_name
from model.network.answer_scores import answer_scores
from pages.components import matrix_mounts
from pages.shared.elements import layout
from pages.shared.model_runs import traces
from views.head_of_run import HeadOfRun, keep
from viz.shared.payload import pack
from viz.shared.style import number
from viz.shared.tokens import labels, words

if TYPE_CHECKING:
    from model import Trace

LIKELIEST = 4  # outcomes of the whole model
NEW = 1  # likeliest outcomes of the edited model that are added to them


@dataclass(frozen=True)
class Outcomes:
    """Scores of the same outcomes (outcomes,), of the whole model and of the run. `names` gives the labels of some."""

    title: str
    names: list[str]
    whole: list[float]
    shares: list[float]


@contextmanager
def beside(screen: HeadOfRun) -> Iterator[None]:
    """The wide column of a picture. The outcome of the run stands in the column beside it, drawn after the picture."""
    picture, outcome = st.columns([3, 1], gap="medium")
    with picture:
        yield
    with outcome:
        show(screen)


def show(screen: HeadOfRun) -> None:
    run = screen.run
    if not run.model.config.has_answer:
        _show_turn(screen)
        return
    packed = traces.pack(run, f"next words {_place(screen)}", lambda: _pack(screen))
    matrix_mounts.next_words(packed, key="heads next words")


def _pack(screen: HeadOfRun) -> bytes:
    run = screen.run
    found = find(screen, _whole_trace(screen))
    rows = [
        {"label": name, "share": share, "whole": before if run.edits else None}
        for name, share, before in zip(found.names, found.shares, found.whole, strict=True)
    ]
    note = "pale: with all heads" if run.edits else "mute a head to see it change"
    return pack({"title": found.title, "note": note, "rows": rows, "kind": run.model.config.label_scores})


def find(screen: HeadOfRun, whole: Trace) -> Outcomes:
    """The likeliest outcomes of the whole model and of the run. The model gives tokens or classes of a text."""
    model, trace = screen.run.model, screen.run.trace
    if not model.config.answers_words:
        before, after = (answer_scores(each["text_logits"], model.config) for each in (whole, trace))
        ids = likeliest_with_new(before, after, LIKELIEST, NEW)
        names = [model.config.text_labels[id] for id in ids]
        return Outcomes("Class of the text", names, before[ids].tolist(), after[ids].tolist())
    place = _place(screen)
    before, after = (answers(model, each, place).softmax(-1) for each in (whole, trace))  # (vocabulary,)
    ids = likeliest_with_new(before, after, LIKELIEST, NEW)
    what = "Word at" if model.config.masked_words else "Next token after"
    title = f"{what} “{words(trace.tokens)[place]}”"
    return Outcomes(title, labels(model.output_tokenizer.tokens(ids)), before[ids].tolist(), after[ids].tolist())


def _place(screen: HeadOfRun) -> int:
    """The token whose next one is predicted: the last, or where a translation ends there, the query or the first.

    Of an encoder it is the masked one, or the last word.
    """
    if screen.config.kind == "encoder":
        return asked_place(screen.run.model, screen.run.trace)
    if screen.config.kind == "decoder":
        return len(screen.run.trace.tokens) - 1
    return max(screen.query, 0) if screen.at.stack == "decoder" else 0


def _whole_trace(screen: HeadOfRun) -> Trace:
    """The same tokens, run by the whole model."""
    run = screen.run
    if not run.edits:
        return run.trace
    ids, source = (tuple(token.id for token in each) for each in (run.trace.tokens, run.trace.source_tokens))
    return traces.trace_ids(traces.model(run.name, whole=True), ids, keep(screen.config), source)


def _show_turn(screen: HeadOfRun) -> None:
    """How far the sentence's vector turned, in an encoder without answers."""
    if not screen.run.edits:
        layout.caption(
            "This encoder gives neither a word nor a class. Mute a head to see how far the sentence's vector turns."
        )
        return
    name = final_name(screen.config, "encoder")
    turned = float(turn(_whole_trace(screen)[name].mean(0), screen.run.trace[name].mean(0)))
    layout.caption(
        f"Without the muted heads the sentence's vector, the mean of its tokens, turns by {number(turned)} "
        "(1 − cosine). This encoder gives neither a word nor a class."
    )
