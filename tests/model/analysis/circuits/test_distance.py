from __future__ import annotations

import pytest
import torch

from model.analysis.circuits.distance import diagonal_means, keep_for_distance, measured_weights, positional_scores
from model.analysis.head_measures import previous_token
from model.analysis.head_steps import Attention
from model.edits.edit import Change
from model.network.positions import rotary_speeds, rotate, rotation
from model.run import ids_of
from tests.conftest import loaded
from tests.model.networks import small_model

TEXT = "I am a robot you like"


@pytest.mark.parametrize("name", ["Llama", "Qwen2", "Qwen3", "GPT-NeoX"])
def test_rotary_scores_are_the_mean_over_all_pairs_of_the_run(name: str) -> None:
    model, at = small_model(name), Attention("decoder", 1, "self_attn")
    trace = model.trace(TEXT, keep=keep_for_distance(model.config))
    kernel = positional_scores(model, trace, at, 3, 9)
    assert kernel is not None
    assert kernel.distances.tolist() == list(range(9))
    queries = trace[f"{at.path}.q_unrotated"][3, 1:]  # (5, d_head)
    keys = trace[f"{at.path}.k_unrotated"][model.config.kv_head_of(3), 1:]
    for distance in range(9):
        turn = rotation(torch.tensor([20 + distance, 20]), rotary_speeds(model.config), torch.float32)
        q, k = rotate(torch.stack((queries, keys), dim=1), turn).unbind(1)
        mean = float((q @ k.mT).mean()) / model.config.head_width**0.5
        assert float(kernel.values[distance]) == pytest.approx(mean, abs=1e-4)


@pytest.mark.parametrize("name", ["GPT-2", "learned", "plain decoder", "concatenated", "BERT"])
def test_scores_of_position_vectors_are_those_of_a_run_without_tokens(name: str) -> None:
    model = small_model(name)
    stack = model.config.stacks[0]
    at = Attention(stack, 0, "self_attn")
    embed = getattr(model.network, stack).embed
    made = positional_scores(model, model.trace(TEXT), at, 3, 6)
    embed.tokens.weight.zero_()
    if embed.segments is not None:
        embed.segments.weight.zero_()
    trace = model.trace(TEXT, keep=f"{at.path}.*")
    assert len(ids_of(trace.tokens)) == 6
    scores = trace[f"{at.path}.scores"][3]
    assert made is not None
    assert made.distances.tolist() == list(range(0 if stack == "decoder" else -5, 6))
    expected = [float(scores.diagonal(-distance).mean()) for distance in made.distances.tolist()]
    assert made.values.tolist() == pytest.approx(expected, abs=1e-4)


def test_without_positions_or_over_two_sentences_there_is_no_kernel() -> None:
    plain, paper = small_model("no positions"), small_model("paper")
    assert positional_scores(plain, plain.trace(TEXT), Attention("decoder", 0, "self_attn"), 0, 5) is None
    trace = paper.trace(TEXT, target="I am")
    assert positional_scores(paper, trace, Attention("decoder", 0, "cross_attn"), 0, 5) is None


def test_no_distance_is_longer_than_the_model_reads() -> None:
    model = small_model("GPT-2")
    kernel = positional_scores(model, model.trace(TEXT), Attention("decoder", 0, "self_attn"), 0, 1000)
    assert kernel is not None
    assert len(kernel.distances) == 32


def test_measured_weights_are_means_along_diagonals_without_the_first_token() -> None:
    weights = torch.tensor([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.125, 0.375]])
    edit = Change("decoder.0.self_attn.weights", lambda every: weights.expand_as(every))
    trace = small_model("GPT-2").trace("I am a robot", keep="*.weights", edits=[edit])
    kernel = measured_weights(trace, Attention("decoder", 0, "self_attn"), 1)
    assert kernel.distances.tolist() == [0, 1, 2]
    assert kernel.values.tolist() == pytest.approx([1.125 / 3, 0.375 / 2, 0.25])


def test_one_token_looks_at_itself() -> None:
    trace = small_model("GPT-2").trace("I", keep="*.weights")
    kernel = measured_weights(trace, Attention("decoder", 0, "self_attn"), 0)
    assert kernel.distances.tolist() == [0]
    assert kernel.values.tolist() == [1]


def test_in_cross_attention_a_key_stands_before_or_behind() -> None:
    trace = small_model("paper").trace("I am a", target="you like", keep="*.weights")
    kernel = measured_weights(trace, Attention("decoder", 1, "cross_attn"), 2)
    weights = trace["decoder.1.cross_attn.weights"][2]
    queries, keys = weights.shape
    assert kernel.distances.tolist() == list(range(1 - keys, queries))
    assert float(kernel.values[keys - 1]) == pytest.approx(float(weights.diagonal().mean()))


def test_a_diagonal_has_its_mean() -> None:
    matrix = torch.arange(6.0).reshape(2, 3)
    assert diagonal_means(matrix, torch.tensor([1, 0, -2])).tolist() == [3.0, 2.0, 2.0]


@pytest.mark.slow
def test_the_previous_token_heads_of_smollm2_have_their_largest_score_one_token_back() -> None:
    model = loaded("smollm2-135m")
    keep = keep_for_distance(model.config)
    trace = model.trace("When Mary and John went to the store, John gave a drink to", keep=keep)
    for layer, head in ((16, 0), (11, 1), (1, 2), (2, 1)):
        at = Attention("decoder", layer, "self_attn")
        kernel = positional_scores(model, trace, at, head, 12)
        assert kernel is not None
        assert int(kernel.values.argmax()) == 1
        assert int(measured_weights(trace, at, head).values.argmax()) == 1
        assert float(previous_token(trace[f"{at.path}.weights"][head])) > 0.5


def test_no_distance_is_outside_the_window_of_the_layer() -> None:
    model = small_model("window in one layer")
    trace = model.trace(TEXT, keep=keep_for_distance(model.config))
    made = [positional_scores(model, trace, Attention("decoder", layer, "self_attn"), 0, 6) for layer in range(2)]
    assert [kernel.distances.tolist() for kernel in made if kernel] == [list(range(6)), [0, 1]]
