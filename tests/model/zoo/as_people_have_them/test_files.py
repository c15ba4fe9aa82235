"""Files as they lie around: understood, or refused with what in them is the reason and what to take instead."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from glassformer.__main__ import main
from model import adopt
from model.adding.add import add, look
from model.adopted import release
from model.errors import DamagedWeights, GlassformerError
from model.loading import load, read_checkpoint
from model.zoo.opening import open_checkpoint
from tests.model.networks import word_tokenizer
from tests.model.zoo import raw_checkpoint, tiny
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny_gguf import write_gguf

CLOSE = {"atol": 2e-5, "rtol": 1e-4}
IDS = torch.tensor([3, 5, 7])
QWEN2 = {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "head_dim": None}
SIZES = {"vocab_size": 23, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
BERT = {**SIZES, "intermediate_size": 24, "max_position_embeddings": 64}
DECODERS: dict[str, tuple[str, dict[str, Any]]] = {  # the beginning of the names of its classes, and its values
    "llama": ("Llama", {**BERT, "tie_word_embeddings": True, "num_key_value_heads": 1}),
    "mistral": ("Mistral", {**BERT, "tie_word_embeddings": True, "num_key_value_heads": 1}),
    "qwen2": ("Qwen2", {**BERT, "tie_word_embeddings": True, "num_key_value_heads": 1}),
    "qwen3": ("Qwen3", {**BERT, "tie_word_embeddings": True, "num_key_value_heads": 1, "head_dim": 8}),
    "gpt_neox": ("GPTNeoX", {**BERT, "tie_word_embeddings": True}),
    "gpt2": ("GPT2", {"vocab_size": 23, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}),
}
ENDINGS = {"GPT2": "LMHeadModel"}


def save(folder: Path, kind: str, values: dict[str, Any], network: str) -> Any:
    """A network of this class as `transformers` saves it, with a tokenizer of words beside it."""
    config = getattr(transformers, f"{kind}Config")(**values)
    made = tiny.randomised(getattr(transformers, kind + network)._from_config(config, attn_implementation="eager"))
    tiny.save(made, folder)
    return made


def stored(folder: Path) -> dict[str, Tensor]:
    return load_file(folder / "model.safetensors")


def store(folder: Path, tensors: dict[str, Tensor], file: str = "model.safetensors") -> None:
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, folder / file)


def renamed(folder: Path, name_of: Callable[[str], str]) -> None:
    store(folder, {name_of(name): tensor for name, tensor in stored(folder).items()})


@pytest.mark.parametrize("name", DECODERS)
def test_a_base_network_is_read_without_its_prefix(name: str, tmp_path: Path) -> None:
    kind, values = DECODERS[name]
    base = save(tmp_path, kind, values, "Model")
    whole = getattr(transformers, kind + ENDINGS.get(kind, "ForCausalLM"))
    theirs = whole.from_pretrained(tmp_path, attn_implementation="eager").eval()
    trace = read_checkpoint(tmp_path).trace_tokens(word_tokenizer().tokens(IDS.tolist()))
    torch.testing.assert_close(trace["final_norm"], outputs(base, IDS).last_hidden_state[0], **CLOSE)
    torch.testing.assert_close(trace.logits, outputs(theirs, IDS).logits[0], **CLOSE)


@pytest.mark.parametrize("network", ["Model", "ForSequenceClassification"])
def test_a_decoder_without_an_output_layer_is_refused(network: str, tmp_path: Path) -> None:
    kind, values = DECODERS["llama"]
    save(tmp_path, kind, {**values, "tie_word_embeddings": False, "pad_token_id": 0}, network)
    with pytest.raises(DamagedWeights, match=rf"no output layer .*\(Llama{network}\)\. So this model gives vectors"):
        read_checkpoint(tmp_path)


T5 = {"vocab_size": 23, "d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_heads": 2}


@pytest.mark.parametrize("tied", [True, False])
def test_the_encoder_of_a_t5_alone_is_refused(tied: bool, tmp_path: Path) -> None:
    save(tmp_path, "T5", {**T5, "tie_word_embeddings": tied}, "EncoderModel")
    with pytest.raises(DamagedWeights, match="is_encoder_decoder = false"):
        read_checkpoint(tmp_path)
    raw_checkpoint.change(tmp_path, is_encoder_decoder=True)  # as older files say
    with pytest.raises(DamagedWeights, match=r"hold the encoder of a T5 alone.*Take the whole model"):
        read_checkpoint(tmp_path)


WRAPPINGS: dict[str, Callable[[str], str]] = {
    "torch.compile": lambda name: f"_orig_mod.{name}",
    "torch.compile of the inside": lambda name: name.replace("model.", "model._orig_mod.", 1),
    "DataParallel": lambda name: f"module.{name}",
    "DataParallel of torch.compile": lambda name: f"module._orig_mod.{name}",
    "torch.compile of DataParallel": lambda name: f"_orig_mod.module.{name}",
    "checkpointed layers": lambda name: name.replace("layers.0.", "layers.0._checkpoint_wrapped_module."),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_names_of_wrapped_networks_are_those_of_what_is_inside(wrapping: str, tmp_path: Path) -> None:
    theirs = raw_checkpoint.write(tmp_path)
    renamed(tmp_path, WRAPPINGS[wrapping])
    raw_checkpoint.assert_same(tmp_path, theirs, 4, written=1)


def test_a_tensor_under_two_names_is_refused(tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    tensors = stored(tmp_path)
    store(tmp_path, tensors | {f"_orig_mod.{name}": tensor.clone() for name, tensor in tensors.items()})
    with pytest.raises(DamagedWeights, match=r"holds one tensor twice: .*Save the network alone"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("compiled", [True, False])
def test_adopt_takes_the_network_out_of_what_wraps_it(parallel: bool, compiled: bool, tmp_path: Path) -> None:
    network = raw_checkpoint.write(tmp_path)
    wrapped = nn.DataParallel(network) if parallel else network
    model = adopt(torch.compile(wrapped, backend="eager") if compiled else wrapped, word_tokenizer())  # type: ignore[arg-type]
    logits = model.trace_tokens(word_tokenizer().tokens(IDS.tolist())).logits
    torch.testing.assert_close(logits, outputs(network, IDS).logits[0], **CLOSE)
    release(model)


def test_adopt_takes_a_base_network_whose_output_layer_is_its_table(tmp_path: Path) -> None:
    kind, values = DECODERS["llama"]
    network = save(tmp_path, kind, values, "Model")
    model = adopt(network, word_tokenizer())
    trace = model.trace_tokens(word_tokenizer().tokens(IDS.tolist()))
    torch.testing.assert_close(trace["final_norm"], outputs(network, IDS).last_hidden_state[0], **CLOSE)
    release(model)


def test_adopt_refuses_a_network_without_a_next_word(tmp_path: Path) -> None:
    kind, values = DECODERS["llama"]
    network = save(tmp_path, kind, {**values, "tie_word_embeddings": False}, "Model")
    with pytest.raises(DamagedWeights, match="no output layer"):
        adopt(network, word_tokenizer())


NAMES = {
    "one digit": ("model-1-of-2.safetensors", "model-2-of-2.safetensors"),
    "six digits": ("model-000001-of-000002.safetensors", "model-000002-of-000002.safetensors"),
    "names of their own": ("first.safetensors", "rest.safetensors"),
    "one file of another name": ("weights.safetensors",),
}


def split(folder: Path, files: tuple[str, ...]) -> None:
    """The tensors of a folder in these files, and their index."""
    tensors, place_of = stored(folder), {}
    for place, file in enumerate(files):
        part = dict(list(tensors.items())[place :: len(files)])
        store(folder, part, file)
        place_of |= dict.fromkeys(part, file)
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": place_of}))


@pytest.mark.parametrize("names", NAMES)
def test_the_index_names_the_files(names: str, tmp_path: Path, empty_machine: Path) -> None:
    theirs = raw_checkpoint.write(tmp_path)
    split(tmp_path, NAMES[names])
    raw_checkpoint.assert_same(tmp_path, theirs, 4, written=1)
    assert set(look(str(tmp_path)).weights) == set(NAMES[names])


def test_a_file_that_the_index_names_and_that_is_not_here(tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    split(tmp_path, NAMES["one digit"])
    (tmp_path / "model-2-of-2.safetensors").unlink()
    with pytest.raises(DamagedWeights, match=r"lacks 1 of the 2 files .*model-2-of-2\.safetensors.*Get the missing"):
        read_checkpoint(tmp_path)


def test_a_weight_file_of_another_name_is_named_itself(tmp_path: Path) -> None:
    theirs = raw_checkpoint.write(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "model.fp16.safetensors")
    with pytest.raises(DamagedWeights, match=r"model\.fp16\.safetensors, but no model\.safetensors and no .*index"):
        read_checkpoint(tmp_path)
    model = load(str(tmp_path / "model.fp16.safetensors"))
    logits = model.trace_tokens(word_tokenizer().tokens(IDS.tolist())).logits
    torch.testing.assert_close(logits, outputs(theirs, IDS).logits[0], **CLOSE)


LEFT = {  # the family's beginning of names and the head -> what is said of the files
    ("Bert", "ForNextSentencePrediction"): "cls.seq_relationship (whether one text follows another)",
    ("Bert", "ForMultipleChoice"): "classifier (classes)",
    ("Bert", "Model"): "pooler (a vector of the whole text)",
    ("Electra", "ForPreTraining"): "discriminator_predictions (whether a word was replaced)",
    ("Qwen2", "ForSequenceClassification"): "score (classes of a text)",
    ("Qwen2", "ForTokenClassification"): "score (classes of a text)",
    ("GPT2", "ForQuestionAnswering"): "qa_outputs (where the answer to a question begins and ends)",
    ("GPT2", "ForSequenceClassification"): "score (classes of a text)",
    ("GPT2", "DoubleHeadsModel"): "multiple_choice_head (which of several texts goes on)",
}
VALUES = {
    "Bert": BERT,
    "Electra": {**BERT, "embedding_size": BERT["hidden_size"]},
    "Roberta": {**BERT, "type_vocab_size": 1},
    "DistilBert": {"vocab_size": 23, "dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 2,
                   "max_position_embeddings": 64},
    "Qwen2": {**DECODERS["qwen2"][1], "pad_token_id": 0},
    "GPT2": {**DECODERS["gpt2"][1], "pad_token_id": 0},
}  # fmt: skip


@pytest.mark.parametrize(("kind", "head"), LEFT)
def test_a_head_that_no_page_shows_is_left_and_said(kind: str, head: str, tmp_path: Path, empty_machine: Path) -> None:
    theirs = save(tmp_path, kind, VALUES[kind], head)
    model = read_checkpoint(tmp_path)
    trace = model.trace_tokens(word_tokenizer().tokens(IDS.tolist()))
    expected = outputs(theirs.base_model, IDS).last_hidden_state[0]
    last = "final_norm" if model.config.kind == "decoder" else "encoder.1.ffn_norm"
    torch.testing.assert_close(trace[last], expected, **CLOSE)
    said = LEFT[kind, head]
    assert said in look(str(tmp_path)).left_out
    assert said in add(str(tmp_path)).about


def test_buffers_that_are_counted_out_are_no_heads(tmp_path: Path) -> None:
    save(tmp_path, "Bert", VALUES["Bert"], "ForMaskedLM")
    store(tmp_path, stored(tmp_path) | {"bert.embeddings.position_ids": torch.arange(64)[None]})
    assert open_checkpoint(tmp_path).left_out == ()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_other_numbers_are_read(dtype: torch.dtype, tmp_path: Path) -> None:
    theirs = raw_checkpoint.write(tmp_path)
    theirs.load_state_dict({name: tensor.to(dtype).float() for name, tensor in theirs.state_dict().items()})
    store(tmp_path, {name: tensor.to(dtype) for name, tensor in theirs.state_dict().items()})
    raw_checkpoint.assert_same(tmp_path, theirs, 4, written=1)


def test_a_folder_of_sentence_transformers_has_its_model_inside(tmp_path: Path, empty_machine: Path) -> None:
    inside = tmp_path / "0_Transformer"
    inside.mkdir()
    save(inside, "Bert", BERT, "Model")
    modules = [{"idx": 0, "name": "0", "path": "0_Transformer", "type": "sentence_transformers.models.Transformer"}]
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    assert load(str(tmp_path)).config.kind == "encoder"
    assert add(str(tmp_path)).place == str(inside)


def test_a_folder_with_a_gguf_is_loaded_as_it_is_added(tmp_path: Path, empty_machine: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    folder = tmp_path / "alone"
    folder.mkdir()
    write_gguf(tiny.llama(made)[1]).rename(folder / "m-Q8_0.gguf")
    (folder / "mmproj-f16.gguf").write_bytes(b"GGUF")
    assert load(str(folder)).card.name == "m-Q8_0"
    assert look(str(folder)).path == str(folder / "m-Q8_0.gguf")


@pytest.mark.parametrize("change", [{}, {"model_type": "mamba"}, {"num_hidden_layers": 4}, {"vocab_size": 5}])
def test_a_look_says_yes_where_load_works(change: dict[str, Any], tmp_path: Path, empty_machine: Path) -> None:
    raw_checkpoint.write(tmp_path)
    raw_checkpoint.change(tmp_path, **change)
    said = [reason(ask, str(tmp_path)) for ask in (look, add, load)]
    assert len(set(said)) == 1
    assert bool(said[0]) == bool(change)


def reason(ask: Callable[[str], object], path: str) -> str:
    """Why this path makes no model; "" where it does."""
    try:
        ask(path)
    except GlassformerError as error:
        return str(error)
    return ""


def test_the_command_says_what_is_read_and_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path, "Bert", VALUES["Bert"], "ForMultipleChoice")
    assert main(["look", str(tmp_path)]) == 0
    said = {line[:12].strip(): line[12:].strip() for line in capsys.readouterr().out.splitlines()}
    assert (said["Family"], said["Gives"], said["Weights"]) == ("BERT", "vectors alone", "model.safetensors")
    assert said["Model"] == "encoder, 2 layers of 2 heads, learned positions, at most 64 tokens"
    assert said["Left out"] == "pooler (a vector of the whole text); classifier (classes)"
    raw_checkpoint.change(tmp_path, model_type="mamba")
    assert main(["look", str(tmp_path)]) == 1
    assert "model_type 'mamba'" in capsys.readouterr().err


def test_the_command_offers_a_path(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-model").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["look", "my-model"]) == 1
    assert "Perhaps you mean: ./my-model" in capsys.readouterr().err
