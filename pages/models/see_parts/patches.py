"""From pixels to tokens: the grid, the flattened rows, the projection's filters, the position vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.network.patches import Patches, patchify, unpatchify
from model.vision.features import longest_filters, neighbour_similarity, position_similarity
from pages.models.see_parts import told
from pages.models.see_parts.source import PictureView
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import quotes, sums
from views.shared.ratios import ratio
from viz.models.see import filters_figure, flattened_patches_figure, grid_figure, positions_figure
from viz.shared.style import markdown_text, number, percent

MAX_FILTERS = 64  # drawn
SLIDER = "see framed patch"
SPECIAL_NAMES = ("the class token", "the distillation token")


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(view)
    elif depth == "Code":
        layout.code(patchify, unpatchify, Patches)
    else:
        _rows(view, depth == "Numbers")
        _sizes(view)
        _filters(view, depth == "Numbers")
        _positions(view, depth == "Numbers")
    layout.try_this(*_prompts(view))


def _prompts(view: PictureView) -> list[layout.Prompt]:
    return [
        layout.Prompt(
            "An edge",
            "Of all patches this one has the most contrast. The framed row on the right is this patch.",
            {"see_part": "patches", "see_patch": int(_contrasts(view).argmax())},
            claim=Claim(told.CONTRAST, "over", 0.999),
        ),
        layout.Prompt(
            "Far smaller patches",
            "A digit of 28 x 28 in patches of 4 x 4: few numbers in each row.",
            {"see_model": "digits-vit", "see_source": "example", "see_example": "", "see_patch": -1}
            | {"see_part": "patches"},
            claim=Claim(told.ROW_VALUES, "is", 16),
        ),
        layout.Prompt(
            "Where it looks",
            "The same heads as for words: each row of weights sums to 1.",
            {"see_part": "attention"},
            claim=Claim(told.ROW_SUM, "over", 0.999),
            at="see attention",
        ),
    ]


def _contrasts(view: PictureView) -> np.ndarray[Any, Any]:
    """The spread of the values of each patch: (N,)."""
    return view.run()["embed.patches"].numpy().std(-1)


def patch_name(view: PictureView, patch: int) -> str:
    """A patch by its row and column from 1. -1 is the class token, -2 the distillation token."""
    return SPECIAL_NAMES[-1 - patch] if patch < 0 else f"r{patch // view.side + 1} c{patch % view.side + 1}"


def token_of(view: PictureView, patch: int) -> int:
    """The place among all tokens of a patch, or of a learnt token: 0 for -1, 1 for -2."""
    return -1 - patch if patch < 0 else patch + view.model.config.n_special_tokens


def patch_of(view: PictureView, token: int) -> int:
    """The patch whose token stands at a place; -1, -2 and so on for the learnt tokens: the inverse of `token_of`."""
    special = view.model.config.n_special_tokens
    return -1 - token if token < special else token - special


def special_names(view: PictureView) -> str:
    """The learnt tokens of the model in words."""
    return " and ".join(SPECIAL_NAMES[: view.model.config.n_special_tokens])


def _rows(view: PictureView, numbers: bool) -> None:
    config, run = view.model.config, view.run()
    rows = run["embed.patches"].numpy()  # (N, D')
    framed = _framed_patch(view)
    contrasts = _contrasts(view)
    claims.tell(told.CONTRAST, ratio(contrasts[framed], contrasts.max()))
    claims.tell(told.ROW_VALUES, rows.shape[1])
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("The picture in patches", anchor=False)
        draw = partial(grid_figure, view.square, view.side, framed)
        figure = draw(theme=state.theme())
        alt = f"The picture cut into {view.side} by {view.side} patches, {patch_name(view, framed)} framed"
        figures.show_or_list(numbers, figure, alt, lambda: _patch_rows(view, rows))
        layout.caption(view.note)
        figures.export("see-grid", draw, lambda: _patch_rows(view, rows), square=view.square)
    with right:
        st.subheader("Each patch, flattened to a row", anchor=False)
        draw = partial(flattened_patches_figure, rows, framed)
        figure = draw(theme=state.theme())
        if numbers:
            st.dataframe(_value_rows(view, rows[framed]), hide_index=True, height=320)
        else:
            figures.show(figure, f"{len(rows)} rows of {rows.shape[1]} values; the row of the framed patch is framed")
        layout.caption(
            f"**{config.n_patches}** rows of **{config.patch_width}** values, blue above the mean colour, orange below"
            f"{'; red comes first, then green, then blue' if config.channels == 3 else ''}. The framed row (arrow) "
            f"is patch **{patch_name(view, framed)}**, mean "
            f"{number(float(rows[framed].mean()), 2)}, spread "
            f"{number(float(rows[framed].std()), 2)}. Its values, written into the frame, give the patch back."
        )
        figures.export("see-rows", draw, lambda: _patch_rows(view, rows), patches=rows)
    _patch_slider(view)


def _framed_patch(view: PictureView) -> int:
    """The framed patch. At first it is one in the middle."""
    config = view.model.config
    patch = state.checked_number("see_patch", -config.n_special_tokens, config.n_patches - 1, "Patch")
    return view.side // 2 * (view.side + 1) if patch < 0 else patch


def _patch_slider(view: PictureView) -> None:
    """The choice of the framed patch. A widget of its own: the shared key is -1 where nobody has chosen a patch."""
    st.session_state[SLIDER] = _framed_patch(view)
    name = partial(patch_name, view)  # r1 c1, as in the pictures
    patches = range(view.model.config.n_patches)
    st.select_slider("Framed patch", patches, key=SLIDER, format_func=name, on_change=_take_patch)


def _take_patch() -> None:
    state.put(see_patch=st.session_state[SLIDER])


def _patch_rows(view: PictureView, rows: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    return [
        {"patch": patch_name(view, n), "mean": float(row.mean()), "spread": float(row.std()),
         "least": float(row.min()), "largest": float(row.max())}
        for n, row in enumerate(rows)
    ]  # fmt: skip


def _value_rows(view: PictureView, row: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    """One row for each value of the flattened patch, with its channel, row and column in the patch."""
    config = view.model.config
    size, names = config.patch_size, ("red", "green", "blue") if config.channels == 3 else ("grey",)
    return [
        {"value": n, "channel": names[n // size**2], "row": n % size**2 // size + 1, "column": n % size + 1,
         "normalised": float(value)}
        for n, value in enumerate(row)
    ]  # fmt: skip


def sizes(view: PictureView) -> list[dict[str, str]]:
    """A table of H, W, C, P, N, D' and D: of this picture in this model, and of the example in the lecture notes."""
    config = view.model.config
    return [
        {"": "this picture as it came", "H x W": f"{view.height:,} x {view.width:,}", "C": "3", "patch": "", "N": "",
         "D'": "", "D": ""},
        {"": "as the model reads it", "H x W": f"{config.image_size} x {config.image_size}", "C": str(config.channels),
         "patch": f"{config.patch_size} x {config.patch_size}", "N": f"{config.n_patches:,}",
         "D'": f"{config.patch_width:,}", "D": f"{config.d_model:,}"},
        {"": "1920 x 1080 in 64 patches", "H x W": "1,080 x 1,920", "C": "3", "patch": "135 x 240", "N": "64",
         "D'": f"{135 * 240 * 3:,}", "D": "far less"},
    ]  # fmt: skip


def _sizes(view: PictureView) -> None:
    st.subheader("The numbers", anchor=False)
    st.dataframe(sizes(view), hide_index=True)
    config = view.model.config
    ratio = config.patch_width / config.d_model
    layout.caption(
        f"N = H W / P² = {config.image_size}² / {config.patch_size}² = {config.n_patches}, and with "
        f"{special_names(view)} {config.max_length} tokens. D' = P² C = {config.patch_width} "
        f"becomes D = {config.d_model}: "
        + (
            f"{number(ratio, 2)} times fewer. "
            if ratio > 1
            else "here the projection widens, for the patches are small. "
        )
        + "Palaskos (2022, section 4.2.1) counts 240 x 135 = 32,400 values a patch: that is for each of the 3 channels."
    )
    if config.distillation_token:
        layout.caption(
            "The second token is the distillation token. Like the class token it is learnt and shows no part of the "
            "picture. In training the class token learnt to name the true class, and this one the class that another "
            "network, the teacher, named (Touvron et al. (2020), section 4)."
        )
    figures.export_table("see-sizes", partial(sizes, view))


def _filters(view: PictureView, numbers: bool) -> None:
    st.subheader("What the projection looks for", anchor=False)
    filters = view.model.patches.filters.detach()  # (D, C, P, P)
    longest, lengths, share = longest_filters(filters, MAX_FILTERS)
    draw = partial(filters_figure, filters[longest].numpy(), 16)
    figure = draw(theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [
            {"feature": feature, "length of its row": length}
            for feature, length in zip(longest.tolist(), lengths.tolist(), strict=True)
        ]

    figures.show_or_list(numbers, figure, f"{len(longest)} rows of the projection as small pictures", rows)
    layout.caption(
        f"Each feature of a token is the product of the patch with one such picture. Shown are the {len(longest)} "
        f"longest rows of {len(filters)}; they hold {percent(share)} of the weights' squares. Each is scaled by its "
        "own largest weight, and the quiet middle tone is 0."
    )
    figures.export("see-filters", draw, rows, filters=filters.numpy())


def _positions(view: PictureView, numbers: bool) -> None:
    st.subheader("What the positions know of the grid", anchor=False)
    table = view.model.position_table
    if table is None:
        st.info(f"{markdown_text(view.model.card.title)} has no position vectors: to it the patches are a bag.")
        return
    cosines = position_similarity(table.detach(), view.model.config.n_special_tokens)  # (N, N)
    near, far = neighbour_similarity(cosines, view.side)
    similarity = cosines.numpy()
    draw = partial(positions_figure, similarity, view.side)
    figure = draw(theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [
            {"patch": patch_name(view, n), **{patch_name(view, m): float(value) for m, value in enumerate(row)}}
            for n, row in enumerate(similarity)
        ]

    figures.show_or_list(numbers, figure, "For each patch, how alike its position vector is to all others", rows)
    layout.caption(
        "One map a patch, at the patch's place: the cosine of its position vector with all others, blue alike, orange "
        f"opposed. Direct neighbours have {number(near, 2)} on average, all pairs {number(far, 2)}: the model was "
        "given a plain numbered row and learnt that it is a grid (Dosovitskiy et al. 2021, figure 7)."
    )
    figures.export("see-positions", draw, rows, similarity=similarity)


def _formula(view: PictureView) -> None:
    config = view.model.config
    layout.equation(
        r"x_p \in \mathbb{R}^{N \times D'}, \quad N = \frac{HW}{P^2}, \quad D' = P^2 C",
        "A picture as a sequence of flattened patches. Palaskos (2022), section 4.2.1.",
        {
            "H, W, C": f"{config.image_size}, {config.image_size}, {config.channels} here",
            "P": f"the side of a patch, {config.patch_size}",
            "N": f"patches, {config.n_patches}",
            "D'": f"values of a flattened patch, {config.patch_width}",
        },
    )
    size, patch = config.image_size, config.patch_size
    layout.work_out(
        f"In {markdown_text(view.model.card.title)}:",
        rf"N = \frac{{{size} \cdot {size}}}{{{patch}^2}} = {config.n_patches}, \qquad "
        rf"D' = {patch}^2 \cdot {config.channels} = {config.patch_width}",
    )
    second = r"x_{distill};\; " if config.distillation_token else ""
    layout.equation(
        rf"z_0 = [x_{{class}};\; {second}x_p^1 E;\; x_p^2 E;\; \dots;\; x_p^N E] + E_{{pos}}",
        "Class token, projection and learnt 1-D positions. Dosovitskiy et al. (2021), arXiv:2010.11929, eq. 1.",
        {
            "E": f"the projection, D' x D = {config.patch_width} x {config.d_model} weights",
            "E_{pos}": "one learnt vector a token, or none",
            **({"x_{distill}": "the distillation token, Touvron et al. (2020)"} if second else {}),
        },
    )
    _work_out_embedding(view)


def _work_out_embedding(view: PictureView) -> None:
    """The framed patch's largest feature: its values with one row of the projection, then its position added."""
    framed = _framed_patch(view)
    token = token_of(view, framed)
    feature = int(view.run()["embed.tokens"][token].abs().argmax())
    made = view.explain("embed.tokens", token, feature)
    layout.work_out(
        f"Feature {feature} of patch {quotes.quote(patch_name(view, framed))}, its largest, from "
        f"{view.model.config.patch_width} values, the projection's bias last:",
        rf"x_p E + b = {sums.explained(made)}",
    )
    if view.model.position_table is not None:
        terms = view.explain("embed.out", token, feature).terms
        layout.work_out("With its position's vector added:", f"z_0 = {sums.total([term.value for term in terms])}")
    _patch_slider(view)
