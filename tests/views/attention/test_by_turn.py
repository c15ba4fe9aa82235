"""How much a head looks at each turn."""

from __future__ import annotations

import numpy as np
import pytest

from model.analysis.head_steps import Attention
from model.chat.turns import Conversation
from tests.conftest import loaded
from views.attention.by_turn import NO_TURNS, TO_SYSTEM, ByTurn
from views.head_of_run import HeadOfRun, keep
from views.run import make_run

TALK = Conversation("user: What is the capital of France?\nassistant: The capital of France is Paris.")


def view(name: str, text: str, **choice: str) -> ByTurn:
    model = loaded(name)
    return ByTurn(HeadOfRun(make_run(model, text, keep), Attention("decoder", 1, "self_attn"), 1), **choice)


@pytest.mark.slow
def test_the_shares_of_a_conversation() -> None:
    shown = view("smollm2-135m", TALK, asked="answer")
    assert [group.title for group in shown.groups] == ["system", "user", "assistant", "template"]
    assert len(shown.places) == 8  # before each of the seven tokens, and the last of them
    np.testing.assert_allclose(shown.shares.sum(-1), 1, atol=1e-5)
    maps = shown.of_all_heads
    assert maps["user"].shape == (30, 9)
    np.testing.assert_allclose(maps["system"][1, 1], shown.shares[:, 0].mean(), atol=1e-6)
    assert shown.told()[TO_SYSTEM] == pytest.approx(float(shown.shares[:, 0].mean()))
    assert "places that write the answer" in shown.caption()
    figure = shown._draw()
    assert [bar.name for bar in figure.data] == ["system", "user", "assistant", "template"]
    np.testing.assert_allclose(figure.data[1].x, shown.shares[:, 1])
    assert shown.table().make()["user"].tolist() == pytest.approx(shown.shares[:, 1].tolist())


def test_a_text_without_turns_says_so() -> None:
    shown = view("tiny-lm", "the dog sees the cat", asked="answer")
    assert [group.title for group in shown.groups] == ["text"]
    assert len(shown.places) == len(shown.head.queries)
    assert any(getattr(part, "text", "") == NO_TURNS for part in shown._say_no_turns())
    assert "places, layer 1, head 1 gives 100% of its attention to text." in shown.caption()
