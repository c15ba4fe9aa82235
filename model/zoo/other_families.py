"""What well-known models are that no family here reads: why not, in words, and what would do in their place."""

from __future__ import annotations

# What they are -> the `model_type` of config.json, or the `general.architecture` of a GGUF file.
OTHERS = {
    "It is a mixture of experts: each token takes a few of many feed-forward networks. No file of it can be read; take "
    "a model without experts": (
        *("gpt_oss", "gpt-oss"),
        *("deepseek_v2", "deepseek_v3", "deepseek2", "llama4", "llama4_text", "dbrx", "phimoe", "switch_transformers"),
    ),
    "Its layers have no attention, or not each of them. No file of it can be read": (
        *("mamba", "mamba2", "falcon_mamba", "jamba", "rwkv", "rwkv6", "rwkv7", "recurrent_gemma", "xlstm", "lfm2"),
        *("bamba", "zamba2", "qwen3_next"),
    ),
    "Its norms, caps and scales are of their own kind. No file of it can be read": (
        *("gemma", "gemma3n", "cohere", "cohere2"),
    ),
    "It reads pictures and texts together. The model of text that it was made from can be read, where that is of these "
    "families": (
        *("llava", "llava_next", "llava_onevision", "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen2vl", "qwen3vl"),
        *("gemma3", "paligemma", "mllama", "idefics2", "idefics3", "smolvlm", "internvl", "mistral3", "pixtral"),
    ),
    "It is two networks, one for pictures and one for texts. CLIP and SigLIP can be read, and it cannot": (
        *("siglip2", "chinese_clip", "blip", "blip-2"),
    ),
    "It reads sound": ("whisper", "wav2vec2", "hubert", "moonshine"),
}
BY_KIND = {kind: words for words, kinds in OTHERS.items() for kind in kinds}


def say_other(kind: object) -> str:
    """A sentence on a kind of model that is not read; "" where nothing more is known of it."""
    words = BY_KIND.get(kind, "") if isinstance(kind, str) else ""
    return f" {words}." if words else ""
