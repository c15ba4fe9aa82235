from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from model import available
from model.config import TransformerConfig
from model.cost.formulas import (
    attention_costs,
    attention_memory,
    count_multiplications,
    crossing_length,
    layer_costs,
    model_costs,
    patch_entries,
)
from model.loading import read_checkpoint
from model.network.transformer import Transformer
from model.tape import Tape
from model.vision.model import load_vision
from tests.conftest import loaded
from tests.model.networks import CLIP_PICTURE, SIGLIP_PICTURE, VARIANTS, inputs, variant
from tests.model.networks import config as config_of
from tests.model.zoo import tiny_families, tiny_t5

HEADS = ("Model", "ForMaskedLM", "ForSequenceClassification")
# One checkpoint of every family, an encoder with each answer: what makes it, and its name and head.
CHECKPOINTS: list[tuple[Callable[..., Any], tuple[str, ...]]] = [
    *((tiny_families.make, (name,)) for name in ("llama", "mistral", "qwen2", "qwen3", "gpt2", "gpt_neox")),
    *((tiny_families.make_encoder, (name, head)) for name in ("bert", "roberta", "distilbert") for head in HEADS),
    (tiny_families.make_translator, ("marian",)),
    *((tiny_t5.make, (name,)) for name in ("t5, wide heads", "mt5")),
]
PAPER = TransformerConfig(vocab_size=50, d_model=24, n_heads=4, d_ff=40, max_length=64, n_decoder_layers=2)
VISION = replace(
    PAPER, vocab_size=0, max_length=10, n_encoder_layers=2, n_decoder_layers=0, image_size=12, patch_size=4, channels=3,
    image_labels=("cat", "dog"), positions="learned",
)  # fmt: skip
SHAPES = {
    "decoder": PAPER,
    "encoder": replace(PAPER, n_encoder_layers=3, n_decoder_layers=0),
    "classes": replace(
        PAPER,
        n_encoder_layers=3,
        n_decoder_layers=0,
        text_labels=("good", "bad"),
        token_labels=("noun", "verb", "pronoun"),
    ),
    "encoder-decoder": replace(PAPER, n_encoder_layers=2, target_vocab_size=30),
    "grouped, gated, rotary": replace(PAPER, n_kv_heads=2, gated=True, positions="rotary", norm_position="pre"),
}


@pytest.mark.parametrize("config", SHAPES.values(), ids=SHAPES.keys())
def test_the_formulas_count_what_torch_counts(config: TransformerConfig) -> None:
    source_tokens = 7 if config.kind == "encoder-decoder" else 0
    multiplications = sum(cost.multiplications for cost in model_costs(config, 9, source_tokens))
    assert multiplications == count_multiplications(config, 9, source_tokens)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_formulas_count_what_a_network_multiplies(name: str) -> None:
    made = variant(name)
    written, source = inputs(made)
    with torch.enable_grad(), FlopCounterMode(display=False) as counter:  # without gradients, oneDNN is not counted
        made(written, source, Tape("logits"))
    lengths = (made.config.max_length if made.config.image_size else len(written), 0 if source is None else len(source))
    total = sum(cost.multiplications for cost in model_costs(made.config, *lengths))
    assert total == counter.get_total_flops() // 2 == count_multiplications(made.config, *lengths)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "how"), CHECKPOINTS, ids=[", ".join(how) for _, how in CHECKPOINTS])
def test_the_formulas_count_what_torch_counts_of_every_family(make: Any, how: tuple[str, ...], tmp_path: Path) -> None:
    make(how[0], tmp_path, *how[1:])
    config = read_checkpoint(tmp_path).config
    source = 6 if config.kind == "encoder-decoder" else 0
    assert sum(cost.multiplications for cost in model_costs(config, 9, source)) == count_multiplications(
        config, 9, source
    )


def test_a_pass_of_a_wide_headed_model_costs_what_its_heads_cost() -> None:
    """Qwen3 0.6B: 16 heads of 128 features in a width of 1,024, so half of what a query has is beyond the width."""
    qwen = TransformerConfig(
        vocab_size=151_936, d_model=1024, n_heads=16, n_kv_heads=8, d_head=128, d_ff=3072, n_decoder_layers=28,
        max_length=40_960, positions="rotary", gated=True, norm="rms", norm_position="pre", bias=False,
    )  # fmt: skip
    assert sum(cost.multiplications for cost in model_costs(qwen, 64)) == pytest.approx(38.6e9, rel=1e-3)


@pytest.mark.parametrize("values", [CLIP_PICTURE, SIGLIP_PICTURE])
def test_the_formulas_count_what_a_tower_of_pictures_multiplies(values: dict[str, Any]) -> None:
    config = config_of("encoder", **values)
    total = sum(cost.multiplications for cost in model_costs(config, config.max_length))
    assert total == count_multiplications(config, config.max_length)


def test_the_formulas_count_what_torch_counts_of_a_picture() -> None:
    costs = model_costs(VISION, VISION.max_length)
    assert sum(cost.multiplications for cost in costs) == count_multiplications(VISION, VISION.max_length)
    assert [costs[0].part, costs[-1].part] == ["patch projection", "picture classes"]


TEXT, PICTURES = ([card.name for card in available(*kinds) if card.ready] for kinds in ((), ("vision",)))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TEXT, *PICTURES])
def test_the_formulas_count_what_torch_counts_of_every_model_here(name: str) -> None:
    config = load_vision(name).config if name in PICTURES else loaded(name).config
    tokens = config.max_length if config.image_size else 64
    source_tokens = tokens if config.kind == "encoder-decoder" else 0
    total = sum(cost.multiplications for cost in model_costs(config, tokens, source_tokens))
    assert total == count_multiplications(config, tokens, source_tokens)


def test_attention_memory_is_the_bytes_of_its_tensors() -> None:
    tape = Tape(keep="*.self_attn.*")
    Transformer(PAPER).eval()(torch.arange(9), tape=tape)
    parts = {cost.part: cost.memory for cost in attention_costs(PAPER, 9, 9)}
    assert parts["scores"] == tape.records["decoder.0.self_attn.scores"].nbytes
    q, k, v = (tape.records[f"decoder.0.self_attn.{name}"].nbytes for name in "qkv")
    assert parts["queries, keys, values"] == q + k + v


def test_the_memory_of_all_attentions_has_those_of_both_stacks() -> None:
    tape, shape = Tape("*_attn.*"), replace(PAPER, n_encoder_layers=3)
    Transformer(shape).eval()(torch.arange(9), torch.arange(9), tape)
    parts = ("q", "k", "v", "scores", "weights", "heads", "out")
    made = sum(tensor.nbytes for name, tensor in tape.records.items() if name.rsplit(".", 1)[-1] in parts)
    assert attention_memory(shape, 9) == made


def test_the_squared_parts_overtake_at_the_crossing() -> None:
    def of(growth: str, tokens: int) -> int:
        return sum(cost.multiplications for cost in layer_costs(PAPER, tokens) if cost.growth == growth)

    tokens = round(crossing_length(PAPER))
    assert of("T² D", tokens - 1) < of("T D²", tokens - 1)
    assert of("T² D", tokens + 1) > of("T D²", tokens + 1)


def test_without_kept_weights_no_whole_matrix_is_stored() -> None:
    kept = sum(cost.memory for cost in layer_costs(PAPER, 64))
    unkept = sum(cost.memory for cost in layer_costs(PAPER, 64, keep_weights=False))
    assert kept - unkept == 2 * 4 * PAPER.n_heads * 64 * 64  # scores and weights, float32


def test_patches_save_entries_with_the_fourth_power_of_their_side() -> None:
    assert patch_entries(224, 224, 14) == 257**2
    assert patch_entries(28, 28, 1) == 785**2
