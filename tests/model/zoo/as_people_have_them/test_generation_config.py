"""What generation_config.json says beside its ends: said on the card where it changes what `generate` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transformers import GenerationConfig

from model.zoo.values.writing_values import WRITING, say_written_otherwise
from tests.model.zoo import tiny, tiny_families
from tests.model.zoo.opened import card_of_files


def write(folder: Path, **values: Any) -> None:
    (folder / "generation_config.json").write_text(json.dumps(values))


def test_every_value_of_the_installed_library_is_in_a_list() -> None:
    assert (
        GenerationConfig().to_dict().keys() | GenerationConfig._get_default_generation_params().keys() <= WRITING.keys
    )
    assert len(WRITING.keys) == sum(len(set(each)) for each in (WRITING.read, WRITING.without_effect, WRITING.refused))


def test_what_the_library_takes_by_default_changes_nothing() -> None:
    written = GenerationConfig().to_dict() | GenerationConfig._get_default_generation_params()
    assert say_written_otherwise({}, written) == ""


@pytest.mark.parametrize(
    ("key", "value", "effect"),
    [
        ("repetition_penalty", 1.1, "a token that stood in the text before is less likely"),
        ("no_repeat_ngram_size", 3, "no run of so many tokens is written twice"),
        ("suppress_tokens", [3, 5], "these tokens are never written"),
        ("begin_suppress_tokens", [3], "these tokens are not the first ones"),
        ("forced_bos_token_id", 4, "this token is written first"),
        ("min_new_tokens", 5, "no text ends earlier"),
        ("bad_words_ids", [[3]], "these tokens are never written"),
        ("forced_decoder_ids", [[1, 5]], "these tokens are written at their places"),
    ],
)
def test_the_card_says_what_generate_does_and_we_do_not(key: str, value: Any, effect: str, tmp_path: Path) -> None:
    path = tiny.llama(tmp_path)[1].parent
    write(path, eos_token_id=2, **{key: value})
    assert f"generation_config.json has {key} = {json.dumps(value)}: with it, {effect}" in card_of_files(path).about


def test_a_key_that_nobody_knows_is_said_and_refuses_no_model(tmp_path: Path) -> None:
    path = tiny.llama(tmp_path)[1].parent
    write(path, eos_token_id=2, sharpness=3)
    said = "generation_config.json has sharpness = 3. What it changes in writing is not known here."
    assert said in card_of_files(path).about


@pytest.mark.parametrize(
    "values",
    [{"do_sample": True, "temperature": 0.6, "top_p": 0.9}, {"max_length": 4096, "cache_implementation": "static"}, {}],
)
def test_the_settings_of_the_reader_are_no_news(values: dict[str, Any], tmp_path: Path) -> None:
    path = tiny.llama(tmp_path)[1].parent
    write(path, **values)
    assert card_of_files(path).about.endswith("from its own files.")


def test_the_padding_that_a_translator_never_writes_is_done_here(tmp_path: Path) -> None:
    theirs = tiny_families.make_translator("marian", tmp_path)
    pad = theirs.config.pad_token_id
    write(tmp_path, bad_words_ids=[[pad]], decoder_start_token_id=pad, forced_eos_token_id=0, num_beams=4)
    assert card_of_files(tmp_path).about.endswith("from its own files.")
    write(tmp_path, bad_words_ids=[[pad], [3]])
    assert "these tokens are never written" in card_of_files(tmp_path).about
