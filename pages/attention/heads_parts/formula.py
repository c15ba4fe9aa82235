"""Heads at the depths Formula and Code: the equations with the numbers of the pair, and the code that computes it."""

from __future__ import annotations

from model.network.attention import MultiHeadAttention
from pages.attention.heads_parts import weight_story
from pages.shared.elements import layout
from views.head_of_run import HeadOfRun
from views.shared import quotes, score_formula
from viz.shared.style import number


def show(screen: HeadOfRun) -> None:
    config, width = screen.config, screen.config.head_width
    scores = score_formula.in_latex(config, screen.at.is_cross, r"Q_i K_i^\top")
    layout.equation(
        rf"A_i = \mathrm{{softmax}}\!\left({scores} + M\right), \qquad "
        r"\mathrm{head}_i = A_i V_i, \qquad \mathrm{MHA} = [\mathrm{head}_0 \dots \mathrm{head}_{h-1}]\, W_O",
        "Vaswani et al. (2017), eqs. 1 and 4; encoder notes, eqs. 0.1.3-0.1.6; Palaskos (2022), eqs. 3.42-3.45"
        + score_formula.source(config, screen.at.is_cross),
        {
            "A_i": f"weights of head i, {len(screen.queries)} queries × {len(screen.keys)} keys; each row sums to 1",
            "Q_i, K_i": f"queries and keys of the head, {width} features each",
            "d_k": f"{width} features, so scores are divided by {number(width**0.5)}"
            if config.scale_scores
            else f"{width} features; this model does not divide by their root",
            **score_formula.symbols(config, screen.at.is_cross),
            "M": "0 where a query may look, minus infinity elsewhere"
            if screen.hidden.any()
            else "0 everywhere: every query may look at every key",
            "h": f"{config.n_heads} heads in each of {screen.n_layers} layers",
        },
    )
    if screen.story is not None:
        _work_out_weight(screen)


def _work_out_weight(screen: HeadOfRun) -> None:
    """The score and the weight of the singled-out pair, with their numbers."""
    story = screen.story
    assert story is not None
    query, key = weight_story.pair_names(screen)
    below, its_number = (r"\sqrt{d_k}", rf"\sqrt{{{story.d_head}}}") if story.scaled else ("1", "1")
    shift = f" - {quotes.tex(story.shift)}" if story.shift else ""
    biased = "" if story.bias is None else f" + {quotes.tex(story.bias)} = {quotes.tex(story.score)}"
    layout.work_out(
        f"For {query} (i = {story.query}) and {key} (j = {story.key}), in {screen.place}:",
        rf"\frac{{q_{{{story.query}}} \cdot k_{{{story.key}}}}}{{{below}}} = "
        rf"\frac{{{quotes.tex(story.raw_score)}}}{{{its_number}}} = {quotes.tex(story.unbiased)}{biased}, \qquad "
        rf"a_{{{story.query},{story.key}}} = \frac{{\exp({quotes.tex(story.masked)}{shift})}}"
        rf"{{{quotes.tex(story.total)}}} = {quotes.tex(story.weight)}",
    )
    layout.caption(weight_story.describe_weight(screen))


def show_code(screen: HeadOfRun) -> None:
    if screen.story is not None:
        layout.caption("This weight, recomputed from this sentence. Run it in the project's folder:")
        weight_story.show_snippet(screen)
    layout.code(MultiHeadAttention)
