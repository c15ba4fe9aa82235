"""The begin token of a decoder: put before a text or left out, in every run of the model."""

import json
from pathlib import Path

import pytest
import torch
import transformers

from model import Model, load
from model.edits.parts import ablate
from model.experiments.surgery import with_edits
from model.tokens.tokenizer import Tokenizer
from tests.conftest import loaded
from tests.model.tokens.kinds import KINDS
from tests.model.zoo import tiny, tiny_families
from tests.model.zoo.opened import read_tokenizer

TEXT = "The quick brown fox"


@pytest.fixture(scope="module")
def smollm2() -> Model:
    return loaded("smollm2-135m")


@pytest.mark.parametrize(
    "kind", ["byte-level with added tokens", "unigram with added tokens", "words with added tokens"]
)
def test_a_token_that_the_tokenizer_puts_there_can_be_left_out(kind: str) -> None:
    tokenizer = Tokenizer(KINDS[kind](), start=None, end=None, pad=None)
    tokenizer.offer_begin(None)
    assert (tokenizer.begin, tokenizer.begins) == (tokenizer.id_of("<s>"), True)
    usual, without = tokenizer.encode("the fox"), tokenizer.with_begin(False).encode("the fox")
    assert usual[0].text == "<s>"
    assert without == usual[1:]
    assert tokenizer.with_begin(False).with_begin(None).encode("the fox") == usual
    assert tokenizer.with_begin(False).encode("<s>the")[0].text == "<s>"  # of the text itself
    assert tokenizer.with_begin(True) is tokenizer


def test_a_token_that_the_files_name_can_be_put_there() -> None:
    tokenizer = Tokenizer(KINDS["byte-level"](), start=None, end=None, pad=None)
    tokenizer.offer_begin(7)
    assert not tokenizer.begins
    begun = tokenizer.with_begin(True)
    assert begun.encode("the")[0] == tokenizer.token(7)
    assert begun.encode("the")[1:] == tokenizer.encode("the")
    assert begun.encode("the", add_special=False) == tokenizer.encode("the")
    first, *others = begun.place("the fox")
    assert (first.word, first.span) == (None, (0, 0))
    assert tuple(others) == tokenizer.place("the fox")


def test_a_tokenizer_without_one_stays_as_it_is() -> None:
    tokenizer = Tokenizer(KINDS["words"](), start=None, end=None, pad=None)
    tokenizer.offer_begin(None)
    assert tokenizer.with_begin(True) is tokenizer


@pytest.mark.parametrize(("name", "can"), [("minilm-l6", False), ("en-ur", False), ("smollm2-135m", True)])
def test_only_a_decoder_has_one_to_choose(name: str, can: bool) -> None:
    model = loaded(name)
    begun = model.with_begin(True)
    assert (begun is model) is not can
    assert (begun.state != model.state) is can
    assert len(begun.tokens_of(TEXT)) == len(model.tokens_of(TEXT)) + can


@pytest.mark.slow
def test_every_run_of_the_model_reads_it(smollm2: Model) -> None:
    begun = smollm2.with_begin(True)
    named = begun.tokenizer.token(int(begun.tokenizer.begin or 0)).text
    by_hand = smollm2.trace(named + TEXT, keep=("logits", "decoder.0.self_attn.weights"))
    trace = begun.trace(TEXT, keep=("logits", "decoder.0.self_attn.weights"))
    assert trace.tokens == by_hand.tokens
    for tensor in trace.tensors:
        torch.testing.assert_close(trace[tensor], by_hand[tensor], rtol=0, atol=0)
    written = [step.chosen for step in begun.generate(TEXT, max_new_tokens=3)]
    assert written == [step.chosen for step in smollm2.generate(named + TEXT, max_new_tokens=3)]
    edited = with_edits(begun, [ablate("decoder.0.self_attn", 0)])
    assert edited.tokens_of(TEXT) == begun.tokens_of(TEXT)
    assert edited.state == begun.state
    assert begun.on_cpu is begun
    assert begun.with_begin(None).state == smollm2.state


@pytest.mark.parametrize("beside", [None, "<|endoftext|>", {"content": "<|endoftext|>"}])
def test_it_is_named_by_the_files(beside: object, tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    values = json.loads((tmp_path / "config.json").read_text())
    id = read_tokenizer(tmp_path).id_of("<|endoftext|>")
    values["bos_token_id"] = 50256 if beside else id
    (tmp_path / "config.json").write_text(json.dumps(values))
    if beside is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"bos_token": beside}))
    model = load(str(tmp_path))
    assert (model.tokenizer.begin, model.tokenizer.begins) == (id, False)
    ids = [token.id for token in model.with_begin(True).tokens_of("I am")]
    assert ids == [id, *(token.id for token in model.tokens_of("I am"))]
    reference = transformers.AutoModelForCausalLM.from_pretrained(tmp_path)
    with torch.inference_mode():
        expected = reference(torch.tensor([ids])).logits[0]
    torch.testing.assert_close(model.with_begin(True).trace("I am").logits, expected, rtol=1e-4, atol=1e-4)


def test_an_id_that_no_token_has_is_none(tmp_path: Path) -> None:
    tiny.llama(tmp_path, bos_token_id=22_000)
    assert load(str(tmp_path)).tokenizer.begin is None
