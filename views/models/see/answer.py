"""The output: a class or a saliency map, and the patches' features as three colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.analysis.picture_account import account_of_picture
from model.vectors.principal_components import component_variances, principal_components
from model.vision.features import patch_means, principal_colours
from model.vision.model import VisionModel
from views.models.see import told
from views.models.see.picture import SeenPicture, shown_classes
from views.models.see.sight import Sight
from views.models.see.why import why_equation, why_this_answer
from views.parts import Chart, DataTable, Files
from views.plotted import Plotted
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.models.see import enlarge_picture, features_figure, probabilities_figure, saliency_figure
from viz.shared.pictures import picture_figure
from viz.shared.style import markdown_text, number, percent, score_noun, write_score

NO_HEAD = "This model has no head after its layers: what comes out are the vectors of the patches."


@dataclass(frozen=True)
class WhatComesOut(Sight):
    """What the model makes of the picture. `source`: where that came from. `patch`: the framed one, or below 0."""

    source: str
    patch: int

    def say_class(self) -> str:
        return ""

    def told(self) -> Mapping[str, float | str]:
        _, shares = principal_colours(self.seen.patch_vectors)
        return {told.SOURCE: self.source, told.FIRST_COLOUR: float(shares[0])}

    def picture_parts(self) -> Sequence[Any]:
        seen = self.seen
        draw = partial(picture_figure, enlarge_picture(seen.square))
        read = [
            Heading("What the model reads", 3),
            Chart(draw, "The picture as the model reads it"),
            *grey(seen.note),
            Files("see-picture", draw, draw, arrays=lambda: {"square": seen.square}),
        ]
        if seen.config.image_labels:
            answer = _classes(seen)
        elif seen.model.saliency is not None:
            answer = _saliency(seen)
        else:
            answer = [Text(NO_HEAD, "info")]
        columns = [Group(read, "column"), Group([Group(answer, key="answer see")], "column")]
        return [Group(columns, "row", gap="large"), *why_this_answer(seen), *_features(seen), _origin(seen)]

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        colours = equation(
            r"c_i = (F_i - \bar F)\,V_{1..3}",
            "Principal components of the patches' vectors, each stretched to 0..1 as a colour. Oquab et al. (2023), "
            "arXiv:2304.07193, figure 1.",
            {
                "F": "the vectors of the patches after the last norm, one a row",
                "V_{1..3}": "the first three right singular vectors of F less its mean row",
                "c_i": "the colour of patch i",
            },
        )
        return [*_class_equation(self.seen), *why_equation(self.seen), *colours, *self._work_out_colour()]

    def _work_out_colour(self) -> list[Any]:
        """The red of the framed patch, which is its place on the first component, and the share of that component."""
        features = self.seen.patch_vectors  # (N, D)
        places = principal_components(features, 1)[0][:, 0]  # (N,)
        patch = len(places) // 2 if self.patch < 0 else self.patch
        place, low, high = float(places[patch]), float(places.min()), float(places.max())
        name = quotes.quote(self.seen.patch_name(patch))
        red = work_out(
            f"The red of patch {name}, its place on the first component made 0..1:",
            rf"\frac{{{quotes.tex(place)} - {quotes.tex(low)}}}{{{quotes.tex(high)} - {quotes.tex(low)}}} = "
            f"{quotes.tex((place - low) / (high - low))}",
        )
        share = work_out(
            "The share of the variance along the first component, from the singular values squared:",
            rf"\frac{{\sigma_1^2}}{{\sum_j \sigma_j^2}} = {sums.share(component_variances(features), 0)}",
        )
        return [*red, *share]

    def code(self) -> Sequence[Any]:
        return (VisionModel.probabilities, account_of_picture, principal_colours, principal_components)


def _classes(seen: SeenPicture) -> list[Any]:
    noun, labels, kind = seen.class_noun, seen.config.image_labels, seen.config.label_scores
    probabilities = seen.model.probabilities(seen.run).tolist()
    shown, called = shown_classes(probabilities), score_noun(kind)
    bars = {"this picture": [probabilities[i] for i in shown]}
    draw = partial(probabilities_figure, bars, [labels[i] for i in shown], noun=noun, kind=kind)
    rows = [{noun: label, called: p} for label, p in zip(labels, probabilities, strict=True)]
    first, *others = np.argsort(probabilities)[::-1][:2]
    next_one = "".join(f"; next {markdown_text(labels[i])}, {write_score(probabilities[i], kind)}" for i in others)
    plotted = Plotted(
        Chart(draw, f"{called.capitalize()} of each {noun}"),
        DataTable(lambda: pd.DataFrame(rows)),
        f"{_read_from(seen)}: **{markdown_text(labels[first])}**, "
        f"{write_score(probabilities[first], kind)}{next_one}. {_how_well(seen)}",
        Files("see-class", draw, draw, lambda: rows),
    )
    return [Heading(f"Which {noun}?", 3), plotted]


def _read_from(seen: SeenPicture) -> str:
    if seen.model.texts is not None:
        return f"The vector that {seen.reader} gives the picture is most like that of the sentence"
    if seen.config.distillation_head:
        return "The mean of two heads' logits, of the class token's last vector and of the distillation token's"
    return "From the class token's last vector alone"


def _how_well(seen: SeenPicture) -> str:
    """What the card says of its answers; of a model that was added, how many classes it has. Markdown."""
    details, count = seen.model.card.details, len(seen.config.image_labels)
    if seen.model.texts is not None:
        return {
            "softmax": f"It must choose: the shares of the {count} sentences sum to 100%, however little they fit.",
            "sigmoid": "Each sentence is judged by itself, so the shares need not sum to 100%.",
        }[seen.config.label_scores]
    if not seen.model.reads_digits or "metrics" not in details:
        return {
            "softmax": f"It was trained on {count} classes: whatever the picture shows, it names one of them.",
            "sigmoid": "Each label is judged by itself, by the sigmoid of its logit, so they need not sum to 100%.",
            "none": "The model was trained to give numbers, so its logits are shown as they are.",
        }[seen.config.label_scores]
    accuracy = percent(details["metrics"]["accuracy"])
    return f"The model names {accuracy} of 2,000 held-out digits rightly. {markdown_text(details['limits'])}"


def _saliency(seen: SeenPicture) -> list[Any]:
    assert seen.model.saliency is not None
    with torch.inference_mode():
        saliency = seen.model.saliency(seen.patch_vectors).numpy()  # (size, size)
    by_patch = patch_means(torch.from_numpy(saliency), seen.side).numpy()  # (N,)
    draw = partial(saliency_figure, seen.square, saliency)
    rows = [{"patch": seen.patch_name(n), "mean of the map": float(value)} for n, value in enumerate(by_patch)]
    plotted = Plotted(
        Chart(draw, "The picture in its colours where the model's map says it stands out"),
        DataTable(lambda: pd.DataFrame(rows)),
        f"A small head after the last layer draws a map from the patches' vectors. "
        f"{percent(float((saliency > 0.5).mean()))} of the picture is above one half; most of all "
        f"**{seen.patch_name(int(by_patch.argmax()))}**, {number(float(by_patch.max()), 2)}.",
        Files("see-saliency", draw, draw, lambda: rows, lambda: {"saliency": saliency}),
    )
    return [Heading("What stands out?", 3), plotted]


def _features(seen: SeenPicture) -> list[Any]:
    colours, shares = principal_colours(seen.patch_vectors)
    draw = partial(features_figure, colours.numpy(), seen.side)
    rows = [
        {"patch": seen.patch_name(n), "first": float(r), "second": float(g), "third": float(b)}
        for n, (r, g, b) in enumerate(colours.tolist())
    ]
    chart = Chart(draw, "Each patch in the colour of its first three principal components")
    told_apart = "text" if seen.model.texts else seen.class_noun
    said = (
        "Like colours are like features. Red, green and blue are the first three principal components of the "
        f"{len(colours)} vectors after the last layer; they hold {percent(float(shares[0]))}, "
        f"{percent(float(shares[1]))} and {percent(float(shares[2]))} of their variance. "
        + (
            f"In training the model was told which {told_apart} a picture {'has' if seen.model.texts else 'is'}, never "
            "where its parts are."
            if seen.config.image_labels
            else "Whether this model was told in training where a thing ends is not known; its origin is below."
        )
    )
    files = Files("see-features", draw, draw, lambda: rows, lambda: {"colours": colours.numpy()})
    plotted = Plotted(chart, DataTable(lambda: pd.DataFrame(rows)))
    heading = Heading("The patches' features as three colours", 3)
    return [heading, Group([plotted], key="see colours"), *grey(said), files]


def _origin(seen: SeenPicture) -> Group:
    details = seen.model.card.details
    texts = (f"{seen.model.card.source}. Licence: {seen.model.card.licence}.", details.get("known", ""),
             details.get("unknown", ""), details.get("data", ""))  # fmt: skip
    parts = [Text(markdown_text(text)) for text in texts if text]
    return Group(parts, "fold", title=f"Where {seen.model.card.title} comes from")


def _class_equation(seen: SeenPicture) -> list[Any]:
    """The class, with its numbers; nothing of a model without classes."""
    kind = seen.config.label_scores
    if seen.config.distillation_head:
        head = equation(
            sums.answer_equation(kind, r"\tfrac12 (u_{class} + u_{distill})", "")
            + r", \qquad u = W\, \mathrm{LayerNorm}(z_L) + b",
            "The class from two heads, each with its own W and b. Touvron et al. (2020), arXiv:2012.12877, section 4.",
            {
                "u_{class}": "the logits from the class token's last vector",
                "u_{distill}": "the logits from the distillation token's last vector",
            },
        )
        return [*head, *_work_out_class(seen)]
    if not seen.config.image_labels:
        return []
    if seen.model.texts is not None:
        return [*_similarity_equation(seen), *_work_out_class(seen)]
    head = equation(
        sums.answer_equation(kind, r"W\, \mathrm{LayerNorm}(z_L^0) + b", ""),
        "The class from the class token's last vector. Dosovitskiy et al. (2021), eq. 4.",
        {"z_L^0": "the class token after the last layer"},
    )
    return [*head, *_work_out_class(seen)]


def _similarity_equation(seen: SeenPicture) -> list[Any]:
    """How a picture is compared with sentences."""
    kind, of_probe = seen.config.label_scores, seen.config.pooled == "probe"
    vector = r"\frac{h}{|h|}" if of_probe else r"\frac{P h}{|P h|}"
    bias = " + b" if kind == "sigmoid" else ""
    source = (
        "Zhai et al. (2023), arXiv:2303.15343, section 3.2."
        if of_probe
        else "Radford et al. (2021), arXiv:2103.00020, section 3.1.2."
    )
    symbols = {
        "h": "what the probe gathers" if of_probe else "the class token's last vector, after the last norm",
        "t_i": "the vector of sentence i, of length 1: the tower of texts makes it",
        "s": "a learnt scale",
    }
    if not of_probe:
        symbols["P"] = "the projection to the space that pictures and texts share"
    return equation(
        sums.answer_equation(kind, rf"s\, t_i \cdot v{bias}", r"(\text{sentence } i)") + rf", \qquad v = {vector}",
        f"A picture and a sentence are alike where their vectors point the same way. {source}",
        symbols | ({"b": "a learnt number"} if bias else {}),
    )


def _work_out_class(seen: SeenPicture) -> list[Any]:
    """The likeliest class: its logit from the class token's vector, then what is shown of it."""
    logits, kind = seen.run["image_logits"], seen.config.label_scores  # (classes,)
    best = int(logits.argmax())
    name = markdown_text(seen.config.image_labels[best])
    of_two = ", of each head, and their mean" if seen.config.distillation_head else ""
    if seen.model.texts is not None:
        return _work_out_similarity(seen, best, name)
    return work_out(
        f"The likeliest {seen.class_noun} here is **{name}**: its logit, the bias last{of_two}, and "
        f"{'its share of' if kind == 'softmax' else 'its ' + score_noun(kind) + ', of'} {len(logits)} classes:",
        *(f"u = {sums.explained(seen.explain(scores, best))}" for scores in seen.model.class_scores),
        sums.answer(logits, best, kind),
    )


def _work_out_similarity(seen: SeenPicture, best: int, name: str) -> list[Any]:
    """The sentence that is most alike: the cosine of both vectors, its logit, then what is shown of it."""
    network, logits = seen.model.on_cpu.network, seen.run["image_logits"]
    assert network.similarity is not None
    vector, kind = seen.run["shared"][0], seen.config.label_scores
    cosine, scale = float(vector @ network.similarity.sentences[best]), float(network.similarity.log_scale.exp())
    bias = network.similarity.bias
    added = "" if bias is None else f" + {quotes.tex(float(bias))}"
    return work_out(
        f"The sentence that is most like the picture is **{name}**: the product of both vectors, its logit, and what "
        f"it has of {len(logits)} sentences:",
        rf"t \cdot v = {sums.product(network.similarity.sentences[best], vector)}",
        rf"u = {quotes.tex(scale)} \cdot {quotes.tex(cosine)}{added} = {quotes.tex(float(logits[best]))}",
        sums.answer(logits, best, kind),
    )
