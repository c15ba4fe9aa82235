"""A small encoder-decoder, trained while the reader watches."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.train import live, live_tasks, loop, schedule
from model.train.live import LiveRun, Look, View
from model.train.live_recording import RecordedRun, recorded
from model.train.live_tasks import make
from model.train.schedule import learning_rate
from pages.learning.training_parts import session
from pages.shared.elements import claims, figures, fragments, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import bar_notes, state
from views.shared import quotes
from views.shared.measure_words import compare_with_even
from viz.learning.training import thin_line
from viz.shared.lines import lines_figure
from viz.shared.sheet import maps_figure
from viz.shared.style import isolate, number, percent
from viz.shared.tensor_titles import path_title

Run = LiveRun | RecordedRun
NO_NUMBER = "no number"
MAX_MOMENTS = 6  # of the attention during training
EXACT = "the share of held-out examples that it writes"
COPIED = "the share of random tokens that it repeats"
LOSS = "the loss"
SETTINGS = {  # those of a recorded run, but for what a prompt changes (model.train.live_recording)
    name: state.KEYS[f"training_{name}"].default
    for name in ("task", "rate", "warmup", "steps", "seed", "forced", "shifted", "positions", "scaled")
}


def _prompt(label: str, see: str, claim: Claim, **changes: Any) -> layout.Prompt:
    values = {f"training_{name}": value for name, value in {**SETTINGS, **changes}.items()}
    return layout.Prompt(label, see, {"training_part": "live", **values}, claim=claim, at="training measures")


PROMPTS = (
    _prompt(
        "A target that is not shifted",
        "The loss falls to nothing and the model writes nonsense: it has learnt to copy.",
        Claim(COPIED, "over", 0.9),
        shifted=False,
    ),
    _prompt(
        "Reverse without positions",
        "Without positions no key knows where it stands, and no example is written right.",
        Claim(EXACT, "under", 0.05),
        positions=False,
    ),
    _prompt(
        "Sort without positions",
        "To sort needs no order of what is read: most are right.",
        Claim(EXACT, "over", 0.5),
        task="sort",
        positions=False,
    ),
    _prompt(
        "Far too fast",
        "A learning rate of 1e30: the loss is no longer a number.",
        Claim(LOSS, "is", NO_NUMBER),
        rate=1e30,
    ),
)


def show(depth: str) -> None:
    bar_notes.say_nothing_taken("It trains a small network on the task that you choose below.")
    if depth == "Formula":
        _formula()
        _work_out_rate()
    elif depth == "Code":
        layout.code(live_tasks.DigitTask, loop.descend, schedule.learning_rate, live.LiveRun)
    else:
        session.settings()
        run = session.current()
        if run is None:
            fragments.alone(_show_recorded)(depth == "Numbers")
        else:
            session.watch(run, partial(_watch, run, depth == "Numbers"))
    layout.try_this(*PROMPTS)


def _show_recorded(numbers: bool) -> None:
    """The recorded run of the chosen task, until the reader trains one."""
    session.buttons(None)
    session.say_lost()
    run = recorded(session.setup())
    text = f"**Recorded**: this run was made before, with {run.made_with}, and comes with the project."
    with st.container():
        layout.caption(text)
        if session.setup() != run.setup:
            session.say_other_settings(f"It took {run.setup.steps:,} steps with others. Train it live to see yours.")
        session.say_diverged(run.view(), "It was stopped there.")
    _draw(run, run.view(), numbers, working=False)


def _work_out_rate() -> None:
    """The learning rate of the run's present step. Without a run, that of the first step with these settings."""
    run = session.current()
    step = 0 if run is None else max(run.view().step - 1, 0)
    recipe = make(session.setup()).recipe if run is None else run.task.recipe
    peak, rate = quotes.tex(recipe.learning_rate, 5), quotes.tex(learning_rate(step, recipe), 5)
    if step < recipe.warmup:
        layout.work_out(
            f"Step s = {step} of the {recipe.warmup} of the warm-up:",
            rf"\eta_s = {peak} \cdot \frac{{{step} + 1}}{{{recipe.warmup}}} = {rate}",
        )
        return
    last = max(recipe.steps - 1 - recipe.warmup, 1)
    final = recipe.final_rate
    layout.work_out(
        f"Step s = {step} of {recipe.steps}, after {recipe.warmup} of warm-up:",
        rf"u = \frac{{{step} - {recipe.warmup}}}{{{last}}} = {quotes.tex((step - recipe.warmup) / last)}, \qquad "
        rf"\eta_s = {peak} \left({final} + {1 - final} \cdot \frac{{1 + \cos \pi u}}{{2}}\right) = {rate}",
    )


def _watch(run: LiveRun, numbers: bool, working: bool) -> None:
    session.buttons(run)
    view = run.view()
    with st.container():  # reserved for messages: the elements below stay in their places
        session.describe_run(run, view)
    _draw(run, view, numbers, working)


def _draw(run: Run, view: View, numbers: bool, working: bool) -> None:
    """The run as it is in `view`: its numbers, lines, attention and samples."""
    _show_metrics(run, view, working)
    with st.container():
        if not view.step:
            layout.caption("Below is the network before its first step.")
    left, right = st.columns(2, gap="large")
    with left:
        _loss(run, view, numbers)
        _rate(run, view, numbers)
    with right:
        _accuracy(run, view, numbers)
        _gradients(run, view, numbers)
    _attention(run, view, numbers)
    _samples(run, view)


def _show_metrics(run: Run, view: View, working: bool) -> None:
    """The run in five numbers."""
    last = view.looks[-1].measures
    loss = view.history.loss[-1] if view.history.loss else last["loss"]
    claims.tell(LOSS, loss if np.isfinite(loss) else NO_NUMBER)
    claims.tell(EXACT, last["exact"])
    claims.tell(COPIED, last["copied"])
    metrics = {
        f"Step of {run.setup.steps:,}": f"{view.step:,}",
        "Steps a second": number(view.speed, 1) if view.speed and working else "–",
        "Loss": number(loss),
        "Tokens right": percent(view.history.accuracy[-1] if view.history.accuracy else last["tokens"]),
        "Held out, whole": percent(last["exact"]),
    }
    with st.container(horizontal=True, key="training measures"):
        for label, value in metrics.items():
            st.metric(label, value, width=140)


def _loss(run: Run, view: View, numbers: bool) -> None:
    looks = np.array([[look.step, look.measures["loss"]] for look in view.looks])
    lines = {"batches": thin_line(view.history.loss), "held out": (looks[:, 0], looks[:, 1])}
    figure = lines_figure(lines, "step", "loss in nats", height=240, theme=state.theme())
    rows = partial(_history_rows, view)
    figures.show_or_list(numbers, figure, "Loss against the step", rows)
    guess = float(np.log(run.task.config.vocab_size))
    held_out = float(looks[-1, 1])
    layout.caption(
        f"After step {view.looks[-1].step:,} the held-out loss is **{number(held_out)}** nats a token; of "
        f"{run.task.config.vocab_size} tokens, {compare_with_even(held_out, guess)}"
    )
    figures.export(f"training-{run.setup.task}-loss", figure, rows)


def _accuracy(run: Run, view: View, numbers: bool) -> None:
    steps = np.array([look.step for look in view.looks])
    lines = {"tokens of the batch": thin_line(view.history.accuracy)}
    shares = {"exact": "held out, written whole"} | (
        {"known": "its hundred pairs"} if run.setup.task == "pairs" else {}
    )
    for key, label in shares.items():
        lines[label] = (steps, np.array([look.measures[key] for look in view.looks]))
    figure = lines_figure(lines, "step", "share right", top=1.0, height=240, theme=state.theme())
    rows = partial(_look_rows, view)
    figures.show_or_list(numbers, figure, "Shares of right answers against the step", rows)
    layout.caption(
        "Tokens count as in training; a held-out example counts when the model, reading its own words, writes all of "
        "it without a mistake."
    )
    figures.export(f"training-{run.setup.task}-accuracy", figure, rows)


def _rate(run: Run, view: View, numbers: bool) -> None:
    steps = np.unique(np.linspace(0, run.setup.steps - 1, 120).astype(int))
    rates = np.array([run.rate(int(step)) for step in steps])
    done = steps < view.step
    lines = {"so far": (steps[done] + 1, rates[done]), "to come": (steps + 1, rates)}
    figure = lines_figure(lines, "step", "learning rate", quiet="to come", height=200, theme=state.theme())
    rows = [{"step": int(step) + 1, "learning rate": float(rate)} for step, rate in zip(steps, rates, strict=True)]
    figures.show_or_list(numbers, figure, "The learning rate against the step", lambda: rows)
    now = f" Now {number(run.rate(view.step - 1), 5)}." if view.step else ""
    layout.caption(f"{run.setup.warmup} steps of warm-up, then half a cosine.{now}")
    figures.export(f"training-{run.setup.task}-rate", figure, lambda: rows)


def _gradients(run: Run, view: View, numbers: bool) -> None:
    lines = {path_title(part, True): thin_line(values) for part, values in view.history.gradients.items()}
    figure = lines_figure(lines, "step", "gradient norm", log="y", height=320, theme=state.theme())
    rows = partial(_gradient_rows, view)
    figures.show_or_list(numbers, figure, "The gradient's norm in each part against the step", rows)
    norms = {path_title(part, True): values[-1] for part, values in view.history.gradients.items() if values}
    if norms and all(np.isfinite(list(norms.values()))):
        largest, smallest = max(norms, key=norms.__getitem__), min(norms, key=norms.__getitem__)
        layout.caption(
            f"Before clipping. Largest now in {largest}, {number(norms[largest])}; smallest in {smallest}, "
            f"{number(norms[smallest])}."
        )
    figures.export(f"training-{run.setup.task}-gradients", figure, rows)


def _attention(run: Run, view: View, numbers: bool) -> None:
    """The cross-attention of the first held-out example at some steps from the start to the latest."""
    places = np.unique(np.geomspace(1, len(view.looks), MAX_MOMENTS).round().astype(int)) - 1
    looks = [view.looks[place] for place in places]
    maps = np.stack([look.attention.numpy() for look in looks], axis=1)  # (heads, moments, targets, sources)
    sample = view.looks[-1].samples[0]
    start = run.task.start if run.setup.switches.shifted else None
    truth = [*sample.truth, run.task.end]
    queries = _words(run, [start, *sample.truth] if start is not None else truth)
    keys = _words(run, sample.source)
    st.subheader("Cross-attention as it forms", anchor=False)
    columns = [f"{look.step:,}" if place else f"step {look.step}" for place, look in enumerate(looks)]
    row_titles = [f"head {head}" for head in range(len(maps))]
    figure = maps_figure(maps, columns, row_titles, queries, keys, state.theme())
    rows = partial(_attention_rows, looks, queries, keys)
    figures.show_or_list(numbers, figure, "Cross-attention of one held-out example at several steps", rows)
    latest = looks[-1].attention
    decision = latest.max(-1).values.mean(-1)
    head = int(decision.argmax())
    layout.caption(
        f"One held-out example, always the same: rows are what the decoder reads, columns the source. Head {head} is "
        f"the most decided: its largest weight is {percent(float(decision[head]))} of a row on average."
    )
    figures.export(f"training-{run.setup.task}-attention", figure, rows, attention=maps)


def _attention_rows(looks: list[Look], queries: list[str], keys: list[str]) -> list[dict[str, Any]]:
    return [
        {"step": look.step, "head": head, "reads": query}
        | {f"{i} {key}": weight for i, (key, weight) in enumerate(zip(keys, row, strict=True))}
        for look in looks
        for head, weights in enumerate(look.attention.tolist())
        for query, row in zip(queries, weights, strict=True)
    ]


def _samples(run: Run, view: View) -> None:
    st.subheader("What it writes", anchor=False)
    look = view.looks[-1]
    rows = [
        {
            "source": " ".join(_words(run, sample.source)),
            "should be": " ".join(_words(run, sample.truth)),
            "written": " ".join(_words(run, sample.written)) or "(nothing)",
            "right": sample.truth == sample.written,
        }
        for sample in look.samples
    ]
    st.dataframe(rows, hide_index=True)
    figures.export_table(f"training-{run.setup.task}-samples", lambda: rows)
    copied = look.measures["copied"]
    text = f"Held-out examples after step {look.step:,}, written from <SOS>, each word fed back in. ".replace(
        "<", "\\<"
    )
    if run.setup.switches.shifted:
        text += f"Given random tokens to read, it repeats {percent(copied)} of them."
    else:
        text += (
            f"The target was not shifted: given random tokens to read, it repeats **{percent(copied)}** of them. It "
            "has learnt to copy what it reads, and at inference there is no answer to read."
            if copied > 0.5
            else f"The target is not shifted. Given random tokens to read, it repeats {percent(copied)} of them so far."
        )
    layout.caption(text)
    if run.setup.task == "pairs":
        layout.caption(
            f"It has learnt {percent(look.measures['known'])} of its hundred pairs by heart. These examples are new "
            f"sentences of the same words; it writes {percent(look.measures['exact'])} of them: a hundred are too few "
            "to learn a language from."
        )


def _words(run: Run, ids: tuple[int, ...] | list[int]) -> list[str]:
    return [isolate(word) for word in run.task.texts(list(ids))]


def _history_rows(view: View) -> list[dict[str, Any]]:
    steps, losses = thin_line(view.history.loss)
    _, right = thin_line(view.history.accuracy)
    return [
        {"step": int(step), "loss of the batches": float(loss), "tokens right": float(share)}
        for step, loss, share in zip(steps, losses, right, strict=True)
    ]


def _look_rows(view: View) -> list[dict[str, Any]]:
    return [{"step": look.step, **look.measures} for look in view.looks]


def _gradient_rows(view: View) -> list[dict[str, Any]]:
    lines = {path_title(part, True): thin_line(norms) for part, norms in view.history.gradients.items()}
    steps = next(iter(lines.values()))[0]
    return [
        {"step": int(step), **{part: float(norms[place]) for part, (_, norms) in lines.items()}}
        for place, step in enumerate(steps)
    ]


def _formula() -> None:
    layout.equation(
        r"L = -\frac{1}{n} \sum_{j} \ln p(y_j \mid y_{<j}, x)",
        "Cross-entropy over the n tokens of a batch. Shamsi (2024), section 2.4.",
        {"x": "the source", "y_{<j}": "what the decoder has read: the truth, under teacher forcing"},
    )
    layout.equation(
        r"g \leftarrow g \cdot \min\!\left(1, \frac{c}{|g|}\right), \qquad "
        r"\theta \leftarrow \theta - \eta_s \left(\frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda \theta\right)",
        "The gradient is clipped to norm c = 1 (Pascanu et al. 2013), then AdamW takes a step (Loshchilov and Hutter "
        "2019).",
        {r"\hat m, \hat v": "running means of the gradient and of its square", r"\lambda": "weight decay, 0 here"},
    )
    layout.equation(
        r"\eta_s = \eta \cdot \frac{s + 1}{w} \;\; (s < w), \qquad "
        r"\eta_s = \eta \left(f + (1 - f)\, \frac{1 + \cos \pi u}{2}\right), \; u = \frac{s - w}{S - 1 - w}",
        "Warm-up as in Vaswani et al. (2017), section 5.3; the cosine of Loshchilov and Hutter (2017), eq. 5.",
        {"w": "steps of warm-up", "S": "all steps", "f": "0.02, what is left of the rate at the end"},
    )
