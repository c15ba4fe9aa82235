"""From pixels to tokens: the grid, the flattened rows, the projection's filters, the position vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.arrays import Array
from model.network.patches import Patches, patchify, unpatchify
from model.vision.features import longest_filters, neighbour_similarity, position_similarity
from views.models.see import told
from views.models.see.picture import SeenPicture
from views.models.see.sight import Sight
from views.parts import Chart, Controls, DataTable, Files
from views.plotted import Plotted
from views.shared import quotes, sums
from views.shared.ratios import ratio
from views.view import equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.models.see import filters_figure, flattened_patches_figure, grid_figure, positions_figure
from viz.shared.style import markdown_text, number, percent

MAX_FILTERS = 64  # drawn


@dataclass(frozen=True)
class PatchesOfPicture(Sight):
    """The picture in patches. `framed`: the patch that is singled out."""

    framed: int

    @property
    def rows(self) -> Array:
        """The flattened patches: (N, D')."""
        return self.seen.run["embed.patches"].numpy()

    @property
    def contrasts(self) -> Array:
        """The spread of the values of each patch: (N,)."""
        return contrasts(self.seen)

    def told(self) -> Mapping[str, float | str]:
        spread = self.contrasts
        return {told.CONTRAST: ratio(spread[self.framed], spread.max()), told.ROW_VALUES: self.rows.shape[1]}

    def picture_parts(self) -> Sequence[Any]:
        columns = [Group(self._grid(), "column"), Group(self._flattened(), "column")]
        return [
            Group(columns, "row", gap="large"),
            Controls("patch"),
            *_sizes(self.seen),
            *_filters(self.seen),
            *_positions(self.seen),
        ]

    number_parts = picture_parts

    def _grid(self) -> list[Any]:
        seen = self.seen
        draw = partial(grid_figure, seen.square, seen.side, self.framed)
        alt = f"The picture cut into {seen.side} by {seen.side} patches, {seen.patch_name(self.framed)} framed"
        files = Files("see-grid", draw, draw, self._patch_rows, lambda: {"square": seen.square})
        table = DataTable(lambda: pd.DataFrame(self._patch_rows()))
        return [Heading("The picture in patches", 3), Plotted(Chart(draw, alt), table, seen.note, files)]

    def _flattened(self) -> list[Any]:
        seen, config, rows = self.seen, self.seen.config, self.rows
        draw, row = partial(flattened_patches_figure, rows, self.framed), rows[self.framed]
        shown = Plotted(
            Chart(draw, f"{len(rows)} rows of {rows.shape[1]} values; the row of the framed patch is framed"),
            DataTable(lambda: pd.DataFrame(self._value_rows()), height=320),
            f"**{config.n_patches}** rows of **{config.patch_width}** values, blue above the mean colour, orange below"
            f"{'; red comes first, then green, then blue' if config.channels == 3 else ''}. The framed row (arrow) "
            f"is patch **{seen.patch_name(self.framed)}**, mean {number(float(row.mean()), 2)}, spread "
            f"{number(float(row.std()), 2)}. Its values, written into the frame, give the patch back.",
            Files("see-rows", draw, draw, self._patch_rows, lambda: {"patches": rows}),
        )
        return [Heading("Each patch, flattened to a row", 3), shown]

    def _patch_rows(self) -> list[dict[str, Any]]:
        return [
            {"patch": self.seen.patch_name(n), "mean": float(row.mean()), "spread": float(row.std()),
             "least": float(row.min()), "largest": float(row.max())}
            for n, row in enumerate(self.rows)
        ]  # fmt: skip

    def _value_rows(self) -> list[dict[str, Any]]:
        """One row for each value of the framed patch, with its channel, row and column in the patch."""
        config = self.seen.config
        size, names = config.patch_size, ("red", "green", "blue") if config.channels == 3 else ("grey",)
        return [
            {"value": n, "channel": names[n // size**2], "row": n % size**2 // size + 1, "column": n % size + 1,
             "normalised": float(value)}
            for n, value in enumerate(self.rows[self.framed])
        ]  # fmt: skip

    def formula(self) -> Sequence[Any]:
        seen, config = self.seen, self.seen.config
        size, patch = config.image_size, config.patch_size
        worked = work_out(
            f"In {markdown_text(seen.model.card.title)}:",
            rf"N = \frac{{{size} \cdot {size}}}{{{patch}^2}} = {config.n_patches}, \qquad "
            rf"D' = {patch}^2 \cdot {config.channels} = {config.patch_width}",
        )
        first = r"x_{class};\; " if config.class_token else ""
        second = r"x_{distill};\; " if config.distillation_token else ""
        registers = r"r_1;\; \dots;\; r_R;\; " if config.n_registers else ""
        embedded = equation(
            rf"z_0 = [{first}{second}{registers}x_p^1 E;\; x_p^2 E;\; \dots;\; x_p^N E] + E_{{pos}}",
            "Class token, projection and learnt 1-D positions. Dosovitskiy et al. (2021), arXiv:2010.11929, eq. 1.",
            {
                "E": f"the projection, D' x D = {config.patch_width} x {config.d_model} weights",
                "E_{pos}": "one learnt vector a token, or none",
                **({"x_{distill}": "the distillation token, Touvron et al. (2020)"} if second else {}),
                **(
                    {"r_i": f"one of {config.n_registers} registers, without a position: Darcet et al. (2023)"}
                    if registers
                    else {}
                ),
            },
        )
        return [*_sequence(seen), *worked, *embedded, *self._work_out_embedding(), Controls("patch")]

    def _work_out_embedding(self) -> list[Any]:
        """The framed patch's largest feature: its values with one row of the projection, then its position added."""
        seen = self.seen
        token = seen.token_of(self.framed)
        feature = int(seen.run["embed.tokens"][token].abs().argmax())
        bias = ", the projection's bias last" if seen.config.patch_bias else ""
        made = work_out(
            f"Feature {feature} of patch {quotes.quote(seen.patch_name(self.framed))}, its largest, from "
            f"{seen.config.patch_width} values{bias}:",
            rf"x_p E{' + b' if bias else ''} = {sums.explained(seen.explain('embed.tokens', token, feature))}",
        )
        if seen.model.position_table is None:
            return made
        terms = seen.explain("embed.out", token, feature).terms
        added = f"z_0 = {sums.total([term.value for term in terms])}"
        return [*made, *work_out("With its position's vector added:", added)]

    def code(self) -> Sequence[Any]:
        return (patchify, unpatchify, Patches)


def contrasts(seen: SeenPicture) -> Array:
    """The spread of the values of each patch: (N,)."""
    spread: Array = seen.run["embed.patches"].numpy().std(-1)
    return spread


def sizes(seen: SeenPicture) -> list[dict[str, str]]:
    """A table of H, W, C, P, N, D' and D: of this picture in this model, and of the example in the lecture notes."""
    config = seen.config
    return [
        {"": "this picture as it came", "H x W": f"{seen.height:,} x {seen.width:,}", "C": "3", "patch": "", "N": "",
         "D'": "", "D": ""},
        {"": "as the model reads it", "H x W": f"{config.image_size} x {config.image_size}", "C": str(config.channels),
         "patch": f"{config.patch_size} x {config.patch_size}", "N": f"{config.n_patches:,}",
         "D'": f"{config.patch_width:,}", "D": f"{config.d_model:,}"},
        {"": "1920 x 1080 in 64 patches", "H x W": "1,080 x 1,920", "C": "3", "patch": "135 x 240", "N": "64",
         "D'": f"{135 * 240 * 3:,}", "D": "far less"},
    ]  # fmt: skip


def _sizes(seen: SeenPicture) -> list[Any]:
    config = seen.config
    times = config.patch_width / config.d_model
    said = (
        f"N = H W / P² = {config.image_size}² / {config.patch_size}² = {config.n_patches}, and with "
        f"{seen.special_names} {config.max_length} tokens. D' = P² C = {config.patch_width} "
        f"becomes D = {config.d_model}: "
        + (
            f"{number(times, 2)} times fewer. "
            if times > 1
            else "here the projection widens, for the patches are small. "
        )
        + "Palaskos (2022, section 4.2.1) counts 240 x 135 = 32,400 values a patch: that is for each of the 3 channels."
    )
    second = (
        "The second token is the distillation token. Like the class token it is learnt and shows no part of the "
        "picture. In training the class token learnt to name the true class, and this one the class that another "
        "network, the teacher, named (Touvron et al. (2020), section 4)."
    )
    table, files = DataTable(lambda: pd.DataFrame(sizes(seen))), Files("see-sizes", rows=partial(sizes, seen))
    registers = (
        f"Then come {config.n_registers} registers, learnt tokens too. The model keeps there what concerns the whole "
        "picture. Without registers it writes such things over patches of plain background, which then draw attention "
        "to places where nothing is (Darcet et al. (2023), arXiv:2309.16588, section 2)."
    )
    notes = [*grey(second if config.distillation_token else ""), *grey(registers if config.n_registers else "")]
    return [Heading("The numbers", 3), table, *grey(said), *notes, files]


def _filters(seen: SeenPicture) -> list[Any]:
    filters = seen.model.patches.filters.detach()  # (D, C, P, P)
    longest, lengths, share = longest_filters(filters, MAX_FILTERS)
    draw = partial(filters_figure, filters[longest].numpy(), 16)
    found = zip(longest.tolist(), lengths.tolist(), strict=True)
    rows = [{"feature": feature, "length of its row": length} for feature, length in found]
    shown = Plotted(
        Chart(draw, f"{len(longest)} rows of the projection as small pictures"),
        DataTable(lambda: pd.DataFrame(rows)),
        f"Each feature of a token is the product of the patch with one such picture. Shown are the {len(longest)} "
        f"longest rows of {len(filters)}; they hold {percent(share)} of the weights' squares. Each is scaled by its "
        "own largest weight, and the quiet middle tone is 0.",
        Files("see-filters", draw, draw, lambda: rows, lambda: {"filters": filters.numpy()}),
    )
    return [Heading("What the projection looks for", 3), shown]


def _positions(seen: SeenPicture) -> list[Any]:
    heading, table = Heading("What the positions know of the grid", 3), seen.model.position_table
    if table is None:
        title = markdown_text(seen.model.card.title)
        return [heading, Text(f"{title} has no position vectors: to it the patches are a bag.", "info")]
    cosines = position_similarity(table.detach(), seen.config.n_special_tokens)  # (N, N)
    near, far = neighbour_similarity(cosines, seen.side)
    similarity = cosines.numpy()
    draw = partial(positions_figure, similarity, seen.side)

    def rows() -> list[dict[str, Any]]:
        return [
            {"patch": seen.patch_name(n), **{seen.patch_name(m): float(value) for m, value in enumerate(row)}}
            for n, row in enumerate(similarity)
        ]

    shown = Plotted(
        Chart(draw, "For each patch, how alike its position vector is to all others"),
        DataTable(lambda: pd.DataFrame(rows())),
        "One map a patch, at the patch's place: the cosine of its position vector with all others, blue alike, orange "
        f"opposed. Direct neighbours have {number(near, 2)} on average, all pairs {number(far, 2)}: the model was "
        "given a plain numbered row and learnt that it is a grid (Dosovitskiy et al. 2021, figure 7).",
        Files("see-positions", draw, draw, rows, lambda: {"similarity": similarity}),
    )
    return [heading, shown]


def _sequence(seen: SeenPicture) -> list[Any]:
    config = seen.config
    return equation(
        r"x_p \in \mathbb{R}^{N \times D'}, \quad N = \frac{HW}{P^2}, \quad D' = P^2 C",
        "A picture as a sequence of flattened patches. Palaskos (2022), section 4.2.1.",
        {
            "H, W, C": f"{config.image_size}, {config.image_size}, {config.channels} here",
            "P": f"the side of a patch, {config.patch_size}",
            "N": f"patches, {config.n_patches}",
            "D'": f"values of a flattened patch, {config.patch_width}",
        },
    )


def framed_patch(seen: SeenPicture, patch: int) -> int:
    """The patch that is framed: the chosen one, or one in the middle where a learnt token is chosen."""
    return seen.side // 2 * (seen.side + 1) if patch < 0 else patch
