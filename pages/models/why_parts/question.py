"""The question of the page, by its keys: whose logit, against which other token, after or at which token."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from model.analysis.answers import answers
from model.analysis.attribution import Account, account_of, keep_for_edits
from model.errors import UnreadableText
from model.network.answer_scores import answer_scores
from pages.models.why_parts.asked_rows import Row, rows_hook, trace_of_rows
from pages.models.why_parts.patching import rival
from pages.models.why_parts.position import read_position
from pages.shared.model_runs import edited_parts, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.models.why.asked_view import AskedView
from views.models.why.question import Question, answer_label
from views.run import Run
from views.run_hook import RunHook
from views.shared import quotes
from viz.shared.style import markdown_text, write_score
from viz.shared.tokens import words

OFFERED = 12  # likeliest tokens of the menus
MAX_TYPED = 60  # characters of a token
TYPED = "Choose a token, or type any other one."
MENUS = {"why token": "why_answer", "why rival": "why_against"}  # the keys of both menus, and what they choose


def read(view: type[AskedView]) -> Question:
    """The question of the present keys, of a run with what a view needs. The usual answer replaces one that is open."""
    rows = rows_hook()
    run = traces.current(
        keep=lambda config: (*view.needs(config), *keep_for_edits(config, edited_parts.tensors())), look=rows.look
    )
    if not run.config.has_answer:
        st.info("No model with an answer is installed: that takes a word, or a class of the text or of its words.")
        raise traces.NothingToShow
    rival.propose(run)
    position = read_position(run)
    logits = answers(run.model, run.trace, position)  # (answers,)
    token = _read(run, "why_answer", len(logits))
    against = _read(run, "why_against", len(logits))
    token = int(logits.argmax()) if token < 0 else token
    rival_of = None if against in (-1, token) else against
    return Question(run, position, token, rival_of, _account(run, token, rival_of, position, rows), logits)


def choose(view: AskedView) -> None:
    """The choice of the token and of its rival."""
    asked = view.asked
    run, config, logits, token = asked.run, asked.config, asked.logits, asked.token
    against = -1 if asked.against is None else asked.against
    best = logits.topk(min(OFFERED, len(logits))).indices.tolist()
    shares = answer_scores(logits, config)

    def title(id: int) -> str:
        if id < 0:
            return "nothing"
        return f"{answer_label(run, id)} {write_score(float(shares[id]), config.label_scores)}"

    options = list(dict.fromkeys([*best, *asked.tokens]))
    st.session_state["why token"], st.session_state["why rival"] = token, against
    offered = {"Why": options, "and not": [-1, *(id for id in options if id != token)]}
    for (label, ids), key in zip(offered.items(), MENUS, strict=True):
        st.selectbox(
            label, ids, key=key, format_func=title, on_change=_take, args=(run, key), width=150,
            accept_new_options=config.answers_words, help=TYPED if config.answers_words else None,
        )  # fmt: skip
    st.button(
        "Swap", key="why swap", icon=":material/swap_horiz:", on_click=_swap, args=(token, against),
        disabled=against < 0, help="Asks the other way round, once “and not” has an answer.",
    )  # fmt: skip


def _account(run: Run, token: int, against: int | None, position: int, rows: RunHook[Row]) -> Account:
    """The account of a logit. The session keeps the last one, since a run of a long text makes each layer for it."""

    def make() -> Account:
        return account_of(run.model, trace_of_rows(run, position, rows), token, against, position)

    return keep_last("account of a word", (run.spec, token, against, position), make)


def _read(run: Run, key: str, vocabulary: int) -> int:
    """The id under a key, or -1 where it is left open or exists in another model alone."""
    if state.get(key) >= vocabulary:
        asked = state.get(key)
        state.put(**{key: -1})
        what = "token" if run.config.answers_words else "class"
        end = "the vocabulary ends" if what == "token" else "the classes end"
        state.say(key, f"There is no {what} {asked} here: {end} at {vocabulary - 1:,}.")
    return state.get(key)


def _swap(token: int, against: int) -> None:
    state.put(why_answer=against, why_against=token)


def _take(run: Run, menu: str) -> None:
    """The choice of a menu: an id of its list, or a text that the reader has typed."""
    chosen = st.session_state[menu]
    if isinstance(chosen, str):
        chosen = _read_typed(run, chosen.strip())
    if chosen is not None:
        state.put(**{MENUS[menu]: chosen})


@dataclass
class QuestionSession:
    """Why the text that the reader typed last is no token, as Markdown."""

    refused: str = ""


def _read_typed(run: Run, text: str) -> int | None:
    """The id of a text that is one token, as a word inside a sentence first. Of another the page says why not."""
    writer = run.model.output_tokenizer
    if len(text) > MAX_TYPED:
        of_session(QuestionSession).refused = "No token is that long. Type one word, or a piece of one."
        return None
    try:
        found = [writer.encode(form, add_special=False) for form in (f" {text}", text)] if text else []
    except UnreadableText as error:
        of_session(QuestionSession).refused = markdown_text(str(error))
        return None
    id = next((tokens[0].id for tokens in found if len(tokens) == 1), None)
    if id is None and text:
        pieces = ", ".join(quotes.quote(label) for label in words(found[0]))
        refused = f"“{markdown_text(text)}” is no token of this model, but several: {pieces}."
        of_session(QuestionSession).refused = refused
    return id


def say_refused(view: AskedView) -> None:
    """Says why the reader's text was not taken as a token."""
    session = of_session(QuestionSession)
    if session.refused:
        st.warning(session.refused, icon=":material/info:")
        session.refused = ""
