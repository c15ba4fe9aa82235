"""Links and lectures with the older names of keys open on the same view as those with the names of today."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

import pytest
from streamlit.navigation.page import Page
from streamlit.testing.v1 import AppTest

from pages.catalogue import BY_URL
from pages.shared.server.session_values import of_session
from pages.shared.session import key_texts, state
from pages.shared.session.keys import KEYS, SHARED_PLACES
from pages.shared.session.old_names import NEW_NAMES, NEW_SHARED_NAMES, WITHOUT_ONE_NAME, rename
from pages.shared.session.view_session import ViewSession
from pages.teach.lectures import lecture_file
from tests.pages.conftest import messages, open_link

ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}
URDU = {"model": "en-ur", "text": "I am a robot"}
# page, the values of a link from before, the same values under the names of today
VIEWS: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("home", ENGLISH | {"home_layer": "2"}, {"layer": "2"}),
    ("tokens", ENGLISH | {"tokens_part": "embedding", "tokens_token": "3"}, {"query": "3"}),
    (
        "positions",
        {"model": "tiny-lm-rotary", "text": "the dog sees the cat", "positions_part": "rotary"}
        | {"positions_layer": "1", "positions_head": "2", "positions_query": "3", "positions_key": "1"},
        {"layer": "1", "head": "2", "query": "3", "key": "1"},
    ),
    (
        "scores",
        URDU
        | {"scores_attention": "decoder.cross_attn", "scores_layer": "1", "scores_head": "3"}
        | {"scores_query": "2", "scores_key": "1"},
        {"attention": "decoder.cross_attn", "layer": "1", "head": "3", "query": "2", "key": "1"},
    ),
    (
        "masks",
        ENGLISH | {"masks_part": "ways", "masks_layer": "2", "masks_head": "1", "masks_query": "3", "masks_key": "0"},
        {"layer": "2", "head": "1", "query": "3", "key": "0"},
    ),
    (
        "heads",
        URDU | {"heads_stack": "encoder", "heads_layer": "1", "heads_head": "1"},
        {"attention": "encoder.self_attn", "layer": "1", "head": "1"},
    ),
    ("heads", URDU | {"heads_attention": "cross_attn"}, {"attention": "decoder.cross_attn"}),
    (
        "heads",
        ENGLISH
        | {"heads_view": "What they do", "heads_work": "turns", "heads_asked": "answer", "heads_summed": "role"},
        {"asked": "answer", "summed": "role"},
    ),
    (
        "heads",
        ENGLISH | {"heads_stack": "decoder", "heads_query": "-2"},
        {"attention": "decoder.self_attn", "query": "-2"},
    ),
    (
        "combine",
        URDU | {"combine_place": "encoder.self_attn", "combine_layer": "1", "combine_token": "2"}
        | {"combine_view": "Each head's part"},
        {"attention": "encoder.self_attn", "layer": "1", "query": "2"},
    ),
    (
        "block",
        URDU | {"block_part": "ffn", "block_stack": "encoder", "block_layer": "1", "block_token": "2"},
        {"attention": "encoder.self_attn", "layer": "1", "query": "2"},
    ),
    ("predict", ENGLISH | {"predict_layer": "2", "predict_head": "3"}, {"layer": "2", "head": "3"}),
    ("predict", ENGLISH | {"predict_layer": "2", "predict_head": "-1"}, {"layer": "2", "predict_mean": "yes"}),
    ("heads", ENGLISH | {"muted": "decoder.1.self_attn.2"}, {"edits": "decoder.1.self_attn.2"}),
    ("home", URDU | {"muted": "encoder.0.ffn*2,decoder.1.ffn"}, {"edits": "encoder.0.ffn*2,decoder.1.ffn"}),
    (
        "why",
        ENGLISH | {"why_part": "steer", "muted": "decoder.2.resid_in*2@all|the happy dog|a dog%2C sad"},
        {"edits": "decoder.2.resid_in*2@all|the happy dog|a dog%2C sad"},
    ),
]  # fmt: skip
LECTURE = """
format = 1
title = "From before"

[[scenes]]
page = "{page}"

[scenes.state]
{state}
"""


def is_old(name: str) -> bool:
    return name in (*NEW_NAMES, *NEW_SHARED_NAMES, *WITHOUT_ONE_NAME)


def with_new_names(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in old.items() if not is_old(name)} | dict(new)


def values_of(app: AppTest) -> dict[str, object]:
    return {name: app.session_state[name] for name in KEYS}


@pytest.mark.parametrize(("page", "old", "new"), VIEWS)
def test_an_old_link_opens_the_same_view(page: str, old: dict[str, str], new: dict[str, str]) -> None:
    file = BY_URL[page].file.removeprefix("pages/")
    before, today = open_link(file, **old), open_link(file, **with_new_names(old, new))
    assert not before.exception
    assert not messages(before)
    assert values_of(before) == values_of(today)
    assert before.query_params == today.query_params
    assert {name: key_texts.to_text(before.session_state[name]) for name in new} == new


@pytest.mark.parametrize(("page", "old", "new"), VIEWS)
def test_an_old_lecture_is_read_under_the_names_of_today(page: str, old: dict[str, str], new: dict[str, str]) -> None:
    written = "\n".join(f'{name} = "{value}"' for name, value in old.items())
    lecture, problems = lecture_file.read(LECTURE.format(page=page, state=written).encode())
    assert not problems
    held = lecture.scenes[0].state
    assert {name: held[name] for name in with_new_names(old, new)} == with_new_names(old, new)
    assert not [name for name in held if key_texts.find_fault(name, page, held[name])]


@pytest.mark.parametrize(("page", "old", "new"), VIEWS)
def test_a_scene_that_is_shown_from_memory_has_the_names_of_today(
    page: str, old: dict[str, str], new: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state.st, "session_state", {})
    session = of_session(ViewSession)
    session.pages = {page: cast("Page", SimpleNamespace(url_path=page))}
    state.show(page, old)
    assert session.wanted is not None
    wanted_page, wanted = session.wanted
    assert wanted is not None
    assert wanted_page == page
    assert {name: wanted[name] for name in new} == new


def test_the_keys_of_today_have_no_old_name() -> None:
    assert not [name for name in KEYS if is_old(name)]
    assert set(NEW_NAMES.values()) == {*SHARED_PLACES, "asked", "summed"}


def test_a_name_of_today_outweighs_an_old_one() -> None:
    assert rename("heads", {"heads_layer": "1", "layer": "2"}) == {"layer": "2"}
    assert rename("heads", {"muted": "decoder.1.ffn", "edits": ""}) == {"edits": ""}


def test_a_key_of_another_page_is_not_read() -> None:
    assert rename("heads", {"scores_layer": "1"}) == {"scores_layer": "1"}


def test_the_lectures_that_come_with_the_app_have_the_names_of_today() -> None:
    for path in lecture_file.FOLDER.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        assert not [line for line in text.splitlines() if is_old(line.partition(" =")[0])], path.name
