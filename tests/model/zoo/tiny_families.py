"""A tiny random checkpoint of every family and of every variation of it, made by `transformers`."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from tests.model.networks import SENTENCES
from tests.model.zoo.expert_variations import expert_variations
from tests.model.zoo.tiny import randomised

WORDS = ("I am a cat",) * 20  # so that a cat is one token: Masks puts it in the place of another word
VOCABULARY = 300  # the 256 bytes, and the most frequent pairs
HIDDEN: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "eos_token_id": 0,
    "bos_token_id": 0,
}
LLAMA: dict[str, Any] = {**HIDDEN, "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "tie_word_embeddings": False}
GPT2: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "n_embd": 32,
    "n_layer": 3,
    "n_head": 4,
    "n_positions": 64,
    "eos_token_id": 0,
    "bos_token_id": 0,
}
SLOWER = {  # of 64 positions, so that some pairs stay, some are slower, and one is between
    "rope_type": "llama3",
    "rope_theta": 1000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
LONG = {
    "rope_theta": 500.0, "partial_rotary_factor": 0.75, "short_factor": [1.0, 1.5, 2.5], "long_factor": [2.0, 3.0, 4.0],
    "original_max_position_embeddings": 48,
}  # fmt: skip
PADDED: dict[str, Any] = {**LLAMA, "pad_token_id": 0}
GEMMA: dict[str, Any] = {**PADDED, "head_dim": 12, "tie_word_embeddings": True}
GPT_NEO: dict[str, Any] = {
    **{key: value for key, value in HIDDEN.items() if key != "intermediate_size"}, "window_size": 4
}  # fmt: skip
BLOOM: dict[str, Any] = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "n_layer": 3, "n_head": 4, "eos_token_id": 0, "bos_token_id": 0
}  # fmt: skip
MPT: dict[str, Any] = {
    "vocab_size": VOCABULARY, "d_model": 32, "n_layers": 3, "n_heads": 4, "max_seq_len": 64, "eos_token_id": 0,
    "bos_token_id": 0,
}  # fmt: skip
OPT: dict[str, Any] = {
    **{key: value for key, value in HIDDEN.items() if key != "intermediate_size"}, "ffn_dim": 48, "pad_token_id": 1
}  # fmt: skip
STABLELM: dict[str, Any] = {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"}
TWO_KINDS = {"full_attention": SLOWER, "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}
SLIDING = ["sliding_attention"] * 2
# The name of the variation -> the beginning of the names of its classes, and its values.
VARIATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("Llama", LLAMA),
    "llama, tied": ("Llama", {**LLAMA, "tie_word_embeddings": True}),
    "llama, one head a key": ("Llama", {**LLAMA, "num_key_value_heads": 4, "head_dim": 12}),
    "llama, slower turns": ("Llama", {**LLAMA, "rope_parameters": SLOWER}),
    "llama, biases": ("Llama", {**LLAMA, "attention_bias": True, "mlp_bias": True}),
    "mistral": ("Mistral", {**LLAMA, "sliding_window": None}),
    "mistral, window": ("Mistral", {**LLAMA, "sliding_window": 5}),
    "qwen2": ("Qwen2", LLAMA),
    "qwen2, tied": ("Qwen2", {**LLAMA, "tie_word_embeddings": True, "use_sliding_window": False}),
    "qwen3": ("Qwen3", {**LLAMA, "head_dim": 12}),
    "qwen3, biases": ("Qwen3", {**LLAMA, "head_dim": 8, "attention_bias": True}),
    "granite": (
        "Granite",
        {**LLAMA, "embedding_multiplier": 3.5, "attention_multiplier": 0.2, "residual_multiplier": 0.3,
         "logits_scaling": 2.5},
    ),
    "granite, as a Llama": ("Granite", {**LLAMA, "tie_word_embeddings": True, "rope_parameters": SLOWER}),
    "granite, biases": (
        "Granite",
        {**LLAMA, "attention_bias": True, "mlp_bias": True, "residual_multiplier": 2, "embedding_multiplier": 12},
    ),
    "gemma2": ("Gemma2", {**GEMMA, "sliding_window": 4, "attn_logit_softcapping": 1.5, "final_logit_softcapping": 2.5}),
    "gemma2, scores alone": (
        "Gemma2",
        {**GEMMA, "final_logit_softcapping": None, "num_key_value_heads": 1, "layer_types": ["full_attention"] * 3},
    ),
    "gemma2, logits alone": (
        "Gemma2",
        {**GEMMA, "attn_logit_softcapping": None, "tie_word_embeddings": False, "query_pre_attn_scalar": 20,
         "sliding_window": 3, "layer_types": ["full_attention", *SLIDING]},
    ),
    "gemma3_text": (
        "Gemma3Text",
        {**GEMMA, "num_hidden_layers": 7, "query_pre_attn_scalar": 20, "sliding_window": 4,
         "rope_parameters": TWO_KINDS},
    ),
    "gemma3_text, given": (
        "Gemma3Text",
        {**GEMMA, "sliding_window": 3, "layer_types": ["full_attention", *SLIDING], "attention_bias": True},
    ),
    "gemma3_text, open": (
        "Gemma3Text",
        {**GEMMA, "layer_types": ["full_attention"] * 3, "tie_word_embeddings": False, "num_key_value_heads": 1},
    ),
    "seed_oss": ("SeedOss", {**PADDED, "head_dim": 12}),
    "seed_oss, other biases": (
        "SeedOss",
        {**PADDED, "head_dim": 8, "attention_bias": False, "attention_out_bias": True, "mlp_bias": True},
    ),
    "smollm3": ("SmolLM3", {**PADDED, "num_hidden_layers": 5}),
    "smollm3, window": (
        "SmolLM3",
        {**PADDED, "no_rope_layers": [0, 1, 0], "use_sliding_window": True, "sliding_window": 4,
         "rope_parameters": SLOWER},
    ),
    "smollm3, biases": (
        "SmolLM3",
        {**PADDED, "no_rope_layer_interval": 2, "attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True},
    ),
    "phi3": ("Phi3", {**PADDED, "rope_parameters": {"rope_type": "longrope", **LONG}}),
    "phi3, window": ("Phi3", {**PADDED, "num_key_value_heads": 4, "sliding_window": 5}),
    "phi3, tied": (
        "Phi3",
        {**PADDED, "num_key_value_heads": 1, "tie_word_embeddings": True,
         "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.75}},
    ),
    "stablelm": ("StableLm", STABLELM),
    "stablelm, parallel": ("StableLm", {**STABLELM, "use_parallel_residual": True, "tie_word_embeddings": True}),
    "stablelm, biases": (
        "StableLm",
        {**STABLELM, "use_qkv_bias": True, "num_key_value_heads": 4,
         "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 1.0}},
    ),
    "olmo2": ("Olmo2", LLAMA),
    "olmo2, biases": ("Olmo2", {**LLAMA, "num_key_value_heads": 1, "attention_bias": True}),
    "olmo2, tied": ("Olmo2", {**LLAMA, "tie_word_embeddings": True, "rope_parameters": SLOWER}),
    "olmo3": ("Olmo3", {**LLAMA, "num_hidden_layers": 5, "sliding_window": 5, "rope_parameters": TWO_KINDS}),
    "olmo3, given": ("Olmo3", {**LLAMA, "sliding_window": 3, "layer_types": ["full_attention", *SLIDING]}),
    "olmo3, open": ("Olmo3", {**LLAMA, "num_hidden_layers": 1, "layer_types": ["full_attention"]}),
    **expert_variations(LLAMA, SLOWER),
    "gpt2": ("GPT2", GPT2),
    "gpt2, d_ff given": ("GPT2", {**GPT2, "n_inner": 40, "activation_function": "relu"}),
    "gpt2, scores by layer": ("GPT2", {**GPT2, "scale_attn_by_inverse_layer_idx": True}),
    "gpt2, by layer alone": (
        "GPT2", {**GPT2, "scale_attn_by_inverse_layer_idx": True, "scale_attn_weights": False, "n_head": 2}
    ),
    "gpt_neo": ("GPTNeo", {**GPT_NEO, "attention_types": [[["global", "local"], 1], [["local"], 1]]}),
    "gpt_neo, local": ("GPTNeo", {**GPT_NEO, "attention_types": [[["local"], 3]], "intermediate_size": 40}),
    "gpt_neo, global": (
        "GPTNeo", {**GPT_NEO, "attention_types": [[["global"], 3]], "tie_word_embeddings": False}
    ),
    "opt": ("OPT", OPT),
    "opt, untied": ("OPT", {**OPT, "tie_word_embeddings": False, "activation_function": "gelu"}),
    "opt, norms after the sums": ("OPT", {**OPT, "do_layer_norm_before": False, "enable_bias": False}),
    "biogpt": ("BioGpt", {**HIDDEN, "pad_token_id": 1}),
    "biogpt, not scaled": ("BioGpt", {**HIDDEN, "pad_token_id": 1, "scale_embedding": False}),
    "biogpt, untied": ("BioGpt", {**HIDDEN, "pad_token_id": 1, "tie_word_embeddings": False, "hidden_act": "relu"}),
    "gpt_neox": ("GPTNeoX", {**HIDDEN, "rotary_pct": 0.25}),
    "gpt_neox, one after the other": (
        "GPTNeoX",
        {**HIDDEN, "use_parallel_residual": False, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0,
                                                                       "partial_rotary_factor": 1.0}},
    ),
    "gpt_neox, tied": ("GPTNeoX", {**HIDDEN, "tie_word_embeddings": True, "attention_bias": False}),
    "bloom": ("Bloom", BLOOM),
    "bloom, six heads": ("Bloom", {**BLOOM, "hidden_size": 48, "n_head": 6, "tie_word_embeddings": False}),
    "bloom, one head": ("Bloom", {**BLOOM, "hidden_size": 20, "n_head": 1, "layer_norm_epsilon": 1e-3}),
    "mpt": ("Mpt", MPT),
    "mpt, three heads": ("Mpt", {**MPT, "d_model": 36, "n_heads": 3, "tie_word_embeddings": False}),
    "mpt, scaled": ("Mpt", {**MPT, "d_model": 40, "n_heads": 5, "attn_config": {"softmax_scale": 0.2}}),
}  # fmt: skip
BERT: dict[str, Any] = {**HIDDEN, "layer_norm_eps": 1e-12, "pad_token_id": 0}
MODERNBERT: dict[str, Any] = {
    **HIDDEN, "pad_token_id": 0, "cls_token_id": 0, "sep_token_id": 0, "local_attention": 4
}  # fmt: skip
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "bert": ("Bert", BERT),
    "bert, relu": ("Bert", {**BERT, "hidden_act": "relu"}),
    "roberta": ("Roberta", {**BERT, "type_vocab_size": 1, "pad_token_id": 1}),
    "xlm-roberta": ("XLMRoberta", {**BERT, "type_vocab_size": 1, "pad_token_id": 1}),
    "camembert": ("Camembert", {**BERT, "type_vocab_size": 1, "pad_token_id": 1}),
    "electra": ("Electra", {**BERT, "embedding_size": 32}),
    "electra, small": ("Electra", {**BERT, "embedding_size": 20}),
    "electra, wider": ("Electra", {**BERT, "embedding_size": 40, "num_attention_heads": 2}),
    "albert": ("Albert", {**BERT, "embedding_size": 20}),
    "albert, wider": ("Albert", {**BERT, "embedding_size": 40, "num_attention_heads": 2, "hidden_act": "relu"}),
    "albert, as wide": ("Albert", {**BERT, "embedding_size": 32, "num_attention_heads": 8, "type_vocab_size": 1}),
    "modernbert": ("ModernBert", MODERNBERT),
    "modernbert, biases": (
        "ModernBert",
        {**MODERNBERT, "attention_bias": True, "mlp_bias": True, "norm_bias": True, "classifier_bias": True,
         "decoder_bias": False, "num_attention_heads": 2, "local_attention": 7},
    ),
    "modernbert, given": (
        "ModernBert",
        {**MODERNBERT, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
         "hidden_activation": "silu", "classifier_activation": "relu",
         "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 500.0},
                             "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}},
    ),
    "distilbert": ("DistilBert", {
        "vocab_size": VOCABULARY, "dim": 32, "hidden_dim": 48, "n_layers": 3, "n_heads": 4,
        "max_position_embeddings": 64, "pad_token_id": 0}),
}  # fmt: skip
ENDINGS = {"GPT2": "LMHeadModel"}
NETWORKS = {"Gemma3Text": "Gemma3"}  # where the classes of configuration and network have different names


def make(name: str, folder: Path, dtype: torch.dtype = torch.float32, shard: str = "5GB", **changes: Any) -> Any:
    """The reference in float32; its checkpoint is in the folder, in that number type and in such shards."""
    kind, values = VARIATIONS[name]
    config = getattr(transformers, f"{kind}Config")(**{**values, **changes})
    model = getattr(transformers, NETWORKS.get(kind, kind) + ENDINGS.get(kind, "ForCausalLM"))
    reference = randomised(model._from_config(config, attn_implementation="eager")).to(dtype)
    reference.save_pretrained(folder, max_shard_size=shard)
    byte_level_tokenizer().save(str(folder / "tokenizer.json"))
    if dtype is torch.float32:
        return reference
    return model.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


def make_encoder(name: str, folder: Path, head: str = "Model", **changes: Any) -> Any:
    """The reference with the head of that class; its checkpoint is in the folder."""
    kind, values = ENCODERS[name]
    config = getattr(transformers, f"{kind}Config")(**{**values, **changes})
    whole = randomised(getattr(transformers, kind + head)._from_config(config, attn_implementation="eager"))
    whole.save_pretrained(folder)
    byte_level_tokenizer().save(str(folder / "tokenizer.json"))
    return whole


def byte_level_tokenizer() -> tokenizers.Tokenizer:
    """Byte-level BPE, as GPT-2's, trained on the example sentences."""
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False
    )
    backend.train_from_iterator((*SENTENCES, *WORDS), trainer)
    return backend


def sentence_piece_tokenizer() -> tokenizers.Tokenizer:
    """Pieces that begin with a bar for the space, and bytes for what they lack, as Llama 2's."""
    pieces = [
        "<unk>",
        "<s>",
        "</s>",
        *(f"<0x{byte:02X}>" for byte in range(256)),
        "▁",
        "I",
        "a",
        "m",
        "▁I",
        "▁a",
        "▁am",
    ]
    merges = [("▁", "I"), ("▁", "a"), ("▁a", "m")]
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    backend = tokenizers.Tokenizer(
        models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    )
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    backend.add_special_tokens(["<unk>", "<s>", "</s>"])
    backend.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return backend


# The name of the variation -> its values. Ids: 0 ends a text, 1 is unknown, the last one is padding.
MARIAN: dict[str, Any] = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
    "activation_function": "swish",
    "scale_embedding": True,
    "static_position_embeddings": True,
    "eos_token_id": 0,
    "forced_eos_token_id": None,
}
TRANSLATORS: dict[str, dict[str, Any]] = {
    "marian": MARIAN,
    "marian, not scaled": {**MARIAN, "scale_embedding": False, "activation_function": "relu"},
    "marian, two vocabularies": {**MARIAN, "share_encoder_decoder_embeddings": False},
}
PICTURES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "image_size": 32,
    "patch_size": 8,
}
DINOV2 = {**PICTURES, "image_size": 56, "patch_size": 28, "mlp_ratio": 2}
# The name of the variation -> the beginning of the names of its classes, and its values.
VISION: dict[str, tuple[str, dict[str, Any]]] = {
    "vit": ("ViT", PICTURES),
    "vit, no biases": ("ViT", {**PICTURES, "qkv_bias": False, "hidden_act": "relu", "num_channels": 1}),
    "deit": ("DeiT", PICTURES),
    "dinov2": ("Dinov2", DINOV2),
    "dinov2, gated": ("Dinov2", {**DINOV2, "use_swiglu_ffn": True}),
    "registers": ("Dinov2WithRegisters", DINOV2),
    "registers, more pixels": ("Dinov2WithRegisters", {**DINOV2, "image_size": 448, "num_register_tokens": 1}),
    "registers, gated": (
        "Dinov2WithRegisters",
        {**DINOV2, "use_swiglu_ffn": True, "qkv_bias": False, "num_register_tokens": 3},
    ),
}
LABELS = {0: "cat", 1: "dog, hound", 2: "bird", **{number: f"*{number}*" for number in range(3, 12)}}
URDU = ("میں ایک روبوٹ ہوں", "وہ ایک بلی ہے", "موسم اچھا ہے", "کیا وقت ہوا ہے؟", "مجھے تم پسند ہو", "تیز بھوری لومڑی")


def make_translator(name: str, folder: Path, **changes: Any) -> Any:
    """The reference; its checkpoint is in the folder, with the SentencePiece files of a Marian."""
    vocabularies = sentence_piece_files(folder, "two vocabularies" in name)
    read, written = (len(each) for each in vocabularies)
    config = transformers.MarianConfig(
        **{**TRANSLATORS[name], **changes}, vocab_size=read, decoder_vocab_size=written, pad_token_id=written - 1,
        decoder_start_token_id=written - 1, bad_words_ids=[[written - 1]],
    )  # fmt: skip
    model = transformers.MarianMTModel._from_config(config, attn_implementation="eager")
    random = torch.Generator().manual_seed(1)
    model = randomised(model)
    model.final_logits_bias.copy_(torch.randn(model.final_logits_bias.shape, generator=random))
    for parts in (model.model.encoder, model.model.decoder):
        parts.embed_positions.weight.data.copy_(parts.embed_positions.create_weight())
    model.save_pretrained(folder)
    return model


def make_vision(
    name: str, folder: Path, head: str = "ForImageClassification", changes: Mapping[str, Any] = {}, **preparation: Any
) -> Any:
    """The reference; its checkpoint is in the folder, with the file that says how pictures are prepared."""
    kind, values = VISION[name]
    config = getattr(transformers, f"{kind}Config")(**{**values, "id2label": LABELS, "label2id": {}, **changes})
    model = randomised(getattr(transformers, kind + head)._from_config(config, attn_implementation="eager"))
    model.save_pretrained(folder)
    channels, size = config.num_channels, 224 if kind.startswith("Dinov2") else config.image_size
    prepared = {
        "image_mean": [0.4] * channels,
        "image_std": [0.3] * channels,
        "size": {"height": size, "width": size},
        "resample": 3,
        "do_center_crop": False,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(prepared | preparation))
    return model


def sentence_piece_files(folder: Path, separate: bool = False) -> list[dict[str, int]]:
    """Writes `source.spm`, `target.spm` and the vocabulary of both, or of each, and gives the vocabularies back."""
    folder.mkdir(exist_ok=True, parents=True)
    pieces: list[list[str]] = []
    for name, sentences in (("source", (*SENTENCES, *WORDS)), ("target", (*URDU, *WORDS))):
        made = sentence_pieces(sentences)
        (folder / f"{name}.spm").write_bytes(made)
        processor = sentencepiece.SentencePieceProcessor(model_proto=made)
        pieces.append([processor.id_to_piece(id) for id in range(2, processor.get_piece_size())])
    # Padding is the last piece. Two vocabularies of one length, since config.json names one padding for both.
    most = max(map(len, pieces))
    filled = [[*each, *(f"unused{id}" for id in range(len(each), most))] for each in pieces]
    listed = filled if separate else [[*pieces[0], *pieces[1]]] * 2
    made_of = [dict.fromkeys(["</s>", "<unk>", ">>urd<<", *reversed(each), "<pad>"]) for each in listed]
    vocabularies = [{piece: id for id, piece in enumerate(each)} for each in made_of]
    for name, vocabulary in zip(("vocab.json", "target_vocab.json")[: 1 + separate], vocabularies, strict=False):
        (folder / name).write_text(json.dumps(vocabulary), encoding="utf-8")
    return vocabularies


@cache
def sentence_pieces(sentences: tuple[str, ...]) -> bytes:
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences * 3), model_writer=made, vocab_size=90, hard_vocab_limit=False,
        bos_id=-1, eos_id=0, unk_id=1, minloglevel=2, num_threads=1,
    )  # fmt: skip
    return made.getvalue()
