"""The package itself: its names, and what comes with them."""

from __future__ import annotations

import subprocess
import sys

import pytest

import model
from model import errors


def test_every_name_is_there() -> None:
    assert {name: getattr(model, name).__name__ for name in model.__all__} == {name: name for name in model.__all__}


def test_another_name_is_an_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match="'model' has no attribute 'transform'"):
        _ = model.transform


def test_errors_come_without_torch() -> None:
    code = f"import sys, {errors.__name__}; print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
