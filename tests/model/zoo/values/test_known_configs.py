"""Every key of the configuration classes of `transformers` is in a list of its family: a new release tells us here."""

from __future__ import annotations

import dataclasses
import inspect
import re
from importlib import import_module
from typing import Any

import pytest
from transformers import GenerationConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from model.errors import DamagedWeights
from model.zoo import clip, siglip
from model.zoo.families import FAMILIES
from model.zoo.values.known_values import KnownValues

READ_HERE = re.compile(r"""config\.([a-zA-Z_]+)|getattr\((?:self\.)?config, *"([a-zA-Z_]+)\"""")
# What the networks ask their configuration that is no key of a file, or that changes no number of a run.
HARMLESS = {
    "_attn_implementation", "use_cache", "chunk_size_feed_forward", "initializer_range", "initializer_factor",
    "is_decoder", "is_encoder_decoder", "to_dict", "get_text_config",
}  # fmt: skip


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_key_of_the_class_is_in_a_list(kind: str) -> None:
    family, theirs = FAMILIES[kind], CONFIG_MAPPING[kind]
    saved = set(theirs().to_dict()) | set(theirs().__dict__) - {"_post_init_done"}
    fields = {field.name for field in dataclasses.fields(theirs)}
    writing = set(GenerationConfig._get_default_generation_params())
    assert not (saved | fields | set(theirs.attribute_map) | writing) - family.known.keys
    assert theirs.attribute_map == family.synonyms


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_missing_value_is_the_default_of_the_class(kind: str) -> None:
    family, theirs = FAMILIES[kind], CONFIG_MAPPING[kind]
    fields = {field.name: field.default for field in dataclasses.fields(theirs)}
    common = {"architectures", "id2label", "problem_type"}  # of all classes, and without one
    read = {key for key in fields if key in family.known.read} - common
    assert {key: fields[key] for key in read} == {key: family.defaults[key] for key in read}
    assert set(family.defaults) - read <= {"tie_word_embeddings"}  # which T5's class sets, whatever a file says


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_key_is_in_one_list(kind: str) -> None:
    known = FAMILIES[kind].known
    lists: list[set[Any]] = [set(known.read), set(known.without_effect), set(known.refused)]
    assert sum(map(len, lists)) == len(known.keys)


@pytest.mark.parametrize("kind", FAMILIES)
def test_what_the_network_asks_its_configuration_is_read_or_refused(kind: str) -> None:
    """A value without effect is one that the code of the network uses for dropout, for other heads, or not at all."""
    family = FAMILIES[kind]
    module = CONFIG_MAPPING[kind].__module__.replace("configuration_", "modeling_")
    asked = {one or other for one, other in READ_HERE.findall(inspect.getsource(import_module(module)))}
    asked = {key for key in asked if not re.search("dropout|drop$|pdrop|layerdrop|drop_path|summary|pooler", key)}
    of_towers = {key for tower in TOWERS.get(kind, {}).values() for key in tower}
    assert asked - {*family.known.read, *family.known.refused} - HARMLESS - of_towers == set(UNREAD.get(kind, ()))


# By family: the values that are read of each tower, with their defaults.
TOWERS = {"clip": clip.DEFAULTS, "siglip": siglip.DEFAULTS}


@pytest.mark.parametrize("tower", ["vision", "text"])
@pytest.mark.parametrize("kind", TOWERS)
def test_every_key_of_a_tower_is_known_and_has_the_default_of_its_class(kind: str, tower: str) -> None:
    theirs = CONFIG_MAPPING[f"{kind}_{tower}_model"]
    fields = {field.name: field.default for field in dataclasses.fields(theirs)}
    read = TOWERS[kind][tower]
    assert {key: fields[key] for key in read} == read
    FAMILIES[kind].configure({f"{tower}_config": theirs().to_dict()})
    with pytest.raises(DamagedWeights, match="new_key"):
        FAMILIES[kind].configure({"vision_config": {"new_key": 1}})


# By family: what the code of the network asks and no number that is read here depends on.
UNREAD: dict[str, tuple[str, ...]] = {
    "gpt2": ("reorder_and_upcast_attn",),
    "bloom": ("output_attentions", "output_hidden_states", "pretraining_tp", "return_dict", "slow_but_exact"),
    "mpt": ("output_attentions", "output_hidden_states", "return_dict"),
    "gpt_neo": ("attention_layers", "dtype", "output_attentions", "output_hidden_states", "return_dict"),
    "gemma3_text": ("text_config", "vision_config", "image_token_id", "mm_tokens_per_image"),  # of pictures and texts
    # The window is half of `local_attention`. Heads have a width of their own in no file.
    "modernbert": (
        *("deterministic_flash_attn", "head_dim", "initializer_cutoff_factor", "sliding_window"),
        *("sparse_prediction", "sparse_pred_ignore_index"),
    ),
    **dict.fromkeys(
        ("qwen2_moe", "qwen3_moe", "olmoe", "granitemoe", "granitemoeshared"),
        ("output_router_logits", "router_aux_loss_coef"),
    ),
    "mixtral": ("output_router_logits", "router_aux_loss_coef", "router_jitter_noise"),
    "distilbert": ("sinusoidal_pos_embds",),
    "vit": ("encoder_stride",),
    "deit": ("encoder_stride",),
    "dinov2": ("image_size", "layerscale_value", "apply_layernorm", "reshape_hidden_states", "use_mask_token"),
    "clip": ("logit_scale_init_value",),
    "siglip": ("id", "vision_use_head"),  # the second one is of a tower: refused, unless it is true
    "dinov2_with_registers": ("image_size", "layerscale_value", "apply_layernorm", "reshape_hidden_states"),
}


def test_lists_are_joined_key_by_key() -> None:
    assert not (KnownValues(read=("a",)) | KnownValues(without_effect=("a",))).read
