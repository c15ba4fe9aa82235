"""Added or concatenated: two ways to join e and p, their shapes on the reader's sentence, and their costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model.config import TransformerConfig
from model.experiments import position_mix
from model.network.embedding import Embedding
from model.numerals import large
from pages.inputs.positions_parts import controls
from pages.inputs.positions_parts.controls import Sentence
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from viz.inputs.positions import cost_figure, joined_figure
from viz.shared.style import markdown_text, number, percent

PAPER = TransformerConfig(
    vocab_size=37_000, d_model=512, n_heads=8, d_ff=2048, max_length=512, n_encoder_layers=6, n_decoder_layers=6
)
MODEL_CHOICES = {"paper": "The paper's base model", "model": "This model"}
MAX_DRAWN_FEATURES = 48  # of e. More would be too narrow to see.
WIDER = "the width of the stream, over that of adding,"
LARGER = "the number of parameters, over that of adding,"


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(Embedding, position_mix.mixes)
    elif depth == "Formula":
        _show_formula()
    else:
        _show_mixes(numbers=depth == "Numbers")
    layout.try_this(
        layout.Prompt(
            "A narrow place",
            "16 features for the place: the stream is hardly wider.",
            {"positions_joined": 16, "positions_of": "paper"},
            claim=Claim(WIDER, "under", 1.1),
            at="positions concatenated",
        ),
        layout.Prompt(
            "Half as wide as e",
            "256 features for the place make the paper's model more than half as large again.",
            {"positions_joined": 256, "positions_of": "paper"},
            claim=Claim(LARGER, "over", 1.5),
            at="positions cost",
        ),
    )


def _show_mixes(numbers: bool) -> None:
    sentence = controls.sentence()
    bar, below = controls.bar()
    with bar:
        of_paper = controls.choose("Cost in", "positions_of", MODEL_CHOICES) == "paper"
        config = PAPER if of_paper else sentence.model.config
        width = controls.width("positions_joined", "Width of p", min(1024, config.d_model - 2))
        [d_position] = controls.row(below, width)
    mixes = position_mix.mixes(config, d_position)
    columns = {
        "way": [mix.title for mix in mixes],
        "width of e": [mix.token_width for mix in mixes],
        "width of p": [mix.position_width for mix in mixes],
        "width of x, d_model": [mix.d_model for mix in mixes],
        "parameters": [mix.parameters for mix in mixes],
        "against adding": [percent(mix.parameters / mixes[0].parameters - 1) for mix in mixes],
    }
    table = pd.DataFrame(columns)
    draw = partial(cost_figure, [mix.title for mix in mixes], [mix.parameters for mix in mixes])
    if numbers:
        st.dataframe(
            table,
            hide_index=True,
            column_config={"parameters": st.column_config.NumberColumn(format="localized")},
        )
    else:
        _show_shapes(sentence, d_position)
        st.markdown(f"**Parameters of {'the paper’s base model' if of_paper else 'this model'}, joined each way**")
        controls.chart(
            draw(theme=state.theme()),
            "cost",
            alt="; ".join(f"{mix.title}: {mix.parameters:,} parameters" for mix in mixes),
        )
    added, beside = mixes[0], mixes[1]
    _tell(added, beside)
    untied = config.shares_output_table and config.kind != "encoder"
    layout.caption(
        f"With p beside e the stream is {beside.d_model} wide instead of {added.d_model}, and every matrix on it "
        f"grows, in all by {large(beside.parameters - added.parameters)} parameters."
        + (
            " Much of that is in the output layer. It can no longer be the embedding table, since e is narrower than x."
            if untied
            else ""
        )
    )
    rows = partial(table.to_dict, "records")
    figures.export("positions-join-cost", draw, rows, ("positions cost",))


def _tell(added: position_mix.Mix, beside: position_mix.Mix) -> None:
    """What the prompts claim of both ways."""
    claims.tell(WIDER, beside.d_model / added.d_model)
    claims.tell(LARGER, beside.parameters / added.parameters)


def _show_shapes(sentence: Sentence, d_position: int) -> None:
    """Show e and p of the sentence, added and side by side."""
    config = sentence.model.config
    scale = position_mix.embedding_scale(config)
    e = sentence.recorded("tokens").float() * scale
    count, width = e.shape
    p = position_mix.sinusoidal_rows(count, width)
    if config.adds_positions:
        p = sentence.recorded("positions").float() * scale
    beside = position_mix.sinusoidal_rows(count, d_position)
    ways = {
        "added": ({"e": e, "+ p": p, "= x": e + p}, [width] * 3, width),
        "concatenated": ({"e": e, "p": beside}, [width, d_position], width + d_position),
    }
    for way, (parts, widths, total) in ways.items():
        st.markdown(f"**{way.capitalize()}**: x is {count} × {total}")
        parts_drawn = {
            name: np.asarray(part[:, : max(2, MAX_DRAWN_FEATURES * part.shape[1] // width)])
            for name, part in parts.items()
        }
        figure = joined_figure(parts_drawn, widths, sentence.labels, 3 * width, state.theme())
        controls.chart(figure, way, alt=f"The embeddings and positions of {count} tokens, {way}.")
        rows = partial(_rows, sentence.labels, parts_drawn)
        figures.export(f"positions-{way}", figure, rows, **{name.strip("+= "): part for name, part in parts.items()})
    overlap, chance = float(position_mix.overlap(e, p).mean()), position_mix.chance_overlap(width)
    whose = "This model's own positions" if config.adds_positions else "Sinusoidal positions"
    layout.caption(
        f"{whose}. The picture has the first {percent(MAX_DRAWN_FEATURES / width)} of the features of each matrix. In "
        f"{markdown_text(sentence.model.card.title)}, |cos| of the angle between e and p is {number(overlap, 2)} on "
        f"average. Two random directions have about {number(chance, 2)}, and two equal ones have 1. The nearer to "
        "perpendicular, the less adding mixes the two. Adding costs no width."
    )


def _rows(labels: Sequence[str], drawn: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    """One row for each token and vector, with the features of the picture."""
    return [
        {"token": label, "vector": name} | {str(j): float(value) for j, value in enumerate(row)}
        for name, part in drawn.items()
        for label, row in zip(labels, part, strict=True)
    ]


def _show_formula() -> None:
    layout.equation(
        r"x = e + p \in \mathbb{R}^{d}, \qquad x = (e,\, p) \in \mathbb{R}^{d + d_p}",
        "Encoder notes, eq. 0.1.2, and the text after it; slides. Bishop, ch. 12: adding, because of cost.",
        {"e": "the token's embedding", "p": "its position vector", "d_p": "features given to the place"},
    )
    layout.equation(
        r"W\,(e,\, p) = W_e\, e + W_p\, p, \qquad W\,(e + p) = W e + W p",
        "Adding is concatenating with W_e = W_p: the same sum with fewer parameters.",
    )
