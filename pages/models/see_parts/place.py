"""Does place matter? The same picture shuffled, blanked or shifted, with positions and without, before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model import Edit, Trace
from model.network.patches import unpatchify
from model.train.digits import RANDOM_ORDERS
from model.vision.features import shift_picture
from model.vision.model import VisionModel, blank_patches, shuffle_patches, without_positions
from pages.models.see_parts.patches import patch_name
from pages.models.see_parts.source import PictureView, remember, run_edited, vision
from pages.shared import figures, layout, state, traces
from viz.models.see import enlarge_picture, overlay_figure, probabilities_figure
from viz.print.files import npz
from viz.shared.pictures import picture_figure
from viz.shared.style import markdown_text, number, percent

CHANGES = {"shuffle": "Shuffle patches", "blank": "Blank some", "shift": "Shift"}
PROMPTS = (
    layout.Prompt("Shuffle a digit", "Without positions nothing changes at all.",
                  {"see_model": "digits-vit-nopos", "see_source": "example", "see_change": "shuffle"}),
    layout.Prompt("Half a picture", "How much can be missing?", {"see_change": "blank", "see_share": 0.5}),
    layout.Prompt("Three pixels to the right", "Edges fall into other patches.",
                  {"see_change": "shift", "see_right": 3, "see_down": 0}),
)  # fmt: skip


@dataclass(frozen=True)
class PlaceTrial:
    """One model before and after a change: name, runs, and the pictures that they read."""

    name: str
    model: VisionModel
    before: Trace
    after: Trace


def show(seen: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula()
        _worked(seen)
    elif depth == "Code":
        layout.code(shuffle_patches, blank_patches, without_positions, shift_picture)
    else:
        square, edits, words, order = _change(seen)
        try:
            tried = remember("tried", (*seen.key, words, tuple(order)), lambda: _tried(seen, square, edits))
        except traces.errors() as error:
            traces.complain(error)
            raise traces.NothingToShow from error
        after = _pictures(seen, tried)
        if seen.model.config.image_labels:
            _answers(tried, words, depth == "Numbers")
        _attention(seen, after, tried, words, order, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _worked(seen: PictureView) -> None:
    """How far the class token's attention to the patches is from going with them when they are shuffled."""
    seed, count = state.get("see_seed"), seen.model.config.n_patches
    order = np.random.default_rng(seed).permutation(count).tolist()
    key = (*seen.key, "with its patches shuffled", tuple(order))
    for each in remember("tried", key, lambda: _tried(seen, seen.square, lambda: (shuffle_patches(order),))):
        before, after = (_gaze(run, seen.layers) for run in (each.before, each.after))
        patch = int(before.argmax())
        now = order.index(patch)
        layout.work_out(
            f"**{each.name.capitalize()}**, shuffled by seed {seed}: the class token's weight, a mean over the last "
            f"layer's heads, on {layout.quote(patch_name(seen, patch))}, and after the shuffle on the same patch, "
            f"which then lies at {layout.quote(patch_name(seen, now))}; and the largest difference over all patches:",
            rf"{layout.tex(float(before[patch]), 5)} \to {layout.tex(float(after[now]), 5)}, \qquad "
            rf"\max_i |\Delta_i| = {layout.tex(float(np.abs(after - before[order]).max()), 5)}",
        )


def _change(seen: PictureView) -> tuple[NDArray[np.uint8], Callable[[], tuple[Edit, ...]], str, list[int]]:
    """The picture after the change, the edits that make the rest of it, the change in words, which patch lies where."""
    count = seen.model.config.n_patches
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("Change", tuple(CHANGES), key="see_change", format_func=CHANGES.__getitem__, required=True)
        kind = state.get("see_change")
        if kind == "shift":
            reach = seen.model.config.patch_size
            right = state.within("see_right", -reach, reach, "A shift")
            down = state.within("see_down", -reach, reach, "A shift")
            st.slider("To the right, pixels", -reach, reach, key="see_right", width=200)
            st.slider("Down, pixels", -reach, reach, key="see_down", width=200)
            words = f"moved {right} right and {down} down"
            return shift_picture(seen.square, right, down), lambda: (), words, list(range(count))
        if kind == "blank":
            st.slider("Share of the patches", 0.0, 1.0, step=0.05, key="see_share", width=240)
        st.number_input("Seed", 0, 9999, key="see_seed", width=140)
    order = np.random.default_rng(state.get("see_seed")).permutation(count).tolist()
    if kind == "shuffle":
        return seen.square, lambda: (shuffle_patches(order),), "with its patches shuffled", order
    gone = order[: round(state.get("see_share") * count)]
    words = f"with {len(gone)} of {count} patches blank"
    return seen.square, lambda: (blank_patches(gone),), words, list(range(count))


def _tried(seen: PictureView, square: NDArray[np.uint8], edits: Callable[[], tuple[Edit, ...]]) -> list[PlaceTrial]:
    """The digits models side by side; a model without such a sister with its position vectors set to 0."""
    keep = (f"encoder.{seen.layers - 1}.self_attn.weights", "image_logits", "embed.patches")

    def tried(name: str, model: VisionModel, *always: Edit) -> PlaceTrial:
        before = run_edited(model, seen.square, always, keep)
        return PlaceTrial(name, model, before, run_edited(model, square, (*always, *edits()), keep))

    if seen.model.config.image_labels:
        return [tried("with positions", vision("digits-vit")), tried("without positions", vision("digits-vit-nopos"))]
    return [tried("with positions", seen.model), tried("positions set to 0", seen.model, without_positions())]


def _pictures(seen: PictureView, tried: list[PlaceTrial]) -> NDArray[np.uint8]:
    """Shows what the model read before and after; returns the latter, put together again from the run's patches."""
    config = seen.model.config
    patches = next(each.after["embed.patches"] for each in tried if each.model.card == seen.model.card)
    after = seen.model.preparation.picture(unpatchify(patches, config.patch_size, config.channels, seen.side))
    left, right = st.columns(2, gap="large")
    for column, title, rgb in ((left, "Before", seen.square), (right, "After", after)):
        with column:
            st.subheader(title, anchor=False)
            draw = partial(picture_figure, enlarge_picture(rgb), height=300)
            figures.show(draw(theme=state.theme()), f"What the model reads, {title.lower()}")
            figures.files(f"see-picture-{title.lower()}", draw, draw, NPZ=partial(npz, square=rgb))
    return after


def _answers(tried: list[PlaceTrial], words: str, numbers: bool) -> None:
    st.subheader("The prediction", anchor=False)
    for column, each in zip(st.columns(2, gap="large"), tried, strict=True):
        with column:
            labels = each.model.config.image_labels
            runs = {
                "before": each.model.probabilities(each.before).tolist(),
                "after": each.model.probabilities(each.after).tolist(),
            }
            figure = probabilities_figure(runs, labels, state.theme())
            rows = [
                {"digit": label, "before": a, "after": b}
                for label, a, b in zip(labels, runs["before"], runs["after"], strict=True)
            ]
            st.markdown(f"**{each.model.card.title}**")
            figures.show_or_list(numbers, figure, f"Probabilities {each.name}, before and after", partial(list, rows))
            first, then = (int(np.argmax(runs[when])) for when in ("before", "after"))
            largest = max(abs(row["before"] - row["after"]) for row in rows)
            verdict = (
                "Nothing moves: to this model the picture is a bag of patches."
                if largest < 1e-4
                else f"The largest move of a probability is {percent(largest)}."
            )
            layout.caption(
                f"Before: **{labels[first]}**, {percent(runs['before'][first])}. The picture {words}: "
                f"**{labels[then]}**, {percent(runs['after'][then])}. {verdict}"
            )
            figures.export(f"see-place-{each.model.card.name}", figure, partial(list, rows))
    layout.caption(_held_out(tried))


def _held_out(tried: list[PlaceTrial]) -> str:
    """How many held-out digits each model names, as they are and shuffled, by its card. Markdown."""
    measured = [(each.model.card.title, each.model.card.details["metrics"]) for each in tried]
    told = [
        f"{markdown_text(title)} {percent(metrics['accuracy'])} right, {percent(metrics['shuffled'])} ± "
        f"{percent(metrics['shuffled_spread'])} with every picture shuffled"
        for title, metrics in measured
    ]
    orders = f"(mean and standard deviation over {RANDOM_ORDERS} random orders)"
    return f"Over 2,000 held-out digits: {'; '.join(told)} {orders}."


def _attention(
    seen: PictureView, changed: NDArray[np.uint8], tried: list[PlaceTrial], words: str, order: list[int], numbers: bool
) -> None:
    """Where the class token looks in the last layer, mean of its heads, before and after."""
    st.subheader("Where the class token looks, last layer, mean of its heads", anchor=False)
    for column, each in zip(st.columns(2, gap="large"), tried, strict=True):
        before, after = (_gaze(run, seen.layers) for run in (each.before, each.after))
        rows = [
            {"place": patch_name(seen, n), "before": float(a), "after": float(b)}
            for n, (a, b) in enumerate(zip(before, after, strict=True))
        ]
        with column:
            st.markdown(f"**{each.name.capitalize()}**")
            if numbers:
                st.dataframe(rows, hide_index=True, height=300)
            for picture, weights, when in ((seen.square, before, "before"), (changed, after, "after")):
                draw = partial(overlay_figure, picture, weights, seen.side, -1, height=240)
                if not numbers:
                    figures.show(draw(theme=state.theme()), f"Attention of the class token {each.name}, {when}")
                if not numbers or when == "after":
                    name = f"see-gaze-{each.name.replace(' ', '-')}-{when}"
                    figures.export(name, draw, partial(list, rows), before=before, after=after)
            layout.caption(
                f"Strongest before at {patch_name(seen, int(before.argmax()))}, after at "
                f"{patch_name(seen, int(after.argmax()))} (top and bottom). The picture {words}: "
                f"{_moved(before, after, order)} The largest weight {number(float(before.max()), 3)}, then "
                f"{number(float(after.max()), 3)}."
            )


def _moved(before: NDArray[Any], after: NDArray[Any], order: list[int]) -> str:
    """How much of the attention to the patches (N,) changed; `order[i]` is the patch that lies in place i now."""
    was, now = before[order] / before.sum(), after / after.sum()
    changed = 0.5 * float(np.abs(was - now).sum())
    if order == sorted(order):
        return f"{percent(changed)} of the attention is at other places."
    if changed < 1e-4:
        return "the attention follows every patch to its new place, and nothing else changes."
    return f"each patch counted where it lies now, {percent(changed)} of the attention goes to other patches."


def _gaze(run: Trace, layers: int) -> NDArray[Any]:
    return run[f"encoder.{layers - 1}.self_attn.weights"].numpy()[:, 0, 1:].mean(0)


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
