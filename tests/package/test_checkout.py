"""In a checkout the names of the installed package lead to the same modules as the short ones."""

from __future__ import annotations

from importlib import import_module

import pytest

import glassformer
from glassformer.checkout import ROOMS
from model.location import PACKAGE, SEARCHED
from tools import package_hook


@pytest.mark.parametrize("name", ["model", "model.tape", "viz.shared.style", "views.by_page.heads", "corpora.world"])
def test_a_module_is_loaded_once(name: str) -> None:
    module = import_module(f"glassformer.{name}")
    assert module is import_module(name)
    assert module.__spec__ is not None
    assert module.__spec__.name == name


def test_the_package_has_the_public_names_of_the_library_and_the_views() -> None:
    library = import_module("model")
    assert set(glassformer.__all__) == {*library.__all__, "views"}
    assert all(getattr(glassformer, name) is getattr(library, name) for name in library.__all__)
    assert glassformer.views is import_module("views")


def test_another_name_is_an_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match="'glassformer' has no attribute 'transform'"):
        _ = glassformer.transform


def test_the_wheel_has_the_rooms_that_the_checkout_leads_to() -> None:
    assert package_hook.ROOMS == ROOMS
    assert PACKAGE == ""
    assert (SEARCHED / "pyproject.toml").is_file()


@pytest.mark.parametrize(
    ("source", "installed"),
    [
        ("from model import load", "from glassformer.model import load"),
        ("from viz.shared import (\n    style,\n)", "from glassformer.viz.shared import (\n    style,\n)"),
        ("    import pages", "    from glassformer import pages"),
        ("import views.view as view", "import glassformer.views.view as view"),
        ('"""python -m model.train NAME"""', '"""python -m glassformer.model.train NAME"""'),
        ('("from glassformer import load\\nmodel = 1")', '("from glassformer import load\\nmodel = 1")'),
        ("from modelling import model  # from model to views", "from modelling import model  # from model to views"),
        ("import models, numpy", "import models, numpy"),
        ("from .model import view", "from .model import view"),
    ],
)
def test_imports_of_rooms_are_written_anew(source: str, installed: str) -> None:
    assert package_hook.installed_form(source) == installed
