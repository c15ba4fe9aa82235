from __future__ import annotations

import numpy as np
import pytest

from model.tokens.tokenizer import Token, Tokenizer
from model.tokens.word_vocabulary import word_tokenizer
from viz.models.translate import losses_figure, pack_translation, whole_words, wiring_figure
from viz.shared.payload import printed_codes, unpack


@pytest.fixture(scope="module")
def encode():
    return Tokenizer(word_tokenizer(["i", "am", "a", "robot", "'s", "میں", "روبوٹ", "ہوں"])).encode


def texts(words: list[dict]) -> list[str]:
    return [word["text"] for word in words]


def test_known_words_marks_and_endings_stand_alone(encode) -> None:
    words = whole_words(encode("I am a robot's."))
    assert texts(words) == ["i", "am", "a", "robot", "'s", "."]
    assert [word["first"] for word in words] == list(range(6))


def test_a_word_spelled_in_bytes_is_one_word(encode) -> None:
    words = whole_words(encode("I zap a robot"))
    assert texts(words) == ["i", "zap", "a", "robot"]
    assert words[1]["last"] - words[1]["first"] + 1 >= 3


def test_urdu_words_run_right_to_left_and_stay_whole(encode) -> None:
    words = whole_words(encode("میں کتاب ہوں"))
    assert texts(words) == ["میں", "کتاب", "ہوں"]
    assert all(word["rtl"] for word in words)


def test_special_tokens_keep_their_name() -> None:
    words = whole_words([Token(5, " a", b" a"), Token(2, "<EOS>", b"", special=True)])
    assert texts(words) == ["a", "<EOS>"]
    assert words[1]["special"]


def test_the_players_data_come_back(encode) -> None:
    rng = np.random.default_rng(0)
    weights = [rng.dirichlet(np.ones(keys), size=(2, 4, queries)) for queries, keys in ((3, 3), (2, 2), (2, 3))]
    source, written = encode("I am a"), encode("میں ہوں")
    view = {"step": 1, "layer": 0, "head": -1, "order": "reading"}
    data = pack_translation(
        source, written, ["i", "am", "a"], ["میں", "ہوں"], *weights,
        identity="x", given=False, probabilities=[0.9, 0.12345678], view=view,
    )  # fmt: skip
    header, arrays = unpack(data)
    assert header["view"] == view
    assert header["probabilities"] == [0.9, 0.12345678]
    for name, expected in zip(("encoder", "decoder", "cross"), weights, strict=True):
        assert (arrays[name][:-1, :-1] == printed_codes(expected)).all()
        assert (arrays[name][:-1, -1] == printed_codes(expected.mean(1))).all()  # the mean of a layer's heads
        assert (arrays[name][-1, :-1] == printed_codes(expected.mean(0))).all()
        assert (arrays[name][-1, -1] == printed_codes(expected.mean((0, 1)))).all()


def test_one_output_feeds_every_decoder_layer() -> None:
    figure = wiring_figure(
        [("encoder layer 0", "x"), ("encoder layer 1", "x")], [("decoder layer 0", "y")] * 3, "memory"
    )
    words = [note.text for note in figure.layout.annotations if note.text]
    assert sum("decoder layer" in text for text in words) == 3
    assert "memory" in words
    into_decoder = [note for note in figure.layout.annotations if note.arrowhead and note.ax == 1.0]
    assert [note.y for note in into_decoder] == [0.0, 1.0, 2.0]


def test_losses_stand_side_by_side() -> None:
    figure = losses_figure(["a", "b"], [0.5, 1.0], [9.0, 8.0])
    assert [trace.name for trace in figure.data] == ["shifted", "not shifted"]
    assert figure.data[1].y.tolist() == [9.0, 8.0]
