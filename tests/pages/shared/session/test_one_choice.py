"""What the run bar shows is what every page uses, until the reader changes it."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.catalogue import BY_URL, PAGES
from tests.pages.conftest import components, go, messages, open_link, run_sentence, tell, text
from views.models.why import general_head
from views.models.why.question import ask
from views.run import make_run

HOME = "home/home.py"
TEXT = "the dog sees the cat"
PARTS = {  # those that show most of layer, head and token, where the first part of a page does not
    "tokens_part": "embedding",
    "block_part": "ffn",
    "combine_view": "Each head's part",
    "positions_part": "circles",
}


def bar(app: AppTest) -> dict[str, Any]:
    """What the bar shows: layer and head where the page has them, and the token that is marked."""
    header = components(app)["run_bar"][0]
    shown = {each["name"]: each["value"] for each in header["places"]}
    marked = [group["selected"] for group in header["groups"] if group["role"] == "query"]
    return shown if marked in ([], [None]) else shown | {"token": marked[0]}


def assert_pages_agree(app: AppTest, home: dict[str, Any]) -> None:
    seen: set[str] = set()
    for entry in PAGES[1:]:
        shown = bar(go(app, entry.url))
        assert shown.items() <= home.items(), entry.url
        assert not messages(app), entry.url
        seen |= shown.keys()
    assert seen == home.keys()
    assert bar(go(app, "home")) == home


def open_home(**values: str) -> AppTest:
    app = open_link(HOME, model="tiny-lm", text=TEXT, **values)
    for name, value in PARTS.items():
        app.session_state[name] = value
    return app


@pytest.mark.slow
def test_what_home_proposes_stays_on_every_page() -> None:
    app = open_home()
    home = bar(app)
    assert home.keys() == {"layer", "head", "token"}
    assert_pages_agree(app, home)


@pytest.mark.slow
def test_what_the_reader_chooses_stays_on_every_page() -> None:
    app = open_home()
    other = {name: (value + 1) % 4 for name, value in bar(app).items()}
    tell(app, "run_bar", "place", ["layer", other["layer"]])
    tell(app, "run_bar", "place", ["head", other["head"]])
    tell(app, "run_bar", "token", ["query", other["token"]])
    assert bar(app) == other
    assert_pages_agree(app, other)


OPENED_FIRST = (
    *("tokens", "tokens?tokens_part=embedding", "positions", "positions?positions_part=rotary"),
    *("scores", "masks", "heads", "combine", "block", "block?block_part=ffn", "why"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "page"),
    [
        *(("tiny-lm-rotary", page) for page in (*OPENED_FIRST, "predict")),
        *((model, page) for model in ("minilm-l6", "en-ur") for page in OPENED_FIRST[:10]),
        ("en-ur", "why"),
    ],
)
def test_every_page_that_is_opened_first_proposes_what_home_proposes(model: str, page: str) -> None:
    url, _, part = page.partition("?")
    values = dict([part.split("=")]) if part else {}
    # Tokens and Positions show the sentence that a translator reads.
    same = {"attention": "encoder.self_attn"} if model == "en-ur" and url in ("tokens", "positions") else {}
    home = bar(open_link(HOME, model=model, text=TEXT, **same))
    shown = bar(open_link(BY_URL[url].file.removeprefix("pages/"), model=model, text=TEXT, **values))
    assert shown.items() <= home.items()
    assert shown or part == "positions_part=rotary", "that part shows a head of another model where it must"


def test_a_head_in_general_is_the_one_that_speaks_most_and_stays_there() -> None:
    """It is about the answer, so it is no proposal for other pages."""
    home = bar(open_link(HOME, model="tiny-lm", text=TEXT))
    app = open_link("models/why.py", model="tiny-lm", text=TEXT, why_part="head")
    asked = ask(make_run(load("tiny-lm"), TEXT, general_head.keep))
    assert (bar(app)["layer"], bar(app)["head"]) == general_head.strongest_head(asked, "decoder", "self_attn")
    assert bar(go(app, "home")) == home
    chosen = bar(open_link("models/why.py", model="tiny-lm", text=TEXT, why_part="head", layer="1", head="3"))
    assert (chosen["layer"], chosen["head"]) == (1, 3)


def test_a_page_that_is_opened_first_proposes_to_all() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT)
    first = bar(app)
    for page in ("home", "scores", "masks", "heads"):
        assert bar(go(app, page)) == first, page


def test_what_was_proposed_stays_behind_a_page_of_another_model_and_sentence() -> None:
    app = open_link("attention/heads.py", model="tiny-lm")  # the default sentence
    first = bar(app)
    go(app, "translate")
    app.run()
    for page in ("heads", "scores"):
        assert bar(go(app, page)) == first, page
    app.query_params.clear()
    go(app, "translate")
    run_sentence(app, TEXT)
    shown = bar(go(app, "heads"))
    assert (shown["layer"], shown["head"]) == (first["layer"], first["head"])


@pytest.mark.slow
def test_a_head_stays_when_another_layer_is_chosen() -> None:
    app = open_home()
    head = bar(app)["head"]
    for layer in range(4):
        tell(app, "run_bar", "place", ["layer", layer])
        assert bar(app)["head"] == head
        assert f"Layer {layer}'s head {head} (framed)" in text(app)


def test_with_another_sentence_layer_and_head_stay_and_the_token_is_open() -> None:
    app = open_home()
    layer, head = bar(app)["layer"], bar(app)["head"]
    tell(app, "run_bar", "token", ["query", 1])
    run_sentence(app, "the dog")
    last = len(load("tiny-lm").tokens_of("the dog")) - 1
    assert (bar(app)["layer"], bar(app)["head"]) == (layer, head)
    assert bar(app)["token"] in (last, last - 1), "the last word"
    for page in ("block", "heads"):
        assert bar(go(app, page))["layer"] == layer


def test_a_token_that_is_chosen_with_its_sentence_stays() -> None:
    app = open_home(query="2")
    app.query_params["text"], app.query_params["query"] = "the cat sees the dog", "2"
    app.run()
    assert bar(app)["token"] == 2


def test_with_another_model_a_choice_stays_within_its_bounds() -> None:
    app = open_link("attention/heads.py", model="minilm-l6", text=TEXT, layer="5", head="2")
    tell(app, "run_bar", "model", "tiny-lm")
    for page in ("scores", "home", "block", "heads"):
        shown = bar(go(app, page))
        assert (shown["layer"], shown.get("head", 2)) == (3, 2), page
        assert not messages(app), page
    tell(app, "run_bar", "model", "minilm-l6")
    assert (bar(app)["layer"], bar(app)["head"]) == (5, 2), "it comes back where it exists"


def test_what_a_page_proposed_for_a_model_is_none_of_another_model() -> None:
    app = open_home()
    go(app, "heads")
    tell(app, "run_bar", "model", "minilm-l6")
    alone = bar(open_link("attention/heads.py", model="minilm-l6", text=TEXT))
    assert {name: bar(app)[name] for name in ("layer", "head")} == {name: alone[name] for name in ("layer", "head")}


def test_the_token_of_home_is_that_of_its_text_and_its_cards() -> None:
    app = open_home()
    said = text(app)
    assert "it has read no further" not in said
    tell(app, "run_bar", "token", ["query", 3])
    assert text(app) != said
    header = components(app)["run_bar"][0]
    name = header["groups"][0]["tokens"][3]["label"].lstrip("·")
    assert name in text(app)
    assert "stands at place **3**" in text(app)
    assert "it has read no further and expects" in text(app)


def test_a_token_of_the_one_sentence_is_none_of_the_other() -> None:
    """A translator has two sentences. Home chooses in the written one, Tokens in the one that is read."""
    app = open_link(HOME, model="en-ur", text="I am a robot", query="1")
    app.session_state["tokens_part"] = "embedding"
    shown = bar(go(app, "tokens"))
    assert shown["token"] == len(load("en-ur").tokens_of("I am a robot")) - 1
    assert bar(go(app, "home"))["token"] == 1
