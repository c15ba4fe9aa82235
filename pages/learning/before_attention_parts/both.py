"""A blank in a sentence for three readers: one from the left, one from the right, and one from both sides."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from model.recurrent import blank
from model.recurrent.blank import BLANK, MARKS, TrainedReaders, sentences, shares, split, train_readers, vocabulary
from pages.learning.before_attention_parts import told
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import bar_notes, state
from views.shared import quotes
from viz.learning.before_attention import blank_figure
from viz.shared.style import markdown_text, number, percent

TITLES = {"forward": "forward: the words before", "backward": "backward: the words after", "both": "both directions"}
MAX_WORDS = 5  # in the figure
EXAMPLES = ("I am ___", "I am ___ tired", "I am ___ tired, because I didn't sleep last night", "we ___ tired")
SAID = (  # of each example, and what is claimed of it
    ("Anything can follow.", Claim(told.FROM_LEFT, "under", 0.5)),
    ("From the left nothing is new; from both, “very” or “not”.", Claim(told.FROM_BOTH, "under", 0.9)),
    ("Only the end of the sentence tells.", Claim(told.FROM_BOTH, "over", 0.9)),
    ("The left knows the verb; from the right other words would fit as well.", Claim(told.WORD_FROM_LEFT, "is", "are")),
)
PROMPTS = tuple(
    layout.Prompt(
        text.replace("___", "…").split(" I didn")[0],
        see,
        {"before_attention_part": "both", "before_attention_blank": text},
        claim=claim,
    )
    for text, (see, claim) in zip(EXAMPLES, SAID, strict=True)
)


def show(depth: str) -> None:
    bar_notes.say_nothing_taken("Three small readers fill the blank in the sentence below.")
    if depth == "Formula":
        layout.equation(
            r"\overrightarrow{h}_t = f(x_t, \overrightarrow{h}_{t-1}), \qquad "
            r"\overleftarrow{h}_t = f'(x_t, \overleftarrow{h}_{t+1}), \qquad "
            r"h_t = [\overrightarrow{h}_t, \overleftarrow{h}_t]",
            "Palaskos (2022), section 2.2; Schuster and Paliwal (1997)",
        )
        layout.equation(
            r"p(x_t \mid x_{<t}), \qquad p(x_t \mid x_{>t}), \qquad p(x_t \mid x_{<t}, x_{>t})",
            "What a forward, a backward and a bidirectional reader can give: the blank's word, from one side or both",
        )
        _work_out_shares()
    elif depth == "Code":
        layout.code(blank.sentences, blank.BlankReader, blank.train_readers, blank.shares)
    else:
        _show_readers(depth == "Numbers")
    layout.try_this(*PROMPTS)


def _read_sentence() -> list[str] | None:
    """Shows the field, and returns its words. None, after one message that says what to do, if it cannot be used."""
    st.text_input("A sentence with a blank, written ___", key="before_attention_blank", max_chars=200)
    try:
        return split(state.get("before_attention_blank"))
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None


def _work_out_shares() -> None:
    """The likeliest word of the reader in both directions: its probability for each reader, and its true share."""
    words = _read_sentence()
    if words is None:
        return
    with st.spinner("Training three small readers"):
        probabilities = train_once().probabilities(state.get("before_attention_blank"))
    word = next(iter(probabilities["both"]))
    (row,) = _rows([word], probabilities, words)
    conditions = {"forward": "x_{<t}", "backward": "x_{>t}", "both": r"x_{<t}, x_{>t}"}
    for side, condition in conditions.items():
        layout.work_out(
            f"{quotes.quote(word)}, {TITLES[side]}; after the arrow its share in the tiny language itself:",
            rf"p(x_t \mid {condition}) = {quotes.tex(row[side])} \to {quotes.tex(row[f'{side}, true share'])}",
        )


def _show_readers(numbers: bool) -> None:
    words = _read_sentence()
    if words is None:
        return
    with st.spinner("Training three small readers"):
        readers = train_once()
    probabilities = readers.probabilities(state.get("before_attention_blank"))
    for side, share in (("forward", told.FROM_LEFT), ("both", told.FROM_BOTH)):
        claims.tell(share, next(iter(probabilities[side].values())))
    claims.tell(told.WORD_FROM_LEFT, next(iter(probabilities["forward"])))
    best = sorted(
        {word for p in probabilities.values() for word in list(p)[:MAX_WORDS]}, key=lambda w: -probabilities["both"][w]
    )
    best = sorted(best, key=lambda word: -max(p[word] for p in probabilities.values()))[:MAX_WORDS]
    figure = blank_figure(
        best, {TITLES[side]: [p[word] for word in best] for side, p in probabilities.items()}, state.theme()
    )
    rows = partial(_rows, best, probabilities, words)
    figures.show_or_list(numbers, figure, "The likeliest words for the blank, by three readers", rows)
    figures.export("fill-the-blank", figure, rows)
    answers = [
        f"**{TITLES[side]}** “{next(iter(p))}”, {percent(next(iter(p.values())))}" for side, p in probabilities.items()
    ]
    layout.caption("Likeliest: " + "; ".join(answers) + ".")
    _describe_training(readers, numbers)


def _rows(best: list[str], probabilities: dict[str, dict[str, float]], words: list[str]) -> list[dict[str, Any]]:
    """One row for each word: its probability for each reader, and its share in the tiny language."""
    place = words.index(BLANK)
    before, behind = words[:place], words[place + 1 :]
    contexts = {"forward": (before, None), "backward": (None, behind), "both": (before, behind)}
    true = {side: shares(*context) for side, context in contexts.items()}
    return [
        {"word": word}
        | {
            key: value
            for side in probabilities
            for key, value in ((side, probabilities[side][word]), (f"{side}, true share", true[side].get(word, 0.0)))
        }
        for word in best
    ]


def _describe_training(readers: TrainedReaders, numbers: bool) -> None:
    losses = ", ".join(f"{side} {number(curve[-1], 2)}" for side, curve in readers.losses.items())
    layout.caption(
        f"Three GRUs of 24 features, trained here on the {len(list(sentences()))} sentences of a tiny language of "
        f"{len(vocabulary()) - len(MARKS)} words. Loss at the end, in nats: {losses}. None can be 0, since some "
        "blanks have more than one answer." + (" The true shares are counted in that language." if numbers else "")
    )


@st.cache_resource(show_spinner=False, max_entries=1)
def train_once() -> TrainedReaders:
    """The same three readers for all sessions, trained once from one seed."""
    with model_turns.forward_pass():
        return train_readers()
