from __future__ import annotations

import pytest
import torch

from model.network.kv_cache import KVCache, RecordedCache
from tests.model.networks import VARIANTS, inputs, variant

pytestmark = pytest.mark.usefixtures("inference")

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("pieces", [(1,) * 7, (3, 1, 1, 2), (7,)], ids=str)
def test_piece_by_piece_is_all_at_once(name: str, pieces: tuple[int, ...]) -> None:
    made = variant(name)
    written, source = inputs(made)
    memory = None if source is None else made.encode(source)
    cache, rows = KVCache(), []
    for piece in written.split(pieces):
        rows.append(made.decode(piece, memory, cache=cache))
    assert cache.length == 7
    torch.testing.assert_close(torch.cat(rows), made.decode(written, memory), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", ["Llama", "paper"])
def test_in_a_batch(name: str) -> None:
    made = variant(name)
    written, source = inputs(made)
    memory = None if source is None else made.encode(torch.stack([source, source.flip(0)]))
    batch, cache = torch.stack([written, written.flip(0)]), KVCache()
    rows = [made.decode(batch[:, t : t + 1], memory, cache=cache) for t in range(7)]
    torch.testing.assert_close(torch.cat(rows, dim=1), made.decode(batch, memory), atol=1e-5, rtol=1e-5)


def test_a_batch_goes_on_behind_recorded_keys_and_leaves_nothing_there() -> None:
    made = variant("Llama")
    written, _ = inputs(made)
    whole, cache = made.decode(written), KVCache()
    made.decode(written[:3], cache=cache)
    recorded = RecordedCache(3)
    for layer in range(made.config.n_decoder_layers):
        recorded.keep(f"{layer}.self_attn", *cache.fixed(f"{layer}.self_attn"))
    for _ in range(2):
        rows = made.decode(written[3:].expand(2, -1), cache=recorded)  # (2, 4, d_model)
        torch.testing.assert_close(rows, whole[3:].expand(2, -1, -1), atol=1e-5, rtol=1e-5)
    assert (recorded.length, recorded.nbytes) == (3, cache.nbytes)


def test_tokens_can_be_forgotten_and_read_again() -> None:
    made = variant("paper")
    written, source = inputs(made)
    memory, cache = made.encode(source), KVCache()
    made.decode(written[:5], memory, cache=cache)
    cache.forget(2)
    assert cache.length == 3
    again = made.decode(written[3:], memory, cache=cache)
    torch.testing.assert_close(again, made.decode(written, memory)[3:], atol=1e-5, rtol=1e-5)


def test_holds_the_key_heads_only() -> None:
    made, cache = variant("Llama"), KVCache()
    made.decode(inputs(made)[0], cache=cache)
    layers, keys_and_values, kv_heads, tokens, d_head, float32 = 2, 2, 2, 7, 4, 4
    assert cache.nbytes == layers * keys_and_values * kv_heads * tokens * d_head * float32


def test_two_generations_share_nothing() -> None:
    made, first, second = variant("Llama"), KVCache(), KVCache()
    written, _ = inputs(made)
    made.decode(written[:4], cache=first)
    alone = made.decode(written, cache=second)
    assert first.length == 4
    torch.testing.assert_close(alone, made.decode(written), atol=1e-5, rtol=1e-5)
