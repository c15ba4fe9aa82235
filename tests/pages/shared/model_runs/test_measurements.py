"""A measurement that is asked for is made, also where another message ends the run that read the press."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from pages.shared.model_runs import measurements

    done = st.session_state.setdefault("done", [])
    goes_on = st.session_state.get("goes on", False)
    asked = measurements.measure_button("Measure", done, ":material/timer:", goes_on=goes_on)
    stop = st.empty()
    if asked:
        st.session_state["begun"] = st.session_state.get("begun", 0) + 1
        with measurements.watch(stop, "Measuring"):
            for place in range(len(done), 3):
                if st.session_state.get("ends before") == place:
                    st.stop()
                done.append(place)
    st.text(f"{len(done)} results")


def measured(ends_before: int | None = None) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    app.session_state["ends before"] = ends_before
    app.run()
    assert app.text[0].value == "0 results"
    app.button[0].click().run()
    app.session_state["ends before"] = None
    return app


def test_it_is_made_once() -> None:
    app = measured()
    assert app.text[0].value == "3 results"
    app.run()
    assert app.text[0].value == "3 results"
    assert app.session_state["begun"] == 1


def test_a_run_that_ends_before_the_first_result_hands_it_on() -> None:
    app = measured(ends_before=0)
    assert not app.text
    app.run()
    assert app.text[0].value == "3 results"


def test_what_was_measured_before_an_end_stays_until_it_is_asked_for_again() -> None:
    app = measured(ends_before=2)
    app.run()
    assert app.text[0].value == "2 results"
    assert app.session_state["begun"] == 1
    app.button[0].click().run()
    assert app.text[0].value == "3 results"


def test_one_that_goes_on_keeps_what_was_measured_and_begins_behind_it() -> None:
    app = measured(ends_before=2)
    app.session_state["goes on"] = True
    app.session_state["ends before"] = 2
    app.run()
    app.button[0].click().run()
    assert not app.text, "another message ended this run before its first new result"
    app.session_state["ends before"] = None
    app.run()
    assert app.text[0].value == "3 results"
    assert app.session_state["begun"] == 3
    assert app.session_state["done"] == [0, 1, 2]


def test_stop_ends_it_also_before_the_first_result() -> None:
    app = measured(ends_before=0)
    next(each for each in app.button if each.label == "Stop").click().run()
    assert app.text[0].value == "0 results"
