"""The question of the page: whose logit, against which other token, after or at which token. And its account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st
from torch import Tensor

from model.analysis.asked_place import asked_place
from model.analysis.attribution import Account, account_of, answers, keep_for_account
from model.analysis.neuron_parts import keep_for_neurons
from model.analysis.source_tokens import keep_for_sources
from model.config import TransformerConfig
from model.errors import UnreadableText
from model.network.answer_scores import answer_scores
from model.tokens.tokenizer import Token
from pages.models.why_parts.asked_rows import Row, trace_of_rows
from pages.shared.model_runs.head_on_screen import read_token
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.run import Run
from views.run_hook import RunHook
from views.shared import quotes
from viz.shared.asked_number import AskedNumber
from viz.shared.style import markdown_text, number, score_noun, write_score
from viz.shared.tokens import words

OFFERED = 12  # likeliest tokens of the menus
MAX_TYPED = 60  # characters of a token
TYPED = "Choose a token, or type any other one."
STAND_INS = ("nothing", "the mean", "another sentence")  # for a part that is taken away
MENUS = {"why token": "why_answer", "why rival": "why_against"}  # the keys of both menus, and what they choose


@dataclass(frozen=True)
class Question:
    """One answer's logit (or its lead over another's) with its account.

    The answer is the token after a token of the run, the one at the place of a masked token, or a class of the text.
    `logits` (answers,) are those of all answers.
    """

    run: Run
    account: Account
    logits: Tensor

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @cached_property
    def read(self) -> list[str]:
        """The words of the tokens that the answering stack reads."""
        return words(self.run.trace.tokens)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells this question from others, for what the session keeps."""
        run, asked = self.run, self.account
        return run.spec, asked.position, asked.token, asked.against

    @property
    def most_tokens(self) -> int:
        """Those of the text, or of the longer one of a translation."""
        return max(len(self.run.trace.tokens), len(self.run.trace.source_tokens))

    @property
    def of_class(self) -> bool:
        """Whether the answers are an encoder's classes of texts."""
        return not self.config.answers_words

    @property
    def of_encoder(self) -> bool:
        """Whether an encoder answers: by a class, or by the word at a place."""
        return self.config.kind == "encoder"

    @property
    def answers(self) -> str:
        """What the answers are, in words."""
        return "classes" if self.of_class else "words" if self.of_encoder else "next tokens"

    @property
    def where(self) -> str:
        """The place that the answer is read off or for, in Markdown: "After “the”"."""
        place = quotes.quote(self.read[self.account.position], self.account.position)
        if self.of_class:
            return f"Read off the first token, {place}"
        return f"At {place}" if self.of_encoder else f"After {place}"

    @property
    def layers(self) -> int:
        """The layers of the stack that answers."""
        return self.config.n_layers(self.account.stack)

    def word(self, id: int) -> str:
        """The label of an answer: a token of the vocabulary that the model writes, or a class."""
        return answer_label(self.run, id)

    @cached_property
    def number(self) -> AskedNumber:
        """What is accounted for, in words."""
        return self.number_of(self.account.token, self.account.against)

    def number_of(self, answer: int, rival: int | None = None) -> AskedNumber:
        """The words of another answer's logit or lead in the same run."""
        return AskedNumber(self.word(answer), "" if rival is None else self.word(rival))

    @property
    def tokens(self) -> tuple[int, ...]:
        """The answer, and its rival if it has one."""
        token, against = self.account.token, self.account.against
        return (token,) if against is None else (token, against)

    def read_off(self, logits: Tensor) -> float:
        """The number that is asked for, from the logits of another run: (answers,) -> ()."""
        answer, *against = self.tokens
        return float(logits[answer] - (logits[against[0]] if against else 0))

    @property
    def named_tokens(self) -> tuple[Token, ...]:
        """The token at the place of the question, the one that is asked for and its rival."""
        written = () if self.of_class else self.run.model.output_tokenizer.tokens(self.tokens)
        return self.run.trace.tokens[self.account.position], *written

    def scores(self, logits: Tensor) -> Tensor:
        """What the logits of the answers are shown as: (..., answers) -> (..., answers)."""
        return answer_scores(logits, self.config)

    @property
    def score(self) -> str:
        """What a score is called."""
        return score_noun(self.config.label_scores)

    def write(self, score: float | Tensor) -> str:
        """A score in words."""
        return write_score(float(score), self.config.label_scores)

    @property
    def chances_noun(self) -> str:
        """What `chances` are called."""
        return self.score if len(self.tokens) == 1 else f"{self.score}s".replace("ys", "ies")

    def chances(self, logits: Tensor) -> str:
        """The score of the answer in a run, and that of its rival beside it, in Markdown: "92%", or "**Lucy** 92%,
        **Omar** 0.2%", so that nobody takes it for the lead's."""
        scores = self.scores(logits)
        written = [self.write(scores[each]) for each in self.tokens]
        if len(written) == 1:
            return written[0]
        return ", ".join(f"{quotes.quote(self.word(id))} {each}" for id, each in zip(self.tokens, written, strict=True))

    def sentence(self) -> str:
        """The sum and its check, in Markdown."""
        asked = self.account
        told = "; a logit is the log-odds of its label alone" if self.config.label_scores == "sigmoid" else ""
        share = f" ({self.chances(self.logits)}{told})" if self.score == "probability" else ""
        check = "the logit" if asked.against is None else "the difference of both logits"
        return (
            f"{self.where}, {self.number.name} is {number(asked.value, 4)}{share}. Its {len(asked.parts)} parts sum to "
            f"{number(asked.total, 4)}, {check} on screen. They differ by {number(asked.difference, 6)}, from rounding."
        )


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that all parts of the page need."""
    return (*keep_for_account(config), *keep_for_sources(config), *keep_for_neurons(config))


def read_position(run: Run) -> int:
    """The place whose word is asked for, as far as the reader has chosen one."""
    if not run.model.config.answers_words:
        return 0
    return asked_place(run.model, run.trace, read_token(run, run.model.config.stacks[-1]))


def choose(run: Run, rows: RunHook[Row]) -> Question:
    """Draws the choice of the token and of its rival, and returns the question with its account.

    `rows` are those that were taken while the run was made.
    """
    position = read_position(run)
    logits = answers(run.model, run.trace, position)  # (vocabulary,)
    token = _read(run, "why_answer", len(logits))
    against = _read(run, "why_against", len(logits))
    best = logits.topk(min(OFFERED, len(logits))).indices.tolist()
    config = run.model.config
    shares = answer_scores(logits, config)

    def title(id: int) -> str:
        if id < 0:
            return "nothing"
        return f"{answer_label(run, id)} {write_score(float(shares[id]), config.label_scores)}"

    token = best[0] if token < 0 else token
    against = -1 if against == token else against
    options = list(dict.fromkeys([*best, token, *([against] if against >= 0 else [])]))
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
    return Question(run, _account(run, token, None if against < 0 else against, position, rows), logits)


def _account(run: Run, token: int, against: int | None, position: int, rows: RunHook[Row]) -> Account:
    """The account of a logit. The session keeps the last one, since a run of a long text makes each layer for it."""

    def make() -> Account:
        return account_of(run.model, trace_of_rows(run, position, rows), token, against, position)

    return keep_last("account of a word", (run.spec, token, against, position), make)


def likeliest(runs: Iterable[Tensor], count: int, first: Iterable[int]) -> list[int]:
    """Some answers, and after them the `count` likeliest of each run by turns, each once. A run: logits (answers,)."""
    best = (logits.topk(min(count, len(logits))).indices.tolist() for logits in runs)
    return list(dict.fromkeys((*first, *(id for turn in zip(*best, strict=True) for id in turn))))


def answer_label(run: Run, id: int) -> str:
    """The label of a token that the model may write, or of a class."""
    if not run.model.config.answers_words:
        return run.model.config.text_labels[id]
    (label,) = words(run.model.output_tokenizer.tokens([id]))
    return label


def _read(run: Run, key: str, vocabulary: int) -> int:
    """The id under a key, or -1 where it is left open or exists in another model alone."""
    if state.get(key) >= vocabulary:
        asked = state.get(key)
        state.put(**{key: -1})
        what = "token" if run.model.config.answers_words else "class"
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


def say_refused() -> None:
    """Says why the reader's text was not taken as a token."""
    session = of_session(QuestionSession)
    if session.refused:
        st.warning(session.refused, icon=":material/info:")
        session.refused = ""
