"""Does place matter? A picture before and after a shuffle, a blank or a shift, with positions and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from model.analysis.patch_attention import moved_share
from model.cached_property import cached_property
from model.edits.parts import Zero
from model.edits.patches import BlankPatches, ShufflePatches
from model.network.patches import unpatchify
from model.train.digits import RANDOM_ORDERS
from model.vision.features import shift_picture
from views.models.see import told
from views.models.see.picture import Pixels, class_noun, shown_classes
from views.models.see.place_trials import Change, PlaceTrial, Trials
from views.models.see.sight import Sight
from views.parts import Chart, Controls, DataTable, Files
from views.plotted import Plotted
from views.shared import quotes
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.models.see import enlarge_picture, overlay_figure, probabilities_figure
from viz.shared.pictures import picture_figure
from viz.shared.style import markdown_text, number, percent, score_noun, write_score

UNMOVED = 1e-4  # a change below it is none


@dataclass(frozen=True)
class Place(Sight):
    """The picture under a change."""

    change: Change
    makes: Trials = field(default=Trials(), compare=False, repr=False)

    @cached_property
    def trials(self) -> Sequence[PlaceTrial]:
        return self.makes.of(self.seen, self.change)

    @property
    def _count(self) -> int:
        return self.seen.config.n_patches

    @property
    def order(self) -> list[int]:
        """The patch that lies in each place afterwards."""
        return self.change.order(self._count)

    @property
    def said(self) -> str:
        """The change in words."""
        return self.change.describe(self._count)

    def told(self) -> Mapping[str, float | str]:
        found: dict[str, float | str] = {told.MOVED: moved_share(*self.trials[0].gazes(), self.order)}
        if self.change.kind == "shift":
            found[told.SHIFT] = self.change.right
        if self.change.kind == "blank":
            found[told.BLANK] = len(self.change.blanked(self._count)) / self._count
        for trial in self.trials:
            if trial.name == "without positions" and self.seen.config.image_labels:
                found[told.UNPLACED] = _largest_move(trial)
        return found

    @property
    def after(self) -> Pixels:
        """The picture after the change, rebuilt from the patches of the run."""
        config, model = self.seen.config, self.seen.model
        patches = next(each.after["embed.patches"] for each in self.trials if each.model.card == model.card)
        rebuilt: Pixels = model.preparation.picture(
            unpatchify(patches, config.patch_size, config.channels, self.seen.side)
        )
        return rebuilt

    def picture_parts(self) -> Sequence[Any]:
        answers = self._answers() if self.seen.config.image_labels else []
        return [Controls("change"), self._pictures(), *answers, *self._gazes()]

    number_parts = picture_parts

    def _pictures(self) -> Group:
        """The pictures before and after the change."""
        columns = []
        for title, rgb in (("Before", self.seen.square), ("After", self.after)):
            draw = partial(picture_figure, enlarge_picture(rgb), height=300)
            files = Files(f"see-picture-{title.lower()}", draw, draw, arrays=partial(dict, square=rgb))
            chart = Chart(draw, f"What the model reads, {title.lower()}")
            columns.append(Group([Heading(title, 3), chart, files], "column"))
        return Group(columns, "row", gap="large")

    def _answers(self) -> list[Any]:
        columns = [Group(self._answer_of(trial), "column") for trial in self.trials]
        beside = Group([Group(columns, "row", gap="large")], key="see answers")
        said = _held_out(self.trials) if self.trials[0].model.reads_digits else ""
        return [Heading("The prediction", 3), beside, *grey(said)]

    def _answer_of(self, trial: PlaceTrial) -> list[Any]:
        model = trial.model
        kind, noun, all_labels = model.config.label_scores, class_noun(model), model.config.image_labels
        before, after = _answers_of(trial)
        shown = shown_classes(before)
        labels = [all_labels[i] for i in shown]
        runs = {"before": [before[i] for i in shown], "after": [after[i] for i in shown]}
        draw = partial(probabilities_figure, runs, labels, noun=noun, kind=kind)
        rows = [
            {noun: label, "before": a, "after": b}
            for label, a, b in zip(labels, runs["before"], runs["after"], strict=True)
        ]
        first, then = (all_labels[int(np.argmax(each))] for each in (before, after))
        largest = _largest_move(trial)
        verdict = (
            "Nothing moves: to this model the picture is a bag of patches."
            if largest < UNMOVED
            else f"The largest move of a {score_noun(kind)} is {write_score(largest, kind)}."
        )
        plotted = Plotted(
            Chart(draw, f"Each {score_noun(kind)} {trial.name}, before and after"),
            DataTable(lambda: pd.DataFrame(rows)),
            f"Before: **{markdown_text(first)}**, {write_score(max(before), kind)}. The picture {self.said}: "
            f"**{markdown_text(then)}**, {write_score(max(after), kind)}. {verdict}",
            Files(f"see-place-{_file_name(trial)}", draw, draw, lambda: rows),
        )
        title = model.card.title if model.reads_digits else f"{model.card.title}, {trial.name}"
        return [Text(f"**{markdown_text(title)}**"), plotted]

    def _gazes(self) -> list[Any]:
        """Where the class token looks in the last layer, mean of its heads, before and after."""
        columns = [Group(self._gaze_of(trial), "column") for trial in self.trials]
        last = "" if self.seen.config.pooled == "probe" else ", last layer"
        title = f"Where {self.seen.reader} looks{last}, mean of its heads"
        return [Heading(title, 3), Group([Group(columns, "row", gap="large")], key="see gaze")]

    def _gaze_of(self, trial: PlaceTrial) -> list[Any]:
        before, after = trial.gazes()
        name, patch_name = trial.name, self.seen.patch_name
        rows = [
            {"place": patch_name(n), "before": float(a), "after": float(b)}
            for n, (a, b) in enumerate(zip(before, after, strict=True))
        ]
        arrays = {"before": before.numpy(), "after": after.numpy()}
        charts, files = list[Chart](), list[Files]()
        for picture, weights, when in ((self.seen.square, before, "before"), (self.after, after, "after")):
            draw = partial(overlay_figure, picture, weights.numpy(), self.seen.side, -1, height=240)
            charts.append(Chart(draw, f"Attention of {self.seen.reader} {name}, {when}"))
            file = f"see-gaze-{name.replace(' ', '-')}-{when}"
            files.append(Files(file, draw, draw, lambda: rows, lambda: arrays))
        said = (
            f"Strongest before at {patch_name(int(before.argmax()))}, after at {patch_name(int(after.argmax()))} "
            f"(top and bottom). The picture {self.said}: {_describe_move(before, after, self.order)} The largest "
            f"weight {number(float(before.max()), 3)}, then {number(float(after.max()), 3)}."
        )
        gaze = Gaze(charts, files, DataTable(lambda: pd.DataFrame(rows), height=300))
        return [Text(f"**{name.capitalize()}**"), gaze, *grey(said)]

    def formula(self) -> Sequence[Any]:
        return [*_equations(), *self._work_out_shuffle()]

    def _work_out_shuffle(self) -> list[Any]:
        """How far the class token's attention is from following the patches when they are shuffled."""
        shuffle, parts = replace(self.change, kind="shuffle"), list[Any]()
        order = shuffle.order(self._count)
        for trial in self.makes.of(self.seen, shuffle):
            before, after = trial.gazes()
            patch = int(before.argmax())
            now = order.index(patch)
            then, there = (quotes.quote(self.seen.patch_name(each)) for each in (patch, now))
            parts += work_out(
                f"**{trial.name.capitalize()}**, shuffled by seed {shuffle.seed}: the weight of {self.seen.reader}, a "
                f"mean over the last layer's heads, on {then}, and after the shuffle on the same patch, "
                f"which then lies at {there}; and the largest difference over all patches:",
                rf"{quotes.tex(float(before[patch]), 5)} \to {quotes.tex(float(after[now]), 5)}, \qquad "
                rf"\max_i |\Delta_i| = {quotes.tex(float((after - before[order]).abs().max()), 5)}",
            )
        return parts

    def code(self) -> Sequence[Any]:
        return (ShufflePatches, BlankPatches, Zero, shift_picture)


@dataclass(frozen=True)
class Gaze(View):
    """Where the class token looks before the change and after it, with the numbers of both in one table."""

    charts: Sequence[Chart]
    saved: Sequence[Files]  # of each chart
    numbers: DataTable

    def picture_parts(self) -> Sequence[Any]:
        return [part for pair in zip(self.charts, self.saved, strict=True) for part in pair]

    def number_parts(self) -> Sequence[Any]:
        return [self.numbers, self.saved[-1]]


def _answers_of(trial: PlaceTrial) -> tuple[list[float], list[float]]:
    """The scores of all classes, before and after."""
    probabilities = trial.model.probabilities
    return probabilities(trial.before).tolist(), probabilities(trial.after).tolist()


def _largest_move(trial: PlaceTrial) -> float:
    """The largest change of the score of a class."""
    return max(abs(a - b) for a, b in zip(*_answers_of(trial), strict=True))


def _file_name(trial: PlaceTrial) -> str:
    return trial.model.card.name if trial.model.reads_digits else trial.name.replace(" ", "-")


def _held_out(trials: Sequence[PlaceTrial]) -> str:
    """The share of held-out digits that each model names, plain and shuffled, by its card. Markdown."""
    metrics_of = [(each.model.card.title, each.model.card.details["metrics"]) for each in trials]
    sentences = [
        f"{markdown_text(title)} {percent(metrics['accuracy'])} right, {percent(metrics['shuffled'])} ± "
        f"{percent(metrics['shuffled_spread'])} with every picture shuffled"
        for title, metrics in metrics_of
    ]
    orders = f"(mean and standard deviation over {RANDOM_ORDERS} random orders)"
    return f"Over 2,000 held-out digits: {'; '.join(sentences)} {orders}."


def _describe_move(before: Tensor, after: Tensor, order: list[int]) -> str:
    """How much of the attention to the patches (N,) changed. `order[i]` is the patch that lies in place i now."""
    changed = moved_share(before, after, order)
    if order == sorted(order):
        return f"{percent(changed)} of the attention is at other places."
    if changed < UNMOVED:
        return "the attention follows every patch to its new place, and nothing else changes."
    return f"each patch counted where it lies now, {percent(changed)} of the attention goes to other patches."


def _equations() -> list[Any]:
    without = equation(
        r"f(PX) = P f(X)",
        "An encoder without positions is permutation-equivariant: shuffled patches give shuffled outputs, and the "
        "class token's, which stays in place, does not change at all.",
        {"P": "a permutation of the patches", "X": "the patch embeddings, one a row"},
    )
    with_positions = equation(
        r"f(PX + E_{pos}) \neq P f(X + E_{pos})",
        "With position vectors a patch at another place is another token. Dosovitskiy et al. (2021), eq. 1.",
    )
    return [*without, *with_positions]
