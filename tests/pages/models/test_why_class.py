"""Why this word, for an encoder: the logit of the class of a text, by parts and by tokens."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.activation_edits import patch
from model.experiments.surgery import edit_model
from tests.pages.conftest import components, messages, run_page
from views.shared import long_text

TEXT = "The food is not good"


def visit(**state: object) -> AppTest:
    return run_page("models/why.py", **{"model": "tiny-encoder", "text": TEXT, "depth": "Numbers"} | state)


def said(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info))


def test_the_parts_sum_to_the_logit_of_the_class() -> None:
    app = visit()
    assert not messages(app)
    assert components(app)["run_bar"][0]["model"] == "tiny-encoder"
    model = load("tiny-encoder")
    logits = model.trace(TEXT)["text_logits"]
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits.max()), abs=1e-4)
    best = model.config.text_labels[int(logits.argmax())]
    assert app.selectbox(key="why token").options[0].startswith(best)
    assert "Read off the first token" in said(app)
    assert not app.selectbox(key="why token").proto.accept_new_options, "all classes are in the menu"


def test_a_class_is_brought_back_by_a_patch() -> None:
    other = "The food is very good"
    app = visit(why_part="patching", why_text2=other, why_site="encoder.resid_in")
    assert not messages(app)
    shown = app.dataframe[0].value
    model = load("tiny-encoder")
    clean, corrupted = (model.trace(text)["text_logits"] for text in (TEXT, other))
    answer, against = int(clean.argmax()), int(corrupted.argmax())
    assert answer != against
    patched = edit_model(model, edits=[patch(model, "encoder.1.resid_in", TEXT, 0)]).trace(other)["text_logits"]
    gap, left = (float(each[answer] - each[against] - corrupted[answer] + corrupted[against])
                 for each in (clean, patched))  # fmt: skip
    found = shown[shown["layer"] == 1]["measured"].iloc[0]
    assert found == pytest.approx(left / gap, abs=1e-4)


@pytest.mark.parametrize("part", ["resid_in", "self_attn.heads"])
def test_of_a_long_text_an_encoder_has_its_tokens_and_heads_patched(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"why_part": "patching", "why_text2": "The food is very good", "why_site": f"encoder.{part}"}
    whole = visit(**state).dataframe[0].value["measured"].tolist()
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    app = visit(**state)
    assert not messages(app)
    assert app.dataframe[0].value["measured"].tolist() == pytest.approx(whole, abs=1e-5)
    app.session_state["depth"] = "Picture"
    app.run()
    assert not messages(app)


def test_a_class_that_does_not_exist_gives_way() -> None:
    app = visit(why_answer=7)
    assert not app.exception
    assert any("no class 7" in message for message in messages(app))
