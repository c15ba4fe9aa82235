"""Tables of words as files have them: which of them is read where is as in `transformers`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM

from model.adopted import adopt, release
from model.errors import DamagedWeights
from model.loading import read_checkpoint
from model.run import Model
from tests.model.zoo import tiny_families, tiny_t5

CLOSE = {"atol": 1e-4, "rtol": 1e-4}
TEXT, WRITTEN = "I am a robot", "I am a cat"


def change_tensors(folder: Path, without: tuple[str, ...] = (), **copies: str) -> None:
    """Takes tensors out of the file, and puts others into it: random ones of the shape of the one that is named."""
    path, random = folder / "model.safetensors", torch.Generator().manual_seed(3)
    stored = load_file(path)
    added = {name: torch.randn(stored[like].shape, generator=random) * 0.3 for name, like in copies.items()}
    kept = {name: tensor for name, tensor in stored.items() if name not in without}
    save_file(kept | added, path, metadata={"format": "pt"})


@torch.inference_mode()
def assert_same(model: Model, theirs: Any) -> None:
    """The logits of our model and of theirs, for one text or for a text and its translation."""
    if model.config.kind == "encoder-decoder":
        trace = model.trace(TEXT, target=WRITTEN)
        source, target = (torch.tensor([[token.id for token in each]]) for each in (trace.source_tokens, trace.tokens))
        expected = theirs(source, decoder_input_ids=target).logits[0]
    else:
        trace = model.trace(TEXT)
        expected = theirs(torch.tensor([[token.id for token in trace.tokens]])).logits[0]
    known = min(trace["logits"].shape[-1], expected.shape[-1]) - 1  # the last token of a Marian is never written
    torch.testing.assert_close(trace["logits"][..., :known], expected[..., :known], **CLOSE)


def read_theirs(folder: Path, auto: Any) -> Any:
    return auto.from_pretrained(folder, attn_implementation="eager").eval()


SHARED, OF_ENCODER, OF_DECODER = "shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "added", "two"),
    [
        ((), (OF_DECODER,), True),
        ((), (OF_ENCODER,), True),
        ((), (OF_ENCODER, OF_DECODER), True),
        ((), (OF_DECODER, "lm_head.weight"), True),
        ((SHARED,), (OF_ENCODER, OF_DECODER, "lm_head.weight"), True),
        ((SHARED,), (OF_ENCODER, "lm_head.weight"), False),
        ((SHARED,), (OF_DECODER,), False),
        ((SHARED,), ("lm_head.weight",), False),
    ],
)
@pytest.mark.parametrize("name", ["t5", "mt5 with one table"])
def test_each_stack_of_a_t5_has_the_table_that_the_file_gives_it(
    name: str, without: tuple[str, ...], added: tuple[str, ...], two: bool, tmp_path: Path
) -> None:
    tiny_t5.make(name, tmp_path)
    change_tensors(tmp_path, without, **dict.fromkeys(added, SHARED))
    model = read_checkpoint(tmp_path)
    assert_same(model, read_theirs(tmp_path, AutoModelForSeq2SeqLM))
    assert (model.config.target_vocab_size is not None) == two


def test_a_t5_in_memory_may_have_two_tables(tmp_path: Path) -> None:
    theirs = tiny_t5.make("t5", tmp_path)
    tokenizer = read_checkpoint(tmp_path).tokenizer
    own = torch.nn.Embedding.from_pretrained(theirs.shared.weight.detach().flip(0).clone())
    theirs.decoder.set_input_embeddings(own)
    model = adopt(theirs, tokenizer)
    assert_same(model, theirs)
    assert model.network.get_parameter("decoder.embed.tokens.weight").data_ptr() == own.weight.data_ptr()
    release(model)


@pytest.mark.slow
@pytest.mark.parametrize("added", ["model.decoder.embed_tokens.weight", "lm_head.weight"])
def test_a_marian_may_have_two_tables(added: str, tmp_path: Path) -> None:
    tiny_families.make_translator("marian", tmp_path)
    change_tensors(tmp_path, **{added: "model.shared.weight"})
    model = read_checkpoint(tmp_path)
    assert_same(model, read_theirs(tmp_path, AutoModelForSeq2SeqLM))
    assert (model.config.target_vocab_size is None) == (added == "lm_head.weight")


@pytest.mark.parametrize(
    ("name", "table", "output"),
    [
        ("llama, tied", "model.embed_tokens.weight", "lm_head.weight"),
        ("gpt2", "transformer.wte.weight", "lm_head.weight"),
        ("gpt_neox, tied", "gpt_neox.embed_in.weight", "lm_head.weight"),
    ],
)
def test_the_output_layer_stands_for_a_tied_table_that_the_file_lacks(
    name: str, table: str, output: str, tmp_path: Path
) -> None:
    tiny_families.make(name, tmp_path)
    change_tensors(tmp_path, (table,), **{output: table})
    model = read_checkpoint(tmp_path)
    assert model.config.shares_output_table
    assert_same(model, read_theirs(tmp_path, AutoModelForCausalLM))


def test_the_output_layer_of_masked_words_stands_for_the_table_too(tmp_path: Path) -> None:
    tiny_families.make_encoder("roberta", tmp_path, "ForMaskedLM")
    table = "roberta.embeddings.word_embeddings.weight"
    change_tensors(tmp_path, (table,), **{"lm_head.decoder.weight": table})
    assert_same(read_checkpoint(tmp_path), read_theirs(tmp_path, AutoModelForMaskedLM))


def test_no_table_stands_for_one_of_a_file_that_ties_none(tmp_path: Path) -> None:
    tiny_families.make_encoder("bert", tmp_path, "ForMaskedLM", tie_word_embeddings=False)
    change_tensors(tmp_path, ("cls.predictions.decoder.weight",))
    with pytest.raises(DamagedWeights, match=r"cls\.predictions\.decoder\.weight"):
        read_checkpoint(tmp_path)
