"""Choose or paint, at the depth Formula: the equations of a mask, and the weights of the reader's query by them."""

from __future__ import annotations

from pages.attention.masks_parts.masked_runs import MaskedRuns
from pages.shared.elements import layout
from views.head_of_run import HeadOfRun
from views.shared import quotes, score_formula, sums


def show_equations(screen: HeadOfRun) -> None:
    config, is_cross = screen.config, screen.at.is_cross
    scores = score_formula.in_latex(config, is_cross)
    layout.equation(
        rf"A = \mathrm{{softmax}}\!\left({scores} + M\right), \qquad M_{{ij}} \in \{{0, -\infty\}}",
        "Slides, “Masked Attention”; Vaswani et al. (2017), section 3.2.3; Palaskos (2022), fig. 3.6"
        + score_formula.source(config, is_cross),
        score_formula.symbols(config, is_cross),
    )
    layout.equation(
        r"M^{\text{causal}}_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases} \qquad "
        r"M^{\text{padding}}_{ij} = \begin{cases} 0 & \text{key } j \text{ is a word} \\ -\infty & \text{it is "
        r"padding} "
        r"\end{cases}",
        "Palaskos (2022), eq. 3.52, with 0 and −∞ for his 1 and 0",
    )
    if not is_cross:
        layout.equation(
            r"M^{\text{window}}_{ij} = \begin{cases} 0 & |i - j| < w \\ -\infty & |i - j| \ge w \end{cases}",
            "Beltagy et al. (2020), arXiv:2004.05150, section 3.1; with a causal mask, Jiang et al. (2023), fig. 1",
            {"w": "keys that a query sees, its own included; in a decoder the causal mask hides those after it"},
        )
    layout.caption("Masks add up: a key is hidden if any of them hides it.")


def work_out_weights(runs: MaskedRuns) -> None:
    """The weights of two keys in the query's row, with all its scores: of the strongest key, and of a hidden one."""
    row = min(runs.screen.query, len(runs.queries) - 1)
    masked, best = runs.effect.masked[row], int(runs.effect.weights_with[row].argmax())  # (keys,)
    hidden = masked.isneginf().nonzero().flatten().tolist()
    if len(hidden) == len(masked):
        layout.caption(
            f"The whole row of {quotes.quote(runs.queries[row], row)} is hidden: its weights are defined as 0."
        )
        return
    for key in (best, *hidden[-1:]):
        role = "which is hidden" if key in hidden else "its strongest key"
        layout.work_out(
            f"The weight of {quotes.quote(runs.keys[key])} (j = {key}), {role}, in the row of "
            f"{quotes.quote(runs.queries[row])} (i = {row}) in {runs.screen.place}:",
            rf"A_{{{row},{key}}} = {sums.softmax(masked, key)}",
        )
