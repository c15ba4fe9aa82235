"""Teacher forcing as a table: the decoder's input, label and likeliest token at each position of one batch."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.generation.teacher_forcing import TeacherForcedRun
from model.train import live, live_tasks, task
from model.train.live import LiveRun, Look
from model.train.live_recording import RecordedRun, recorded
from model.train.task import shift_right
from pages.learning.training_parts import session
from pages.learning.training_parts.session import LiveSession
from pages.shared.elements import claims, columns, figures, fragments, layout
from pages.shared.elements.claims import Claim
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state
from views.shared import quotes, sums
from viz.learning.training import forcing_figure
from viz.shared.style import isolate, markdown_text, number

Run = LiveRun | RecordedRun
TASK_WORDS = {
    "reverse": "The decoder writes the digits of the source from the last to the first.",
    "sort": "The decoder writes the digits of the source in their order of size.",
    "pairs": "The decoder writes the English source in Urdu.",
}
EXAMPLE_WORDS = ("The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog")
READS_BEFORE = "the share of positions that read the label of the one before"
READS_OWN = "the share of positions that read their own answer"
PROMPTS = (
    layout.Prompt(
        "Shifted",
        "Each position reads the label of the one before it.",
        {"training_shifted": True, "training_forced": True, "training_look": -1},
        claim=Claim(READS_BEFORE, "is", 1.0),
    ),
    layout.Prompt(
        "Not shifted",
        "Each position reads its own answer: its loss says nothing about writing.",
        {"training_shifted": False, "training_forced": True, "training_look": -1},
        claim=Claim(READS_OWN, "is", 1.0),
    ),
    layout.Prompt(
        "Train it live",
        "Start a run of your own, come back, and see which positions it still gets wrong.",
        {"training_part": "live"},
        at="training measures",
    ),
)


def show(depth: str) -> None:
    bar_notes.say_nothing_taken("It shows a small network of its own in training.")
    if depth == "Formula":
        _formula()
    elif depth == "Code":
        layout.code(task.shift_right, live_tasks.LiveTask.decoder_inputs, live.force_batch)
    else:
        run = _run()
        draw = partial(_watch, run, depth == "Numbers")
        if isinstance(run, LiveRun):
            session.watch(run, draw)
        else:
            fragments.alone(draw)(False)
    layout.try_this(*PROMPTS)


def _watch(run: Run, numbers: bool, working: bool) -> None:
    """Draws the chosen batch of the run."""
    looks = {look.step: look for look in run.view().looks}
    look = looks.get(_choose_step(list(looks), working), run.view().looks[-1])
    if state.get("training_look") > look.step:
        _ask_to_train(run, state.get("training_look"), working)
    _batch(run, look, numbers)
    if isinstance(run, RecordedRun):
        layout.caption(f"This is the recorded run of the part “Train one now”, made with {run.made_with}.")
    elif run is not session.current():
        layout.caption(
            "This is the untrained network with the settings of the part “Train one now”. When you have trained one "
            "with them, its measured batches are shown here."
        )
    session.rerun_if_state_changed()
    state.finish()


def _choose_step(steps: list[int], working: bool) -> int:
    """The step of the shown batch: one of the measured steps, or -1 for the latest while the run works."""
    wanted = state.get("training_look")
    if wanted == -1 and not working and len(steps) > 1:
        state.put(training_look=steps[-1])  # so that a link to this view names the step
    elif wanted < max(steps) and wanted not in (-1, *steps):
        state.put(training_look=max(step for step in steps if step <= wanted))
    wanted = state.get("training_look")
    choices = [*steps, -1] if working or wanted == -1 else steps
    if len(steps) > 1 and wanted in choices:
        st.select_slider(
            "After step", choices, key="training_look",
            format_func=lambda step: "latest" if step == -1 else f"{step:,}",
        )  # fmt: skip
    return state.get("training_look")


def _ask_to_train(run: Run, step: int, working: bool) -> None:
    """Says that the run has not reached the wanted step, and offers to train it."""
    if working:
        st.info(f"This view is of step {step:,}. Step {run.view().step:,} is done.", icon=":material/hourglass_top:")
    elif step > run.setup.steps:
        state.put(training_look=-1)
        st.warning(f"There is no step {step:,}: the settings say {run.setup.steps:,} steps.", icon=":material/info:")
    else:
        st.info(
            f"This view is of step {step:,} of a run that has not been made here. The same settings give the same "
            "run: train it, and the view appears.",
            icon=":material/model_training:",
        )
        st.button(f"Train to step {step:,}", icon=":material/play_arrow:", on_click=session.start, type="primary")


def _batch(run: Run, look: Look, numbers: bool) -> None:
    row = state.checked_number("training_row", 0, len(look.batch) - 1, "Row")
    st.segmented_control(
        "Row of the batch", range(len(look.batch)), key="training_row", required=True,
        format_func=lambda k: f"row {k}",
    )  # fmt: skip
    source, forced = look.batch[row]
    sentence = " ".join(_words(run, source))
    st.markdown(f"**Task** {TASK_WORDS[run.setup.task]}  \n**Source** {markdown_text(sentence)}")
    claims.tell(READS_BEFORE, float(np.mean(np.equal(forced.inputs[1:], forced.labels[:-1]))))
    claims.tell(READS_OWN, float(np.mean(np.equal(forced.inputs, forced.labels))))
    inputs, labels, predictions = (_words(run, ids) for ids in (forced.inputs, forced.labels, forced.predictions))
    rows = [
        {"position": i, "decoder reads": r, "is asked for": y, "finds likeliest": p, "right": y == p, "loss in nats": e}
        for i, (r, y, p, e) in enumerate(zip(inputs, labels, predictions, forced.losses, strict=True))
    ]
    figure = forcing_figure(inputs, labels, predictions, forced.losses, state.theme())
    if not numbers:
        figures.show(figure, "What the decoder reads, is asked for and finds likeliest at each position, with its loss")
    as_in_the_caption = {"loss in nats": columns.decimals(3)}
    st.dataframe(rows, hide_index=True, column_config=as_in_the_caption)
    layout.caption(_describe_batch(run, look, forced))
    figures.export(f"teacher-forcing-{run.setup.task}", figure, lambda: rows)


def _describe_batch(run: Run, look: Look, forced: TeacherForcedRun) -> str:
    n_right = sum(a == b for a, b in zip(forced.labels, forced.predictions, strict=True))
    worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
    text = (
        f"After step {look.step:,}: {n_right} of {len(forced.labels)} positions are right, mean loss "
        f"{number(forced.loss)} nats. The hardest is position {worst}, {number(forced.losses[worst])}. "
    )
    switches = run.setup.switches
    if not switches.teacher_forcing:
        return text + "Teacher forcing is off: the decoder reads what it wrote itself, right or wrong."
    if not switches.shifted:
        return text + "The target is not shifted: every position reads the token that it is asked for."
    return text + (
        "The decoder reads the truth, one place late, after \\<SOS\\>: position j reads the label of position j − 1, "
        "and the causal mask hides all later ones. So one pass trains all positions at once."
    )


def _words(run: Run, ids: tuple[int, ...]) -> list[str]:
    return [isolate(word) for word in run.task.texts(list(ids))]


def _run() -> Run:
    """The run with the present settings: the session's, else the recorded one, else an untrained one."""
    run, settings = session.current(), session.setup()
    if run is not None and run.setup == settings:
        return run
    if (made_before := recorded(settings)).setup == settings:
        return made_before
    live = of_session(LiveSession)
    if live.untrained is None or live.untrained.setup != settings:
        live.untrained = LiveRun(settings, "cpu")
    return live.untrained


def _formula() -> None:
    layout.equation(
        r"\text{input} = (\langle SOS\rangle, y_1, \dots, y_n), \qquad "
        r"\text{target} = (y_1, \dots, y_n, \langle EOS\rangle)",
        "The target shifted right. Shamsi (2024), section 2.4; Palaskos (2022), section 3.11.",
        {"y": "the true tokens: in training the decoder reads them, whatever it would have written"},
    )
    ids = list(range(len(EXAMPLE_WORDS)))
    start, end = len(ids), len(ids) + 1
    names = [*EXAMPLE_WORDS, "<SOS>", "<EOS>"]
    read, labels = shift_right(ids, start, end)
    rows: list[dict[str, Any]] = [
        {"position": place, "decoder reads": names[a], "is asked for": names[b]}
        for place, (a, b) in enumerate(zip(read, labels, strict=True))
    ]
    st.dataframe(rows, hide_index=True)
    layout.caption("Position j of the input is position j − 1 of the target.")
    layout.equation(
        r"\mathrm{loss}_j = -\ln p(y_j \mid y_{<j}, x)",
        "What each position is asked for, in nats; the loss of training is the mean. Shamsi (2024), section 2.4.",
    )
    _work_out_loss()


def _work_out_loss() -> None:
    """The hardest position of the chosen row, in the batch of the chosen step or of the last one before it."""
    run = _run()
    looks, step = run.view().looks, state.get("training_look")
    look = next((each for each in reversed(looks) if step < 0 or each.step <= step), looks[0])
    row = state.checked_number("training_row", 0, len(look.batch) - 1, "Row")
    forced = look.batch[row][1]
    worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
    loss, label = forced.losses[worst], quotes.quote(_words(run, (forced.labels[worst],))[0])
    layout.work_out(
        f"After step {look.step:,}, row {row} of the batch: the hardest position, {worst}, which is asked for {label}; "
        "then all positions, and their mean:",
        rf"-\ln {quotes.tex(math.exp(-loss), 5)} = {quotes.tex(loss)}, \qquad "
        rf"\frac{{{sums.plus(forced.losses, quotes.tex)}}}{{{len(forced.losses)}}} = {quotes.tex(forced.loss)}",
    )
