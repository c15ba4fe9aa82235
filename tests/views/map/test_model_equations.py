"""The equations of Home: those of the model, with its answer worked out."""

from __future__ import annotations

import pytest

from model import load
from tests.pages.printed_digits import assert_digits_hold
from views.map.model_equations import parts_of
from views.map.run_answers import tensor_patterns
from views.run import make_run
from views.shared.quotes import tex
from viz.documents.page_parts import Equation

SENTENCE = "George drove to the bank"


def equations(name: str) -> list[str]:
    model = load(name)
    layers = dict.fromkeys(model.config.stacks, 1)
    parts = parts_of(make_run(model, SENTENCE, tensor_patterns(model.config, layers)))
    return [part.latex for part in parts if isinstance(part, Equation)]


@pytest.mark.parametrize(
    ("name", "has", "has_not"),
    [
        ("tiny-lm", r"+ p_t", r"\tilde Q"),
        ("tiny-lm-rotary", r"\tilde Q", "p_t"),
        ("tiny-lm-concat", r",\ p_t)", r"\tilde Q"),
        ("tiny-encoder", r"p(\text{class})", "+ M"),
        ("minilm-l6", r"h_0, \dots", "softmax}(u)"),
        ("en-ur", r"\mathrm{Norm}(x + f(x))", r"x + f(\mathrm{Norm}(x))"),
    ],
)
def test_they_are_those_of_the_model(name: str, has: str, has_not: str) -> None:
    found = "\n".join(equations(name))
    assert has in found
    assert has_not not in found


def test_the_answer_is_worked_out_from_its_logit() -> None:
    worked, share = equations("tiny-lm")[-1], float(load("tiny-lm").trace(SENTENCE).logits[-1].softmax(-1).max())
    assert_digits_hold(worked)
    assert worked.replace(r"\approx", "=").endswith(f"= {tex(share)}")
