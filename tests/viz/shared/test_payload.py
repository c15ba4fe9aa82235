"""Bytes for components: the packed numbers come out again, within half a step."""

from __future__ import annotations

import math
import re
import zlib

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from viz.shared.payload import codes, pack, pool, printed_codes, signed_codes, unpack

weights = arrays(np.float32, array_shapes(min_dims=2, max_dims=4, max_side=9), elements=st.floats(0, 1, width=32))


@given(weights, st.text())
def test_header_and_arrays_survive(matrix: np.ndarray, text: str) -> None:
    header, unpacked = unpack(pack({"title": text}, weights=codes(matrix), more=codes(matrix, 15)))
    assert header == {"title": text}
    assert unpacked["weights"].shape == matrix.shape
    assert np.abs(unpacked["weights"] / 255 - matrix).max() <= 0.5 / 255 + 1e-6
    assert (unpacked["more"] == codes(matrix, 15)).all()


@given(weights)
def test_floats_arrive_as_they_are(matrix: np.ndarray) -> None:
    _, unpacked = unpack(pack({}, first=codes(matrix), exact=matrix, last=codes(matrix)))
    assert unpacked["exact"].dtype == np.float32
    assert (unpacked["exact"] == matrix).all()
    assert (unpacked["last"] == codes(matrix)).all()


def test_other_types_are_not_packed() -> None:
    with pytest.raises(KeyError, match="float64"):
        pack({}, matrix=np.eye(2))


@given(weights, st.integers(0, 99))
def test_printed_codes_keep_two_decimals_and_the_side_of_every_bound(matrix: np.ndarray, hundredths: int) -> None:
    assume(not np.isin(matrix, [0.125, 0.375, 0.625, 0.875]).any())  # ties: Python rounds these alone to even
    read = middles(printed_codes(matrix))
    assert [f"{value:.2f}" for value in read.flat] == [f"{value:.2f}" for value in matrix.flat]
    bound = hundredths / 100
    assert ((read >= bound) == (matrix.astype(float) >= bound)).all()
    assert np.abs(read - matrix).max() <= 0.5 / 200 + 1e-6


def middles(printed: np.ndarray) -> np.ndarray:
    """The weights that `weightOfCode` of payload.js reads."""
    return np.where(printed > 0, (printed - 0.5) / 200, 0)


@given(weights)
def test_root_codes_are_finer_for_small_weights(matrix: np.ndarray) -> None:
    back = (codes(matrix, 255, root=True) / 255) ** 2
    step = 2 * np.sqrt(matrix) * 0.5 / 255 + (0.5 / 255) ** 2
    assert (np.abs(back - matrix) <= step + 1e-6).all()


def test_impossible_weights_become_possible_ones() -> None:
    assert codes(np.array([-1.0, 2.0, np.nan])).tolist() == [0, 255, 0]


@given(arrays(np.float32, (3, 7), elements=st.floats(-1e6, 1e6, width=32)))
def test_signed_codes_keep_the_sign_and_centre_on_127(values: np.ndarray) -> None:
    coded = signed_codes(values).astype(int) - 127
    assert (np.sign(coded) * np.sign(values) >= 0).all()
    assert (coded[values == 0] == 0).all()
    assert np.abs(coded).max() <= 127


def test_signed_codes_reach_both_ends_and_are_not_paled_by_one_huge_value() -> None:
    assert signed_codes(np.array([[-1.0, 0.0, 1.0]])).tolist() == [[0, 127, 254]]
    values = np.ones((10, 100), np.float32)
    values[0, 0] = 1e4
    assert signed_codes(values)[5, 5] == 254
    values[1:] = 0
    values[0, 1:] = 0
    assert signed_codes(values)[0, 0] == 254


@given(weights, st.integers(1, 6))
def test_pooling_keeps_the_largest_of_each_block(matrix: np.ndarray, side: int) -> None:
    small = pool(matrix, side)
    assert small.shape[:-2] == matrix.shape[:-2]
    assert max(small.shape[-2:]) <= max(side, 1)
    assert small.max() == matrix.max()
    for i, j in np.ndindex(small.shape[-2:]):
        block = matrix[..., _block(matrix.shape[-2], small.shape[-2], i), _block(matrix.shape[-1], small.shape[-1], j)]
        assert (small[..., i, j] == block.max((-2, -1))).all()


def _block(size: int, blocks: int, number: int) -> slice:
    """The lines of one of so many blocks, by the definition."""
    return slice(number * size // blocks, (number + 1) * size // blocks)


def test_pooling_by_hand() -> None:
    matrix = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]])
    assert pool(matrix, 2).tolist() == [[6, 8], [14, 16]]
    assert pool(matrix, 4) is matrix


def test_a_thin_diagonal_stays_visible() -> None:
    assert (np.diag(pool(np.eye(256), 24)) == 1).all()


def test_bytes_are_few_where_attention_is_sparse() -> None:
    dense = np.full((9, 64, 64), 1 / 64)
    sparse = np.broadcast_to(np.eye(64), (9, 64, 64))
    assert len(pack({}, weights=codes(sparse))) < 9 * 64 * 64 / 20
    assert len(pack({}, weights=codes(dense))) < 9 * 64 * 64 / 20


def test_damaged_bytes_are_not_taken() -> None:
    data = pack({}, weights=codes(np.eye(4)))
    with pytest.raises(zlib.error):
        unpack(data[:-3])


@pytest.mark.filterwarnings("error")  # NumPy warns where it makes a code of what is no number
def test_what_is_no_finite_number_travels_as_strict_json_and_comes_out_the_same() -> None:
    """A browser refuses a header with NaN, and the whole component stays empty."""
    header = {"words": [["a", math.nan], ("b", -math.inf)], "least": {"x": math.inf}, "none": None, "one": 1.5}
    data = pack(header, codes=signed_codes(np.array([math.nan, -math.inf, 0.0, 2.0, math.inf])))
    raw = zlib.decompress(data)
    text = raw[4 : 4 + int.from_bytes(raw[:4], "little")].decode()
    assert not re.search("NaN|Infinity", text.partition('"notFinite"')[0])
    found, arrays = unpack(data)
    assert str(found) == str({**header, "words": [["a", math.nan], ["b", -math.inf]]})
    assert arrays["codes"].tolist() == [127, 0, 127, 254, 254]
