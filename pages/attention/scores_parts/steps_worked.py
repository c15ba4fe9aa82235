"""The steps of one head at the depth Formula: each with the numbers of the singled-out pair."""

from __future__ import annotations

from pages.shared import layout, sums
from pages.shared.head_on_screen import HeadOnScreen

Worked = tuple[str, str]  # what the numbers are of (Markdown), and their sum (LaTeX)


def show(shown: HeadOnScreen, name: str, of: str) -> None:
    """The step's sum for the pair; joining the heads side by side has none."""
    if name != "concat":
        layout.work_out(*_STEPS[name](shown, of))


def _pair(shown: HeadOnScreen) -> str:
    query, key = layout.quote(shown.queries[shown.query]), layout.quote(shown.keys[shown.key])
    return f"{query} (i = {shown.query}) and {key} (j = {shown.key})"


def _project(shown: HeadOnScreen, of: str) -> Worked:
    h = shown.steps
    at = shown.query if of == "q" else shown.key
    word = (shown.queries if of == "q" else shown.keys)[at]
    read = (h.x if of == "q" else h.memory)[at]  # (d_model,)
    weight, bias, made = {
        "q": (h.w_q, h.b_q, h.q_unrotated),
        "k": (h.w_k, h.b_k, h.k_unrotated),
        "v": (h.w_v, h.b_v, h.v),
    }[of]
    feature = int(made[at].abs().argmax())
    said = f"Feature {feature} of {layout.quote(word)}, its largest, from all {len(read)} and one column of $W$"
    if bias is None:
        return f"{said}:", sums.product(read, weight[:, feature])
    return f"{said}, the bias last:", sums.product(read, weight[:, feature], float(bias[feature]))


def _rotate(shown: HeadOnScreen, of: str) -> Worked:
    """Features 0 and 1 are the pair that turns fastest: one radian a position."""
    h = shown.steps
    at, before, after = (shown.query, h.q_unrotated, h.q) if of == "q" else (shown.key, h.k_unrotated, h.k)
    x, y = layout.tex(float(before[at, 0])), layout.tex(float(before[at, 1]))
    word = layout.quote((shown.queries if of == "q" else shown.keys)[at])
    return (
        f"The pair of {word} that turns fastest, features 0 and 1, at position {at}:",
        rf"{x} \cos {at} - {y} \sin {at} = {layout.tex(float(after[at, 0]))}, \qquad "
        rf"{x} \sin {at} + {y} \cos {at} = {layout.tex(float(after[at, 1]))}",
    )


def _scores(shown: HeadOnScreen, of: str) -> Worked:
    h = shown.steps
    return f"For {_pair(shown)}:", rf"q_i \cdot k_j = {sums.product(h.q[shown.query], h.k[shown.key])}"


def _scale(shown: HeadOnScreen, of: str) -> Worked:
    raw, scaled = (float(each[shown.query, shown.key]) for each in (shown.steps.raw_scores, shown.steps.scores))
    below = rf"\sqrt{{{shown.config.head_width}}}" if shown.config.scale_scores else "1"
    return f"For {_pair(shown)}:", rf"S_{{ij}} = \frac{{{layout.tex(raw)}}}{{{below}}} = {layout.tex(scaled)}"


def _mask(shown: HeadOnScreen, of: str) -> Worked:
    h = shown.steps
    score, mask, masked = (layout.tex(float(each[shown.query, shown.key])) for each in (h.scores, h.mask, h.masked))
    return f"For {_pair(shown)}:", rf"S_{{ij}} + M_{{ij}} = {score} + {mask} = {masked}"


def _softmax(shown: HeadOnScreen, of: str) -> Worked:
    return f"For {_pair(shown)}:", rf"A_{{ij}} = {sums.softmax(shown.steps.masked[shown.query], shown.key)}"


def _mix(shown: HeadOnScreen, of: str) -> Worked:
    h, i = shown.steps, shown.query
    feature = int(h.mixed[i].abs().argmax())
    said = f"Feature {feature} of what {layout.quote(shown.queries[i])} takes: each key's weight times its value there:"
    return said, sums.product(h.weights[i], h.v[:, feature])


def _output(shown: HeadOnScreen, of: str) -> Worked:
    h, i = shown.steps, shown.query
    feature = int(h.part[i].abs().argmax())
    said = (
        f"Feature {feature} of what this head adds for {layout.quote(shown.queries[i])}, from its {h.mixed.shape[1]}:"
    )
    return said, sums.product(h.mixed[i], h.w_o[:, feature])


_STEPS = {
    "project": _project,
    "rotate": _rotate,
    "scores": _scores,
    "scale": _scale,
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
    "output": _output,
}
