"""No page, picture or message formats a number by itself: `model/numerals.py` and `numbers.js` do. What may is here."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Each file that may round or format numbers by itself, and why.
PYTHON = {
    "model/numerals.py": "the functions themselves",
    "model/train": "what training writes into cards and prints on a terminal",
    "model/questions/learning.py": "a threshold that the question names is a round number",
    "model/analysis/step_code.py": "Python code that the reader runs",
    "model/analysis/weight_story.py": "Python code that the reader runs",
    "views/inputs/worked_positions.py": "Python code that the reader runs",
    "views/notebook/numbers.py": "Python code that the reader runs",
    "pages/inputs/positions_parts/fields.py": "what a reader types into a field",
    "views/inputs/word_order.py": "a column of changes from 10⁻⁸ to 1, in powers, which Streamlit writes",
    "views/attention/masks/mask_code.py": "Python code that the reader runs",
    "pages/shared/elements/columns.py": "the decimals of a column, which Streamlit writes from the number itself",
    "pages/teach/rooms/room.py": "seconds that a phone counts down",
    "viz/shared/style.py": "the ticks of an axis of shares",
    "viz/shared/told.py": "hover texts of figures with too many numbers, which Plotly writes from the number itself",
    "viz/inputs/ladder.py": "the ticks of an axis: 1, 2, 5, 10",
    "viz/inputs/position_bytes.py": "the places of points, which nobody reads",
    "viz/inputs/vocabulary.py": "the places of points, which nobody reads",
    "viz/models/paths.py": "the places of lines, which nobody reads",
    "viz/home/layout": "the places of boxes, and the window in an address",
    "model/notebook/markup.py": "a width in CSS",
    "viz/documents/part_html.py": "a width in CSS",
}
JAVASCRIPT = {
    "shared/numbers.js": "the functions themselves",
    "home/model_map/names.js": "the window in an address",
    "inputs/position_circles/position_circles.js": "the value of a field and of a key of the state",
    "teach/places.js": "a place on the screen, which is sent to other screens",
    "teach/presenter/notes.js": "the time of day",
}
# A precision (.3f, .2%, .{digits}f) or a type that rounds by itself; `g` alone writes a setting as it was chosen.
FORMAT = re.compile(r"\.(\d|\{\})+[efg%]?$|[ef%]$")
PLOTLY = re.compile(r"%\{\w+:[^}]*[.~%efg][^}]*\}|^[,+]?\.\d+[efg%]$|^%\.\d+[efg]$")
OF_NUMBERS = re.compile(r"\.(toFixed|toPrecision|toExponential|toLocale\w*)\(|\bIntl\.")


def own_formats(path: Path) -> set[int]:
    """The lines of a file that format or round a number."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.lineno for node in nodes if isinstance(node, ast.expr) and _formats(node)}


def _formats(node: ast.expr) -> bool:
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        parts = node.format_spec.values
        spec = "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in parts)
        return bool(FORMAT.search(spec)) and "%Y" not in spec  # a date
    if isinstance(node, ast.JoinedStr):  # a format that is put together: f"%{{{axis}:.3f}}"
        text = "".join(str(each.value) if isinstance(each, ast.Constant) else "0" for each in node.values)
        return bool(PLOTLY.search(text))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(PLOTLY.search(node.value))
    return isinstance(node, ast.Call) and _rounds(node)


def _rounds(call: ast.Call) -> bool:
    """Whether a call rounds to decimals: round(x, 3), values.round(3), np.round(values, 3)."""
    if isinstance(call.func, ast.Name):
        return call.func.id == "round" and len(call.args) == 2
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "round"):
        return False
    of_numpy = isinstance(call.func.value, ast.Name) and call.func.value.id == "np"
    return len(call.args) > of_numpy


def is_listed(path: str, listed: dict[str, str]) -> str:
    """The entry that allows a file; "" for none."""
    return next((entry for entry in listed if path == entry or path.startswith(f"{entry}/")), "")


def test_python_leaves_numbers_to_one_module() -> None:
    used, found = set(), []
    for room in ("pages", "views", "viz", "model"):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            lines = sorted(own_formats(path))
            if entry := is_listed(name, PYTHON):
                used |= {entry} if lines else set()
            else:
                found += [f"{name}:{line}" for line in lines]
    assert found == [], "use a function of model/numerals.py, or say here why not"
    assert used == set(PYTHON), "an exception that nobody needs any more"


def test_javascript_leaves_numbers_to_one_module() -> None:
    components, used, found = ROOT / "assets" / "components", set(), []
    for path in sorted(components.rglob("*.js")):
        name = path.relative_to(components).as_posix()
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if OF_NUMBERS.search(line)]
        if name in JAVASCRIPT:
            used |= {name} if lines else set()
        else:
            found += [f"{name}: {line.strip()}" for line in lines]
    assert found == [], "use a function of shared/numbers.js, or say here why not"
    assert used == set(JAVASCRIPT), "an exception that nobody needs any more"


def test_own_formats_are_seen(tmp_path: Path) -> None:
    seen = ('f"{x:.3f}"', 'f"{x:,.0f}"', 'f"{x:.1%}"', 'f"{x:.{n}f}"', '"%{y:.3f}<extra></extra>"', "round(x, 2)",
            "values.round(4)", "np.round(values, 3)", '".0%"', '"%.2f"', 'f"{x:e}"',
            'f"%{{{axis}:.3f}}"', 'f"%.{digits}f"')  # fmt: skip
    unseen = ('f"{count:,}"', 'f"{temperature:g}"', 'f"{day:%Y-%m-%d}"', '"%{x:,} tokens"', "round(x)", "x.round()",
              "np.round(x)", 'f"{byte:02X}"', '"100%"')  # fmt: skip
    file = tmp_path / "some.py"
    for text, expected in [(text, 1) for text in seen] + [(text, 0) for text in unseen]:
        file.write_text(text, encoding="utf-8")
        assert len(own_formats(file)) == expected, text
