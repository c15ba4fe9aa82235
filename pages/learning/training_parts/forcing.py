"""Teacher forcing as a table: what the decoder reads, is asked for and finds likeliest, for one batch of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.learning.training_parts import session
from pages.shared import figures, lesson, live_runs, state
from viz.style import isolated, markdown_text, number
from viz.training import forcing_figure

if TYPE_CHECKING:
    from model.forcing import Forced
    from model.train.live import LiveRun, Look

QUICK = ("The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog")
PROMPTS = (
    lesson.Prompt("Shifted", "Each position reads the label of the one before it.", {"training_shifted": True}),
    lesson.Prompt(
        "Not shifted",
        "Each position reads its own answer: its loss says nothing about writing.",
        {"training_shifted": False},
    ),
    lesson.Prompt(
        "Train it first",
        "Start a run, come back, and see which positions it still gets wrong.",
        {"training_part": "live"},
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
    elif depth == "Code":
        from model.train import live, live_tasks, task

        lesson.code(task.shift_right, live_tasks.LiveTask.decoder_inputs, live.forced)
    else:
        _batch(depth == "Numbers")
    lesson.try_this(*PROMPTS)


def _batch(numbers: bool) -> None:
    run = session.current()
    trained = run is not None and run.setup == session.setup()
    if not trained:
        run = _untrained()
    assert run is not None
    live_runs.pool().seen(run)
    look = run.view().looks[-1]
    row = state.within("training_row", 0, len(look.batch) - 1, "Row")
    st.segmented_control(
        "Row of the batch", range(len(look.batch)), key="training_row", required=True,
        format_func=lambda k: f"row {k}",
    )  # fmt: skip
    source, forced = look.batch[row]
    said = " ".join(_words(run, source))
    st.markdown(f"**Source** {markdown_text(said)}")
    read, labels, predictions = (_words(run, ids) for ids in (forced.inputs, forced.labels, forced.predictions))
    rows = [
        {"position": i, "decoder reads": r, "is asked for": y, "finds likeliest": p, "right": y == p, "loss in nats": e}
        for i, (r, y, p, e) in enumerate(
            zip(read, labels, predictions, (round(loss, 4) for loss in forced.losses), strict=True)
        )
    ]
    figure = forcing_figure(read, labels, predictions, forced.losses, state.theme())
    if not numbers:
        figures.show(figure, "What the decoder reads, is asked for and finds likeliest at each position, with its loss")
    st.dataframe(rows, hide_index=True)
    lesson.caption(_said(run, look, forced))
    if not trained:
        lesson.caption(
            "This is the untrained network with the settings of the part “Train one now”. When you have trained one "
            "with them, its last measured batch is shown here."
        )
    figures.export(f"teacher-forcing-{run.setup.task}", figure, lambda: rows)


def _said(run: LiveRun, look: Look, forced: Forced) -> str:
    right = sum(a == b for a, b in zip(forced.labels, forced.predictions, strict=True))
    worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
    told = (
        f"After step {look.step:,}: {right} of {len(forced.labels)} positions are right, mean loss "
        f"{number(forced.loss)} nats. The hardest is position {worst}, {number(forced.losses[worst])}. "
    )
    switches = run.setup.switches
    if not switches.teacher_forcing:
        return told + "Teacher forcing is off: the decoder reads what it wrote itself, right or wrong."
    if not switches.shifted:
        return told + "The target is not shifted: every position reads the token that it is asked for."
    return told + (
        "The decoder reads the truth, one place late, behind \\<SOS\\>: position j reads the label of position j − 1, "
        "and the causal mask hides all later ones. So one pass trains all positions at once."
    )


def _words(run: LiveRun, ids: tuple[int, ...]) -> list[str]:
    return [isolated(word) for word in run.task.texts(list(ids))]


def _untrained() -> LiveRun:
    """The run that the settings would start, kept in the session: it is small."""
    from model.train.live import LiveRun

    wanted = session.setup()
    kept: LiveRun | None = st.session_state.get("_live_untrained")
    if kept is None or kept.setup != wanted:
        kept = st.session_state["_live_untrained"] = LiveRun(wanted)
    return kept


def _formula() -> None:
    lesson.equation(
        r"\text{input} = (\langle SOS\rangle, y_1, \dots, y_n), \qquad "
        r"\text{target} = (y_1, \dots, y_n, \langle EOS\rangle)",
        "The target shifted right. Shamsi (2024), section 2.4; Palaskos (2022), section 3.11.",
        {"y": "the true tokens: in training the decoder reads them, whatever it would have written"},
    )
    from model.train.task import shift_right

    ids = list(range(len(QUICK)))
    start, end = len(ids), len(ids) + 1
    names = [*QUICK, "<SOS>", "<EOS>"]
    read, labels = shift_right(ids, start, end)
    rows: list[dict[str, Any]] = [
        {"position": place, "decoder reads": names[a], "is asked for": names[b]}
        for place, (a, b) in enumerate(zip(read, labels, strict=True))
    ]
    st.dataframe(rows, hide_index=True)
    lesson.caption("Position j of the input is position j − 1 of the target.")
