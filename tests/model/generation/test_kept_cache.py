from __future__ import annotations

import copy
import gc
from typing import Any, cast
from weakref import ref

import pytest
import torch
from torch import Tensor

from model import Conversation, KeptCache, Model, Turn, ablate
from model.experiments.surgery import edit_model
from model.generation import half_width
from model.generation.sampling import Sampling
from model.generation.steps import generate
from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import make_recurrent
from tests.model.networks import VARIANTS, ids, inputs, small_model, variant

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind == "decoder"]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tokens each call of a decoder has computed."""
    counts: list[int] = []
    decode = Transformer.decode

    def count(network: Transformer, new: Tensor, *given: object, **named: object) -> Tensor:
        counts.append(new.shape[-1])
        return decode(network, new, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Transformer, "decode", count)
    return counts


@pytest.mark.parametrize("name", DECODERS)
def test_the_next_turn_has_the_logits_of_a_run_from_the_start(name: str, counted: list[int]) -> None:
    made, kept, start = variant(name), KeptCache(), ids(3)
    first = list(generate(made, start, 4, Sampling(1.0), seed=2, kept=kept))
    answer = torch.tensor([step.chosen for step in first])
    text = torch.cat((start, answer, ids(5, seed=7)))  # the last token that was chosen has not been read yet
    counted.clear()
    steps = list(generate(made, text, 4, Sampling(1.0), seed=3, kept=kept))
    new = [len(text) - 3 - 3, 1, 1, 1] if made.can_cache else [12, 13, 14, 15]
    assert counted == [step.new for step in steps] == new
    for step, plain in zip(steps, generate(made, text, 4, Sampling(1.0), seed=3), strict=True):
        assert step.chosen == plain.chosen
        torch.testing.assert_close(step.logits, plain.logits, atol=1e-4, rtol=1e-4)


def test_only_the_same_beginning_is_shared() -> None:
    made, kept, start = variant("Llama"), KeptCache(), ids(8)
    list(generate(made, start, 1, kept=kept))
    assert kept.ids == tuple(start.tolist())
    other = start.clone()
    other[3] = (other[3] + 1) % made.config.vocab_size
    step = next(generate(made, other, 1, kept=kept))
    assert (step.length, step.new) == (8, 5)
    torch.testing.assert_close(step.logits, made(other)[-1], atol=1e-4, rtol=1e-4)
    assert next(generate(made, other[:4], 1, kept=kept)).new == 1, "the last token is read for its logits"


def test_other_networks_find_nothing_and_some_leave_nothing() -> None:
    kept = KeptCache()
    list(generate(variant("Llama"), ids(4), 2, kept=kept))
    assert next(generate(variant("GPT-2"), ids(4), 1, kept=kept)).new == 4
    before = kept.ids
    edited = edit_model(small_model("Llama"), edits=[ablate("decoder.0.self_attn", 1)]).network
    assert [next(generate(edited, ids(4), 1, kept=kept)).new for _ in range(2)] == [4, 4]
    written, source = inputs(variant("paper"), 3)
    list(generate(variant("paper"), written, 2, source=source, kept=kept))
    config = RecurrentConfig("decoder", "gru", vocab_size=20, d_embed=6, width=4, max_length=16)
    list(generate(cast(Any, make_recurrent(config)), ids(3), 2, kept=kept))
    assert kept.ids == before, "they leave nothing: an edit, a source or a state belongs to the whole text"


def test_a_generation_that_stops_or_fails_leaves_what_it_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    made, kept = variant("Llama"), KeptCache()
    steps = generate(made, ids(4), 9, kept=kept)
    next(steps), next(steps)
    assert kept.ids == (), "the generation has it, so that no other one writes into it"
    steps.close()
    assert len(kept.ids) == 5
    extend = KVCache.extend

    def fail_in_second_layer(cache: KVCache, path: str, *new: Tensor) -> tuple[Tensor, Tensor]:
        return extend(cache, path, *new) if path.startswith("0.") else 1 / 0

    monkeypatch.setattr(KVCache, "extend", fail_in_second_layer)
    with pytest.raises(ZeroDivisionError):
        next(generate(made, torch.tensor([*kept.ids, 1, 2]), 1, kept=kept))
    monkeypatch.undo()
    text = torch.tensor([*kept.ids, 3])
    torch.testing.assert_close(next(generate(made, text, 1, kept=kept)).logits, made(text)[-1], atol=1e-4, rtol=1e-4)


def test_what_was_rounded_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_width, "GAINS", True)
    monkeypatch.setattr(half_width, "is_measured", lambda config: True)
    monkeypatch.setattr(half_width, "CERTAIN_LEAD", -1.0)
    made, kept = variant("Llama"), KeptCache()
    assert len(list(generate(made, ids(4), 4, kept=kept))) == 4
    assert kept.ids == tuple(ids(4).tolist()), "the steps after the first were of half width"


def test_it_holds_one_text_and_gives_it_back() -> None:
    made, kept = variant("Llama"), KeptCache()
    list(generate(made, ids(6), 1, kept=kept))
    layers, keys_and_values, kv_heads, d_head, float32 = 2, 2, 2, 4, 4
    of_a_token = layers * keys_and_values * kv_heads * d_head * float32
    assert kept.nbytes == 6 * of_a_token
    kept.shorten((*ids(6)[:2].tolist(), -1))
    assert kept.nbytes == 2 * of_a_token
    kept.clear()
    assert (kept.nbytes, kept.ids) == (0, ())


def test_what_is_cleared_while_a_text_is_written_is_read_again() -> None:
    made, kept = variant("Llama"), KeptCache()
    steps = generate(made, ids(6), 3, kept=kept)
    next(steps)
    kept.clear()
    chosen = [step.chosen for step in steps]
    again = list(generate(made, ids(6), 3, kept=kept))
    assert again[0].new == 6
    assert [step.chosen for step in again[1:]] == chosen


def test_it_keeps_no_network_alive() -> None:
    made, kept = copy.deepcopy(variant("Llama")), KeptCache()
    list(generate(made, ids(3), 1, kept=kept))
    alive = ref(made)
    del made
    gc.collect()
    assert alive() is None


def test_weights_that_have_changed_read_all_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model, kept = small_model("Llama"), KeptCache()

    def read() -> int:
        return next(model.generate("I am a robot", kept=kept)).new

    assert [read(), read()] == [4, 1]
    monkeypatch.setattr(Model, "version", 1)  # as of a model in memory that has learnt
    assert [read(), read()] == [4, 1]


@pytest.mark.slow
def test_the_next_turn_of_smollm2(smollm2: Model, counted: list[int]) -> None:
    """Its own template writes both turns. Only what the second one adds is computed, with the same logits."""
    kept, talk = KeptCache(), Conversation("system: Be brief.\nuser: What is the capital of France?")
    answer = [step.token for step in smollm2.generate(talk, max_new_tokens=12, kept=kept)]
    said = Turn("assistant", "".join(token.text for token in answer if token is not None and not token.special))
    talk = talk.and_then(said, Turn("user", "And of Italy?"))
    counted.clear()
    step = next(smollm2.generate(talk, max_new_tokens=1, kept=kept))
    assert counted == [step.new]
    assert step.new < 30 < step.length
    plain = smollm2.trace(talk, keep="logits").logits[-1]
    torch.testing.assert_close(step.logits, plain, atol=1e-4, rtol=1e-4)
