"""Block: the work of one layer, and the stream that all layers add to."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Float, Int, Tuple, Unicode

from model.analysis.block_steps import norm_names, steps
from model.analysis.neurons import strongest
from views.by_page.of_layer import LiveViewOfLayer, LiveViewOfToken
from views.layer import layer_flow, norm_of_token, norm_orders, residual_stream, skip_connections
from views.layer.excited_tokens import excite, units_of
from views.layer.experts import feed_forward_view
from views.shared import windows
from views.shared.examples import EXAMPLES
from views.view import View


class Flow(LiveViewOfLayer):
    """The steps of one layer, of which one is open."""

    part: ClassVar[tuple[str, ...]] = ("flow",)
    step = Unicode("", help='the open step, as "self_attn.out"; by default what the layer hands on')

    def view(self) -> View:
        place = self.layer_of_run()
        names = [step.name for step in steps(place.config, place.stack)]
        return layer_flow.LayerFlow(place, self.chosen_name("step", names, names[-1]))


class Stream(LiveViewOfToken):
    """The residual stream: how much each sublayer adds to each token, and how far each layer turns it."""

    part: ClassVar[tuple[str, ...]] = ("stream",)
    window = Tuple(help="of a long text, the first and the last token that are shown")

    def view(self) -> View:
        place = self.layer_of_run()
        return residual_stream.ResidualStream(place, windows.window_of(len(place.tokens), self.window))


class Norm(LiveViewOfToken):
    """A norm on one token, whose features are changed before it."""

    part: ClassVar[tuple[str, ...]] = ("norm",)
    norm = Unicode("", help='the norm, as "ffn_norm"; by default the first of the layer')
    factor = Float(1.0, min=0.1, max=10.0, help="what the features are multiplied by")
    shift = Float(0.0, min=-5.0, max=5.0, help="what is added to them")

    def view(self) -> View:
        place = self.layer_of_run()
        names = norm_names(place.config, place.stack)
        return norm_of_token.NormOfToken(place, self.chosen_name("norm", names, names[0]), self.factor, self.shift)


class FeedForward(LiveViewOfToken):
    """The neurons of a token, or the experts of all tokens, and the tokens that one of them belongs to most."""

    part: ClassVar[tuple[str, ...]] = ("ffn",)
    neuron = Int(
        -1, min=-1, help="the neuron, or the expert, whose tokens are listed; by default the strongest of the token"
    )

    def view(self) -> View:
        place = self.layer_of_run()
        units = units_of(place.config)
        usual = int(strongest(place.tensor(units.tensor)[place.token], 1)[1][0])
        neuron = self.chosen("neuron", units.count, usual)
        return feed_forward_view(place, excite(place, neuron, EXAMPLES))


class LiveViewByDepth(LiveViewOfToken):
    """A view of untrained networks beside the model."""

    depth = Int(12, min=1, max=48, help="the layers of the untrained networks")


class SkipConnections(LiveViewByDepth):
    """What is left of the tokens and of the gradient at each depth, with skip connections and without."""

    part: ClassVar[tuple[str, ...]] = ("skips",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        place = self.layer_of_run()
        depths = skip_connections.NetworksByDepth(self.run, self.depth)
        return skip_connections.SkipConnections(place, depths)


class NormOrders(LiveViewByDepth):
    """The norm after each sublayer, or before it: the length of the stream in untrained networks."""

    part: ClassVar[tuple[str, ...]] = ("orders",)

    def view(self) -> View:
        return norm_orders.NormOrders(self.layer_of_run(), norm_orders.stream_lengths(self.run, self.depth))
