"""No page breaks on any family: every part that shows a network, at every depth, with a tiny checkpoint of each; the
code and the notebooks that they offer run. Pages of tokens are opened with one of each kind, and so is each part that
shows the same for all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from model.zoo.families import FAMILIES
from model.zoo.file_card import card_of_files
from pages.shared.session.keys import DEPTHS, SCORE_STEPS
from tests.model.zoo import tiny_families, tiny_readers, tiny_t5
from tests.pages.conftest import components, figures, messages, run_page
from tests.pages.executed_notebooks import executed, written
from tests.pages.views import STARTS, VIEWS, View, view

# One checkpoint for each way in which a family differs from the models that are bundled.
DECODERS = ("gpt2", "gpt_neox", "qwen2, tied", "qwen3", "llama, slower turns")
TRANSLATORS = ("marian",)
TEXT_TO_TEXT = ("t5", "t5, v1.1")
ANSWERING = ("masked bert", "masked roberta", "distilbert of classes")  # encoders with an answer behind a transform
CHECKPOINTS = (*DECODERS, "roberta", "distilbert", *TRANSLATORS, *TEXT_TO_TEXT, *ANSWERING)
OF_EACH_KIND = ("gpt2", "roberta", "marian")
# Pages that show what a network computes.
OF_NETWORKS = ("home", "scores", "positions", "heads", "masks", "combine", "block", "predict", "why", "bench")
# Pages and parts that show the same whichever model the run bar has: its network is not in them.
WITHOUT_NETWORK = ("see", "training")
# On these another model stands in for one of a kind that they cannot show.
OF_SOME_KINDS = ("predict", "why", "translate")
PARTS_WITHOUT_NETWORK = {
    *(f"before_attention part={part}" for part in ("sentence", "length", "memory", "both", "shapes")),
    *(f"tokens part=ladder rung={rung}"
      for rung in ("one-hot", "presence", "tf-idf", "factorisation", "glove", "context")),
    *(f"positions part={part}" for part in ("heatmap", "table", "circles", "distance", "distance distance=rotary")),
    "scores part=scale", "scores part=table",
    "classify part=words", "classify part=sentences",
}  # fmt: skip
# Pages of some kinds of models, which show more than one of these.
OF_THEIR_OWN = (*product(("translate",), TEXT_TO_TEXT), *product(("classify",), ANSWERING))
TEXT = "I am a robot"
# Translators write their own translation on these pages. On the others it is given: to write it takes longer than all
# else, for the page and for its notebook.
PAGES_OF_TRANSLATIONS = ("home", "translate", "bench")
TARGET = "robot I am"
TINY = "tiny "  # begins the names of these models
OF_STEPS = {"project": "qkv", "normalise": "qk", "rotate": "qk"}  # the other steps show the same for all three
# What rests on the values in which these models differ, beside the parts of the pages.
MORE_VIEWS = [
    *(view("scores", scores_part="steps", scores_step=step, scores_of=of)
      for step in SCORE_STEPS for of in OF_STEPS.get(step, "q")),
    *(view("positions", positions_part=part, positions_source="model") for part in ("heatmap", "rotary")),
    view("bench", bench_parts="norms"),
    view("bench", bench_parts="query and key norms"),
    view("bench", bench_parts="rotary positions"),
    view("bench", bench_parts="relative positions"),
]  # fmt: skip
ALL_VIEWS = [*VIEWS, *(each for each in MORE_VIEWS if each not in VIEWS)]
LACKS = re.compile(
    r"does not exist here|need as many tokens|has no “.+” that could be taken away|patches a part that this|"
    r"Edges that this run lacks|There is no class"
)
OF_OTHER_MODELS = ("model", "text", "see_model", "classify_model")  # keys of views that show no model of the bar


@pytest.fixture(scope="module", autouse=True)
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The checkpoints among the models that the app offers."""
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    for name in CHECKPOINTS:
        make = tiny_families.make if name in DECODERS else tiny_families.make_encoder
        make = tiny_families.make_translator if name in TRANSLATORS else make
        make = tiny_t5.make if name in TEXT_TO_TEXT else make
        (tiny_readers.make if name in ANSWERING else make)(name, folder / name_of(name))
    added = tuple(card_of_files(folder / name_of(name)) for name in CHECKPOINTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", cards.REAL + added)
        patch.setattr(go.Figure, "show", lambda figure: None)  # a notebook opens no browser here
        yield


def name_of(variation: str) -> str:
    """The name of a checkpoint's folder, and so of its model."""
    return TINY + variation.replace(",", "")


def shows_network(each: View) -> bool:
    return each.page not in WITHOUT_NETWORK and str(each) not in PARTS_WITHOUT_NETWORK


def values_of(each: View, name: str) -> dict[str, Any]:
    is_given = name in (*TRANSLATORS, *TEXT_TO_TEXT) and each.page not in PAGES_OF_TRANSLATIONS
    target = {"target": TARGET} if is_given else {}
    return {**STARTS.get(each.page, {}), **each.state, **target, "text": TEXT, "model": name_of(name)}


OF_THE_BAR = [each for each in ALL_VIEWS if not each.state.keys() & set(OF_OTHER_MODELS)]
OPENED = [
    (name, page)
    for name in CHECKPOINTS
    for page in dict.fromkeys(each.page for each in OF_THE_BAR if shows_network(each))
    if page in OF_NETWORKS or name in OF_EACH_KIND or (page, name) in OF_THEIR_OWN
]


def test_every_family_is_among_them() -> None:
    of_pictures = {"vit", "deit", "dinov2"}  # only See shows them
    # MiniLM is the first; the others have the values of RoBERTa, Llama and T5.
    alike = {"bert", "xlm-roberta", "mistral", "mt5"}
    plain = set(CHECKPOINTS) - set(ANSWERING)
    assert {name.partition(",")[0] for name in plain} == set(FAMILIES) - alike - of_pictures


def complaints(app: AppTest) -> list[str]:
    """What the page complains of, beside saying what this model lacks."""
    return [said for said in messages(app) if not LACKS.search(said)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "page"), OPENED)
def test_a_page_opens_at_every_depth_and_its_notebook_and_code_run(name: str, page: str) -> None:
    """The notebook runs once for each part, and the code of every step of a head."""
    ran: set[str] = set()
    for each in OF_THE_BAR:
        if each.page != page or not shows_network(each):
            continue
        if name not in DECODERS and "muted" in each.state:
            continue  # these mute heads of a decoder
        first = each.part not in ran  # of its part: what a saved page says of the model is the same for the others
        app = run_page(each.file, **values_of(each, name), **{"share view": first})
        if app.session_state["model"] != name_of(name):
            assert page in OF_SOME_KINDS
            break
        if first:
            executed(written(app, page))
            ran.add(each.part)
        for depth in DEPTHS:
            if depth != DEPTHS[0]:
                app.session_state["depth"] = depth
                app.run()
            assert not app.exception, f"{each} {depth}: {app.exception}"
            assert not complaints(app), f"{each} {depth}: {complaints(app)}"
        if each.part == "scores: steps" and "muted" not in each.state:
            exec(next(block.value for block in app.code if "assert_close" in block.value), {})


def drawn(app: AppTest) -> list[object]:
    """The words, the figures and what the page's components got."""
    words = [each.value for kind in ("markdown", "caption", "latex", "code") for each in app.main.get(kind)]
    arrays = {name: got for name, got in components(app.main).items() if name not in ("run_bar", "help")}
    return [words, figures(app), repr(arrays)]


@pytest.mark.slow
@pytest.mark.parametrize("each", [each for each in OF_THE_BAR if not shows_network(each)], ids=str)
def test_what_shows_no_network_is_the_same_for_one_of_each_kind(each: View) -> None:
    """That it opens at every depth, and that its notebook runs: test_every_view.py."""
    shown = []
    for name in OF_EACH_KIND:
        app = run_page(each.file, **values_of(each, name))
        assert not complaints(app)
        shown.append(drawn(app))
    assert shown[0] == shown[1]
