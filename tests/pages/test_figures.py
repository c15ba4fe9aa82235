"""The export menu that pages share: every file opens and holds the data."""

import io

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.shared import figures, lesson
from viz.style import apply_style


def test_every_file_of_the_menu_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, bytes | str] = {}

    def collect(name: str, **makers) -> None:
        assert name == "view"
        made.update({label: make() for label, make in makers.items()})

    monkeypatch.setattr(lesson, "export", collect)
    figures.export("view", apply_style(go.Figure(go.Bar(x=[1, 2]))), lambda: [{"a": 1}], tensor=np.arange(3))
    assert set(made) == {"SVG", "PDF", "PNG", "CSV", "NPZ", "HTML"}
    assert bytes(made["PDF"]).startswith(b"%PDF")  # type: ignore[arg-type]
    assert np.load(io.BytesIO(made["NPZ"]))["tensor"].tolist() == [0, 1, 2]  # type: ignore[arg-type]
    page = made["HTML"]
    assert isinstance(page, str)
    assert "Plotly.newPlot" in page
    assert 'src="http' not in page  # the script is inside: it opens without a network
