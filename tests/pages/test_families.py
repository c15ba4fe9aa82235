"""No page breaks on any family: every part that shows a network, with a tiny checkpoint of each; the code and the
notebooks that they offer run. Pages of tokens are opened with one of each kind, and so is each part that shows the same
for all. tests/pages/family_views.py has which checkpoint opens which view at which depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path

import plotly.graph_objects as go
import pytest

from model.texts.collection import Collection
from model.zoo import cards
from model.zoo.families import FAMILIES
from pages.shared.session import state
from pages.shared.session.keys import DEPTHS
from pages.shared.sharing import notebooks
from tests.model.zoo import tiny_families, tiny_readers, tiny_t5
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import messages, run_page
from tests.pages.executed_notebooks import executed
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
    views_of,
    visits,
)  # fmt: skip
from tests.pages.views import View
from tests.views.opened import complaints, opened
from views.attention.many_texts import texts
from views.shown_page import ShownPage
from views.view import Depth
from viz.documents.page_parts import Code, flatten

EVERY = 20  # of the texts over which heads are read: here it is enough that they are
LACKS = re.compile(
    r"does not exist here|need as many tokens|has no “.+” that could be taken away|patches a part that this|"
    r"Edges that this run lacks|There is no class|is several tokens for this model|"
    r"The link edits parts that do not fit this model"  # a neuron, where a layer has experts
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


@pytest.fixture(scope="module", autouse=True)
def few_texts() -> Iterator[None]:
    """Each checkpoint reads some texts, and not a thousand."""
    texts.built_in.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for name, whole in texts.BUILT_IN.items():
            few = Collection(whole().name, whole().texts[::EVERY])
            patch.setitem(texts.BUILT_IN, name, lambda few=few: few)
        yield
    texts.built_in.cache_clear()


@pytest.mark.slow
def test_every_family_is_among_them() -> None:
    of_pictures = {"vit", "deit", "dinov2", "dinov2_with_registers", "clip", "siglip"}  # only See shows them
    # MiniLM is the first; the others have values that those among them have, too.
    alike = {"bert", "xlm-roberta", "mt5", "umt5", "llama", "mistral", "qwen3", "phi3", "stablelm", "olmo2"}
    alike |= {"gemma3_text", "camembert", "opt", "biogpt", "gpt_neo", "bloom", "modernbert", "electra"}
    alike |= {"albert"}
    alike |= {"seed_oss", "mixtral", "olmoe", "qwen3_moe", "granitemoe", "granitemoeshared"}
    plain = set(CHECKPOINTS) - set(ANSWERING)
    assert {name.partition(",")[0] for name in plain} == set(FAMILIES) - alike - of_pictures


def test_every_pair_of_a_checkpoint_a_part_and_a_depth_is_met() -> None:
    """All checkpoints open the parts that they can show, and neighbours in the list all views; decoders, each view at
    each depth."""
    met: dict[str, set[str]] = {}
    met_by_decoders: dict[str, set[str]] = {}
    for name, page in OPENED:
        of_page = list(visits(name, page))
        if can_show(page, name):
            assert {each.view.part for each in of_page} == {each.part for each in views_of(name, page)}
        met[name] = met.get(name, set()) | {str(each.view) for each in of_page}
        for each in of_page if name in DECODERS else ():
            met_by_decoders.setdefault(str(each.view), set()).update(each.depths)
    for kind in KINDS:
        for one, other in pairwise(kind):
            for page in dict.fromkeys(page for name, page in OPENED if name == one and can_show(page, name)):
                assert {str(each) for each in views_of(one, page)} <= met[one] | met[other]
    assert all(met_by_decoders[str(each)] == set(DEPTHS) for each in OF_NETWORK if each.page in OF_NETWORKS)


def test_every_notebook_runs_for_a_checkpoint_of_each_kind() -> None:
    kind_of = {name: place for place, kind in enumerate(KINDS) for name in kind}
    ran = [(each.view.part, name) for name, page in OPENED for each in visits(name, page) if each.with_notebook]
    pages = {each.part: each.page for each in OF_NETWORK}
    shown = {(part, kind_of[name]) for part in PARTS for name, page in OPENED
             if page == pages[part] and can_show(page, name)}  # fmt: skip
    assert sorted((part, kind_of[name]) for part, name in ran) == sorted(shown), "once for each kind"
    assert {name for _, name in ran} == set(CHECKPOINTS)


def opened_by(name: str, each: View, depth: Depth) -> AbstractContextManager[ShownPage]:
    """A view of a checkpoint, as a value."""
    return opened(View(each.page, values_of(each, name)), depth)


def unexpected(page: ShownPage) -> list[str]:
    """What a page complains of, beside saying what this model lacks."""
    return [said for said in complaints(page) if not LACKS.search(said)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "page"), OPENED)
def test_a_view_is_made_and_its_notebook_and_code_run(name: str, page: str, pytestconfig: pytest.Config) -> None:
    """The notebook is that of the picture. The code runs for every step of a head."""
    for each, depths, with_notebook in visits(name, page, pytestconfig.getoption("thorough")):
        has_code = each.part == STEPS and "edits" not in each.state
        picture, code = ("Picture",) * with_notebook, ("Code",) * has_code
        for depth in dict.fromkeys((*picture, *depths, *code)):
            with opened_by(name, each, depth) as shown:
                assert (state.get("model") == name_of(name)) == can_show(page, name)
                assert not unexpected(shown), f"{each} {depth}"
                if with_notebook and depth == "Picture":
                    executed(notebooks.make_notebook(shown, "A view", "http://localhost:8501/"))
            if has_code and depth == "Code":
                exec(proof_of(shown), {})


def proof_of(page: ShownPage) -> str:
    """The code of a page that computes its numbers again and compares them."""
    texts = (part.text for part in flatten(page.parts()) if isinstance(part, Code))
    return next(text for text in texts if "assert_close" in text)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "page"), [(name, page) for name, page in OPENED if name in OF_EACH_KIND])
def test_a_page_of_a_checkpoint_of_each_kind_is_drawn_with_its_controls(name: str, page: str) -> None:
    """One view of each part."""
    for each in {each.part: each for each, _, _ in visits(name, page)}.values():
        app = run_page(each.file, **values_of(each, name))
        assert (app.session_state["model"] == name_of(name)) == can_show(page, name)
        assert not [said for said in messages(app) if not LACKS.search(said)]


@pytest.mark.slow
@pytest.mark.parametrize("each", [each for each in OF_THE_BAR if not shows_network(each)], ids=str)
def test_what_shows_no_network_is_the_same_for_one_of_each_kind(each: View) -> None:
    """That it is made at every depth: tests/views/test_every_view.py."""
    made = []
    for name in OF_EACH_KIND:
        with opened_by(name, each, "Picture") as page:
            assert not unexpected(page)
            made.append(page.parts())
    assert made[0] == made[1]
