import pytest

from model.config import TransformerConfig
from model.cost.timing import measure
from model.network.transformer import Transformer


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
