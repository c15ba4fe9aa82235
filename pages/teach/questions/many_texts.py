"""Questions about what a head does on many texts: which rule explains most of it."""

from __future__ import annotations

from random import Random

import torch

from model import questions
from model.errors import GlassformerError
from model.questions import NoQuestion, Question
from model.surveys.reading import Reading
from pages.attention.heads_parts.readings import Wish
from pages.teach.questions.view import View, head_of, run_of
from views.attention.many_texts import texts
from views.head_of_run import HeadOfRun
from viz.shared.style import count_noun, percent

MOST_RULES = 5  # the best ones, from which the wrong answers are taken
LEAST = 0.02  # of a head, above chance


def best_rule(view: View) -> Question:
    """Which of the rules that were tested explains most of the head on screen."""
    screen = head_of(view)
    if screen.at.is_cross:
        raise NoQuestion("A rule says where a head looks in its own sentence. Choose a self-attention.")
    reading, attention = _reading(view, screen), f"{screen.at.stack}.{screen.at.part}"
    scores = [reading.score(rule, screen.at.layer, screen.head, attention) for rule in reading.rules]
    scores = sorted(scores, key=lambda score: score.above_chance, reverse=True)[:MOST_RULES]
    if scores[0].above_chance < LEAST:
        raise NoQuestion("No rule explains much more of this head than chance does. Choose another head.")
    return questions.largest(
        "rule",
        f"Which rule fits {screen.place} best, over {count_noun(int(reading.read.sum()), 'text')}?",
        torch.tensor([score.above_chance for score in scores], dtype=torch.float64),
        [f"It looks {score.rule.words}" for score in scores],
        lambda best, share: (
            f"“{best}” explains {percent(scores[0].share_beyond)} of the head's weight beyond the first token. That is "
            f"{share} more than of a head that looks everywhere alike; no other rule is so far above chance."
        ),
    )


def _reading(view: View, screen: HeadOfRun) -> Reading:
    """The reading of the texts that the view names. The rules must have been tested, or be tested in a moment."""
    model = screen.run.model
    try:
        collection = texts.built_in(view["heads_texts"] or texts.usual_texts(model), view["heads_kinds"])
    except GlassformerError as error:
        raise NoQuestion(str(error)) from error
    reading = Wish(model, collection).found()
    if reading is None or not reading.is_whole:
        raise NoQuestion("The texts are not read yet. Read them under “Many texts” on Heads.")
    return reading


def draw_rule(view: View, rng: Random) -> View:
    """Any head of self-attention."""
    config = run_of(view.at("heads")).model.config
    stack = config.stacks[-1]
    return view.at(
        "heads",
        heads_view="Many texts",
        heads_many="Rule",
        attention=f"{stack}.self_attn",
        layer=rng.randrange(config.n_layers(stack)),
        head=rng.randrange(config.n_heads),
    )
