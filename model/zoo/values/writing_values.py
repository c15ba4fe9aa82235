"""What generation_config.json says of writing: the values that are read, those without effect here, and those that
change what `generate` of transformers writes but nothing here.

A run has the same numbers whatever stands there, so none of them is a reason to refuse a model: the card says them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.zoo.files import read_object
from model.zoo.values.known_values import KnownValues, Only, in_json, quoted

GENERATION_CONFIG = "generation_config.json"
# The reader chooses how a token is drawn, how wide a beam is and how long a text gets.
CHOSEN_HERE = (
    *("do_sample", "temperature", "top_k", "top_p", "min_p", "top_h", "typical_p", "epsilon_cutoff", "eta_cutoff"),
    *("num_beams", "num_beam_groups", "diversity_penalty", "length_penalty", "early_stopping", "num_return_sequences"),
    *("max_length", "max_new_tokens", "max_time", "forced_eos_token_id"),  # the last one is written at that length
    *(
        "max_context_size",
        "max_window_size",
        "chat_format",
        "user_token_id",
        "assistant_token_id",
    ),  # of Qwen's own code
)
SPEED = (
    *("use_cache", "cache_implementation", "cache_config", "max_cache_len", "prefill_chunk_size", "low_memory"),
    *("compile_config", "disable_compile", "continuous_batching_config", "use_mtp", "speculation_type"),
    *("is_assistant", "num_assistant_tokens", "num_assistant_tokens_schedule", "assistant_confidence_threshold"),
    *("assistant_early_exit", "assistant_lookbehind", "target_lookbehind", "assistant_ensemble_weight"),
    *("prompt_lookup_num_tokens", "max_matching_ngram_size"),
)
FORM = (  # of what is given back, and of batches; dividing all probabilities by their sum keeps their order
    *("output_attentions", "output_hidden_states", "output_scores", "output_logits", "return_dict_in_generate"),
    *("pad_token_id", "bos_token_id", "renormalize_logits", "remove_invalid_values"),
    *("transformers_version", "_from_model_config", "_commit_hash", "_original_object_hash", "return_dict"),
    *("trust_remote_code", "attn_implementation", "generation_mode", "task_specific_params"),
)
WRITING = KnownValues(
    read=("eos_token_id",),
    without_effect=(*CHOSEN_HERE, *SPEED, *FORM),
    refused={
        "repetition_penalty": Only((None, 1.0), "a token that stood in the text before is less likely"),
        "encoder_repetition_penalty": Only((None, 1.0), "a token of the source is more or less likely"),
        "no_repeat_ngram_size": Only((None, 0), "no run of so many tokens is written twice"),
        "encoder_no_repeat_ngram_size": Only((None, 0), "no run of so many tokens of the source is written"),
        "bad_words_ids": Only((None, []), "these tokens are never written"),
        "suppress_tokens": Only((None, []), "these tokens are never written"),
        "begin_suppress_tokens": Only((None, []), "these tokens are not the first ones"),
        "sequence_bias": Only((None, {}, []), "some tokens are more or less likely"),
        "forced_bos_token_id": Only((None,), "this token is written first"),
        "forced_decoder_ids": Only((None, []), "these tokens are written at their places"),
        "force_bos_token_to_be_generated": Only((None, False), "the start token is written first"),
        "decoder_start_token_id": Only((None,), "the decoder starts with this token"),
        "min_length": Only((None, 0), "no text ends earlier"),
        "min_new_tokens": Only((None, 0), "no text ends earlier"),
        "exponential_decay_length_penalty": Only((None,), "an end is the likelier the longer the text is"),
        "stop_strings": Only((None, []), "a text ends with one of these strings"),
        "guidance_scale": Only((None, 1), "the text is weighed against one without its prompt"),
        "token_healing": Only((None, False), "the last token of the prompt may be written anew"),
        "watermarking_config": Only((None,), "some tokens are made likelier as a mark"),
        "penalty_alpha": Only((None, 0), "tokens unlike those before are preferred"),
        "dola_layers": Only((None,), "the last layer is weighed against earlier ones"),
        "constraints": Only((None, []), "some tokens must be written"),
        "force_words_ids": Only((None, []), "these tokens must be written"),
    },
)


def read_writing(folder: Path, config: TransformerConfig) -> dict[str, Any] | None:
    """The values of a folder's generation_config.json; None where it has none, or the model writes nothing.

    Raises `DamagedWeights` for a file that is no JSON.
    """
    path = folder / GENERATION_CONFIG
    return read_object(path) if config.n_decoder_layers and path.is_file() else None


def say_written_otherwise(config: Mapping[str, Any], writing: Mapping[str, Any] | None) -> str:
    """A sentence for each unknown value, and for each value with which `generate` of `transformers` writes other tokens
    than this program; "" where there is none.

    `config` are the values of config.json, `writing` those of `read_writing`.
    """
    done = {"decoder_start_token_id": config.get("decoder_start_token_id")}
    if config.get("model_type") == "marian":
        done["bad_words_ids"] = [[config.get("pad_token_id")]]  # `model.zoo.marian.UNWRITTEN`
    values = {key: value for key, value in (writing or {}).items() if key not in done or value != done[key]}
    return " ".join(filter(None, (_say(key, value) for key, value in values.items())))


def _say(key: str, value: Any) -> str:
    only, stands = WRITING.refused.get(key), f"{GENERATION_CONFIG} has {quoted(key)} = {in_json(value)}"
    if only is not None:
        return "" if value in only.allowed else f"{stands}: with it, {only.effect}. That is not done here."
    return "" if key in WRITING.keys else f"{stands}. What it changes in writing is not known here."
