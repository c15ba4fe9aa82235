"""How a model makes the scores of an attention, in LaTeX and in plain words: divided or not, with a bias or not."""

from __future__ import annotations

from model.config import TransformerConfig
from viz.shared.style import number


def has_bias(config: TransformerConfig, is_cross: bool) -> bool:
    """Whether relative positions add a bias to these scores. Between two sentences there are no distances."""
    return config.has_position_bias and not is_cross


def is_usual(config: TransformerConfig, is_cross: bool) -> bool:
    """Whether these scores are those of the paper, Q K^T / sqrt(d_k)."""
    own = (config.score_width, config.score_cap, config.scores_by_layer)
    return config.scale_scores and own == (None, None, False) and not has_bias(config, is_cross)


def root_of(config: TransformerConfig) -> str:
    """What scores are divided by the root of, in LaTeX: d_k, or the number that the model has in its place.

    With `scores_by_layer`, n is the number of the layer, counted from 1.
    """
    root = "d_k" if config.score_width is None else f"{config.score_width:g}"
    return f"{root} n^2" if config.scores_by_layer else root


def say_width(config: TransformerConfig) -> str:
    """The width of a head, and what scores are divided by, in words."""
    width = config.head_width
    if not config.scale_scores:
        return f"{width} features; this model does not divide by their root"
    if config.scores_by_layer:
        root = number(config.score_divisor)
        return f"{width} features; scores are divided by {root} and by the number of the layer, from 1 on"
    if config.score_width is not None:
        return f"{width} features; this model divides by {number(config.score_divisor)} in the place of their root"
    return f"{width} features, so scores are divided by {number(width**0.5)}"


def in_latex(config: TransformerConfig, is_cross: bool, product: str = r"QK^\top") -> str:
    r"""The scores before the mask: `\frac{QK^\top}{\sqrt{d_k}}`, or `QK^\top + B`."""
    scores = rf"\frac{{{product}}}{{\sqrt{{{root_of(config)}}}}}" if config.scale_scores else product
    scores = f"{scores} + B" if has_bias(config, is_cross) else scores
    cap = config.score_cap
    return scores if cap is None else rf"{cap:g} \tanh\!\left({scores}\,/\,{cap:g}\right)"


def in_words(config: TransformerConfig, is_cross: bool) -> str:
    """The scores before the mask as plain text: "Q Kᵀ ÷ √d_k"."""
    scores = f"Q Kᵀ ÷ √{root_of(config)}" if config.scale_scores else "Q Kᵀ"
    scores = f"{scores} + B" if has_bias(config, is_cross) else scores
    cap = config.score_cap
    return scores if cap is None else f"{cap:g} tanh(({scores}) ÷ {cap:g})"


def source(config: TransformerConfig, is_cross: bool) -> str:
    """What stands after the sources of the paper's equation: why it is another one here. "" where it is the same."""
    if is_usual(config, is_cross):
        return ""
    if has_bias(config, is_cross):
        return (
            "; Press et al. (2022), section 3" if config.positions == "alibi" else "; Raffel et al. (2020), section 2.1"
        )
    if config.score_cap is not None:
        return "; here with a cap, Gemma Team (2024), arXiv:2408.00118, section 2"
    return "; here with a scale of its own" if config.scale_scores else "; here without the scale"


def symbols(config: TransformerConfig, is_cross: bool) -> dict[str, str]:
    """B, where the scores have it."""
    made = "minus a slope times" if config.positions == "alibi" else "a learned number for"
    meaning = f"{made} the distance between query and key, in each head"
    return {"B": meaning} if has_bias(config, is_cross) else {}
