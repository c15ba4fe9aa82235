"""The steps of one head at the depth Formula: each with the numbers of the singled-out pair.

The numbers are those of `model.graph.explain`, where the step makes a tensor of the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.graph.explain import Explanation, explain
from model.network.positions import rotary_speeds
from pages.shared.elements import layout
from views.head_of_run import HeadOfRun
from views.shared import quotes, sums

if TYPE_CHECKING:
    from torch import Tensor

Sum = tuple[str, str]  # the name of the numbers (Markdown), and their sum (LaTeX)


def show(screen: HeadOfRun, name: str, of: str) -> None:
    """The sum of a step for the singled-out pair. To set the heads side by side needs no sum."""
    if name != "concat":
        layout.work_out(*_STEPS[name](screen, of))


def _name(screen: HeadOfRun, of: str) -> str:
    """The singled-out query, or for "k" and "v" the key, in running text."""
    words, at = (screen.queries, screen.query) if of == "q" else (screen.keys, screen.key)
    return quotes.quote(words[at], at)


def _pair(screen: HeadOfRun) -> str:
    query, key = _name(screen, "q"), _name(screen, "k")
    return f"{query} (i = {screen.query}) and {key} (j = {screen.key})"


def _explain(screen: HeadOfRun, name: str, *index: int) -> Explanation:
    """Where a number of this attention comes from, as the map tells it."""
    trace = screen.trace().with_network(screen.run.model.network)  # cached traces hold no model
    return explain(trace, f"{screen.at.path}.{name}", index)


def _row(screen: HeadOfRun, of: str, *endings: str) -> tuple[str, int, Tensor]:
    """The tensor of queries, keys or values: the first that this head has with one of the `endings`, or the last one.

    With the head's number in it, and the features of the singled-out token (d_head,).
    """
    trace, path = screen.trace(), screen.at.path
    name = next((of + ending for ending in endings if f"{path}.{of}{ending}" in trace), of)
    head = screen.head if of == "q" else screen.config.kv_head_of(screen.head)
    return name, head, trace[f"{path}.{name}"][head, screen.query if of == "q" else screen.key]


def _project(screen: HeadOfRun, of: str) -> Sum:
    name, head, row = _row(screen, of, "_unnormed", "_unrotated")
    feature = int(row.abs().argmax())
    made = _explain(screen, name, head, screen.query if of == "q" else screen.key, feature)
    count = sum(term.factor is not None for term in made.terms)
    said = f"Feature {feature} of {_name(screen, of)}, its largest, from all {count} and one column of $W$"
    return said + (":" if len(made.terms) == count else ", the bias last:"), sums.explained(made)


def _normalise(screen: HeadOfRun, of: str) -> Sum:
    name, head, row = _row(screen, of, "_unrotated")
    feature = int(row.abs().argmax())
    made = _explain(screen, name, head, screen.query if of == "q" else screen.key, feature)
    x, rms, gain = (quotes.tex(term.value) for term in made.terms)
    return (
        f"Feature {feature} of {_name(screen, of)}, its largest, over the root mean square, times its gain:",
        rf"\frac{{{x}}}{{{rms}}} \cdot {gain} = {quotes.tex(made.value)}",
    )


def _rotate(screen: HeadOfRun, of: str) -> Sum:
    """The pair of features 0 and 1, which turns fastest: by one radian a position without a scaling."""
    h = screen.steps
    at, before, after = (screen.query, h.q_unrotated, h.q) if of == "q" else (screen.key, h.k_unrotated, h.k)
    x, y = quotes.tex(float(before[at, 0])), quotes.tex(float(before[at, 1]))
    speed, gain = float(rotary_speeds(screen.config)[0]), screen.config.rotary_gain
    angle = str(at) if speed == 1 else quotes.tex(speed * at)
    left, right = ("", "") if gain == 1 else (rf"{quotes.tex(gain)} \,(", ")")
    return (
        f"The pair of {_name(screen, of)} that turns fastest, features 0 and 1, at position {at}:",
        rf"{left}{x} \cos {angle} - {y} \sin {angle}{right} = {quotes.tex(float(after[at, 0]))}, \qquad "
        rf"{left}{x} \sin {angle} + {y} \cos {angle}{right} = {quotes.tex(float(after[at, 1]))}",
    )


def _scores(screen: HeadOfRun, of: str) -> Sum:
    made = _explain(screen, "raw_scores", screen.head, screen.query, screen.key)
    return f"For {_pair(screen)}:", rf"q_i \cdot k_j = {sums.explained(made)}"


def _scale(screen: HeadOfRun, of: str) -> Sum:
    name = "scores" if screen.steps.position_bias is None else "scores_unbiased"
    made = _explain(screen, name, screen.head, screen.query, screen.key)
    raw, scaled = quotes.tex(made.terms[0].value), quotes.tex(made.value)
    below = rf"\sqrt{{{screen.config.head_width}}}" if screen.config.scale_scores else "1"
    return f"For {_pair(screen)}:", rf"S_{{ij}} = \frac{{{raw}}}{{{below}}} = {scaled}"


def _bias(screen: HeadOfRun, of: str) -> Sum:
    made = _explain(screen, "scores", screen.head, screen.query, screen.key)
    row = _explain(screen, "position_bias", screen.head, screen.query, screen.key).terms[0].index[0]
    score, bias = (quotes.tex(term.value) for term in made.terms)
    distance = screen.key - screen.query
    said = f"For {_pair(screen)}, whose distance j − i = {distance} has row {row} of the table:".replace("= -", "= −")
    return said, rf"S_{{ij}} + B_{{ij}} = {score} + {bias} = {quotes.tex(made.value)}"


def _mask(screen: HeadOfRun, of: str) -> Sum:
    made = _explain(screen, "masked", screen.head, screen.query, screen.key)
    score, mask = (quotes.tex(term.value) for term in made.terms)
    return f"For {_pair(screen)}:", rf"S_{{ij}} + M_{{ij}} = {score} + {mask} = {quotes.tex(made.value)}"


def _softmax(screen: HeadOfRun, of: str) -> Sum:
    made = _explain(screen, "weights", screen.head, screen.query, screen.key)
    row = [term.value for term in made.terms if term.index]  # the shift and the sum are no cells
    return f"For {_pair(screen)}:", rf"A_{{ij}} = {sums.softmax(row, screen.key)}"


def _mix(screen: HeadOfRun, of: str) -> Sum:
    feature = int(screen.steps.mixed[screen.query].abs().argmax())
    made = _explain(screen, "heads", screen.head, screen.query, feature)
    name = f"Feature {feature} of what {_name(screen, 'q')} takes: each key's weight times its value there:"
    return name, sums.explained(made)


def _output(screen: HeadOfRun, of: str) -> Sum:
    h, i = screen.steps, screen.query
    feature = int(h.part[i].abs().argmax())
    name = f"Feature {feature} of what this head adds for {_name(screen, 'q')}, from its {h.mixed.shape[1]}:"
    return name, sums.product(h.mixed[i], h.w_o[:, feature])


_STEPS = {
    "project": _project,
    "normalise": _normalise,
    "rotate": _rotate,
    "scores": _scores,
    "scale": _scale,
    "bias": _bias,
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
    "output": _output,
}
