"""The Predict page: what it writes, and how it mends bad input."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model import Model
from model.generation.steps import GenerationStep
from pages.models.predict_parts.kept_text import KeptText
from pages.models.predict_parts.writing import WritingSession
from pages.shared.session.last_made import LastMade
from tests.pages.conftest import components, go, run_sentence, session_of

APP = str(Path(__file__).parents[3] / "app.py")
TEXT = "The capital of France is"


def open_page(**state: object) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page("pages/models/predict.py")
    for key, value in ({"model": "tiny-lm", "text": "the bird is in the", "predict_tokens": 4} | state).items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def page_text(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info, *app.caption))


@pytest.mark.slow
def write_again(app: AppTest) -> None:
    next(each for each in app.button if each.label == "Write again").click().run()
    assert not app.exception


def marks(app: AppTest) -> list[str]:
    return [each.value for each in app.info if "other settings" in each.value]


@pytest.mark.slow
def test_it_writes_what_the_library_generates(smollm2: Model) -> None:
    app = open_page(model="smollm2-135m", text=TEXT)
    steps = list(smollm2.generate(TEXT, max_new_tokens=4))
    assert app.session_state["predict_path"] == tuple(step.chosen for step in steps)
    assert "**Paris** is likeliest, 77%" in page_text(app)


def test_filters_do_not_run_the_model_and_keep_the_path() -> None:
    app = open_page()
    path = app.session_state["predict_path"]
    app.slider(key="predict_temperature").set_value(1.5).run()
    assert app.session_state["predict_path"] == path
    assert "tokens to draw from" in page_text(app)


def test_a_seed_writes_the_same_again_and_another_seed_another() -> None:
    def written(seed: int) -> tuple[int, ...]:
        return open_page(predict_temperature=3.0, predict_seed=seed, predict_tokens=8).session_state["predict_path"]

    assert written(1) == written(1) != written(2)


def test_write_again_draws_another_text_and_the_seed_brings_the_old_one_back() -> None:
    app = open_page(predict_temperature=3.0, predict_seed=1, predict_tokens=8)
    first = app.session_state["predict_path"]
    write_again(app)
    assert app.session_state["predict_seed"] == 2
    assert app.session_state["predict_path"] != first
    app.number_input(key="predict_seed").set_value(0).run()
    write_again(app)
    assert app.session_state["predict_path"] == first


def test_write_again_keeps_the_seed_where_nothing_is_drawn() -> None:
    app = open_page(predict_seed=5)
    first = app.session_state["predict_path"]
    write_again(app)
    assert (app.session_state["predict_seed"], app.session_state["predict_path"]) == (5, first)


@pytest.mark.slow
def test_a_text_of_other_settings_is_marked_until_it_is_written_again() -> None:
    app = open_page(predict_tokens=4)
    assert marks(app) == []
    app.slider(key="predict_temperature").set_value(1.5).run()
    assert ["temperature 0" in mark for mark in marks(app)] == [True]
    app.number_input(key="predict_tokens").set_value(6).run()  # its end is drawn now, its beginning was not
    assert ["temperature 0" in mark for mark in marks(app)] == [True]
    write_again(app)
    assert marks(app) == []
    app.number_input(key="predict_seed").set_value(7).run()
    assert ["temperature 1.5, seed 1" in mark for mark in marks(app)] == [True]


def test_a_text_of_a_link_has_no_mark() -> None:
    path = open_page(predict_tokens=4).session_state["predict_path"]
    assert marks(open_page(predict_tokens=4, predict_path=path, predict_temperature=1.5)) == []


@pytest.mark.slow
def test_a_reader_gets_the_words_that_another_has_had_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_page(text="the fish is in the", predict_temperature=0.7)
    monkeypatch.setattr(Model, "generate", lambda *_, **__: pytest.fail("It writes again."))
    second = open_page(text="the fish is in the", predict_temperature=0.7)
    assert second.session_state["predict_path"] == first.session_state["predict_path"] != ()
    assert page_text(second) == page_text(first)
    first.session_state["text"] = "the bird is in the"  # and back to the sentence from another one
    monkeypatch.undo()
    first.run()
    monkeypatch.setattr(Model, "generate", lambda *_, **__: pytest.fail("It writes again."))
    first.session_state["text"] = "the fish is in the"
    assert first.run().session_state["predict_path"] == second.session_state["predict_path"]


def test_more_tokens_go_on_and_fewer_cut() -> None:
    app = open_page()
    path = app.session_state["predict_path"]
    app.number_input(key="predict_tokens").set_value(6).run()
    longer = app.session_state["predict_path"]
    assert longer[:4] == path
    assert len(longer) == 6 or longer[-1] == 2
    app.number_input(key="predict_tokens").set_value(2).run()
    assert app.session_state["predict_path"] == path[:2]


def test_another_sentence_starts_anew() -> None:
    app = open_page()
    before = app.session_state["predict_path"]
    run_sentence(app, "the dog is")
    assert app.session_state["predict_path"] != before
    assert not app.exception


def test_a_link_restores_its_path_and_does_not_write_on() -> None:
    app = open_page(predict_path=(300, 301), predict_step=1)
    assert app.session_state["predict_path"] == (300, 301)


def test_ids_of_another_model_and_values_out_of_range_are_replaced_with_a_message() -> None:
    app = open_page(predict_path=(999_999,), predict_k=10**9, layer=40)
    assert all(id < 49152 for id in app.session_state["predict_path"])
    assert len(app.session_state["predict_path"]) > 0
    notes = " ".join(each.value for each in app.warning)
    assert "Top-k 1000000000 does not exist here" in notes
    assert "Layer 40 does not exist here" in notes


def test_a_link_that_is_too_long_is_cut_with_a_message() -> None:
    app = open_page(predict_path=tuple(range(300, 700)))
    length = len(app.session_state["predict_path"])
    assert length < 400
    assert any("tokens together" in each.value for each in app.warning)
    assert not app.exception


@pytest.mark.parametrize("text", ["", "   "])
def test_a_sentence_that_cannot_be_run_has_one_message(text: str) -> None:
    app = open_page(text=text)
    assert len(app.error) == 1


def test_of_a_sentence_that_is_too_long_the_beginning_is_read() -> None:
    app = open_page(text="word " * 300)
    assert not app.exception
    assert not app.error
    assert len(components(app)["run_bar"][0]["notes"]) == 1


@pytest.mark.slow
def test_other_kinds_of_models_are_told_apart() -> None:
    app = open_page(model="minilm-l6")
    (note,) = components(app)["run_bar"][0]["notes"]
    assert note.endswith("of a translation. MiniLM L6 comes back on other pages.")
    assert len(app.session_state["predict_path"]) > 0
    go(app, "heads")
    assert app.session_state["model"] == "minilm-l6"


def test_going_back_to_a_branch_keeps_the_others() -> None:
    app = open_page()
    path = app.session_state["predict_path"]
    other = (path[0] + 1, *path[1:])
    app.session_state["predict_path"] = other
    app.run()
    assert session_of(app, WritingSession).branches == [path, other]
    app.session_state["predict_path"] = path[:2]
    app.run()
    assert session_of(app, WritingSession).branches == [path, other]


def test_a_stop_in_the_middle_keeps_the_written_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a script with this exception when the reader presses a button, or leaves the page."""
    generate = Model.generate

    def stop_early(self: Model, *args: Any, **options: Any) -> Iterator[GenerationStep]:
        yield from itertools.islice(generate(self, *args, **options), 2)
        raise StopException

    with monkeypatch.context() as patch:
        patch.setattr(Model, "generate", stop_early)
        app = open_page(text="the cat is near the")  # of no other test: what one reader had written, all have
    path = app.session_state["predict_path"]
    assert len(path) == 2
    session_of(app, WritingSession).wanted = 0  # as the Stop button does
    app.run()
    assert app.session_state["predict_path"] == path
    session_of(app, WritingSession).wanted = 4
    app.run()
    assert app.session_state["predict_path"][:2] == path
    assert len(app.session_state["predict_path"]) == 4


@pytest.mark.slow
def test_the_lens_follows_a_muted_head() -> None:
    app = open_page(predict_view="lens", predict_tokens=0)
    _, whole = session_of(app, LastMade).by_name["logit lens"]
    app.session_state["edits"] = "decoder.0.self_attn.0"
    app.run()
    assert not app.exception
    _, edited = session_of(app, LastMade).by_name["logit lens"]
    assert not edited.probabilities.equal(whole.probabilities)


def test_a_click_in_the_tree_shows_a_branch_as_it_is() -> None:
    app = open_page()
    path = app.session_state["predict_path"]
    session_of(app, WritingSession).wanted = 8  # asked for, and not written when the reader went elsewhere
    app.session_state["predict_path"] = path[:2]
    app.run()
    assert app.session_state["predict_path"] == path[:2]


@pytest.mark.slow
def test_a_conversation_is_answered_to_its_end_and_goes_on() -> None:
    asked = "user: What is the capital of France?"
    app = open_page(model="smollm2-135m", turns=asked)
    assert app.session_state["predict_path"][-1] == 2, "<|im_end|>"
    assert len(app.session_state["predict_path"]) == 8
    next(each for each in app.button if each.label == "Look inside the answer").click().run()
    assert not app.exception
    answered = f"{asked}\nassistant: The capital of France is Paris."
    assert (app.session_state["turns"], app.session_state["predict_path"]) == (answered, ())
    assert "waits for its next turn" in page_text(app)
    assert "KV cache of the turn before" not in page_text(app)
    app.chat_input[0].set_value("And of Italy?").run()
    assert not app.exception
    length, new = session_of(app, KeptText).read or (0, 0)
    assert new < 30 < length, "the prompt of the first turn, with a system text, is not read again"
    assert f"{length - new} were in the KV cache of the turn before, so the model read {new}." in page_text(app)
    assert app.session_state["turns"] == f"{answered}\nuser: And of Italy?"
    assert app.session_state["predict_path"][-1] == 2
    held = session_of(app, KeptText).cache.nbytes
    app.session_state["model"], app.session_state["turns"] = "tiny-lm", ""
    app.run()
    assert session_of(app, KeptText).cache.nbytes < held / 9, "another model's sentence is read, and that one is gone"


@pytest.mark.slow
def test_a_text_may_be_answered_as_a_message() -> None:
    app = open_page(model="smollm2-135m", text="I am a robot", predict_tokens=1)
    next(each for each in app.button if each.label == "Answer it as a message").click().run()
    assert not app.exception
    assert app.session_state["turns"] == "user: I am a robot"
    assert app.session_state["text"] == "I am a robot"
    assert len(app.session_state["predict_path"]) > 1
