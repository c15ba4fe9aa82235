"""Why this word: the logit of a token as an exact sum over the parts of the model, and what each part causes."""

from __future__ import annotations

import streamlit as st

from pages.models.why_parts import question
from pages.models.why_parts.examples import LUCY_AND_OMAR
from pages.models.why_parts.parts import PARTS
from pages.shared import layout, state, traces

PROMPTS = (
    layout.Prompt(
        "Why Paris?",
        "The last feed-forwards say it. Open one: its neurons, and the words that they write.",
        {"model": "smollm2-135m", "text": "The capital of France is", "why_part": "account"}
        | {"why_answer": -1, "why_against": -1, "why_opened": "", "query": -1},
    ),
    layout.Prompt(
        "Why Lucy and not Omar?",
        "Of all heads, head 2 of layer 2 speaks most for the name that must return: it reads “Lucy”.",
        LUCY_AND_OMAR | {"why_part": "account", "why_opened": "decoder.2.self_attn.heads.2"},
    ),
    layout.Prompt(
        "Which tokens did it?",
        "Three measures of the same question, which disagree.",
        {"why_part": "tokens"},
    ),
    layout.Prompt(
        "And without a part?",
        "Parts far off the diagonal act through later layers, or by the scale of the norms.",
        {"why_part": "cause", "why_without": "nothing"},
    ),
)


def main() -> None:
    depth = layout.begin("Why this word", "A logit is a sum: each head and each feed-forward adds its part of it.")
    part = PARTS[state.get("why_part")]
    run = traces.current(keep=part.keep)
    if not run.model.config.n_decoder_layers:
        st.info("No model that predicts a next token is installed: that takes a decoder.")
        raise traces.NothingToShow
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Part",
            tuple(PARTS),
            key="why_part",
            format_func=lambda name: PARTS[name].title,
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        asked = question.choose(run)
    question.say_refused()
    part.show(asked, depth)
    layout.try_this(*PROMPTS)


main()
