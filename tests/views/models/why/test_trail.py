"""The trail as a view: its links and clicks write the steps that the library takes, and its words match the numbers."""

from __future__ import annotations

import pytest

from model import load
from model.analysis.score_account import keep_for_scores
from model.analysis.trail import NoSuchTrail, parse_trail, write_trail
from tests.views import shown
from views.models.why import trail
from views.models.why.question import ask
from views.models.why.trail import END_LOOKS, ONE_BACK, TRAIL_END, Trail, find_trail
from views.parts import Action, Chart
from views.run import make_run
from viz.models.why import part_title

TEXT = "the dog sees the cat. the dog sees the"


def made(model: str = "tiny-lm-concat", text: str = TEXT, written: str = "") -> Trail:
    return find_trail(ask(make_run(load(model), text, trail.keep)), written)


def actions(view: Trail) -> dict[str, Action]:
    return {part.label: part for part in shown.parts(view) if isinstance(part, Action)}


def test_each_step_is_a_link_that_ends_the_trail_there() -> None:
    view = made()
    assert len(view.steps) > 1
    links = [each for label, each in actions(view).items() if label.startswith("Layer")]
    assert [each.keys["why_trail"] for each in links] == [
        write_trail(view.steps[: place + 1]) for place in range(len(view.steps))
    ]
    assert actions(view)["Follow to the end"].keys == {"why_trail": ""}
    last, there = view.steps[-1], actions(view)["Why there?"]
    assert there.page == "heads"
    assert (there.keys["layer"], there.keys["query"], there.keys["key"]) == (last.at.layer, last.query, last.key)


def test_a_trail_is_restored_from_its_text() -> None:
    view = made()
    again = find_trail(view.asked, write_trail(view.steps[:1]))
    assert again.steps == view.steps[:1]
    assert again != view
    assert find_trail(view.asked, write_trail(view.steps)) == view
    with pytest.raises(NoSuchTrail):
        find_trail(view.asked, "decoder.9.self_attn.1@3>4")


def test_a_click_on_a_head_goes_on_with_it() -> None:
    view = made(written=write_trail(made().steps[:1]))
    assert view.go_on("key", "decoder.0.ffn") == {}, "a feed-forward reads no token"
    best = next(iter(view.reasons["key"].heads))
    keys = view.go_on("key", best)
    steps = parse_trail(keys["why_trail"])
    assert steps[:-1] == view.steps
    assert (steps[-1].way, steps[-1].part) == ("key", best)
    assert len(find_trail(view.asked, keys["why_trail"]).steps) == 2
    bars = {part.key: part for part in shown.parts(view) if isinstance(part, Chart)}
    names = list(view.largest("key"))
    assert bars["why behind key"].pick is not None
    assert bars["why behind key"].pick({"y": names.index(best)}) == keys
    assert bars["why trail figure"].pick({"customdata": 0}) == {"why_trail": write_trail(view.steps)}  # type: ignore[misc]


def test_the_bars_of_a_side_sum_to_what_is_behind_it() -> None:
    view = made()
    for way, figure in zip(("query", "key", "value"), shown.charts(view)[1:], strict=True):
        assert sum(figure.data[0].x) == pytest.approx(sum(view.reasons[way].parts.values()), abs=1e-4)  # type: ignore[index]


def test_what_is_said_agrees_with_the_steps() -> None:
    view = made()
    last = view.steps[-1]
    assert view.told() == {TRAIL_END: part_title(last.part), END_LOOKS: ONE_BACK}
    (table,) = shown.tables(view)
    assert list(table["name"]) == [step.part for step in view.steps]
    assert list(table["gives"]) == [each.gives for each in view.found]
    assert "Here it ends" in shown.said(view), "below the first layer stands no head"
    assert shown.equations(view)


def test_a_translator_leads_into_the_source() -> None:
    view = made("en-ur", "I am a robot")
    across = next(name for name in view.asked.account.parts if ".cross_attn.heads." in name)
    step = trail.step_to(view.asked.run.model, view.asked.run.trace, view.asked.account, across)
    view = find_trail(view.asked, write_trail([step]))
    view = find_trail(view.asked, view.go_on("key", next(iter(view.reasons["key"].heads)))["why_trail"])
    assert view.steps[-1].at.stack == "encoder"
    assert "Encoder, layer" in "".join(actions(view))
    source = len(view.asked.run.trace.source_tokens)
    assert view._columns[:source] == [*view.words_of(view.steps[-1])[0]]
    assert shown.charts(view)


def test_it_takes_the_tensors_that_it_needs() -> None:
    config = load("en-ur").config
    assert {*keep_for_scores(config), "*.v"} <= set(trail.keep(config))
