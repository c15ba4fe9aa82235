"""The equations of a mask, and the weights of the chosen query by them."""

from __future__ import annotations

from typing import Any

from views.attention.masks.two_runs import TwoRuns
from views.head_of_run import HeadOfRun
from views.shared import score_formula, sums
from views.shared.quotes import quote
from views.view import equation, grey, work_out


def equations(head: HeadOfRun) -> list[Any]:
    """The equations of a head with a mask, and of the masks that it may have."""
    config, is_cross = head.config, head.at.is_cross
    scores = score_formula.in_latex(config, is_cross)
    window = equation(
        r"M^{\text{window}}_{ij} = \begin{cases} 0 & |i - j| < w \\ -\infty & |i - j| \ge w \end{cases}",
        "Beltagy et al. (2020), arXiv:2004.05150, section 3.1; with a causal mask, Jiang et al. (2023), fig. 1",
        {"w": "keys that a query sees, its own included; in a decoder the causal mask hides those after it"},
    )
    return [
        *equation(
            rf"A = \mathrm{{softmax}}\!\left({scores} + M\right), \qquad M_{{ij}} \in \{{0, -\infty\}}",
            "Slides, “Masked Attention”; Vaswani et al. (2017), section 3.2.3; Palaskos (2022), fig. 3.6"
            + score_formula.source(config, is_cross),
            score_formula.symbols(config, is_cross),
        ),
        *equation(
            r"M^{\text{causal}}_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases} \qquad "
            r"M^{\text{padding}}_{ij} = \begin{cases} 0 & \text{key } j \text{ is a word} \\ -\infty & \text{it is "
            r"padding} "
            r"\end{cases}",
            "Palaskos (2022), eq. 3.52, with 0 and −∞ for his 1 and 0",
        ),
        *([] if is_cross else window),
        *grey("Masks add up: a key is hidden if any of them hides it."),
    ]


def worked_weights(runs: TwoRuns) -> list[Any]:
    """The weights of two keys in the query's row, with all its scores: of the strongest key, and of a hidden one."""
    row = min(runs.head.query, len(runs.queries) - 1)
    masked, best = runs.effect.masked[row], int(runs.effect.weights_with[row].argmax())  # (keys,)
    hidden = masked.isneginf().nonzero().flatten().tolist()
    if len(hidden) == len(masked):
        return grey(f"The whole row of {quote(runs.queries[row], row)} is hidden: its weights are defined as 0.")
    parts: list[Any] = []
    for key in (best, *hidden[-1:]):
        role = "which is hidden" if key in hidden else "its strongest key"
        parts += work_out(
            f"The weight of {quote(runs.keys[key])} (j = {key}), {role}, in the row of "
            f"{quote(runs.queries[row])} (i = {row}) in {runs.head.place}:",
            rf"A_{{{row},{key}}} = {sums.softmax(masked, key)}",
        )
    return parts
