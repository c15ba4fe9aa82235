"""Muted heads: the run bar's sign and its undo, the edited run on every page, links, and hostile values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import ablate, load
from model.edits.parts import scale
from model.edits.text import parse, write
from pages.catalogue import PAGES
from pages.shared.model_runs.edited_parts import MAX_EDITS
from pages.shared.model_runs.traces import RunsOfSession
from pages.shared.session.keys import KEYS
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import components, go, messages, open_link, run_page, run_sentence, session_of, tell
from tests.pages.executed_notebooks import executed, written
from views.shared import edit_words

TEXT = "The quick brown fox"
HEAD = "decoder.1.self_attn.2"
START: dict[str, Any] = {"model": "tiny-lm", "text": TEXT, "layer": 1, "head": 2}


def bar(app: AppTest) -> dict[str, Any]:
    return components(app)["run_bar"][0]


def mute(app: AppTest, head: str = HEAD) -> AppTest:
    tell(app, "run_bar", "mute", head)
    assert not app.exception
    return app


def signs(app: AppTest) -> list[str]:
    return [head["title"] for head in bar(app)["edits"]]


def shares(app: AppTest) -> dict[str, tuple[float | None, float]]:
    """The outcomes on Heads: label -> share of the whole model, and of the run."""
    return {row["label"]: (row["whole"], row["share"]) for row in components(app)["next_words"][0]["rows"]}


def next_shares(model: str, text: str, *edits: Any) -> torch.Tensor:
    return load(model).trace(text, keep="logits", edits=edits).logits[-1].softmax(-1)


def test_one_press_mutes_the_head_on_screen_and_one_undoes_it() -> None:
    app = run_page("attention/heads.py", **START)
    before = shares(app)
    assert bar(app)["mute"] == {
        "id": HEAD,
        "title": "Layer 1, head 2",
        "how": "muted",
        "is_muted": False,
        "is_full": False,
    }
    assert signs(app) == []
    assert all(whole is None for whole, _ in before.values())
    mute(app)
    assert bar(app)["mute"]["is_muted"]
    assert signs(app) == ["Layer 1, head 2"]
    mute(app)
    assert signs(app) == []
    assert not bar(app)["mute"]["is_muted"]
    assert shares(app) == before


def test_the_outcomes_on_heads_are_those_of_the_library() -> None:
    app = mute(run_page("attention/heads.py", **START))
    whole, edited = next_shares("tiny-lm", TEXT), next_shares("tiny-lm", TEXT, ablate("decoder.1.self_attn", 2))
    assert float((whole - edited).abs().max()) > 1e-4, "muting this head does something"
    tokens = {token.text: token.id for token in load("tiny-lm").tokenizer.tokens(range(len(whole)))}
    found = shares(app)
    assert len(found) >= 4
    for label, (before, after) in found.items():
        id = tokens[label.replace("·", " ")]
        assert before == pytest.approx(float(whole[id]), abs=1e-5)
        assert after == pytest.approx(float(edited[id]), abs=1e-5)


def test_the_heads_above_are_those_of_the_edited_run() -> None:
    app = mute(run_page("attention/heads.py", **START))
    tell(app, "run_bar", "place", ["layer", 3])
    drawn = components(app)["attention_lines"][1]["weights"]
    plain = components(run_page("attention/heads.py", **START | {"layer": 3}))["attention_lines"][1]["weights"]
    link = open_link("attention/heads.py", model="tiny-lm", text=TEXT, layer="3", head="2", edits=HEAD)
    assert not np.array_equal(drawn, plain)
    assert np.array_equal(drawn, components(link)["attention_lines"][1]["weights"])


@pytest.mark.slow
def test_every_page_that_shows_the_run_shows_the_edited_one() -> None:
    app = mute(run_page("attention/heads.py", **START))
    go(app, "combine")
    assert signs(app) == ["Layer 1, head 2"]
    concat = session_of(app, RunsOfSession).last_good
    assert write(concat.edits) == HEAD
    assert dict(app.query_params)["edits"] in (HEAD, [HEAD])
    go(app, "home")
    edited = next_shares("tiny-lm", TEXT, ablate("decoder.1.self_attn", 2))
    bars = components(app)["model_map"][0]["outcome"]["bars"]
    assert bars[0]["share"] == pytest.approx(float(edited.max()), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("page", [entry.file for entry in PAGES if not entry.is_tool])
def test_every_page_either_runs_without_the_head_or_says_that_it_does_not(page: str) -> None:
    app = run_page("attention/heads.py", **START)
    mute(app)
    entry = next(each for each in PAGES if each.file == page)
    go(app, entry.url)
    assert signs(app) == ["Layer 1, head 2"]
    uses_the_model = entry.url in KEYS["edits"].pages and bar(app)["model"] == "tiny-lm"
    assert bar(app)["is_edited"] == uses_the_model
    assert ("edits" in app.query_params) == (entry.url in KEYS["edits"].pages)


def test_undo_and_redo_go_over_the_mute() -> None:
    app = mute(run_page("attention/heads.py", **START))
    assert bar(app)["undo"]
    tell(app, "run_bar", "step", "undo")
    assert signs(app) == []
    tell(app, "run_bar", "step", "redo")
    assert signs(app) == ["Layer 1, head 2"]


def test_another_model_drops_the_mute_and_undo_brings_it_back() -> None:
    app = mute(run_page("attention/heads.py", **START))
    tell(app, "run_bar", "model", "minilm-l6")
    assert signs(app) == []
    assert "edits" not in app.query_params
    tell(app, "run_bar", "step", "undo")
    assert bar(app)["model"] == "tiny-lm"
    assert signs(app) == ["Layer 1, head 2"]
    assert not messages(app)


def test_another_sentence_keeps_the_mute() -> None:
    app = mute(run_page("attention/heads.py", **START))
    run_sentence(app, "the dog sees the cat")
    assert signs(app) == ["Layer 1, head 2"]
    assert bar(app)["milliseconds"] > 0


def test_an_edited_run_and_the_whole_one_do_not_take_each_others_place() -> None:
    app = run_page("attention/heads.py", **START)
    first = shares(app)
    mute(app)
    tell(app, "run_bar", "mute", HEAD)
    assert shares(app) == first
    other_session = run_page("attention/heads.py", **START)
    assert shares(other_session) == first
    assert signs(other_session) == []


@pytest.mark.parametrize(
    "value",
    ["x", "decoder.1.self_attn", "decoder.-1.self_attn.2", "decoder.99.self_attn.0", "decoder.1.cross_attn.2",
     "encoder.0.self_attn.0", "decoder.1.self_attn.²", "<script>.1.self_attn.2", ",", "decoder.1.self_attn.999999",
     f"{HEAD}*nan", f"{HEAD}*4", f"{HEAD}*-2.5", f"{HEAD}*1e2", f"{HEAD}*", "decoder.1.ffn.99999",
     "decoder.1.ffn.heads.2"],
)  # fmt: skip
def test_a_hostile_link_gets_one_message_and_the_whole_model(value: str) -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, edits=value)
    assert not app.exception
    assert len(messages(app)) == 1
    assert "edits" not in app.query_params
    assert signs(app) == []


def test_a_link_that_is_too_long_or_has_too_many_heads() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, edits="decoder.0.self_attn.0," * 500)
    assert len(messages(app)) == 1
    assert signs(app) == []
    many = ",".join(f"decoder.{layer}.self_attn.{head}" for layer in range(3) for head in range(4))
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, edits=many)
    assert len(messages(app)) == 1
    assert len(signs(app)) == MAX_EDITS
    assert bar(app)["mute"]["is_full"] != bar(app)["mute"]["is_muted"]


@pytest.mark.parametrize("told", [None, 3, ["x"], "x", "decoder.9.self_attn.0", f"{HEAD},{HEAD}.1"])
def test_what_a_browser_makes_up_mutes_nothing(told: Any) -> None:
    app = run_page("attention/heads.py", **START)
    tell(app, "run_bar", "mute", told)
    assert not app.exception
    assert signs(app) == []


def test_a_translator_names_the_kind_of_attention() -> None:
    app = run_page(
        "attention/heads.py", model="en-ur", text="I am a robot", attention="decoder.cross_attn", layer=1, head=0
    )
    tell(app, "run_bar", "mute", bar(app)["mute"]["id"])
    assert signs(app) == ["Decoder cross-attention, layer 1, head 0"]
    assert components(app)["next_words"][0]["rows"][0]["whole"] is not None


@pytest.mark.slow
def test_an_encoder_has_its_classes_or_the_turn_of_its_vector() -> None:
    app = run_page("attention/heads.py", model="tiny-encoder", text="I am a robot", layer=0, head=0)
    mute(app, "encoder.0.self_attn.0")
    model = load("tiny-encoder")
    logits = model.trace("I am a robot", edits=[ablate("encoder.0.self_attn", 0)])["text_logits"].softmax(-1)
    found = shares(app)
    assert set(found) <= set(model.config.text_labels)
    for label, (_, part) in found.items():
        assert part == pytest.approx(float(logits[model.config.text_labels.index(label)]), abs=1e-5)
    app = mute(run_page("attention/heads.py", model="minilm-l6", text=TEXT, layer=0, head=0), "encoder.0.self_attn.0")
    assert "next_words" not in components(app)
    assert any("turns by" in each.value for each in app.markdown)


def test_the_notebook_repeats_the_edited_run() -> None:
    app = mute(run_page("attention/heads.py", **START | {"heads_view": "Matrix", "layer": 3}))
    text = written(app)
    assert 'with_edits(load(\\"tiny-lm\\")' in text
    weights = executed(text)["live"].run.trace["decoder.3.self_attn.weights"]
    edit = ablate("decoder.1.self_attn", 2)
    assert torch.allclose(weights, load("tiny-lm").trace(TEXT, edits=[edit])["decoder.3.self_attn.weights"])


def test_a_saved_page_names_the_edited_parts() -> None:
    app = AppTest.from_function(_show_facts, default_timeout=120)
    for name, value in {"model": "tiny-lm", "text": TEXT, "edits": HEAD}.items():
        app.session_state[name] = value
    session_of(app, ViewSession).page = "heads"
    assert app.run().text[0].value == "Layer 1, head 2 muted"
    session_of(app, ViewSession).page = "cost"
    assert app.run().text[0].value == "none"


@pytest.mark.slow
def test_the_notebook_of_a_page_that_shows_another_model_mutes_no_head() -> None:
    chosen = {"model": "minilm-l6", "text": TEXT, "edits": "encoder.0.self_attn.0"}
    assert "with_edits(load(" in written(run_page("attention/heads.py", **chosen))
    # it shows a decoder instead
    assert "with_edits" not in written(run_page("models/predict.py", **chosen))


def _show_facts() -> None:
    import streamlit as st

    from pages.shared.sharing import share

    st.text(share.collect_facts().get("Edits", "none"))


SIGNS = {
    "decoder.3.ffn": ("Layer 3, feed-forward muted", 'scale("decoder.3.ffn", 0)'),
    "decoder.3.ffn.8*-1.25": ("Layer 3, neuron 8 × −1.25", 'scale("decoder.3.ffn.8", -1.25)'),
    "decoder.3.self_attn.2*1.5": ("Layer 3, head 2 × 1.5", 'scale("decoder.3.self_attn.heads.2", 1.5)'),
    "encoder.0.self_attn.11": ("Layer 0, head 11 muted", 'scale("encoder.0.self_attn.heads.11", 0)'),
    "decoder.3.resid_in@4|The keys": (
        "Layer 3, stream, token 4 from “The keys”",
        "patch(whole, 'decoder.3.resid_in', 'The keys', token=4, target='')",
    ),
    "decoder.3.cross_attn.1@all|a|b": (
        "Layer 3, cross-attention head 1 from “a”",
        "patch(whole, 'decoder.3.cross_attn.heads', 'a', head=1, target='b')",
    ),
    "decoder.3.resid_in*-2@first|a|b": (
        "Layer 3, stream, first tokens − 2 × (“a” − “b”)",
        "add_difference(whole, 'decoder.3.resid_in', 'a', 'b', -2, 'first', target=\"\")",
    ),
}


@pytest.mark.parametrize("written", SIGNS)
def test_an_edit_in_words_and_in_code(written: str) -> None:
    words, call = SIGNS[written]
    (edit,) = parse(written)
    assert f"{edit_words.title(edit, False)} {edit_words.how(edit)}" == words
    assert call in edit_words.in_code("load(model)", "load(model)", (edit,))


def test_the_title_of_a_part_names_its_stack_where_there_are_several() -> None:
    titles = {
        "decoder.3.self_attn.2": "Decoder self-attention, layer 3, head 2",
        "encoder.0.ffn.8": "Encoder, layer 0, neuron 8",
        "encoder.0.ffn": "Encoder, layer 0, feed-forward",
        "decoder.3.self_attn.2@all|a": "Decoder, layer 3, head 2",
        "decoder.3.cross_attn.2@1|a": "Decoder, layer 3, cross-attention head 2, token 1",
        "encoder.3.resid_in*2@all|a|b": "Encoder, layer 3, stream",
    }
    assert {text: edit_words.title(parse(text)[0], True) for text in titles} == titles


def test_a_scaled_part_is_in_every_run_and_its_sign_undoes_it() -> None:
    app = run_page("attention/heads.py", **START | {"edits": f"{HEAD}*2.5"})
    edited = next_shares("tiny-lm", TEXT, scale("decoder.1.self_attn.heads.2", 2.5))
    tokens = {token.text: token.id for token in load("tiny-lm").tokenizer.tokens(range(len(edited)))}
    for label, (_, after) in shares(app).items():
        assert after == pytest.approx(float(edited[tokens[label.replace("·", " ")]]), abs=1e-5)
    (sign,) = bar(app)["edits"]
    assert (sign["title"], sign["how"]) == ("Layer 1, head 2", "× 2.5")
    tell(app, "run_bar", "mute", sign["id"])
    assert signs(app) == []
    assert app.session_state["edits"] == ""


def test_code_of_an_edited_run() -> None:
    code = edit_words.in_code("m = load(model)", "load(model)", parse(HEAD))
    assert code.splitlines()[-1] == 'm = with_edits(load(model), [scale("decoder.1.self_attn.heads.2", 0)])'
    compile(code, "code", "exec")
    code = edit_words.in_code("m = load(model)", "load(model)", parse(f"{HEAD}*2,decoder.0.ffn"))
    scaled = 'scale("decoder.0.ffn", 0), scale("decoder.1.self_attn.heads.2", 2)'
    assert code.splitlines()[-1] == f"m = with_edits(load(model), [{scaled}])"
    compile(code, "code", "exec")
    assert edit_words.in_code("m = load(model)", "load(model)", ()) == "m = load(model)"
    assert edit_words.in_code("m = load('x')", "load(model)", parse(HEAD)) == "m = load('x')"
