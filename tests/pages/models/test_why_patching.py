"""The part Patching of Why this word: its cells are those of the library, and it says why sentences do not fit."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Site
from pages.models.why_parts.patching.kept import PatchingSession
from pages.shared.model_runs import measurements
from pages.shared.session import token_window
from tests.pages.conftest import components, figures, messages, run_page, session_of
from views.shared import long_text, windows

TEXT, OTHER = "the dog sees the cat", "the bird sees the cat"


def visit(**state: object) -> AppTest:
    values = {"model": "tiny-lm", "text": TEXT, "why_part": "patching", "why_text2": OTHER} | state
    return run_page("models/why.py", **values)


def test_a_translator_is_patched_in_its_encoder() -> None:
    app = visit(model="en-ur", text="I am a robot", why_text2="I am a girl", why_site="encoder.resid_in", query=3)
    assert not messages(app)
    assert any("Most comes back by" in text.value for text in app.markdown)


@pytest.mark.parametrize(("part", "tokens"), [("cross_attn.k.all", 4), ("cross_attn.q.all", 3), ("self_attn.v.all", 3)])
def test_all_heads_of_a_layer_are_patched_together_token_by_token(part: str, tokens: int) -> None:
    state = {"text": "I am a robot", "why_text2": "I am a girl", "query": 2, "depth": "Numbers"}
    app = visit(model="en-ur", **state, why_site=f"decoder.{part}")
    assert not messages(app)
    shown = app.dataframe[0].value
    assert len(shown) == tokens * (shown["layer"].max() + 1)
    assert "token" in shown
    assert not shown["measured"].isna().any()
    assert "all heads" in app.selectbox(key="why_site").options[-1]


def test_without_a_second_sentence_the_part_opens_on_an_example() -> None:
    app = visit(why_text2="")
    assert not messages(app)
    assert app.text_input(key="why_text2").placeholder == "the dog sees the dog"


@pytest.mark.slow
def test_a_space_at_the_end_of_both_sentences_is_a_token_of_both() -> None:
    app = visit(model="smollm2-135m", text="The capital of France is ", why_text2="The capital of Spain is ")
    assert not messages(app)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("the dog sees the big cat", "the first has 6, the second 7"),
        (TEXT, "the same tokens"),
        ("x" * 900, "the first has 6, the second 128"),
    ],
)
def test_a_sentence_that_does_not_fit_is_refused_in_words(other: str, said: str) -> None:
    app = visit(why_text2=other)
    assert not app.exception
    assert any(said in message for message in messages(app))


@pytest.mark.slow
def test_a_second_sentence_that_is_too_long_is_cut_as_the_readers_own() -> None:
    """The bar says so of both. The example is as long as what is read, and needs no cut."""
    mine = "the dog sees the cat and the fox jumps over it " * 20
    app = visit(text=mine, why_text2=mine.replace("dog", "bird"))
    assert not messages(app)
    notes = components(app)["run_bar"][0]["notes"]
    assert [re.search("here: (.*) up to", note)[1] for note in notes] == ["your sentence", "the second sentence"]
    app.session_state["why_text2"] = ""
    app.run()
    (note,) = components(app)["run_bar"][0]["notes"]
    assert "your sentence" in note


def test_a_site_that_the_model_lacks_gives_way() -> None:
    app = visit(why_site="decoder.cross_attn.heads")
    assert app.session_state["why_site"] == "decoder.resid_in"
    assert any("lacks" in message for message in messages(app))


def test_a_cell_outside_of_the_picture_gives_way_to_the_largest() -> None:
    app = visit(why_cell=(90, 90))
    assert not messages(app)
    assert any("layer 0, at" in text.value for text in app.markdown)


def test_measured_layers_stay_while_the_reader_looks_at_another_site() -> None:
    app = visit()
    kept = next(iter(session_of(app, PatchingSession).found.values()))
    first = kept[Site("decoder", "resid_in"), 0, 6]
    app.session_state["why_site"] = "decoder.ffn.out"
    app.run()
    assert not app.exception
    again = next(iter(session_of(app, PatchingSession).found.values()))
    assert again[Site("decoder", "resid_in"), 0, 6] is first
    assert len(again[Site("decoder", "ffn.out"), 0, 6]) == 4


def test_a_large_model_shows_the_estimate_until_the_reader_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    app = visit(depth="Numbers")
    assert any("estimates from one gradient" in each.value for each in app.markdown)
    assert app.dataframe[0].value["measured"].isna().all()
    next(button for button in app.button if button.label == "Patch all layers").click().run()
    assert not app.exception
    assert not app.dataframe[0].value["measured"].isna().any()


@pytest.mark.slow
def test_a_stop_in_the_middle_of_a_layer_keeps_the_layers_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    whole = visit(depth="Numbers").dataframe[0].value["measured"]
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    monkeypatch.setattr("model.experiments.patching.AT_ONCE", 4)  # of four tokens one row, then one, then two
    shares, asked = Patching.shares, list[int]()

    def stop_in_the_third_layer(of: Patching, site: Site, layer: int, cells: Tensor) -> Tensor:
        asked.append(layer)
        if asked.count(2) > 1:
            raise StopException
        return shares(of, site, layer, cells)

    app = visit(depth="Numbers")
    with monkeypatch.context() as patch:
        patch.setattr(Patching, "shares", stop_in_the_third_layer)
        next(button for button in app.button if button.label == "Patch all layers").click().run()
    assert asked == [0, 0, 0, 1, 1, 1, 2, 2]
    app.run()
    measured = app.dataframe[0].value.groupby("layer")["measured"]
    assert measured.count().tolist() == [6, 6, 0, 0]
    assert any("2 of 4 layers are measured" in each.value for each in app.markdown)
    next(button for button in app.button if button.label == "Go on").click().run()
    assert app.dataframe[0].value["measured"].tolist() == pytest.approx(whole.tolist(), abs=1e-4)


@pytest.mark.slow
def test_of_a_long_text_the_tokens_before_the_first_difference_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    other = "the dog sees a cat"
    whole = visit(depth="Numbers", why_text2=other).dataframe[0].value
    monkeypatch.setattr(long_text, "MOST_TOKENS", 4)
    app = visit(depth="Numbers", why_text2=other, why_cell=(2, 5))
    assert any("The 4 tokens before these are the same" in each.value for each in app.markdown)
    shown = app.dataframe[0].value
    assert list(shown["token"]) == ["4: ·the / ·a", "5: ·cat"] * 4
    last = whole[whole["token"].isin(["·the / ·a", "·cat"])]
    assert shown["measured"].tolist() == pytest.approx(last["measured"].tolist(), abs=1e-5)
    assert shown["estimated"].tolist() == pytest.approx(last["estimated"].tolist(), abs=1e-5)
    app.session_state["depth"] = "Picture"
    app.run()
    assert any(r"layer 2, at **5\: ·cat**" in each.value for each in app.markdown)
    frames = figures(app)[0]["layout"]["shapes"]
    assert {(frame["x0"], frame["x1"], frame["y0"]) for frame in frames} == {(0.5, 1.5, 1.5)}


@pytest.mark.slow
def test_a_long_text_is_copied_and_changed_in_a_field_of_several_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(why_text2="the dog sees a cat")
    monkeypatch.setattr(long_text, "MOST_TOKENS", 4)
    app.run()
    assert app.text_area(key="why_text2").value == "the dog sees a cat", "the sentence stays as the field changes"
    app.button(key="why copy text").click().run()
    assert app.text_area(key="why_text2").value == TEXT
    assert any("the same tokens" in said for said in messages(app))
    app.text_area(key="why_text2").set_value("the dog sees the bird").run()
    assert not messages(app)
    assert app.query_params["why_text2"] == "the dog sees the bird"


def test_a_shared_token_of_a_long_text_is_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_text, "MOST_TOKENS", 4)
    app = visit(why_text2="the dog sees a cat", why_cell=(2, 1))
    assert not messages(app)
    assert any(r", at **4\: ·the" in each.value for each in app.markdown)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four tokens are a long text. A window opens on two of them, and of more than two nothing is measured."""
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    for module in (token_window, windows):
        monkeypatch.setattr(module, "MAX_TOKENS", 3)
        monkeypatch.setattr(module, "MAX_READABLE_TOKENS", 3)
    monkeypatch.setattr(windows, "OPENING_TOKENS", 2)
    monkeypatch.setattr("views.models.why.patched.MOST_MEASURED", 2)


FAR = "the king sees the cat"


@pytest.mark.slow
def test_a_difference_far_from_the_end_is_measured_in_a_window(request: pytest.FixtureRequest) -> None:
    whole = visit(depth="Numbers", why_text2=FAR).dataframe[0].value
    tokens = whole["token"].tolist()[:6]
    request.getfixturevalue("few")
    app = visit(depth="Numbers", why_text2=FAR)
    assert not messages(app)
    shown = app.dataframe[0].value
    assert shown["estimated"].isna().all()
    assert shown["token"].tolist()[:2] == [f"2: {tokens[2]}", f"3: {tokens[3]}"]
    app.button(key="why estimate").click().run()
    app.session_state["window"] = (4, 5)
    app.run()
    assert not app.exception
    shown, wanted = app.dataframe[0].value, whole[whole["token"].isin(tokens[4:])]
    assert shown["token"].tolist()[:2] == [f"4: {tokens[4]}", f"5: {tokens[5]}"]
    for column in ("measured", "estimated"):
        assert shown[column].tolist() == pytest.approx(wanted[column].tolist(), abs=1e-4)
    assert any("Shown: tokens 4 to 5 of 6. The first 2 tokens are the same" in each.value for each in app.markdown)
    assert all(button.key != "why estimate" for button in app.button)


@pytest.mark.parametrize(
    "state",
    [
        {"model": "tiny-encoder", "text": "The food is not good", "why_text2": "The food is very good"},
        {"model": "en-ur", "text": "I am a robot", "why_text2": "I am a girl"},
    ],
    ids=["encoder", "translator"],
)
def test_a_long_text_of_an_encoder_is_measured_in_a_window(
    state: dict[str, object], request: pytest.FixtureRequest
) -> None:
    state |= {"why_site": "encoder.resid_in", "depth": "Numbers"}
    whole = visit(**state).dataframe[0].value
    request.getfixturevalue("few")
    app = visit(**state, window=(0, 1))
    assert not messages(app)
    shown, layers = app.dataframe[0].value, whole.groupby("layer")["measured"]
    assert shown["token"].str.split(":").str[0].unique().tolist() == ["0", "1"]
    expected = [share for _, shares in layers for share in shares.tolist()[:2]]
    assert shown["measured"].tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.usefixtures("few")
def test_before_anything_is_measured_of_a_long_text_the_page_says_what_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    app = visit(why_text2=FAR)
    assert not messages(app)
    assert not figures(app)
    said = next(each.value for each in app.markdown if "No cell is measured yet" in each.value)
    assert "which takes as long as about 3 runs of the text" in said  # 4 and 3 tokens of 6, and half of 4 layers
    assert not visit(why_text2=FAR, depth="Formula").exception
    app = visit(why_text2=FAR, why_cell=(1, 3))
    assert any("The patched run" in each.value for each in app.markdown), "the chosen cell is run"


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("window", [(2, 3), (4, 5)])
def test_the_estimate_leaves_the_window_of_the_reader(window: tuple[int, int]) -> None:
    """The highest estimate stands in one of these windows at most."""
    app = visit(why_text2=FAR, window=window, depth="Numbers")
    app.button(key="why estimate").click().run()
    assert app.dataframe[0].value["token"].str.split(":").str[0].unique().tolist() == [str(each) for each in window]


@pytest.mark.usefixtures("few")
def test_of_a_wide_window_no_cell_is_measured() -> None:
    app = visit(why_text2=FAR, window=(2, 4))
    assert all(button.label != "Patch all layers" for button in app.button)
    assert any("choose a window of at most 2 tokens" in each.value for each in app.markdown)


@pytest.mark.usefixtures("few")
def test_the_window_opens_on_the_chosen_cell() -> None:
    app = visit(why_text2=FAR, why_cell=(1, 5), depth="Numbers")
    assert app.dataframe[0].value["token"].str.split(":").str[0].unique().tolist() == ["4", "5"]


@pytest.mark.usefixtures("few")
def test_all_heads_of_a_long_text_are_measured() -> None:
    app = visit(why_text2=FAR, why_site="decoder.self_attn.heads", depth="Numbers")
    assert not messages(app)
    assert not app.dataframe[0].value["measured"].isna().any()


@pytest.mark.slow
def test_a_head_is_patched_at_the_tokens_of_a_window(request: pytest.FixtureRequest) -> None:
    state = {"why_text2": FAR, "why_site": "decoder.self_attn.heads", "why_cell": (2, 1)}
    whole = bars_of_head(visit(**state))
    request.getfixturevalue("few")
    assert bars_of_head(visit(**state, window=(4, 5))) == pytest.approx(whole[4:], abs=1e-4)
    app = visit(**state, window=(2, 4))
    assert bars_of_head(app) == []
    assert any("choose a window of at most 2 tokens" in each.value for each in app.markdown)


def test_the_example_changes_a_word_before_the_asked_token() -> None:
    app = visit(why_text2="", query=3)
    assert not messages(app)
    assert app.text_input(key="why_text2").placeholder == "the cat sees the cat"


@pytest.mark.slow
def test_a_head_that_takes_long_is_patched_token_by_token_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = visit(why_site="decoder.self_attn.heads", why_cell=(2, 1))
    shares = bars_of_head(usual)
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    monkeypatch.setattr("model.experiments.patching.AT_ONCE", 8)  # two rows of four tokens at once
    app = visit(why_site="decoder.self_attn.heads", why_cell=(2, 1))
    assert bars_of_head(app) == []
    app.button(key="why head by token").click().run()
    assert not app.exception
    assert bars_of_head(app) == pytest.approx(shares, abs=1e-4)
    ((key, found),) = next(iter(session_of(app, PatchingSession).found.values()))["by token"].items()
    assert key == (Site("decoder", "self_attn.heads"), 2, 1, 0, 6)
    del found[1:]  # as after a stop
    app.run()
    assert bars_of_head(app) == pytest.approx(shares[: 2 + len(found[0])], abs=1e-4)
    assert any("**Partial**" in each.value and "of 6 tokens" in each.value for each in app.markdown)
    assert app.button(key="why head by token").label == "Go on"
    app.button(key="why head by token").click().run()
    assert bars_of_head(app) == pytest.approx(shares, abs=1e-4)


def bars_of_head(app: AppTest) -> list[float]:
    """The bars of the chart of a head at each token; [] without such a chart."""
    for figure in figures(app):
        if figure["layout"]["yaxis"].get("title", {}).get("text") == "share that comes back":
            packed = figure["data"][0]["y"]
            return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist()
    return []
