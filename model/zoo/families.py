"""The families of checkpoints that can be read, by the `model_type` of their `config.json`."""

from __future__ import annotations

from typing import Any

from model.errors import UnsupportedFamily
from model.zoo.albert import ALBERT
from model.zoo.alibi_families import BLOOM, MPT
from model.zoo.bert import BERT, DISTILBERT, ROBERTA, XLM_ROBERTA
from model.zoo.clip import CLIP
from model.zoo.electra import ELECTRA
from model.zoo.experts import GRANITE_MOE, GRANITE_MOE_SHARED, MIXTRAL, OLMOE, QWEN2_MOE, QWEN3_MOE
from model.zoo.family import Family
from model.zoo.gemma import GEMMA2, GEMMA3
from model.zoo.gpt2 import GPT2
from model.zoo.gpt_neo import GPT_NEO
from model.zoo.gpt_neox import GPT_NEOX
from model.zoo.granite import GRANITE
from model.zoo.llama import LLAMA, MISTRAL, QWEN2, QWEN3
from model.zoo.marian import MARIAN
from model.zoo.modernbert import MODERNBERT
from model.zoo.olmo import OLMO2, OLMO3
from model.zoo.opt import BIOGPT, OPT
from model.zoo.other_families import say_other
from model.zoo.phi3 import PHI3
from model.zoo.seed_oss import SEED_OSS
from model.zoo.siglip import SIGLIP
from model.zoo.smollm3 import SMOLLM3
from model.zoo.stablelm import STABLELM
from model.zoo.t5 import MT5, T5, UMT5
from model.zoo.vit import DEIT, DINOV2, DINOV2_REGISTERS, VIT

FAMILIES: dict[str, Family] = {
    "llama": LLAMA,
    "mistral": MISTRAL,
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "gemma2": GEMMA2,
    "gemma3_text": GEMMA3,
    "granite": GRANITE,
    "seed_oss": SEED_OSS,
    "mixtral": MIXTRAL,
    "qwen2_moe": QWEN2_MOE,
    "qwen3_moe": QWEN3_MOE,
    "olmoe": OLMOE,
    "granitemoe": GRANITE_MOE,
    "granitemoeshared": GRANITE_MOE_SHARED,
    "smollm3": SMOLLM3,
    "phi3": PHI3,
    "stablelm": STABLELM,
    "olmo2": OLMO2,
    "olmo3": OLMO3,
    "gpt2": GPT2,
    "gpt_neo": GPT_NEO,
    "gpt_neox": GPT_NEOX,
    "opt": OPT,
    "biogpt": BIOGPT,
    "bloom": BLOOM,
    "mpt": MPT,
    "bert": BERT,
    "roberta": ROBERTA,
    "xlm-roberta": XLM_ROBERTA,
    "camembert": XLM_ROBERTA,
    "distilbert": DISTILBERT,
    "electra": ELECTRA,
    "albert": ALBERT,
    "modernbert": MODERNBERT,
    "marian": MARIAN,
    "t5": T5,
    "mt5": MT5,
    "umt5": UMT5,
    "vit": VIT,
    "deit": DEIT,
    "dinov2": DINOV2,
    "dinov2_with_registers": DINOV2_REGISTERS,
    "clip": CLIP,
    "siglip": SIGLIP,
}


def families_in_words() -> str:
    """The names of all families: "Llama, BERT"."""
    return ", ".join(dict.fromkeys(family.name for family in FAMILIES.values()))


def family_of(values: dict[str, Any]) -> Family:
    """The family of a config.json's values. Raises `UnsupportedFamily`, which lists the families."""
    kind = values.get("model_type")
    found = FAMILIES.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise UnsupportedFamily(
            f"config.json says model_type {repr(kind)[:60]}, which cannot be read. These can: {families_in_words()}."
            + say_other(kind)
        )
    return found
