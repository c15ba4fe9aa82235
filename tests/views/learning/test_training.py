"""Training, as views: recorded snapshots, a recorded live run at its steps, teacher forcing, and published steps."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model import load
from model.experiments import snapshots
from model.experiments.checkpoints import Measures
from model.train.live import LiveRun
from model.train.live_recording import recorded
from model.train.live_tasks import Setup, make
from model.train.schedule import learning_rate
from tests.conftest import loaded
from tests.views.shown import equations, parts, said
from views.learning.training.course import ABOVE, SCORE, Course, shares
from views.learning.training.curves import GradientCurves, LossCurve, RateCurve, RightCurve
from views.learning.training.forcing import READS_BEFORE, READS_OWN, TeacherForcing
from views.learning.training.forming import FormingAttention, Samples
from views.learning.training.frame import Frame
from views.learning.training.live import COPIED, EXACT, LOSS, NO_NUMBER, LiveTraining
from views.learning.training.published import NoReplay, Replayed
from views.learning.training.run_at import RunAt, recorded_run, train_live
from views.learning.training.snapshots import read_frame, score_heads
from views.parts import Chart, Controls, DataTable, Files, Source
from views.view import DEPTHS, View
from viz.documents.page_parts import Metric, Text
from viz.shared.style import number, percent
from viz.shared.tokens import words

ERROR = Text("Type a sentence", "error")
PROPOSED = recorded(Setup()).setup  # with which the page opens
UNSHIFTED = replace(PROPOSED, switches=replace(PROPOSED.switches, shifted=False))


def run_of(setup: Setup = PROPOSED) -> RunAt:
    run = recorded(setup)
    assert run.setup == setup
    return RunAt.of(run, run.view())


def live_of(setup: Setup = PROPOSED, step: int = 0) -> LiveTraining:
    return LiveTraining(run_of(setup), (Text("noted"),), make(setup).recipe, step)


def table_of(view: View) -> Any:
    (found,) = (part for part in parts(view, "Numbers") if isinstance(part, DataTable))
    return found.make()


def frame_of(queries: int = 3, losses: tuple[float, ...] = (1.0, 2.0)) -> Frame:
    names = tuple(f"w{place}" for place in range(queries))
    weights = np.full((4, 4, queries, queries), 1 / queries, np.float16)
    return Frame("an answer", names, names, weights, losses)


def course_of(name: str, snapshot: int, frame: Frame | None = None, why_not: Text | None = None) -> Course:
    card = loaded(name).card
    count = len(card.details["snapshots"])
    scores = np.zeros((count, 4, 4), np.float32)
    scores[:, 2, 1] = np.linspace(0, 0.9, count)
    return Course(card, snapshot, loaded(name).config.vocab_size, scores, 2, "a b c", frame, why_not)


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur"])
@pytest.mark.parametrize("snapshot", [0, 5, -1])
def test_every_snapshot_says_its_step_and_its_measures(name: str, snapshot: int) -> None:
    snapshots = loaded(name).card.details["snapshots"]
    place = snapshot % len(snapshots)
    entry, view = snapshots[place], course_of(name, place)
    words = said(view)
    assert f"After {entry['step']:,} of" in words
    assert f"**{number(entry['metrics']['loss'])}** nats a token" in words
    loss, measures, scores = (part.make() for part in parts(view, "Numbers") if isinstance(part, DataTable))
    assert list(loss["step"]) == list(measures["step"]) == list(scores["step"]) == [each["step"] for each in snapshots]
    assert list(loss["loss, held out"]) == [each["metrics"]["loss"] for each in snapshots]
    assert measures.iloc[place].drop("step").to_dict() == pytest.approx(shares(entry["metrics"]))


def test_the_first_snapshot_is_worse_than_an_even_guess() -> None:
    told = {name: value for part in course_of("tiny-lm", 0).picture_parts() for name, value in all_told(part).items()}
    assert told[ABOVE] > 1
    assert told[SCORE] == 0


def all_told(part: Any) -> dict[str, float | str]:
    """What a view and the views in it tell."""
    inner = {name: value for each in getattr(part, "parts", ()) for name, value in all_told(each).items()}
    return inner | (dict(part.told()) if isinstance(part, View) else {})


def test_the_best_head_and_where_it_grows_most() -> None:
    view = course_of("tiny-lm", 5)
    steps, line = view.steps, view.scores[:, 2, 1]
    words = said(view)
    assert f"head 1 of layer 2: **{percent(float(line[5]))}** here, {percent(0.9)} at the end" in words
    assert f"It grows most between steps {steps[int(np.diff(line).argmax())]:,} and" in words


def test_the_sentence_of_a_snapshot_has_its_answer_its_heads_and_its_loss() -> None:
    view = course_of("tiny-lm", 1, frame_of())
    assert "an answer" in said(view)
    *_, heads, _ = (part.make() for part in parts(view, "Numbers") if isinstance(part, DataTable))
    assert len(heads) == 4 * 3, "a row for each query of each head"
    assert heads["2 w2"].to_numpy() == pytest.approx(np.full(12, 1 / 3), abs=1e-3)
    assert equations(view)[-1].endswith(r"= \frac{1.000 + 2.000}{2} = 1.500")
    assert "The first 40 tokens are drawn." in said(course_of("tiny-lm", 1, frame_of(50)))
    assert len(equations(course_of("tiny-lm", 1, frame_of(1, ())))) == 2, "one token has no loss"


def test_a_sentence_that_cannot_be_read_leaves_the_course() -> None:
    view = course_of("tiny-lm", 1, None, ERROR)
    for depth in DEPTHS[:3]:
        assert parts(view, depth).count(ERROR) == 1
    assert Controls("layer") not in parts(view)
    assert "The best head at the end" in said(view)


def test_the_curves_are_those_of_the_run() -> None:
    run = run_of()
    loss, rate = table_of(LossCurve(run)), table_of(RateCurve(run))
    assert loss["step"].iloc[-1] == run.step == 1000
    assert list(rate["learning rate"]) == [learning_rate(int(step) - 1, run.task.recipe) for step in rate["step"]]
    assert list(table_of(RightCurve(run))["exact"]) == [look.measures["exact"] for look in run.looks]
    gradients = table_of(GradientCurves(run))
    assert (gradients.drop(columns="step") > 0).all(axis=None)
    largest = max(run.history.gradients.values(), key=lambda norms: norms[-1])[-1]
    assert number(largest) in GradientCurves(run).caption()


def test_the_run_in_five_numbers() -> None:
    view = live_of()
    numbers = {part.label: part.value for part in parts(view) if isinstance(part, Metric)}
    assert numbers["Step of 1,000"] == "1,000"
    assert numbers["Steps a second"] == "–"
    assert numbers["Held out, whole"] == percent(view.run.latest.measures["exact"])
    assert view.told() == {
        LOSS: view.run.history.loss[-1],
        EXACT: view.run.latest.measures["exact"],
        COPIED: view.run.latest.measures["copied"],
    }
    assert "noted" in said(view)


def test_a_loss_that_is_no_number_is_told_so() -> None:
    view = live_of(replace(PROPOSED, learning_rate=1e30))
    assert view.told()[LOSS] == NO_NUMBER
    assert GradientCurves(view.run).caption() == ""


def test_a_working_run_tells_its_speed_and_one_at_its_start_that_nothing_has_happened() -> None:
    view = live_of()
    working = replace(view, run=replace(view.run, speed=12.0))
    assert Metric("Steps a second", number(12, 1), 140) in parts(working)
    begun = replace(view, run=replace(view.run, step=0))
    assert "before its first step" in said(begun)
    assert "before its first step" not in said(view)


def test_the_attention_as_it_forms_has_a_row_for_each_head_and_word() -> None:
    view = FormingAttention(run_of())
    table = table_of(view)
    heads, moments, targets, sources = view.maps.shape
    assert len(table) == heads * moments * targets
    assert table.shape[1] == 3 + sources
    assert table["step"].iloc[-1] == 1000
    assert table.iloc[-1, 3:].sum() == pytest.approx(1, abs=1e-3)


def test_the_samples_say_what_a_target_that_is_not_shifted_teaches() -> None:
    table = table_of(Samples(run_of()))
    assert list(table["right"]) == [row["should be"] == row["written"] for _, row in table.iterrows()]
    unshifted = Samples(run_of(UNSHIFTED))
    assert "It has learnt to copy what it reads" in unshifted.caption()
    assert "learnt to copy" not in Samples(run_of()).caption()
    assert "of its hundred pairs by heart" in said(Samples(run_of(replace(PROPOSED, task="pairs"))))
    assert [part.rows for part in parts(unshifted) if isinstance(part, Files)] == [unshifted.rows]


@pytest.mark.parametrize("step", [0, 20, 700])
def test_the_learning_rate_is_worked_out(step: int) -> None:
    view = live_of(step=step)
    rate = learning_rate(step, view.recipe)
    assert float(equations(view)[-1].rpartition("= ")[2]) == pytest.approx(rate, abs=1e-5)
    words = "of the warm-up" if step < PROPOSED.warmup else "after"
    assert words in said(view, "Formula")


def forcing_of(setup: Setup = PROPOSED, row: int = 0, origin: str = "") -> TeacherForcing:
    run = run_of(setup)
    return TeacherForcing(run, len(run.looks) - 1, row, origin)


def test_the_decoder_reads_the_label_of_the_position_before() -> None:
    view = forcing_of()
    table = table_of(view)
    assert list(table["decoder reads"][1:]) == list(table["is asked for"][:-1])
    assert list(table["right"]) == list(table["is asked for"] == table["finds likeliest"])
    assert list(table["loss in nats"]) == list(view.forced.losses)
    assert view.told() == {READS_BEFORE: 1.0, READS_OWN: pytest.approx(0, abs=0.5)}
    assert "mean loss " + number(view.forced.loss) in view.caption()
    assert "The decoder reads the truth, one place late" in view.caption()


def test_batches_of_other_steps_are_other_views() -> None:
    latest = forcing_of()
    assert latest == forcing_of()
    assert latest != replace(latest, place=0)
    assert "After step 0:" in replace(latest, place=0).caption()


def test_a_target_that_is_not_shifted_is_read_as_it_is() -> None:
    view = forcing_of(UNSHIFTED)
    assert view.told()[READS_OWN] == 1
    assert "every position reads the token that it is asked for" in view.caption()


def test_the_picture_stands_above_the_table_and_says_which_run_it_is() -> None:
    view = forcing_of(origin="This is the recorded run")
    kinds = [type(part) for part in parts(view) if isinstance(part, Chart | DataTable | Files)]
    assert kinds == [Chart, DataTable, Files]
    assert "This is the recorded run" in said(view, "Numbers")


def test_the_losses_of_a_batch_are_worked_out() -> None:
    view = forcing_of(row=1)
    worst = max(view.forced.losses)
    assert rf"= {number(worst)}" in equations(view)[-1]
    assert "row 1 of the batch" in said(view, "Formula")
    (example,) = (part for part in parts(view, "Formula") if isinstance(part, DataTable))
    assert list(example.make()["decoder reads"][:2]) == ["<SOS>", "The"]


def measures_of(losses: list[float], best: float) -> Measures:
    weights = np.full((2, 2, len(losses) + 1, len(losses) + 1), 0.25, np.float16)
    induction = np.array([[0.0, best], [0.1, 0.0]], np.float32)
    shares_of_next = np.array([0.6, 0.2], np.float32)
    return Measures(np.array(losses, np.float32), np.array([1, 2]), shares_of_next, np.array([1]), weights, induction)


def replayed_of(measures: dict[int, Measures], shown: int = 0, words: tuple[str, ...] = ("a", "b", "c")) -> Replayed:
    return Replayed("someone/Tiny.neox", "a b c", words, 100, tuple(measures), measures, shown, 0, ("x", "y"), "and on")


def test_published_steps_have_their_induction_their_losses_and_the_next_tokens() -> None:
    view = replayed_of({0: measures_of([4.0, 6.0], 0.1), 8: measures_of([1.0, 2.0], 0.7)}, shown=1)
    induction, loss, next_tokens, heads = (
        part.make() for part in parts(view, "Numbers") if isinstance(part, DataTable)
    )
    assert list(induction["0.1"]) == pytest.approx([0.1, 0.7])
    assert list(loss["mean"]) == [5.0, 1.5]
    assert list(loss.columns) == ["step", "mean", "1 b", "2 c"]
    assert list(next_tokens["probability"]) == pytest.approx([0.6, 0.2])
    assert len(heads) == 2 * 3
    words = said(view)
    assert f"The best head at step 8 is head 1 of layer 0, with {percent(0.7)}." in words
    assert "It grows most between steps 0 and 8" in words
    assert "and on" in words
    assert equations(view)[-1].endswith(r"\frac{1.000 + 2.000}{2} = 1.500")
    names = [part.name for part in parts(view) if isinstance(part, Files)]
    assert names == [f"tiny-neox-{each}" for each in ("induction", "loss", "next-8", "heads-8")]
    assert all_told_of(view)[ABOVE] == pytest.approx(1.5 / math.log(100))


def all_told_of(view: View) -> dict[str, float | str]:
    return {name: value for part in view.at("Picture") for name, value in all_told(part).items()}


def test_a_sentence_of_one_token_has_no_loss() -> None:
    view = replayed_of({0: measures_of([], 0.1)}, words=("a",))
    assert "A sentence of one token has no loss" in said(view)
    assert len(equations(view)) == 2
    assert ABOVE not in all_told_of(view)


def test_before_the_first_step_is_measured_there_are_only_controls() -> None:
    view = replayed_of({})
    assert parts(view) == [Controls("model"), Controls("steps"), Controls("work")]
    assert "No step has been measured" in said(view, "Formula")


def test_without_a_replay_the_message_stands_in_its_place() -> None:
    view = NoReplay(ERROR, Controls("look"))
    for depth in DEPTHS[:3]:
        assert parts(view, depth)[-3:] == [Controls("model"), ERROR, Controls("look")]
    assert [part.of.__name__ for part in parts(view, "Code") if isinstance(part, Source)][-1] == "Replay"


def test_a_run_that_is_trained_again_has_the_same_losses() -> None:
    setup, run = Setup(steps=3), LiveRun(Setup(steps=3), "cpu")
    run.work(lambda: True)
    again = train_live(setup, 3)
    assert again.step == 3
    assert again.history.loss == pytest.approx(run.view().history.loss, rel=1e-4)
    assert train_live(setup, 0).step == 0


def test_a_recorded_run_is_opened_and_any_other_trained_again() -> None:
    assert run_of().made_by().function == recorded_run
    assert recorded_run(PROPOSED) == run_of()
    live = train_live(Setup(steps=3), 1)
    assert live.made_by().function == train_live
    assert live.made_by().arguments == (Setup(steps=3), 1)


def test_a_sentence_in_a_snapshot_has_the_losses_and_the_weights_of_that_model() -> None:
    text, model = "the dog sees the cat", load("tiny-lm", snapshot=2)
    frame, trace = read_frame("tiny-lm", 2, text), model.trace(text, keep="logits")
    shares = trace.logits.softmax(-1)
    true = [float(shares[place, token.id]) for place, token in enumerate(trace.tokens[1:])]
    assert frame.losses == pytest.approx([-math.log(share) for share in true], rel=1e-3)
    assert np.allclose(frame.weights.sum(-1), 1, atol=2e-3)  # of half width
    assert frame.answer == snapshots.answer(model, text)
    assert frame.queries == frame.keys


def test_every_snapshot_of_a_translator_reads_the_translation_of_the_trained_model() -> None:
    first, second = (read_frame("en-ur", number, "I am a robot") for number in (0, 1))
    assert first.queries == second.queries
    model = loaded("en-ur")
    written = model.output_tokenizer.tokens(model.translate_ids(model.tokens_of("I am a robot")))
    assert first.queries[1:] == tuple(words(written))[: len(first.queries) - 1]
    assert len(first.queries) > 3


@pytest.mark.slow
def test_the_scores_of_all_heads_at_the_first_snapshots() -> None:
    scores = score_heads("tiny-lm", 2)
    assert scores.shape == (2, 4, 4)
    assert np.allclose(scores[1], snapshots.head_scores(load("tiny-lm", snapshot=1)))
