"""Block: the work of one layer. Six parts, of which only the open one computes."""

from __future__ import annotations

from model.analysis.block_steps import norm_names, steps
from model.analysis.neurons import strongest
from model.graph.on_demand import stream_names
from pages.block.block_parts import controls, depth_measurement, layer_choice, order_measurement
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import traces
from pages.shared.session import state, token_window
from views.layer import stream_measures
from views.layer.excited_tokens import excite, units_of
from views.layer.experts import TAKES, TakenExperts, feed_forward_view
from views.layer.feed_forward import HiddenFeatures
from views.layer.layer_flow import LayerFlow
from views.layer.norm_of_token import CHANGE, NormOfToken
from views.layer.norm_orders import NormOrders
from views.layer.residual_stream import AT_FIRST, ResidualStream
from views.layer.skip_connections import DIFFERENCE, NetworksByDepth, SkipConnections
from views.shared.examples import EXAMPLES

PROMPTS = (
    Prompt(
        "Who writes most?",
        "In many models a layer adds far more to the first token than to any other.",
        {"block_part": "stream"},
        claim=Claim(AT_FIRST, "over", 2.0),
    ),
    Prompt(
        "Scale the input",
        "The norm takes a factor away again.",
        {"block_part": "norm", "block_factor": 4.0, "block_shift": 0.0},
        claim=Claim(CHANGE, "under", 0.05),
    ),
    Prompt(
        "What is an expert for?",
        "Of eight experts in this layer, one takes the word “the” wherever it stands.",
        {"block_part": "ffn", "model": "tiny-lm-moe", "text": "The dog likes the cat", "layer": 0}
        | {"query": 3, "block_neuron": 5},
        claim=Claim(TAKES, "over", 0.9),
    ),
    Prompt(
        "Go deep without skips",
        "Without skips the tokens become nearly the same.",
        {"block_part": "skips", "block_depth": 24},
        claim=Claim(DIFFERENCE, "under", 0.1),
    ),
)


def flow() -> LayerFlow:
    place = layer_choice.read_layer(("*",))
    names = tuple(step.name for step in steps(place.config, place.stack))
    return LayerFlow(place, state.checked_choice("block_step", names, "Step", names[-1]))


def stream() -> ResidualStream:
    """It takes something of each layer, which is taken while the run is made."""
    hook = stream_measures.lengths_hook()
    place = layer_choice.read_run(stream_measures.names_of, hook.look)
    stream_measures.keep(place, hook)
    return ResidualStream(place, token_window.read(len(place.tokens)))


def norm() -> NormOfToken:
    place = layer_choice.read_layer(("resid_*", "*_norm", "*.out"))
    names = norm_names(place.config, place.stack)
    chosen = state.checked_choice("block_norm", names, "Norm", names[0])
    place = layer_choice.with_token(place)
    return NormOfToken(place, chosen, state.get("block_factor"), state.get("block_shift"))


def feed_forward() -> HiddenFeatures | TakenExperts:
    place = layer_choice.with_token(layer_choice.read_layer(("ffn.*",)))
    units = units_of(place.config)
    if state.get("block_neuron") < 0:
        state.put(block_neuron=int(strongest(place.tensor(units.tensor)[place.token], 1)[1][0]))
    neuron = state.checked_number("block_neuron", 0, units.count - 1, units.noun.capitalize())
    return feed_forward_view(place, excite(place, neuron, EXAMPLES, traces.trace))


def skips() -> SkipConnections:
    place = layer_choice.of_formulas(traces.current(keep=stream_names))
    depths = NetworksByDepth(place.run, state.get("block_depth"), depth_measurement.measured)
    return SkipConnections(place, depths, depth_measurement.derivatives)


def orders() -> NormOrders:
    place = layer_choice.of_formulas(traces.current(keep="logits"))
    return NormOrders(place, order_measurement.measured(place.run, state.get("block_depth")))


OF_LAYER = {"stack": controls.choose_stack}
OF_FORMULAS = OF_LAYER | {"place": controls.mark_place, "layers": controls.choose_layers}
PARTS = {
    "flow": Part("The layer", flow, OF_LAYER, goes_beside=True),
    "stream": Part("Residual stream", stream, OF_FORMULAS | {"window": controls.choose_window}, goes_beside=True),
    "norm": Part("Norm", norm, OF_LAYER | {"norm": controls.choose_norm}, goes_beside=True),
    "ffn": Part("Feed-forward", feed_forward, OF_LAYER | {"neuron": controls.choose_neuron}, goes_beside=True),
    "skips": Part("Skip connections", skips, OF_FORMULAS | {"measure": depth_measurement.measure}),
    "orders": Part("Post-norm, pre-norm", orders, OF_FORMULAS),
}
PAGE = Page(
    "Block",
    "Each layer reads the stream, and adds to it: first attention, then feed-forward.",
    "block_part",
    PARTS,
    PROMPTS,
)
