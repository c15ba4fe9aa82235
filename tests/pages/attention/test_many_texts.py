"""Heads, "Many texts": which texts are read, and how the reading begins, is stopped and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model.surveys import kept_readings
from model.surveys.reading import Reading
from pages.adding import local_token
from pages.attention.heads_parts import readings
from tests.pages.conftest import components, messages, run_page, shown_page, tell, text
from views.attention.many_texts import not_read
from views.attention.many_texts.reading_view import ReadingView
from views.attention.many_texts.strongest_places import StrongestPlaces
from views.attention.many_texts.texts import built_in, count_read
from viz.shared.style import plain_text

MANY = len(built_in("small world", "bank").texts)


def open_page(**values: object) -> AppTest:
    start = {"model": "tiny-lm", "text": "the dog sees the cat", "heads_view": "Many texts", "heads_kinds": "bank"}
    return run_page("attention/heads.py", **(start | values))


def press(app: AppTest, label: str) -> AppTest:
    return next(each for each in app.button if each.label == label).click().run()


def give(app: AppTest, name: str, text: str) -> AppTest:
    return app.file_uploader[0].upload(name, text.encode(), "text/csv").run()


def labels(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & {"Read the texts", "Go on", "Stop"}


def reading_on(app: AppTest) -> Reading:
    view = shown_page(app).view
    assert isinstance(view, ReadingView)
    return view.reading


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each batch is a step, and none is read before the reader asks for it. Nobody has read these texts."""
    monkeypatch.setattr(readings, "QUICK_SECONDS", -1.0)
    monkeypatch.setattr(readings, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(kept_readings, "cache_folder", lambda: tmp_path)
    readings.whole.clear()


def test_a_small_model_reads_its_texts_at_once() -> None:
    app = open_page()
    assert reading_on(app).is_whole
    assert not labels(app)
    assert not messages(app)


@pytest.mark.usefixtures("slow")
def test_the_texts_are_read_when_the_reader_asks_for_it() -> None:
    app = open_page()
    assert labels(app) == {"Read the texts"}
    assert any("reads 35 texts once" in each.value for each in app.info)
    app = press(app, "Read the texts")
    assert not app.exception
    assert reading_on(app).is_whole
    assert not labels(app)


@pytest.mark.usefixtures("slow")
def test_a_reading_that_is_stopped_stays_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    steps, read_step = [], readings.read_step

    def ends_early(*args: object, **how: object) -> Reading:
        if steps:
            raise StopException
        steps.append(read_step(*args, **how))  # type: ignore[arg-type]
        return steps[-1]

    monkeypatch.setattr(readings, "read_step", ends_early)
    app = press(open_page(), "Read the texts")
    assert labels(app) == {"Stop"}
    assert 0 < count_read(reading_on(app)) < MANY
    app = press(app, "Stop")
    assert reading_on(app) == steps[0]
    assert f"**Partial**: {count_read(steps[0])} of {MANY} texts" in text(app)
    monkeypatch.setattr(readings, "read_step", read_step)
    app = press(app, "Go on")
    assert reading_on(app).is_whole
    assert "Partial" not in text(app)


@pytest.mark.slow
def test_what_a_head_of_cross_attention_cannot_show_is_replaced() -> None:
    """The page says so. Nothing is near or far in another sentence."""
    shown = {"heads_many": "This head", "heads_about": "distance", "heads_kinds": "translated"}
    app = open_page(model="en-ur", text="I am a robot", attention="decoder.cross_attn", **shown)
    assert "What is shown of a head “distance” does not exist here. Shown: “strongest places”." in messages(app)[0]
    assert isinstance(shown_page(app).view, StrongestPlaces)


def test_a_time_is_said_as_somebody_would_who_cannot_know_it() -> None:
    said = [not_read.say_time(seconds) for seconds in (0.2, 12, 33, 70, 290)]
    assert said == ["a few seconds", "about a quarter of a minute", "about half a minute", "about a minute",
                    "about 5 minutes"]  # fmt: skip


def test_pasted_texts_are_read() -> None:
    app = open_page(heads_texts="mine")
    assert "not in this window" in app.info[0].value
    app.text_area(key="own texts pasted").set_value("the dog sees the cat\n\nthe cat sleeps").run()
    assert [each.content for each in reading_on(app).collection.texts] == ["the dog sees the cat", "the cat sleeps"]
    assert not messages(app)
    app = press(app, "Forget them")
    assert app.session_state["heads_texts"] == ""
    assert reading_on(app).collection.name == "The small world"


def test_a_file_with_broken_rows_is_read_without_them() -> None:
    rows = ["name,text", *(f"{n},the dog sees cat {n}" for n in range(3)), *["too,many,values"] * 4, '5,"the cat']
    app = give(open_page(heads_texts="mine"), "reviews.csv", "\n".join(rows))
    assert len(reading_on(app).collection.texts) == 3
    (warning,) = app.warning
    assert "5 lines gave no text" in warning.value
    assert "Line 5: it has 3 values, and the first row names 2" in plain_text(warning.value)
    assert list(app.expander[0].dataframe[0].value["line"]) == [5, 6, 7, 8, 9]
    assert list(app.selectbox(key="own texts column").options) == ["name", "text"]
    app.selectbox(key="own texts column").set_value("name").run()
    assert reading_on(app).collection.texts[0].content == "0"


def test_a_file_whose_column_is_not_known_asks_for_it() -> None:
    app = give(open_page(heads_texts="mine"), "reviews.csv", "title,body\nDog,the dog sleeps\n")
    assert "which column has the texts" in app.error[0].value
    app.selectbox(key="own texts column").set_value("body").run()
    assert not app.error
    assert reading_on(app).collection.texts[0].content == "the dog sleeps"


def test_what_the_browser_keeps_comes_back_to_a_new_session() -> None:
    app = open_page(heads_texts="mine")
    assert components(app)["text_memory"][0]["kept"] is None
    kept = {"name": "mine.txt", "text": "the dog sleeps", "column": ""}
    app = tell(app, "text_memory", "restore", kept)
    assert reading_on(app).collection.texts[0].content == "the dog sleeps"
    assert components(app)["text_memory"][0]["kept"] == kept
    app.checkbox(key="own texts kept").uncheck().run()
    assert components(app)["text_memory"][0]["kept"] is None


@pytest.mark.parametrize("kept", ["texts", {"name": 1}, {"name": "a.txt", "text": None, "column": ""}, None])
def test_what_a_browser_makes_up_is_nothing(kept: object) -> None:
    app = tell(open_page(heads_texts="mine"), "text_memory", "restore", kept)
    assert not app.exception
    assert "not in this window" in app.info[0].value


def test_a_server_writes_nothing_of_a_readers_texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept_readings, "cache_folder", lambda: tmp_path)
    app = open_page(heads_texts="mine")
    app.text_area(key="own texts pasted").set_value("the frog waits").run()
    assert reading_on(app).is_whole
    assert not list(tmp_path.rglob("*"))
    monkeypatch.setattr(local_token, "is_local", lambda: True)
    app.text_area(key="own texts pasted").set_value("the frog sings").run()
    assert len(list(tmp_path.rglob("*.safetensors"))) == 1


def test_texts_that_the_model_cannot_read_are_said_to_be_so() -> None:
    app = open_page(heads_texts="mine")
    app.text_area(key="own texts pasted").set_value("dog " * 500).run()
    assert app.info[0].value.startswith("This model can read none of these texts. The text has 502 tokens")
    assert not labels(app)
