"""What a head does to the outcome of many texts is what runs of each text alone say, with the head and without it."""

from __future__ import annotations

from functools import cache
from itertools import count

import numpy as np
import pytest

from model import Model, ablate, attribute, load, survey
from model.analysis.change import turn
from model.analysis.head_steps import Attention, final_name, keep_for_one, of_head
from model.errors import ModelMismatch
from model.experiments.surgery import with_edits
from model.generation.surprise import surprise_of
from model.surveys import rows
from model.surveys.effect import HeadEffect
from model.surveys.head_effect import head_effect
from model.surveys.reading import Reading
from model.surveys.written_places import written_at_strongest
from tests.model.networks import small_model
from tests.model.surveys.test_survey import SENTENCES

LAYER, HEAD, CLOSE = 1, 2, 1e-4


@cache
def read(name: str) -> tuple[Model, Reading]:
    model = load(name) if name == "tiny-lm" else small_model(name)
    return model, survey(model, SENTENCES, keep=False)


def effect_on(name: str, attention: str = "") -> HeadEffect:
    model, reading = read(name)
    return head_effect(model, reading, LAYER, HEAD, attention)


@pytest.mark.parametrize(
    ("name", "attention"),
    [
        ("Llama", "decoder.self_attn"),
        pytest.param("one vocabulary", "encoder.self_attn", marks=pytest.mark.slow),
        pytest.param("one vocabulary", "decoder.cross_attn", marks=pytest.mark.slow),
    ],
)
def test_the_loss_without_a_head_is_that_of_each_text_alone(name: str, attention: str) -> None:
    model, reading = read(name)
    found, (stack, part) = effect_on(name, attention), attention.split(".")
    edit, begins = ablate(f"{stack}.{LAYER}.{part}", HEAD), reading.tokens["decoder"].begins
    assert found.is_whole
    for number, text in enumerate(SENTENCES):
        whole = model.trace(text)
        without = model.trace_tokens(whole.tokens, whole.source_tokens, edits=[edit])
        own = slice(begins[number], begins[number + 1])
        if own.stop - own.start < 2:
            assert np.isnan(found.rises[number]), "one token predicts nothing"
            continue
        before, after = surprise_of(whole).loss, surprise_of(without).loss
        np.testing.assert_allclose(found.before[own][1:], before, atol=CLOSE)
        np.testing.assert_allclose(found.after[own][1:], after, atol=CLOSE)
        assert np.isnan(found.before[own][0])
        assert found.rises[number] == pytest.approx(float((after - before).mean()), abs=CLOSE)


def test_an_encoder_is_measured_by_how_far_the_vector_of_a_text_turns() -> None:
    model, found = read("BERT")[0], effect_on("BERT")
    for number, text in enumerate(SENTENCES):
        runs = [model.trace(text, edits=edits) for edits in ((), [ablate(f"encoder.{LAYER}.self_attn", HEAD)])]
        before, after = (run[final_name(model.config, "encoder")].mean(0) for run in runs)
        assert found.rises[number] == pytest.approx(float(turn(before, after)), abs=CLOSE)
    assert (found.tokens(), found.words(model)) == ([], None)
    assert written_at_strongest(model, read("BERT")[1], LAYER, HEAD) == []


def test_the_mean_and_its_margin_are_those_of_the_texts() -> None:
    found = effect_on("Llama")
    known = found.rises[np.isfinite(found.rises)].astype(float)
    assert len(known) == 6
    assert found.mean == pytest.approx(known.mean())
    assert found.margin == pytest.approx(1.96 * known.std(ddof=1) / 6**0.5)
    assert [text.rise for text in found.texts(3)] == pytest.approx(sorted(known, reverse=True)[:3])
    harms = found.tokens(4)
    assert [token.rise for token in harms] == sorted((token.rise for token in harms), reverse=True)
    assert harms[0].rise == pytest.approx(np.nanmax(found.after - found.before))
    assert SENTENCES[harms[0].number] == harms[0].text


@pytest.mark.parametrize(
    "name", ["Llama", "OLMo 2", "Granite", "Gemma 3", pytest.param("one vocabulary", marks=pytest.mark.slow)]
)
def test_what_it_writes_is_its_part_of_the_logits(name: str) -> None:
    """`attribute` accounts for one logit at one token: its part of this head, of the word that rises most."""
    model, reading = read(name)
    written = written_at_strongest(model, reading, LAYER, HEAD, places=3, words=2)
    assert len(written) == 3
    assert [place for place, _ in written] == reading.strongest("decoder.self_attn", LAYER, HEAD, 3)
    for place, words in written:
        for word, rise in (words.most[0], words.least[0]):
            account = attribute(model, place.text, token=word.id, position=place.query)
            part = account.parts[f"decoder.{LAYER}.self_attn.heads.{HEAD}"]
            assert rise == pytest.approx(part, abs=CLOSE)


@pytest.mark.slow
def test_the_mean_over_all_queries_is_that_of_each() -> None:
    model, found = read("tiny-lm")[0], effect_on("tiny-lm")
    word, rise = found.words(model, 1).most[0]
    parts = [
        attribute(model, text, token=word.id, position=position).parts[f"decoder.{LAYER}.self_attn.heads.{HEAD}"]
        for text in SENTENCES
        for position in range(len(model.tokens_of(text)))
    ]
    assert int(found.queries[0]) == len(parts)
    assert rise == pytest.approx(np.mean(parts), abs=CLOSE)


def test_the_longest_places_are_where_weight_times_value_is_longest() -> None:
    model, found = read("Llama")[0], effect_on("Llama")
    at, expected = Attention("decoder", LAYER, "self_attn"), []
    for text in SENTENCES:
        steps = of_head(model, model.trace(text, keep=keep_for_one(model.config, at)), at, HEAD)
        lengths = steps.weights * (steps.v @ steps.w_o).norm(dim=-1)
        expected += [
            (float(lengths[query, key]), text, query, key) for query in range(len(lengths)) for key in range(1, query)
        ]
    expected.sort(reverse=True)
    places = found.longest_places(10)
    assert [(place.text, place.query, place.key) for place, _ in places] == [each[1:] for each in expected[:10]]
    assert [length for _, length in places] == pytest.approx([each[0] for each in expected[:10]], abs=CLOSE)


def test_it_goes_on_where_it_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BATCH_TOKENS", 10)
    model, reading = read("Llama")
    asked, said = count(), list[float]()
    begun = head_effect(model, reading, LAYER, HEAD, stop=lambda: next(asked) >= 2)
    assert 0 < begun.done.sum() < len(SENTENCES)
    rises = begun.rises.copy()
    whole = head_effect(model, reading, LAYER, HEAD, begun=begun, progress=lambda step, share: said.append(share))
    assert whole.is_whole
    assert not begun.is_whole
    np.testing.assert_array_equal(begun.rises, rises, "the one that was begun is a value")
    np.testing.assert_allclose(whole.rises, effect_on("Llama").rises, atol=CLOSE)
    assert said[-1] == 1
    assert begun != whole == effect_on("Llama")


def test_edits_stay_in_both_runs() -> None:
    model, edit = small_model("Llama"), ablate("decoder.0.self_attn", 1)
    by_survey = head_effect(model, survey(model, SENTENCES, edits=[edit], keep=False), LAYER, HEAD)
    edited = with_edits(model, [edit])
    by_model = head_effect(edited, survey(edited, SENTENCES, keep=False), LAYER, HEAD)
    np.testing.assert_allclose(by_survey.rises, by_model.rises, atol=CLOSE)
    assert not np.allclose(by_survey.rises[:-1], effect_on("Llama").rises[:-1])


def test_a_head_that_is_not_there_and_another_model_are_refused() -> None:
    model, reading = read("Llama")
    with pytest.raises(ModelMismatch, match="2 layers of 4 heads"):
        head_effect(model, reading, 2, 0)
    with pytest.raises(ModelMismatch, match="another model"):
        head_effect(with_edits(model, [ablate("decoder.0.self_attn", 0)]), reading, 0, 0)
