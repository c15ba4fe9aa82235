"""A plain scene on paper: its words, its uploaded picture and its equation."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from pages.teach.handouts.handout_plain import print_scene
from pages.teach.lectures.scene import Scene
from viz.documents.handout import ScenePage, write_handout


def uploaded() -> str:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(file, "WEBP")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(("equation", "pictures"), [(r"\sqrt{d_k}", 2), (r"\begin{matrix}a\end{matrix}", 1), ("", 1)])
def test_a_plain_scene_is_printed(equation: str, pictures: int) -> None:
    state = {"slide_text": "**One** <b>", "slide_equation": equation, "slide_alt": "A <red> field"}
    words, drawn = print_scene(Scene("slide", state, picture=uploaded()))
    assert words == ("**One** <b>" if pictures == 2 or not equation else f"**One** <b>\n{equation}")
    assert len(drawn) == pictures
    assert b"A &lt;red&gt; field" in drawn[0]
    page = ScenePage(title="Plain", words=words, pictures=drawn)
    assert write_handout("T", "", [page], "made").startswith(b"%PDF")
