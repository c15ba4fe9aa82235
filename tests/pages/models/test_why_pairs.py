"""The part Patching of Why this word over several pairs: the table, what is measured of it, and its complaints."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments.prompt_pairs import EXAMPLE_PAIRS
from pages.models.why_parts.patching import pair_table, pairs_work
from pages.models.why_parts.patching.pairs_work import PairsSession
from pages.shared.model_runs import measurements
from tests.pages.conftest import messages, run_page, session_of

SMALL = "names in a small world"
LINE = "the dog sees the\tthe bird sees the\tcat\tfox"


def visit(**state: object) -> AppTest:
    values = {"model": "tiny-lm", "why_part": "patching", "why_over": "several pairs", "depth": "Numbers"} | state
    return run_page("models/why.py", **values)


def numbers(app: AppTest) -> pd.DataFrame:
    """The table of the averages, below the editor of the pairs."""
    return app.dataframe[-1].value


def said(app: AppTest) -> str:
    return "\n".join(each.value for each in app.markdown)


def test_the_part_opens_on_a_task_of_words_that_the_model_knows() -> None:
    app = visit()
    assert not app.exception
    assert not messages(app)
    assert app.selectbox(key="why task").value == SMALL
    assert app.session_state["why_pairs"] == ""
    assert list(numbers(app).columns) == ["part", "mean", "spread", "pair 1", "pair 2"]
    assert all(each.key != "why token" for each in app.selectbox), "each pair has answers of its own"


def test_a_link_has_the_pairs_and_a_bad_one_is_named_by_its_line() -> None:
    app = visit(why_pairs=f"{LINE}\nthe dog\tthe big dog\tsees\truns")
    assert not app.exception
    assert app.selectbox(key="why task").value == pair_table.OWN
    assert "Pair 2: Both sentences need as many tokens" in messages(app)[0]
    assert list(numbers(app).columns) == ["part", "mean", "spread", "pair 1"]
    app.selectbox(key="why task").select(SMALL).run()
    assert not messages(app)
    assert app.session_state["why_pairs"] == SMALL
    assert len(numbers(app).columns) == 5


def test_an_edit_of_the_table_is_in_the_link_and_keeps_what_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(why_pairs=SMALL)
    first = numbers(app)["pair 1"]
    typed = pd.DataFrame([[*LINE.split("\t")], [None, None, None, None]], columns=list(pair_table.CELLS))
    editor = pair_table.st.data_editor
    table = pair_table._table(EXAMPLE_PAIRS[SMALL])
    both = pd.concat([table, typed], ignore_index=True)
    monkeypatch.setattr(pair_table.st, "data_editor", lambda start, **how: (editor(start, **how), both)[1])
    measured = list[int]()
    measure = pairs_work._measure
    monkeypatch.setattr(pairs_work, "_measure", lambda *each: (measured.append(each[3]), measure(*each))[1])
    app.run()
    assert not app.exception
    assert app.session_state["why_pairs"].split("\n")[2] == LINE
    assert measured == [2], "the others are known"
    assert numbers(app)["pair 1"].tolist() == first.tolist()


@pytest.mark.slow
def test_a_large_model_is_estimated_until_the_reader_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = numbers(visit())
    monkeypatch.setattr(pairs_work, "_is_quick", lambda *of: False)
    app = visit()
    assert "These are estimates" in said(app)
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    session_of(app, PairsSession).estimates.clear()
    app.run()
    assert "Nothing is measured yet" in said(app)
    app.button(key="why measure pairs").click().run()
    assert not app.exception
    assert numbers(app)["mean"].tolist() == pytest.approx(whole["mean"].tolist(), abs=1e-5)
    assert all(each.key != "why measure pairs" for each in app.button)


def test_a_pair_opens_alone_with_the_cell_of_the_averages() -> None:
    app = visit(depth="Picture", why_mean_cell=(1, 1))
    app.selectbox(key="why open pair").select(1).run()
    app.button(key="why open").click().run()
    assert not app.exception
    assert not messages(app)
    pair = EXAMPLE_PAIRS[SMALL][1]
    assert (app.session_state["text"], app.session_state["why_text2"]) == (pair.clean, pair.changed)
    assert "**The patched run**, layer 1, head 1" in said(app)
    assert app.selectbox(key="why rival").value == app.session_state["why_against"] > 0


def test_a_table_without_a_pair_and_one_with_too_many() -> None:
    app = visit(why_pairs=pair_table.NONE)
    assert any("Type a pair" in each.value for each in app.info)
    app = visit(why_pairs="\n".join([LINE] * (pair_table.MOST_PAIRS + 1)), why_averaged="account")
    assert any("The first 50 are read" in each for each in messages(app))


def test_a_model_that_does_not_write_on_says_so() -> None:
    app = visit(model="tiny-encoder", text="The food is good")
    assert any("writes a text on" in each.value for each in app.info)
