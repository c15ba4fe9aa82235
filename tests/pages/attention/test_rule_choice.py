"""Heads, "Many texts", "Rule": the menus of a rule, and its test."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.surveys import kept_readings
from model.surveys.rule_text import read_rule
from pages.attention.heads_parts import own_texts, readings
from pages.shared.elements.page import opened
from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.attention.test_many_texts import open_page, press
from tests.pages.conftest import messages, shown_page
from views.attention.many_texts.rule import RuleOnTexts


def open_rule(**values: object) -> AppTest:
    return open_page(heads_many="Rule", **values)


def view_on(app: AppTest) -> RuleOnTexts:
    view = shown_page(app).view
    assert isinstance(view, RuleOnTexts)
    return view


def rule_of(app: AppTest) -> str:
    return str(app.session_state["heads_rule"])


def test_a_rule_is_made_of_menus() -> None:
    app = open_rule()
    assert view_on(app).is_tested
    app = app.selectbox(key="heads rule 0").select("previous").run()
    assert rule_of(app) == "previous"
    app = press(app, "Else")
    assert rule_of(app) == "previous | first"
    app = app.selectbox(key="heads rule 1").select("nearest").run()
    assert rule_of(app) == "previous | nearest(comma)"
    app = app.multiselect(key="heads rule 1 of").set_value(["full stop", "and"]).run()
    app = app.text_input(key="heads rule 1 like").set_value("*ing").run()
    assert rule_of(app) == 'previous | nearest(full stop, "and", like "*ing")'
    app = press(app, "Leave out")
    assert rule_of(app) == 'nearest(full stop, "and", like "*ing")'
    assert not app.exception
    assert view_on(app).rule.words == "at the nearest of: full stop, “and”, a word like *ing"
    assert view_on(app).is_tested, "a small model has tested it at once"


def test_a_scene_of_a_lecture_has_its_rule() -> None:
    rule = 'nearest(comma, "and", like "*ing") | first'
    link = {"model": "tiny-lm", "text": "a cat", "heads_view": "Many texts", "heads_many": "Rule", "heads_rule": rule}
    lecture = Lecture("Rules", scenes=(Scene("heads", link | {"heads_kinds": "bank"}, "One rule"),))
    read, problems = lecture_file.read(lecture_file.write(lecture).encode())
    assert not problems
    (scene,) = read.scenes
    with opened(scene.page, scene.state) as page:
        assert isinstance(page.view, RuleOnTexts)
        assert page.view.rule == read_rule(rule)
        assert page.view.is_tested


def test_words_of_the_readers_own_texts_are_marked_when_asked() -> None:
    app = open_rule(heads_rule="marked", heads_kinds="", heads_texts="mine")
    app = app.text_area(key=own_texts.PASTE).set_value("the [[dog]] sees the cat\na [[cat]] is here").run()
    assert any("No word is marked" in each.value for each in app.info)
    app = app.checkbox(key=own_texts.MARKED).check().run()
    view = view_on(app)
    assert [text.content for text in view.reading.collection.texts] == ["the dog sees the cat", "a cat is here"]
    assert view.score.asked == 3 + 2
    app = app.checkbox(key=own_texts.MARKED).uncheck().run()
    assert view_on(app).reading.collection.texts[0].content == "the [[dog]] sees the cat"
    assert not app.exception


def test_the_last_mark_can_go_before_another_one_comes() -> None:
    app = open_rule(heads_rule="nearest(comma)")
    app = app.multiselect(key="heads rule 0 of").set_value([]).run()
    assert rule_of(app) == "nearest(comma)"
    assert app.multiselect(key="heads rule 0 of").value == []
    app = app.multiselect(key="heads rule 0 of").set_value(["full stop"]).run()
    assert rule_of(app) == "nearest(full stop)"


@pytest.mark.parametrize("rule", ["nonsense", "nearest(dash)", "previous |", "x" * 400])
def test_a_link_with_no_rule_says_what_is_possible(rule: str) -> None:
    app = open_rule(heads_rule=rule)
    assert rule_of(app) == "same-earlier"
    assert any("Possible are" in message for message in messages(app))
    assert view_on(app).is_tested


def test_a_rule_that_is_too_long_for_a_link_is_left_as_it_was() -> None:
    app = open_rule(heads_rule="nearest(comma)")
    app = app.text_input(key="heads rule 0 like").set_value("x" * 400).run()
    assert rule_of(app) == "nearest(comma)"
    assert any("at most 400 characters" in message for message in messages(app))


def test_a_slow_rule_waits_until_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept_readings, "cache_folder", lambda: tmp_path)
    app = open_rule()  # the texts are read
    monkeypatch.setattr(readings, "QUICK_SECONDS", -1.0)
    app = press(app, "Else")
    assert not view_on(app).is_tested
    assert any("This rule is not tested yet" in each.value for each in app.info)
    app = press(app, "Test this rule")
    assert view_on(app).is_tested
    assert not app.exception
