from dataclasses import replace

import pytest
import torch

from model.analysis.block_steps import norm_input, norm_names, output_name, steps, sublayer_outputs, sums
from model.config import TransformerConfig
from model.network.feed_forward import ACTIVATIONS
from model.network.transformer import Transformer
from model.tape import Tape, Trace

POST = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, d_ff=16, max_length=32, n_decoder_layers=2)
SHAPES = {
    "post": POST,
    "pre": replace(POST, norm_position="pre"),
    "gated": replace(POST, norm_position="pre", gated=True, norm="rms"),
    "parallel": replace(POST, norm_position="pre", parallel_residual=True),
    "outputs normalised": replace(POST, norm_position="output", norm="rms"),
    "both normalised": replace(POST, norm_position="both", n_encoder_layers=2),
    "post, cross": replace(POST, n_encoder_layers=2),
    "pre, cross": replace(POST, n_encoder_layers=2, norm_position="pre"),
}


def run(config: TransformerConfig) -> tuple[Transformer, Trace]:
    torch.manual_seed(0)
    network, tape = Transformer(config).eval(), Tape("*")
    with torch.inference_mode():
        network(torch.arange(5), torch.arange(4) if config.n_encoder_layers else None, tape)
    return network, Trace((), tape.records)


@pytest.mark.parametrize("config", SHAPES.values(), ids=SHAPES.keys())
def test_the_steps_are_the_recorded_tensors_in_the_order_in_which_they_are_made(config: TransformerConfig) -> None:
    _, trace = run(config)
    wanted = [f"decoder.1.{step.name}" for step in steps(config, "decoder")]
    made = [name for name in trace.tensors if name in wanted]
    assert sorted(made, key=wanted.index) == wanted
    assert made == wanted


def test_the_symbol_of_a_gated_activation_is_the_product_that_is_recorded() -> None:
    _, trace = run(SHAPES["gated"])
    hidden, up, activated = (trace[f"decoder.0.ffn.{name}"] for name in ("hidden", "up", "activated"))
    torch.testing.assert_close(activated, ACTIVATIONS[SHAPES["gated"].activation](hidden) * up)
    said = {step.name: step for step in steps(SHAPES["gated"], "decoder")}
    x = r"\mathrm{Norm}(Z)"
    assert said["ffn.activated"].symbol == rf"\sigma(W_{{gate}} {x}) \odot W_{{up}} {x}"
    assert said["ffn.hidden"].symbol == rf"W_{{gate}} {x}"
    assert said["ffn.activated"].does == "the activated gate times up"
    plain = {step.name: step.symbol for step in steps(SHAPES["pre"], "decoder")}
    assert plain["ffn.activated"] == rf"\sigma(W_1 {x})"


@pytest.mark.parametrize("config", SHAPES.values(), ids=SHAPES.keys())
def test_every_sum_holds_and_the_last_step_is_what_the_next_layer_finds(config: TransformerConfig) -> None:
    _, trace = run(config)
    found = sums(config, trace, "decoder", 0)
    assert len(found) == (3 if config.n_encoder_layers else 2)
    assert all(each.difference < 1e-5 for each in found)
    assert torch.equal(trace[f"decoder.0.{output_name(config)}"], trace["decoder.1.resid_in"])


@pytest.mark.parametrize("config", SHAPES.values(), ids=SHAPES.keys())
@torch.inference_mode()
def test_a_norm_of_its_input_is_its_output(config: TransformerConfig) -> None:
    network, trace = run(config)
    for norm in norm_names(config, "decoder"):
        module = network.get_submodule(f"decoder.blocks.0.{norm}")
        made = module(trace[f"decoder.0.{norm_input(config, 'decoder', norm)}"])
        torch.testing.assert_close(made, trace[f"decoder.0.{norm}"])


def test_norms_and_outputs_of_sublayers_stand_in_their_order() -> None:
    for name in ("post", "pre"):
        assert norm_names(SHAPES[name], "decoder") == ("attn_norm", "ffn_norm")
        assert sublayer_outputs(SHAPES[name], "decoder") == ("self_attn.out", "ffn.out")
        crossing = SHAPES[f"{name}, cross"]
        assert norm_names(crossing, "decoder") == ("attn_norm", "cross_norm", "ffn_norm")
        assert sublayer_outputs(crossing, "decoder") == ("self_attn.out", "cross_attn.out", "ffn.out")
        assert norm_names(crossing, "encoder") == ("attn_norm", "ffn_norm")
    outputs = SHAPES["outputs normalised"]
    assert norm_names(outputs, "decoder") == sublayer_outputs(outputs, "decoder") == ("attn_out_norm", "ffn_out_norm")
    both = norm_names(SHAPES["both normalised"], "encoder")
    assert both == ("attn_norm", "attn_out_norm", "ffn_norm", "ffn_out_norm")
