"""Positions: how a model knows where a word stands."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Float, Int, Tuple, Unicode

from model import GlassformerError, available
from model.analysis.telling import telling_key
from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded
from views.by_page.of_run import LiveViewOfRun
from views.inputs import joined_positions, position_distance, requirements, rotary_turn, word_order
from views.inputs.learned_table import LearnedTable, name_of_learned
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.inputs.position_circles import PositionCircles, largest_shift
from views.inputs.position_heatmap import PositionHeatmap
from views.inputs.position_variants import PositionVariants
from views.inputs.relative_biases import RelativeBiases
from views.inputs.worked_positions import WorkedPositions
from views.run import make_run
from views.usual_head import usual_head, usual_layer, usual_token
from views.view import Needs, View

MAX_POSITIONS = 512


def even(name: str, width: int, most: int = 1024) -> int:
    """A number of features. Raises `GlassformerError` for an odd one, and one that is not 2 to `most`."""
    if width % 2 or not 2 <= width <= most:
        raise GlassformerError(f"{name} is {width}: sine and cosine come in pairs, so it is even, from 2 to {most}.")
    return width


def above_one(base: float) -> float:
    """The base of the formula. Raises `GlassformerError` for one that is not above 1."""
    if not base > 1:
        raise GlassformerError(f"The base is {base:g}: it must be above 1, or the hands do not slow down.")
    return base


class LiveViewOfPlaces(LiveViewOfRun):
    """A view of the places of a sentence."""

    needs: ClassVar[Needs] = NEEDS
    query = Int(-1, min=-2, help="the place of the chosen token")

    def sentence(self) -> PlacedSentence:
        """The sentence and its token. Of two stacks, the encoder reads it."""
        return PlacedSentence(self.run, self.chosen_token(self.run.config.stacks[0]))


class LiveViewOfRows(LiveViewOfPlaces):
    """A view of so many positions."""

    rows = Enum(("sentence", "length"), "sentence", help="the places of the sentence, or any length")
    length = Int(64, help="how many positions, where they are not those of the sentence")
    d = Int(32, help="the width of the formula")
    base = Float(10000.0, help="the base of the formula")

    def count_rows(self, count: int, most: int) -> int:
        """How many positions: those of the sentence, `count`, or the trait `length`. Raises `GlassformerError` for too
        many."""
        if self.rows == "sentence":
            return count
        if not 1 <= self.length <= most:
            raise GlassformerError(f"The length is {self.length}: it can be 1 to {most}.")
        length: int = self.length
        return length

    def formula(self) -> tuple[int, float]:
        """The width and the base of the formula."""
        return even("d", self.d), above_one(self.base)


class Heatmap(LiveViewOfRows):
    """The position vectors of a formula or of the model, a row for each place."""

    part: ClassVar[tuple[str, ...]] = ("heatmap",)
    source = Enum(("formula", "model"), "formula", help="whose vectors are shown")
    pairs = Tuple((0, 3), help="the pairs of features whose waves are shown")

    def view(self) -> View:
        sentence, of_model = self.sentence(), self.source == "model"
        most = min(MAX_POSITIONS, sentence.model.config.max_length) if of_model else MAX_POSITIONS
        rows = self.count_rows(len(sentence.labels), most)
        if of_model and sentence.is_relative:
            return RelativeBiases(sentence, rows)
        return PositionHeatmap(sentence, of_model, rows, *self.formula(), tuple(self.pairs))


class Table(LiveView):
    """The formula worked out, word by word. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("table",)
    words = Unicode("I am a robot", help="the words, with spaces between them")
    wordwidth = Int(4, help="the width of the formula")
    wordbase = Float(100.0, help="the base of the formula")

    def view(self) -> View:
        width = even("wordwidth", self.wordwidth, 12)
        return WorkedPositions(tuple(self.words.split()), width, above_one(self.wordbase))


class Circles(LiveViewOfPlaces):
    """A shift of all places turns each pair of features by one angle."""

    part: ClassVar[tuple[str, ...]] = ("circles",)
    drawn = Enum(("clocks", "plane", "space"), "clocks", help="how the pairs are drawn").tag(key="positions_view")
    d = Int(32, help="the width of the formula")
    base = Float(10000.0, help="the base of the formula")
    phi = Float(3.0, help="the shift")
    clock = Int(0, min=0, help="the pair in whose plane the circles lie")

    def view(self) -> View:
        sentence = self.sentence()
        limit = largest_shift(sentence)
        if abs(self.phi) > limit:
            raise GlassformerError(f"The shift is {self.phi:g}: it can be {-limit:g} to {limit:g}.")
        formula = even("d", self.d), above_one(self.base)
        view = PositionCircles(sentence, self.drawn, *formula, self.phi)
        if self.drawn != "plane":
            return view
        return PositionCircles(sentence, self.drawn, *formula, self.phi, self.chosen("clock", view.pairs, 0))


class Distance(LiveViewOfRows):
    """The products of all positions: do they tell how far apart two words are?"""

    part: ClassVar[tuple[str, ...]] = ("distance",)
    distance = Enum(("sinusoidal", "learned", "rotary"), "sinusoidal", help="the scheme of positions")
    places = Tuple(help="two positions (t, s); by default the chosen token's and one before it")

    def view(self) -> View:
        run = self.run
        table = LearnedTable.of(loaded(name_of_learned(run.model))) if self.distance == "learned" else None
        sentence, most = PlacedSentence(run, -1), position_distance.most_places(table)
        count = min(self.count_rows(len(sentence.labels), most), most)
        of_sentence = self.rows == "sentence"
        where = position_distance.choose_places(self.places, count, self._token if of_sentence else None)
        formula = self.formula()
        return position_distance.PositionDistance(sentence, self.distance, count, of_sentence, *formula, table, where)

    def _token(self, usual: int | None) -> int:
        stack = self.run.config.stacks[0]
        return self.chosen_token(stack) if self.query >= 0 or usual is None else usual


class Rotary(LiveViewOfPlaces):
    """The query and the key of a head turned by their places. A rotary model stands in for another one."""

    part: ClassVar[tuple[str, ...]] = ("rotary",)
    layer = Int(-1, min=-1, help="the layer, from 0")
    head = Int(-1, min=-1, help="the head, from 0")
    key = Int(-1, min=-1, help="the place of the token that is looked at")
    turned = Int(0, min=0, help="the pair of features that is turned")

    def view(self) -> View:
        run, shown_for, usual = self.run, "", {"layer": usual_layer(self.run.config), "head": -1}
        if run.config.positions != "rotary":
            name = rotary_turn.other_model([card.name for card in available() if card.ready])
            shown_for, usual = run.model.card.title, rotary_turn.OTHER_MODELS[name]
            run = make_run(loaded(name), run.text)
        config, stack = run.config, run.config.stacks[0]
        layer = self.chosen("layer", config.n_layers(stack), usual["layer"])
        if said := rotary_turn.say_unturned(run, layer):
            raise GlassformerError(said)
        told = usual_head(run, stack, "self_attn", layer) if usual["head"] < 0 else usual["head"]
        head = self.chosen("head", config.n_heads, told)
        t = self.chosen("query", len(run.trace.tokens), usual_token(run, stack))
        weights = run.trace[f"{stack}.{layer}.self_attn.weights"][head]  # (queries, keys)
        s = self.chosen("key", len(weights), max(t - 1, 0) if shown_for else telling_key(weights[t], t))
        pair = self.chosen("turned", config.head_width // 2, 0)
        return rotary_turn.RotaryTurn(rotary_turn.RotaryHead(run, layer, head, t, s, shown_for), pair)


class Join(LiveViewOfPlaces):
    """A place added to its word, or set beside it."""

    part: ClassVar[tuple[str, ...]] = ("join",)
    of = Enum(("paper", "model"), "paper", help="the model whose cost is shown")
    joined = Int(64, help="the features of a place that stands beside the word, at most two less than the word's")

    def view(self) -> View:
        of_paper = self.of == "paper"
        config = joined_positions.PAPER if of_paper else self.run.config
        width = min(even("joined", self.joined), 1024, config.d_model - 2)
        return joined_positions.JoinedPositions(PlacedSentence(self.run, -1), of_paper, width)


class Order(LiveViewOfPlaces):
    """The words of the sentence in another order: what changes with positions, and without. An encoder stands in for a
    model that is none."""

    part: ClassVar[tuple[str, ...]] = ("order",)
    seed = Int(0, min=0, max=1_000_000_000, help="of the order")

    def view(self) -> View:
        model, ready = self.run.model, tuple(card for card in available() if card.ready)
        name = word_order.encoder_for(model, [card.name for card in ready])
        measured = model if name == model.card.name else loaded(name)
        shuffled = word_order.shuffle(measured, self.run.text, self.seed)
        return word_order.WordOrder(shuffled, PositionVariants(ready), word_order.say_other(model, measured))


class Requirements(LiveViewOfPlaces):
    """What positions must do, and which schemes do it."""

    part: ClassVar[tuple[str, ...]] = ("requirements",)
    check = Enum(
        ("counter", "normalised", "sinusoidal", "learned", "rotary"), "sinusoidal", help="the scheme that is drawn"
    )
    d = Int(32, help="the width of the formula, at most 256")
    base = Float(10000.0, help="the base of the formula")
    trained = Int(32, help="the tokens of the longest sentence in training, 4 to 128")

    def view(self) -> View:
        if not 4 <= self.trained <= 128:
            raise GlassformerError(f"The length is {self.trained}: it can be 4 to 128.")
        table = LearnedTable.of(loaded(name_of_learned(self.run.model)))
        formula = even("d", self.d, 256), above_one(self.base)
        return requirements.Requirements(*formula, self.trained, table, self.check)
