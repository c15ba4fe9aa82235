"""The browser components by their folders in assets/components: their scripts, and their styles in our colours."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from viz.shared.component_script import join_script, join_styles, shorten_code
from viz.shared.style import COLOURS, SEQUENTIAL, SERIES, SIGNED, Theme

FOLDER = Path(__file__).parents[2] / "assets" / "components"
BASE_STYLES = FOLDER / "shared" / "base.css"


def module_of(path: str) -> Path:
    """The module of a component. It has the name of its folder."""
    return FOLDER / path / f"{path.rpartition('/')[2]}.js"


def name_of(path: str) -> str:
    """The name by which Streamlit and a saved page know a component: "glassformer_heads_atlas"."""
    return f"glassformer_{module_of(path).stem}"


@cache
def script_of(module: Path) -> str:
    """A module with all modules that it imports, as one script."""
    return join_script(module)


@cache
def styles_of(module: Path) -> str:
    """The colours, and the style sheets of a module and of all modules that it imports."""
    colours = f".gf{{{colour_variables('light')}}}.gf.dark{{{colour_variables('dark')}}}"
    return colours + shorten_code(BASE_STYLES.read_text(encoding="utf-8")) + join_styles(module)


def colour_variables(theme: Theme) -> str:
    """The colours of viz/shared/style.py as CSS variables."""
    values = dict(COLOURS[theme])
    values |= {f"series-{i}": colour for i, colour in enumerate(SERIES[theme])}
    values["sequential"] = ", ".join(f"{place} {colour}" for place, colour in SEQUENTIAL[theme])
    values["signed"] = ", ".join(f"{place} {colour}" for place, colour in SIGNED[theme])
    return "".join(f"--{name}:{value};" for name, value in values.items())
