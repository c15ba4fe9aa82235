"""Small networks with random weights, and a tokenizer of whole words, for the tests."""

from __future__ import annotations

from typing import Any

import tokenizers
import torch
from tokenizers import models, pre_tokenizers

from model import Card, Model
from model.config import TransformerConfig
from model.experiments.example_sentences import EXAMPLE_SENTENCES
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer

SENTENCES = EXAMPLE_SENTENCES

SHAPE: dict[str, Any] = {"vocab_size": 23, "d_model": 16, "n_heads": 4, "d_ff": 24, "max_length": 32}
LAYERS: dict[str, dict[str, int]] = {
    "encoder": {"n_encoder_layers": 2},
    "decoder": {"n_decoder_layers": 2},
    "encoder-decoder": {"n_encoder_layers": 2, "n_decoder_layers": 3},
}
LLAMA: dict[str, Any] = {
    "norm": "rms",
    "norm_position": "pre",
    "positions": "rotary",
    "bias": False,
    "activation": "silu",
    "gated": True,
    "n_kv_heads": 2,
    "embed_scale": False,
}
BERT: dict[str, Any] = {
    "positions": "learned",
    "n_segments": 2,
    "embed_norm": True,
    "embed_scale": False,
    "activation": "gelu",
}
VISION: dict[str, Any] = {
    "vocab_size": 0,
    "image_size": 8,
    "patch_size": 4,
    "channels": 3,
    "max_length": 5,
    "image_labels": ("cat", "dog", "bird"),
    "positions": "learned",
    "norm_position": "pre",
    "activation": "gelu",
    "embed_scale": False,
    "layer_scale": True,
}
TAUGHT_VISION: dict[str, Any] = {**VISION, "max_length": 6, "distillation_token": True, "distillation_head": True}
REGISTERS: dict[str, Any] = {**VISION, "max_length": 7, "n_registers": 2, "gated": True, "activation": "silu"}
CLIP_PICTURE: dict[str, Any] = {
    **VISION,
    "layer_scale": False,
    "embed_norm": True,
    "activation": "gelu_quick",
    "patch_bias": False,
    "shared_width": 6,
}
SIGLIP_PICTURE: dict[str, Any] = {
    **VISION, "class_token": False, "max_length": 4, "pooled": "probe", "shared_width": 16, "label_scores": "sigmoid"
}  # fmt: skip
PICTURES: dict[str, dict[str, Any]] = {  # encoders of pictures
    "vision": VISION,
    "scaled vision": {**VISION, "embed_scale": True, "norm_position": "post"},
    "taught vision": TAUGHT_VISION,
    "registers": REGISTERS,
    "CLIP, pictures": CLIP_PICTURE,
    "SigLIP, pictures": SIGLIP_PICTURE,
}
CLIP_TEXT: dict[str, Any] = {
    "norm_position": "pre",
    "positions": "learned",
    "embed_scale": False,
    "activation": "gelu_quick",
    "causal": True,
    "shared_width": 6,
    "pooled": "last",
}
GPT2: dict[str, Any] = {
    "norm_position": "pre",
    "positions": "learned",
    "embed_scale": False,
    "activation": "gelu_tanh",
}
MODERNBERT: dict[str, Any] = {
    "norm_position": "pre",
    "bias": False,
    "norm_bias": False,
    "unnormed_first": True,
    "embed_norm": True,
    "positions": "rotary",
    "window": 2,
    "window_layers": (1,),
    "window_base": 50.0,
    "embed_scale": False,
    "activation": "gelu",
    "gated": True,
    "transform": "gelu",
    "transform_bias": False,
}
GPT_NEOX: dict[str, Any] = {
    "norm_position": "pre",
    "parallel_residual": True,
    "positions": "rotary",
    "rotary_width": 2,
    "embed_scale": False,
    "activation": "gelu",
    "tied_embeddings": False,
}
QWEN2: dict[str, Any] = {**LLAMA, "qkv_bias": True, "rotary_scaling": (1.0, 5.5)}
QWEN3: dict[str, Any] = {**LLAMA, "qk_norm": True, "d_head": 6}
YARN: dict[str, Any] = {**LLAMA, "rotary_scaling": (1.0, 4.0), "rotary_gain": 1.25}
MISTRAL: dict[str, Any] = {**LLAMA, "window": 3}
OLMO2: dict[str, Any] = {**LLAMA, "norm_position": "output", "qk_norm": True, "qk_norm_whole": True}
GRANITE: dict[str, Any] = {**LLAMA, "token_scale": 3.5, "score_width": 5.0, "residual_scale": 0.3, "logit_scale": 0.4}
GEMMA3: dict[str, Any] = {
    **LLAMA,
    "norm_position": "both",
    "qk_norm": True,
    "d_head": 6,
    "embed_scale": True,
    "score_width": 20.0,
    "window": 3,
    "window_layers": (0,),
    "window_base": 50.0,
    "unturned_layers": (1,),
    "rotary_scaling": (1.0, 2.0, 4.0),
}
MIXTRAL: dict[str, Any] = {**LLAMA, "n_experts": 4, "n_taken": 2}
QWEN_MOE: dict[str, Any] = {**MIXTRAL, "normalise_taken": False, "d_shared": 10, "shared_gate": True}
GEMMA2: dict[str, Any] = {**LLAMA, "norm_position": "both", "score_cap": 1.5, "logit_cap": 2.0}
MARIAN: dict[str, Any] = {"sines_first": True, "output_bias": True, "activation": "silu"}
T5: dict[str, Any] = {
    "norm": "rms",
    "norm_position": "pre",
    "bias": False,
    "scale_scores": False,
    "positions": "relative",
    "relative_buckets": 8,
    "relative_reach": 6,
    "embed_scale": False,
    "scale_logits": True,
}
# Every kind of model and every choice of its configuration at least once.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "paper": ("encoder-decoder", {"target_vocab_size": 19}),
    "one vocabulary": ("encoder-decoder", {}),
    "pre-norm translator": ("encoder-decoder", {"norm_position": "pre", "positions": "rotary", "n_kv_heads": 1}),
    "Marian": ("encoder-decoder", MARIAN),
    "T5": ("encoder-decoder", {**T5, "d_head": 6}),
    "T5 v1.1": (
        "encoder-decoder",
        {**T5, "activation": "gelu_tanh", "gated": True, "scale_logits": False, "tied_embeddings": False},
    ),
    "UMT5": ("encoder-decoder", {**T5, "own_biases": True, "gated": True}),
    "relative decoder": ("decoder", {**T5, "scale_scores": True, "output_bias": True}),
    "Llama": ("decoder", LLAMA),
    "GPT-2": ("decoder", GPT2),
    "scores by layer": ("decoder", {**GPT2, "scores_by_layer": True}),
    "GPT-NeoX": ("decoder", GPT_NEOX),
    "Qwen2": ("decoder", QWEN2),
    "Qwen3": ("decoder", QWEN3),
    "Mistral": ("decoder", MISTRAL),
    "YaRN": ("decoder", YARN),
    "YaRN, a part of the head": ("decoder", {**GPT_NEOX, "rotary_scaling": (2.0,), "rotary_gain": 1.25}),
    "OLMo 2": ("decoder", OLMO2),
    "Granite": ("decoder", GRANITE),
    "Gemma 2": ("decoder", GEMMA2),
    "BLOOM": ("decoder", {**GPT2, "positions": "alibi", "embed_norm": True}),
    "MPT": (
        "decoder",
        {**GPT2, "positions": "alibi", "bias": False, "norm_bias": False, "n_heads": 4, "n_kv_heads": 2},
    ),
    "Mixtral": ("decoder", MIXTRAL),
    "Qwen2-MoE": ("decoder", QWEN_MOE),
    "plain experts": ("encoder-decoder", {"n_experts": 3, "n_taken": 2, "d_shared": 8}),
    "capped": ("decoder", {**T5, "score_cap": 1.5, "output_bias": True}),
    "Gemma 3": ("decoder", GEMMA3),
    "norms before and after": (
        "encoder-decoder",
        {"norm_position": "both", "qk_norm": True, "qk_norm_whole": True, "n_kv_heads": 1},
    ),
    "window in one layer": ("decoder", {**QWEN2, "window": 2, "window_layers": (1,)}),
    "norms in cross-attention": ("encoder-decoder", {"qk_norm": True, "out_bias": False}),
    "plain decoder": ("decoder", {}),
    "concatenated": ("decoder", {"position_mix": "concat", "d_position": 6}),
    "no positions": ("decoder", {"positions": "none", "tied_embeddings": False}),
    "learned": ("decoder", {"positions": "learned", "norm_position": "pre"}),
    "wide heads": ("decoder", {"d_head": 6, "gated": True}),
    "BERT": ("encoder", BERT),
    "classifier": ("encoder", {"text_labels": ("a", "b", "c"), "token_labels": ("x", "y")}),
    "pooled classifier": ("encoder", {**BERT, "text_labels": ("a", "b", "c"), "transform": "tanh"}),
    "masked words": ("encoder", {**BERT, "masked_words": True, "transform": "gelu", "output_bias": True}),
    "masked words, own table": (
        "encoder",
        {**BERT, "masked_words": True, "transform": "relu"} | {"tied_embeddings": False},
    ),
    "ELECTRA, small": (
        "encoder",
        {**BERT, "embedding_size": 10, "masked_words": True, "transform": "gelu", "output_bias": True},
    ),
    "ALBERT of classes": (
        "encoder",
        {**BERT, "shared_layers": True, "embedding_size": 6, "text_labels": ("a", "b", "c"), "transform": "tanh"},
    ),
    "ModernBERT": ("encoder", {**MODERNBERT, "masked_words": True, "output_bias": True}),
    "ModernBERT of classes": ("encoder", {**MODERNBERT, "text_labels": ("a", "b", "c"), "transform_norm": True}),
    "CLIP, texts": ("encoder", CLIP_TEXT),
    "no residual": ("encoder", {"residual": False, "norm": "none", "scale_scores": False}),
}


def config(kind: str = "decoder", **changes: Any) -> TransformerConfig:
    return TransformerConfig(**{**SHAPE, **LAYERS[kind], **changes})


def network(kind: str = "decoder", seed: int = 0, **changes: Any) -> Any:
    """A `Transformer` of random weights; biases and gains too, or a test could not see them.

    Typed Any, since tests reach for parts that the type only knows as modules.
    """
    made = Transformer(config(kind, **changes)).eval().requires_grad_(False)
    random = torch.Generator().manual_seed(seed)
    for parameter in made.parameters():
        parameter.copy_(torch.randn(parameter.shape, generator=random) * 0.4)
    return made


def variant(name: str, **changes: Any) -> Any:
    kind, values = VARIANTS[name]
    return network(kind, **{**values, **changes})


def small_network(name: str) -> Any:
    """One of `VARIANTS` or of `PICTURES`."""
    return network("encoder", **PICTURES[name]) if name in PICTURES else variant(name)


def ids(length: int, seed: int = 0, vocab_size: int = SHAPE["vocab_size"]) -> torch.Tensor:
    return torch.randint(vocab_size, (length,), generator=torch.Generator().manual_seed(seed))


def inputs(made: Transformer, length: int = 7, source_length: int = 5) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Ids for the model, and for its encoder if it also has a decoder; pixels for a vision model."""
    if made.config.image_size:
        return pixels(made), None
    written = ids(length, vocab_size=made.config.target_vocab_size or made.config.vocab_size)
    return written, ids(source_length, seed=1) if made.config.kind == "encoder-decoder" else None


def pixels(made: Transformer, seed: int = 0) -> torch.Tensor:
    """A picture (C, H, W) of random pixels for a vision model."""
    shape = made.config.channels, made.config.image_size, made.config.image_size
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def word_tokenizer() -> Tokenizer:
    special = ["<PAD>", "<SOS>", "<EOS>", "<UNK>"]
    known = "I am a robot you like the dog is cool what time it bank river road cat fox here"
    words = [*special, *known.split()]
    backend = tokenizers.Tokenizer(models.WordLevel({word: id for id, word in enumerate(words)}, unk_token="<UNK>"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend.add_special_tokens(special)
    return Tokenizer(backend)


def small_model(name: str) -> Model:
    """A model of one of the variants that reads the words of `word_tokenizer`."""
    made = variant(name)
    card = Card(
        name="small",
        title="The small model",
        kind=made.config.kind,
        layers="2",
        heads=made.config.n_heads,
        positions=made.config.positions,
        parameters=sum(parameter.numel() for parameter in made.parameters()),
        max_length=made.config.max_length,
        licence="none",
        source="random numbers",
        about="for tests",
        size=0,
        get="",
    )
    return Model(made, word_tokenizer(), card)
