"""The steps of one head at the depth Formula: each with the numbers of the singled-out pair."""

from __future__ import annotations

from pages.shared import layout, sums
from pages.shared.head_on_screen import HeadOnScreen

Sum = tuple[str, str]  # the name of the numbers (Markdown), and their sum (LaTeX)


def show(screen: HeadOnScreen, name: str, of: str) -> None:
    """The sum of a step for the singled-out pair. To set the heads side by side needs no sum."""
    if name != "concat":
        layout.work_out(*_STEPS[name](screen, of))


def _name(screen: HeadOnScreen, of: str) -> str:
    """The singled-out query, or for "k" and "v" the key, in running text."""
    words, at = (screen.queries, screen.query) if of == "q" else (screen.keys, screen.key)
    return layout.quote(words[at], at)


def _pair(screen: HeadOnScreen) -> str:
    query, key = _name(screen, "q"), _name(screen, "k")
    return f"{query} (i = {screen.query}) and {key} (j = {screen.key})"


def _project(screen: HeadOnScreen, of: str) -> Sum:
    h = screen.steps
    at = screen.query if of == "q" else screen.key
    read = (h.x if of == "q" else h.memory)[at]  # (d_model,)
    weight, bias, result = {
        "q": (h.w_q, h.b_q, h.q_projected),
        "k": (h.w_k, h.b_k, h.k_projected),
        "v": (h.w_v, h.b_v, h.v),
    }[of]
    feature = int(result[at].abs().argmax())
    name = f"Feature {feature} of {_name(screen, of)}, its largest, from all {len(read)} and one column of $W$"
    if bias is None:
        return f"{name}:", sums.product(read, weight[:, feature])
    return f"{name}, the bias last:", sums.product(read, weight[:, feature], float(bias[feature]))


def _normalise(screen: HeadOnScreen, of: str) -> Sum:
    h = screen.steps
    at, before, gains = (screen.query, h.q_projected, h.q_gain) if of == "q" else (screen.key, h.k_projected, h.k_gain)
    assert gains is not None, "this step is shown only where there is a norm"
    after = (h.q_unrotated if of == "q" else h.k_unrotated)[at]
    feature = int(after.abs().argmax())
    rms = float((before[at] ** 2).mean() + screen.config.norm_eps) ** 0.5
    x, gain = (layout.tex(float(each)) for each in (before[at, feature], gains[feature]))
    return (
        f"Feature {feature} of {_name(screen, of)}, its largest, over the root mean square, times its gain:",
        rf"\frac{{{x}}}{{{layout.tex(rms)}}} \cdot {gain} = {layout.tex(float(after[feature]))}",
    )


def _rotate(screen: HeadOnScreen, of: str) -> Sum:
    """The pair of features 0 and 1, which turns fastest: by one radian a position."""
    h = screen.steps
    at, before, after = (screen.query, h.q_unrotated, h.q) if of == "q" else (screen.key, h.k_unrotated, h.k)
    x, y = layout.tex(float(before[at, 0])), layout.tex(float(before[at, 1]))
    return (
        f"The pair of {_name(screen, of)} that turns fastest, features 0 and 1, at position {at}:",
        rf"{x} \cos {at} - {y} \sin {at} = {layout.tex(float(after[at, 0]))}, \qquad "
        rf"{x} \sin {at} + {y} \cos {at} = {layout.tex(float(after[at, 1]))}",
    )


def _scores(screen: HeadOnScreen, of: str) -> Sum:
    h = screen.steps
    return f"For {_pair(screen)}:", rf"q_i \cdot k_j = {sums.product(h.q[screen.query], h.k[screen.key])}"


def _scale(screen: HeadOnScreen, of: str) -> Sum:
    raw, scaled = (float(each[screen.query, screen.key]) for each in (screen.steps.raw_scores, screen.steps.scores))
    below = rf"\sqrt{{{screen.config.head_width}}}" if screen.config.scale_scores else "1"
    return f"For {_pair(screen)}:", rf"S_{{ij}} = \frac{{{layout.tex(raw)}}}{{{below}}} = {layout.tex(scaled)}"


def _mask(screen: HeadOnScreen, of: str) -> Sum:
    h = screen.steps
    score, mask, masked = (layout.tex(float(each[screen.query, screen.key])) for each in (h.scores, h.mask, h.masked))
    return f"For {_pair(screen)}:", rf"S_{{ij}} + M_{{ij}} = {score} + {mask} = {masked}"


def _softmax(screen: HeadOnScreen, of: str) -> Sum:
    return f"For {_pair(screen)}:", rf"A_{{ij}} = {sums.softmax(screen.steps.masked[screen.query], screen.key)}"


def _mix(screen: HeadOnScreen, of: str) -> Sum:
    h, i = screen.steps, screen.query
    feature = int(h.mixed[i].abs().argmax())
    name = f"Feature {feature} of what {_name(screen, 'q')} takes: each key's weight times its value there:"
    return name, sums.product(h.weights[i], h.v[:, feature])


def _output(screen: HeadOnScreen, of: str) -> Sum:
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
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
    "output": _output,
}
