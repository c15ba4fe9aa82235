"""Before attention, as views: the numbers are those of the models, and the words follow from them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from model.cost.timing import Timing
from model.recurrent.blank import TrainedReaders, train_readers
from model.recurrent.networks import stack_steps
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from tests.conftest import loaded
from tests.views.shown import equations, parts, said
from views.learning.before_attention import told
from views.learning.before_attention.both import FilledBlank
from views.learning.before_attention.lengths import Lengths
from views.learning.before_attention.memory import FAR, TEXT_TOKENS, Reach, measure_gradients
from views.learning.before_attention.order import NETWORKS, Counts, LayerTimes, OrderOfWork, SentenceSize, time_layers
from views.learning.before_attention.sentence import OneSentence
from views.learning.before_attention.shapes import SHAPES, ClassOfText, Shapes
from views.learning.before_attention.translators import TRANSLATORS, Answer, judge, reference
from views.parts import Chart, Controls, DataTable, PageLink, Source
from views.run import make_run
from views.shared.quotes import tex
from views.view import DEPTHS, View
from viz.documents.page_parts import Text
from viz.shared.style import number, percent

HELD_OUT = "The soldiers want to throw this ball but a guest broke the toy."
ERROR = Text("Write one blank", "error")


@cache
def answers(text: str) -> tuple[Answer, Answer, Answer]:
    seq2seq, bahdanau, transformer = (
        judge(make_run(loaded(name), text, keep)) for name, (_, keep) in TRANSLATORS.items()
    )
    return seq2seq, bahdanau, transformer


def sentence_of(text: str = "I am a robot", step: int = 2, layer: int = 1, **how: Any) -> OneSentence:
    return OneSentence(answers(text), step, layer, **how)


def tables(view: View) -> list[Any]:
    return [part.make() for part in parts(view, "Numbers") if isinstance(part, DataTable)]


@pytest.mark.slow
def test_a_long_sentence_is_lost_in_one_vector_but_not_with_attention() -> None:
    view = sentence_of(HELD_OUT)
    words = said(view)
    assert words.count("right]") == 2
    assert words.count("not the translation]") == 1
    assert view.told() == {told.TRANSLATORS: 3, told.SEQ2SEQ: "not the translation"}
    assert reference(HELD_OUT) == "سپاہی یہ گیند پھینکنا چاہتے ہیں لیکن ایک مہمان نے کھلونا توڑا"
    assert reference("The weather is a robot of the bank") is None


def test_a_sentence_without_a_known_translation_is_not_judged() -> None:
    assert said(sentence_of("The weather is a robot of the bank")).count("it cannot be judged") == 3


def test_an_alignment_is_worked_out_with_its_scores() -> None:
    weights = stack_steps(answers("I am a robot")[1].pair.run.trace, "attention.weights")
    assert equations(sentence_of(step=2))[-1].endswith(f"= {float(weights[1].max()):.3f}")


@pytest.mark.parametrize("step", [2, 4])
def test_the_alignment_in_the_table_is_the_models(step: int) -> None:
    weights = stack_steps(answers("I am a robot")[1].pair.run.trace, "attention.weights")
    vector, alignment, heads = tables(sentence_of(step=step))
    assert len(vector) == loaded("en-ur-bahdanau").config.memory_width
    assert len(alignment) == len(heads) == step, "as many rows as words are written"
    numbers = torch.tensor(alignment.iloc[:, 1:].to_numpy(), dtype=torch.float32)
    torch.testing.assert_close(numbers, weights[:step], atol=1e-5, rtol=1e-4)


def test_the_table_of_the_heads_is_their_mean() -> None:
    weights = answers("I am a robot")[2].pair.run.trace["decoder.0.cross_attn.weights"]
    heads = tables(sentence_of(layer=0))[-1]
    assert np.allclose(heads.iloc[:, 1:].to_numpy(), weights.mean(0)[:2], atol=1e-6)


def test_a_step_beyond_a_short_translation_shows_all_of_it() -> None:
    view = sentence_of(HELD_OUT, step=99)
    _, alignment, heads = tables(view)
    assert [len(alignment), len(heads)] == [len(answer.pair.written) for answer in view.answers[1:]]


def test_in_a_lecture_the_translations_stand_beside_the_alignment() -> None:
    shown, presented = sentence_of(), sentence_of(is_presented=True)
    assert sorted(said(shown).split("\n")) == sorted(said(presented).split("\n"))
    first = [part for part in parts(presented) if isinstance(part, Chart | Controls)][:2]
    assert first[0] == Controls("step")
    assert isinstance(first[1], Chart)
    assert first[1].alt.startswith("Alignment")


def test_an_unknown_word_is_named_at_every_depth() -> None:
    view = sentence_of("I am a robott")
    for depth in DEPTHS:
        (warning,) = (part for part in parts(view, depth) if isinstance(part, Text) and part.kind == "warning")
        assert "robott" in warning.text


def test_the_table_by_length_is_that_of_the_cards() -> None:
    of_title = {title: cards.card(name, *TEXT_KINDS, RECURRENT_KIND) for name, (title, _) in TRANSLATORS.items()}
    view = Lengths(of_title)
    (table,) = tables(view)
    for title, of_card in ((title, card.details) for title, card in of_title.items()):
        assert list(table["words"]) == [row["words"] for row in of_card["by_length"]]
        assert list(table[title]) == pytest.approx([row["exact_match"] for row in of_card["by_length"]])
    assert view.told() == {told.LOSES_MOST: "seq2seq"}
    assert len([each for each in equations(view) if r"\hat p = " in each]) == 3


def test_the_caption_names_the_model_that_loses_most() -> None:
    def card(short: float, long: float) -> cards.Card:
        by_length = [
            {"words": 4, "sentences": 100, "exact_match": short},
            {"words": 14, "sentences": 100, "exact_match": long},
            {"words": 18, "sentences": 20, "exact_match": long},
        ]
        return replace(cards.card("en-ur"), details={"by_length": by_length})

    view = Lengths({"A": card(1.0, 0.9), "B": card(0.9, 0.2)})
    assert "With length **B** loses most, 70 points; A least, 10." in view.caption()
    assert "A 90%, B 20%" in view.caption()
    assert view.told() == {told.LOSES_MOST: "B"}


def reach(networks: str = "trained and fresh", is_relative: bool = False) -> Reach:
    steps = np.arange(TEXT_TOKENS)
    gradients = {title: (4 * factor**steps, 2 * 0.5**steps) for title, factor in (("RNN", 0.5), ("Transformer", 1.0))}
    return Reach(gradients, networks, is_relative)


def test_gradients_are_shown_as_they_are_or_over_that_of_the_last_token() -> None:
    (table,) = tables(reach())
    assert list(table.columns) == [
        "tokens back",
        "RNN, trained",
        "RNN, fresh",
        "Transformer, trained",
        "Transformer, fresh",
    ]
    assert table["RNN, trained"][FAR] == 4 * 0.5**FAR
    (relative,) = tables(reach("trained", is_relative=True))
    assert list(relative.columns) == ["tokens back", "RNN, trained", "Transformer, trained"]
    assert relative["RNN, trained"][0] == relative["Transformer, trained"][0] == 1
    assert reach().told() == {told.RNN_LEFT: 0.5**FAR}
    assert set(reach().arrays()) == {"RNN_trained", "RNN_fresh", "Transformer_trained", "Transformer_fresh"}


def test_a_recurrent_gradient_is_worked_out_as_a_power_of_one_factor() -> None:
    rnn, transformer = equations(reach())[-2:]
    assert rnn.endswith(f"= 0.500^{{{FAR}}}")
    assert "^{32}" not in transformer


def order(timings: dict[str, tuple[Timing, ...]], n_passes: int = 7) -> OrderOfWork:
    return OrderOfWork(LayerTimes(timings, n_passes), SentenceSize("Tiny LM", 5, 128))


def timings(lengths: tuple[int, ...]) -> dict[str, tuple[Timing, ...]]:
    return {name: tuple(Timing(n, n / 1000, 0) for n in lengths) for name in NETWORKS}


def test_the_counts_of_steps_and_pairs() -> None:
    row = Counts().rows()[-1]
    assert list(row.values()) == [1024, 1024, 1, 1024**2]
    assert Counts().told() == {told.STEPS: 1024}


def test_times_say_how_they_were_measured() -> None:
    whole = order(timings((8, 16, 32, 64, 128, 256, 512)))
    assert f"LSTM: {number(8, 2)} ms at 8 tokens, {number(512, 2)} ms at 512, {number(64, 1)} times as long" in said(
        whole
    )
    assert "Medians of 7 passes" in said(whole)
    assert "Partial" not in said(whole)
    assert "Partial: it was stopped" in said(order(timings((8, 16))))
    quick = said(order(timings((8, 16)), 1), "Numbers")
    assert "One pass each" in quick
    assert "A quick measurement" in quick
    assert [row["milliseconds"] for row in whole.times.rows()[:2]] == [8, 16]


def test_only_the_equations_take_the_sentence() -> None:
    view = order({})
    assert parts(view)[0] == Controls("nothing taken")
    assert Controls("nothing taken") not in parts(view, "Formula")
    assert r"T\,d^2 = 5 \cdot 128^2 = 81{,}920" in equations(view)[-1]
    faulty = OrderOfWork(view.times, None, ERROR)
    assert ERROR in parts(faulty, "Formula")
    assert ERROR not in parts(faulty)


@cache
def readers() -> TrainedReaders:
    return train_readers()


@pytest.mark.slow
def test_the_blank_beside_the_true_shares() -> None:
    known = FilledBlank(readers(), "we ___ tired")
    assert "**both directions** “are”" in said(known)
    assert known.told()[told.WORD_FROM_LEFT] == "are"
    assert [sum(found.values()) for found in known.probabilities.values()] == pytest.approx([1, 1, 1], abs=1e-3)
    (table,) = tables(FilledBlank(readers(), "I am ___ tired"))
    very = table[table["word"] == "very"].iloc[0]
    assert very["both, true share"] == 0.5
    assert very["both"] == pytest.approx(0.5, abs=0.1)
    shares = [
        re.search(r"\\to (?:0\.)?(\d+)", each) for each in equations(FilledBlank(readers(), "I am ___ tired"))[2:]
    ]
    assert len(shares) == 3
    assert all(shares)


def test_a_sentence_without_a_blank_gets_one_message() -> None:
    view = FilledBlank(TrainedReaders({}, {}), "I am tired", ERROR)
    for depth in DEPTHS[:3]:
        assert parts(view, depth)[-2:] == [Controls("sentence"), ERROR]
    assert view.told() == {}


def test_the_three_shapes_with_what_seq2seq_reads_and_writes() -> None:
    answer = answers("I am a robot")[0]
    run = make_run(loaded("tiny-encoder"), "I am a robot", "text_logits")
    view = Shapes(answer, ClassOfText(run))
    p, best = loaded("tiny-encoder").trace("I am a robot")["text_logits"].softmax(-1).max(-1)
    written, source = len(answer.pair.written) - 1, len(answer.pair.source)
    (table,) = tables(view)
    assert list(table["inputs"]) == [1, source, source]
    assert list(table["outputs"]) == [written, 1, written]
    assert f"“{run.config.text_labels[int(best)]}”, {percent(float(p))}" in said(view)
    assert equations(view)[-1].endswith(f"= {tex(float(p))}")
    charts = [part for part in parts(view) if isinstance(part, Chart)]
    assert [chart.key for chart in charts] == [shape.title for shape in SHAPES]
    assert not [part for part in parts(view, "Numbers") if isinstance(part, Chart)]
    assert [part.page for part in parts(view) if isinstance(part, PageLink)] == ["classify", "translate"]


def test_without_a_classifier_its_column_says_why() -> None:
    view = Shapes(answers("I am a robot")[0], None, "It is not installed.")
    assert "**Here** It is not installed" in said(view)
    assert "It is not installed" in said(view, "Formula")


def test_the_code_of_each_part_is_what_ran() -> None:
    shapes = Shapes(answers("I am a robot")[0], None)
    for view, last in ((sentence_of(), "Seq2Seq"), (order({}), "measure"), (shapes, "decode")):
        assert [part.of.__name__ for part in parts(view, "Code") if isinstance(part, Source)][-1] == last


def test_one_layer_of_each_network_is_timed() -> None:
    times = time_layers((4, 8))
    assert set(times.timings) == set(NETWORKS)
    assert all([each.tokens for each in of] == [4, 8] for of in times.timings.values())
    assert times.made_by().arguments == ((4, 8), 1)


@pytest.mark.slow
def test_less_of_an_old_token_reaches_the_end_of_a_fresh_rnn_than_that_of_a_fresh_transformer() -> None:
    (_, rnn), (_, transformer) = (measure_gradients(loaded(name)) for name in ("tiny-lm-rnn", "tiny-lm"))
    assert rnn.shape == (TEXT_TOKENS,)
    assert rnn[-1] / rnn[0] < transformer[-1] / transformer[0]
