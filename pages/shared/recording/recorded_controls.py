"""The controls of a recorded page as words: what each is called, and the value that it shows.

They are Streamlit's messages (`streamlit.proto`), as in `page_recording`.
"""

from __future__ import annotations

from typing import Any


def read_control(kind: str, sent: Any) -> tuple[str, str] | None:
    """The label of a control and its value, as the reader sees it; None for another element. `kind`: by Streamlit."""
    match kind:
        case "slider":
            value = _slider_value(sent)
        case "number_input":
            value = _written(sent.format, sent.value if sent.set_value else sent.default)
        case "text_input" | "text_area":
            value = sent.value if sent.set_value else sent.default
        case "checkbox":
            value = "on" if (sent.value if sent.set_value else sent.default) else "off"
        case _:
            return None
    return sent.label, value


def _slider_value(sent: Any) -> str:
    """The options of a slider over words are sent as words, its place as their number."""
    if sent.options:
        words = sent.raw_value or [sent.options[int(place)] for place in sent.default]
    else:
        words = [_written(sent.format, each) for each in (sent.value if sent.set_value else sent.default)]
    return " to ".join(words)


def _written(form: str, value: float) -> str:
    """A number in the form of its control, such as "%0.2f"; as it is where that is no form of Python."""
    try:
        return form % (int(value) if form.endswith("d") else value)
    except (TypeError, ValueError):
        return f"{value:g}"
