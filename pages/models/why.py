"""Why this word: the logit of a token, or its lead over another, as an exact sum over the parts of the model."""

from __future__ import annotations

import streamlit as st

from model.analysis.attribution import keep_for_edits
from pages.models.why_parts import cause, question, tokens
from pages.models.why_parts.account import account
from pages.models.why_parts.asked_rows import rows_hook
from pages.models.why_parts.examples import LUCY_AND_OMAR
from pages.models.why_parts.head import head_in_general
from pages.models.why_parts.parts import PARTS
from pages.models.why_parts.patching import patching, rival
from pages.models.why_parts.paths import path_edges
from pages.models.why_parts.steering import steer
from pages.shared.elements import control_tokens, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import edited_parts, traces
from pages.shared.session import state

PROMPTS = (
    layout.Prompt(
        "Why Paris?",
        "The last feed-forwards say it. Open one: its neurons, and the words that they write.",
        {"model": "smollm2-135m", "text": "The capital of France is", "why_part": "account"}
        | {"why_answer": -1, "why_against": -1, "why_opened": "", "query": -1},
        claim=Claim(account.LAST_FFNS, "over", 0.5),
        at="why account",
    ),
    layout.Prompt(
        "Why Lucy and not Omar?",
        "Of all heads, head 2 of layer 2 speaks most for the name that must return: it reads “Lucy”.",
        LUCY_AND_OMAR | {"why_part": "account", "why_opened": "decoder.2.self_attn.heads.2"},
        claim=Claim(account.BEST_HEAD, "is", "layer 2, head 2"),
        at="why account",
    ),
    layout.Prompt(
        "Why negative?",
        "The class of a text is a sum, too. “not” turns it.",
        {"model": "tiny-encoder", "text": "The food is not good", "why_part": "account", "why_answer": -1}
        | {"why_against": -1, "why_opened": ""},
        claim=Claim(account.ANSWER, "is", "negative"),
        at="why account",
    ),
    layout.Prompt(
        "Which tokens did it?",
        "Three measures of the same question, which disagree.",
        {"why_part": "tokens"},
        claim=Claim(tokens.FIRSTS, "over", 1),
        at="why tokens",
    ),
    layout.Prompt(
        "And without a part?",
        "Parts far off the diagonal act through later layers, or by the scale of the norms.",
        {"why_part": "cause", "why_without": "nothing"},
        claim=Claim(cause.FARTHEST, "over", cause.FAR),
        at="why cause",
    ),
    layout.Prompt(
        "Who gives the drink?",
        "One name is changed. The heads that bring it back move the name that comes only once.",
        {"model": "smollm2-135m", "text": "When Mary and John went to the store, John gave a drink to"}
        | {"why_text2": "When Mary and John went to the store, Mary gave a drink to", "why_part": "patching"}
        | {"why_site": "decoder.self_attn.heads", "why_answer": -1, "why_against": -1, "why_cell": (), "query": -1},
        claim=Claim(patching.BROUGHT_BACK, "over", 0.2),
        at="why patching",
    ),
    layout.Prompt(
        "One key, many keys",
        "The number stands at the noun, and moves to the last word in the middle of the model.",
        {"model": "smollm2-135m", "text": "The keys to the cabinet", "why_text2": "The key to the cabinet"}
        | {"why_part": "patching", "why_site": "decoder.resid_in", "why_answer": -1, "why_against": -1}
        | {"why_cell": (), "query": -1},
        claim=Claim(patching.BROUGHT_BACK, "over", 0.5),
        at="why patching",
    ),
    layout.Prompt(
        "The way of a name",
        "Three heads bring “Mary” to the last word in layer 23. Dropped, they cost it a tenth: there are other ways.",
        {"model": "smollm2-135m", "text": "When Mary and John went to the store, John gave a drink to"}
        | {"why_part": "paths", "why_least": 0.04, "why_route_opened": "", "why_answer": -1, "query": -1}
        | {"why_dropped": ",".join(f"decoder.23.self_attn.{head}@1>13" for head in (0, 1, 7))},
        claim=Claim(path_edges.LOST, "over", 0.05),
        at="why paths",
    ),
    layout.Prompt(
        "A pair of heads",
        "By its keys, head 3 of layer 17 reads head 0 of layer 16. That one looks one token back: together they find "
        "what followed a word before.",
        {"model": "smollm2-135m", "why_part": "head", "attention": "decoder.self_attn", "layer": 17, "head": 3},
        claim=Claim(head_in_general.READ_BY_KEYS, "is", "layer 16 head 0"),
        at="why composition",
    ),
    layout.Prompt(
        "Turn a head round",
        "The head that names the country's city works against it: Paris goes.",
        {"model": "smollm2-135m", "text": "The capital of France is", "why_part": "steer", "query": -1}
        | {"why_steered": "decoder.23.self_attn.4", "edits": "decoder.23.self_attn.4*-1", "why_answer": -1},
        claim=Claim(steer.LIKELIEST_NOW, "is not", "Paris"),
        at="why steer",
    ),
    layout.Prompt(
        "Love minus hate",
        "The difference of two sentences makes what the model writes of dogs warmer.",
        {"model": "smollm2-135m", "text": "I think that dogs are", "why_part": "steer", "query": -1, "why_answer": -1}
        | {"why_steered": "decoder.20.resid_in@all", "why_plus": "I love the dog", "why_minus": "I hate the dog"}
        | {"edits": "decoder.20.resid_in*1@all|I love the dog|I hate the dog"},
        claim=Claim(steer.WRITTEN, "has", "lovable"),
        at="why steer",
    ),
)


def main() -> None:
    depth = layout.begin(
        "Why this word", "A logit is a sum, and so is a lead: each head and each feed-forward adds its part."
    )
    part = PARTS[state.get("why_part")]
    layout.name_part(part.title)
    rows = rows_hook()
    run = traces.current(
        keep=lambda config: (*part.keep(config), *keep_for_edits(config, edited_parts.tensors())), look=rows.look
    )
    if not run.model.config.has_answer:
        st.info("No model with an answer is installed: that takes a word, or a class of the text.")
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
        rival.propose(run)
        asked = question.choose(run, rows)
    question.say_refused()
    part.show(asked, depth)
    control_tokens.explain(asked.named_tokens)
    layout.try_this(*PROMPTS)


main()
