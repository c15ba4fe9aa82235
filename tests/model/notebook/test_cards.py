"""What a notebook shows of a model, a run and a sum, as a person reads it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from model import Model, attribute, explain, load
from model.notebook.markup import MOST_CHIPS, bar, chips, table
from model.tape import Trace
from model.tokens.tokenizer import Token
from model.vision.model import load_vision

TEXT = "the dog <script>alert(1)</script> & sees\nthe cat"
VOID = {"br", "img", "hr"}


class Reader(HTMLParser):
    """The words of a page, and the tags that stand in it. Every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href"}, "it takes nothing from elsewhere"
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "|".join(self.words)


@pytest.fixture(scope="module")
def lm() -> Model:
    return load("tiny-lm")


@pytest.fixture(scope="module")
def trace(lm: Model) -> Trace:
    return lm.trace(TEXT)


def read(shown: object) -> Reader:
    page = shown._repr_html_()  # type: ignore[attr-defined]
    assert "url(" not in page
    assert "@import" not in page
    found = Reader(page)
    assert "script" not in found.tags, "no text of a reader is HTML"
    return found


def test_a_run_shows_its_tokens_and_its_tensors_by_pattern(lm: Model, trace: Trace) -> None:
    found = read(trace)
    for token in trace.tokens:
        assert str(token.id) in found.words
    assert "·dog" in found.words
    assert "⏎" in found.text
    assert "decoder.*.self_attn.weights" in found.words
    size, heads = len(trace.tokens), lm.config.n_heads
    assert f"{heads} heads × {size} queries × {size} keys" in found.words
    assert found.tags.count("tr") < 40, "not a row for each of all tensors"
    assert len(found.words) < len(trace.tensors) * 3
    counts = [int(each) for each in re.findall(r": (\d+) tensors?", found.text)]
    assert sum(counts) == len(trace.tensors)


@pytest.mark.parametrize("name", ["en-ur", "tiny-lm-lstm", "en-ur-bahdanau"])
def test_runs_of_other_models_are_shown_too(name: str) -> None:
    found = read(load(name).trace("the dog"))
    assert ("The encoder reads" in found.words) == name.startswith("en-ur")
    assert "logits" in found.words


def test_a_run_on_demand_makes_nothing_to_be_shown(lm: Model) -> None:
    run = lm.trace_on_demand(TEXT)
    before = run.nbytes
    assert "the rest on demand" in read(run).text
    assert run.nbytes == before


def test_a_trace_without_a_model_is_shown(trace: Trace) -> None:
    assert read(Trace(trace.tokens, {"mine": trace.logits, **trace.tensors})).words[0] == "Run"


def test_a_model_shows_what_it_is_and_how_to_run_it(lm: Model) -> None:
    found = read(lm)
    for words in (lm.card.title, lm.card.licence, 'model.trace("I am a robot")', "the next word"):
        assert words in found.words
    assert "trace_picture" in read(load_vision("digits-vit")).text
    assert "recurrent" in read(load("tiny-lm-rnn")).words


def test_an_account_shows_the_largest_parts_and_the_sum(lm: Model) -> None:
    account = attribute(lm, TEXT)
    found = read(account)
    first = next(iter(account.largest(1)))
    shown = found.words.index(first)
    assert found.words.index("sum of all parts") > shown
    assert f"All {len(account.parts)} parts, in the order of the run" in found.words
    token = lm.tokenizer.token(account.token).text
    assert account.asked == repr(token)
    assert attribute(lm, TEXT, account.token, 300).asked.startswith(f"{token!r} more than ")


def test_an_account_of_a_class_names_it() -> None:
    model = load("tiny-encoder")
    account = attribute(model, "the dog sees the cat")
    assert account.asked == model.config.text_labels[account.token]
    assert account.asked in read(account).words[0]


def test_an_explanation_shows_its_sentence_its_terms_and_both_numbers(trace: Trace) -> None:
    scores = explain(trace, "decoder.1.self_attn.raw_scores", (0, 3, 1))
    found = read(scores)
    assert scores.words in found.words
    assert {"is what the terms make", "is what the run has", "decoder.1.self_attn.q[0, 3, 0]"} <= set(found.words)
    assert "i" in found.tags, "bars"
    weights = read(explain(trace, "decoder.1.self_attn.weights", (0, 3, 1)))
    assert "i" not in weights.tags, "the terms of a softmax are no sum"
    assert "is what the terms make" not in read(explain(trace, "decoder.blocks.1.self_attn.query.weight", (0, 0))).words


def test_what_is_printed_is_short(lm: Model, trace: Trace) -> None:
    account, found = attribute(lm, TEXT), explain(trace, "decoder.1.self_attn.raw_scores", (0, 3, 1))
    assert repr(trace) == f"<Trace of {lm.card.title}: {len(trace.tokens)} tokens, {len(trace.tensors)} tensors>"
    assert repr(lm) == "<Model tiny-lm>"
    assert repr(load_vision("digits-vit")) == "<VisionModel digits-vit>"
    for shown in (account, found, trace.origin):
        assert len(repr(shown)) < 500


def test_a_long_text_is_folded() -> None:
    tokens = [Token(number, "word", b"word") for number in range(MOST_CHIPS + 7)]
    page = Reader(chips(tokens))
    assert "7 more tokens" in page.words
    assert page.words.count("word") == len(tokens)
    assert "details" not in Reader(chips(tokens[:MOST_CHIPS])).tags


def test_a_part_of_a_character_is_shown_by_its_bytes() -> None:
    assert "F0 9F" in Reader(chips([Token(3, "", b"\xf0\x9f")])).words


def test_bars_go_from_the_middle() -> None:
    assert 'width:50.0%"></i><i class="gf-plus" style="width:25.0%"' in bar(1.0, 2.0)
    assert 'width:0.0%"></i><i class="gf-minus" style="width:50.0%"' in bar(-2.0, 2.0)
    assert 'class="gf-plus" style="width:0.0%"' in bar(0.0, 0.0)


def test_the_last_rows_of_a_table_are_below_a_line() -> None:
    made = table([("a", "1"), ("b", "2"), ("sum", "3")], kinds="-n", totals=1)
    assert made.count("gf-total") == 1
    assert made.index("gf-total") > made.index("2")
    assert made.count("gf-number") == 3
