"""Questions about the view on screen, made from its tensors.

`pose` makes the question of one kind about a view. `draw` chooses a view of the reader's sentence by a seed, and makes
its question. This package imports torch, so import it where a question is made.
`pages.shared.session.question_kinds` lists the kinds, and `pages.catalogue` says which page asks which kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from model.questions import NoQuestion, Question
from pages.catalogue import question_kinds_of
from pages.teach.questions import account, attention, circuits, learning, many_texts, outcome
from pages.teach.questions.outcome import picture
from pages.teach.questions.view import View, present, quote

__all__ = ["KINDS", "NoQuestion", "Question", "View", "draw", "picture", "pose", "present"]

MAX_DRAWS = 6  # views that are tried before `draw` gives up

Pose = Callable[[View], Question]
Draw = Callable[[View, Random], View]
KINDS: dict[str, tuple[Pose, Draw]] = {
    "next token": (outcome.next_token, outcome.draw_next),
    "attention": (attention.most_attended, attention.draw_attended),
    "head": (attention.strongest_head, attention.draw_attended),
    "spread": (attention.widest_head, attention.draw_layer),
    "scale": (attention.scaled_score, attention.draw_score),
    "hidden cells": (attention.hidden_cells, attention.draw_mask),
    "visible keys": (attention.visible_keys, attention.draw_mask),
    "part": (attention.strongest_part, attention.draw_part),
    "without heads": (attention.without_heads, attention.draw_muted_head),
    "hand": (outcome.hand_turn, outcome.draw_hand),
    "pieces": (outcome.pieces, outcome.draw_pieces),
    "nearest": (outcome.nearest, outcome.draw_nearest),
    "layer": (outcome.layer, outcome.draw_token),
    "largest part": (account.largest_part, account.draw_account),
    "earlier head": (circuits.earlier_head, circuits.draw_later_head),
    "rule": (many_texts.best_rule, many_texts.draw_rule),
    "temperature": (outcome.tempered, outcome.draw_temperature),
    "class": (outcome.text_class, outcome.draw_class),
    "word class": (outcome.word_class, outcome.draw_word),
    "digit": (outcome.digit, outcome.draw_digit),
    "quarter": (outcome.quarter, outcome.draw_quarter),
    "cost": (outcome.costliest, outcome.draw_cost),
    "loss": (learning.loss, learning.draw_snapshot),
    "measure": (learning.best_measure, learning.draw_snapshot),
    "translators": (learning.translators, learning.draw_before),
    "alignment": (learning.alignment, learning.draw_before),
    "steps": (learning.steps_in_a_row, learning.draw_order),
    "missed part": (learning.missed_part, learning.draw_bench),
    "without parts": (learning.without_parts, learning.draw_parts),
}


# Kinds that ask about words of the sentence. Whoever reads them does not always have the sentence before the eyes.
OF_WORDS = ("attention", "head", "visible keys", "part", "pieces", "layer", "largest part", "word class", "alignment")


def pose(kind: str, view: View) -> Question:
    """The question of a kind about a view. Raises `NoQuestion` and the errors of `traces.errors`.

    The last line of its text asks. The line above it, if there is one, quotes the sentence.
    """
    if kind not in question_kinds_of(view.page):
        raise NoQuestion("This page poses no question of that kind.")
    question = KINDS[kind][0](view)
    return replace(question, text=f"{quote(view['text'])}\n{question.text}") if kind in OF_WORDS else question


def draw(kind: str, view: View, seed: int) -> tuple[Question, View]:
    """A question of a kind about the model and sentence of a view, and the view that shows its answer.

    The same seed gives the same question. Raises `NoQuestion` and the errors of `traces.errors`.
    """
    rng = Random(f"{seed} {kind}")
    last_error = NoQuestion("")
    for _ in range(MAX_DRAWS):
        try:
            drawn = KINDS[kind][1](view, rng)
            return pose(kind, drawn), drawn
        except NoQuestion as error:
            last_error = error
    raise last_error
