"""Limits: declared once, set by the environment, counted by session and address, with one message and nothing lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import limits.storage.memory
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from pages.learning.cost_parts.time_work import TimeSession
from pages.learning.training_parts.session import LiveSession
from pages.models.see_parts.own_pictures import OwnPictures
from pages.shared.server import rate_limits
from pages.shared.server.limits import (
    CLASS_SIZE,
    RATES,
    RUN_BYTES,
    RUN_SECONDS,
    RUNS,
    SESSIONS,
    SWEEPS,
    TOKENS,
    TRAININGS,
    UPLOADS,
    LimitSettingError,
    all_limits,
    check_settings,
)
from pages.shared.server.rate_limits import Counts, LimitReached, SharedCounts
from pages.teach.lectures.lecture_file import write
from pages.teach.lectures.scene import Lecture
from tests.pages.conftest import lecture_of, messages, run_page, session_of, text
from tests.redis_server import RedisServer

RUNNING = Path(__file__).resolve().parents[4] / "docs" / "running.md"


class Clock:
    """Seconds that pass only where a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    fake = SimpleNamespace(time=made, monotonic=made)
    monkeypatch.setattr(limits.storage.memory, "time", fake)
    monkeypatch.setattr(rate_limits, "time", fake)
    return made


@pytest.fixture
def counts(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    """New counts, also for the pages."""
    made = Counts()
    monkeypatch.setattr(rate_limits, "counts", lambda: made)
    return made


def set_rates(monkeypatch: pytest.MonkeyPatch, name: str, session: int, address: int = 1000) -> None:
    monkeypatch.setenv(f"GLASSFORMER_MAX_{name}_A_SESSION", str(session))
    monkeypatch.setenv(f"GLASSFORMER_MAX_{name}_AN_ADDRESS", str(address))


# -- the settings ------------------------------------------------------------------------------------------------------


def test_the_document_shows_every_limit_as_it_is_declared() -> None:
    shown = [line for line in RUNNING.read_text().splitlines() if line.startswith("| `GLASSFORMER_MAX_")]
    declared = [f"| `{each.variable}` | {each.default:,} | {each.unit} | {each.explanation} |" for each in all_limits()]
    assert shown == declared


def test_the_environment_sets_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SESSIONS.value == SESSIONS.default
    monkeypatch.setenv(SESSIONS.variable, " 12 ")
    assert SESSIONS.value == 12
    monkeypatch.setenv(SESSIONS.variable, "")
    assert SESSIONS.value == SESSIONS.default


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "1e3", "²", "1_000"])
def test_an_impossible_value_is_named_at_the_start(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_settings()
    monkeypatch.setenv(RUN_SECONDS.variable, text)
    with pytest.raises(LimitSettingError, match=RUN_SECONDS.variable):
        check_settings()


@pytest.mark.parametrize("rate", RATES, ids=lambda rate: rate.name)
def test_a_class_behind_one_address_has_room(rate) -> None:
    """Each reader of a class may do a tenth of the most that one may do, and at least 10 of everything."""
    assert rate.of_address.default >= CLASS_SIZE * max(10, rate.of_session.default // 10)
    assert SESSIONS.default > CLASS_SIZE


# -- counting in several processes -------------------------------------------------------------------------------------


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    running = RedisServer()
    yield running
    running.kill()


def test_processes_that_share_redis_count_together(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "RUNS", 10)
    monkeypatch.setenv("GLASSFORMER_ROOMS", redis.url)
    one, two = (rate_limits.counts.__wrapped__() for _ in range(2))
    one.spend(RUNS, 4, "ada", "here")
    two.spend(RUNS, 6, "ada", "here")
    for process in (one, two):
        with pytest.raises(LimitReached, match=r"You have .*10"):
            process.spend(RUNS, 1, "ada", "here")
        process.spend(RUNS, 1, "bob", "here")
    with redis.client() as client:
        keys = client.keys("*")
        assert {0 < client.ttl(key) <= 60 for key in keys} == {True}, "all that is kept expires"


def test_a_redis_that_says_nothing_is_waited_for_once(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "RUNS", 10)
    counts = SharedCounts(redis.url)
    redis.freeze()
    began = time.monotonic()
    for _ in range(10):
        counts.spend(RUNS, 1, "ada", "here")
    assert time.monotonic() - began < rate_limits.APART_SECONDS, "ten waits would be longer"
    with pytest.raises(LimitReached):
        counts.spend(RUNS, 1, "ada", "here")
    redis.thaw()
    monkeypatch.setattr(counts, "_apart_until", 0.0)
    counts.spend(RUNS, 10, "ada", "here")
    with pytest.raises(LimitReached):
        SharedCounts(redis.url).spend(RUNS, 1, "ada", "here")


# -- counting ----------------------------------------------------------------------------------------------------------


def test_the_message_says_how_many_and_when(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "RUNS", 120)
    for _ in range(120):
        counts.spend(RUNS, 1, "ada", "here")
    clock.now += 40
    with pytest.raises(LimitReached) as refused:
        counts.spend(RUNS, 1, "ada", "here")
    assert str(refused.value) == "You have made 120 runs in this minute; the server allows 120. Go on in 20 seconds."
    assert refused.value.seconds == 20
    clock.now += 20.01
    counts.spend(RUNS, 1, "ada", "here")


def test_the_window_moves(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done at the end of a minute counts at the start of the next."""
    set_rates(monkeypatch, "RUNS", 4)
    for _ in range(4):
        counts.spend(RUNS, 1, "ada", "here")
        clock.now += 15.01
    counts.spend(RUNS, 1, "ada", "here")
    with pytest.raises(LimitReached):
        counts.spend(RUNS, 1, "ada", "here")


def test_sessions_are_counted_apart_and_an_address_together(
    counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rates(monkeypatch, "UPLOADS", 2, 3)
    counts.spend(UPLOADS, 2, "ada", "here")
    with pytest.raises(LimitReached, match="You have opened 2 files"):
        counts.spend(UPLOADS, 1, "ada", "here")
    counts.spend(UPLOADS, 1, "bob", "here")
    with pytest.raises(LimitReached, match="Your address has opened 3 files"):
        counts.spend(UPLOADS, 1, "eve", "here")
    counts.spend(UPLOADS, 1, "eve", "there")


def test_what_is_refused_is_not_counted(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "TRAININGS", 5, 1)
    counts.spend(TRAININGS, 1, "ada", "here")
    for _ in range(9):
        with pytest.raises(LimitReached, match="Your address has started 1 live training"):
            counts.spend(TRAININGS, 1, "bob", "here")
    clock.now += 60.01
    for _ in range(5):
        counts.spend(TRAININGS, 1, "bob", f"place {_}")


def test_kinds_of_work_are_counted_apart(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "SWEEPS", 1)
    set_rates(monkeypatch, "TOKENS", 1)
    counts.spend(SWEEPS, 1, "ada", "here")
    counts.spend(TOKENS, 1, "ada", "here")


def test_a_deed_larger_than_the_limit_waits_for_an_empty_minute(
    counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rates(monkeypatch, "TOKENS", 100)
    counts.spend(TOKENS, 1, "ada", "here")
    with pytest.raises(LimitReached):
        counts.spend(TOKENS, 320, "ada", "here")
    clock.now += 60.01
    counts.spend(TOKENS, 320, "ada", "here")


def test_visitors_who_left_are_forgotten(counts: Counts, clock: Clock) -> None:
    for number in range(50):
        counts.spend(RUNS, 1, f"session {number}", f"address {number}")
    assert len(counts._storage.events) == 100
    clock.now += 61
    counts._storage._MemoryStorage__expire_events()  # its timer does it soon after each deed
    counts.spend(RUNS, 1, "ada", "here")
    assert len(counts._storage.events) == 2


# -- on a page ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_page_says_it_and_goes_on(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "RUNS", 1)
    app = run_page("block/block.py", model="tiny-lm", text="a limit is reached here")
    assert not messages(app)
    app.session_state["text"] = "it is another sentence"
    app.run()
    assert messages(app) == [
        "You have made 1 run in this minute; the server allows 1. Go on in 60 seconds. The page goes on by itself."
    ]
    assert not app.exception
    app.session_state["text"] = "a limit is reached here"
    assert not messages(app.run()), "a cached run must cost nothing"
    app.session_state["text"] = "it is another sentence"
    clock.now += 60.01
    app.run()
    assert not messages(app)
    assert app.session_state["text"] == "it is another sentence"


@pytest.mark.slow
def test_a_training_that_had_to_wait_starts_by_itself(
    counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rates(monkeypatch, "TRAININGS", 1)
    app = run_page("learning/training.py", training_part="live", training_steps=1)
    app.button(key="live Train it live").click().run()
    first = session_of(app, LiveSession).run
    app.button(key="live Reset").click().run()
    app.button(key="live Train it live").click().run()
    assert session_of(app, LiveSession).run is None
    assert "started 1 live training" in messages(app)[0]
    clock.now += 60.01
    app.run()
    assert session_of(app, LiveSession).run not in (None, first)
    assert not [each for each in messages(app) if "trainings" in each]


def piece() -> None:
    import streamlit as st

    from pages.shared.elements import fragments
    from pages.shared.frame import limit_notice
    from pages.shared.server import rate_limits
    from pages.shared.server.limits import RUNS

    def draw() -> None:
        rate_limits.spend(RUNS)
        st.text("drawn")

    with limit_notice.watch():
        fragments.alone(draw)()
        st.text("below")


def test_a_piece_that_reaches_a_limit_does_not_end_its_page(counts: Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "RUNS", 1)
    app = AppTest.from_function(piece).run()
    assert [each.value for each in app.text] == ["drawn", "below"]
    app.run()
    assert [each.value for each in app.text] == ["below"]
    assert "made 1 run" in app.warning[0].value
    assert not app.exception


@pytest.mark.slow
def test_the_runs_of_a_sweep_belong_to_it(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    app = run_page("learning/cost.py", cost_view="Time", model="tiny-lm")  # it makes some runs to open on a result
    set_rates(monkeypatch, "RUNS", 3)
    set_rates(monkeypatch, "SWEEPS", 1)
    next(each for each in app.button if each.label == "Measure more exactly").click().run()
    assert not messages(app)
    assert len(session_of(app, TimeSession).exact["tiny-lm"]) > 3


def test_a_run_beyond_its_bytes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(RUN_BYTES.variable, "100")
    app = run_page("attention/heads.py", model="tiny-lm", text="this run is too large")
    assert "more than 100 bytes" in messages(app)[0]
    assert "Shift" not in text(app)


def small_picture(shade: int) -> bytes:
    file = BytesIO()
    Image.new("RGB", (32, 32), (shade, shade, shade)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.slow
def test_a_picture_that_had_to_wait_is_read_by_itself(
    counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rates(monkeypatch, "UPLOADS", 1)
    app = run_page("models/see.py", see_model="digits-vit", see_source="upload")
    app.file_uploader(key="see upload").upload("a.png", small_picture(10), "image/png").run()
    assert session_of(app, OwnPictures).by_source["upload"].rgb.max() == 10
    app.file_uploader(key="see upload").upload("b.png", small_picture(90), "image/png").run()
    assert "You have opened 1 file" in messages(app)[0]
    assert session_of(app, OwnPictures).by_source["upload"].rgb.max() == 10, "the old one is still shown"
    clock.now += 60.01
    app.run()
    assert session_of(app, OwnPictures).by_source["upload"].rgb.max() == 90
    assert not messages(app)


def test_a_lecture_file_that_had_to_wait_is_opened_by_a_button(
    counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rates(monkeypatch, "UPLOADS", 1)
    app = run_page("teach/lecture.py", lecture_open="mine")
    for title in ("First", "Second"):
        app.file_uploader[0].upload(f"{title}.toml", write(Lecture(title)).encode(), "application/toml").run()
    assert lecture_of(app).title == "First"
    assert "You have opened 1 file" in messages(app)[0]
    clock.now += 60.01
    app.button(key="open lecture now").click().run()
    assert lecture_of(app).title == "Second"
    assert not [each for each in messages(app) if "opened" in each]


def test_a_text_that_had_to_wait_is_written_on(counts: Counts, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rates(monkeypatch, "TOKENS", 3)
    app = run_page("models/predict.py", model="tiny-lm", text="The robot is", predict_tokens=5)
    assert len(app.session_state["predict_path"]) == 3
    assert "You have had the server write 3 tokens" in messages(app)[0]
    begun = app.session_state["predict_path"]
    clock.now += 60.01
    app.run()
    assert len(app.session_state["predict_path"]) == 5
    assert app.session_state["predict_path"][:3] == begun
