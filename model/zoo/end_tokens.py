"""The tokens that end what a model writes: `eos_token_id` of generation_config.json.

A folder without that file has them in config.json. This is what `generate` of the library transformers does.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.config_values import KnownValues, check_values
from model.zoo.files import damaged, read_object

GENERATION_CONFIG = "generation_config.json"
KEY = "eos_token_id"
# Of generation_config.json. The reader says here how a text is chosen from the numbers, so what a file proposes
# changes no number, and no word that is written.
KNOWN = KnownValues(
    read=(KEY,),
    without_effect=(
        # Which of the likely tokens is taken, and how likely some are made
        *("do_sample", "temperature", "top_k", "top_p", "top_h", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff"),
        *("repetition_penalty", "encoder_repetition_penalty", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size"),
        *("bad_words_ids", "force_words_ids", "constraints", "suppress_tokens", "begin_suppress_tokens"),
        *("sequence_bias", "guidance_scale", "penalty_alpha", "exponential_decay_length_penalty", "dola_layers"),
        *("remove_invalid_values", "renormalize_logits", "watermarking_config", "token_healing", "low_memory"),
        *("forced_bos_token_id", "forced_eos_token_id", "forced_decoder_ids", "force_bos_token_to_be_generated"),
        # How many texts are looked at together, and how long one may be
        *("num_beams", "num_beam_groups", "diversity_penalty", "length_penalty", "early_stopping"),
        *("num_return_sequences", "max_length", "min_length", "max_new_tokens", "min_new_tokens", "max_time"),
        *("stop_strings", "max_context_size", "max_window_size", "chat_format"),
        # Tokens that the tokenizer and config.json name
        *("bos_token_id", "pad_token_id", "decoder_start_token_id", "user_token_id", "assistant_token_id"),
        # Faster ways to the same text
        *("use_cache", "cache_implementation", "cache_config", "max_cache_len", "prefill_chunk_size", "use_mtp"),
        *("is_assistant", "num_assistant_tokens", "num_assistant_tokens_schedule", "assistant_confidence_threshold"),
        *("assistant_early_exit", "assistant_ensemble_weight", "assistant_lookbehind", "target_lookbehind"),
        *("prompt_lookup_num_tokens", "max_matching_ngram_size", "speculation_type", "compile_config"),
        *("disable_compile", "continuous_batching_config"),
        # What the library gives back, and notes
        *("output_attentions", "output_hidden_states", "output_logits", "output_scores", "return_dict_in_generate"),
        *("return_dict", "transformers_version", "_from_model_config", "_commit_hash", "_original_object_hash"),
        *("trust_remote_code", "attn_implementation", "generation_mode", "task_specific_params"),
    ),
)
# The ends of a text, of a turn and of a message, in the metadata of a GGUF file.
GGUF_ENDS = tuple(f"tokenizer.ggml.{end}_token_id" for end in ("eos", "eot", "eom"))


def set_ends(tokenizer: Tokenizer, folder: Path, values: dict[str, Any], config: TransformerConfig) -> Tokenizer:
    """The tokenizer of what a model writes, with the ends that the files name. `values` are those of config.json.

    A translator for which no file names one keeps the end of its tokenizer, since a translation must end.
    Raises `DamagedWeights` for something else than ids.
    """
    ends = read_ends(folder, values, config.target_vocab_size or config.vocab_size)
    if ends or config.kind == "decoder":
        tokenizer.ends = ends
    return tokenizer


def read_ends(folder: Path, values: dict[str, Any], vectors: int) -> tuple[int, ...]:
    """The ids that end the writing of a model with so many vectors of tokens. Raises `DamagedWeights`."""
    beside = folder / GENERATION_CONFIG
    path, named = (beside, read_object(beside)) if beside.is_file() else (folder / "config.json", values)
    if path == beside:
        check_values(path, named, KNOWN)
    ends = named.get(KEY)
    ids = ends if isinstance(ends, list) else [ends]
    if any(id is not None and type(id) is not int for id in ids):
        raise damaged(path, "names no token that ends a text", f"{KEY} is {repr(ends)[:60]}")
    return ids_of_ends(ids, vectors)


def ids_of_ends(named: Iterable[int | None], vectors: int) -> tuple[int, ...]:
    """The named ids, each once. One that no token has ends nothing, and is left out.

    A small GPT-2 often keeps 50256, the end of the large one's vocabulary.
    """
    return tuple(dict.fromkeys(id for id in named if id is not None and 0 <= id < vectors))
