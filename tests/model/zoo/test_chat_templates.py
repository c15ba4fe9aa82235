"""Where the files of a model have its chat template."""

import json
from pathlib import Path
from typing import Any

import pytest
import transformers

from model.chat.turns import Conversation, Turn
from model.errors import ConversationError
from tests.conftest import loaded
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import read_tokenizer

CHATML = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
TALK = Conversation("user: I am")


@pytest.mark.parametrize(
    ("in_config", "file"),
    [
        (CHATML, None),
        ([{"name": "tool_use", "template": "no"}, {"name": "default", "template": CHATML}], None),
        ("another one", CHATML),
        (None, CHATML),
    ],
)
def test_it_is_found_where_transformers_finds_it(in_config: Any, file: str | None, tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    if in_config is not None:
        values = {"chat_template": in_config, "eos_token": "<|endoftext|>"}
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(values))
    if file is not None:
        (tmp_path / "chat_template.jinja").write_text(file)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    messages = [{"role": "user", "content": "I am"}]
    expected = theirs.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
    assert [token.id for token in read_tokenizer(tmp_path).encode(TALK)] == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([{"name": "tool_use", "template": "no"}], "has chat templates for tool_use alone"),
        (7, "is no text, or too long"),
        ("x" * 200_001, "is no text, or too long"),
        (None, "has no chat template"),
    ],
)
def test_one_that_cannot_be_taken_leaves_the_model_readable(given: Any, words: str, tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": given}))
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.encode("I am")
    with pytest.raises(ConversationError, match=words):
        tokenizer.encode(TALK)


def test_a_damaged_file_leaves_the_model_readable(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    (tmp_path / "chat_template.jinja").write_bytes(b"\xff")
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.encode("I am")
    with pytest.raises(ConversationError, match=r"chat_template\.jinja cannot be read"):
        tokenizer.encode(TALK)


def test_smollm2_has_it_in_its_gguf_file() -> None:
    model = loaded("smollm2-135m")
    assert model.converses
    assert not loaded("tiny-lm").converses
    text = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nI am<|im_end|>\n<|im_start|>assistant\n"
    found = model.tokens_of([Turn("system", "Be brief."), Turn("user", "I am")])
    assert [token.id for token in found] == [token.id for token in model.tokens_of(text)]
    with pytest.raises(ConversationError, match="has no chat template"):
        loaded("tiny-lm").trace(TALK)


@pytest.mark.slow
def test_smollm2_answers_a_question_and_goes_on_where_it_was_stopped() -> None:
    model, asked = loaded("smollm2-135m"), Conversation("user: What is the capital of France?")
    answer = list(model.generate(asked, max_new_tokens=20))
    assert "".join(step.token.text for step in answer if step.token) == "The capital of France is Paris.<|im_end|>"
    assert answer[-1].stop == "end"
    begun = asked.and_then(Turn("assistant", "The capital of France is", goes_on=True))
    assert [step.chosen for step in model.generate(begun, max_new_tokens=20)] == [step.chosen for step in answer[5:]]
