"""Where imports stand: at the top of a module, unless they would hold up the first page of a fresh server."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# They are imported before the title of a page is drawn, and must not load torch, which takes a second.
WITHOUT_TORCH = ("adding", "components", "help", "home", "shared", "teach")
WITH_TORCH = (
    *("pages/teach/questions/", "pages/teach/handouts/", "pages/teach/lecture_parts/"),
    *("pages/teach/lecture.py", "pages/teach/practise.py"),
)
# Outside of them, these alone are imported where they are used: each is slow, and few runs need it.
CLIENT_OF_THE_HUB = {
    *("model.adding.borrowing", "model.adding.missing", "model.adding.revisions", "model.experiments.training_replay")
}
READERS_OF_FILES = {"model.zoo.onnx_model", "model.zoo.gguf_model"}  # they import the libraries of ONNX and of GGUF
SLOW = {
    *("plotly.graph_objects", "plotly.offline", "sacrebleu.metrics", "sklearn.feature_extraction.text", "typst"),
    *CLIENT_OF_THE_HUB,
    *READERS_OF_FILES,
}


def modules_without_torch() -> list[Path]:
    files = [each for name in WITHOUT_TORCH for each in (ROOT / "pages").glob(f"{name}/**/*.py")]
    files += [each for name in ("pages", "views") for each in (ROOT / name).glob("*.py")]
    files += [each for name in ("shared", "map", "notebook") for each in (ROOT / "views" / name).glob("*.py")]
    return [path for path in files if not path.relative_to(ROOT).as_posix().startswith(WITH_TORCH)]


def imports_in_functions(path: Path) -> Iterator[str]:
    """The modules that the functions of a file import, by their names."""
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    yield from (each.name for each in node.names)
                elif isinstance(node, ast.ImportFrom):
                    yield node.module or ""


def test_what_draws_the_title_of_a_page_loads_no_torch() -> None:
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules_without_torch()]
    scripts = {"pages.home.home", "pages.help.glossary", "pages.help.keyboard"}  # they draw when they are imported
    code = f"import sys, {', '.join(sorted(set(names) - scripts))}; print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, text=True) == "False\n"


def test_all_other_modules_import_at_the_top() -> None:
    light = set(modules_without_torch())
    late = {
        path.relative_to(ROOT).as_posix(): found
        for folder in ("corpora", "model", "pages", "views", "viz")
        for path in (ROOT / folder).rglob("*.py")
        if path not in light and (found := set(imports_in_functions(path)) - SLOW)
    }
    assert not late
