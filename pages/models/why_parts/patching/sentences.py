"""Patching: the second sentence, the part that is patched, and the window of a long text, by the keys of the page."""

from __future__ import annotations

import streamlit as st

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Site, sites_of
from pages.shared.session import state, token_window
from pages.shared.session.key_titles import title_of
from pages.shared.session.keys import KEYS, MAX_CHARACTERS
from views.models.why.patched import first_token
from views.models.why.question import Question
from views.models.why.rival import other_sentence
from views.shared import long_text


def read_sentence(asked: Question) -> str:
    """The second sentence: the reader's, or an example where the field is empty; "" where none of ours fits."""
    typed: str = state.get("why_text2")
    return typed if typed.strip() else other_sentence(asked)  # as it was typed: a space at its end is a token


def choose_over() -> None:
    """The choice between one pair of sentences and several."""
    st.segmented_control(
        title_of("why_over"), KEYS["why_over"].choices, key="why_over", required=True, label_visibility="collapsed",
        width="content",
    )  # fmt: skip


def choose_sentence(asked: Question) -> None:
    """The field of the second sentence."""
    is_long = asked.most_tokens > long_text.MOST_TOKENS
    field = st.text_area if is_long else st.text_input  # an area shows the end of a long text, and keeps its lines
    field(
        "In the run of another sentence, with as many tokens",
        key="why_text2",
        width=420,
        max_chars=MAX_CHARACTERS,
        placeholder=other_sentence(asked),
    )
    if is_long:
        st.button(
            "Copy your text",
            key="why copy text",
            icon=":material/content_copy:",
            on_click=state.put,
            kwargs={"why_text2": asked.run.text},
            help="Then change a word of it. The nearer it is to the end, the fewer tokens are run again.",
        )


def read_site(asked: Question) -> Site:
    """What is patched. A site that this model lacks gives way to the residual stream."""
    sites = _sites(asked)
    if state.get("why_site") not in sites:
        if state.get("why_site") != KEYS["why_site"].default:
            state.say("why_site", "The link patches a part that this model lacks. It is the residual stream now.")
        state.put(why_site=f"{asked.config.stacks[-1]}.resid_in")
    return sites[state.get("why_site")]


def _sites(asked: Question) -> dict[str, Site]:
    return {f"{site.stack}.{site.part}": site for site in sites_of(asked.run.model.network)}


def choose_site(asked: Question) -> None:
    """The menu of what is patched."""
    sites, several = _sites(asked), len(asked.config.stacks) > 1
    width = 290 if several else 220  # the longest title
    st.selectbox("put", tuple(sites), key="why_site", format_func=lambda key: sites[key].title(several), width=width)


def read_rows(patching: Patching, site: Site, at: int = -1) -> slice:
    """The heads of a site, or its tokens on screen. Of a long text the reader chooses a window of tokens.

    Of a long text, the tokens that are the same in both runs are left out. `at` is that of `token_window.read`.
    """
    count, first = patching.shape(site)[1], first_token(patching, site)
    if _has_all(patching, site):
        return slice(first, count)
    window = token_window.read(count - first, start=first, at=at)
    return slice(first + window.start, first + window.stop)


def choose_rows(name: str, patching: Patching, site: Site, at: int = -1) -> None:
    """The choice of that window. `name` and `at` are those of `token_window.choose`."""
    count, first = patching.shape(site)[1], first_token(patching, site)
    if not _has_all(patching, site):
        token_window.choose(name, count - first, start=first, at=at)


def _has_all(patching: Patching, site: Site) -> bool:
    return site.is_of_heads or patching.shape(site)[1] - first_token(patching, site) <= long_text.MOST_TOKENS
