"""Does place matter? A picture before and after a shuffle, a blank or a shift, with positions and without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from torch import Tensor

from model import Edit, Trace
from model.analysis.patch_attention import class_token_attention, moved_share
from model.edits.parts import Zero
from model.edits.patches import BlankPatches, ShufflePatches, blank_patches, shuffle_patches, without_positions
from model.network.patches import unpatchify
from model.train.digits import RANDOM_ORDERS
from model.vision.features import shift_picture
from model.vision.model import VisionModel, random_order
from pages.models.see_parts import told
from pages.models.see_parts.classes import class_noun, shown_classes
from pages.models.see_parts.patches import patch_name
from pages.models.see_parts.source import PictureView, remember, run_edited, vision
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.shared import quotes
from viz.models.see import enlarge_picture, overlay_figure, probabilities_figure
from viz.print.files import npz
from viz.shared.pictures import picture_figure
from viz.shared.style import markdown_text, number, percent, score_noun, write_score

CHANGES = {"shuffle": "Shuffle patches", "blank": "Blank some", "shift": "Shift"}
STEP = 3  # pixels of the prompt that shifts a picture


@dataclass(frozen=True)
class PlaceTrial:
    """A run of one model before a change, and one after it."""

    name: str
    model: VisionModel
    before: Trace
    after: Trace


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula()
        _work_out_shuffle(view)
    elif depth == "Code":
        layout.code(ShufflePatches, BlankPatches, Zero, shift_picture)
    else:
        square, edits, description, order = _change(view)
        try:
            trials = remember(
                "trials", (*view.key, description, tuple(order)), lambda: _run_trials(view, square, edits)
            )
        except traces.errors() as error:
            traces.complain(error)
            raise traces.NothingToShow from error
        after = _pictures(view, trials)
        if view.model.config.image_labels:
            _answers(trials, description, depth == "Numbers")
        _attention(view, after, trials, description, order, depth == "Numbers")
    layout.try_this(*_prompts(view))


def _prompts(view: PictureView) -> list[layout.Prompt]:
    shuffled = layout.Prompt(
        "Shuffle a digit",
        "Without positions nothing changes at all.",
        {"see_model": "digits-vit-nopos", "see_source": "example", "see_example": "", "see_patch": -1}
        | {"see_change": "shuffle"},
        claim=Claim(told.UNPLACED, "under", 1e-4),
        at="see answers",
    )
    half = layout.Prompt(
        "Half a picture",
        "Every second patch is blank. How much can be missing?",
        {"see_change": "blank", "see_share": 0.5},
        claim=Claim(told.BLANK, "over", 0.45),
    )
    moved = layout.Prompt(
        "Three pixels to the right",
        "Edges fall into other patches.",
        {"see_change": "shift", "see_right": STEP, "see_down": 0},
        claim=Claim(told.SHIFT, "is", STEP),
    )
    return [shuffled, half, moved] if view.model.config.patch_size >= STEP else [shuffled, half]


def _work_out_shuffle(view: PictureView) -> None:
    """How far the class token's attention is from following the patches when they are shuffled."""
    seed, count = state.get("see_seed"), view.model.config.n_patches
    order = random_order(count, seed)
    key = (*view.key, "with its patches shuffled", tuple(order))
    for trial in remember("trials", key, lambda: _run_trials(view, view.square, lambda: (shuffle_patches(order),))):
        before, after = (_gaze(run, trial.model) for run in (trial.before, trial.after))
        patch = int(before.argmax())
        now = order.index(patch)
        layout.work_out(
            f"**{trial.name.capitalize()}**, shuffled by seed {seed}: the class token's weight, a mean over the last "
            f"layer's heads, on {quotes.quote(patch_name(view, patch))}, and after the shuffle on the same patch, "
            f"which then lies at {quotes.quote(patch_name(view, now))}; and the largest difference over all patches:",
            rf"{quotes.tex(float(before[patch]), 5)} \to {quotes.tex(float(after[now]), 5)}, \qquad "
            rf"\max_i |\Delta_i| = {quotes.tex(float((after - before[order]).abs().max()), 5)}",
        )


def _change(view: PictureView) -> tuple[NDArray[np.uint8], Callable[[], tuple[Edit, ...]], str, list[int]]:
    """The changed picture, the edits of the run, the change in words, and the order of the patches.

    A shift changes the picture, the other changes are edits. `order[i]` is the patch that lies in place i afterwards.
    """
    count = view.model.config.n_patches
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("Change", tuple(CHANGES), key="see_change", format_func=CHANGES.__getitem__, required=True)
        kind = state.get("see_change")
        if kind == "shift":
            reach = view.model.config.patch_size
            right = state.checked_number("see_right", -reach, reach, "A shift")
            down = state.checked_number("see_down", -reach, reach, "A shift")
            st.slider("To the right, pixels", -reach, reach, key="see_right", width=200)
            st.slider("Down, pixels", -reach, reach, key="see_down", width=200)
            claims.tell(told.SHIFT, right)
            description = f"moved {right} right and {down} down"
            return shift_picture(view.square, right, down), lambda: (), description, list(range(count))
        if kind == "blank":
            st.slider("Share of the patches", 0.0, 1.0, step=0.05, key="see_share", width=240)
        st.number_input("Seed", 0, 9999, key="see_seed", width=140)
    order = random_order(count, state.get("see_seed"))
    if kind == "shuffle":
        return view.square, lambda: (shuffle_patches(order),), "with its patches shuffled", order
    blanked = order[: round(state.get("see_share") * count)]
    claims.tell(told.BLANK, len(blanked) / count)
    description = f"with {len(blanked)} of {count} patches blank"
    return view.square, lambda: (blank_patches(blanked),), description, list(range(count))


def _run_trials(
    view: PictureView, square: NDArray[np.uint8], edits: Callable[[], tuple[Edit, ...]]
) -> list[PlaceTrial]:
    """Both digits models. Another model is compared with itself, with its position vectors set to 0."""
    keep = (f"encoder.{view.layers - 1}.self_attn.weights", "image_logits", "embed.patches")

    def compare(name: str, model: VisionModel, *always: Edit) -> PlaceTrial:
        before = run_edited(model, view.square, always, keep)
        return PlaceTrial(name, model, before, run_edited(model, square, (*always, *edits()), keep))

    if view.model.reads_digits:
        return [
            compare("with positions", vision("digits-vit")),
            compare("without positions", vision("digits-vit-nopos")),
        ]
    return [compare("with positions", view.model), compare("positions set to 0", view.model, without_positions())]


def _pictures(view: PictureView, trials: list[PlaceTrial]) -> NDArray[np.uint8]:
    """Shows the pictures before and after the change. Returns the second, rebuilt from the patches of the run."""
    config = view.model.config
    patches = next(each.after["embed.patches"] for each in trials if each.model.card == view.model.card)
    after = view.model.preparation.picture(unpatchify(patches, config.patch_size, config.channels, view.side))
    left, right = st.columns(2, gap="large")
    for column, title, rgb in ((left, "Before", view.square), (right, "After", after)):
        with column:
            st.subheader(title, anchor=False)
            draw = partial(picture_figure, enlarge_picture(rgb), height=300)
            figures.show(draw(theme=state.theme()), f"What the model reads, {title.lower()}")
            figures.files(f"see-picture-{title.lower()}", draw, draw, NPZ=partial(npz, square=rgb))
    return after


def _answers(trials: list[PlaceTrial], description: str, numbers: bool) -> None:
    st.subheader("The prediction", anchor=False)
    with st.container(key="see answers"):
        columns = st.columns(2, gap="large")
    for column, trial in zip(columns, trials, strict=True):
        with column:
            before, after = (trial.model.probabilities(each).tolist() for each in (trial.before, trial.after))
            shown, noun = shown_classes(before), class_noun(trial.model)
            kind = trial.model.config.label_scores
            labels = [trial.model.config.image_labels[i] for i in shown]
            runs = {"before": [before[i] for i in shown], "after": [after[i] for i in shown]}
            figure = probabilities_figure(runs, labels, state.theme(), noun, kind)
            rows = [
                {noun: label, "before": a, "after": b}
                for label, a, b in zip(labels, runs["before"], runs["after"], strict=True)
            ]
            title = trial.model.card.title if trial.model.reads_digits else f"{trial.model.card.title}, {trial.name}"
            st.markdown(f"**{markdown_text(title)}**")
            figures.show_or_list(
                numbers, figure, f"Each {score_noun(kind)} {trial.name}, before and after", partial(list, rows)
            )
            first, then = (trial.model.config.image_labels[int(np.argmax(each))] for each in (before, after))
            largest = max(abs(a - b) for a, b in zip(before, after, strict=True))
            if trial.name == "without positions":
                claims.tell(told.UNPLACED, largest)
            verdict = (
                "Nothing moves: to this model the picture is a bag of patches."
                if largest < 1e-4
                else f"The largest move of a {score_noun(kind)} is {write_score(largest, kind)}."
            )
            layout.caption(
                f"Before: **{markdown_text(first)}**, {write_score(max(before), kind)}. The picture {description}: "
                f"**{markdown_text(then)}**, {write_score(max(after), kind)}. {verdict}"
            )
            name = trial.model.card.name if trial.model.reads_digits else trial.name.replace(" ", "-")
            figures.export(f"see-place-{name}", figure, partial(list, rows))
    if trials[0].model.reads_digits:
        layout.caption(_held_out(trials))


def _held_out(trials: list[PlaceTrial]) -> str:
    """The share of held-out digits that each model names, plain and shuffled, by its card. Markdown."""
    metrics_of = [(each.model.card.title, each.model.card.details["metrics"]) for each in trials]
    sentences = [
        f"{markdown_text(title)} {percent(metrics['accuracy'])} right, {percent(metrics['shuffled'])} ± "
        f"{percent(metrics['shuffled_spread'])} with every picture shuffled"
        for title, metrics in metrics_of
    ]
    orders = f"(mean and standard deviation over {RANDOM_ORDERS} random orders)"
    return f"Over 2,000 held-out digits: {'; '.join(sentences)} {orders}."


def _attention(
    view: PictureView,
    changed: NDArray[np.uint8],
    trials: list[PlaceTrial],
    description: str,
    order: list[int],
    numbers: bool,
) -> None:
    """Where the class token looks in the last layer, mean of its heads, before and after."""
    st.subheader("Where the class token looks, last layer, mean of its heads", anchor=False)
    with st.container(key="see gaze"):
        columns = st.columns(2, gap="large")
    for column, trial in zip(columns, trials, strict=True):
        before, after = (_gaze(run, trial.model) for run in (trial.before, trial.after))
        if trial is trials[0]:
            claims.tell(told.MOVED, moved_share(before, after, order))
        rows = [
            {"place": patch_name(view, n), "before": float(a), "after": float(b)}
            for n, (a, b) in enumerate(zip(before, after, strict=True))
        ]
        with column:
            st.markdown(f"**{trial.name.capitalize()}**")
            if numbers:
                st.dataframe(rows, hide_index=True, height=300)
            for picture, weights, when in ((view.square, before, "before"), (changed, after, "after")):
                draw = partial(overlay_figure, picture, weights.numpy(), view.side, -1, height=240)
                if not numbers:
                    figures.show(draw(theme=state.theme()), f"Attention of the class token {trial.name}, {when}")
                if not numbers or when == "after":
                    name = f"see-gaze-{trial.name.replace(' ', '-')}-{when}"
                    figures.export(name, draw, partial(list, rows), before=before.numpy(), after=after.numpy())
            layout.caption(
                f"Strongest before at {patch_name(view, int(before.argmax()))}, after at "
                f"{patch_name(view, int(after.argmax()))} (top and bottom). The picture {description}: "
                f"{_describe_move(before, after, order)} The largest weight {number(float(before.max()), 3)}, then "
                f"{number(float(after.max()), 3)}."
            )


def _describe_move(before: Tensor, after: Tensor, order: list[int]) -> str:
    """How much of the attention to the patches (N,) changed. `order[i]` is the patch that lies in place i now."""
    changed = moved_share(before, after, order)
    if order == sorted(order):
        return f"{percent(changed)} of the attention is at other places."
    if changed < 1e-4:
        return "the attention follows every patch to its new place, and nothing else changes."
    return f"each patch counted where it lies now, {percent(changed)} of the attention goes to other patches."


def _gaze(run: Trace, model: VisionModel) -> Tensor:
    """The class token's attention to the patches in the last layer: (N,)."""
    layers, special = model.config.n_encoder_layers, model.config.n_special_tokens
    return class_token_attention(run[f"encoder.{layers - 1}.self_attn.weights"], special)


def _formula() -> None:
    layout.equation(
        r"f(PX) = P f(X)",
        "An encoder without positions is permutation-equivariant: shuffled patches give shuffled outputs, and the "
        "class token's, which stays in place, does not change at all.",
        {"P": "a permutation of the patches", "X": "the patch embeddings, one a row"},
    )
    layout.equation(
        r"f(PX + E_{pos}) \neq P f(X + E_{pos})",
        "With position vectors a patch at another place is another token. Dosovitskiy et al. (2021), eq. 1.",
    )
