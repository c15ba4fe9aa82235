"""Asking a class on the page Why this word: the answers are those of the account and of the circuits."""

from __future__ import annotations

import pytest

from model import attribute, load
from model.analysis.circuits.composition import compose
from model.analysis.head_steps import Attention
from model.questions import NoQuestion
from pages.models.why_parts.examples import LUCY, LUCY_AND_OMAR, OMAR
from tests.pages.teach.test_asking import TEXT, URDU, pose, right, value
from viz.models.why import part_title


def test_the_part_that_speaks_most_is_that_of_the_account() -> None:
    parts = attribute(load("tiny-lm"), TEXT).parts
    asked = pose("largest part", "why")
    most = max((name for name in parts if ".heads." in name or name.endswith(".ffn")), key=lambda name: parts[name])
    assert right(asked) == part_title(most).capitalize()
    assert value(asked) == pytest.approx(parts[most], abs=1e-4)
    written = pose("largest part", "why", **URDU)
    assert "layer 2" in right(written).lower()
    asked = pose("largest part", "why", model="tiny-encoder", text="I love this film")
    assert "the logit of “positive” as the class of the text" in asked.text
    of_class = attribute(load("tiny-encoder"), "I love this film").parts
    most = max(part for name, part in of_class.items() if ".heads." in name or name.endswith(".ffn"))
    assert value(asked) == pytest.approx(most, abs=1e-4)
    with pytest.raises(NoQuestion, match="neither a word nor a class"):
        pose("largest part", "why", model="minilm-l6")


def test_of_two_tokens_the_question_is_of_the_lead() -> None:
    asked = pose("largest part", "why", **LUCY_AND_OMAR)
    assert "speaks most for the lead of “Lucy” over “Omar” after “to" in asked.text
    assert asked.explanation.startswith("Of the lead, ")
    assert "logit" not in asked.text + asked.explanation
    account = attribute(load("tiny-lm"), LUCY_AND_OMAR["text"], LUCY, OMAR)
    named = [part for name, part in account.parts.items() if ".heads." in name or name.endswith(".ffn")]
    assert value(asked) == pytest.approx(max(named), abs=1e-4)


def test_the_earlier_head_is_that_of_the_strongest_composition() -> None:
    for model, layer, head in (("tiny-lm", 2, 2), ("en-ur", 1, 3)):
        at = Attention("decoder", layer, "self_attn")
        ((first, one, score),) = compose(load(model), at, head, "k").strongest(1)
        said = {"model": model, "text": URDU["text"], "layer": layer, "head": head}
        asked = pose("earlier head", "why", **said, attention="decoder.self_attn")
        assert right(asked).endswith(f"ayer {first.layer}, head {one}")
        assert right(asked).startswith("Cross") == first.is_cross
        assert value(asked) == pytest.approx(score, abs=1e-5)
    with pytest.raises(NoQuestion, match="first layer"):
        pose("earlier head", "why", layer=0, head=1)
    with pytest.raises(NoQuestion, match="other sentence"):
        pose("earlier head", "why", **URDU, attention="decoder.cross_attn")
