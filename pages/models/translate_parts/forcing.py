"""Teacher forcing and free running on one pair that the reader can edit, and a target that is not shifted."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.errors import UnreadableText
from model.generation.teacher_forcing import TeacherForcedRun, first_departure, run_teacher_forced
from model.tokens.word_vocabulary import script
from pages.models.translate_parts.pair import Pair, truth
from pages.models.translate_parts.translators import ENGLISH_TO_URDU, languages
from pages.shared.elements import claims, figures, layout, lecture_screen
from pages.shared.model_runs import model_turns
from pages.shared.session import state
from views.shared import quotes
from viz.models.translate import losses_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number
from viz.shared.tokens import words

MAX_GROWING_ROWS = 12

COSTLIEST = "the true word that costs most"


def show(pair: Pair, depth: str) -> None:
    model, ids = pair.run.model, read_target(pair)
    if ids is None:
        return
    with model_turns.forward_pass():
        runs = {
            shifted: run_teacher_forced(model.network, pair.source_ids, ids, pair.start, pair.end, shifted)
            for shifted in (True, False)
        }
    free_ids = _free_ids(pair)
    departure = first_departure(runs[True].labels, free_ids)
    rows = _rows(pair, runs[True], free_ids, departure)
    with st.container(key="translate forced"):
        _show_table(rows)
    layout.caption(_compare_running(pair, runs[True], free_ids, departure))
    st.subheader("And if the target is not shifted", anchor=False)
    labels = words(model.output_tokenizer.tokens(runs[True].labels))
    claims.tell(COSTLIEST, labels[int(np.argmax(runs[True].losses))])
    figure = losses_figure(labels, runs[True].losses, runs[False].losses, theme=state.theme())
    if depth == "Numbers":
        st.dataframe(_rows(pair, runs[False], (), None), hide_index=True)
    else:
        alt = describe_figure("Loss at every position", figure)
        figures.chart(figure, key="translate losses", theme=None, config={"displayModeBar": False}, alt=alt)
    layout.caption(_compare_shift(runs))
    losses = {"shifted": runs[True].losses, "not_shifted": runs[False].losses}
    figures.export("translation-losses", figure, lambda: rows, **losses)


def _show_table(rows: list[dict[str, object]]) -> None:
    """In a lecture a short table grows with the screen, as a data frame cannot."""
    if lecture_screen.present_screen() is None or len(rows) > MAX_GROWING_ROWS:
        st.dataframe(rows, hide_index=True)
        return
    texts = [
        {name: markdown_text(value) if isinstance(value, str) else value for name, value in row.items()} for row in rows
    ]
    st.table(texts, hide_index=True)


def read_target(pair: Pair) -> list[int] | None:
    """Shows the field of the true translation, and returns its ids. None, after one message, if they cannot be used."""
    suggested, origin = truth(pair)
    typed = st.text_input(
        "True translation", key="translate_truth", placeholder=f"{suggested} ({origin})", max_chars=400,
        help="What the teacher says. Empty: the one shown in grey. Change a word and see what the model makes of it.",
    ).strip()  # fmt: skip
    text = typed or suggested
    if languages(pair.run.model.card) == ENGLISH_TO_URDU and script(text) not in ("", "arabic"):
        st.warning("This translation is not in Arabic script, in which Urdu is written; the loss shows how odd it is.")
    model = pair.run.model
    try:
        ids = [token.id for token in model.output_tokenizer.encode(text, add_special=False)]
    except UnreadableText as error:
        st.error(markdown_text(str(error)))
        return None
    room = model.config.max_length - 1
    if not typed:
        ids = ids[:room]  # a model may write up to its limit, and its text may have more tokens than it wrote
    if not ids or len(ids) > room:
        st.error("Type a translation of at least one word." if not ids else
                 f"The translation has {len(ids)} tokens; at most {room} fit. Shorten it.")  # fmt: skip
        return None
    return ids


def _free_ids(pair: Pair) -> tuple[int, ...]:
    """The ids that the model writes when it reads its own words."""
    if not pair.given:
        return pair.written_ids
    with model_turns.forward_pass():
        return tuple(pair.run.model.translate_ids(pair.source))


def _rows(
    pair: Pair, forced: TeacherForcedRun, free: tuple[int, ...], departure: int | None
) -> list[dict[str, object]]:
    tokenizer = pair.run.model.output_tokenizer
    columns = [words(tokenizer.tokens(ids)) for ids in (forced.inputs, forced.labels, forced.predictions)]
    free_words = words(tokenizer.tokens(free))
    rows: list[dict[str, object]] = []
    for i, (read, label, predicted, loss) in enumerate(zip(*columns, forced.losses, strict=True)):
        row: dict[str, object] = {
            "position": i,
            "decoder reads": read,
            "should write": label,
            "finds likeliest": predicted,
            "loss in nats": loss,
        }
        if free:
            row["free run wrote"] = free_words[i] if i < len(free_words) else ""
            row["free run is"] = _place_on_path(i, departure)
        rows.append(row)
    return rows


def _place_on_path(position: int, departure: int | None) -> str:
    """Where the free run stands at a position; it leaves the true translation at `departure`, or never."""
    if departure is None or position < departure:
        return "as the true translation"
    return "here the first other token" if position == departure else "after another token"


def _compare_running(pair: Pair, forced: TeacherForcedRun, free: tuple[int, ...], departure: int | None) -> str:
    right = sum(a == b for a, b in zip(forced.labels, forced.predictions, strict=True))
    text = (
        f"With the true words before it, the model finds {right} of {len(forced.labels)} next tokens; mean loss "
        f"{number(forced.loss)} nats. "
    )
    if departure is None:
        return text + "Running free, it writes the same translation: it never leaves the true one."
    tokenizer = pair.run.model.output_tokenizer
    wrong = words(tokenizer.tokens(free[departure : departure + 1])) or ["nothing"]
    wanted = words(tokenizer.tokens(forced.labels[departure : departure + 1])) or ["nothing"]
    wrong_word, right_word = (quotes.quote(each[0], departure) for each in (wrong, wanted))
    return text + (
        f"Running free it leaves the true translation at position {departure}: {wrong_word} instead of {right_word}. "
        "From there on it reads its own words, and the teacher's words no longer help it."
    )


def _compare_shift(runs: dict[bool, TeacherForcedRun]) -> str:
    n_copied = sum(a == b for a, b in zip(runs[False].inputs, runs[False].labels, strict=True))
    return (
        f"Not shifted, all {n_copied} positions read the very token they are asked for. A model trained so would learn "
        "to copy, and at inference, where no answer is there to read, it could not begin. This model was trained on "
        f"shifted targets: asked without the shift its loss is {number(runs[False].loss)} nats a token, against "
        f"{number(runs[True].loss)}."
    )
