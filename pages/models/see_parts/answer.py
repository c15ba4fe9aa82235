"""The output: a class or a saliency map, and the patches' features as three colours."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from model.vectors.principal_components import component_variances, principal_components
from model.vision.features import patch_means, principal_colours
from model.vision.model import VisionModel
from pages.models.see_parts import told
from pages.models.see_parts.classes import class_noun, shown_classes
from pages.models.see_parts.patches import patch_name
from pages.models.see_parts.source import PictureView
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import quotes, sums
from viz.models.see import enlarge_picture, features_figure, probabilities_figure, saliency_figure
from viz.print.files import npz
from viz.shared.pictures import picture_figure
from viz.shared.style import markdown_text, number, percent, score_noun, write_score

PROMPTS = (
    layout.Prompt(
        "Draw a digit",
        "Draw in the square: the digit is named stroke by stroke. Until then an example is read.",
        {"see_model": "digits-vit", "see_source": "draw", "see_example": "", "see_patch": -1, "see_part": "answer"},
        claim=Claim(told.SOURCE, "is", "draw"),
        at="see pad",
    ),
    layout.Prompt(
        "A flower in colours",
        "It parts from what is behind it: the first colour is mostly that of the flower.",
        {"see_model": "dinov2-s", "see_source": "example", "see_example": "flower", "see_part": "answer"}
        | {"see_patch": -1},
        claim=Claim(told.FIRST_COLOUR, "over", 0.1),
        at="see colours",
    ),
    layout.Prompt(
        "Shuffle it",
        "With positions the attention does not follow the patches to their new places.",
        {"see_part": "place", "see_change": "shuffle"},
        claim=Claim(told.MOVED, "over", 0.05),
        at="see gaze",
    ),
)


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(view)
    elif depth == "Code":
        layout.code(VisionModel.probabilities, principal_colours, principal_components)
    else:
        claims.tell(told.SOURCE, state.get("see_source"))
        left, right = st.columns(2, gap="large")
        with left:
            st.subheader("What the model reads", anchor=False)
            draw = partial(picture_figure, enlarge_picture(view.square))
            figures.show(draw(theme=state.theme()), "The picture as the model reads it")
            layout.caption(view.note)
            figures.files("see-picture", draw, draw, NPZ=partial(npz, square=view.square))
        with right, layout.answer("see"):
            if view.model.config.image_labels:
                _classes(view, depth == "Numbers")
            elif view.model.saliency is not None:
                _saliency(view, depth == "Numbers")
            else:
                st.info("This model has no head after its layers: what comes out are the vectors of the patches.")
        _features(view, depth == "Numbers")
        _origin(view)
    layout.try_this(*PROMPTS)


def _patch_vectors(view: PictureView) -> Tensor:
    """The vectors of the patches after the last layer: (N, D)."""
    return view.run()["final_norm"][view.model.config.n_special_tokens :]


def _classes(view: PictureView, numbers: bool) -> None:
    noun, labels = class_noun(view.model), view.model.config.image_labels
    st.subheader(f"Which {noun}?", anchor=False)
    probabilities = view.model.probabilities(view.run()).tolist()
    shown = shown_classes(probabilities)
    kind = view.model.config.label_scores
    called = score_noun(kind)
    bars = {"this picture": [probabilities[i] for i in shown]}
    figure = probabilities_figure(bars, [labels[i] for i in shown], state.theme(), noun, kind)

    def rows() -> list[dict[str, Any]]:
        return [{noun: label, called: p} for label, p in zip(labels, probabilities, strict=True)]

    figures.show_or_list(numbers, figure, f"{called.capitalize()} of each {noun}", rows)
    first, *others = np.argsort(probabilities)[::-1][:2]
    next_one = "".join(f"; next {markdown_text(labels[i])}, {write_score(probabilities[i], kind)}" for i in others)
    layout.caption(
        f"{_read_from(view)}: **{markdown_text(labels[first])}**, "
        f"{write_score(probabilities[first], kind)}{next_one}. {_how_well(view)}"
    )
    figures.export("see-class", figure, rows)


def say_class(view: PictureView) -> None:
    """The class of the picture in a line, for the parts that do not show it; nothing of a model without classes."""
    labels, kind = view.model.config.image_labels, view.model.config.label_scores
    if labels:
        probabilities = view.model.probabilities(view.run()).tolist()
        best = int(np.argmax(probabilities))
        st.markdown(
            f":gray[It reads **{markdown_text(labels[best])}**, {write_score(probabilities[best], kind)}.]",
            width="content",
        )


def _read_from(view: PictureView) -> str:
    if view.model.config.distillation_head:
        return "The mean of two heads' logits, of the class token's last vector and of the distillation token's"
    return "From the class token's last vector alone"


def _how_well(view: PictureView) -> str:
    """What the card says of its answers; of a model that was added, how many classes it has. Markdown."""
    details, count = view.model.card.details, len(view.model.config.image_labels)
    if not view.model.reads_digits or "metrics" not in details:
        return {
            "softmax": f"It was trained on {count} classes: whatever the picture shows, it names one of them.",
            "sigmoid": "Each label is judged by itself, by the sigmoid of its logit, so they need not sum to 100%.",
            "none": "The model was trained to give numbers, so its logits are shown as they are.",
        }[view.model.config.label_scores]
    accuracy = percent(details["metrics"]["accuracy"])
    return f"The model names {accuracy} of 2,000 held-out digits rightly. {markdown_text(details['limits'])}"


def _saliency(view: PictureView, numbers: bool) -> None:
    st.subheader("What stands out?", anchor=False)
    assert view.model.saliency is not None
    with torch.inference_mode():
        saliency = view.model.saliency(_patch_vectors(view)).numpy()  # (size, size)
    by_patch = patch_means(torch.from_numpy(saliency), view.side).numpy()  # (N,)
    draw = partial(saliency_figure, view.square, saliency)
    figure = draw(theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [{"patch": patch_name(view, n), "mean of the map": float(value)} for n, value in enumerate(by_patch)]

    figures.show_or_list(numbers, figure, "The picture in its colours where the model's map says it stands out", rows)
    layout.caption(
        f"A small head after the last layer draws a map from the patches' vectors. "
        f"{percent(float((saliency > 0.5).mean()))} of the picture is above one half; most of all "
        f"**{patch_name(view, int(by_patch.argmax()))}**, {number(float(by_patch.max()), 2)}."
    )
    figures.export("see-saliency", draw, rows, saliency=saliency)


def _features(view: PictureView, numbers: bool) -> None:
    st.subheader("The patches' features as three colours", anchor=False)
    colours, shares = principal_colours(_patch_vectors(view))
    draw = partial(features_figure, colours.numpy(), view.side)
    figure = draw(theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [
            {"patch": patch_name(view, n), "first": float(r), "second": float(g), "third": float(b)}
            for n, (r, g, b) in enumerate(colours.tolist())
        ]

    claims.tell(told.FIRST_COLOUR, float(shares[0]))
    with st.container(key="see colours"):
        figures.show_or_list(numbers, figure, "Each patch in the colour of its first three principal components", rows)
    layout.caption(
        "Like colours are like features. Red, green and blue are the first three principal components of the "
        f"{len(colours)} vectors after the last layer; they hold {percent(float(shares[0]))}, "
        f"{percent(float(shares[1]))} and {percent(float(shares[2]))} of their variance. "
        + (
            f"In training the model was told which {class_noun(view.model)} a picture is, never where its parts are."
            if view.model.config.image_labels
            else "Whether this model was told in training where a thing ends is not known; its origin is below."
        )
    )
    figures.export("see-features", draw, rows, colours=colours.numpy())


def _origin(view: PictureView) -> None:
    details = view.model.card.details
    with st.expander(f"Where {view.model.card.title} comes from"):
        for text in (f"{view.model.card.source}. Licence: {view.model.card.licence}.", details.get("known", ""),
                     details.get("unknown", ""), details.get("data", "")):  # fmt: skip
            if text:
                st.markdown(markdown_text(text))


def _formula(view: PictureView) -> None:
    kind = view.model.config.label_scores
    if view.model.config.distillation_head:
        layout.equation(
            sums.answer_equation(kind, r"\tfrac12 (u_{class} + u_{distill})", "")
            + r", \qquad u = W\, \mathrm{LayerNorm}(z_L) + b",
            "The class from two heads, each with its own W and b. Touvron et al. (2020), arXiv:2012.12877, section 4.",
            {
                "u_{class}": "the logits from the class token's last vector",
                "u_{distill}": "the logits from the distillation token's last vector",
            },
        )
        _work_out_class(view)
    elif view.model.config.image_labels:
        layout.equation(
            sums.answer_equation(kind, r"W\, \mathrm{LayerNorm}(z_L^0) + b", ""),
            "The class from the class token's last vector. Dosovitskiy et al. (2021), eq. 4.",
            {"z_L^0": "the class token after the last layer"},
        )
        _work_out_class(view)
    layout.equation(
        r"c_i = (F_i - \bar F)\,V_{1..3}",
        "Principal components of the patches' vectors, each stretched to 0..1 as a colour. Oquab et al. (2023), "
        "arXiv:2304.07193, figure 1.",
        {
            "F": "the vectors of the patches after the last norm, one a row",
            "V_{1..3}": "the first three right singular vectors of F less its mean row",
            "c_i": "the colour of patch i",
        },
    )
    _work_out_colour(view)


def _work_out_class(view: PictureView) -> None:
    """The likeliest digit: its logit from the class token's vector, then what is shown of it."""
    logits, kind = view.run()["image_logits"], view.model.config.label_scores  # (classes,)
    best = int(logits.argmax())
    name = markdown_text(view.model.config.image_labels[best])
    of_two = ", of each head, and their mean" if view.model.config.distillation_head else ""
    layout.work_out(
        f"The likeliest {class_noun(view.model)} here is **{name}**: its logit, the bias last{of_two}, and "
        f"{'its share of' if kind == 'softmax' else 'its ' + score_noun(kind) + ', of'} {len(logits)} classes:",
        *(f"u = {sums.explained(view.explain(scores, best))}" for scores in view.model.class_scores),
        sums.answer(logits, best, kind),
    )


def _work_out_colour(view: PictureView) -> None:
    """The red of the framed patch, which is its place on the first component, and the share of that component."""
    features = _patch_vectors(view)  # (N, D)
    places = principal_components(features, 1)[0][:, 0]  # (N,)
    patch = state.checked_number("see_patch", -1, len(places) - 1, "Patch")
    patch = len(places) // 2 if patch < 0 else patch
    place, low, high = float(places[patch]), float(places.min()), float(places.max())
    layout.work_out(
        f"The red of patch {quotes.quote(patch_name(view, patch))}, its place on the first component made 0..1:",
        rf"\frac{{{quotes.tex(place)} - {quotes.tex(low)}}}{{{quotes.tex(high)} - {quotes.tex(low)}}} = "
        f"{quotes.tex((place - low) / (high - low))}",
    )
    layout.work_out(
        "The share of the variance along the first component, from the singular values squared:",
        rf"\frac{{\sigma_1^2}}{{\sum_j \sigma_j^2}} = {sums.share(component_variances(features), 0)}",
    )
