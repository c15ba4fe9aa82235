"""The five schemes against their requirements, order, joining, and the rotary sums: known values and properties."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.config import TransformerConfig
from model.errors import ConfigError
from model.experiments.position_mix import (
    chance_overlap,
    embedding_scale,
    mixes,
    overlap,
    parameter_count,
    sinusoidal_rows,
)
from model.experiments.position_schemes import (
    REQUIREMENTS,
    check,
    counter,
    directions_scheme,
    learned_scheme,
    normalised_counter,
    rotary_scheme,
    sinusoidal_scheme,
    step_distances,
)
from model.experiments.word_order import effect_of_order, encode_ids, shuffle_places
from model.network.positions import (
    by_distance,
    count_slow_pairs,
    frequencies,
    pair_contributions,
    products,
    rotate,
    rotation,
    row_lengths,
    score_by_distance,
    shift_error,
    shift_matrix,
    sinusoidal,
)
from model.network.transformer import Transformer

ROBOT = [
    [0, 1, 0, 1],
    [0.8415, 0.5403, 0.0998, 0.9950],
    [0.9093, -0.4161, 0.1987, 0.9801],
    [0.1411, -0.9900, 0.2955, 0.9553],
]
TABLE = torch.randn(32, 8, generator=torch.Generator().manual_seed(0))

widths = st.integers(1, 32).map(lambda pairs: 2 * pairs)
bases = st.floats(1.5, 1e6)
places = st.floats(0, 512)


def verdicts(scheme, length=16):
    return {each.requirement: each.passed for each in check(scheme, length)}


def test_the_notes_example():
    assert torch.allclose(sinusoidal(torch.arange(4), 4, 100), torch.tensor(ROBOT).double(), atol=1e-4)


@settings(max_examples=60)
@given(d=widths, base=bases, t=places, phi=st.floats(-256, 256))
def test_a_shift_is_one_rotation_whatever_the_place(d, base, t, phi):
    place = torch.tensor([t], dtype=torch.float64)
    assert shift_error(place, phi, d, base) < 1e-9
    turn = shift_matrix(phi, d, base)
    assert torch.allclose(turn @ turn.mT, torch.eye(d, dtype=torch.float64), atol=1e-12)


@settings(max_examples=60)
@given(d=widths, base=bases, t=places, s=places, phi=st.floats(-256, 256))
def test_dot_products_depend_on_the_shift_alone(d, base, t, s, phi):
    starts = torch.tensor([t, s], dtype=torch.float64)
    dots = (sinusoidal(starts, d, base) * sinusoidal(starts + phi, d, base)).sum(-1)
    expected = torch.cos(frequencies(d, base) * phi).sum()
    assert torch.allclose(dots, expected.expand(2), atol=1e-9)
    assert torch.allclose(sinusoidal(starts, d, base).norm(dim=-1) ** 2, torch.full((2,), d / 2).double())


@settings(max_examples=40)
@given(d=widths, base=bases, t=st.integers(0, 200), s=st.integers(0, 200), seed=st.integers(0, 99))
def test_rotary_scores_depend_on_the_distance_alone(d, base, t, s, seed):
    q, k = torch.randn(2, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    turned_q, turned_k = rotate(
        torch.stack((q, k)), rotation(torch.tensor([t, s]), frequencies(d, base), torch.float64)
    )
    expected = score_by_distance(q, k, torch.tensor([t - s]), frequencies(d, base))
    assert torch.allclose((turned_q @ turned_k)[None], expected, atol=1e-9)
    assert torch.allclose(pair_contributions(q, k, t - s, frequencies(d, base)).sum()[None], expected, atol=1e-9)


def test_scores_by_distance_are_read_off_the_diagonals():
    scores = torch.tensor([[1.0, 2.0], [4.0, 3.0]])
    assert by_distance(scores).tolist() == [[2, 2, 2], [2, 1, 3], [4, 4, 4]]
    p = sinusoidal(torch.arange(9), 6, 100)
    curve = by_distance(products(p))
    assert torch.allclose(curve[:, 1], curve[:, 2], atol=1e-12)
    assert torch.allclose(curve[8], torch.full((3,), 3.0).double())


def test_sinusoidal_rows_are_equally_long_and_slow_pairs_are_counted():
    assert torch.allclose(row_lengths(sinusoidal(torch.arange(9), 6, 100)), torch.full((9,), math.sqrt(3)).double())
    speeds = torch.tensor([1.0, 0.5, 0.1])  # over four steps: 4, 2 and 0.4 radians; a quarter is 1.57
    assert count_slow_pairs(speeds, 5) == 1
    assert count_slow_pairs(speeds, 2) == 3


def test_the_directions_of_a_table_forget_its_lengths():
    scheme, longest = directions_scheme(torch.tensor([[3.0, 4.0], [0.0, 9.0], [2.0, 0.0]]))
    assert longest == 1
    assert torch.allclose(scheme.all(3), torch.tensor([[0.6, 0.8], [0, 1], [1, 0]]).double())


def test_each_scheme_fails_where_the_notes_say():
    everything = dict.fromkeys(REQUIREMENTS, True)
    assert verdicts(counter()) == everything | {"bounded": False, "extends": False}
    assert verdicts(normalised_counter()) == everything | {"consistent": False}
    assert verdicts(sinusoidal_scheme(16, 10000)) == everything
    assert verdicts(rotary_scheme(16, 10000)) == everything
    assert verdicts(learned_scheme(TABLE)) == everything | {"consistent": False, "extends": False}


def test_the_numbers_behind_the_verdicts():
    measured = {each.requirement: each.measured for each in check(counter(), 9)}
    assert measured["unique"] == 1
    assert measured["bounded"] == pytest.approx(71 / 8)
    assert measured["extends"] == pytest.approx(17 / 8)
    halves = {each.requirement: each.measured for each in check(normalised_counter(), 9)}
    assert halves["unique"] == pytest.approx(1 / 8)


def test_a_repeated_position_is_not_unique():
    assert not verdicts(learned_scheme(TABLE[[0, 1, 2, 1]]))["unique"]


def test_steps_of_a_counter_are_all_as_long():
    assert step_distances(counter().all(6), 2).tolist() == [2, 2, 2, 2]


def test_a_table_ends():
    with pytest.raises(ConfigError, match="ends after 32"):
        learned_scheme(TABLE).all(33)


@pytest.mark.parametrize("make", [sinusoidal_scheme, rotary_scheme])
@pytest.mark.parametrize(("d", "base"), [(7, 100.0), (0, 100.0), (8, 1.0), (8, math.nan)])
def test_impossible_widths_and_bases_are_refused(make, d, base):
    with pytest.raises(ConfigError):
        make(d, base)


def test_too_short_a_length_is_refused():
    with pytest.raises(ConfigError, match="at least 4"):
        check(counter(), 3)


def encoder(**values):
    torch.manual_seed(0)
    config = TransformerConfig(
        **{"vocab_size": 40, "d_model": 16, "n_heads": 2, "d_ff": 32, "max_length": 32, "n_encoder_layers": 2} | values
    )
    return Transformer(config).eval()


@settings(max_examples=25)
@given(ids=st.lists(st.integers(0, 39), min_size=2, max_size=12), seed=st.integers(0, 99))
def test_without_positions_an_encoder_is_permutation_equivariant(ids, seed):
    order = shuffle_places(list(range(len(ids))), len(ids), seed)
    assert effect_of_order(encoder(), torch.tensor(ids), order, positions=False).changes.max() < 1e-5


@pytest.mark.parametrize(
    "values",
    [
        {"positions": "sinusoidal"},
        {"positions": "learned"},
        {"positions": "relative"},
        {"position_mix": "concat", "d_position": 4},
    ],
)
def test_positions_break_it(values):
    network, ids = encoder(**values), torch.tensor([3, 1, 4, 15, 9])
    if network.encoder.relative_bias is not None:  # it starts with zeros
        torch.nn.init.normal_(network.encoder.relative_bias.weight)
    order = torch.tensor([4, 2, 0, 1, 3])
    assert effect_of_order(network, ids, order).changes.min() > 0.01
    assert effect_of_order(network, ids, order, positions=False).changes.max() < 1e-5
    same = effect_of_order(network, ids, torch.arange(5))
    assert same.changes.max() == 0
    assert same.likeness == pytest.approx(1)
    assert effect_of_order(network, ids, order).likeness < 0.9999


def test_a_model_made_without_positions_agrees_with_one_whose_positions_are_taken_out():
    with_them, without = encoder(), encoder(positions="none")
    without.load_state_dict(with_them.state_dict())
    ids = torch.tensor([5, 6, 7])
    assert torch.allclose(encode_ids(with_them, ids, positions=False), encode_ids(without, ids))


def test_models_without_an_encoder_or_with_rotary_positions_are_refused():
    decoder = encoder(n_encoder_layers=0, n_decoder_layers=1)
    for network in (decoder, encoder(positions="rotary")):
        with pytest.raises(ConfigError):
            encode_ids(network, torch.tensor([1, 2]))


@settings(max_examples=40)
@given(length=st.integers(2, 30), seed=st.integers(0, 999), data=st.data())
def test_shuffling_moves_only_what_may_move(length, seed, data):
    movable = sorted(data.draw(st.sets(st.integers(0, length - 1), min_size=2)))
    order = shuffle_places(movable, length, seed).tolist()
    assert sorted(order) == list(range(length))
    assert all(order[t] == t for t in range(length) if t not in movable)
    assert order != list(range(length))


def test_one_word_cannot_be_shuffled():
    assert shuffle_places([1], 3, 0).tolist() == [0, 1, 2]


PAPER = TransformerConfig(vocab_size=100, d_model=16, n_heads=2, d_ff=32, max_length=20, n_decoder_layers=1)


def test_parameters_are_those_of_the_model():
    assert parameter_count(PAPER) == sum(weights.numel() for weights in Transformer(PAPER).parameters())


def test_what_concatenation_costs():
    added, beside, within = mixes(PAPER, 4)
    assert (added.token_width, added.position_width, added.d_model) == (16, 16, 16)
    assert (beside.token_width, beside.position_width, beside.d_model) == (16, 4, 20)
    assert (within.token_width, within.position_width, within.d_model) == (12, 4, 16)
    assert added.parameters == parameter_count(PAPER)
    # Narrowed, e is 4 numbers shorter for 100 tokens, and the output layer (16 x 100) is a matrix of its own.
    assert within.parameters == added.parameters - 4 * 100 + 16 * 100
    # Widened by 4: q, k, v read it and out writes it (16 wide heads), both layers of the feed-forward, two norms.
    wider = 4 * (3 * 16) + 4 * 16 + 4 + 4 * 32 + 32 * 4 + 4 + 2 * 2 * 4
    assert beside.parameters == added.parameters + wider + 20 * 100


@pytest.mark.parametrize("d_position", [3, 16, 0])
def test_impossible_position_widths_are_refused(d_position):
    with pytest.raises(ConfigError):
        mixes(PAPER, d_position)


def test_overlap_is_the_cosine():
    e, p = torch.tensor([[1.0, 0.0], [1.0, 1.0]]), torch.tensor([[0.0, 2.0], [-3.0, -3.0]])
    assert torch.allclose(overlap(e, p), torch.tensor([0.0, 1.0]))


def test_random_directions_overlap_by_chance() -> None:
    e, p = torch.randn(2, 4000, 64, generator=torch.Generator().manual_seed(0))
    assert float(overlap(e, p).mean()) == pytest.approx(chance_overlap(64), rel=0.05)


def test_embeddings_get_the_scale_of_the_paper_once() -> None:
    assert embedding_scale(encoder(embed_scale=True).config) == 1
    assert embedding_scale(encoder(embed_scale=False).config) == 16**0.5


def test_positions_of_an_odd_width_are_those_of_the_next_even_one_cut() -> None:
    torch.testing.assert_close(sinusoidal_rows(3, 5), sinusoidal_rows(3, 6)[:, :5])
    assert sinusoidal_rows(3, 5).shape == (3, 5)
