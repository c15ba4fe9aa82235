"""The weights of the framed head by turn and by role: of the chosen token, and of the question or the answer."""

from __future__ import annotations

import numpy as np
import pytest

from model.chat.turns import Conversation
from tests.conftest import loaded
from views.map.look import Look
from views.map.turns_of_head import TurnsOfHead, turns_of
from views.run import Run, make_run

WEIGHTS = "decoder.1.self_attn.weights"
TALK = Conversation("user: What is this?\nassistant: A cat.\nuser: And that?\nassistant: A dog.")


def look_at(run: Run) -> Look:
    return Look(run, "decoder", "self_attn", 1, 1, len(run.trace.tokens) - 1, 0)


def turns(run: Run, asked: str, summed: str) -> TurnsOfHead:
    found = turns_of(look_at(run), asked, summed)
    assert found is not None
    return found


@pytest.mark.slow
def test_the_question_and_the_answer_by_turn_and_by_role() -> None:
    run = make_run(loaded("smollm2-135m"), TALK, WEIGHTS)
    head, tokens = run.trace[WEIGHTS][1], run.trace.tokens
    said = [token.said for token in tokens]
    is_user = [each is not None and each.role == "user" and not each.is_frame for each in said]
    last = max(each.turn for each in said if each is not None and each.role == "user")
    question = [place for place, each in enumerate(said) if is_user[place] and each is not None and each.turn == last]

    by_role = turns(run, "question", "role")
    titles = [group.title for group in by_role.shares.groups]
    assert titles == ["system", "user", "assistant", "template"]
    of_token, mean = by_role.rows.values()
    assert of_token[1] == pytest.approx(float(head[-1, is_user].sum()), abs=1e-5)
    assert mean[1] == pytest.approx(float(head[question][:, is_user].sum(-1).mean()), abs=1e-5)
    assert [*by_role.rows][1] == "mean of the question"
    table = by_role.table().make()
    np.testing.assert_allclose(table["user"], [of_token[1], mean[1]], rtol=1e-6)
    assert f"{len(question)} places of the question" in by_role.caption()

    by_turn = turns(run, "answer", "turn")
    titles = [group.title for group in by_turn.shares.groups]
    assert titles == ["system", "user 1", "assistant 1", "user 2", "assistant 2", "template"]
    assert "that write the answer" in by_turn.caption()
    bars = by_turn._draw().data
    assert [bar.name for bar in bars] == titles
    np.testing.assert_allclose(np.stack([bar.x for bar in bars]).sum(0), 1, atol=1e-5)


def test_a_text_has_no_turns() -> None:
    run = make_run(loaded("tiny-lm"), "the dog sees", WEIGHTS)
    assert turns_of(look_at(run), "all", "turn") is None
