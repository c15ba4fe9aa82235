"""Who may add which models."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from model.errors import UnknownModel
from pages.adding import rights
from pages.adding.rights import ALLOWED, ModelsSettingError, NotAllowed
from pages.teach.presenting.presenters import PRESENTERS


class Context:
    """What Streamlit tells of a visitor's connection."""

    def __init__(self, ip_address: str | None = None, **headers: str) -> None:
        self.ip_address = ip_address
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


LOCAL = Context(Origin="http://localhost:8501")
ELSEWHERE = {
    "another address": Context("192.168.1.7", Origin="http://192.168.1.2:8501"),
    "a proxy that says so": Context(Origin="http://localhost:8501", X_Forwarded_For="1.2.3.4"),
    "a proxy that says nothing": Context(Origin="https://glassformer.example"),
    "no browser": Context(),
}


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Any:
    def visit(context: Context, address: str | None = None) -> None:
        monkeypatch.setattr(st, "context", context)
        monkeypatch.setattr(st, "get_option", lambda name: address)

    visit(LOCAL)
    return visit


def test_unset_a_browser_on_this_machine_adds_anything(visit: Any) -> None:
    for address in (None, "localhost", "127.0.0.1", "::1"):
        visit(LOCAL, address)
        for name in ("openai-community/gpt2", "/models/my-model", "./model.gguf"):
            rights.check(name)
        assert rights.may_remove()


@pytest.mark.parametrize("context", ELSEWHERE.values(), ids=ELSEWHERE)
def test_unset_nobody_else_adds_anything(visit: Any, context: Context) -> None:
    visit(context)
    for name in ("openai-community/gpt2", "/models/my-model"):
        with pytest.raises(NotAllowed, match="by whoever runs it"):
            rights.check(name)
    assert not rights.may_remove()


def test_a_server_that_faces_others_adds_nothing_unless_it_is_told(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    visit(LOCAL, "0.0.0.0")
    with pytest.raises(NotAllowed):
        rights.check("openai-community/gpt2")
    monkeypatch.setenv(ALLOWED, "*")
    rights.check("openai-community/gpt2")
    with pytest.raises(NotAllowed, match="only by a browser on the machine"):
        rights.check("/models/my-model")
    assert not rights.may_remove()


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
    monkeypatch.setattr("pages.teach.presenting.presenters.find_spec", lambda name: name)
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
