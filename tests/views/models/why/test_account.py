"""The account of a logit as a view: its numbers are those of the library, and a pick opens a part."""

from __future__ import annotations

import math

import pytest

from model import attribute, load
from model.edits.parts import Scale
from model.experiments.surgery import with_edits
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, LUCY, LUCY_TEXT, OMAR, TEXT, URDU_TEXT, question
from views.models.why.account import ANSWER, BEST_HEAD, LogitAccount
from views.parts import Action, Chart
from views.view import DEPTHS
from viz.shared.style import number


def action(view: LogitAccount, label: str) -> Action:
    return next(each for each in shown.parts(view) if isinstance(each, Action) and each.label == label)


def chart(view: LogitAccount, key: str) -> Chart:
    return next(each for each in shown.parts(view) if isinstance(each, Chart) and each.key == key)


def test_the_table_is_the_account_and_sums_to_the_logit() -> None:
    view, account = asked.account(question()), attribute(load("tiny-lm"), TEXT)
    rows = shown.tables(view)[0]
    assert dict(zip(rows["name"], rows["adds"], strict=True)) == pytest.approx(dict(account.parts), abs=1e-5)
    assert rows["sum so far"].iloc[-1] == pytest.approx(account.value, abs=1e-4)
    said, value = shown.said(view), number(account.value, 4)
    assert f"is {value} (" in said
    assert f"parts sum to {value}, the logit on screen" in said


def test_against_another_token_the_difference_is_accounted_for() -> None:
    view, account = (
        asked.account(question("tiny-lm", LUCY_TEXT, LUCY, OMAR)),
        attribute(load("tiny-lm"), LUCY_TEXT, LUCY, OMAR),
    )
    said = shown.said(view)
    assert f"the lead of **Lucy** over **Omar** is {account.value:.3f} (**Lucy** " in said
    assert "the difference of both logits on screen" in said
    assert view.told()[ANSWER] == "Lucy"
    assert view.told()[BEST_HEAD] == "layer 2, head 2"


def test_a_head_opens_by_the_tokens_that_it_reads() -> None:
    view = asked.account(question("tiny-lm", LUCY_TEXT, LUCY, OMAR), "decoder.2.self_attn.heads.2")
    assert "**Layer 2, head 2**, by the tokens that it reads" in shown.said(view)
    assert "Most comes from :gray-background[**Lucy** :small[1]]" in shown.said(view)
    rows = shown.tables(view)[1]
    assert math.fsum(rows["part"]) == pytest.approx(view.asked.account.parts["decoder.2.self_attn.heads.2"], abs=1e-4)
    on_map = action(view, "On the map")
    assert (on_map.page, on_map.keys["home_at"]) == ("home", "decoder.2/head 2")
    assert action(view, "In general").keys == {
        "why_part": "head", "attention": "decoder.self_attn", "layer": 2, "head": 2,
    }  # fmt: skip


def test_a_feed_forward_opens_by_its_neurons() -> None:
    view, account = asked.account(question(), "decoder.3.ffn"), attribute(load("tiny-lm"), TEXT)
    assert "**Layer 3, feed-forward**, by its neurons" in shown.said(view)
    assert f"sum to {account.parts['decoder.3.ffn']:.3f}" in shown.said(view)
    rows = shown.tables(view)[1]
    assert list(abs(rows["part"])) == sorted(abs(rows["part"]), reverse=True)


def test_a_pick_opens_a_part_that_has_parts_and_no_other() -> None:
    view = asked.account(question())
    cells, pick = view.cells, chart(view, "why map").pick
    assert pick is not None
    row, column = cells.rows.index("layer 1"), cells.columns.index("2")
    assert pick({"curve_number": 1, "x": column, "y": row}) == {"why_opened": "decoder.1.self_attn.heads.2"}
    assert pick({"curve_number": 2, "x": column, "y": row}) == {}, "a point of the running total"
    assert pick({"curve_number": 1, "x": cells.columns.index("other"), "y": 0}) == {}, "the embedding has no parts"
    pick, names = chart(view, "why largest").pick, list(view.largest)
    assert pick is not None
    place, name = next((place, name) for place, name in enumerate(names) if name.endswith(".ffn"))
    assert pick({"y": place}) == {"why_opened": name}


def test_a_part_of_cross_attention_reads_the_sentence() -> None:
    view = asked.account(question("en-ur", URDU_TEXT), "decoder.2.cross_attn.heads.1")
    assert "**Layer 2, cross head 1**" in shown.said(view)
    assert len(shown.tables(view)[1]) == len(view.asked.run.trace.source_tokens)


def test_a_muted_head_has_no_part() -> None:
    muted = with_edits(load("tiny-lm"), [Scale("decoder.2.self_attn", 2, factor=0.0)])
    view = asked.account(question(muted))
    rows = shown.tables(view)[0].set_index("name")["adds"]
    assert rows["decoder.2.self_attn.heads.2"] == 0
    assert "They differ by" in shown.said(view)


def test_a_class_has_an_account_that_reads_it_off_the_first_token() -> None:
    view, logits = (
        asked.account(question("tiny-encoder", CLASS_TEXT)),
        load("tiny-encoder").trace(CLASS_TEXT)["text_logits"],
    )
    assert math.fsum(shown.tables(view)[0]["adds"]) == pytest.approx(float(logits.max()), abs=1e-4)
    assert "Read off the first token" in shown.said(view)
    both = asked.account(question("tiny-encoder", CLASS_TEXT, 2, 0))
    assert math.fsum(shown.tables(both)[0]["adds"]) == pytest.approx(float(logits[2] - logits[0]), abs=1e-4)


def test_the_neurons_of_a_classifier_write_classes() -> None:
    view = asked.account(question("tiny-encoder", CLASS_TEXT), "encoder.1.ffn")
    written = shown.tables(view)[1]["writes towards"]
    assert set(" ".join(written).split()) == set(load("tiny-encoder").config.text_labels)


def test_its_equations_hold_and_end_in_its_logit() -> None:
    asks = question()
    for name in ("decoder.3.ffn", "decoder.1.self_attn.heads.2"):
        equations = shown.equations(asked.account(asks, name))
        assert shown.ends(equations[1], asks.account.total)
        assert shown.ends(equations[2], asks.account.parts[name])


def test_equal_questions_are_equal_views() -> None:
    first, second = (asked.account(question()) for _ in range(2))
    assert first == second
    assert first != asked.account(question("tiny-lm", TEXT, LUCY))


@pytest.mark.parametrize("depth", DEPTHS)
def test_one_token_is_enough(depth: str) -> None:
    for view in asked.every(question("tiny-lm", "the")).values():
        assert not shown.messages(view, depth)
