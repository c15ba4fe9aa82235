"""The answer to a question that Classify shows as a span, and what the other pages say of such a model."""

from __future__ import annotations

import pytest

from model import Model
from model.loading import read_checkpoint
from model.zoo.file_card import say_answer
from tests.model.zoo import tiny_readers
from tests.views import asked, shown
from views.map.model_equations import work_out_answer
from views.map.run_answers import build_outcome
from views.map.token_predictions import predict_each_token
from views.models.classify import answers, kinds, labels
from views.models.classify.found_answer import FoundAnswer
from views.models.classify.labels import Classes
from views.models.why.account import ANSWER
from views.run import make_run

TEXT = "am I [SEP] I am a robot"
WORDS = ["I", "am", "a", "robot"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("reader")
    tiny_readers.make("bert of answers", folder)
    return read_checkpoint(folder)


def test_the_span_is_told_with_the_shares_of_its_ends_among_all_tokens(reader: Model) -> None:
    view = Classes(make_run(reader, TEXT, labels.KEEP))
    found = FoundAnswer(view.answers.run)
    start, end = found.span.start, found.span.end
    assert found.text == " ".join(WORDS[start - 4 : end - 3])
    assert view.told() == {answers.FOUND: found.text}
    said = shown.said(view)
    assert f"**{found.text}** starts at" in said
    assert "To ask a question" not in said
    table = shown.tables(view)[0]
    assert len(table) == len(view.answers.run.trace.tokens)
    shares = view.answers.run.trace["token_logits"].softmax(0)
    assert table["start, share"].tolist() == pytest.approx(shares[:, 0].tolist())
    assert table["end, share"].sum() == pytest.approx(1)
    assert (found._say_none() == "") == (float(found.logits[0].sum()) <= found.span.score)


def test_the_formula_ends_in_the_share_of_each_end(reader: Model) -> None:
    view = Classes(make_run(reader, TEXT, labels.KEEP))
    found = FoundAnswer(view.answers.run)
    worked = [latex for latex in shown.equations(view) if latex.startswith("p = ")]
    assert len(worked) == 2
    for column, place in enumerate((found.span.start, found.span.end)):
        assert shown.ends(worked[column], float(found.shares[place, column]))


def test_without_a_question_the_border_is_named(reader: Model) -> None:
    said = shown.said(Classes(make_run(reader, "I am a robot", labels.KEEP)))
    assert "To ask a question, write it before the passage, with `[SEP]` between them." in said


def test_why_accounts_for_the_end_at_its_token(reader: Model) -> None:
    view = asked.account(asked.question(reader, TEXT, 1, None, 5))
    assert view.told()[ANSWER] == "end"
    assert "the logit of **end**" in shown.said(view)


def test_other_pages_call_the_logits_of_a_token_numbers(reader: Model) -> None:
    run = make_run(reader, TEXT, ("*",))
    outcome = build_outcome(run, 2)
    assert (outcome.title, outcome.kind, set(outcome.labels)) == ("Start and end at robot", "none", {"start", "end"})
    assert predict_each_token(run) is None, "no token has a class"
    worked = work_out_answer(run)
    assert worked is not None
    assert "it gets the number" in worked[0]
    assert say_answer(reader.config) == "where the answer to a question starts and ends"
    named = FoundAnswer(run).named
    assert named in shown.said(kinds.ThreeKinds((run, None, None), ((), (), ())))
