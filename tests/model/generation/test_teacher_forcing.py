from __future__ import annotations

import pytest
import torch

from model.generation.teacher_forcing import first_departure, run_teacher_forced
from tests.model.networks import ids, variant

START, END = 1, 2


@pytest.fixture(scope="module")
def translator():
    return variant("paper")


def test_the_input_is_the_target_shifted_right(translator) -> None:
    """Shamsi (2024), section 2.4: position j of the input is position j - 1 of the target."""
    made = run_teacher_forced(translator, ids(5).tolist(), [7, 8, 9], START, END)
    assert made.inputs == (START, 7, 8, 9)
    assert made.labels == (7, 8, 9, END)
    assert made.inputs[1:] == made.labels[:-1]


def test_losses_are_those_of_a_decoder_that_reads_one_token_more_each_time(translator) -> None:
    source = ids(5)
    made = run_teacher_forced(translator, source.tolist(), [7, 8, 9], START, END)
    for position, (label, loss) in enumerate(zip(made.labels, made.losses, strict=True)):
        row = translator(torch.tensor(made.inputs[: position + 1]), source)[-1]
        assert loss == pytest.approx(float(-row.log_softmax(-1)[label]), abs=1e-5)
        assert made.predictions[position] == int(row.argmax())
    assert made.loss == pytest.approx(sum(made.losses) / 4)


def test_not_shifted_every_position_reads_its_own_answer(translator) -> None:
    made = run_teacher_forced(translator, ids(5).tolist(), [7, 8, 9], START, END, shifted=False)
    assert made.inputs == made.labels == (7, 8, 9, END)


@pytest.mark.parametrize(
    ("written", "position"), [([4, 5, 2], None), ([4, 6, 2], 1), ([3, 5, 2], 0), ([4, 5], 2), ([4, 5, 2, 9], 3)]
)
def test_where_a_free_run_leaves_the_path(written: list[int], position: int | None) -> None:
    assert first_departure([4, 5, 2], written) == position
