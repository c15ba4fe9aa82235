"""The outcome of the run beside the heads: a token or the class, and with muted heads the change of it.

The whole model's shares stand beside those of the edited one. An encoder without answers has neither, only vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from model.analysis.answers import answers
from model.analysis.asked_place import asked_place
from model.analysis.change import likeliest_with_new, turn
from model.analysis.head_steps import final_name
from model.network.answer_scores import answer_scores
from views.head_of_run import HeadOfRun, keep
from views.parts import Canvas
from views.view import View, grey
from viz.documents.page_parts import Group
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


@dataclass(frozen=True)
class NextWords(View):
    """The outcome of the run of a head."""

    head: HeadOfRun

    def picture_parts(self) -> Sequence[Any]:
        head = self.head
        if not head.config.has_answer:
            return grey(self._describe_turn())
        data = partial(head.run.pack, f"next words {_place(head)}", self._pack)
        return [Canvas("attention/next_words", data, key="heads next words")]

    number_parts = picture_parts

    def _pack(self) -> bytes:
        run = self.head.run
        found = find(self.head, run.by_whole_model(keep(run.config)))
        rows = [
            {"label": name, "share": share, "whole": before if run.edits else None}
            for name, share, before in zip(found.names, found.shares, found.whole, strict=True)
        ]
        note = "pale: with all heads" if run.edits else "mute a head to see it change"
        return pack({"title": found.title, "note": note, "rows": rows, "kind": run.config.label_scores})

    def _describe_turn(self) -> str:
        """How far the sentence's vector turned, in an encoder without answers."""
        run = self.head.run
        if not run.edits:
            return (
                "This encoder gives neither a word nor a class. Mute a head to see how far the sentence's vector turns."
            )
        name = final_name(run.config, "encoder")
        turned = float(turn(run.by_whole_model(keep(run.config))[name].mean(0), run.trace[name].mean(0)))
        return (
            f"Without the muted heads the sentence's vector, the mean of its tokens, turns by {number(turned)} "
            "(1 − cosine). This encoder gives neither a word nor a class."
        )


def find(head: HeadOfRun, whole: Trace) -> Outcomes:
    """The likeliest outcomes of the whole model and of the run. The model gives tokens or classes of a text."""
    model, trace = head.run.model, head.run.trace
    place = _place(head)
    if not model.config.answers_words:
        before, after = (answer_scores(answers(model, each, place), model.config) for each in (whole, trace))
        ids = likeliest_with_new(before, after, LIKELIEST, NEW)
        names = [model.config.classes[id] for id in ids]
        what = "Start and end at" if model.config.answer_span else "Class of"
        title = f"{what} “{words(trace.tokens)[place]}”" if model.config.answers_places else "Class of the text"
        return Outcomes(title, names, before[ids].tolist(), after[ids].tolist())
    before, after = (answers(model, each, place).softmax(-1) for each in (whole, trace))  # (vocabulary,)
    ids = likeliest_with_new(before, after, LIKELIEST, NEW)
    what = "Word at" if model.config.masked_words else "Next token after"
    title = f"{what} “{words(trace.tokens)[place]}”"
    return Outcomes(title, labels(model.output_tokenizer.tokens(ids)), before[ids].tolist(), after[ids].tolist())


def _place(head: HeadOfRun) -> int:
    """The token whose next one is predicted: the last, or where a translation ends there, the query or the first.

    Of an encoder it is the masked one, or the last word.
    """
    if head.config.kind == "encoder":
        return asked_place(head.run.model, head.run.trace)
    if head.config.kind == "decoder":
        return len(head.run.trace.tokens) - 1
    return max(head.query, 0) if head.at.stack == "decoder" else 0


def beside_outcome(head: HeadOfRun, parts: Sequence[Any]) -> list[Any]:
    """Parts in a wide column. The outcome of the run stands in the column beside it, and comes after them."""
    columns = [Group(parts, "column", 3), Group([NextWords(head)], "column", 1)]
    return [Group(columns, "row", gap="medium")]
