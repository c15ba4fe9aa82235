"""Concat and W_O: how the heads become one vector again, what each adds, and what is missing without it."""

from __future__ import annotations

from pages.attention.combine_parts import formula, mute, parts, side_by_side
from pages.attention.combine_parts.combine_view import KEEP, choose_view
from pages.shared.elements import layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state

PROMPTS = (
    layout.Prompt(
        "Every head's share",
        "Some heads add much more than others.",
        {"combine_view": "Each head's part"},
        claim=Claim(parts.LARGEST, "over", 1.5),
        at="combine parts",
    ),
    layout.Prompt(
        "Silence one head",
        "The veiled part is gone from the sum, and the later layers work with what is left.",
        {"combine_view": "Mute heads", "combine_muted": (0,), "combine_scope": "this layer"},
        claim=Claim(mute.SILENT, "is", 1),
        at="combine muted",
    ),
    layout.Prompt(
        "Silence it in every layer",
        "One head of each layer is gone: the prediction changes.",
        {"combine_view": "Mute heads", "combine_muted": (0,), "combine_scope": "every layer"},
        claim=Claim(mute.CHANGE, "over", 0.01),
        at="combine muted",
    ),
)


def main() -> None:
    depth = layout.begin("Concat and $W_O$", "The heads stand side by side, and one matrix makes them a vector again.")
    view = choose_view(traces.current(keep=KEEP))
    if depth == "Formula":
        formula.show(view)
    elif depth == "Code":
        formula.show_code(view)
    else:
        {"Side by side": side_by_side.show, "Each head's part": parts.show, "Mute heads": mute.show}[
            state.get("combine_view")
        ](view, depth == "Numbers")
    layout.try_this(*PROMPTS)


main()
