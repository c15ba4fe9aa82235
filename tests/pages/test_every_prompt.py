"""Each thing to try of each page, as a value: of the keys that it sets the page makes a view which complains of nothing
and has these values, and what the prompt says agrees with what that view tells.

The model and the sentence are those with which a page opens. Then models of the other kinds take turns: each prompt
meets one of them, or with --thorough all. There its words need not hold. The first prompt of each page is pressed on
the screen. That what a prompt is about is in sight: tests/browser/test_prompts.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pages.shared.elements.claims import Claim, ToldValues
from pages.shared.elements.page import page_of
from pages.shared.elements.prompts import Prompt, values_of
from pages.shared.model_runs import model_choice
from pages.shared.session import state, view_apart
from pages.shared.session.key_texts import to_text
from pages.shared.session.keys import KEYS
from tests.pages.conftest import messages, run_page, session_of, text
from tests.pages.views import PART_VIEWS, View
from tests.views.opened import complaints
from views.view import Depth
from views.view import View as ShownView
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


def told_by(view: ShownView, depth: Depth) -> dict[str, Any]:
    """What a view tells, and the views in it, by name. Nothing is told of what is not a number."""
    told = dict(_told_in(view.at(depth), depth)) | view.told()
    return {name: value for name, value in told.items() if value == value}


def _told_in(parts: Sequence[Any], depth: Depth) -> Iterator[tuple[str, Any]]:
    for part in parts:
        if isinstance(part, Group):
            yield from _told_in(part.parts, depth)
        elif isinstance(part, ShownView):
            yield from told_by(part, depth).items()


def check_values(prompt: Prompt, ours: bool) -> None:
    """The page has the values of the prompt. A model of the reader's that suits stays. A default may mean that the page
    chooses."""
    for name, value in prompt.values.items():
        if value != KEYS[name].default and (name != "model" or (ours and prompt.suits is None)):
            assert state.get(name) == value, name


def check(view: View, model: str, prompt: Prompt, *, must_hold: bool) -> dict[str, Any]:
    """Take the values of a prompt on the page that stands open. Returns what it tells then."""
    page = page_of(view.page)
    assert page is not None
    with view_apart.opened(view.page, link_of(view, model)):
        model_choice.read()
        state.put(**values_of(prompt))
        model_choice.read()
        shown = page.show()
        warned = WARNS.get((view.page, prompt.label), "no such words")
        assert not [each for each in complaints(shown) if warned not in each]
        check_values(prompt, must_hold)
        told = told_by(shown.view, shown.depth)
    if prompt.claim is None:
        assert (view.page, prompt.label) in WITHOUT_CLAIM
    elif must_hold:
        assert prompt.claim.what in told, f"The page tells nothing of “{prompt.claim.what}”."
        assert prompt.claim.holds(told[prompt.claim.what]), f"{prompt.claim} of {told[prompt.claim.what]}"
    return told


def link_of(view: View, model: str) -> dict[str, str]:
    return {name: to_text(value) for name, value in opening(view, model).items()}


def prompts_of(views: list[View], model: str) -> Iterator[tuple[View, Prompt]]:
    """Each prompt of a page, where it stands first."""
    met = set()
    for view in views:
        for prompt in prompts_on(view, model):
            if prompt.label not in met:
                met.add(prompt.label)
                yield view, prompt


def prompts_on(view: View, model: str) -> tuple[Prompt, ...]:
    page = page_of(view.page)
    assert page is not None
    with view_apart.opened(view.page, link_of(view, model)):
        prompts = page.open_part.prompts or page.prompts
        if not callable(prompts):
            return prompts
        model_choice.read()
        return prompts(page.open_part.view())


PAGES = {view.page: [each for each in PART_VIEWS if each.page == view.page] for view in PART_VIEWS}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_prompt_does_what_it_says(page: str) -> None:
    model = SMALL.get(page, "")
    for view, prompt in prompts_of(PAGES[page], model):
        check(view, model, prompt, must_hold=True)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_prompt_says_what_is_true_of_other_models(page: str, pytestconfig: pytest.Config) -> None:
    turn = list(PAGES).index(page)
    for place, model in enumerate(OTHERS):
        for number, (view, prompt) in enumerate(prompts_of(PAGES[page], model)):
            if pytestconfig.getoption("--thorough") or (number + turn) % len(OTHERS) == place:
                check(view, model, prompt, must_hold=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_press_of_the_first_prompt_on_the_screen(page: str) -> None:
    """With a small model, of which the words may not be true. Then the page says what is."""
    view, prompt = next(prompts_of(PAGES[page], OTHERS[0]))
    app = run_page(view.file, **opening(view, OTHERS[0]))
    app.button(key=f"try {prompt.label}").click().run()
    assert not app.exception
    assert not messages(app)
    told = session_of(app, ToldValues).by_name
    assert told == check(view, OTHERS[0], prompt, must_hold=False)
    is_true = prompt.claim is None or prompt.claim.what not in told or prompt.claim.holds(told[prompt.claim.what])
    assert is_true != ("Not so here" in text(app))


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
