"""The names of tensors and sublayers in words."""

from __future__ import annotations

import pytest

from model import load
from model.analysis.block_steps import steps
from viz.shared.tensor_titles import IN_LAYER, path_title, title_in_layer


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("decoder.2.self_attn", "layer 2, self-attention"),
        ("decoder.2.self_attn.heads.1", "layer 2, head 1"),
        ("decoder.2.cross_attn.heads.1", "layer 2, cross head 1"),
        ("decoder.2", "layer 2"),
        ("encoder.embed", "embedding"),
        ("embed", "embedding"),
        ("logits", "logits"),
        ("decoder.embed.out", "decoder.embed.out"),
    ],
)
def test_a_path_in_words(path: str, title: str) -> None:
    assert path_title(path) == title


def test_the_stack_is_named_where_there_are_two() -> None:
    assert path_title("encoder.0.ffn", several=True) == "encoder layer 0, feed-forward"
    assert path_title("decoder.embed", several=True) == "decoder embedding"


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur", "smollm2-135m", "minilm-l6"])
def test_each_step_of_a_layer_has_a_title_of_its_own(name: str) -> None:
    config = load(name).config
    titles = [title_in_layer(step.name, config.gated) for step in steps(config, config.stacks[-1])]
    assert len(set(titles)) == len(titles)
    assert not [title for title in titles if "_" in title or "." in title]


def test_only_a_gated_feed_forward_has_a_gate() -> None:
    assert title_in_layer("ffn.hidden") == IN_LAYER["ffn.hidden"]
    assert title_in_layer("ffn.hidden", gated=True) == "gate"
