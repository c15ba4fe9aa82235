"""Each thing to try of each page is pressed: nothing is complained of, the page shows the values that it names and has
the place that it is about, and what it says agrees with the numbers on the page.

The model and the sentence are those with which a page opens. Then models of the other kinds take turns: each prompt
meets one of them, or with --thorough all. There its words need not hold, but then the page must say what is true.
That what a prompt is about is in sight: tests/browser/test_prompts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements.claims import Claim, ToldValues
from pages.shared.elements.prompts import Prompt, PromptSession
from pages.shared.elements.shown import ShownSession
from pages.shared.session.keys import KEYS
from tests.pages.conftest import messages, run_page, session_of, text
from tests.pages.views import PART_VIEWS, View
from views.view import Depth
from views.view import View as PageView
from viz.documents.page_parts import Group

# A model of each other kind. Pages that show another model in its place show theirs.
OTHERS = ("tiny-lm", "minilm-l6", "en-ur-everyday", "tiny-encoder")
# Pages that run the model of the bar so often that the largest one takes long, and that show the same with a small one.
SMALL = {"bench": "tiny-lm"}
# The prompts that lead to a list of words, to equations, or to a start button: nothing on the page could deny them.
WITHOUT_CLAIM = {("see", "Remedies"), ("training", "Train it live"), ("before_attention", "The formulas")}
# The places that stand among the controls of a view.
OF_CONTROLS = {"see pad"}
# What such a prompt is about is a warning of the page.
WARNS = {("translate", "What it gets wrong"): "outside what this model learnt"}


def opening(view: View, model: str) -> dict[str, Any]:
    return view.state | ({"model": model} if model else {})


def labels(app: AppTest) -> list[str]:
    return [each.key.removeprefix("try ") for each in app.button if each.key and each.key.startswith("try ")]


def press(app: AppTest, label: str) -> tuple[Prompt, dict[str, Any]]:
    """Returns the prompt, and what the page told then."""
    app.button(key=f"try {label}").click().run()
    assert not app.exception
    return session_of(app, PromptSession).trial.prompt, session_of(app, ToldValues).by_name


def check_values(app: AppTest, prompt: Prompt, ours: bool) -> None:
    """The page has the values of the prompt. A model of the reader's that suits stays. A default may mean that the page
    chooses."""
    for name, value in prompt.values.items():
        if value != KEYS[name].default and (name != "model" or (ours and prompt.suits is None)):
            assert app.session_state[name] == value, name


def places(parts: Iterable[Any], depth: Depth) -> Iterator[str]:
    """The keys of the parts of views, by which the browser finds a place."""
    for part in parts:
        if isinstance(part, PageView):
            yield from places(part.at(depth), depth)
        else:
            yield getattr(part, "key", "")
            if isinstance(part, Group):
                yield from places(part.parts, depth)


def check_place(app: AppTest, prompt: Prompt) -> None:
    """The page shows the element that the prompt is about."""
    page = session_of(app, ShownSession).page
    assert page is not None
    assert prompt.at in {"", *OF_CONTROLS, *places(page.view.at(page.depth), page.depth)}


def check(app: AppTest, page: str, label: str, *, must_hold: bool) -> None:
    prompt, told = press(app, label)
    complaints = [each for each in messages(app) if WARNS.get((page, label), "no such words") not in each]
    assert complaints == []
    check_values(app, prompt, must_hold)
    check_place(app, prompt)
    claim = prompt.claim
    if claim is None:
        assert (page, label) in WITHOUT_CLAIM
        return
    if must_hold:
        assert claim.what in told, f"The page tells nothing of “{claim.what}”."
        assert claim.holds(told[claim.what]), f"{claim} of {told[claim.what]}"
    is_true = claim.what not in told or claim.holds(told[claim.what])
    assert is_true != ("Not so here" in text(app))


def prompts_of(views: list[View], model: str) -> Iterator[tuple[View, str]]:
    """Each prompt of a page, where it stands first."""
    met = set()
    for view in views:
        for label in labels(run_page(view.file, **opening(view, model))):
            if label not in met:
                met.add(label)
                yield view, label


PAGES = {view.page: [each for each in PART_VIEWS if each.page == view.page] for view in PART_VIEWS}


@pytest.mark.parametrize("page", PAGES)
def test_a_prompt_does_what_it_says(page: str) -> None:
    model = SMALL.get(page, "")
    for view, label in prompts_of(PAGES[page], model):
        check(run_page(view.file, **opening(view, model)), page, label, must_hold=True)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_prompt_says_what_is_true_of_other_models(page: str, pytestconfig: pytest.Config) -> None:
    turn = list(PAGES).index(page)
    for place, model in enumerate(OTHERS):
        for number, (view, label) in enumerate(prompts_of(PAGES[page], model)):
            if pytestconfig.getoption("--thorough") or (number + turn) % len(OTHERS) == place:
                check(run_page(view.file, **opening(view, model)), page, label, must_hold=False)


def test_a_claim_compares_numbers_and_words() -> None:
    assert Claim("", "is", "fox").holds("fox")
    assert not Claim("", "is", "fox").holds("dog")
    assert Claim("", "is not", "fox").holds("dog")
    assert Claim("", "has", "fox").holds("the fox jumps")
    assert not Claim("", "has", "fox").holds("the dog")
    assert Claim("", "over", 0.5).holds(0.6)
    assert not Claim("", "over", 0.5).holds(0.5)
    assert Claim("", "under", 0.5).holds(0.4)
    nothing = float("nan")
    assert not Claim("", "over", 0.5).holds(nothing)
    assert not Claim("", "under", 0.5).holds(nothing)
