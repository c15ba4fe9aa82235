import pytest

from model.config import TransformerConfig
from model.cost.timing import Timing, fit, measure
from model.network.transformer import Transformer


def test_the_fit_finds_the_numbers_that_made_the_times() -> None:
    made = [Timing(t, 2e-3 + 3e-5 * t + 4e-7 * t * t, 0) for t in (8, 16, 32, 64, 128)]
    assert fit(made) == pytest.approx((2e-3, 3e-5, 4e-7), rel=1e-6)


def test_no_term_of_the_fit_is_negative() -> None:
    falling = [Timing(t, 1.0 - 0.001 * t, 0) for t in (1, 50, 100)]
    assert all(term >= 0 for term in fit(falling))


def test_two_lengths_fit_no_three_numbers() -> None:
    with pytest.raises(ValueError, match="at least three lengths"):
        fit([Timing(1, 1.0, 0), Timing(2, 2.0, 0)])


@pytest.mark.parametrize(("encoder", "decoder"), [(1, 0), (0, 1), (1, 1)])
def test_each_length_is_measured_once(encoder: int, decoder: int) -> None:
    config = TransformerConfig(
        vocab_size=5,
        d_model=8,
        n_heads=2,
        d_ff=8,
        max_length=16,
        n_encoder_layers=encoder,
        n_decoder_layers=decoder,
    )
    timings = list(measure(Transformer(config).eval(), [2, 9], repeats=1))
    assert [timing.tokens for timing in timings] == [2, 9]
    assert all(timing.seconds > 0 for timing in timings)
    matrices = encoder + decoder + (encoder and decoder)  # cross-attention has one more
    assert timings[1].kept_bytes == matrices * 2 * 9 * 9 * 4  # heads x queries x keys, float32
