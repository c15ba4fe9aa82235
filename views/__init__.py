"""Views: what each part of a page says of one run, as values. No Streamlit, and nothing of a session.

Read `view.py`, then `parts.py`: a view is made of parts, and whoever shows it draws them. The app does
(`pages.shared.elements.renderer`), and so do saved pages, pictures, hand-outs and the pages of a class.

Notebooks find the views by the names of their pages (`by_page/`): `views.heads.Lines(run, layer=9, head=2)`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from views.by_page import (
        before_attention,
        bench,
        block,
        classify,
        combine,
        cost,
        heads,
        home,
        masks,
        positions,
        predict,
        scores,
        see,
        tokens,
        training,
        translate,
        why,
    )
    from views.by_page.two_models import Beside as Beside

__all__ = [
    "before_attention",
    "bench",
    "block",
    "classify",
    "combine",
    "cost",
    "heads",
    "home",
    "masks",
    "positions",
    "predict",
    "scores",
    "see",
    "tokens",
    "training",
    "translate",
    "why",
]


def __getattr__(name: str) -> Any:
    """Imports the views of a page, and `Beside`, when they are first used: they load torch and Plotly."""
    if name == "Beside":
        return import_module(f"{__name__}.by_page.two_models").Beside
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.by_page.{name}")
