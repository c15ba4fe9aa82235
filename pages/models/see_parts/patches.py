"""From pixels to tokens: the grid, the flattened rows, the projection's filters, the position vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.network.patches import Patches, patchify, unpatchify
from model.vision.features import position_similarity
from pages.models.see_parts.source import PictureView
from pages.shared import figures, layout, state, sums
from viz.models.see import filters_figure, grid_figure, position_maps, rows_figure
from viz.shared.style import markdown_text, number, percent

PROMPTS = (
    layout.Prompt("An edge", "The framed row on the right is this patch.", {"see_part": "patches", "see_patch": 22}),
    layout.Prompt(
        "Far smaller patches",
        "A digit of 28 x 28 in patches of 4 x 4: few numbers in each row.",
        {"see_model": "digits-vit", "see_source": "example", "see_example": "", "see_patch": -1, "see_part": "patches"},
    ),
    layout.Prompt("Where it looks", "The same heads as for words.", {"see_part": "attention"}),
)
FILTERS = 64


def show(seen: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(seen)
    elif depth == "Code":
        layout.code(patchify, unpatchify, Patches)
    else:
        _rows(seen, depth == "Numbers")
        _sizes(seen)
        _filters(seen, depth == "Numbers")
        _positions(seen, depth == "Numbers")
    layout.try_this(*PROMPTS)


def patch_name(seen: PictureView, patch: int) -> str:
    """How the reader knows a patch: by row and column from 1; -1 is the class token."""
    return "the class token" if patch < 0 else f"r{patch // seen.side + 1} c{patch % seen.side + 1}"


def _rows(seen: PictureView, numbers: bool) -> None:
    config, run = seen.model.config, seen.run()
    rows = run["embed.patches"].numpy()  # (N, D')
    chosen = _chosen(seen)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("The picture in patches", anchor=False)
        draw = partial(grid_figure, seen.square, seen.side, chosen)
        figure = draw(theme=state.theme())
        alt = f"The picture cut into {seen.side} by {seen.side} patches, {patch_name(seen, chosen)} framed"
        figures.show_or_list(numbers, figure, alt, lambda: _patch_rows(seen, rows))
        layout.caption(seen.note)
        figures.export("see-grid", draw, lambda: _patch_rows(seen, rows), square=seen.square)
    with right:
        st.subheader("Each patch, flattened to a row", anchor=False)
        draw = partial(rows_figure, rows, chosen)
        figure = draw(theme=state.theme())
        if numbers:
            st.dataframe(_channels(seen, rows[chosen]), hide_index=True, height=320)
        else:
            figures.show(figure, f"{len(rows)} rows of {rows.shape[1]} values; the row of the framed patch is framed")
        layout.caption(
            f"**{config.n_patches}** rows of **{config.patch_width}** values, blue above the mean colour, orange below"
            f"{'; red comes first, then green, then blue' if config.channels == 3 else ''}. The framed row (arrow) "
            f"is patch **{patch_name(seen, chosen)}**, mean "
            f"{number(float(rows[chosen].mean()), 2)}, spread "
            f"{number(float(rows[chosen].std()), 2)}. To put it back is to write its values into the frame."
        )
        figures.export("see-rows", draw, lambda: _patch_rows(seen, rows), patches=rows)
    _patch_slider(seen)


def _chosen(seen: PictureView) -> int:
    """The framed patch; one in the middle to begin with."""
    chosen = state.within("see_patch", -1, seen.model.config.n_patches - 1, "Patch")
    return seen.side // 2 * (seen.side + 1) if chosen < 0 else chosen


def _patch_slider(seen: PictureView) -> None:
    st.slider(
        "Framed patch, row by row from 0 (-1: one in the middle)", -1, seen.model.config.n_patches - 1,
        key="see_patch", help="Where patches look, -1 is the class token, which is cut from nothing.",
    )  # fmt: skip


def _patch_rows(seen: PictureView, rows: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    return [
        {"patch": patch_name(seen, n), "mean": float(row.mean()), "spread": float(row.std()),
         "least": float(row.min()), "largest": float(row.max())}
        for n, row in enumerate(rows)
    ]  # fmt: skip


def _channels(seen: PictureView, row: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    """The flattened patch, value by value, with where in the patch it stood."""
    config = seen.model.config
    size, names = config.patch_size, ("red", "green", "blue") if config.channels == 3 else ("grey",)
    return [
        {"value": n, "channel": names[n // size**2], "row": n % size**2 // size + 1, "column": n % size + 1,
         "normalised": float(value)}
        for n, value in enumerate(row)
    ]  # fmt: skip


def sizes(seen: PictureView) -> list[dict[str, str]]:
    """H, W, C, P, N, D' and D of this picture in this model, and of the example of the lecture notes."""
    config = seen.model.config
    return [
        {"": "this picture as it came", "H x W": f"{seen.height:,} x {seen.width:,}", "C": "3", "patch": "", "N": "",
         "D'": "", "D": ""},
        {"": "as the model reads it", "H x W": f"{config.image_size} x {config.image_size}", "C": str(config.channels),
         "patch": f"{config.patch_size} x {config.patch_size}", "N": f"{config.n_patches:,}",
         "D'": f"{config.patch_width:,}", "D": f"{config.d_model:,}"},
        {"": "1920 x 1080 in 64 patches", "H x W": "1,080 x 1,920", "C": "3", "patch": "135 x 240", "N": "64",
         "D'": f"{135 * 240 * 3:,}", "D": "far less"},
    ]  # fmt: skip


def _sizes(seen: PictureView) -> None:
    st.subheader("The numbers", anchor=False)
    st.dataframe(sizes(seen), hide_index=True)
    config = seen.model.config
    ratio = config.patch_width / config.d_model
    layout.caption(
        f"N = H W / P² = {config.image_size}² / {config.patch_size}² = {config.n_patches}, and with the class token "
        f"{config.n_patches + 1} tokens. D' = P² C = {config.patch_width} becomes D = {config.d_model}: "
        + (
            f"{number(ratio, 2)} times fewer. "
            if ratio > 1
            else "here the projection widens, for the patches are small. "
        )
        + "Palaskos (2022, section 4.2.1) counts 240 x 135 = 32,400 values a patch: that is for each of the 3 channels."
    )
    figures.export_table("see-sizes", partial(sizes, seen))


def _filters(seen: PictureView, numbers: bool) -> None:
    st.subheader("What the projection looks for", anchor=False)
    filters = seen.model.patches.filters.detach().numpy()  # (D, C, P, P)
    sizes = np.sqrt((filters**2).sum((1, 2, 3)))
    order = np.argsort(-sizes)[:FILTERS]
    draw = partial(filters_figure, filters[order], 16)
    figure = draw(theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [{"feature": int(n), "length of its row": float(sizes[n])} for n in order]

    figures.show_or_list(numbers, figure, f"{len(order)} rows of the projection as small pictures", rows)
    strong = float((np.sort(sizes**2)[::-1][: len(order)]).sum() / (sizes**2).sum())
    layout.caption(
        f"Each feature of a token is the product of the patch with one such picture. Shown are the {len(order)} "
        f"longest rows of {len(filters)}; they hold {percent(strong)} of the weights' squares. Each is scaled by its "
        "own largest weight, and the quiet middle tone is 0."
    )
    figures.export("see-filters", draw, rows, filters=filters)


def _positions(seen: PictureView, numbers: bool) -> None:
    st.subheader("What the positions know of the grid", anchor=False)
    table = seen.model.position_table
    if table is None:
        st.info(f"{markdown_text(seen.model.card.title)} has no position vectors: to it the patches are a bag.")
        return
    similarity = position_similarity(table.detach()).numpy()  # (N, N)
    draw = partial(position_maps, similarity, seen.side)
    figure = draw(theme=state.theme())
    near, far = _neighbours(similarity, seen.side)

    def rows() -> list[dict[str, Any]]:
        return [
            {"patch": patch_name(seen, n), **{patch_name(seen, m): float(value) for m, value in enumerate(row)}}
            for n, row in enumerate(similarity)
        ]

    figures.show_or_list(numbers, figure, "For each patch, how alike its position vector is to all others", rows)
    layout.caption(
        "One map a patch, at the patch's place: the cosine of its position vector with all others, blue alike, orange "
        f"opposed. Direct neighbours have {number(near, 2)} on average, all pairs {number(far, 2)}: the model was "
        "given a plain numbered row and learnt that it is a grid (Dosovitskiy et al. 2021, figure 7)."
    )
    figures.export("see-positions", draw, rows, similarity=similarity)


def _neighbours(similarity: np.ndarray[Any, Any], side: int) -> tuple[float, float]:
    """Mean cosine of patches next to each other, and of all pairs of two patches."""
    grid = similarity.reshape(side, side, side, side)
    i = np.arange(side - 1)
    across = grid[:, i, :, i + 1][:, np.arange(side), np.arange(side)]
    down = grid[i, :, i + 1, :][:, np.arange(side), np.arange(side)]
    count = len(similarity)
    every = (similarity.sum() - np.trace(similarity)) / (count * (count - 1))
    return float(np.concatenate((across, down)).mean()), float(every)


def _formula(seen: PictureView) -> None:
    config = seen.model.config
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
        f"In {markdown_text(seen.model.card.title)}:",
        rf"N = \frac{{{size} \cdot {size}}}{{{patch}^2}} = {config.n_patches}, \qquad "
        rf"D' = {patch}^2 \cdot {config.channels} = {config.patch_width}",
    )
    layout.equation(
        r"z_0 = [x_{class};\; x_p^1 E;\; x_p^2 E;\; \dots;\; x_p^N E] + E_{pos}",
        "Class token, projection and learnt 1-D positions. Dosovitskiy et al. (2021), arXiv:2010.11929, eq. 1.",
        {
            "E": f"the projection, D' x D = {config.patch_width} x {config.d_model} weights",
            "E_{pos}": "one learnt vector a token, or none",
        },
    )
    _worked(seen)


def _worked(seen: PictureView) -> None:
    """The framed patch's largest feature: its values with one row of the projection, then its position."""
    chosen, project = _chosen(seen), seen.model.patches.project
    row = seen.run()["embed.patches"][chosen]  # (D',)
    projected = project.weight @ row + project.bias  # (D,)
    feature = int(projected.abs().argmax())
    layout.work_out(
        f"Feature {feature} of patch {layout.quote(patch_name(seen, chosen))}, its largest, from {len(row)} values, "
        "the projection's bias last:",
        rf"x_p E + b = {sums.product(row, project.weight[feature], float(project.bias[feature]))}",
    )
    if seen.model.position_table is not None:
        position = seen.model.position_table[chosen + 1, feature]  # the class token's is the first
        layout.work_out("With its position's vector added:", f"z_0 = {sums.total([projected[feature], position])}")
    _patch_slider(seen)
