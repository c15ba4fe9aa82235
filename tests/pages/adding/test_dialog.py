"""The dialog that adds a model, by AppTest, with the real client of the hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from model import available
from model.adding.add import add
from model.engine.choice import load as load_for_page
from model.errors import UnknownModel
from pages.adding import dialog, rights
from pages.adding.dialog import AddingSession
from tests.model.adding.hub_server import Repository
from tests.pages.adding.conftest import CARD, NAME
from tests.pages.conftest import components, messages, open_link, run_page, session_of, tell, text

WAIT_SECONDS = 30


@pytest.fixture(autouse=True)
def _this_machine(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without a browser nothing says where the visitor is."""
    monkeypatch.setattr(rights, "is_local", lambda: True)
    dialog.downloads.clear()
    yield
    dialog.downloads.clear()


def opened(page: str = "attention/heads.py", **state: object) -> AppTest:
    return tell(run_page(page, model="tiny-lm", text="I am a robot", **state), "run_bar", "add", True)


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [each for each in app.button if each.label == label]
    button.click().run()
    assert not app.exception
    return app


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button]


def look(app: AppTest, name: str) -> AppTest:
    app.text_input(key=dialog.FIELD).set_value(name)
    return press(app, "Look")


def wait_until_over(app: AppTest) -> AppTest:
    """Run the dialog again, as its pulse does, until the download is over."""
    session_of(app, AddingSession).work.ended.wait(WAIT_SECONDS)
    app.run()
    assert not app.exception
    return app


def models_of_bar(app: AppTest) -> dict[str, str]:
    return {each["name"]: each["note"] for each in components(app)["run_bar"][0]["models"]}


@pytest.mark.slow
def test_look_add_use_and_remove(repository: Repository) -> None:
    app = opened()
    assert "openai-community/gpt2" in app.text_input(key=dialog.FIELD).placeholder
    look(app, NAME)
    shown = text(app).replace("\\", "")
    assert ":gray[Family] Llama" in shown
    assert ":gray[Licence] apache-2.0" in shown
    assert CARD not in models_of_bar(app)
    press(app, "Add")
    wait_until_over(app)
    assert [each.value.replace("\\", "") for each in app.success] == ["tiny-llama is ready."]
    assert models_of_bar(app)[CARD] == f"{CARD} · decoder · 3 layers × 4 heads"
    press(app, "Use it now")
    assert not [each for each in app.text_input if each.key == dialog.FIELD], "the dialog is closed"
    assert app.query_params["model"] == CARD
    assert components(app)["run_bar"][0]["model"] == CARD
    assert len(app.get("bidi_component")) > 1
    tell(app, "run_bar", "add", True)
    press(app, "Remove")
    assert CARD not in models_of_bar(app)
    assert any("is not on this machine" in each for each in messages(app)), "the link's model is gone"


@pytest.mark.slow
def test_a_folder_and_its_heads(checkpoint: Path) -> None:
    app = look(opened(), str(checkpoint))
    wait_until_over(press(app, "Add"))
    press(app, "Use it now")
    assert app.query_params["model"] == "folder:tiny-llama"
    assert components(app)["attention_lines"]


@pytest.mark.slow
def test_nothing_on_the_page_changes_while_a_model_comes(repository: Repository) -> None:
    repository.gate = Event()
    app = press(look(opened(heads_view="Matrix"), NAME), "Add")
    assert "Cancel" in labels(app)
    assert (app.session_state["model"], app.session_state["heads_view"]) == ("tiny-lm", "Matrix")
    work = session_of(app, AddingSession).work
    press(app, "Cancel")
    repository.gate.set()
    assert work.ended.wait(WAIT_SECONDS)
    assert work.card is None
    assert "Add" in labels(app), "it may be tried again"
    assert not [card for card in available() if card.is_added]


def test_what_cannot_be_added_says_why(repository: Repository) -> None:
    app = look(opened(), "a model")
    assert any("names no model" in each for each in messages(app))
    look(app, "nobody/nothing")
    assert any("The hub has no model nobody/nothing" in each.replace("\\", "") for each in messages(app))
    assert "Add" not in labels(app)


def test_a_name_is_never_markdown(repository: Repository) -> None:
    app = look(opened(), "[click](http://evil.example)")
    assert not [each for each in messages(app) if "](http" in each]


def test_a_link_to_a_model_that_is_not_here_says_how_to_get_it(empty_machine: Path) -> None:
    app = open_link("attention/heads.py", model=CARD)
    assert any(f"python -m glassformer add {CARD}" in each for each in messages(app))
    assert app.session_state["model"] != CARD


def test_a_link_opens_no_path(checkpoint: Path) -> None:
    app = open_link("attention/heads.py", model=str(checkpoint))
    assert app.session_state["model"] != str(checkpoint)
    assert any("does not exist here" in each for each in messages(app))
    with pytest.raises(UnknownModel, match="opens no path"):
        load_for_page(str(checkpoint))


def test_a_link_without_the_whole_commit_finds_the_model(repository: Repository) -> None:
    add(NAME)
    for name in (NAME, f"{NAME}@c0ffee"):
        app = open_link("attention/heads.py", model=name)
        assert app.session_state["model"] == CARD
    app = open_link("attention/heads.py", model=f"{NAME}@deadbeef")
    assert any("the same model at another commit" in each for each in messages(app))


def test_where_adding_is_off_nothing_is_offered(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(rights.ALLOWED, "")
    app = run_page("attention/heads.py", model="tiny-lm")
    assert components(app)["run_bar"][0]["adds"] is False


def test_another_machine_is_told_who_may_add(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rights, "is_local", lambda: False)
    app = opened()
    assert any("whoever runs it" in each.value for each in app.info)
    assert not app.text_input


def test_names_that_were_perhaps_meant_are_buttons(repository: Repository) -> None:
    app = look(opened(), "gpt-2")
    assert any("names no model" in each for each in messages(app))
    name = "openai-community/gpt2"
    (offered,) = [each for each in app.button if each.key == f"instead {name}"]
    assert offered.label.replace("\\", "") == name
    offered.click().run()
    assert not app.exception
    assert app.text_input(key=dialog.FIELD).value == name
    assert any(f"The hub has no model {name}" in each.replace("\\", "") for each in messages(app)), "it was asked for"
    assert not [each for each in app.button if each.key == f"instead {name}"]


def test_an_address_of_the_hub_is_looked_at_and_said_what_it_gives(repository: Repository) -> None:
    app = look(opened(), f"https://huggingface.co/{NAME}/tree/main?library=transformers")
    shown = text(app).replace("\\", "")
    assert ":gray[Gives] the next word" in shown
    assert ":gray[Weights] model.safetensors" in shown
    assert "Add" in labels(app)


def test_a_data_set_is_refused_with_the_reason() -> None:
    app = look(opened(), "https://huggingface.co/datasets/someone/texts")
    assert any("is a data set of the hub, not a model" in each for each in messages(app))
    assert "Add" not in labels(app)
