"""Tiny random checkpoints of two towers, one of pictures and one of texts, made by `transformers`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import transformers
from tokenizers import models, pre_tokenizers, trainers

from tests.model.networks import SENTENCES
from tests.model.zoo.tiny import randomised
from tests.model.zoo.tiny_t5 import write_pieces

CLIP_VOCABULARY = 560  # each byte inside a word and at its end, and the most frequent pairs
LAYERS: dict[str, Any] = {"num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48}
PICTURES: dict[str, Any] = {**LAYERS, "hidden_size": 32, "image_size": 32, "patch_size": 8}
TEXTS: dict[str, Any] = {**LAYERS, "hidden_size": 24, "max_position_embeddings": 20, "vocab_size": CLIP_VOCABULARY}
ENDS = {"eos_token_id": CLIP_VOCABULARY - 1, "bos_token_id": CLIP_VOCABULARY - 2, "pad_token_id": CLIP_VOCABULARY - 1}
# The name of the variation -> the values of each tower, and those of both.
CLIPS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "clip": (PICTURES, {**TEXTS, **ENDS}, {"projection_dim": 20}),
    "clip, older": (
        {**PICTURES, "patch_size": 16, "num_attention_heads": 2}, {**TEXTS, **ENDS, "eos_token_id": 2},
        {"projection_dim": 12},
    ),
    "clip, grey": (
        {**PICTURES, "num_channels": 1, "hidden_act": "gelu", "layer_norm_eps": 1e-3, "num_hidden_layers": 1},
        {**TEXTS, **ENDS, "hidden_act": "gelu", "num_attention_heads": 3, "num_hidden_layers": 2},
        {"projection_dim": 40},
    ),
}  # fmt: skip


def make_clip(name: str, folder: Path, **changes: Any) -> Any:
    """The reference; its checkpoint is in the folder, with the files of its tokenizer and of its pictures.

    `changes` are those of the tower of pictures.
    """
    pictures, texts, both = CLIPS[name]
    config = transformers.CLIPConfig(vision_config={**pictures, **changes}, text_config=texts, **both)
    config._attn_implementation = "eager"
    model = randomised(transformers.CLIPModel._from_config(config, attn_implementation="eager"))
    model.save_pretrained(folder)
    save_clip_tokenizer(folder)
    save_preparation(folder, config.vision_config, "CLIPImageProcessor")
    return model


# The name of the variation -> the values of each tower.
SIGLIPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "siglip": (PICTURES, {**TEXTS, "hidden_size": 32}),
    "siglip, large patches": (
        {**PICTURES, "patch_size": 16, "hidden_size": 24, "num_attention_heads": 3, "num_channels": 1},
        {**TEXTS, "hidden_size": 32, "projection_size": 24, "max_position_embeddings": 18},
    ),
    "siglip, relu": (
        {**PICTURES, "image_size": 37, "hidden_act": "relu", "num_hidden_layers": 1},
        {**TEXTS, "hidden_size": 20, "projection_size": 32, "hidden_act": "gelu", "num_hidden_layers": 2},
    ),
}


def make_siglip(name: str, folder: Path, **changes: Any) -> Any:
    """As `make_clip`, of a SigLIP."""
    pictures, texts = SIGLIPS[name]
    write_pieces(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "SiglipTokenizer"}))
    size = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model")).get_piece_size()
    config = transformers.SiglipConfig(vision_config={**pictures, **changes}, text_config={**texts, "vocab_size": size})
    model = randomised(transformers.SiglipModel._from_config(config, attn_implementation="eager"))
    model.save_pretrained(folder)
    save_preparation(folder, config.vision_config, "SiglipImageProcessor")
    return model


def save_preparation(folder: Path, config: Any, name: str) -> None:
    """The file that says how pictures are prepared."""
    prepared = {
        "image_processor_type": name,
        "image_mean": [0.4] * config.num_channels,
        "image_std": [0.3] * config.num_channels,
        "size": {"height": config.image_size, "width": config.image_size},
        "do_center_crop": False,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(prepared))


def save_clip_tokenizer(folder: Path) -> None:
    """Byte-level BPE with ends of words, trained on the example sentences, in the files of older folders."""
    backend = tokenizers.Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    all_bytes = [*alphabet, *(f"{byte}</w>" for byte in alphabet)]
    trainer = trainers.BpeTrainer(
        vocab_size=CLIP_VOCABULARY, initial_alphabet=alphabet, end_of_word_suffix="</w>", show_progress=False
    )
    backend.train_from_iterator([each.lower() for each in SENTENCES], trainer)
    found = json.loads(backend.to_str())["model"]
    merges = [pair if isinstance(pair, str) else " ".join(pair) for pair in found["merges"]]
    known = [*all_bytes, *(piece for piece in sorted(found["vocab"], key=found["vocab"].get) if piece not in all_bytes)]
    pieces = [*known[: CLIP_VOCABULARY - 2], "<|startoftext|>", "<|endoftext|>"]
    kept = [pair for pair in merges if set(pair.split(" ")) | {pair.replace(" ", "")} <= set(pieces)]
    (folder / "vocab.json").write_text(json.dumps({piece: id for id, piece in enumerate(pieces)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *kept]))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "CLIPTokenizer"}))
