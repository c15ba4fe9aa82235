from __future__ import annotations

import math

import pytest
import torch

from model import Model, ablate
from model.errors import EmptyText, ModelMismatch, SamplingError, TextTooLong
from model.experiments.surgery import edit_model
from model.generation import half_width
from model.generation.half_width import halve
from model.generation.sampling import Sampling
from model.generation.steps import generate
from model.network.kv_cache import KVCache
from model.tape import SILENT
from tests.model.networks import VARIANTS, ids, inputs, small_model, variant
from tests.model.reference import llama_reference

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]
PROMPTS = (
    "The capital of France is",
    "The quick brown fox jumps over the lazy dog because",
    "Once upon a time there was a robot who",
    "To make a cup of tea, first",
    "In 1969, the first people",
    "The Transformer model is",
    "def add(a, b):",
    "My favourite book is about",
    "Water boils at",
    "I walked across the road to get cash from the bank, and then",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(1.5, 9, 0.9)], ids=["greedy", "sampled"])
def test_with_and_without_the_cache_the_tokens_are_the_same(name: str, sampling: Sampling) -> None:
    made = variant(name)
    start, source = inputs(made, 3)
    runs = [list(generate(made, start, 12, sampling, source=source, seed=5, cache=cache)) for cache in (True, False)]
    assert [step.chosen for step in runs[0]] == [step.chosen for step in runs[1]]
    for cached, plain in zip(*runs, strict=True):
        torch.testing.assert_close(cached.logits, plain.logits, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", DECODERS)
def test_a_step_holds_the_logits_of_a_whole_run(name: str) -> None:
    made = variant(name)
    start, source = inputs(made, 3)
    steps = list(generate(made, start, 6, source=source))
    written = torch.cat((start, torch.tensor([step.chosen for step in steps])))
    whole = made(written, source)  # (tokens, V)
    for step in steps:
        assert step.length == 3 + step.index
        torch.testing.assert_close(step.logits, whole[step.length - 1], atol=1e-4, rtol=1e-4)
        assert step.rank == 1
        assert step.probability == pytest.approx(float(step.logits.softmax(-1).max()))


def test_a_seed_fixes_the_draws() -> None:
    made, hot = variant("Llama"), Sampling(2.0)
    runs = [[step.chosen for step in generate(made, ids(3), 20, hot, seed=seed)] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_rank_and_stages_of_a_sampled_token() -> None:
    for step in generate(variant("Llama"), ids(3), 20, Sampling(3.0, top_k=4), seed=3):
        order = step.logits.sort(descending=True).indices.tolist()
        assert order[step.rank - 1] == step.chosen
        assert step.rank <= 4
        assert step.stages.top_p[step.chosen] > 0


def test_reasons_to_stop() -> None:
    made = variant("Llama")
    steps = list(generate(made, ids(3), 5))
    assert [step.stop for step in steps] == ["", "", "", "", "limit"]
    assert [step.stop for step in generate(made, ids(3), 5, ends=[steps[2].chosen])][-1] == "end"
    full = list(generate(made, ids(30), 9))
    assert [step.stop for step in full] == ["", "", "full"], "30, 31 and 32 tokens are read; the model takes 32"
    assert list(generate(made, ids(3), 0)) == []


def test_the_reader_can_stop_at_any_step() -> None:
    steps = generate(variant("Llama"), ids(3), 1000)
    next(steps)
    steps.close()
    assert list(steps) == []


def test_what_was_asked_for_is_recorded() -> None:
    made = variant("paper")
    start, source = inputs(made, 1)
    steps = list(generate(made, start, 4, source=source, keep="*.weights"))
    for step in steps:
        assert step.tensors["decoder.2.self_attn.weights"].shape == (4, 1, step.length)
        assert step.tensors["decoder.0.cross_attn.weights"].shape == (4, 1, 5)
    whole = list(generate(made, start, 4, source=source, keep="*.weights", cache=False))
    row = whole[-1].tensors["decoder.2.self_attn.weights"][:, -1:]
    torch.testing.assert_close(steps[-1].tensors["decoder.2.self_attn.weights"], row, atol=1e-5, rtol=1e-4)


def test_a_limit_below_zero_is_an_error() -> None:
    with pytest.raises(SamplingError, match="limit is -1"):
        list(generate(variant("Llama"), ids(3), -1))


def test_generations_side_by_side_do_not_touch_each_other() -> None:
    made = variant("Llama")
    alone = [[step.chosen for step in generate(made, ids(3, seed), 8)] for seed in (1, 2)]
    first, second = (generate(made, ids(3, seed), 8) for seed in (1, 2))
    together = [(a.chosen, b.chosen) for a, b in zip(first, second, strict=True)]
    assert [list(run) for run in zip(*together, strict=True)] == alone


def test_a_model_generates_tokens_with_their_trace() -> None:
    model = small_model("one vocabulary")
    steps = list(model.generate("I am a robot", max_new_tokens=3, keep="*.cross_attn.weights"))
    assert all(step.token == model.tokenizer.token(step.chosen) for step in steps)
    last = steps[-1].trace
    assert last is not None
    assert [token.text for token in last.source_tokens] == ["I", "am", "a", "robot"]
    assert [token.id for token in last.tokens] == [model.tokenizer.start, *(step.chosen for step in steps[:-1])]


def test_what_is_written_already_leads_to_another_branch() -> None:
    model = small_model("one vocabulary")
    whole = [step.chosen for step in model.generate("I am a robot", max_new_tokens=6)]
    rest = [step.chosen for step in model.generate("I am a robot", max_new_tokens=4, written=whole[:2])]
    assert rest == whole[2:]


def test_mistakes_are_named_before_the_first_step() -> None:
    model = small_model("Llama")
    with pytest.raises(EmptyText):
        model.generate(" ")
    with pytest.raises(TextTooLong, match="40 tokens"):
        model.generate("dog " * 40)
    with pytest.raises(SamplingError, match="Top-p"):
        model.generate("dog", top_p=2)
    with pytest.raises(ModelMismatch, match="is an encoder"):
        small_model("BERT").generate("dog")


@pytest.fixture
def gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-width weights are used on every processor."""
    monkeypatch.setattr(half_width, "GAINS", True)


@pytest.mark.usefixtures("gains")
def test_models_that_were_not_measured_keep_their_full_width() -> None:
    assert halve(variant("Llama")) is None


@pytest.mark.slow
def test_where_half_width_weights_gain_nothing_there_are_none(smollm2: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_width, "GAINS", False)
    assert halve(smollm2.network) is None


@pytest.mark.slow
@pytest.mark.usefixtures("gains")
def test_greedy_tokens_are_those_of_transformers(smollm2: Model) -> None:
    """20 and 32 tokens behind two prompts and six behind each of nine, though steps multiply with half-width weights.

    Each written token is the reference's likeliest behind those before it, so greedy search there writes the same.
    """
    reference = llama_reference(smollm2)
    assert halve(smollm2.network) is not None
    close = "The moon"  # two tokens are nearly as likely there, behind several steps of half width
    for prompt, count in ((close, 20), (PROMPTS[0], 32), *((prompt, 6) for prompt in PROMPTS[1:])):
        read = [token.id for token in smollm2.tokens_of(prompt)]
        ours = [step.chosen for step in smollm2.generate(prompt, max_new_tokens=count)]
        with torch.inference_mode():
            likeliest = reference(torch.tensor([[*read, *ours]])).logits[0].argmax(-1).tolist()
        assert ours == likeliest[len(read) - 1 : -1], prompt


@pytest.mark.usefixtures("gains")
@pytest.mark.parametrize(("lead", "in_a_row"), [(math.inf, 0), (-1.0, 2)])
def test_what_half_width_steps_leave_in_the_cache_is_read_again(
    lead: float, in_a_row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the step of an uncertain winner, and after as many steps as may follow one another."""
    monkeypatch.setattr(half_width, "is_measured", lambda config: True)
    monkeypatch.setattr(half_width, "CERTAIN_LEAD", lead)
    monkeypatch.setattr(half_width, "MOST_STEPS", 2)
    made, start, written = variant("Llama"), ids(4), ids(7, seed=1)
    narrow = halve(made)
    assert narrow is not None
    steps, cache, exact = half_width.HalfWidthSteps(made, narrow), KVCache(), KVCache()
    for each in (cache, exact):
        made.decode(start, cache=each)
    for number, new in enumerate(written[:, None]):
        logits = steps.next_logits(new, None, SILENT, cache)
        expected = made.logits(made.decode(new, cache=exact)[-1])
        assert cache.length == exact.length
        if number % (in_a_row + 1) == in_a_row:
            torch.testing.assert_close(logits, expected, atol=1e-5, rtol=1e-5)
            for path in cache._stored:
                torch.testing.assert_close(cache._stored[path], exact._stored[path], atol=1e-5, rtol=1e-5)
        else:
            assert not logits.equal(expected)


@pytest.mark.slow
@pytest.mark.usefixtures("gains")
def test_half_width_logits_are_close_and_their_network_shares_what_is_not_a_matrix(smollm2: Model) -> None:
    narrow = halve(smollm2.network)
    assert narrow is halve(smollm2.network)
    assert narrow is not None
    assert narrow.decoder.embed.tokens.weight is smollm2.network.decoder.embed.tokens.weight  # type: ignore[union-attr]
    fast = list(smollm2.generate(PROMPTS[0], max_new_tokens=4))
    exact = list(smollm2.generate(PROMPTS[0], max_new_tokens=4, keep="logits"))
    for a, b in zip(fast, exact, strict=True):
        top = b.logits.topk(10).indices
        torch.testing.assert_close(a.logits[top], b.logits[top], atol=0.06, rtol=0)


@pytest.mark.slow
@pytest.mark.usefixtures("gains")
def test_edited_networks_share_the_half_width_weights(smollm2: Model) -> None:
    edited = edit_model(smollm2, edits=[ablate("decoder.3.self_attn", 1)])
    whole, narrow = halve(smollm2.network), halve(edited.network)
    assert whole is not None
    assert narrow is not None
    matrices = [name for name, buffer in narrow.named_buffers() if buffer.dtype == torch.float16]
    assert len(matrices) == 7 * 30 + 1
    assert all(narrow.get_buffer(name) is whole.get_buffer(name) for name in matrices)
