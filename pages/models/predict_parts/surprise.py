"""How surprising each token of the text is to the model."""

from __future__ import annotations

import streamlit as st
import torch

from model.generation.surprise import Surprise, surprise_of
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state, token_window
from views.shared import quotes
from viz.models.predict import surprise_figure
from viz.shared.alternative import describe_figure
from viz.shared.payload import pack, unpack
from viz.shared.style import number
from viz.shared.tokens import words

MOST = "the word that surprises most"


def show(written: Continuation, depth: str) -> None:
    tokens = written.trace.tokens
    if len(tokens) < 2:
        st.info("The first token has nothing before it to be predicted from. Type a second word.")
        return
    surprises = _measure(written)
    names, own = words(tokens[1:]), len(written.prompt) - 1  # tokens of the reader that the model could predict
    bits, ranks = surprises.bits.numpy(), surprises.rank.tolist()
    rows = [
        {"token": name, "probability": float(2.0**-bit), "bits": float(bit), "rank": rank}
        for name, bit, rank in zip(names, bits, ranks, strict=True)
    ]
    window = (
        slice(0, len(names))
        if depth == "Numbers"
        else token_window.choose("surprise", len(names), start=1, at=written.query(state.get("predict_step")))
    )
    figure = surprise_figure(names[window], bits[window], ranks[window], own - window.start, theme=state.theme())
    if depth == "Numbers":
        st.dataframe(rows, hide_index=True)
    else:
        figures.chart(
            figure,
            key="predict surprise",
            theme=None,
            config={"displayModeBar": False},
            alt=describe_figure("Surprise of every token in bits", figure),
        )
    n_read = own or len(names)  # the reader's one token has no prediction: then count the model's own
    most = int(bits[:n_read].argmax())
    claims.tell(MOST, names[most])
    given = Surprise(surprises.loss[:n_read], surprises.rank[:n_read])
    vocabulary, mean = written.run.model.config.vocab_size, float(given.bits.mean())
    layout.caption(
        f"{quotes.quote(names[most], most + 1)} surprises most: {number(float(bits[most]), 2)} bits, rank "
        f"{ranks[most]:,} of {vocabulary:,}. The mean is {number(mean, 2)} bits, a perplexity of "
        f"{number(given.perplexity, 1)}. The first token, {quotes.quote(words(tokens[:1])[0], 0)}, has no "
        "prediction; fainter bars are the model's own tokens."
    )
    figures.export("surprise", figure, lambda: rows, bits=bits)


def _measure(written: Continuation) -> Surprise:
    """The surprise of every token but the first. It needs the logits of all positions, so it is made once and kept."""

    def make() -> bytes:
        with model_turns.forward_pass(runs=0):
            found = surprise_of(written.trace)
        return pack({}, loss=found.loss.numpy(), rank=found.rank.float().numpy())

    arrays = unpack(traces.pack(written.as_run, f"surprise {written.ids}", make))[1]
    loss, rank = (torch.from_numpy(arrays[name].copy()) for name in ("loss", "rank"))
    return Surprise(loss, rank.long())
