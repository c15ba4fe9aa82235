"""The words about the measures of a training."""

from __future__ import annotations

from model import load
from views.shared.measure_words import compare_with_even, say_meanings


def test_a_loss_above_an_even_guess_is_explained() -> None:
    assert compare_with_even(7.5, 7.0) == (
        "guessing evenly would be ln V = 7.000. It is above that: random weights make some tokens likelier, hardly "
        "ever the right ones."
    )
    assert compare_with_even(6.5, 7.0) == "guessing evenly would be ln V = 7.000."


def test_each_measure_of_a_bundled_model_has_its_meaning() -> None:
    card = load("tiny-lm").card
    said = say_meanings(card, ["bank", "no such measure", "facts"])
    assert said.startswith("**bank**: the likeliest next word after 'bank' is of the right sense")
    assert "; **facts**: " in said
    assert said.endswith(".")
    assert "no such measure" not in said
