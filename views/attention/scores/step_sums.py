"""The steps of one head as equations, each with the numbers of the singled-out pair.

The numbers are those of `model.graph.explain`, where the step makes a tensor of the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.analysis.head_steps import scaled_name
from model.graph.explain import Explanation, explain
from model.network.positions import rotary_speeds
from model.numerals import number
from views.head_of_run import HeadOfRun
from views.shared import quotes, sums
from views.view import work_out

if TYPE_CHECKING:
    from torch import Tensor

Sum = tuple[str, str]  # the name of the numbers (Markdown), and their sum (LaTeX)


def worked(head: HeadOfRun, name: str, of: str) -> list[Any]:
    """The sum of a step for the singled-out pair. To set the heads side by side needs no sum."""
    return [] if name == "concat" else work_out(*_STEPS[name](head, of))


def _name(head: HeadOfRun, of: str) -> str:
    """The singled-out query, or for "k" and "v" the key, in running text."""
    words, at = (head.queries, head.query) if of == "q" else (head.keys, head.key)
    return quotes.quote(words[at], at)


def _pair(head: HeadOfRun) -> str:
    query, key = _name(head, "q"), _name(head, "k")
    return f"{query} (i = {head.query}) and {key} (j = {head.key})"


def _explain(head: HeadOfRun, name: str, *index: int) -> Explanation:
    """Where a number of this attention comes from, as the map tells it."""
    trace = head.trace().with_network(head.run.model.network)  # cached traces hold no model
    return explain(trace, f"{head.at.path}.{name}", index)


def _row(head: HeadOfRun, of: str, *endings: str) -> tuple[str, int, Tensor]:
    """The tensor of queries, keys or values: the first that this head has with one of the `endings`, or the last one.

    With the head's number in it, and the features of the singled-out token (d_head,).
    """
    trace, path = head.trace(), head.at.path
    name = next((of + ending for ending in endings if f"{path}.{of}{ending}" in trace), of)
    number = head.head if of == "q" else head.config.kv_head_of(head.head)
    return name, number, trace[f"{path}.{name}"][number, head.query if of == "q" else head.key]


def _project(head: HeadOfRun, of: str) -> Sum:
    name, number, row = _row(head, of, "_unnormed", "_unrotated")
    feature = int(row.abs().argmax())
    made = _explain(head, name, number, head.query if of == "q" else head.key, feature)
    count = sum(term.factor is not None for term in made.terms)
    said = f"Feature {feature} of {_name(head, of)}, its largest, from all {count} and one column of $W$"
    return said + (":" if len(made.terms) == count else ", the bias last:"), sums.explained(made)


def _normalise(head: HeadOfRun, of: str) -> Sum:
    name, number, row = _row(head, of, "_unrotated")
    feature = int(row.abs().argmax())
    made = _explain(head, name, number, head.query if of == "q" else head.key, feature)
    x, rms, gain = (quotes.tex(term.value) for term in made.terms)
    return (
        f"Feature {feature} of {_name(head, of)}, its largest, over the root mean square, times its gain:",
        rf"\frac{{{x}}}{{{rms}}} \cdot {gain} = {quotes.tex(made.value)}",
    )


def _rotate(head: HeadOfRun, of: str) -> Sum:
    """The pair of features 0 and 1, which turns fastest: by one radian a position without a scaling."""
    h = head.steps
    at, before, after = (head.query, h.q_unrotated, h.q) if of == "q" else (head.key, h.k_unrotated, h.k)
    x, y = quotes.tex(float(before[at, 0])), quotes.tex(float(before[at, 1]))
    config = head.config.of_layer(head.at.stack, head.at.layer)
    speed, gain = float(rotary_speeds(config)[0]), config.rotary_gain
    angle = str(at) if speed == 1 else quotes.tex(speed * at)
    left, right = ("", "") if gain == 1 else (rf"{quotes.tex(gain)} \,(", ")")
    return (
        f"The pair of {_name(head, of)} that turns fastest, features 0 and 1, at position {at}:",
        rf"{left}{x} \cos {angle} - {y} \sin {angle}{right} = {quotes.tex(float(after[at, 0]))}, \qquad "
        rf"{left}{x} \sin {angle} + {y} \cos {angle}{right} = {quotes.tex(float(after[at, 1]))}",
    )


def _scores(head: HeadOfRun, of: str) -> Sum:
    made = _explain(head, "raw_scores", head.head, head.query, head.key)
    return f"For {_pair(head)}:", rf"q_i \cdot k_j = {sums.explained(made)}"


def _scale(head: HeadOfRun, of: str) -> Sum:
    name = scaled_name(head.config, head.at.path)
    made = _explain(head, name, head.head, head.query, head.key)
    raw, scaled = quotes.tex(made.terms[0].value), quotes.tex(made.value)
    config = head.config.of_layer(head.at.stack, head.at.layer)
    below = rf"\sqrt{{{config.score_width or config.head_width:g}}}" if config.scale_scores else "1"
    return f"For {_pair(head)}:", rf"S_{{ij}} = \frac{{{raw}}}{{{below}}} = {scaled}"


def _bias(head: HeadOfRun, of: str) -> Sum:
    name = "scores" if head.config.score_cap is None else "scores_uncapped"
    made = _explain(head, name, head.head, head.query, head.key)
    (term,) = _explain(head, "position_bias", head.head, head.query, head.key).terms
    score, bias = (quotes.tex(term.value) for term in made.terms)
    distance = head.key - head.query
    has = f"has row {term.index[0]} of the table" if term.index else f"is multiplied by the slope {number(term.value)}"
    said = f"For {_pair(head)}, whose distance j − i = {distance} {has}:".replace("= -", "= −")
    return said, rf"S_{{ij}} + B_{{ij}} = {score} + {bias} = {quotes.tex(made.value)}"


def _cap(head: HeadOfRun, of: str) -> Sum:
    score, cap = _explain(head, "scores", head.head, head.query, head.key).terms
    c, capped = quotes.tex(cap.value), quotes.tex(float(head.steps.scores[head.query, head.key]))
    return f"For {_pair(head)}:", rf"{c} \tanh\!\left(\frac{{{quotes.tex(score.value)}}}{{{c}}}\right) = {capped}"


def _mask(head: HeadOfRun, of: str) -> Sum:
    made = _explain(head, "masked", head.head, head.query, head.key)
    score, mask = (quotes.tex(term.value) for term in made.terms)
    return f"For {_pair(head)}:", rf"S_{{ij}} + M_{{ij}} = {score} + {mask} = {quotes.tex(made.value)}"


def _softmax(head: HeadOfRun, of: str) -> Sum:
    made = _explain(head, "weights", head.head, head.query, head.key)
    row = [term.value for term in made.terms if term.index]  # the shift and the sum are no cells
    return f"For {_pair(head)}:", rf"A_{{ij}} = {sums.softmax(row, head.key)}"


def _mix(head: HeadOfRun, of: str) -> Sum:
    feature = int(head.steps.mixed[head.query].abs().argmax())
    made = _explain(head, "heads", head.head, head.query, feature)
    name = f"Feature {feature} of what {_name(head, 'q')} takes: each key's weight times its value there:"
    return name, sums.explained(made)


def _output(head: HeadOfRun, of: str) -> Sum:
    h, i = head.steps, head.query
    feature = int(h.part[i].abs().argmax())
    name = f"Feature {feature} of what this head adds for {_name(head, 'q')}, from its {h.mixed.shape[1]}:"
    return name, sums.product(h.mixed[i], h.w_o[:, feature])


_STEPS = {
    "project": _project,
    "normalise": _normalise,
    "rotate": _rotate,
    "scores": _scores,
    "scale": _scale,
    "bias": _bias,
    "cap": _cap,
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
    "output": _output,
}
