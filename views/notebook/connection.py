"""The connection between a view's frames in a notebook and the kernel: a widget that has no picture of its own.

A saved notebook that was opened without its kernel shows "model not found" in the place of a widget. So the picture is
HTML, and the widget only brings messages, as `assets/notebook/kernel.js` says. It needs the package `anywidget`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from anywidget import AnyWidget
from traitlets import Unicode

from views.notebook.live_picture import Message
from viz.documents.page_html import ASSETS
from viz.shared.component_script import join_script


class Connection(AnyWidget):
    """Brings what frames tell to `take`, and its answers back. `frame`: their name. `page`: for front ends in which the
    widget shows the frame itself."""

    _esm = join_script(ASSETS / "notebook" / "kernel.js")
    frame = Unicode().tag(sync=True)
    page = Unicode().tag(sync=True)

    def __init__(self, frame: str, take: Callable[[Mapping[str, Any]], Message | None], page: str = "") -> None:
        super().__init__(frame=frame, page=page)
        self._take_message = take
        self.on_msg(self._answer)

    def _answer(self, _: AnyWidget, message: Mapping[str, Any], buffers: list[bytes]) -> None:
        answer = self._take_message(message)
        if answer is not None:
            content = {name: value for name, value in answer.items() if not isinstance(value, bytes)}
            self.send(content, [value for value in answer.values() if isinstance(value, bytes)])

    def shown(self) -> dict[str, Any]:
        """What an output holds to show the widget itself."""
        data, _ = self._repr_mimebundle_() or ({}, {})
        return data
