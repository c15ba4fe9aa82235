"""The glossary's file: whole, consistent with itself and with the table of recorded tensors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.glossary import Term, glossary
from model.names import RECURRENT, TABLE

TERMS = glossary()


def by_name(name: str) -> Term:
    return next(term for term in TERMS if term.name == name)


def test_the_terms_of_the_lectures_are_there_in_the_order_of_the_alphabet() -> None:
    names = [term.name for term in TERMS]
    assert names == sorted(names, key=str.lower)
    assert len(names) >= 60
    assert {"Query", "Key", "Value", "Causal mask", "Rotary positions", "Teacher forcing", "Induction head"} <= set(
        names
    )


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.anchor)
def test_a_term_is_whole(term: Term) -> None:
    assert 30 < len(term.definition) < 200
    assert term.definition.endswith(".")
    assert re.fullmatch(r"[a-z0-9-]+", term.anchor)


def test_a_term_that_names_a_tensor_has_its_symbol() -> None:
    assert by_name("Query").letters == "Q"
    assert by_name("Attention weight").letters == "A"
    assert by_name("Bottleneck vector").letters == r"[\overrightarrow{h}_S, \overleftarrow{h}_1]"
    patterns = {each.pattern for each in (*TABLE, *RECURRENT)}
    assert {term.tensor or term.recurrent for term in TERMS if term.recorded} <= patterns


def test_a_symbol_stands_in_the_equation_of_its_term() -> None:
    """Where both are given in one line, a reader looks for the one in the other."""
    for name in ("Query", "Key", "Value", "Attention weight", "Loss", "Temperature", "Rollout"):
        term = by_name(name)
        assert term.letters in term.equation, name


WHOLE: dict[str, object] = {"name": "Token", "forms": ["token"], "definition": "A piece of text.", "page": "tokens"}


def written(path: Path, *entries: dict[str, object]) -> Path:
    import tomli_w

    file = path / "glossary.toml"
    file.write_text(tomli_w.dumps({"term": list(entries)}), encoding="utf-8")
    return file


def test_a_file_is_read(tmp_path: Path) -> None:
    (term,) = glossary(written(tmp_path, WHOLE | {"state": {"tokens_part": "embedding"}}))
    assert (term.name, term.forms, term.state) == ("Token", ("token",), {"tokens_part": "embedding"})
    assert (term.letters, term.recorded) == ("", None)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([WHOLE | {"definition": ""}], "“Token” has no definition"),
        ([{"name": "Token"}], "“Token” is not as it must be"),
        ([WHOLE | {"colour": "blue"}], "colour"),
        ([WHOLE | {"equation": "x"}], "has no source"),
        ([WHOLE | {"symbol": "x", "tensor": "logits"}], "a symbol of its own and a tensor's"),
        ([WHOLE | {"tensor": "encoder.0.nothing"}], "“Token” is not as it must be: 'encoder.0.nothing'"),
        ([WHOLE | {"forms": ["Token"]}], "not in lower case"),
        ([WHOLE, WHOLE | {"name": "Piece"}], "means “Piece”"),
        ([WHOLE, WHOLE | {"name": "token", "forms": ["piece"]}], "same name"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_the_term(
    tmp_path: Path, entries: list[dict[str, object]], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        glossary(written(tmp_path, *entries))
