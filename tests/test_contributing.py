"""The guides of contributors name rooms, files and functions that exist, and the code of a recipe is code of today."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from glassformer import __version__
from pages.catalogue import PageEntry

ROOT = Path(__file__).parents[1]
OWN_PATHS = ("tests/README.md", "assets/components/README.md")  # their paths begin at their own folders
MAX_BYTES = 10_000  # of CONTRIBUTING
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOUSE = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
TREE = HOUSE.partition("```\n")[2].partition("```")[0]
GUIDES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for floor in ("pages", "views", "viz", "model", "tools", "tests", "assets/components")
    for path in sorted((ROOT / floor).rglob("README.md"))
}
RECIPES = [
    re.sub(r"^   ", "", code, flags=re.MULTILINE)
    for code in re.findall(r"```python\n(.*?)```", GUIDES["pages/README.md"], re.DOTALL)
]
TEXT = "\n".join(
    [CONTRIBUTING, HOUSE.replace(TREE, ""), *(text for name, text in GUIDES.items() if name not in OWN_PATHS)]
)
QUOTED = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
PATHS = sorted({each for each in QUOTED if re.fullmatch(r"[\w./-]+(\.(py|js|toml|txt)|/)", each)})
NAMES = sorted({each for each in QUOTED if re.fullmatch(r"(corpora|model|viz|views|pages)(\.\w+)+", each)})


def rooms(folder: str) -> set[str]:
    """The rooms of a folder of the code, and for the tests its folders with tests."""
    return {path.name for path in (ROOT / folder).iterdir() if path.is_dir() and any(path.rglob("*.py"))}


def defines(module: ast.AST, name: str) -> ast.AST | None:
    """The definition of a name in a module or class."""
    for node in ast.iter_child_nodes(module):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node
    return None


def exists(dotted: str) -> bool:
    """Whether a module, or a name inside one, exists. Nothing is imported, since a page runs when it is."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if file.is_file():
            node: ast.AST | None = ast.parse(file.read_text(encoding="utf-8"))
            for name in parts[length:]:
                node = node and defines(node, name)
            return node is not None
    return False


def test_contributing_is_read_in_minutes() -> None:
    assert len(CONTRIBUTING.encode()) <= MAX_BYTES


def test_the_citation_has_the_version_of_today() -> None:
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_usual_ci_runs_the_commands_of_every_contributor() -> None:
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    commands = re.findall(r"- run: (.+)", workflow)
    assert "bash .ci/run" in commands
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make check PYTHON=python" in commands
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for quick in ("--ignore tests/browser --ignore tests/hostile -m 'not slow'", "--dist loadfile"):
        assert quick in makefile
        assert quick in workflow  # Windows has no make


def test_contributing_leads_to_every_guide() -> None:
    assert {name for name in GUIDES if name not in CONTRIBUTING} == set()


@pytest.mark.parametrize("folder", ["model", "viz", "views", "pages", "tests"])
def test_the_tree_has_one_line_for_each_room(folder: str) -> None:
    block = re.search(rf"^{folder}/ .*\n((?:  .*\n)*)", TREE, re.MULTILINE)
    assert block is not None
    listed = re.findall(r"^  (\w+)/  +\S", block[1], re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == rooms(folder)


def test_there_are_ten_lines_from_the_url_to_a_figure() -> None:
    journey = HOUSE.partition("## How a sentence travels")[2].partition("\n## ")[0]
    assert re.findall(r"^(\d+)\. ", journey, re.MULTILINE) == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists(name: str) -> None:
    assert exists(name)


def test_a_name_that_is_gone_is_noticed() -> None:
    assert exists("model.run.Model.trace")
    assert not exists("model.run.Model.follow")
    assert not exists("pages.shared.elements.lesson.begin")


def test_the_page_of_the_recipe_uses_functions_that_exist() -> None:
    page = ast.parse(RECIPES[0])
    imports = [node for node in page.body if isinstance(node, ast.ImportFrom)]
    modules = {name.name: f"{node.module}.{name.name}" for node in imports for name in node.names}
    used = {
        f"{modules[node.value.id]}.{node.attr}"
        for node in ast.walk(page)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    } | {each for name, each in modules.items() if each.startswith("pages.")}
    assert len(used) > 5
    own = "views.attention.spread."  # the view of the recipe
    assert {name for name in used if not name.startswith(own) and not exists(name)} == set()


def test_the_entry_of_the_recipe_is_an_entry() -> None:
    entry = eval(RECIPES[1], {"PageEntry": PageEntry})
    assert entry.url == "spread"
    assert f'Page("{entry.title}", "{entry.question}"' in RECIPES[0]


def test_the_reading_order_names_files_that_exist() -> None:
    docstring = ast.get_docstring(ast.parse((ROOT / "model" / "__init__.py").read_text(encoding="utf-8"))) or ""
    paths = re.findall(r"`([a-z_]+/(?:\w+\.py)?|\w+\.py)`", docstring)
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / "model" / path).exists()] == []
    assert {path.rstrip("/") for path in paths if path.endswith("/")} | {path.split("/")[0] for path in paths} >= rooms(
        "model"
    )
