from __future__ import annotations

import pytest

from model.other_names import lens_name, short_name


@pytest.mark.parametrize(
    ("part", "short", "lens"),
    [
        ("decoder.23.self_attn.heads.3", "L23H3", "blocks.23.attn.hook_z[..., 3, :]"),
        ("decoder.1.cross_attn.heads.0", "L1 cross H0", "blocks.1.cross_attn.hook_z[..., 0, :]"),
        ("encoder.4.ffn", "L4 FFN", "blocks.4.hook_mlp_out"),
        ("embed.tokens", "token", "hook_embed"),
        ("encoder.embed.positions", "position", "hook_pos_embed"),
        ("decoder.2.self_attn.query.bias", "L2 bias", ""),
        ("embed.norm.bias", "bias", ""),
    ],
)
def test_a_part_has_the_names_of_others(part: str, short: str, lens: str) -> None:
    assert (short_name(part), lens_name(part)) == (short, lens)


def test_in_a_model_of_two_stacks_the_hooks_name_the_stack() -> None:
    assert lens_name("encoder.4.self_attn.heads.1", two_stacks=True) == "encoder.4.attn.hook_z[..., 1, :]"
    assert lens_name("decoder.4.ffn", two_stacks=True) == "decoder.4.hook_mlp_out"
    assert lens_name("encoder.embed.tokens", two_stacks=True) == ""
