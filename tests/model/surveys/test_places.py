"""Places are numbers, and the few that are kept are those that sorting all of them would keep."""

from __future__ import annotations

import numpy as np

from model.surveys.places import NO_PLACE, Kept, draw_lots, pack, unpack


def test_a_place_is_a_number_and_back() -> None:
    packed = pack([0, 9_999, 3], [0, 1_000, 5], [0, 1_048_575, 4])
    assert [unpack(int(each)) for each in packed] == [(0, 0, 0), (9_999, 1_000, 1_048_575), (3, 5, 4)]
    assert (pack([1, 2], [900, 0], [900, 0]) == np.sort(pack([1, 2], [900, 0], [900, 0]))).all()


def test_lots_are_even_and_always_the_same() -> None:
    lots = draw_lots(np.arange(100_000))
    assert lots[0] == (0xE220A8397B1DCDAF >> 11) / 2**53  # the first number that SplitMix64 gives from the seed 0
    counts, _ = np.histogram(lots, bins=10, range=(0, 1))
    assert abs(counts - 10_000).max() < 500  # five standard deviations


def test_kept_are_the_smallest_of_each_group_whatever_comes_first() -> None:
    random = np.random.default_rng(0)
    groups = random.integers(0, 5, 400)
    ranks = random.integers(0, 30, 400).astype(float)  # many are equal
    places = random.permutation(400)
    for batches in (1, 7, 400):
        kept = Kept.none(6, 10)
        for part in np.array_split(random.permutation(400), batches):
            kept.offer(groups[part], ranks[part], places[part], ranks[part])
        for group in range(5):
            mine = np.flatnonzero(groups == group)
            order = mine[np.lexsort((places[mine], ranks[mine]))][:10]
            assert kept.places[group].tolist() == places[order].tolist()
            assert kept.ranks[group].tolist() == kept.weights[group].tolist() == ranks[order].tolist()
            assert kept.bounds[group] == ranks[order[-1]]
        assert kept.places[5].tolist() == [NO_PLACE] * 10


def test_a_group_with_few_keeps_them_all() -> None:
    kept = Kept.none(1, 3)
    kept.offer(np.array([0]), np.array([2.0]), np.array([7]), np.array([0.5], np.float32))
    kept.offer(np.array([], int), np.array([]), np.array([], int), np.array([], np.float32))
    assert kept.places.tolist() == [[7, NO_PLACE, NO_PLACE]]
    assert kept.bounds[0] == np.inf
