"""The kinds of masks that an attention may have, and the one that the model itself uses there."""

from __future__ import annotations

from torch import Tensor

from model.experiments.painted_masks import MAX_SIDE, USUAL_WIDTH, fit_mask, mask_from_text, near, presets
from views.attention.masks.sentence import Sentence
from views.head_of_run import HeadOfRun

TITLES = {
    "none": "None",
    "causal": "Causal",
    "window": "Window",
    "padding": "Padding",
    "causal and padding": "Both",
    "painted": ":material/brush: Paint",
}


def possible_kinds(head: HeadOfRun) -> list[str]:
    """The masks that have a meaning here. A causal mask and a window compare places in one sentence."""
    return [kind for kind in TITLES if not (head.at.is_cross and ("causal" in kind or kind == "window"))]


def is_causal(head: HeadOfRun) -> bool:
    """Whether the model's own mask here hides what comes later."""
    return head.at.stack == "decoder" and not head.at.is_cross


def own_width(head: HeadOfRun) -> int | None:
    """How many keys the model's own window here has; None where it has none."""
    return None if head.at.is_cross else head.config.window_of(head.at.stack, head.at.layer)


def usual_width(head: HeadOfRun) -> int:
    """How many keys a window has that nobody has chosen."""
    return min(own_width(head) or USUAL_WIDTH, MAX_SIDE)


def own_kind(head: HeadOfRun) -> str:
    """The mask that the model itself uses here. A window as wide as the sentence hides no more than a causal mask."""
    if (own_width(head) or MAX_SIDE) < len(head.keys):
        return "window"
    return "causal" if is_causal(head) else "none"


def mask_of(head: HeadOfRun, sentence: Sentence, kind: str, width: int = 0) -> Tensor:
    """True where a query may look, (queries, keys), under a kind of mask that is not painted. `width`: of a window."""
    queries, keys = _sizes(head, sentence)
    hides_later = "causal" in kind or (kind == "window" and is_causal(head))
    visible = presets(queries, keys)["causal" if hides_later else "all visible"]
    if kind == "window":
        visible = visible & near(queries, keys, width)
    return visible & sentence.is_real(head, "keys") if "padding" in kind else visible


def own_mask(head: HeadOfRun, sentence: Sentence) -> Tensor:
    """True where a query may look, (queries, keys), under the model's own mask. Of a batch, the padding is hidden."""
    queries, keys = _sizes(head, sentence)
    visible = presets(queries, keys)["causal" if is_causal(head) else "all visible"]
    width = own_width(head)
    if width is not None:
        visible = visible & near(queries, keys, width)
    return visible & sentence.is_real(head, "keys")


def painted_mask(head: HeadOfRun, sentence: Sentence, text: str) -> Tensor:
    """A mask of its text, fitted to the sentence. Of "", the model's own. Raises `BadMask`."""
    own = own_mask(head, sentence)
    return fit_mask(mask_from_text(text), own) if text else own


def _sizes(head: HeadOfRun, sentence: Sentence) -> tuple[int, int]:
    """The numbers of queries and of keys."""
    return len(sentence.side(head, "queries")), len(sentence.side(head, "keys"))
