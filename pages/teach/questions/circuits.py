"""Questions about what a head does in general: which earlier head it reads by its keys."""

from __future__ import annotations

from random import Random

from model import questions
from model.analysis.circuits.composition import compose
from model.analysis.head_steps import Attention
from model.numerals import number
from model.questions import NoQuestion, Question
from pages.teach.questions.view import View, head_of, run_of


def earlier_head(view: View) -> Question:
    """Which head the keys of the head on screen read most: K-composition of self-attention."""
    screen = head_of(view)
    if screen.at.is_cross:
        raise NoQuestion("Cross-attention makes its keys of the other sentence: choose a self-attention.")
    found = compose(screen.run.model, screen.at, screen.head, "k")
    if not found.attentions:
        raise NoQuestion("No head stands before the first layer: choose a higher one.")
    heads = range(screen.config.n_heads)
    labels = [f"{_title(at)}, head {head}" for at in found.attentions for head in heads]
    return questions.largest(
        "earlier head",
        f"Which earlier head do the keys of {screen.place} read most?",
        found.scores.flatten(),
        labels,
        lambda best, value: (
            f"{best}: {value} above the level of random matrices, by the weights alone. What it writes decides where "
            "the later head looks."
        ),
        number,
    )


def draw_later_head(view: View, rng: Random) -> View:
    """Any head of self-attention above the first layer."""
    config = run_of(view.at("why")).model.config
    stack = config.stacks[-1]
    layer = rng.randrange(min(1, config.n_layers(stack) - 1), config.n_layers(stack))
    return view.at(
        "why", why_part="head", attention=f"{stack}.self_attn", layer=layer, head=rng.randrange(config.n_heads)
    )


def _title(at: Attention) -> str:
    return f"{'Cross-attention, layer' if at.is_cross else 'Layer'} {at.layer}"
