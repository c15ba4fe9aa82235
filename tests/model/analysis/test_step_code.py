from __future__ import annotations

import ast
import inspect

import pytest

from model.analysis.step_code import EXPRESSIONS, own_line
from model.network.attention import MultiHeadAttention

SOURCE = inspect.getsource(MultiHeadAttention)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_step_is_shown_by_the_one_whole_statement_that_computes_it(name: str) -> None:
    expression = EXPRESSIONS[name]
    assert SOURCE.count(expression) == 1
    shown = own_line(*name.split())
    assert shown in SOURCE
    (statement,) = ast.parse(shown.removeprefix("return ")).body
    assert expression in ast.unparse(statement).replace("'", '"')


def test_keys_and_values_are_made_by_one_statement_and_queries_by_another() -> None:
    assert own_line("project", "k") == own_line("project", "v") != own_line("project", "q")


def test_a_projection_that_has_no_norm_is_an_error() -> None:
    with pytest.raises(KeyError, match="normalise v"):
        own_line("normalise", "v")
