"""The texts of the small world over which heads are read: those of the generator, and words that the models know."""

from __future__ import annotations

import pytest

from corpora import texts
from model import load_tokenizer
from model.texts.own import small_world_texts
from views.attention.many_texts.texts import is_spelled


def test_the_files_are_those_of_the_generator() -> None:
    made = {kind: "\n\n".join(each) + "\n" for kind, each in texts.kinds()}
    assert {path.stem: path.read_text(encoding="utf-8") for path in texts.FOLDER.iterdir()} == made


def test_no_text_stands_twice() -> None:
    found = [text.content for text in small_world_texts().texts]
    assert len(set(found)) == len(found) == texts.COUNT * len(small_world_texts().kinds)


@pytest.mark.parametrize(
    ("model", "kinds"),
    [
        ("tiny-lm", ("agreement", "bank", "closing", "facts", "pronoun", "repetition")),
        ("tiny-encoder", ("feelings",)),
        ("en-ur", ("translated",)),
        ("en-ur-everyday", ("translated",)),
    ],
)
def test_a_model_knows_the_words_of_its_kinds(model: str, kinds: tuple[str, ...]) -> None:
    tokenizer = load_tokenizer(model)
    known = [text.content for text in small_world_texts().texts if text.kind in kinds]
    tokens = [token for text in known for token in tokenizer.encode(text, add_special=False)]
    assert sum(is_spelled(token.text) for token in tokens) <= 0.05 * len(tokens)
