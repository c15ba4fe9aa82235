"""The controls of a recorded page in words, as AppTest's own messages have them."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.shared.recording.page_recording import Record

KEYS = ("step", "share", "both", "many", "phi", "note", "deep", "on", "choice", "hidden")


def _draw() -> None:
    import streamlit as st

    from pages.shared.recording.page_recording import record_page

    with record_page() as record:
        st.select_slider(
            "Step of training", (0, 1, 2), key="step", format_func=lambda place: f"{(0, 500, 1000)[place]:,}"
        )
        st.slider("Share", 0.0, 1.0, 0.25, key="share", format="%.2f")
        st.slider("From", 0, 9, (2, 5), key="both")
        st.number_input("Width", 1, 99, 64, key="many")
        st.number_input("φ", 0.0, 9.0, 3.0, key="phi", format="%.1f")
        st.text_input("Second sentence", "It <b>is</b>", key="note")
        st.text_area("Words", "a\nb", key="deep")
        st.toggle("Scaled", value=True, key="on")
        st.selectbox("Not told", ("a", "b"), key="choice")
        with st.popover("Menu"):
            st.number_input("Not seen", key="hidden")
        st.number_input("Not asked for", key="else")
    st.session_state["_record"] = record


def test_each_control_has_its_label_and_the_value_that_it_shows() -> None:
    app = AppTest.from_function(_draw).run()
    assert not app.exception
    record: Record = app.session_state["_record"]
    assert record.controls(KEYS) == [
        ("Step of training", "0"),
        ("Share", "0.25"),
        ("From", "2 to 5"),
        ("Width", "64"),
        ("φ", "3.0"),
        ("Second sentence", "It <b>is</b>"),
        ("Words", "a\nb"),
        ("Scaled", "on"),
    ]


def test_a_value_that_the_session_has_is_told() -> None:
    app = AppTest.from_function(_draw)
    values = {"step": 2, "share": 0.5, "both": (1, 2), "many": 7, "phi": 1.5, "note": "n", "deep": "d", "on": False}
    for key, value in values.items():
        app.session_state[key] = value
    record: Record = app.run().session_state["_record"]
    assert [value for _, value in record.controls(KEYS)] == ["1,000", "0.50", "1 to 2", "7", "1.5", "n", "d", "off"]
