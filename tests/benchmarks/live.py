"""Live training: its steps while a page draws it, against the plain loop; a trace in another session beside it.

The page is drawn through AppTest, in this process, as often as a browser would ask for it. AppTest runs the whole page
where the app draws only the part that changes, so what is measured is the harder case. Each turn measures both sides
one after the other, and the turn with the middle ratio counts: what else the machine does falls on both alike.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from threading import Event, Thread

from streamlit.testing.v1 import AppTest

from model import available, load
from model.train.live import LiveRun, use_one_thread
from model.train.live_tasks import Setup
from model.train.loop import descend, make_optimizer
from pages.learning.training_parts.session import REDRAW_SECONDS, LiveSession
from pages.shared.model_runs import job_pool, model_turns
from tests.benchmarks.row import Row
from tests.pages.conftest import run_page, session_of

SECONDS, TURNS = 4.0, 5
TRACES = 9
SETUP = Setup("reverse", steps=5000)


def main() -> list[Row]:
    loop, live = middle([(plain(), drawn()) for _ in range(TURNS)])
    rows = [Row("one step of live training, drawn", 1000 * live, 1000 * loop, "the plain loop", "ms", limit=1 / 0.8)]
    ready = {card.name for card in available() if card.ready}
    for name in ("tiny-lm", "smollm2-135m"):
        if name in ready:
            alone, beside = middle([latency(name) for _ in range(TURNS)])
            rows.append(Row(f"a trace beside live training, {name}", beside, alone, "alone", "ms", limit=2.0))
    return rows


def middle(turns: list[tuple[float, float]]) -> tuple[float, float]:
    """The turn whose second time is, as a multiple of the first, the median."""
    return sorted(turns, key=lambda turn: turn[1] / turn[0])[len(turns) // 2]


def plain() -> float:
    """Seconds a step of the loop with nothing to see."""
    run = LiveRun(SETUP)
    taken: list[float] = []

    def work() -> None:
        use_one_thread()
        optimizer = make_optimizer(run.network, run.task.recipe)
        started, step = time.perf_counter(), 0
        while time.perf_counter() - started < SECONDS:
            total, count = run.task.loss(run.network, run.task.batch(0, step))
            descend(total / count, run.network, optimizer, run.task.recipe, step)
            step += 1
        taken.append((time.perf_counter() - started) / step)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    return taken[0]


def drawn() -> float:
    """Seconds a step of a live run while its page is drawn again and again."""
    app, run = started()
    step, began = run.view().step, time.perf_counter()
    due = began + REDRAW_SECONDS
    while time.perf_counter() - began < SECONDS:
        Event().wait(max(0.0, due - time.perf_counter()))
        app.run()
        due = max(due + REDRAW_SECONDS, time.perf_counter())
    spent, steps = time.perf_counter() - began, run.view().step - step
    end(run)
    return spent / steps


def latency(name: str) -> tuple[float, float]:
    """Milliseconds of a trace alone, and while a live run is drawn in another session."""
    model = load(name)

    def traced() -> float:
        begin = time.perf_counter()
        with model_turns.forward_pass():  # as every page does
            model.trace("The quick brown fox jumps over the lazy dog", keep="*.weights")
        return 1000 * (time.perf_counter() - begin)

    median: Callable[[], float] = lambda: statistics.median(traced() for _ in range(TRACES))  # noqa: E731
    traced()
    alone = median()
    app, run = started()
    done = Event()

    def draw() -> None:
        while not done.wait(REDRAW_SECONDS):
            app.run()

    drawing = Thread(target=draw)
    drawing.start()
    beside = median()
    done.set()
    drawing.join()
    end(run)
    return alone, beside


def started() -> tuple[AppTest, LiveRun]:
    """The page of a run that is under way."""
    app = run_page("learning/training.py", training_part="live", training_steps=SETUP.steps, model="tiny-lm")
    next(button for button in app.button if button.label == "Start").click().run()
    run = session_of(app, LiveSession).run
    assert run is not None
    return app, run


def end(run: LiveRun) -> None:
    job_pool.pool().leave(run)
    job_pool.pool().join()
