"""The saving by patches: attention entries against resolution and patch size, and the same for single pixels."""

from __future__ import annotations

from typing import Any

from model.cost.formulas import attention_costs, patch_entries
from model.numerals import file_size, fixed, large
from pages.models.see_parts import told
from pages.models.see_parts.patches import special_names
from pages.models.see_parts.source import PictureView
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import sums
from viz.models.see import cost_figure
from viz.shared.style import markdown_text

PICTURE_SIDES = (28, 56, 112, 224, 448, 896, 1792)  # of a picture, in pixels
PATCH_SIDES = (1, 4, 7, 14, 28)  # sides of a patch, in pixels
PROMPTS = (
    layout.Prompt(
        "A small picture",
        "28 x 28: even pixels would do, just.",
        {"see_model": "digits-vit", "see_source": "example", "see_example": "", "see_patch": -1},
        claim=Claim(told.PIXEL_BYTES, "under", 1e9),
    ),
    layout.Prompt(
        "A photograph",
        "Now they would not.",
        {"see_model": "dinov2-s", "see_source": "example", "see_example": "", "see_patch": -1},
        claim=Claim(told.PIXEL_BYTES, "over", 1e10),
    ),
    layout.Prompt("Remedies", "Kinds of ViT that look in windows.", {"see_part": "kinds"}, at="see Another attention"),
)


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(view)
    elif depth == "Code":
        layout.code(attention_costs, patch_entries)
    else:
        _growth(view, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _growth(view: PictureView, numbers: bool) -> None:
    config = view.model.config
    side, patch, special = config.image_size, config.patch_size, config.n_special_tokens
    lines = {
        ("pixels as tokens" if size == 1 else f"patches of {size} x {size}"): [
            patch_entries(s, s, size, special) for s in PICTURE_SIDES
        ]
        for size in PATCH_SIDES
    }
    here = patch_entries(side, side, patch, special)
    figure = cost_figure(PICTURE_SIDES, lines, (side, here), state.theme())

    def rows() -> list[dict[str, Any]]:
        return [{"side": s, **{name: values[n] for name, values in lines.items()}} for n, s in enumerate(PICTURE_SIDES)]

    figures.show_or_list(numbers, figure, "Attention entries of one head against the side of the picture", rows)
    maps = view.layers * config.n_heads
    pixels, own = (patch_entries(*size, 1, special) for size in ((side, side), (view.height, view.width)))
    claims.tell(told.PIXEL_BYTES, 4 * pixels * maps)
    layout.caption(
        f"Here {config.n_patches} patches and {special_names(view)}: {fixed(here, 0)} entries a head, {maps} heads, "
        f"**{file_size(4 * here * maps)}** of weights. With each of the {side} x {side} pixels as a token it "
        f"would be {large(pixels)} entries a head, {large(pixels / here)} times as many: "
        f"**{file_size(4 * pixels * maps)}**."
    )
    layout.caption(
        f"The picture as it came has {view.width:,} x {view.height:,} pixels: one head over them would hold "
        f"{large(own)} numbers, {file_size(4 * own)}. Twice the side is 4 times the tokens and 16 times the "
        "entries; that is why a picture is cut into patches (Palaskos (2022), section 4.2.1)."
    )
    figures.export("see-cost", figure, rows)


def _formula(view: PictureView) -> None:
    config, special = view.model.config, view.model.config.n_special_tokens
    layout.equation(
        rf"({special} + N)^2 = \left({special} + \frac{{HW}}{{P^2}}\right)^2 \approx \frac{{H^2 W^2}}{{P^4}}",
        "Entries of one head's attention. P = 1 is a token for each pixel. Palaskos (2022), section 4.2.1.",
        {"H, W": f"{config.image_size} here", "P": f"{config.patch_size} here: {config.patch_size**4:,} times fewer"},
    )
    pixels = config.image_size**2
    layout.work_out(
        f"In {markdown_text(view.model.card.title)}; and with a token for each pixel:",
        rf"\left({special} + \frac{{{sums.whole(pixels)}}}{{{config.patch_size}^2}}\right)^2 = {config.max_length}^2 = "
        rf"{sums.whole(config.max_length**2)}, \qquad ({special} + {sums.whole(pixels)})^2 = "
        rf"{sums.whole((special + pixels) ** 2)}",
    )
