"""The pictures of a plain scene for paper."""

import pytest

from viz.print.plain_pictures import equation_picture


def test_an_equation_is_a_picture() -> None:
    drawn = equation_picture(r"\frac{a}{b}")
    assert drawn is not None
    assert b"<svg" in drawn


@pytest.mark.parametrize("latex", [r"\frac{", "x_x_x", "{" * 450 + "}" * 450, "a^{" * 250 + "}" * 250])
def test_what_cannot_be_set_for_paper_has_no_picture(latex: str) -> None:
    """Braces within braces were an error, and the whole hand-out could not be made."""
    assert equation_picture(latex) is None
