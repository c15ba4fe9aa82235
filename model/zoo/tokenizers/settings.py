"""What the small files beside a vocabulary say: tokenizer_config.json, special_tokens_map.json, added_tokens.json.

They are read in the order in which `transformers` 5 reads them. Where tokenizer_config.json lists the added tokens, the
two older files count for nothing. Where tokenizer.json is there, it alone says whether start and end are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import AddedToken

from model.zoo.files import build_from, read_object
from model.zoo.values.known_values import KnownValues, Only, check_values

NAMED = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
CONFIG, SPECIAL_MAP, ADDED, WHOLE = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "tokenizer.json",
)
KNOWN = KnownValues(
    read=(
        *(*NAMED, "tokenizer_class", "added_tokens_decoder", "additional_special_tokens", "extra_special_tokens"),
        *("model_specific_special_tokens", "do_lower_case", "strip_accents", "tokenize_chinese_chars"),
        *("add_prefix_space", "add_bos_token", "add_eos_token", "legacy", "extra_ids", "trim_offsets"),
        *("split_special_tokens", "auto_map", "chat_template"),
    ),
    without_effect=(
        # How long a text may be, and how several texts are brought to one length
        *(
            "model_max_length",
            "max_len",
            "max_length",
            "truncation",
            "truncation_side",
            "truncation_strategy",
            "stride",
        ),
        *("padding", "padding_side", "pad_to_multiple_of", "pad_token_type_id", "pad_token_segment_id"),
        *("sequence_a_segment_id", "cls_token_segment_id", "mask_padding_with_zero", "return_token_type_ids"),
        # From tokens back to a text
        *("clean_up_tokenization_spaces", "spaces_between_special_tokens", "errors", "skip_special_tokens"),
        "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output",
        # Talks and tools
        *("response_schema", "response_template", "use_default_system_prompt", "chat_control_tokens"),
        # Only the tokenizers written in Python read these; `transformers` 5 has none of them for our families
        *("do_basic_tokenize", "never_split", "wordpieces_prefix", "sp_model_kwargs", "max_input_chars_per_word"),
        *("clean_text", "do_word_tokenize", "do_subword_tokenize", "word_tokenizer_type", "subword_tokenizer_type"),
        *("from_slow", "use_fast", "lowercase", "keep_accents", "remove_space", "do_normalize"),
        # Notes of the program that wrote the file
        *(
            "name_or_path",
            "tokenizer_file",
            "vocab_file",
            "merges_file",
            "special_tokens_map_file",
            "added_tokens_file",
        ),
        *("full_tokenizer_file", "processor_class", "model_input_names", "init_inputs", "backend", "is_local"),
        *("local_files_only", "files_loaded", "tokenizer_type", "trust_remote_code", "transformers_version"),
        *(
            "verbose",
            "_commit_hash",
            "_from_auto",
            "model_type",
            "unk_id",
            "unk_token_id",
            "bos_token_id",
            "eos_token_id",
        ),
        *("pad_token_id", "cls_token_id", "sep_token_id", "mask_token_id", "vocab_size", "cache_dir", "revision"),
        *("device_map", "torch_dtype", "language", "do_sample", "image_seq_len", "src_lang", "tgt_lang"),
    ),
    refused={
        "fix_mistral_regex": Only((False, None), "a text is cut by another pattern than that of tokenizer.json"),
        "fast_tokenizer_files": Only((None, [], [WHOLE]), "the tokens are those of a file for a certain version"),
        "vocab": Only((None,), "the tokens are those that this file lists"),
        "merges": Only((None,), "the merges are those that this file lists"),
    },
)


@dataclass(frozen=True)
class Settings:
    """`values` are those of all these files. `added` are tokens that are read as one, by the id that a file gives.

    `own` are special tokens with a name of their own. `listed` says that tokenizer_config.json lists all added tokens.
    """

    folder: Path
    values: dict[str, Any]
    added: dict[int, AddedToken]
    own: dict[str, str | AddedToken]
    listed: bool

    def named(self, habit: Mapping[str, str | None]) -> dict[str, str | AddedToken | None]:
        """The special tokens by their names, such as `bos_token`; `habit` is that of a class where no file says it."""
        by_spelling = {token.content: token for token in self.added.values()}
        given = {key: self.values[key] for key in NAMED if key in self.values}
        names = {**dict.fromkeys(NAMED), **habit, **given, **self.own}
        return {key: by_spelling.get(str(token), token) for key, token in names.items()}


def read_settings(folder: Path) -> Settings:
    """Raises `DamagedWeights` for a file that is damaged, or that says what would change a token here unread."""
    path = folder / CONFIG
    values = read_object(path) if path.is_file() else {}
    own = {key: value for key, value in values.items() if key.endswith("_token") and key not in KNOWN.keys}
    said = {key: value for key, value in values.items() if key not in own and (value or key in KNOWN.keys)}
    check_values(path, said, KNOWN)
    return build_from(path, lambda values: _settings(folder, values), values)


def _settings(folder: Path, values: dict[str, Any]) -> Settings:
    values = {key: _unpack(value) for key, value in values.items()}
    listed, added = "added_tokens_decoder" in values, dict[int, AddedToken]()
    if (folder / WHOLE).is_file():  # it says itself what stands around a text
        values = {key: value for key, value in values.items() if key not in ("add_bos_token", "add_eos_token")}
    if "additional_special_tokens" in values and not values.get("extra_special_tokens"):
        values["extra_special_tokens"] = values.pop("additional_special_tokens")
    if listed:
        added = {int(id): as_token(token) for id, token in values.pop("added_tokens_decoder").items()}
    elif (folder / SPECIAL_MAP).is_file():
        values |= {key: _unpack(value) for key, value in read_object(folder / SPECIAL_MAP).items()}
    own = {key: values[key] for key in values if key.endswith("_token") and key not in NAMED}
    for name in ("model_specific_special_tokens", "extra_special_tokens"):
        if isinstance(values.get(name), dict):
            own |= values.pop(name)
    if not listed and (folder / ADDED).is_file():
        special = {str(values[key]) for key in NAMED if values.get(key)}
        special |= {str(token) for token in values.get("extra_special_tokens") or []}
        for piece, id in read_object(folder / ADDED).items():
            added[int(id)] = AddedToken(piece, normalized=piece not in special, special=piece in special)
    own = {key: token for key, token in own.items() if _is_token(token)}
    lists = (values.get(name) or [] for name in ("extra_special_tokens", "additional_special_tokens"))
    named = [(key, values[key]) for key in NAMED if values.get(key) is not None]
    for key, token in (*named, *(("a special token", each) for tokens in lists for each in tokens)):
        if not _is_token(token):
            raise ValueError(f"{key} is {repr(token)[:60]}, which spells no token")
    return Settings(folder, values, added, own, listed)


def as_token(value: Mapping[str, Any] | AddedToken) -> AddedToken:
    """A token as a file describes it: its spelling under `content`, and how it is found in a text."""
    if isinstance(value, AddedToken):
        return value
    return AddedToken(**{key: each for key, each in value.items() if key not in ("id", "__type")})


def _unpack(value: Any) -> Any:
    """The value, with special tokens in the place of what describes them."""
    if isinstance(value, list):
        return [_unpack(each) for each in value]
    if isinstance(value, dict) and "content" in value:
        return as_token(value if "__type" in value else value | {"special": True})
    return value


def _is_token(value: Any) -> bool:
    return isinstance(value, (str, AddedToken))
