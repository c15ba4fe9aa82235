"""The views of Predict: their numbers are those of the model."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from model import Model, load
from model.analysis.logit_lens import lens_names
from model.analysis.stream_drift import stream_drift
from model.generation.sampling import Sampling, stages
from tests.views.shown import parts, said, tables
from views.models.predict.attention import LooksOfToken
from views.models.predict.branches import Branches
from views.models.predict.continuation import Playhead, continue_run
from views.models.predict.drift import Drift
from views.models.predict.lens import OUTPUT, LogitLens
from views.models.predict.player import LARGEST, Player
from views.models.predict.race import CacheRace, RaceTimes, Steps, time_race
from views.models.predict.surprise import MOST, SurpriseOfTokens
from views.parts import Chart
from views.plain import plain_view
from views.run import make_run
from views.shared.windows import all_of
from views.view import DEPTHS
from viz.shared.tokens import words

TEXT = "The capital of France is"
BIRD = "the bird is in the"
GREEDY = Sampling(0.0, 0, 1.0, 0.0)


def playhead(
    text: str = BIRD, n_written: int = 3, step: int = 0, sampling: Sampling = GREEDY, name: str = "tiny-lm"
) -> Playhead:
    """What a model has written after a text, at one of its steps."""
    model = load(name)
    path = tuple(each.chosen for each in model.generate(text, max_new_tokens=n_written))
    return Playhead(continue_run(make_run(model, text, "embed.out"), path), step, sampling, layer=1, head=2)


def looks(now: Playhead) -> LooksOfToken:
    count = len(now.written.ids)
    return LooksOfToken(now, all_of((count, count)))


def surprises(now: Playhead) -> SurpriseOfTokens:
    return SurpriseOfTokens(now, slice(0, len(now.written.ids) - 1))


def test_the_likeliest_is_said(smollm2: Model) -> None:
    now = Playhead(continue_run(make_run(smollm2, TEXT, "embed.out"), ()), 0, GREEDY, 0, 0)
    assert "**Paris** is likeliest, 77%" in Player(now).caption()


@pytest.mark.slow
def test_the_table_is_the_distribution_through_every_filter(smollm2: Model) -> None:
    filters = Sampling(0.8, 5, 0.9, 0.2)
    now = Playhead(continue_run(make_run(smollm2, TEXT, "embed.out"), ()), 0, filters, 0, 0)
    logits = smollm2.trace(TEXT, keep="logits").logits[-1]
    stage = stages(logits, filters)
    for row in Player(now).table().make().to_dict("records"):
        assert row["logit"] == pytest.approx(float(logits[row["id"]]), abs=1e-3)
        assert row["model"] == pytest.approx(float(stage.model[row["id"]]), abs=1e-5)
        assert row["after top-k"] == pytest.approx(float(stage.top_k[row["id"]]), abs=1e-5)
        assert row["after top-p"] == pytest.approx(float(stage.top_p[row["id"]]), abs=1e-5)
        assert row["after min-p"] == pytest.approx(float(stage.min_p[row["id"]]), abs=1e-5)
    assert "tokens to draw from" in Player(now).caption()
    assert Player(now).told()[LARGEST] > 1


def test_the_written_token_is_among_the_candidates_of_its_step() -> None:
    now = playhead()
    *written, last = Player(now).step_rows()
    for row, id in zip(written, now.written.path, strict=True):
        assert [each["id"] for each in row["candidates"] if each["chosen"]] == [id]
        assert row["rank"] == 1, "it was written greedily"
    assert not any(each["chosen"] for each in last["candidates"])
    rows = Player(now).files().rows
    assert rows is not None
    assert [row["id"] for row in rows()] == list(now.written.path)


def test_a_text_of_other_settings_is_marked() -> None:
    now = playhead()
    assert "other settings" not in said(Player(now))
    marked = Playhead(now.written, 0, GREEDY, 1, 2, others=("temperature 1.5, seed 1", "temperature 3, seed 2"))
    assert "temperature 1.5, seed 1; then temperature 3, seed 2" in said(Player(marked))


def test_the_look_is_that_of_the_token_read_last() -> None:
    now = playhead(step=2)
    weights = now.written.trace["decoder.1.self_attn.weights"][2]
    assert Player(now).attention_rows()[2].tolist() == pytest.approx(weights[now.query].tolist())
    best = int(weights[now.query].argmax())
    caption = looks(now).caption()
    assert f":small[{now.query}]" in caption.partition("looks most")[0]
    assert f":small[{best}]" in caption.partition("looks most")[2]


@pytest.mark.parametrize("make", [looks, LogitLens, CacheRace, surprises, Branches])
@pytest.mark.parametrize("n_written", [0, 3])
def test_every_part_has_every_depth_with_written_tokens_and_without(make: Any, n_written: int) -> None:
    view = make(playhead(n_written=n_written))
    assert all(plain_view(view, depth) for depth in DEPTHS)
    if n_written == 0:
        nothing = {CacheRace: "Write at least one token first", Branches: "Nothing is written yet"}
        assert nothing.get(make, "is likeliest") in said(view)


def test_surprise_is_told_in_bits_alone() -> None:
    view = surprises(playhead())
    table = view.table().make()
    assert list(table.columns) == ["token", "probability", "bits", "rank"]
    assert (0.5 ** table["bits"]).tolist() == pytest.approx(table["probability"].tolist(), rel=1e-5)
    mean = re.search(r"The mean is ([\d.]+) bits, a perplexity of ([\d.,]+)", view.caption())
    assert mean is not None
    assert 2 ** float(mean[1]) == pytest.approx(float(mean[2].replace(",", "")), rel=0.04)
    own = table.head(len(view.now.written.prompt) - 1)
    assert view.told()[MOST] == own["token"][own["bits"].idxmax()]


def test_a_part_of_the_surprises_is_named_after_its_own_tokens() -> None:
    now = playhead()
    tokens = now.written.trace.tokens
    figure = SurpriseOfTokens(now, slice(2, 5)).picture().draw(theme="light")
    bits = [float(bit) for bit in SurpriseOfTokens(now, slice(2, 5)).measured.bits[2:5]]
    names = [each.strip("· ") for each in figure.layout.xaxis.ticktext or figure.layout.yaxis.ticktext]
    assert names == [each.strip("· ") for each in words(tokens[3:6])], "the first token has no prediction"
    drawn = [float(each) for bars in figure.data for each in (bars.y if bars.orientation != "h" else bars.x)]
    assert drawn == pytest.approx(bits, abs=1e-4)


def test_the_lens_ends_in_the_output_and_its_cell_is_a_click() -> None:
    now = playhead()
    view = LogitLens(now, (0, len(now.written.ids) - 1))
    model = now.written.run.model
    output = int(now.logits.argmax())
    assert int(view.lens.ids[-1, view.place[1], 0]) == output
    assert view.position == now.query
    assert str(view.told()[OUTPUT]) in model.tokenizer.token(output).text
    picked = LogitLens(now, view.window, (1, 2))
    assert (picked.place, picked.position) == ((1, 2), 2)
    chart = next(each for each in parts(view) if isinstance(each, Chart) and each.key == "predict lens")
    assert chart.pick is not None
    assert chart.pick({"x": 2.0, "y": 1.0}) == {"predict_cell": (1, 2)}


def test_the_lens_shows_the_drift_at_the_chosen_position() -> None:
    now = playhead()
    view = LogitLens(now, (0, len(now.written.ids) - 1), (2, 1))
    table = next(each for each in tables(view) if "cosine" in each.columns)
    model = load("tiny-lm")
    trace = model.trace(BIRD, keep=lens_names(model.config))
    drift = stream_drift(model.config, trace, 1)
    assert table["length"].tolist() == pytest.approx(drift.lengths.tolist(), rel=1e-4)
    assert table["cosine"].tolist()[1:] == pytest.approx(drift.cosines.tolist(), abs=1e-4)
    steepest = int(drift.cosines.argmin())
    assert f"Layer {steepest} turns it most" in Drift(now.written, 1).caption()


def test_a_click_in_the_tree_goes_back_to_a_branch() -> None:
    now = playhead()
    path = now.written.path
    other = (path[0] + 1, *path[1:])
    view = Branches(now, (path, other), most=2)
    assert "More than 2 branches: the oldest was dropped." in said(view)
    table = view.table().make()
    assert table["ids"].tolist() == [" ".join(map(str, each)) for each in (path, other)]
    (chart,) = (each for each in parts(view) if isinstance(each, Chart))
    assert chart.pick is not None
    for number, beginning in enumerate(view.beginnings):
        found = chart.pick({"customdata": [number]})
        assert found["predict_path"][: len(beginning)] == beginning
        assert found["predict_path"] in (path, other)
        assert found["predict_step"] == max(len(beginning) - 1, 0)


def test_the_race_counts_both_generations_and_has_their_times() -> None:
    now = playhead()
    plain, timed = CacheRace(now), CacheRace(now, RaceTimes(now.written, {True: [0.1] * 3, False: [0.3] * 3}, True))
    table = plain.table().make()
    assert len(table) == len(now.written.path)
    assert (table["computed, with the kv cache"] <= table["computed, without"]).all()
    assert not [name for name in table.columns if "seconds" in name]
    assert pd.DataFrame(timed.table().make())["seconds, without"].tolist() == [0.3] * 3
    assert "took 3.0 times as long" in timed.caption()


def test_both_races_are_timed_and_write_the_same_text() -> None:
    now, heard = playhead(), []

    def watch(steps: Steps, cache: bool) -> Steps:
        for token, seconds in steps:
            heard.append((cache, token))
            yield token, seconds

    times = time_race(now.written, watch)
    count = len(now.written.path)
    assert times.is_same_text
    assert [len(times.seconds[cache]) for cache in (True, False)] == [count, count]
    assert all(each > 0 for race in times.seconds.values() for each in race)
    assert [cache for cache, _ in heard] == [True] * count + [False] * count
    assert tuple(token for _, token in heard[:count]) == now.written.path  # the continuation is greedy
