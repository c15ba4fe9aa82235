"""What pages show of encoders with masked words and with pooled classes: tiny checkpoints beside `transformers`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.edits.parts import ablate, scale
from model.experiments import row_batches
from model.experiments.surgery import edit_model
from model.run import ids_of
from model.zoo import cards
from pages.models.why import PARTS
from pages.shared.session.keys import DEPTHS
from tests.model.zoo import tiny_readers
from tests.model.zoo.opened import card_of_files
from tests.model.zoo.tiny_readers import CLASSES, LABELS, MASKED, READERS
from tests.pages.conftest import components, messages, run_page, text, type_into
from views.shared import long_text, quotes

NAMES = [name for name, (_, head) in READERS.items() if head == MASKED]
CLASSIFIERS = [name for name, (_, head) in READERS.items() if head == CLASSES]
SENTENCE = "The quick brown MASK jumps over the lazy dog"
PLACE = 4  # of the mask
LONG = "masked bert of long texts"


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The references, by name; their checkpoints are among the models that the app offers."""
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    made = {name: tiny_readers.make(name, folder / name) for name in READERS}
    tiny_readers.make(NAMES[0], folder / LONG, max_position_embeddings=512)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", cards.REAL + tuple(card_of_files(folder / name) for name in (*READERS, LONG)))
        yield made


def sentence_of(name: str) -> str:
    return SENTENCE.replace("MASK", "<mask>" if "roberta" in name else "[MASK]")


def visit(name: str, **state: object) -> AppTest:
    app = run_page("models/why.py", **{"model": name, "text": sentence_of(name), "depth": "Numbers"} | state)
    assert app.session_state["model"] == name
    return app


def classify(name: str, **state: object) -> AppTest:
    said = {"model": name, "text": sentence_of(name), "depth": "Numbers", "classify_part": "labels"}
    app = run_page("models/classify.py", **said | state)
    assert not messages(app)
    return app


def logits_of(name: str, network: Any, sentence: str) -> torch.Tensor:
    with torch.inference_mode():
        return network(ids_of(load(name).tokens_of(sentence))[None]).logits[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_at_the_mask_sum_to_the_logit_of_transformers(name: str, theirs: dict[str, Any]) -> None:
    app = visit(name)
    assert not messages(app)
    logits = logits_of(name, theirs[name], sentence_of(name))[PLACE]
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits.max()), abs=1e-4)
    word = load(name).tokenizer.token(int(logits.argmax())).text
    assert app.selectbox(key="why token").options[0].startswith(word)
    assert "MASK" in text(app).upper()
    assert "keeps the ratio of each feature" in text(app)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_parts_of_a_pooled_class_sum_to_the_logit_of_transformers(name: str, theirs: dict[str, Any]) -> None:
    app = visit(name, text="The weather is cool")
    assert not messages(app)
    logits = logits_of(name, theirs[name], "The weather is cool")
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits.max()), abs=1e-4)
    assert app.selectbox(key="why token").options[0].startswith(LABELS[int(logits.argmax())])
    assert "Read off the first token" in text(app)
    assert "keeps the ratio of each feature" in text(app)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_mask_it_is_the_chosen_word_or_the_last_one(name: str, theirs: dict[str, Any]) -> None:
    sentence = "The weather is cool"
    logits = logits_of(name, theirs[name], sentence)
    for chosen, place in ((-1, 4), (2, 2)):
        app = visit(name, text=sentence, query=chosen)
        assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits[place].max()), abs=1e-4)


def test_of_two_masks_the_chosen_one_is_asked_for(theirs: dict[str, Any]) -> None:
    name, sentence = "masked bert", "The [MASK] is [MASK]"
    logits = logits_of(name, theirs[name], sentence)
    for chosen, place in ((-1, 2), (4, 4), (3, 2)):
        app = visit(name, text=sentence, query=chosen)
        assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits[place].max()), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["masked bert", "distilbert of classes"])
def test_every_part_opens(name: str, part: str, depth: str, theirs: dict[str, Any]) -> None:
    app = visit(name, why_part=part, depth=depth)
    assert not messages(app)
    assert not app.info


def test_a_steered_run_has_the_words_of_a_run_with_that_edit(theirs: dict[str, Any]) -> None:
    name = "masked roberta"
    app = visit(name, why_part="steer", edits="encoder.1.ffn*-1", why_steered="encoder.1.ffn")
    model = load(name)
    edited = edit_model(model, edits=[scale("encoder.1.ffn", -1)]).trace(sentence_of(name)).logits[PLACE].softmax(-1)
    shown = app.dataframe[0].value.set_index("token")["edited"]
    assert len(shown) > 2
    for word, share in shown.items():
        id = model.tokenizer.id_of(str(word))
        assert id is not None
        assert share == pytest.approx(float(edited[id]), abs=1e-5)


def test_another_word_is_typed(theirs: dict[str, Any]) -> None:
    app = visit("masked bert")
    type_into(app, "why token", "fox")
    fox = load("masked bert").tokenizer.id_of("fox")
    assert app.session_state["why_answer"] == fox
    logits = logits_of("masked bert", theirs["masked bert"], sentence_of("masked bert"))[PLACE]
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits[fox]), abs=1e-4)


def test_home_tells_the_word_at_the_mask(theirs: dict[str, Any]) -> None:
    name = "masked bert"
    app = run_page("home/home.py", model=name, text=sentence_of(name))
    logits = logits_of(name, theirs[name], sentence_of(name))[PLACE]
    word = load(name).tokenizer.token(int(logits.argmax())).text
    assert "the likeliest word" in text(app)
    assert f"**{word}**" in text(app)


@pytest.mark.slow
def test_classify_shows_the_word_at_the_mask_or_at_the_chosen_place(theirs: dict[str, Any]) -> None:
    name = "masked bert"
    for token, place in ((0, PLACE), (2, PLACE)):  # another place than that of a mask is none here
        app = classify(name, classify_token=token)
        logits = logits_of(name, theirs[name], sentence_of(name))[place]
        shown = app.dataframe[0].value
        expected = logits.softmax(-1).sort(descending=True)
        assert shown["probability"].tolist() == pytest.approx(expected.values[: len(shown)].tolist(), abs=1e-5)
        assert shown["word"][0] == load(name).tokenizer.token(int(expected.indices[0])).text
    assert "write `[MASK]`" not in text(app)
    app = classify(name, text="The weather is cool", classify_token=2)
    logits = logits_of(name, theirs[name], "The weather is cool")[2]
    assert app.dataframe[0].value["probability"][0] == pytest.approx(float(logits.softmax(-1).max()), abs=1e-5)
    assert "write `[MASK]`" in text(app)


def test_a_prompt_hides_a_word_and_one_of_classes_takes_the_model_that_has_them(theirs: dict[str, Any]) -> None:
    app = classify("masked roberta", text="The weather is cool")
    app.button(key="try Hide a word").click().run()
    assert app.session_state["text"] == sentence_of("masked roberta")
    assert "mask" in app.subheader[0].value
    app.button(key="try Praise").click().run()
    assert app.session_state["model"] == "tiny-encoder"
    assert "**positive**" in text(app)


def test_classify_shows_the_class_of_the_readers_encoder(theirs: dict[str, Any]) -> None:
    name = "roberta of classes"
    app = classify(name, text="The weather is cool")
    shares = logits_of(name, theirs[name], "The weather is cool").softmax(-1)
    assert app.dataframe[0].value["class"].tolist() == list(LABELS.values())
    assert app.dataframe[0].value["probability"].tolist() == pytest.approx(shares.tolist(), abs=1e-5)
    assert f"**{LABELS[int(shares.argmax())]}**" in text(app)


@pytest.mark.parametrize("name", ["masked distilbert", "bert of classes"])
def test_classify_works_out_the_answer(name: str, theirs: dict[str, Any]) -> None:
    sentence = sentence_of(name)
    logits = logits_of(name, theirs[name], sentence)
    logits = logits[PLACE] if name in NAMES else logits
    app = classify(name, depth="Formula")
    assert any(quotes.tex(float(logits.max())) in each.value for each in app.latex)


@pytest.mark.parametrize("name", ["masked bert", "distilbert of classes"])
def test_three_kinds_names_the_answer_of_the_readers_encoder(name: str, theirs: dict[str, Any]) -> None:
    sentence = sentence_of(name)
    logits = logits_of(name, theirs[name], sentence)
    best = int((logits[PLACE] if name in NAMES else logits).argmax())
    answer = load(name).tokenizer.token(best).text if name in NAMES else LABELS[best]
    assert f"“{answer}”" in text(classify(name, classify_part="kinds"))


@pytest.mark.parametrize("name", ["masked bert", "distilbert of classes"])
def test_heads_show_the_outcome_with_and_without_a_head(name: str, theirs: dict[str, Any]) -> None:
    app = run_page("attention/heads.py", model=name, text=sentence_of(name), edits="encoder.1.self_attn.2")
    assert not messages(app)
    whole = logits_of(name, theirs[name], sentence_of(name))
    model = load(name)
    edited = edit_model(model, edits=[ablate("encoder.1.self_attn", 2)]).trace(sentence_of(name))
    after = (edited.logits[PLACE] if name in NAMES else edited["text_logits"]).softmax(-1)
    before = (whole[PLACE] if name in NAMES else whole).softmax(-1)
    shown = components(app)["next_words"][0]["rows"]
    first = int(before.argmax())
    assert shown[0]["whole"] == pytest.approx(float(before[first]), abs=1e-5)
    assert shown[0]["share"] == pytest.approx(float(after[first]), abs=1e-5)


@pytest.mark.slow
def test_the_parts_of_a_long_text_are_taken_away(theirs: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """In several batches, which lose the logit as much as one."""
    long = f"{SENTENCE.replace('MASK', '[MASK]')} " * 34

    def losses() -> list[float]:
        app = visit(LONG, text=long, why_part="cause")
        next(button for button in app.button if button.label in ("Take each part away", "Measure again")).click().run()
        assert not messages(app)
        assert "Partial" not in text(app)
        return list(app.dataframe[0].value["the logit loses"])

    model = load(LONG)
    assert len(model.tokens_of(long)) > long_text.MOST_TOKENS
    together = losses()
    assert len(together) == model.config.n_encoder_layers * (model.config.n_heads + 1) + 2
    monkeypatch.setattr(row_batches, "MOST_NUMBERS", 1)
    assert losses() == pytest.approx(together, abs=1e-4)
