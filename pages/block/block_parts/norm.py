"""LayerNorm and RMSNorm on one token: its features before the norm, standardised, and after gain and bias."""

from __future__ import annotations

from typing import Any

import streamlit as st
import torch
from torch import Tensor

from model.analysis.block_steps import norm_input, norm_names
from model.analysis.tensor_statistics import measure_tensor
from model.network import norms
from model.network.norms import divide_by_rms, standardise
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer, read_token
from pages.shared.elements import claims, figures, layout
from pages.shared.session import state
from views.shared import quotes
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import number

CHANGE = "the largest change after the norm"


def show(depth: str) -> None:
    if depth == "Formula":
        _show_formula()
    place = choose_layer(("resid_*", "*_norm"))
    norm = _choose_norm(place)
    token = read_token(place)
    if depth == "Code":
        layout.code(norms.standardise, norms.LayerNorm, norms.RMSNorm)
        return
    module = place.module(norm)
    x = place.tensor(norm_input(place.config, place.stack, norm))[token]  # (d_model,)
    changed = state.get("block_factor") * x + state.get("block_shift")
    with torch.inference_mode():
        after, after_changed = module(x), module(changed)
    standardised = _standardise(changed, place)
    if depth == "Formula":
        _work_out(place, module, changed, after_changed, place.tokens[token])
        return
    lines = {"what comes in": changed, "standardised": standardised, "after gain and bias": after_changed}
    values = {name: line.tolist() for name, line in lines.items()}
    rows = [
        dict(zip(("feature", *values), row, strict=True)) for row in zip(range(len(x)), *values.values(), strict=True)
    ]
    figure = lines_figure(by_place(values), "feature", "value", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "One token's features before and after the norm", lambda: rows)
    _explain(place, changed, after, after_changed)
    arrays = {name.replace(" ", "_"): line.numpy() for name, line in lines.items()}
    figures.export(f"{place.run.name}-{norm}", figure, lambda: rows, **arrays)


def _choose_norm(place: LayerOfRun) -> str:
    """Draw the choice of a norm, and the controls that change its input. Returns the norm's name."""
    names = norm_names(place.config, place.stack)
    norm = state.checked_choice("block_norm", names, "Norm", names[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Norm", names, key="block_norm", format_func=place.title, required=True, label_visibility="collapsed"
        )
        st.slider("Scale the input by", 0.1, 10.0, key="block_factor", width=220)
        st.slider("Shift every feature by", -5.0, 5.0, key="block_shift", width=220)
    return norm


def _standardise(x: Tensor, place: LayerOfRun) -> Tensor:
    eps = place.config.norm_eps
    return standardise(x, eps) if place.config.norm == "layer" else divide_by_rms(x, eps)


def _explain(place: LayerOfRun, changed: Tensor, after: Tensor, after_changed: Tensor) -> None:
    rms = place.config.norm == "rms"
    if rms:
        spread = f"root mean square {number(float(changed.square().mean().sqrt()))}"
    else:
        input_statistics = measure_tensor(changed)
        spread = f"mean {number(input_statistics.mean)}, deviation {number(input_statistics.deviation)}"
    difference = float((after - after_changed).abs().max())
    claims.tell(CHANGE, difference)
    factor, shift = state.get("block_factor"), state.get("block_shift")
    if factor == 1 and shift == 0:
        layout.caption(f"The input has {spread}. Scale or shift it, and see which change the norm undoes.")
        return
    effect = "RMSNorm undoes a scale, but not a shift." if rms else "LayerNorm undoes both a scale and a shift."
    layout.caption(
        f"The input now has {spread}. After the norm, the result differs from the unchanged one by at most "
        f"{number(difference, 5)}. {effect} The rest of a scale comes from ε."
    )


def _work_out(place: LayerOfRun, module: Any, x: Tensor, out: Tensor, token: str) -> None:
    """Work out the norm of the token's largest feature with the numbers of this model."""
    feature = int(x.abs().argmax())
    tex, eps = quotes.tex, quotes.tex(place.config.norm_eps)
    gain = float(module.gain[feature])
    if place.config.norm == "rms":
        top, inside, bias = tex(float(x[feature])), tex(float(x.square().mean())), ""
    else:
        mean, variance = float(x.mean()), float(x.var(correction=0))
        top, inside = f"{tex(float(x[feature]))} - {tex(mean)}", tex(variance)
        bias = f" + {tex(float(module.bias[feature]))}"
    layout.work_out(
        f"For feature {feature} of {quotes.quote(token)}, its largest:",
        rf"{tex(gain)} \cdot \frac{{{top}}}{{\sqrt{{{inside} + {eps}}}}}{bias} = {tex(float(out[feature]))}",
    )


def _show_formula() -> None:
    layout.equation(
        r"\mathrm{LayerNorm}(x) = g \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b",
        "Palaskos (2022), eqs. 3.46-3.48; slides, “Layer Norm Enhances the Stability”.",
        {r"\mu, \sigma^2": "mean and population variance of one token's features", "g, b": "learnt gain and bias"},
    )
    layout.equation(
        r"\mathrm{RMSNorm}(x) = g \odot \frac{x}{\sqrt{\mathrm{mean}(x^2) + \varepsilon}}",
        "Zhang and Sennrich (2019), arXiv:1910.07467. The mean is not subtracted.",
    )
