"""Who may add which models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from model.errors import UnknownModel
from model.zoo.hub_names import read_name
from pages.adding import local_token, rights
from pages.adding.rights import ALLOWED, ModelsSettingError, NotAllowed
from pages.shared.server.presenters import PRESENTERS
from tests.pages.adding.conftest import Context

ELSEWHERE = {
    "another address": Context("192.168.1.7", Origin="http://192.168.1.2:8501"),
    "a relay of this machine that says nothing": Context("127.0.0.1", Origin="http://localhost:8501"),
    "a proxy that says so": Context(Origin="http://localhost:8501", X_Forwarded_For="1.2.3.4"),
    "no browser": Context(),
}
PATHS = ("/etc/passwd", "/etc/no-such-file", "~root/x", "~nobody-here/x", "~", "./m.gguf", "C:/a/m.gguf", "file:///etc")


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Any:
    def visit(context: Context, address: str | None = None) -> None:
        monkeypatch.setattr(st, "context", context)
        monkeypatch.setattr(st, "get_option", lambda name: address)

    return visit


def local() -> Context:
    """A browser that was opened with the token."""
    return Context(cookies={"glassformer_local_8501": local_token._cookie_value()})


def test_unset_a_local_browser_adds_anything(visit: Any) -> None:
    for address in (None, "localhost", "127.0.0.1", "::1"):
        visit(Context(), address)
        visit(local(), address)
        for name in ("openai-community/gpt2", "/models/my-model", "./model.gguf"):
            rights.check(name)
        assert rights.may_remove()


@pytest.mark.parametrize("context", ELSEWHERE.values(), ids=ELSEWHERE)
def test_unset_nobody_else_adds_anything(visit: Any, context: Context) -> None:
    visit(context)
    for name in ("openai-community/gpt2", *PATHS):
        with pytest.raises(NotAllowed, match="by whoever runs it: open the address that the start printed"):
            rights.check(name)
    assert not rights.may_remove()


@pytest.mark.parametrize("context", ELSEWHERE.values(), ids=ELSEWHERE)
def test_who_is_not_local_hears_nothing_of_paths(visit: Any, monkeypatch: pytest.MonkeyPatch, context: Context) -> None:
    monkeypatch.setenv(ALLOWED, "*")
    visit(context)
    answers = set()
    for path in PATHS:
        with pytest.raises(NotAllowed, match="only by whoever runs this server") as caught:
            rights.check(path)
        answers.add(str(caught.value))
    assert len(answers) == 1


def test_a_server_that_faces_others_adds_nothing_unless_it_is_told(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    visit(Context())
    visitor = local()
    visit(visitor, "0.0.0.0")
    with pytest.raises(NotAllowed, match="by whoever runs it; or by python -m glassformer add NAME"):
        rights.check("openai-community/gpt2")
    monkeypatch.setenv(ALLOWED, "*")
    rights.check("openai-community/gpt2")
    with pytest.raises(NotAllowed, match=r"only by whoever runs this server\."):
        rights.check("/models/my-model")
    assert not rights.may_remove()


def test_a_folder_of_another_user_has_no_short_name(visit: Any) -> None:
    assert {str(read_name(path)) for path in ("~root/x", "~nobody-here/x")} == {"~root/x", "~nobody-here/x"}
    assert read_name("~/x") == Path.home() / "x"


def test_a_list_of_names_and_patterns(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "openai-community/gpt2, EleutherAI/pythia-*")
    visit(Context("192.168.1.7", Origin="http://192.168.1.2:8501"))
    for name in ("OpenAI-community/GPT2", "EleutherAI/pythia-70m@step0"):
        rights.check(name)
    with pytest.raises(NotAllowed, match="It adds: openai-community/gpt2, eleutherai/pythia"):
        rights.check("EleutherAI/gpt-neo")
    with pytest.raises(UnknownModel):
        rights.check("a-model")


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_an_empty_list_switches_adding_off(visit: Any, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(ALLOWED, text)
    assert rights.is_off()
    with pytest.raises(NotAllowed, match="switched off"):
        rights.check("openai-community/gpt2")
    assert not rights.may_remove()


def test_an_impossible_setting_stops_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "gpt2")
    with pytest.raises(ModelsSettingError, match="names 'gpt2'"):
        rights.check_settings()


def test_where_presenters_sign_in_only_they_add(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, "anna@university.example")
    monkeypatch.setenv(ALLOWED, "*")
    monkeypatch.setattr("pages.shared.server.presenters.find_spec", lambda name: name)
    visit(Context("192.168.1.7", Origin="https://glassformer.example"))
    monkeypatch.setattr(st, "user", {"is_logged_in": False})
    with pytest.raises(NotAllowed, match="Sign in to add a model"):
        rights.check("openai-community/gpt2")
    anna = {"is_logged_in": True, "email": "anna@university.example", "email_verified": True}
    monkeypatch.setattr(st, "user", anna)
    rights.check("openai-community/gpt2")
    assert rights.may_remove()
    monkeypatch.setattr(st, "user", anna | {"email": "zoe@elsewhere.example"})
    with pytest.raises(NotAllowed, match="may not add models"):
        rights.check("openai-community/gpt2")
