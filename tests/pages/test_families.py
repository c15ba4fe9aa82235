"""No page breaks on any family: every part of every page, at every depth, with a tiny checkpoint of each; the code and
the notebooks that they offer run. Pages that show tokens or other models alone are opened with one of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from model.zoo.families import FAMILIES
from model.zoo.file_card import card_of_files
from pages.catalogue import PAGES
from pages.shared.keys import DEPTHS, SCORE_STEPS
from tests.model.zoo import tiny_families
from tests.pages.conftest import messages, run_page
from tests.pages.executed_notebooks import executed, written
from tests.pages.views import STARTS, VIEWS, View, view

# One checkpoint for each way in which a family differs from the models that are bundled.
DECODERS = ("gpt2", "gpt_neox", "qwen2, tied", "qwen3", "llama, slower turns")
CHECKPOINTS = (*DECODERS, "roberta", "distilbert")
OF_EACH_KIND = ("gpt2", "roberta")
# Pages that show what a network computes.
OF_NETWORKS = ("home", "scores", "positions", "heads", "masks", "combine", "block", "predict", "why", "bench")
OPENED = [
    (name, entry.url)
    for name in CHECKPOINTS
    for entry in PAGES
    if not entry.is_tool and (entry.url in OF_NETWORKS or name in OF_EACH_KIND)
]
TEXT = "I am a robot"
TINY = "tiny "  # begins the names of these models
# What rests on the values in which these models differ, beside the parts of the pages.
MORE_VIEWS = [
    *(view("scores", scores_part="steps", scores_step=step, scores_of=of) for step in SCORE_STEPS for of in "qk"),
    *(view("positions", positions_part=part, positions_source="model") for part in ("heatmap", "rotary")),
    view("bench", bench_parts="norms"),
    view("bench", bench_parts="query and key norms"),
    view("bench", bench_parts="rotary positions"),
]
LACKS = re.compile(r"does not exist here|need as many tokens|has no “.+” that could be taken away")
OF_OTHER_MODELS = ("model", "text", "see_model", "classify_model")  # keys of views that show no model of the bar


@pytest.fixture(scope="module", autouse=True)
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The checkpoints among the models that the app offers."""
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    for name in CHECKPOINTS:
        make = tiny_families.make if name in DECODERS else tiny_families.make_encoder
        make(name, folder / name_of(name))
    added = tuple(card_of_files(folder / name_of(name)) for name in CHECKPOINTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", cards.REAL + added)
        patch.setattr(go.Figure, "show", lambda figure: None)  # a notebook opens no browser here
        yield


def name_of(variation: str) -> str:
    """The name of a checkpoint's folder, and so of its model."""
    return TINY + variation.replace(",", "")


def views_of(page: str) -> list[View]:
    """The views of a page that show the model of the run bar."""
    return [each for each in (*VIEWS, *MORE_VIEWS) if each.page == page and not each.state.keys() & {*OF_OTHER_MODELS}]


def test_every_family_is_among_them() -> None:
    alike = {"bert", "xlm-roberta", "mistral"}  # MiniLM is the first; the others have the values of RoBERTa and Llama
    assert {name.partition(",")[0] for name in CHECKPOINTS} == set(FAMILIES) - alike


def complaints(app: AppTest) -> list[str]:
    """What the page complains of, beside saying what this model lacks."""
    return [said for said in messages(app) if not LACKS.search(said)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "page"), OPENED)
def test_a_page_opens_at_every_depth_and_its_notebook_runs(name: str, page: str) -> None:
    for each in views_of(page):
        values = {**STARTS.get(page, {}), **each.state, "text": TEXT, "model": name_of(name)}
        if name not in DECODERS and "muted" in values:
            continue  # these mute heads of a decoder
        app = run_page(each.file, **values, **{"share view": True})
        executed(written(app, page))
        for depth in DEPTHS:
            app.session_state["depth"] = depth
            app.run()
            assert not app.exception, f"{each} {depth}: {app.exception}"
            assert not complaints(app), f"{each} {depth}: {complaints(app)}"


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_the_code_of_every_step_of_a_head_runs_and_asserts(name: str) -> None:
    shown = {"text": TEXT, "model": name_of(name), "depth": "Code", "scores_part": "steps"}
    for step in SCORE_STEPS:
        for of in "qkv":
            app = run_page("attention/scores.py", **shown, scores_step=step, scores_of=of)
            exec(next(block.value for block in app.code if "assert_close" in block.value), {})
