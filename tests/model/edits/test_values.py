"""Edits are values: equal where they do the same, keys of a cache, and text in a link."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
import torch

from model.config import TransformerConfig
from model.edits.activations import ALL, Add, Patch
from model.edits.edges import DropEdge
from model.edits.edit import Change, Edit
from model.edits.parts import Ablate, Scale, Zero, ablate, scale
from model.edits.patches import blank_patches, shuffle_patches
from model.edits.tensors import HideRow, paint_mask
from model.edits.tensors import replace as replace_tensor
from model.edits.text import parse, parse_edit, write
from model.errors import EditError
from model.experiments.activation_edits import take
from tests.conftest import loaded

SHOWN = torch.tensor([[True, False], [True, True]])
STREAM = "decoder.2.resid_in"
# Each edit, made anew, and one that differs in a single value.
MADE = {
    "ablate": (lambda: ablate("decoder.1.self_attn", [2, 0]), lambda: ablate("decoder.1.self_attn", [2, 1])),
    "scale": (lambda: scale("decoder.1.ffn", 2.0), lambda: scale("decoder.1.ffn", 2.5)),
    "zero": (lambda: Zero("*.ffn.out"), lambda: Zero("*.self_attn.out")),
    "replace": (lambda: replace_tensor("x", torch.ones(2)), lambda: replace_tensor("x", torch.tensor([1.0, 2.0]))),
    "paint": (lambda: paint_mask("*.self_attn", SHOWN.clone()), lambda: paint_mask("*.self_attn", ~SHOWN)),
    "row": (lambda: HideRow("*.self_attn", 1), lambda: HideRow("*.self_attn", 2)),
    "patch": (lambda: Patch(STREAM, 2, "the keys"), lambda: Patch(STREAM, 2, "the key")),
    "add": (lambda: Add(STREAM, ALL, "yes", "no", 2.0), lambda: Add(STREAM, ALL, "yes", "no", 1.0)),
    "edge": (lambda: DropEdge("decoder.1.self_attn", 4, 2, 1), lambda: DropEdge("decoder.1.self_attn", 4, 2, 2)),
    "shuffle": (lambda: shuffle_patches([1, 0]), lambda: shuffle_patches([0, 1])),
    "blank": (lambda: blank_patches([1]), lambda: blank_patches([1], 0.5)),
    "change": (lambda: Change("x", torch.clone), lambda: Change("x", torch.zeros_like)),
}


@pytest.mark.parametrize("kind", MADE)
def test_the_tuple_of_the_edits_is_a_key(kind: str) -> None:
    make, other = MADE[kind]
    runs = {(make(), Zero("x")): "this run"}
    assert runs[make(), Zero("x")] == "this run"
    assert (other(), Zero("x")) not in runs
    assert (Zero("x"), make()) not in runs, "edits are made in order"
    with pytest.raises(FrozenInstanceError):
        make().pattern_of_another_run = "*"


@pytest.mark.parametrize("kind", MADE)
def test_what_is_applied_stays_as_it_was(kind: str) -> None:
    """An edit gives another tensor. The one of the run may be kept by somebody."""
    edit = MADE[kind][0]()
    if isinstance(edit, Patch | Add):
        edit = edit.with_values(torch.ones(1, 3) if isinstance(edit, Patch) else torch.ones(3))
    shape = {"replace": (2,), "paint": (2, 2), "row": (3, 3), "shuffle": (2, 3), "blank": (2, 3), "edge": (3, 5, 5)}
    found = torch.arange(float(torch.Size(shape.get(kind, (3, 3, 3))).numel())).view(shape.get(kind, (3, 3, 3))) + 1
    before = found.clone()
    assert edit.apply(found).shape == found.shape
    assert torch.equal(found, before)


def test_equal_tensors_of_another_type_or_shape_are_other_edits() -> None:
    ones = torch.ones(4)
    assert replace_tensor("x", ones) == replace_tensor("x", torch.ones(8)[::2]), "the memory behind it does not count"
    for other in (ones.half(), ones.view(2, 2), ones.bool(), ones.bfloat16()):
        assert replace_tensor("x", ones) != replace_tensor("x", other)


TEXTS = (
    "decoder.3.ffn",
    "decoder.3.ffn.8*-1.25",
    "decoder.3.self_attn.2*1.5",
    "encoder.0.cross_attn.11",
    "decoder.3.resid_in@4|The keys",
    "decoder.3.self_attn.2@all|a %25 b%2C c%7C d",
    "decoder.3.ffn@1|one|two",
    "decoder.3.resid_in*2@all|yes|no",
    "decoder.3.resid_in*-0.5@first|yes|no",
)


@pytest.mark.parametrize("text", TEXTS)
def test_an_edit_is_written_as_it_is_read(text: str) -> None:
    edit = parse_edit(text)
    assert str(edit) == text
    assert parse_edit(str(edit)) == edit
    assert (edit.stack, edit.layer) == (text.split(".")[0], int(text.split(".")[1]))


def test_a_list_has_each_place_once_in_the_order_of_the_model() -> None:
    edits = parse("decoder.10.ffn,decoder.3.ffn*2,decoder.3.ffn*-1,decoder.2.resid_in@4|a")
    assert [str(each) for each in edits] == ["decoder.2.resid_in@4|a", "decoder.3.ffn*-1", "decoder.10.ffn"]
    assert parse(write(reversed(edits))) == edits
    assert parse("") == parse("decoder.3.ffn*1") == parse("decoder.3.resid_in*0@all|a|b") == ()


@pytest.mark.parametrize(
    "text",
    [
        *("decoder.3.self_attn", "decoder.x.ffn", "decoder.3.ffn*9", "decoder.3.ffn*-2.5", "decoder.3.ffn*nan"),
        *("decoder.3.resid_in|a", "decoder.3.resid_in@all|a", "decoder.3.resid_in@4|", "decoder.3.ffn*2@4|a|b"),
        *("decoder.3.resid_in*4@all|a|b", "decoder.3.resid_in*2@all|a", "decoder.3.self_attn.2@first|a"),
    ],
)
def test_a_text_that_is_no_edit_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        parse(f"decoder.3.ffn*2,{text}")


def test_a_head_that_is_muted_by_either_edit_has_the_same_numbers() -> None:
    model = loaded("tiny-lm")
    logits = [
        model.trace("the dog", keep="logits", edits=[edit]).logits
        for edit in (Ablate("decoder.1.self_attn", (2,)), Scale.parse("decoder.1.self_attn.2"))
    ]
    assert torch.equal(*logits)


def test_values_of_another_run_stay_with_the_edit_until_it_is_another_one() -> None:
    edit = Add(STREAM, ALL, "the happy dog", "the sad dog", 2.0)
    with pytest.raises(EditError, match="no values yet"):
        edit.apply(torch.ones(2, 3))
    taken = take(edit, loaded("tiny-lm"))
    assert taken == edit
    assert taken.tensors() == (STREAM,)
    assert taken.after(3).values is taken.values
    assert replace(taken, plus="the bad dog").values is None, "they are those of other sentences"


def test_behind_a_cache_an_edit_of_a_token_counts_the_tokens_before_it() -> None:
    rows = torch.zeros(4, 2)
    patch = Patch(STREAM, 5, "a").with_values(torch.ones(1, 2))
    assert not patch.apply(rows).any(), "none of these is token 5"
    assert patch.after(3).apply(rows)[:, 0].tolist() == [0, 0, 1, 0]
    assert patch.after(1).after(2) == patch.after(3) != patch
    everywhere: list[Edit] = [Zero("x"), scale("decoder.1.ffn", 2.0), ablate("decoder.1.self_attn", 0)]
    assert [each.after(3) for each in everywhere] == everywhere


def test_a_place_is_in_the_models_that_have_it() -> None:
    config = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, d_ff=9, max_length=9, n_decoder_layers=4)
    has = "decoder.3.ffn", "decoder.3.ffn.8", "decoder.3.self_attn.1", "decoder.0.resid_in@4|a", "decoder.3.ffn@4|a"
    lacks = (
        *("decoder.4.ffn", "decoder.3.ffn.9", "decoder.3.self_attn.2", "encoder.0.ffn", "decoder.0.cross_attn.0"),
        *("decoder.4.resid_in@4|a", "decoder.0.cross_attn@4|a", "decoder.0.self_attn.2@all|a", "decoder.0.ffn.1@4|a"),
    )
    assert all(parse_edit(text).exists_in(config) for text in has)
    assert not any(parse_edit(text).exists_in(config) for text in lacks)
