from __future__ import annotations

import pytest
import torch

from model.edits.edit import Change
from model.edits.parts import ablate
from model.edits.tensors import replace
from model.errors import EditError
from model.tape import SILENT, Origin, Tape, Trace


def test_a_silent_tape_is_the_identity() -> None:
    x = torch.ones(3)
    assert SILENT("anything", x) is x
    assert SILENT.idle
    assert SILENT.at("decoder", 3) is SILENT
    assert SILENT.records == {}


def test_keeps_what_the_patterns_name() -> None:
    tape = Tape(keep=["*.weights", "decoder.0.resid_?n"])
    for layer in range(2):
        below = tape.at("decoder", layer)
        below("resid_in", torch.zeros(1))
        below.at("self_attn")("weights", torch.full((1,), layer))
        below.at("self_attn")("scores", torch.zeros(1))
    assert list(tape.records) == ["decoder.0.resid_in", "decoder.0.self_attn.weights", "decoder.1.self_attn.weights"]
    assert tape.records["decoder.1.self_attn.weights"].item() == 1


def test_a_single_name_is_one_pattern_and_a_dot_is_a_dot() -> None:
    tape = Tape(keep="a.b")
    tape("axb", torch.zeros(1))
    tape.at("a")("b", torch.ones(1))
    assert list(tape.records) == ["a.b"]


def test_watches_says_whether_a_name_would_be_kept_or_edited() -> None:
    tape = Tape(keep="*.weights", edits=[Change("*.mask", torch.clone)])
    below = tape.at("decoder", 0, "self_attn")
    assert below.watches("scores", "weights")
    assert below.watches("mask")
    assert not below.watches("scores", "heads")


def test_what_is_neither_kept_nor_edited_is_left_to_its_maker() -> None:
    tape = Tape("a.kept", [Change("a.edited", torch.clone)], watches_all=True).at("a")
    assert [tape.may_overwrite(name) for name in ("kept", "edited", "other")] == [False, False, True]
    assert SILENT.may_overwrite("kept")


def test_edits_apply_in_their_order_before_the_tensor_is_kept() -> None:
    tape = Tape(keep="x", edits=[Change("x", lambda x: x + 1), Change("*", lambda x: x * 10)])
    before = torch.ones(2)
    after = tape("x", before)
    assert after.tolist() == [20, 20]
    assert tape.records["x"] is after
    assert before.tolist() == [1, 1]


def test_an_edit_without_keep_is_made_too() -> None:
    tape = Tape(edits=[Change("x", torch.zeros_like)])
    assert tape("x", torch.ones(2)).tolist() == [0, 0]
    assert tape.records == {}
    tape.check_edits()


def test_an_edit_that_names_nothing_or_changes_a_shape_is_an_error() -> None:
    tape = Tape(edits=[Change("decoder.99.resid_in", torch.clone), Change("x", lambda x: x[:1])])
    with pytest.raises(EditError, match=r"x changed its shape from \(2,\) to \(1,\)"):
        tape("x", torch.ones(2))
    with pytest.raises(EditError, match=r"decoder\.99\.resid_in"):
        tape.check_edits()


def test_a_tape_behind_another_tells_it_which_edits_were_made() -> None:
    tape = Tape(edits=[Change("decoder.0.x", lambda x: x * 10)])
    behind = tape.at("decoder").with_edits([Change("*.x", lambda x: x + 1)])
    assert behind.at(0)("x", torch.ones(2)).tolist() == [20, 20]
    tape.check_edits()
    behind.check_edits()


def test_a_tape_hears_of_a_wrong_name_among_the_edits_behind_it() -> None:
    tape = Tape()
    tape.with_edits([Change("wrong", torch.clone), Change("x", torch.clone)])("x", torch.ones(2))
    with pytest.raises(EditError, match="wrong"):
        tape.check_edits()


def test_an_edit_found_before_is_not_forgotten_when_it_is_put_behind_again() -> None:
    tape, edits = Tape("*"), [Change("encoder.x", torch.zeros_like), Change("decoder.x", torch.zeros_like)]
    tape.with_edits(edits)("encoder.x", torch.ones(2))
    tape.with_edits(edits)("decoder.x", torch.ones(2))
    tape.check_edits()


def test_the_silent_tape_hears_of_no_edit() -> None:
    SILENT.with_edits([Change("wrong", torch.clone)])("x", torch.ones(2))
    SILENT.check_edits()


def test_the_next_step_of_a_run_keeps_its_own_records_and_knows_the_edits_that_were_made() -> None:
    first = Tape("x")
    first.with_edits([Change("x", torch.zeros_like)])("x", torch.ones(2))
    later = first.for_next_step("y")
    later("x", torch.ones(2))
    later("y", torch.ones(2))
    later.check_edits()
    assert list(first.records) == ["x"]
    assert list(later.records) == ["y"]


def test_ablate_silences_one_head_only() -> None:
    heads = torch.ones(4, 3, 2)
    tape = Tape(edits=[ablate("decoder.1.self_attn", head=2)])
    after = tape.at("decoder", 1, "self_attn")("heads", heads)
    assert after[2].abs().sum() == 0
    assert after[[0, 1, 3]].equal(heads[[0, 1, 3]])
    assert heads.min() == 1
    assert tape.at("decoder", 0, "self_attn")("heads", heads) is heads


@pytest.mark.parametrize("head", [-1, 4])
def test_ablate_names_the_heads_that_there_are(head: int) -> None:
    with pytest.raises(EditError, match="heads 0 to 3"):
        Tape(edits=[ablate("a", head)]).at("a")("heads", torch.ones(4, 3, 2))


def test_replace_puts_a_tensor_in_the_place_of_another() -> None:
    patch = torch.arange(3.0)
    assert Tape(edits=[replace("x", patch)])("x", torch.zeros(2, 3)).equal(patch.expand(2, 3))


def test_two_tapes_share_nothing() -> None:
    first, second = Tape(keep="*"), Tape(keep="*")
    first("x", torch.ones(1))
    assert second.records == {}


def test_a_trace_does_not_change_and_hints_at_the_nearest_name() -> None:
    tensors = {"decoder.0.self_attn.weights": torch.ones(2)}
    trace = Trace((), tensors)
    tensors["later"] = torch.ones(1)
    assert "later" not in trace
    assert "decoder.0.self_attn.weights" in trace
    with pytest.raises(TypeError):
        trace.tensors["new"] = torch.ones(1)  # type: ignore[index]
    with pytest.raises(KeyError, match=r"Did you mean decoder\.0\.self_attn\.weights"):
        trace["decoder.0.self_attn.weight"]
    with pytest.raises(KeyError, match="keep="):
        _ = trace.logits


def test_a_trace_counts_shared_memory_once() -> None:
    x = torch.zeros(10, 10)
    assert Trace((), {"x": x, "same": x, "view": x.mT, "other": torch.zeros(5)}).nbytes == 400 + 20


def test_a_tape_that_watches_all_keeps_only_what_it_is_told() -> None:
    tape = Tape(keep="*.resid_in", watches_all=True)
    below = tape.at("decoder", 0).with_edits([Change("*.mask", torch.clone)])
    assert below.at("self_attn").watches("scores")
    below("resid_in", torch.zeros(1))
    below("resid_mid", torch.zeros(1))
    assert list(tape.records) == ["decoder.0.resid_in"]
    assert not Tape(watches_all=True).idle


def test_a_trace_counts_the_picture_that_it_holds_but_not_the_network() -> None:
    origin = Origin(torch.nn.Linear(100, 100), (), torch.zeros(3, 4, 4))
    assert Trace((), {"x": torch.zeros(5)}, origin=origin).nbytes == 20 + 192
