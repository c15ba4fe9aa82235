from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from model.edits.edit import Change, Edit
from model.errors import ConfigError, PictureError
from model.network.patches import patchify, unpatchify
from model.tape import Tape
from tests.model.networks import VISION, config, network, pixels

pytestmark = pytest.mark.usefixtures("inference")

SIZES = st.integers(1, 5)


def random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


@given(rows=SIZES, columns=SIZES, size=SIZES, channels=st.integers(1, 4), batch=st.integers(0, 3))
def test_patches_put_together_again_are_the_picture(
    rows: int, columns: int, size: int, channels: int, batch: int
) -> None:
    picture = random(*([batch] if batch else []), channels, rows * size, columns * size)
    patches = patchify(picture, size)
    assert patches.shape == (*picture.shape[:-3], rows * columns, size * size * channels)
    assert torch.equal(unpatchify(patches, size, channels, columns), picture)


@given(rows=SIZES, columns=SIZES, size=SIZES, channels=st.integers(1, 4))
def test_patches_are_those_of_torch(rows: int, columns: int, size: int, channels: int) -> None:
    picture = random(channels, rows * size, columns * size)
    assert torch.equal(patchify(picture, size), F.unfold(picture[None], size, stride=size)[0].mT)


def test_a_small_picture_by_hand() -> None:
    picture = torch.arange(16.0).view(1, 4, 4)
    assert patchify(picture, 2).tolist() == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]


def test_the_numbers_of_the_specification() -> None:
    frame = torch.zeros(1, 1080, 1920)  # Palaskos (2022), section 4: 64 patches of 240 x 135, 32,400 values a channel
    assert frame.unflatten(-1, (8, 240)).unflatten(-3, (8, 135)).shape == (1, 8, 135, 8, 240)
    assert 240 * 135 == 32_400
    assert patchify(frame, 120).shape == (1920 * 1080 // 120**2, 120**2)


@pytest.mark.parametrize(("height", "width", "size"), [(9, 8, 4), (8, 9, 4), (8, 8, 0)])
def test_a_picture_that_does_not_divide_is_refused(height: int, width: int, size: int) -> None:
    with pytest.raises(PictureError, match="do not divide into patches"):
        patchify(torch.zeros(3, height, width), size)


def test_the_projection_is_a_convolution_whose_steps_are_its_size() -> None:
    made, tape, picture = vision(), Tape("embed.tokens"), random(3, 8, 8)
    made(picture, tape=tape)
    patches = made.encoder.embed.patches
    convolved = F.conv2d(picture[None], patches.filters, patches.project.bias, stride=4)[0].flatten(1).mT
    torch.testing.assert_close(tape.records["embed.tokens"][1:], convolved)
    assert torch.equal(tape.records["embed.tokens"][0], patches.class_token)


def test_a_picture_of_another_shape_is_refused() -> None:
    with pytest.raises(PictureError, match=r"reads \(channels, height, width\) = \(3, 8, 8\), not \(1, 8, 8\)"):
        vision()(torch.zeros(1, 8, 8))


def vision(**changes: Any) -> Any:
    return network("encoder", **{**VISION, **changes})


def hidden(made: Any, picture: torch.Tensor, *edits: Edit) -> tuple[torch.Tensor, torch.Tensor]:
    """The final states (1 + N, d_model) and the class scores of a run."""
    tape = Tape(("final_norm", "image_logits"), edits)
    made(picture, tape=tape)
    return tape.records["final_norm"], tape.records["image_logits"]


ORDER = [2, 0, 3, 1]
SHUFFLE = Change("embed.patches", lambda patches: patches[..., ORDER, :])
NO_POSITIONS = Change("embed.positions", torch.zeros_like)


def test_without_positions_shuffled_patches_give_shuffled_outputs() -> None:
    made = vision()
    plain, scores = hidden(made, pixels(made), NO_POSITIONS)
    shuffled, again = hidden(made, pixels(made), NO_POSITIONS, SHUFFLE)
    torch.testing.assert_close(shuffled[1:], plain[1:][ORDER], atol=1e-5, rtol=0)
    torch.testing.assert_close(shuffled[0], plain[0], atol=1e-5, rtol=0)
    torch.testing.assert_close(again, scores, atol=1e-5, rtol=0)


def test_with_positions_they_do_not() -> None:
    made = vision()
    plain, shuffled = hidden(made, pixels(made))[0], hidden(made, pixels(made), SHUFFLE)[0]
    assert (shuffled[1:] - plain[1:][ORDER]).abs().max() > 0.1


def test_a_model_made_without_positions_equals_one_with_positions_of_zero() -> None:
    bare, full = vision(positions="none"), vision()
    weights = full.state_dict() | bare.state_dict()
    full.load_state_dict(weights)
    assert torch.equal(hidden(bare, pixels(bare))[0], hidden(full, pixels(full), NO_POSITIONS)[0])


def test_a_batch_of_pictures_gives_what_each_gives_alone() -> None:
    made = vision()
    batch = torch.stack([pixels(made, seed) for seed in range(3)])
    for states, picture in zip(made(batch), batch, strict=True):
        torch.testing.assert_close(states, made(picture), atol=1e-5, rtol=1e-5)


def test_layer_scale_is_a_gain_on_what_each_sublayer_adds() -> None:
    made, tape = vision(), Tape("encoder.0.*")
    made(pixels(made), tape=tape)
    block, at = made.encoder.blocks[0], tape.records
    assert torch.equal(at["encoder.0.attn_scaled"], block.attn_gain * at["encoder.0.self_attn.out"])
    assert torch.equal(at["encoder.0.ffn_scaled"], block.ffn_gain * at["encoder.0.ffn.out"])
    assert torch.equal(at["encoder.0.resid_mid"], at["encoder.0.resid_in"] + at["encoder.0.attn_scaled"])
    assert torch.equal(at["encoder.0.resid_out"], at["encoder.0.resid_mid"] + at["encoder.0.ffn_scaled"])


def test_a_vision_model_knows_its_sizes() -> None:
    shape = config("encoder", **VISION)
    assert (shape.patches_a_side, shape.n_patches, shape.patch_width) == (2, 4, 48)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"patch_size": 3}, "does not divide into patches of 3"),
        ({"patch_size": 0}, "does not divide into patches of 0"),
        ({"channels": 0}, "its pictures have channels"),
        ({"n_segments": 2}, "encoder without segments"),
        ({"n_decoder_layers": 1}, "is an encoder"),
        ({"max_length": 4}, "max_length must be 5"),
    ],
)
def test_a_configuration_that_describes_no_vision_model_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config("encoder", **{**VISION, **changes})


def test_only_a_vision_model_may_have_no_vocabulary() -> None:
    with pytest.raises(ConfigError, match="vocab_size is 0"):
        config("encoder", vocab_size=0)
