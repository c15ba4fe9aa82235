"""What a head does in general, as views: the numbers are those of the library, for any kind of head."""

from __future__ import annotations

import pytest

from model import load
from model.analysis.circuits.composition import compose
from model.analysis.circuits.looked_for import looked_for
from model.analysis.circuits.written import copying, written
from model.analysis.head_steps import Attention
from model.run import ids_of
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, TEXT, URDU_TEXT, question
from views.models.why.head_reads import READ_BY_KEYS
from viz.shared.style import number

AT = Attention("decoder", 2, "self_attn")


def ids() -> list[int]:
    return ids_of(load("tiny-lm").tokens_of(TEXT)).tolist()


def test_the_scores_are_those_of_the_library() -> None:
    expected = looked_for(load("tiny-lm"), AT, 2, ids()[-1:], ids(), 6)
    rows = shown.tables(asked.general(question(), AT, 2))[0]
    assert list(rows["score"][: len(ids())]) == pytest.approx(expected.scores[0].tolist(), abs=1e-5)
    assert list(rows["score"][len(ids()) :]) == pytest.approx(
        [*expected.ends.most[0].tolist(), *expected.ends.least[0].tolist()], abs=1e-5
    )


def test_another_token_of_the_sentence_looks_for_others() -> None:
    first, last = (
        shown.tables(asked.general(question("tiny-lm", TEXT, None, None, query), AT, 2))[0]["score"] for query in (1, 3)
    )
    assert list(first) != pytest.approx(list(last), abs=1e-3)


def test_what_is_written_and_copied_is_that_of_the_library() -> None:
    model = load("tiny-lm")
    expected, view = written(model, AT, 2, ids(), 6), asked.general(question(), AT, 2)
    assert expected.ranks is not None
    assert list(shown.tables(view)[1]["rank of the token itself"]) == expected.ranks.tolist()
    assert f"copying score is {number(copying(model, AT, 2).score)}" in shown.said(view)


def test_the_earlier_heads_are_named_with_their_scores() -> None:
    (at, head, value), *_ = compose(load("tiny-lm"), AT, 2, "k").strongest(1)
    view = asked.general(question(), AT, 2)
    assert f"By its keys it reads most what layer {at.layer} head {head} ({number(value)})" in shown.said(view)
    assert view.told() == {READ_BY_KEYS: f"layer {at.layer} head {head}"}
    assert len(shown.tables(view)[3]) == 3 * 2 * load("tiny-lm").config.n_heads


def test_the_first_layer_has_no_head_before_it() -> None:
    view = asked.general(question(), Attention("decoder", 0, "self_attn"), 2)
    assert "No head stands before it" in shown.said(view)
    assert not view.told()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("encoder.self_attn", "This head is in the encoder"),
        ("decoder.cross_attn", "a place in the other sentence"),
        ("decoder.self_attn", "copying score"),
    ],
)
def test_every_attention_of_a_translator_has_its_circuits(path: str, said: str) -> None:
    stack, part = path.split(".")
    view = asked.general(question("en-ur", URDU_TEXT), Attention(stack, 1, part), 2)
    assert said in shown.said(view)
    assert shown.equations(view)


def test_what_a_head_looks_for_is_told_of_an_encoder_and_what_it_writes_is_not() -> None:
    model = load("tiny-encoder")
    read, at = ids_of(model.tokens_of(CLASS_TEXT)).tolist(), Attention("encoder", 1, "self_attn")
    expected = looked_for(model, at, 2, read[:1], read, 6).scores[0]
    view = asked.general(question("tiny-encoder", CLASS_TEXT), at, 2)
    rows = shown.tables(view)[0]
    assert rows[rows["of"] == "the sentence"]["score"].tolist() == pytest.approx(expected.tolist(), abs=1e-4)
    assert "steps that depend on the sentence" in shown.said(view)
