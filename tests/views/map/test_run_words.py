"""The words about a run on the map."""

from __future__ import annotations

import re

import pytest

from model.chat.turns import Conversation
from tests.conftest import loaded
from views.map.look import Look
from views.map.run_words import strongest_look
from views.run import Run, make_run


def look_at(run: Run) -> Look:
    return Look(run, "decoder", "self_attn", 1, 1, len(run.trace.tokens) - 1, 0)


@pytest.mark.slow
def test_a_look_in_a_conversation_is_summed_by_turn() -> None:
    run = make_run(loaded("smollm2-135m"), Conversation("user: What is this?"), "decoder.1.self_attn.weights")
    said = strongest_look(run, look_at(run))
    found = re.search(r"By turn it gives (.*?) to system, (.*?) to user, (.*?) to template\.", said)
    assert found is not None
    user = [place for place, token in enumerate(run.trace.tokens) if token.said and not token.said.is_frame]
    user = [place for place in user if run.trace.tokens[place].said.role == "user"]  # type: ignore[union-attr]
    share = float(run.trace["decoder.1.self_attn.weights"][1, -1, user].sum())
    assert float(found[2].rstrip("%")) == pytest.approx(100 * share, abs=0.5)


def test_a_look_in_a_text_has_no_turns() -> None:
    run = make_run(loaded("tiny-lm"), "the dog sees", "decoder.1.self_attn.weights")
    assert "By turn" not in strongest_look(run, look_at(run))
