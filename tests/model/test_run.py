from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from model import Model, ablate, load, load_tokenizer
from model.errors import EditError, EmptyText, TextTooLong, UnknownModel
from model.generation.steps import generate
from model.network.transformer import Transformer
from tests.model.networks import SENTENCES, small_model

SENTENCE = "I am a robot"


@pytest.fixture(scope="module")
def translator() -> Model:
    return small_model("one vocabulary")


def test_weights_loaded_in_the_middle_of_a_run_are_ordinary() -> None:
    with torch.inference_mode():
        model = load("tiny-lm")
    assert not any(parameter.is_inference() for parameter in model.network.parameters())


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur-seq2seq", "smollm2", "minilm"])
def test_a_tokenizer_without_its_weights_is_the_models_own(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name) if name in ("smollm2", "minilm") else load(name)
    alone, text = load_tokenizer(model.card.name), "The cat — 42 — is خوش."
    assert alone.encode(text) == model.tokenizer.encode(text)
    assert (alone.start, alone.end, alone.pad) == (model.tokenizer.start, model.tokenizer.end, model.tokenizer.pad)


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\N{NO-BREAK SPACE}", "\x1f"])
def test_blank_text_is_an_error(smollm2: Model, text: str) -> None:
    with pytest.raises(EmptyText, match="Type a sentence"):
        smollm2.trace(text)


@pytest.mark.parametrize("text", ["\x00", "\N{ROBOT FACE}", "\N{ZERO WIDTH SPACE}"])
def test_text_without_a_token_is_an_error(minilm: Model, text: str) -> None:
    with pytest.raises(EmptyText, match="MiniLM L6 sees no token"):
        minilm.trace(text)


def test_too_long_a_text_is_an_error_with_both_counts(minilm: Model) -> None:
    with pytest.raises(TextTooLong, match="602 tokens; MiniLM L6 takes at most 512"):
        minilm.trace("dog " * 600)
    assert len(minilm.tokens_of("dog " * 510)) == 512


def test_a_target_that_is_too_long_is_an_error(translator: Model) -> None:
    with pytest.raises(TextTooLong, match="33 tokens; The small model takes at most 32"):
        translator.trace(SENTENCE, target="dog " * 32)


def test_an_unknown_model_is_an_error_with_the_names() -> None:
    with pytest.raises(UnknownModel, match=r"no model called 'gpt-9'.*smollm2-135m, minilm-l6"):
        load("gpt-9")


def test_a_trace_has_no_batch_axis(smollm2: Model, minilm: Model) -> None:
    trace = smollm2.trace(SENTENCE, keep=["decoder.3.self_attn.weights", "logits"])
    assert [token.text for token in trace.tokens] == ["I", " am", " a", " robot"]
    assert set(trace.tensors) == {"decoder.3.self_attn.weights", "logits"}
    assert trace["decoder.3.self_attn.weights"].shape == (9, 4, 4)
    assert trace.logits.shape == (4, 49152)
    assert minilm.trace(SENTENCE)["encoder.5.ffn_norm"].shape == (6, 384)
    assert trace.source_tokens == ()


@pytest.mark.slow
def test_what_the_real_model_predicts(smollm2: Model) -> None:
    for text, word, probability in (
        ("The capital of France is", " Paris", 0.77),
        ("The quick brown fox jumps over the lazy", " dog", 0.89),
    ):
        expected = smollm2.trace(text, keep="logits").logits[-1].softmax(-1)
        assert smollm2.tokenizer.token(int(expected.argmax())).text == word
        assert expected.max().item() == pytest.approx(probability, abs=0.01)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_invariants_of_real_attention(smollm2: Model, minilm: Model, sentence: str) -> None:
    for model in (smollm2, minilm):
        trace = model.trace(sentence, keep="*.weights")
        assert len(trace.tensors) == model.config.n_layers(model.config.stacks[0])
        for weights in trace.tensors.values():
            torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
            if model is smollm2:
                assert weights.triu(1).abs().max() == 0


@pytest.mark.slow
def test_a_later_word_leaves_earlier_rows_alone(smollm2: Model) -> None:
    """Bit for bit, as both sentences have as many tokens."""
    one, other = (smollm2.trace(f"The weather is {word}") for word in ("cool", "warm"))
    assert len(one.tokens) == len(other.tokens) == 4
    for name in ("decoder.0.resid_out", "decoder.29.resid_out", "logits"):
        assert one[name][:3].equal(other[name][:3])
        assert not one[name][3].equal(other[name][3])
    assert one["decoder.29.self_attn.weights"][:, :3].equal(other["decoder.29.self_attn.weights"][:, :3])


@pytest.mark.slow
def test_an_ablated_head_changes_what_follows_and_nothing_before(smollm2: Model) -> None:
    plain = smollm2.trace(SENTENCE)
    ablated = smollm2.trace(SENTENCE, edits=[ablate("decoder.9.self_attn", head=2)])
    assert ablated["decoder.9.self_attn.heads"][2].abs().max() == 0
    assert ablated["decoder.9.self_attn.weights"].equal(plain["decoder.9.self_attn.weights"])
    assert ablated["decoder.8.resid_out"].equal(plain["decoder.8.resid_out"])
    assert not ablated["decoder.9.resid_mid"].equal(plain["decoder.9.resid_mid"])
    assert not ablated.logits.equal(plain.logits)
    assert smollm2.trace(SENTENCE, keep="logits").logits.allclose(plain.logits, atol=1e-3)


def test_an_edit_that_names_no_tensor_is_an_error(smollm2: Model) -> None:
    with pytest.raises(EditError, match=r"decoder\.30\.self_attn\.heads"):
        smollm2.trace(SENTENCE, keep=(), edits=[ablate("decoder.30.self_attn", head=0)])


def test_teacher_forcing(translator: Model) -> None:
    trace = translator.trace(SENTENCE, target="it is cool")
    assert [token.text for token in trace.source_tokens] == ["I", "am", "a", "robot"]
    assert [token.text for token in trace.tokens] == ["<SOS>", "it", "is", "cool"]
    assert trace["decoder.2.cross_attn.weights"].shape == (4, 4, 4)
    assert trace["encoder.embed.tokens"].shape == (4, 16)
    assert trace.logits.shape == (4, 23)


def test_without_a_target_the_models_own_translation_is_read(translator: Model) -> None:
    trace = translator.trace(SENTENCE, keep="logits")
    chosen = trace.logits.argmax(
        -1
    ).tolist()  # the same run teacher-forced: each token is the best after the ones before
    written = [token.id for token in trace.tokens]
    assert written[0] == translator.tokenizer.start
    assert written[1:] == chosen[:-1]
    assert len(written) == translator.config.max_length or chosen[-1] == translator.tokenizer.end
    source = torch.tensor([token.id for token in trace.source_tokens])
    steps = generate(translator.network, torch.tensor([written[0]]), 31, ends=translator.tokenizer.ends, source=source)
    assert [step.chosen for step in steps][: len(written) - 1] == written[1:]


def test_an_empty_translation_is_a_translation(translator: Model) -> None:
    assert [token.text for token in translator.trace(SENTENCE, target="", keep="logits").tokens] == ["<SOS>"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_eight_threads_on_one_model_each_get_their_own_result(name: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(name)
    sentences = SENTENCES[:8] if name == "minilm" else ("I am", "a dog is cool", "what time is it") * 3
    alone = [model.trace(sentence) for sentence in sentences]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(model.trace, sentences * 2))
    for expected, trace in zip(alone * 2, together, strict=True):
        assert trace.tokens == expected.tokens
        assert list(trace.tensors) == list(expected.tensors)
        for path, tensor in trace.tensors.items():
            torch.testing.assert_close(tensor, expected[path], atol=1e-5, rtol=1e-5)


def test_threads_with_edits_do_not_touch_the_others(minilm: Model) -> None:
    plain = minilm.trace(SENTENCE, keep="encoder.5.ffn_norm")["encoder.5.ffn_norm"]

    def run(head: int | None) -> torch.Tensor:
        edits = [] if head is None else [ablate("encoder.2.self_attn", head)]
        return minilm.trace(SENTENCE, keep="encoder.5.ffn_norm", edits=edits)["encoder.5.ffn_norm"]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(run, [None, 0, None, 1, None, 2, None, 3]))
    for result in results[::2]:
        torch.testing.assert_close(result, plain, atol=1e-5, rtol=1e-5)
    assert not any(result.allclose(plain, atol=1e-3) for result in results[1::2])


def test_a_run_ends_with_the_last_tensor_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    model, read_out, calls = small_model("Llama"), Transformer.read_out, list[str]()

    def count(network: Transformer, *reads: Any) -> torch.Tensor:
        calls.append("read out")
        return read_out(network, *reads)

    monkeypatch.setattr(Transformer, "read_out", count)
    kept = model.trace("robot", keep=("*.weights", "embed.out"))
    assert model.trace("robot", keep=()).tensors == {}
    assert calls == []
    whole = model.trace("robot")
    assert calls == ["read out"]
    assert [name for name, tensor in kept.tensors.items() if not tensor.allclose(whole[name])] == []
    model.trace("robot", keep="embed.out", edits=[ablate("decoder.1.self_attn", 0)])
    assert calls == ["read out"]
    with pytest.raises(EditError, match=r"called decoder\.9\.self_attn\.heads"):
        model.trace("robot", keep="embed.out", edits=[ablate("decoder.9.self_attn", 0)])
