"""How surprising each token of the text is to the model."""

from __future__ import annotations

import streamlit as st

from pages.models.predict_parts.writing import Written
from pages.shared import lesson, state
from viz.predict import surprise_figure
from viz.style import markdown_text, number
from viz.tokens import words


def show(written: Written, depth: str) -> None:
    from model.surprise import surprise

    tokens = written.trace.tokens
    if len(tokens) < 2:
        st.info("The first token has nothing before it to be predicted from. Type a second word.")
        return
    found = surprise(written.trace.logits[:-1], [token.id for token in tokens[1:]])
    names = words(tokens[1:])
    bits, ranks = found.bits.numpy(), found.rank.tolist()
    if depth == "Numbers":
        st.dataframe(
            [
                {"token": name, "probability": float(2.0**-bit), "loss in nats": float(loss), "bits": float(bit),
                 "rank": rank}
                for name, bit, loss, rank in zip(names, bits, found.loss, ranks, strict=True)
            ],
            hide_index=True,
        )  # fmt: skip
    else:
        st.plotly_chart(
            surprise_figure(names, bits, ranks, theme=state.theme()),
            key="predict surprise",
            theme=None,
            config={"displayModeBar": False},
            alt="Surprise of every token in bits",
        )
    odd = int(bits.argmax())
    lesson.caption(
        f"**{markdown_text(names[odd])}** surprises most: {number(float(bits[odd]), 1)} bits, rank {ranks[odd]:,} of "
        f"{written.run.model.config.vocab_size:,}. Mean loss {number(float(found.loss.mean()))} nats, perplexity "
        f"{number(found.perplexity, 1)}. The first token, **{markdown_text(words(tokens[:1])[0])}**, has no prediction."
    )
