"""Values of `config.json` as people have them: read as `transformers` reads them, without effect, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoModelForSequenceClassification
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from model.adopted import adopt, release
from model.errors import DamagedWeights
from model.loading import read_checkpoint
from model.run import Model
from model.zoo.families import FAMILIES
from tests.model.zoo import tiny_families, tiny_t5

CLOSE = {"atol": 1e-4, "rtol": 1e-4}
TEXT = "I am a robot"


def change(folder: Path, without: tuple[str, ...] = (), **values: Any) -> None:
    """Changes the values of config.json."""
    path = folder / "config.json"
    kept = {key: value for key, value in json.loads(path.read_text()).items() if key not in without}
    path.write_text(json.dumps(kept | values))


def ids_of(model: Model) -> torch.Tensor:
    return torch.tensor([[token.id for token in model.trace(TEXT).tokens]])


@torch.inference_mode()
def assert_same_logits(folder: Path, auto: Any = AutoModelForCausalLM) -> None:
    """Of our model and of theirs, read from the same folder."""
    model, theirs = read_checkpoint(folder), auto.from_pretrained(folder, attn_implementation="eager").eval()
    name = "text_logits" if model.config.text_labels else "logits"
    torch.testing.assert_close(model.trace(TEXT)[name], theirs(ids_of(model)).logits[0], **CLOSE)


SEES_LATER, SEES_EARLIER = "also sees the tokens after it", "sees only the tokens before it"
CROSSES = "a second attention reads another network"
REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    *((kind, {"is_causal": False}, SEES_LATER) for kind in ("llama", "mistral", "qwen2", "qwen3", "gpt2", "gpt_neox")),
    *((kind, {"is_causal": False}, SEES_LATER) for kind in ("t5", "mt5", "marian")),
    *((kind, {"is_decoder": True}, SEES_EARLIER) for kind in ("bert", "roberta", "xlm-roberta")),
    *((kind, {"add_cross_attention": True}, CROSSES) for kind in ("bert", "roberta", "gpt2")),
    ("gpt2", {"activation_function": "mish"}, "'mish' is none of relu, gelu"),
    ("gpt_neox", {"head_dim": 12}, "config.json has head_dim = 12, but a head of this model has 96 features"),
    ("llama", {"sliding_window": 4096}, "a token that is written sees fewer tokens"),
    ("llama", {"quantization_config": {"bits": 4}}, "packed numbers of another kind"),
    ("llama", {"quantization": {"bits": 4, "group_size": 64}}, "packed numbers of another kind"),
    ("qwen2", {"auto_map": {"AutoModel": "modeling.Mine"}}, "a program that lies beside the weights computes"),
    ("qwen2", {"use_mrope": True}, "a token has a place in time"),
    ("llama", {"rope_interleaved": True}, "neighbouring features of a head turn together"),
    ("llama", {"logit_softcap": 30.0}, "config.json has logit_softcap = 30.0. What it would change is not known"),
    ("olmo3", {"rope_parameters": {"rope_theta": 5e5}}, "rope_parameters must have the values of full_attention"),
    ("olmo3", {"layer_types": ["full_attention"]}, "layer_types must have the type of each of the 32 layers"),
    ("olmo2", {"layer_types": ["sliding_attention"] * 32}, "a token that is written sees fewer tokens"),
    ("gemma3_text", {"attn_logit_softcapping": 30.0}, "scores are bounded by a tanh"),
    ("gemma2", {"use_bidirectional_attention": True}, SEES_LATER),
    ("gemma3_text", {"use_bidirectional_attention": True}, SEES_LATER),
    ("smollm3", {"no_rope_layers": [1, 0]}, "no_rope_layers must say of each of the 36 layers"),
    ("phi3", {"layer_types": ["full_attention"]}, "a token that is written sees fewer tokens"),
    ("stablelm", {"qk_layernorm": True}, "each head has a norm with weights of its own"),
    ("granite", {"sliding_window": 128}, "a token that is written sees fewer tokens"),
    ("opt", {"word_embed_proj_dim": 512}, "embeddings of that width are projected"),
    ("opt", {"_remove_final_layer_norm": True}, "no norm stands after the last layer"),
    ("gpt_neo", {"attention_types": [[["global"], 3]]}, "attention_types must say of each of the 24 layers"),
    ("biogpt", {"layer_types": ["sliding_attention"]}, "a token that is written sees fewer tokens"),
    ("mistral", {"per_layer_config": {"0": {}}}, "layers have values of their own"),
    ("bert", {"pruned_heads": {"0": [1]}}, "some layers have fewer heads than others"),
    ("bert", {"position_embedding_type": "relative_key"}, "the scores are told of distances"),
    ("marian", {"normalize_before": True}, "the norms stand in other places"),
    ("marian", {"static_position_embeddings": False}, "positions are learned"),
    ("t5", {"is_encoder_decoder": False}, "there is one stack"),
    ("dinov2", {"num_register_tokens": 4}, "learnt tokens stand between the class token and the patches"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "values", "effect"), REFUSED)
def test_a_value_that_would_change_a_number_unread_is_refused(kind: str, values: dict[str, Any], effect: str) -> None:
    usual = json.loads(CONFIG_MAPPING[kind]().to_json_string(use_diff=False))
    FAMILIES[kind].configure(usual)
    with pytest.raises(DamagedWeights, match=effect) as refused:
        FAMILIES[kind].configure(usual | values)
    (key,) = values
    assert key in str(refused.value) or "activation" in key


NOTES: dict[str, Any] = {
    "_name_or_path": "somebody/their-model",
    "_attn_implementation_autoset": True,
    "finetuning_task": "sst-2",
    "gradient_checkpointing": False,
    "max_length": 20,
    "num_beams": 4,
    "output_past": True,
    "pruned_heads": {},
    "quantization_config": None,
    "task_specific_params": {"text-generation": {"do_sample": True}},
    "torch_dtype": "bfloat16",
    "transformers_version": "4.9.0.dev0",
    "unsloth_version": "2025.1.1",
    "use_bfloat16": False,
}


@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neox"])
def test_notes_change_no_number(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    before = read_checkpoint(tmp_path).trace(TEXT)["logits"]
    change(tmp_path, **NOTES)
    assert read_checkpoint(tmp_path).trace(TEXT)["logits"].equal(before)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("qwen2", {"attention_bias": True, "mlp_bias": True}),  # values of Llama: a Qwen2 has no such
        ("qwen2", {"use_mrope": False, "max_window_layers": 21, "sliding_window": 32768}),
        ("mistral", {"use_sliding_window": False, "max_window_layers": 1}),
        ("gpt2", {"n_special": 0, "predict_special_tokens": True}),
        ("llama", {"is_llama_config": True, "rope_interleaved": False, "transformers.js_config": {"dtype": "q4"}}),
        ("gpt2", {"n_ctx": 16, "reorder_and_upcast_attn": True, "is_decoder": True}),
        ("gpt2", {"n_inner": 128, "activation_function": "gelu_python"}),
        ("gpt2", {"activation_function": "gelu_accurate"}),
        ("gpt2", {"activation_function": "tanh"}),
        ("gpt_neox", {"head_dim": 8, "classifier_dropout": 0.5}),
        ("llama", {"pretraining_tp": 2, "head_dim": None, "attention_bias": False}),
    ],
)
def test_a_value_is_read_as_transformers_reads_it(name: str, values: dict[str, Any], tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    change(tmp_path, **values)
    assert_same_logits(tmp_path)


def test_another_name_of_a_value_wins_over_its_own_as_in_transformers(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    change(tmp_path, n_embd=64, n_head=8, hidden_size=32, num_attention_heads=4)
    assert_same_logits(tmp_path)
    change(tmp_path, without=("n_embd", "n_head", "n_layer"), num_hidden_layers=3)
    assert_same_logits(tmp_path)


# Kind of model -> values that its tiny file has, and which are the class's own where they are missing.
MISSING = (
    ("llama", {"rms_norm_eps": 1e-6, "max_position_embeddings": 2048, "hidden_act": "silu"}),
    ("mistral", {"num_key_value_heads": 8, "sliding_window": 4096}),
    ("qwen3", {"head_dim": 128, "rms_norm_eps": 1e-6}),
    ("gpt2", {"n_positions": 1024, "layer_norm_epsilon": 1e-5, "tie_word_embeddings": True}),
    ("gpt_neox", {"layer_norm_eps": 1e-5, "use_parallel_residual": True, "attention_bias": True}),
)


@pytest.mark.parametrize(("name", "values"), MISSING)
def test_a_missing_value_is_that_of_the_class(name: str, values: dict[str, Any], tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path, **{"num_attention_heads": 8} if name == "mistral" else {}, **values)
    change(tmp_path, without=(*values,))
    assert_same_logits(tmp_path)


def test_the_first_bert_says_less(tmp_path: Path) -> None:
    whole = tiny_families.make_encoder("bert", tmp_path, layer_norm_eps=1e-12, max_position_embeddings=512)
    less = ("layer_norm_eps", "hidden_act", "type_vocab_size", "max_position_embeddings", "pad_token_id")
    change(tmp_path, without=less, directionality="bidi", pooler_fc_size=768, pooler_type="first_token_transform")
    model = read_checkpoint(tmp_path)
    with torch.inference_mode():
        expected = whole(ids_of(model)).last_hidden_state[0]
    torch.testing.assert_close(model.trace(TEXT)["encoder.2.ffn_norm"], expected, **CLOSE)
    assert model.config.max_length == 512


@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neox", "qwen2"])
def test_two_tables_are_two_whatever_the_file_says(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path, tie_word_embeddings=False)
    change(tmp_path, tie_word_embeddings=True)
    assert not read_checkpoint(tmp_path).config.shares_output_table
    assert_same_logits(tmp_path)


@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neox"])
def test_two_tables_in_memory_are_two_whatever_its_configuration_says(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path, tie_word_embeddings=False)
    theirs.config.tie_word_embeddings = True
    model = adopt(theirs, read_checkpoint(tmp_path).tokenizer)
    with torch.inference_mode():
        torch.testing.assert_close(model.trace(TEXT)["logits"], theirs(ids_of(model)).logits[0], **CLOSE)
    release(model)


def test_a_network_in_memory_is_refused_in_the_same_words(tmp_path: Path) -> None:
    theirs = tiny_families.make("llama", tmp_path)
    tokenizer = read_checkpoint(tmp_path).tokenizer
    theirs.config.is_causal = False
    with pytest.raises(DamagedWeights, match=SEES_LATER):
        adopt(theirs, tokenizer)


@pytest.mark.parametrize(
    ("values", "without", "labels"),
    [
        ({"id2label": {"1": "bad", "2": "fair", "3": "good"}}, (), ("LABEL_0", "bad", "fair")),
        ({"id2label": {"0": "bad", "2": "good", "7": "?"}}, (), ("bad", "LABEL_1", "good")),
        ({"num_labels": 3}, ("id2label", "label2id"), ("LABEL_0", "LABEL_1", "LABEL_2")),
        ({"id2label": {"0": "a", "1": "b", "2": "c"}, "num_labels": 3, "_num_labels": 5}, (), ("a", "b", "c")),
        ({"id2label": {"0": "a", "1": "b"}, "num_labels": 3}, (), ("LABEL_0", "LABEL_1", "LABEL_2")),
    ],
)
def test_labels_are_counted_as_transformers_counts_them(
    values: dict[str, Any], without: tuple[str, ...], labels: tuple[str, ...], tmp_path: Path
) -> None:
    tiny_families.make_encoder("bert", tmp_path, "ForSequenceClassification", num_labels=3)
    change(tmp_path, without=without, **values)
    assert read_checkpoint(tmp_path).config.text_labels == labels
    assert_same_logits(tmp_path, AutoModelForSequenceClassification)


def test_two_labels_need_no_name(tmp_path: Path) -> None:
    tiny_families.make_encoder("roberta", tmp_path, "ForSequenceClassification")
    change(tmp_path, without=("id2label", "label2id"))
    assert read_checkpoint(tmp_path).config.text_labels == ("LABEL_0", "LABEL_1")
    assert_same_logits(tmp_path, AutoModelForSequenceClassification)


@pytest.mark.parametrize("name", ["t5", "t5, v1.1", "mt5"])
@pytest.mark.parametrize("curve", ["silu", "relu"])
def test_a_t5_that_names_its_activation_twice_has_the_second(name: str, curve: str, tmp_path: Path) -> None:
    tiny_t5.make(name, tmp_path)
    change(tmp_path, dense_act_fn=curve)
    model = read_checkpoint(tmp_path)
    theirs = AutoModelForSeq2SeqLM.from_pretrained(tmp_path, attn_implementation="eager").eval()
    trace = model.trace(TEXT, target="a cat")
    source, written = ([token.id for token in tokens] for tokens in (trace.source_tokens, trace.tokens))
    with torch.inference_mode():
        expected = theirs(torch.tensor([source]), decoder_input_ids=torch.tensor([written])).logits[0]
    torch.testing.assert_close(trace["logits"], expected, **CLOSE)
