"""What a hand-out prints of a plain scene: its words, its picture and its equation. No Streamlit here."""

from __future__ import annotations

import base64

from pages.teach.lectures import plain_scenes
from pages.teach.lectures.scene import Scene
from viz.print.plain_pictures import equation_picture, wrap_picture


def print_scene(scene: Scene) -> tuple[str, tuple[bytes, ...]]:
    """The words, with simple formatting, and the pictures, as SVG.

    An equation that cannot be set for paper is printed as it was written.
    """
    words, pictures = scene.state.get("slide_text", ""), []
    if scene.picture:
        pictures.append(wrap_picture(base64.b64decode(scene.picture), scene.state.get("slide_alt", "")))
    if equation := plain_scenes.safe_equation(scene.state.get("slide_equation", "")):
        drawn = equation_picture(equation)
        if drawn:
            pictures.append(drawn)
        else:
            words = f"{words}\n{equation}"
    return words, tuple(pictures)
