"""No page breaks on any family: every part that shows a network, with a tiny checkpoint of each; the code and the
notebooks that they offer run. Pages of tokens are opened with one of each kind, and so is each part that shows the same
for all. tests/pages/family_views.py has which checkpoint opens which view at which depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from model.zoo.families import FAMILIES
from pages.shared.session.keys import DEPTHS
from tests.model.zoo import tiny_families, tiny_readers, tiny_t5
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import components, figures, messages, run_page
from tests.pages.executed_notebooks import executed, written
from tests.pages.family_views import (
    ANSWERING,
    CHECKPOINTS,
    DECODERS,
    KINDS,
    OF_EACH_KIND,
    OF_NETWORK,
    OF_NETWORKS,
    OF_THE_BAR,
    OPENED,
    PARTS,
    STEPS,
    TEXT_TO_TEXT,
    TRANSLATORS,
    can_show,
    name_of,
    shows_network,
    values_of,
    visits,
)  # fmt: skip
from tests.pages.views import View

LACKS = re.compile(
    r"does not exist here|need as many tokens|has no “.+” that could be taken away|patches a part that this|"
    r"Edges that this run lacks|There is no class"
)


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


@pytest.mark.slow
def test_every_family_is_among_them() -> None:
    of_pictures = {"vit", "deit", "dinov2"}  # only See shows them
    # MiniLM is the first; the others have the values of RoBERTa, Llama and T5.
    alike = {"bert", "xlm-roberta", "mistral", "mt5"}
    plain = set(CHECKPOINTS) - set(ANSWERING)
    assert {name.partition(",")[0] for name in plain} == set(FAMILIES) - alike - of_pictures


def test_every_pair_of_a_checkpoint_a_view_and_a_depth_is_met() -> None:
    """All checkpoints open the views that they can show, and each page at each depth; decoders, each view at each."""
    met_by_decoders: dict[str, set[str]] = {}
    for name, page in OPENED:
        of_page = list(visits(name, page))
        if can_show(page, name):
            left_out = {str(each) for each in OF_NETWORK if each.page == page} - {str(each.view) for each in of_page}
            assert all("edits" in each for each in left_out)
            assert not (name in DECODERS and left_out)
            assert {depth for each in of_page for depth in each.depths} == set(DEPTHS) or len(of_page) < len(DEPTHS)
        for each in of_page if name in DECODERS else ():
            met_by_decoders.setdefault(str(each.view), set()).update(each.depths)
    assert all(met_by_decoders[str(each)] == set(DEPTHS) for each in OF_NETWORK if each.page in OF_NETWORKS)


def test_every_notebook_runs_for_a_checkpoint_of_each_kind() -> None:
    kind_of = {name: place for place, kind in enumerate(KINDS) for name in kind}
    ran = [(each.view.part, name) for name, page in OPENED for each in visits(name, page) if each.with_notebook]
    pages = {each.part: each.page for each in OF_NETWORK}
    shown = {(part, kind_of[name]) for part in PARTS for name, page in OPENED
             if page == pages[part] and can_show(page, name)}  # fmt: skip
    assert sorted((part, kind_of[name]) for part, name in ran) == sorted(shown), "once for each kind"
    assert {name for _, name in ran} == set(CHECKPOINTS)


def complaints(app: AppTest) -> list[str]:
    """What the page complains of, beside saying what this model lacks."""
    return [said for said in messages(app) if not LACKS.search(said)]


def opens(each: View, app: AppTest) -> None:
    said = f"{each} {app.session_state['depth']}"
    assert not app.exception, f"{said}: {app.exception}"
    assert not complaints(app), f"{said}: {complaints(app)}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "page"), OPENED)
def test_a_page_opens_and_its_notebook_and_code_run(name: str, page: str, pytestconfig: pytest.Config) -> None:
    """The notebook is that of the picture. The code runs for every step of a head."""
    for each, depths, with_notebook in visits(name, page, pytestconfig.getoption("thorough")):
        has_code = each.part == STEPS and "edits" not in each.state
        picture, code = ("Picture",) * with_notebook, ("Code",) * has_code
        first, *rest = dict.fromkeys((*picture, *depths, *code))
        app = run_page(each.file, **values_of(each, name), **{"share view": with_notebook}, depth=first)
        assert (app.session_state["model"] == name_of(name)) == can_show(page, name)
        if with_notebook:
            executed(written(app, page))
        opens(each, app)
        for depth in rest:
            app.session_state["depth"] = depth
            app.run()
            opens(each, app)
        if has_code:
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
