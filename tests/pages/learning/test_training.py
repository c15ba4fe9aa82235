"""The Training page: its snapshots, and live runs that are started and stopped."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from pages.learning.training_parts.session import LiveSession
from pages.shared.model_runs import job_pool
from tests.pages.conftest import components, run_page, session_of, tell, text
from tests.pages.shared.model_runs.test_job_pool import Idles
from viz.shared.style import number


@pytest.mark.slow
def test_a_live_run_starts_and_stops() -> None:
    before = set(threading.enumerate())
    app = run_page("learning/training.py", model="tiny-lm", training_part="live", training_steps=5000)
    start = next(button for button in app.button if button.label == "Train it live")
    start.click().run()
    assert not app.exception
    stop = next(button for button in app.button if "Stop" in button.label)
    stop.click().run()
    assert not app.exception
    for thread in set(threading.enumerate()) - before:
        if "live" in thread.name.lower() or "train" in thread.name.lower():
            thread.join(timeout=20)
            assert not thread.is_alive()


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_a_training_that_went_with_the_server_is_told() -> None:
    """The browser keeps what was trained, and gives it to the session that begins anew."""
    page = {"training_part": "live", "training_steps": 40, "training_task": "sort"}
    before = press(press(run_page("learning/training.py", **page), "Train it live"), "Stop")
    kept = components(before)["lecture_memory"][0]["training"]
    assert kept == "Sort the digits, 40 steps"
    after = tell(run_page("learning/training.py", **page), "lecture_memory", "restore", {"training": kept})
    assert [kept in each.value for each in after.warning] == [True]
    assert not press(press(after, "Train it live"), "Stop").warning
    assert components(press(after, "Reset"))["lecture_memory"][0]["training"] is None


@pytest.mark.slow
def test_a_run_without_a_place_says_how_many_are_before_it() -> None:
    others = [Idles() for _ in range(job_pool.MAX_JOBS)]
    for job in others:
        job_pool.pool().enter(job)
    app = press(run_page("learning/training.py", training_part="live", training_steps=5000), "Train it live")
    assert any("place 1 in the queue" in each.value for each in app.info)
    for job in others:
        job_pool.pool().leave(job)
    press(app, "Stop")
    assert job_pool.pool().join(5)


def finish(app: AppTest, steps: int) -> AppTest:
    """The page after its run has taken all steps."""
    run = session_of(app, LiveSession).run
    while job_pool.pool().count_ahead(run) is not None:
        job_pool.pool().keep_alive(run)
        job_pool.pool().join(5)
    assert run.view().step == steps
    return app.run()


FORCING = {"model": "tiny-lm", "training_part": "forcing", "training_steps": 30, "training_seed": 5}


@pytest.mark.slow
def test_a_table_of_teacher_forcing_says_its_step_and_another_browser_makes_it_again() -> None:
    first = press(run_page("learning/training.py", **FORCING | {"training_part": "live"}), "Train it live")
    finish(first, 30).session_state["training_part"] = "forcing"
    first.run()
    assert first.session_state["training_look"] == 30  # a link names the step
    losses = list(first.dataframe[0].value["loss in nats"])

    second = run_page("learning/training.py", **FORCING, training_look=30)
    assert "has not been made here" in second.info[0].value
    assert list(second.dataframe[0].value["loss in nats"]) != losses
    finish(press(second, "Train to step 30"), 30)
    assert not second.info
    assert list(second.dataframe[0].value["loss in nats"]) == losses


@pytest.mark.slow
def test_teacher_forcing_opens_on_the_trained_network_and_other_settings_on_an_untrained_one() -> None:
    app = run_page("learning/training.py", model="tiny-lm", training_part="forcing")
    assert "After step 1,000" in text(app)
    assert "This is the recorded run" in text(app)
    assert app.session_state["training_look"] == 1000, "a link names the step"
    assert not app.info
    app = run_page("learning/training.py", model="tiny-lm", training_part="forcing", training_shifted=False)
    assert "After step 1,000" in text(app), "what the page proposes to try is recorded, too"
    app = run_page("learning/training.py", model="tiny-lm", training_part="forcing", training_scaled=False)
    assert "After step 0" in text(app)
    assert "This is the untrained network" in text(app)


def test_a_step_beyond_the_last_is_mended() -> None:
    app = run_page("learning/training.py", **FORCING, training_look=31)
    assert "There is no step 31" in app.warning[0].value
    assert app.session_state["training_look"] == -1


@pytest.mark.slow
def test_the_page_says_that_a_rate_is_zero_or_diverges() -> None:
    link = {"model": "tiny-lm", "training_part": "live", "training_steps": 30, "training_warmup": 0}
    still = finish(press(run_page("learning/training.py", **link, training_rate=0.0), "Train it live"), 30)
    assert "The learning rate is 0" in still.warning[0].value
    wild = press(run_page("learning/training.py", **link, training_rate=1e30), "Train it live")
    job_pool.pool().join(20)
    assert "not finite" in wild.run().error[0].value
    assert "Stop" not in [button.label for button in wild.button]


@pytest.mark.parametrize("sentence", ["", "a", "word " * 300, "xyzzy \U0001f642"])
@pytest.mark.parametrize("name", ["tiny-lm", "en-ur"])
def test_the_replay_stands_whatever_the_sentence(name: str, sentence: str) -> None:
    app = run_page("learning/training.py", model=name, text=sentence, training_of=name, training_snapshot=3)
    assert len(app.error) == (sentence == ""), "of a long one the beginning is read"
    assert "The best head at the end" in text(app)


@pytest.mark.parametrize("task", ["reverse", "sort", "pairs"])
def test_the_part_opens_on_a_recorded_run(task: str) -> None:
    app = run_page("learning/training.py", model="tiny-lm", training_part="live", training_task=task)
    assert "**Recorded**" in text(app)
    assert not app.info
    assert {"Step of 1,000": "1,000"}.items() <= {each.label: each.value for each in app.metric}.items()
    assert len(app.get("plotly_chart")) == 5
    app.session_state["training_rate"] = 0.01
    assert "other settings than those above" in app.run().info[0].value


def test_a_rate_that_is_far_too_fast_shows_the_run_that_ended_so() -> None:
    app = run_page("learning/training.py", training_part="live", training_rate=1e30)
    assert "not finite any more at step 2" in app.info[0].value
    assert {each.label: each.value for each in app.metric}["Loss"] == number(float("nan"))
