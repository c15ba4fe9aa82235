"""The Ladder: the table of its rungs, words that it does not know, and its sums."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from model.vectors import counts, factorisation, glove
from tests.conftest import loaded
from tests.views.shown import ends, equations, messages, said, tables
from views.inputs.glove import GloveRun, TrainedWords, train_glove
from views.inputs.ladder import COSINE, RUNGS, Ladder
from views.inputs.ratings import EXAMPLE, PENALTY, Ratings
from views.inputs.small_world import COUNTED_LINES, Rung, SmallWorld
from views.inputs.word_in_context import measure
from views.plain import plain_view
from views.view import DEPTHS
from viz.documents.page_parts import Text

WORLD = SmallWorld()
BANKS = (
    "I swam across the river to get to the other bank",
    "I walked across the road to get cash from the bank",
)


@cache
def trained(window: int = 5) -> GloveRun:
    return train_glove(window, WORLD)


@cache
def in_context(first: str, second: str) -> Rung | Text:
    return measure(loaded("minilm-l6"), (first, second), BANKS)


def ladder(rung: str = "one-hot", words: tuple[str, str] = ("fox", "dog"), window: int = 5) -> Ladder:
    at, open_words = WORLD.places(words), in_context(*words) if rung == "context" else None
    learnt = None if at is None else TrainedWords(at, window, trained() if rung == "glove" else None, WORLD)
    return Ladder(words, rung, Ratings(2), learnt, open_words, WORLD)


def row(view: Ladder, name: str) -> pd.Series:
    table = tables(view)[-1]
    return table[table["rung"] == name].iloc[0]


@pytest.mark.slow
@pytest.mark.parametrize("rung", RUNGS)
def test_the_table_of_rungs_stands_on_every_rung(rung: str) -> None:
    view = ladder(rung)
    assert row(view, "One-hot")["share of zeros"] == "99.7%"
    assert row(view, "One-hot")["similarity"] == "0"
    assert row(view, "TF-IDF")["numbers a word"] == 1000
    assert 0 < float(row(view, "Presence")["similarity"]) < 1
    for depth in DEPTHS:
        assert plain_view(view, depth)


@pytest.mark.slow
def test_trained_words_gather_and_their_loss_is_told() -> None:
    view = ladder("glove")
    assert "in 400 steps" in said(view)
    assert view.told()[COSINE] > 0.5  # type: ignore[operator]
    assert float(row(view, "GloVe")["similarity"]) > 0.5
    assert "Stopped after" not in said(view)


def test_a_window_of_no_word_says_why_and_the_trained_vectors_stay() -> None:
    view = ladder("glove", window=0)
    ((kind, says),) = messages(view)
    assert kind == "warning"
    assert "at least 1" in says
    assert float(row(view, "GloVe")["similarity"]) > 0.5


def test_in_context_one_word_has_two_vectors() -> None:
    context = row(ladder("context", ("bank", "bank")), "In context")
    assert context["numbers a word"] == 384
    assert 0 < float(context["similarity"]) < 0.99
    assert "river" in context["nearest to the first word"]


def test_a_word_outside_its_sentence() -> None:
    ((kind, says),) = messages(ladder("context", ("bank", "<b>")))
    assert kind == "info"
    assert "does not stand in its sentence" in says
    assert "<b>" not in says, "it is no HTML"


@pytest.mark.parametrize(("words", "says"), [(("xyzzy", "dog"), "xyzzy"), (("", "dog"), "A word is missing")])
def test_strange_words_have_one_message_and_no_table(words: tuple[str, str], says: str) -> None:
    view = ladder(words=words)
    ((kind, message),) = messages(view)
    assert kind == "warning"
    assert says in message
    assert not tables(view)


@pytest.mark.parametrize(("table", "k", "says"), [
    (np.full((2, 2), None), 2, "No rating"),
    (np.zeros((0, 2)), 2, "empty"),
    (EXAMPLE.to_numpy(), 9, "K = 9"),
    (np.ones((61, 2)), 2, "61 readers"),
])  # fmt: skip
def test_ratings_that_cannot_be_factorised(table: np.ndarray, k: int, says: str) -> None:
    ((kind, message),) = messages(Ratings(k, pd.DataFrame(table)))
    assert kind == "warning"
    assert says in message


def test_a_book_with_one_rating() -> None:
    view = Ratings(2, pd.DataFrame({"Dune": [5.0, 1.0, 4.0], "Emma": [None, 2.0, None]}))
    assert not messages(view)
    assert "2 missing ratings are predicted" in said(view)


def test_words_become_numbers() -> None:
    shown = equations(ladder())
    lines, words = WORLD.corpus
    fox, dog = words.index("fox"), words.index("dog")
    assert ends(shown[2], float(counts.tf_idf(lines[:COUNTED_LINES], words)[fox].max()))
    after = list(factorisation.fit(EXAMPLE.to_numpy(dtype=float), 2, PENALTY, 1))[1]
    matrices = [np.array([[float(x) for x in row.split("&")] for row in found.split(r"\\")])
                for found in re.findall(r"\\begin{pmatrix} (.*?) \\end{pmatrix}", shown[5])]  # fmt: skip
    assert np.allclose(np.linalg.solve(*matrices[:2]), matrices[2], atol=0.1)
    assert np.allclose(matrices[2][:2, 0], after.readers[0], atol=1e-3)
    assert ends(shown[6], float(after.predicted()[0, 0]))
    x = glove.cooccurrence(lines, words, 5)
    start = next(glove.fit(x, steps=0))
    error = glove.errors(x, start.centre, start.near, start.centre_bias, start.near_bias)[fox, dog]
    assert ends(shown[8], float(glove.weight(x[fox, dog])))
    assert ends(shown[10], float(glove.weight(x[fox, dog]) * error**2))


def test_the_code_of_a_table_of_ratings_has_its_cells() -> None:
    table = pd.DataFrame({"Dune": [5.0, None], "Emma": [1, 2]}, index=["Ada", "Ben"])
    view = Ratings(1, table)
    call = view.made_by()
    assert call.arguments == (["Dune", "Emma"], {"Ada": [5.0, 1.0], "Ben": [None, 2.0]}, 1)
    again = call.function(*call.arguments)
    assert again == view
    assert np.array_equal(again.ratings, view.ratings, equal_nan=True)
    assert again.losses == view.losses
    assert Ratings(2).made_by().arguments == (2,)
