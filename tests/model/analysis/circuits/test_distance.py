from __future__ import annotations

import pytest
import torch

from model.analysis.circuits.direct_path import query_reader, token_inputs
from model.analysis.circuits.distance import diagonal_means, measured_weights, positional_scores
from model.analysis.circuits.head_matrices import keys_of, queries_of
from model.analysis.head_steps import Attention
from model.network.positions import rotary_speeds, rotate, rotation
from model.run import ids_of
from tests.model.networks import small_model


@pytest.mark.parametrize("name", ["Llama", "Qwen2", "Qwen3", "GPT-NeoX"])
def test_rotary_scores_are_the_mean_over_all_pairs_of_tokens(name: str) -> None:
    model, at = small_model(name), Attention("decoder", 1, "self_attn")
    kernel = positional_scores(model, at, 3, 9)
    assert kernel is not None
    assert kernel.distances.tolist() == list(range(9))
    x = token_inputs(query_reader(model, at), torch.arange(23))
    queries, keys = queries_of(model, at, 3, x), keys_of(model, at, 3, x)  # (23, d_head)
    for distance in range(9):
        turn = rotation(torch.tensor([20 + distance, 20]), rotary_speeds(model.config), torch.float32)
        q = rotate(queries[:, None].expand(-1, 1, -1), turn[0][:1], turn[1][:1])[:, 0]
        k = rotate(keys[:, None].expand(-1, 1, -1), turn[0][1:], turn[1][1:])[:, 0]
        mean = float((q @ k.mT).mean()) / model.config.head_width**0.5
        assert float(kernel.values[distance]) == pytest.approx(mean, abs=1e-4)


@pytest.mark.parametrize("name", ["GPT-2", "learned", "plain decoder", "concatenated", "BERT"])
def test_scores_of_position_vectors_are_those_of_a_run_without_tokens(name: str) -> None:
    model = small_model(name)
    stack = model.config.stacks[0]
    at = Attention(stack, 0, "self_attn")
    made = positional_scores(model, at, 3, 6)
    embed = getattr(model.network, stack).embed
    embed.tokens.weight.zero_()
    if embed.segments is not None:
        embed.segments.weight.zero_()
    trace = model.trace("I am a robot you like", keep=f"{at.path}.*")
    assert len(ids_of(trace.tokens)) == 6
    scores = trace[f"{at.path}.scores"][3]
    assert made is not None
    assert made.distances.tolist() == list(range(0 if stack == "decoder" else -5, 6))
    expected = [float(scores.diagonal(-distance).mean()) for distance in made.distances.tolist()]
    assert made.values.tolist() == pytest.approx(expected, abs=1e-4)


def test_without_positions_or_over_two_sentences_there_is_no_kernel() -> None:
    assert positional_scores(small_model("no positions"), Attention("decoder", 0, "self_attn"), 0, 5) is None
    assert positional_scores(small_model("paper"), Attention("decoder", 0, "cross_attn"), 0, 5) is None


def test_no_distance_is_longer_than_the_model_reads() -> None:
    kernel = positional_scores(small_model("GPT-2"), Attention("decoder", 0, "self_attn"), 0, 1000)
    assert kernel is not None
    assert len(kernel.distances) == 32


def test_measured_weights_are_means_along_diagonals() -> None:
    weights = torch.tensor([[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.5, 0.25, 0.25]])
    assert measured_weights(weights, causal=True).values.tolist() == pytest.approx([0.5, 0.5, 0.5])
    kernel = measured_weights(torch.tensor([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]]), causal=False)
    assert kernel.distances.tolist() == [-2, -1, 0, 1]
    assert kernel.values.tolist() == [0.25, 0.125, 0.75, 0.0]


def test_a_diagonal_has_its_mean() -> None:
    matrix = torch.arange(6.0).reshape(2, 3)
    assert diagonal_means(matrix, torch.tensor([1, 0, -2])).tolist() == [3.0, 2.0, 2.0]
