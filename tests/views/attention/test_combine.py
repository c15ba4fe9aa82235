"""The views of Concat and W_O: what they say is what the tensors say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

from model import Model, ablate, load
from model.analysis.head_steps import Attention, final_name
from model.experiments.surgery import with_edits
from model.numerals import split_power
from tests.views.heads import sums, words
from views.attention.combine.combined import Combined
from views.attention.combine.concat import Concat
from views.attention.combine.muted import MutedHeads, mute, mute_heads
from views.attention.combine.muted_outcomes import CHANGE, Predictions, Translations, Turns
from views.attention.combine.parts import LARGEST, HeadParts
from views.parts import Chart
from views.run import make_run

SENTENCE = "The capital of France is"
NINTH = Attention("decoder", 9, "self_attn")


def rows(view: Any) -> Any:
    return view.table().make()


def of(view: type[Combined], model: Model, attention: Attention = NINTH, *more: Any, text: str = SENTENCE) -> Any:
    return view(make_run(model, text, Combined.needs), attention, 2, *more)


@pytest.mark.slow
def test_the_parts_sum_to_the_output_as_said(smollm2: Model) -> None:
    view = of(HeadParts, smollm2)
    difference = re.search(r"differ by at most (.+)\.$", view.caption())
    assert difference is not None
    mantissa, power = split_power(difference[1])
    assert float(f"{mantissa}e{power}") < 1e-4
    sizes = rows(view)["size of its part"]
    assert f"head {int(sizes.idxmax())} adds most" in view.caption()
    assert view.told()[LARGEST] == pytest.approx(sizes.max() / sizes.min())


def test_the_formula_ends_in_the_largest_feature_of_the_output(smollm2: Model) -> None:
    view = of(Concat, smollm2)
    out = view.run.trace[f"{NINTH.path}.out"][2]
    said = sums(view.formula())[-1].rpartition("= ")[2].strip("()")
    assert float(said) == pytest.approx(float(out[out.abs().argmax()]), rel=1e-2)


def test_the_bands_are_the_heads_side_by_side(smollm2: Model) -> None:
    view = of(Concat, smollm2)
    heads = view.run.trace[f"{NINTH.path}.heads"]  # (heads, queries, d_head)
    shown = rows(view).drop(columns="token").to_numpy(np.float32)
    np.testing.assert_allclose(shown, heads.movedim(0, 1).flatten(1).numpy(), atol=1e-6)


@pytest.mark.slow
def test_muting_heads_shows_the_distribution_of_the_edited_run(smollm2: Model) -> None:
    view = Predictions(make_run(smollm2, SENTENCE, "logits"), mute(NINTH, (0, 2), everywhere=True))
    table = rows(view)
    edited = (
        smollm2.trace(SENTENCE, keep="logits", edits=[ablate("decoder.*.self_attn", (0, 2))]).logits[-1].softmax(-1)
    )
    whole = smollm2.trace(SENTENCE, keep="logits").logits[-1].softmax(-1)
    assert max(table["muted"]) == pytest.approx(float(edited.max()), abs=1e-5)
    assert max(table["whole"]) == pytest.approx(float(whole.max()), abs=1e-5)
    assert view.told()[CHANGE] == pytest.approx(float((edited - whole).abs().max()), abs=1e-5)


def test_an_encoder_says_how_far_its_states_turned(minilm: Model) -> None:
    run, edit = make_run(minilm, "I am a robot", "*.out"), mute(Attention("encoder", 2, "self_attn"), (1,), False)
    view = Turns(run, edit)
    assert "An encoder has no next token" in view.caption()
    name = final_name(minilm.config, "encoder")
    before, after = (minilm.trace("I am a robot", edits=edits)[name] for edits in ((), (edit,)))
    expected = 1 - torch.cosine_similarity(before, after, dim=-1)
    assert rows(view)["1 − cosine"].tolist() == pytest.approx(expected.tolist(), abs=1e-5)


def test_what_is_silent_is_said(smollm2: Model) -> None:
    view = of(MutedHeads, smollm2, NINTH, tuple(range(9)), False)
    assert "All heads are muted" in words(view.at("Picture"))
    assert "**Without heads 0, 1, 2, 3, 4, 5, 6, 7, 8 in layer 9**" in words(view.at("Numbers"))
    assert "**Without head 3 in every layer**" in words(of(MutedHeads, smollm2, NINTH, (3,), True).at("Picture"))
    none = of(MutedHeads, smollm2, NINTH, (), False)
    assert "Choose the heads that should fall silent." in words(none.at("Picture"))
    assert not none.told()


def test_both_translations_stand_beside_each_other_as_text() -> None:
    said = words(Translations("میں ایک روبوٹ ہوں", "<b>*no*</b>").at("Numbers"))
    assert "میں ایک روبوٹ ہوں" in said
    assert r"\*no\*" in said
    assert "(nothing)" in words(Translations("a", " ").at("Picture"))


def test_a_translator_compares_what_it_writes() -> None:
    view = of(MutedHeads, load("en-ur"), Attention("decoder", 0, "cross_attn"), (0,), False, ("a b", "c"), text="I am")
    assert not any(isinstance(each, Chart) for each in Translations("a b", "c").at("Picture"))
    (columns,) = (each for each in view.at("Picture") if getattr(each, "key", "") == "combine muted")
    assert columns.parts[0].parts[1].parts == [Translations("a b", "c")]


def test_a_translator_writes_what_the_model_without_the_heads_writes() -> None:
    model, at = load("en-ur"), Attention("decoder", 0, "cross_attn")
    view = mute_heads(make_run(model, "I am a robot", MutedHeads.needs), at, 1, (0, 1))
    models = model, with_edits(model, [ablate(at.path, (0, 1))])
    source, decode = model.tokens_of("I am a robot"), model.output_tokenizer.decode
    assert view.translations == tuple(decode(list(each.translate_ids(source))) for each in models)
