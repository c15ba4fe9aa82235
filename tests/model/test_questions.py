"""Questions: one right answer, read off the tensors; wrong ones from the same data; always the same question."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as anything
from hypothesis.extra.numpy import arrays

from model import load, questions
from model.experiments.painted_masks import near
from model.network import positions
from model.numerals import degrees
from model.questions import MAX_CHOICES, Choice, NoQuestion, Question, distinct
from model.questions.question import make_question
from model.run import Model

FINITE = anything.floats(-30, 30, width=32)
WORDS = anything.lists(
    anything.sampled_from(["the", "The", "dog", "is", "میں", "<b>", "", " a "]), min_size=2, max_size=9
)


@pytest.fixture(scope="module")
def model() -> Model:
    return load("tiny-lm")


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def right(question: Question) -> str:
    return question.choices[question.answer].label


def sound(question: Question) -> None:
    """What every question has."""
    looks = [" ".join(choice.label.casefold().split()) for choice in question.choices]
    assert 2 <= len(looks) <= MAX_CHOICES
    assert len(set(looks)) == len(looks), looks
    assert 0 <= question.answer < len(looks)
    assert question.text.endswith(("?", ")"))
    assert question.explanation


# Attention


@pytest.mark.slow
@given(anything.data(), WORDS)
@settings(max_examples=60)
def test_the_most_attended_key_is_the_largest_weight(data: anything.DataObject, words: list[str]) -> None:
    scores = data.draw(arrays(np.float32, (len(words), len(words)), elements=FINITE))
    query = data.draw(anything.integers(1, len(words) - 1))
    scores[np.triu_indices(len(words), 1)] = -np.inf
    weights = softmax(scores)
    row = np.sort(weights[query])[::-1]
    assume(row[0] - row[1] > 0.01)
    question = questions.most_attended(torch.from_numpy(weights), query, words, words, "layer 0, head 0")
    sound(question)
    best = int(weights[query].argmax())
    assert right(question) == distinct(words)[best]
    assert question.choices[question.answer].value == pytest.approx(weights[query, best], abs=1e-6)
    assert all(choice.value < row[0] for i, choice in enumerate(question.choices) if i != question.answer)
    assert all(choice.label in distinct(words)[: query + 1] for choice in question.choices), "a hidden key is no choice"
    assert question == questions.most_attended(torch.from_numpy(weights), query, words, words, "layer 0, head 0")


def test_two_equal_weights_are_no_question() -> None:
    with pytest.raises(NoQuestion, match="as good as equal"):
        questions.most_attended(torch.tensor([[0.5, 0.5]]), 0, ["a"], ["b", "c"], "head 0")


def test_one_visible_key_is_no_question() -> None:
    with pytest.raises(NoQuestion, match="one token only"):
        questions.most_attended(torch.tensor([[1.0, 0.0]]), 0, ["a", "b"], ["a", "b"], "head 0")


def test_words_that_look_the_same_are_told_apart() -> None:
    assert distinct(["the", "dog", "The", "cat"]) == ["the (token 0)", "dog", "The (token 2)", "cat"]


@given(arrays(np.float32, (4, 5, 5), elements=FINITE))
@settings(max_examples=40)
def test_heads_are_compared_with_each_other(scores: np.ndarray) -> None:
    weights, words = softmax(scores), list("abcde")
    entropy = -(weights * np.log(np.maximum(weights, 1e-300))).sum(-1).mean(-1) / math.log(5)
    for values, make in (
        (weights[:, 2, 3], lambda w: questions.strongest_head(w, 2, 3, words, words, "layer 0")),
        (entropy, lambda w: questions.widest_head(w, "layer 0")),
    ):
        first, second = np.sort(values)[::-1][:2]
        if first - second <= 0.01 * abs(first) + 1e-4:
            continue  # as good as a tie
        question = make(torch.from_numpy(weights))
        sound(question)
        assert right(question) == f"Head {values.argmax()}"


def test_the_scale_by_hand() -> None:
    question = questions.scaled_score(55.29, 9.774, 32, 128, 15, "“is” and “sad”")
    sound(question)
    assert right(question) == "9.774"
    assert {choice.label for choice in question.choices} == {"9.774", "1.728", "4.887", "14.28"}
    assert "55.29 ÷ √32 = 55.29 ÷ 5.657 = 9.774" in question.explanation
    with pytest.raises(NoQuestion):
        questions.scaled_score(0.0, 0.0, 32, 128, 15, "two")


def test_the_scale_is_the_one_recorded(model: Model) -> None:
    trace = model.trace("The dog is hungry", keep="decoder.1.self_attn.*")
    q, k = (trace[f"decoder.1.self_attn.{name}"][2].double().numpy() for name in "qk")
    raw = float(trace["decoder.1.self_attn.raw_scores"][2, 3, 1])
    scaled = float(trace["decoder.1.self_attn.scores"][2, 3, 1])
    question = questions.scaled_score(raw, scaled, 32, 128, 4, "two words")
    assert question.choices[question.answer].value == pytest.approx(float(q[3] @ k[1]) / math.sqrt(32), rel=1e-4)


# Masks


@pytest.mark.parametrize(
    ("hidden", "answer", "count"),
    [
        (torch.ones(5, 5).triu(1).bool(), "Those right of the diagonal", 10),
        (torch.zeros(4, 6).bool(), "None of them", 0),
        (torch.ones(4, 4).tril(-1).bool(), "Those left of the diagonal", 6),
        (torch.eye(3).bool(), "Those on the diagonal", 3),
        (torch.tensor([[False, False, True, True]] * 4), "The last 2 columns", 8),
        (~(near(5, 5, 2) & torch.ones(5, 5).tril().bool()), "Those right of the diagonal, and those far left", 16),
        (~near(5, 5, 2), "Those far from the diagonal", 12),
    ],
)
def test_the_cells_that_a_mask_hides(hidden: torch.Tensor, answer: str, count: int) -> None:
    question = questions.hidden_cells(hidden)
    sound(question)
    assert right(question).startswith(answer)
    assert question.choices[question.answer].value == 0
    assert question.explanation.startswith(f"{count} of {hidden.numel()} cells are hidden")


def test_a_mask_without_a_shape_and_one_that_is_too_small_are_no_question() -> None:
    odd = torch.zeros(4, 4).bool()
    odd[1, 2] = True
    with pytest.raises(NoQuestion, match="shape of its own"):
        questions.hidden_cells(odd)
    with pytest.raises(NoQuestion, match="longer sentence"):
        questions.hidden_cells(torch.ones(2, 2).triu(1).bool())


@given(arrays(bool, (5, 6)), anything.integers(0, 4))
@settings(max_examples=60)
def test_what_a_query_may_look_at_under_any_mask(hidden: np.ndarray, query: int) -> None:
    keys = [f"k{i}" for i in range(6)]
    question = questions.visible_keys(torch.from_numpy(hidden), query, list("abcde"), keys)
    sound(question)
    assert question.choices[question.answer].value == 0
    assert all(choice.value > 0 for i, choice in enumerate(question.choices) if i != question.answer)
    seen = [key for key, off in zip(keys, hidden[query], strict=True) if not off]
    words = right(question)
    if len(seen) == 6:
        assert words == "all 6"
    elif not seen:
        assert words == "none of them"
    else:
        assert seen[0] in words
        assert all(key not in words for key in keys if key not in seen)


def test_a_causal_row_by_hand() -> None:
    words = ["The", "quick", "brown", "fox"]
    question = questions.visible_keys(torch.ones(4, 4).triu(1).bool(), 2, words, words)
    assert right(question) == "The to brown (3 tokens)"
    assert {choice.label for choice in question.choices} == {
        "The to brown (3 tokens)",
        "The to quick (2 tokens)",
        "brown to fox (2 tokens)",
        "all 4",
    }


# Output


@given(arrays(np.float32, 30, elements=FINITE))
@settings(max_examples=60)
def test_the_next_token_is_the_likeliest(logits: np.ndarray) -> None:
    p = softmax(logits)
    order = np.argsort(-p, kind="stable")
    assume(p[order[0]] - p[order[1]] > 0.001)
    question = questions.next_token(torch.from_numpy(logits), lambda id: f"t{id}")
    sound(question)
    assert right(question) == f"t{order[0]}"
    assert question.choices[question.answer].value == pytest.approx(p[order[0]], abs=1e-5)
    wrong = sorted((c.value for i, c in enumerate(question.choices) if i != question.answer), reverse=True)
    assert wrong == pytest.approx(p[order[1:MAX_CHOICES]].tolist(), abs=1e-5), "the next likeliest ones"


def test_tokens_that_read_the_same_are_one_choice() -> None:
    labels = {0: "Paris", 1: "paris", 2: "the"}
    question = questions.next_token(torch.tensor([5.0, 4.0, 3.0]), labels.__getitem__)
    assert {choice.label for choice in question.choices} == {"Paris", "the"}
    assert "the next, “the”" in question.explanation


@given(arrays(np.float32, 12, elements=FINITE), anything.sampled_from([0.25, 0.5, 2.0, 3.0]))
@settings(max_examples=40)
def test_a_temperature_divides_the_logits(logits: np.ndarray, temperature: float) -> None:
    expected = softmax(logits.astype(np.float64) / temperature).max()
    try:
        question = questions.tempered_probability(torch.from_numpy(logits), temperature, "sad")
    except NoQuestion:
        return  # all choices read the same: one token has everything at any temperature
    sound(question)
    assert question.choices[question.answer].value == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("temperature", [0.0, 1.0, -1.0])
def test_a_temperature_that_changes_nothing_is_no_question(temperature: float) -> None:
    with pytest.raises(NoQuestion, match="temperature 1"):
        questions.tempered_probability(torch.tensor([1.0, 0.0]), temperature, "sad")


# Positions and vectors


@given(anything.integers(0, 15), anything.sampled_from([-6.0, -1.0, 0.5, 3.0, 5.0, 40.0]))
@settings(max_examples=60)
def test_a_hand_turns_by_its_speed_times_the_shift(hand: int, shift: float) -> None:
    question = questions.hand_turn(positions.frequencies(32), hand, shift)
    sound(question)
    turned = math.degrees(shift * 10000.0 ** (-2 * hand / 32))
    assert question.choices[question.answer].value == pytest.approx(turned, rel=1e-5)
    assert degrees(turned) in question.explanation


def test_hand_three_for_phi_five() -> None:
    question = questions.hand_turn(positions.frequencies(32), 3, 5.0)
    assert question.text == "How far does hand 3 turn for φ = 5?"
    assert right(question) == "50.9°"
    assert {choice.label for choice in question.choices} == {"50.9°", "28.6°", "90.6°", "0.89°"}
    with pytest.raises(NoQuestion, match="shift of 0"):
        questions.hand_turn(positions.frequencies(32), 3, 0.0)


def test_tokens_are_neither_words_nor_letters() -> None:
    asked = questions.count_of_tokens("I am  unhappy.", ["I", "am", "un", "happy", "."], "It")
    assert right(asked) == "5"
    sound(asked)
    assert sorted(choice.label for choice in asked.choices) == ["11", "3", "5", "6"]
    assert asked.explanation == "Words: 3. Tokens: 5. These are I | am | un | happy | ."
    one = questions.count_of_tokens("a", ["a"], "It")
    assert (right(one), len(one.choices)) == ("1", 2)
    with pytest.raises(NoQuestion, match="no text"):
        questions.count_of_tokens(" ", [], "It")


def test_the_nearest_row_of_the_table(model: Model) -> None:
    table = model.network.get_parameter("decoder.embed.tokens.weight").float().numpy()
    dog = model.tokens_of("The dog is happy")[1].id
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = unit @ unit[dog]
    order = [int(id) for id in np.argsort(-cosines) if id != dog]
    question = questions.nearest(
        torch.from_numpy(cosines), dog, [token.id for token in model.tokens_of("The dog is happy")], lambda id: f"t{id}"
    )
    sound(question)
    assert right(question) == f"t{order[0]}"
    assert question.choices[question.answer].value == pytest.approx(cosines[order[0]], abs=1e-6)


# What all have in common


@given(arrays(np.float64, anything.integers(2, 12), elements=anything.floats(0, 1)))
@settings(max_examples=60)
def test_the_largest_is_the_answer_and_the_smallest_a_choice(values: np.ndarray) -> None:
    first, second = np.sort(values)[::-1][:2]
    assume(first - second > 0.01)
    labels = [f"Part {i}" for i in range(len(values))]
    question = questions.largest("part", "Which?", torch.from_numpy(values), labels, lambda best, value: best + value)
    sound(question)
    assert right(question) == f"Part {values.argmax()}"
    assert min(choice.value for choice in question.choices) == pytest.approx(values.min())


def test_not_a_number_and_a_single_one_are_no_question() -> None:
    for values in ([math.nan, 1.0], [1.0]):
        with pytest.raises(NoQuestion):
            questions.largest("x", "Which?", torch.tensor(values), ["a", "b"][: len(values)], lambda a, b: a)


def test_the_right_answer_stands_anywhere() -> None:
    table = positions.frequencies(64)
    places = [questions.hand_turn(table, hand, 5.0).answer for hand in range(30)]
    assert set(places) == set(range(MAX_CHOICES))
    assert max(map(places.count, range(MAX_CHOICES))) < 16


def test_what_is_seen_of_a_question_does_not_tell_which_choice_is_right() -> None:
    """The same words in the same run of the same program, but other numbers behind them."""
    asked = [
        make_question("x", "Which?", Choice("a", 1, f"{share}%"), [Choice("b", 0, "1%"), Choice("c", 0, "0%")], "")
        for share in range(50, 90)
    ]
    assert {question.answer for question in asked} == {0, 1, 2}


def test_an_id_belongs_to_one_question() -> None:
    table = positions.frequencies(64)
    asked = [questions.hand_turn(table, hand, shift) for hand in range(30) for shift in (2.0, 5.0)]
    assert len({question.id for question in asked}) == len(asked)
    assert asked[0].id == questions.hand_turn(table, 0, 2.0).id


def test_what_a_softmax_gives_is_never_written_as_none_or_all() -> None:
    logits = torch.tensor([-3000.0, 9000.0, -2000.0, 0.0])  # the rest is less than a float holds
    asked = questions.next_token(logits, "abcd".__getitem__)
    assert right(asked) == "b"
    assert {choice.note for choice in asked.choices} == {"over 99.9%", "under 0.1%"}
    assert "the next, “d”," in asked.explanation
    attention = torch.tensor([[1.0, 1e-30]])  # as float32 rounds it
    asked = questions.most_attended(attention, 0, ["x"], ["y", "z"], "head 0")
    assert [choice.note for choice in asked.choices if choice.label == "y"] == ["over 99.9%"]
    asked = questions.likeliest_class("class", "Which?", torch.tensor([1.0, 0.0]), ["one", "other"])
    assert {choice.note for choice in asked.choices} == {"over 99.9%", "under 0.1%"}


def test_one_token_is_no_choice_of_a_head() -> None:
    alone = torch.ones(3, 1, 1)
    with pytest.raises(NoQuestion, match="“a” sees one token only"):
        questions.strongest_head(alone, 0, 0, ["a"], ["a"], "layer 0")
    with pytest.raises(NoQuestion, match="one token only"):
        questions.widest_head(alone, "layer 0")


def test_a_row_that_reads_the_same_is_not_called_farther_away() -> None:
    cosines, words = torch.tensor([1.0, 0.9, 0.5, 0.1]), ["a", " A", "b", "c"]
    asked = questions.nearest(cosines, 0, [3], words.__getitem__)
    assert right(asked) == "b"
    assert "without those that also read “a”, “b” points" in asked.explanation
    assert "without" not in questions.nearest(cosines, 2, [3], words.__getitem__).explanation
