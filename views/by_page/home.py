"""Home: the map of a run, into which the reader goes."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Int, Unicode

from model import GlassformerError
from views.by_page.of_run import ATTENTIONS, LiveViewOfRun
from views.head_of_run import tokens_of
from views.map.guided_path import GuidedPath
from views.map.look import Look, layers_shown, look_at
from views.map.map_on_screen import map_run
from views.map.run_map import RunMap
from views.map.turns_of_head import turns_of
from views.shared import turn_shares
from views.usual_head import usual_layer, usual_token
from views.view import Needs, View
from viz.home.layout.places import keys_of, parse_place

OUTCOMES = {"decoder": "predict", "encoder": "classify", "encoder-decoder": "translate"}  # pages, by the kind of model


class Map(LiveViewOfRun):
    """The map of a run: every layer, every head and every number of it. A layer, head, query or key of -1 is chosen as
    the app chooses it, or as the place has it."""

    needs: ClassVar[Needs] = "*"
    attention = Enum(ATTENTIONS, "", help="by default that of the stack that makes the output")
    layer = Int(-1, min=-1, help="the layer that is shown below the map, from 0")
    head = Int(-1, min=-1, help="the head that the map frames, from 0")
    query = Int(-1, min=-2, help="the place of the token that looks")
    key = Int(-1, min=-1, help="the place of the token that is looked at")
    asked = Enum(turn_shares.ASKED, turn_shares.ALL, help=f"of a conversation {turn_shares.ASKED_HELP}")
    summed = Enum(turn_shares.SUMMED, turn_shares.BY_TURN, help=turn_shares.SUMMED_HELP)
    place = Unicode("", help='where the map looks, as "decoder.1/head 2"; "" for the whole').tag(key="home_at")

    def view(self) -> View:
        run, look = self.run, self._look()
        shown = map_run(run, look, self.place)
        if self.place and shown.place is None:
            raise self._no_place()
        path = GuidedPath(run, look, usual_token(run, run.config.stacks[0]), OUTCOMES[run.config.kind])
        turns = turns_of(look, self.asked, self.summed)
        return RunMap(run, look, tuple(layers_shown(run.config, look.layer).items()), shown, path, turns)

    def _no_place(self) -> GlassformerError:
        return GlassformerError(f"The map of this run has no place {self.place}.")

    def _look(self) -> Look:
        """The head that is framed. A place that names a head chooses it, unless a trait does."""
        config = self.run.config
        place = parse_place(self.place)
        named = keys_of(place) if place is not None and self.layer < 0 else {}
        stack, part = self.chosen_attention()
        if named.get("attention"):
            stack, part = named["attention"].split(".")
            if stack not in config.stacks:
                raise self._no_place()
        deepest = max(map(config.n_layers, config.stacks))
        layer = named.get("layer", self.chosen("layer", deepest, usual_layer(config)))
        head = named.get("head", -1 if self.head < 0 else self.chosen("head", config.n_heads, 0))
        count = len(tokens_of(self.run, stack))
        query = named.get("query", self.chosen("query", count, usual_token(self.run, stack)))
        attention = f"{stack}.{part}"
        return look_at(self.run, attention, layers_shown(config, layer), head, query, named.get("key", self.key))
