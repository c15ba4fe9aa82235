"""Predict: a decoder-only model continues a sentence, one token at a time."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Bool, Float, Int, Tuple

from model import GlassformerError
from model.generation.sampling import Sampling
from views.by_page.of_run import LiveViewOfRun
from views.models.predict import branches, lens
from views.models.predict.attention import LooksOfToken
from views.models.predict.continuation import Continuation, Playhead, continue_run, why_ended, write_path
from views.models.predict.race import CacheRace, time_race
from views.models.predict.surprise import SurpriseOfTokens
from views.shared import windows
from views.usual_head import usual_head, usual_layer
from views.view import Needs, View


class LiveViewOfWriting(LiveViewOfRun):
    """A view of a sentence and its continuation, at one step of it."""

    needs: ClassVar[Needs] = "embed.out"
    kinds: ClassVar[tuple[str, ...]] = ("decoder",)
    layer = Int(-1, min=-1, help="the layer that is looked at, from 0")
    head = Int(-1, min=-1, help="the head that is looked at, from 0")
    window = Tuple(help="of a long text, the first and the last token that are shown")
    path = Tuple(help="the ids of the tokens that are written; by default the model writes them")
    step = Int(0, min=0, help="the step of the writing that is open, 0 for the first new token")
    tokens = Int(8, min=0, max=64, help="how many tokens the model writes")
    temperature = Float(0.0, min=0.0, max=3.0, help="0 takes the likeliest token")
    k = Int(0, min=0, help="only the k likeliest tokens stay; 0 for all")
    p = Float(1.0, min=0.0, max=1.0, help="only the likeliest tokens stay that together reach p")
    min_p = Float(0.0, min=0.0, max=1.0, help="only tokens stay with this share of the likeliest one's probability")
    seed = Int(0, min=0, max=9999, help="of the tokens that are drawn")
    mean = Bool(False, help="the mean of all heads, in place of one")

    def playhead(self) -> Playhead:
        """The continuation at the step. The model writes what is not there yet."""
        sampling = Sampling(self.temperature, self.k, self.p, self.min_p)
        asked = sampling, self.seed, self.tokens, tuple(self.path)
        written = self.kept("written", asked, lambda: self._write(sampling))
        config, run = written.config, written.as_run
        layer = self.chosen("layer", config.n_decoder_layers, usual_layer(config))
        usual = usual_head(run, "decoder", "self_attn", layer, len(written.prompt) - 1) if self.head < 0 else 0
        head = -1 if self.mean else self.chosen("head", config.n_heads, usual)
        return Playhead(written, min(self.step, written.steps - 1), sampling, layer, head)

    def _write(self, sampling: Sampling) -> Continuation:
        path, model = tuple(self.path), self.run.model
        limit = model.config.max_length
        if any(not 0 <= id < model.config.vocab_size for id in path):
            raise GlassformerError(f"The ids of the path must be those of {model.card.title}'s tokens.")
        count = min(self.tokens, limit - len(self.run.trace.tokens))
        if not path and count > 0:
            path = tuple(step.chosen for step in write_path(self.run, sampling, self.seed, count))
        return continue_run(self.run, path, why_ended(self.run, path, limit))


class Attention(LiveViewOfWriting):
    """What the model looks at when it writes the next token."""

    part: ClassVar[tuple[str, ...]] = ("attention",)

    def view(self) -> View:
        now = self.playhead()
        count = len(now.written.trace.tokens)
        part = windows.part_of((count, count), self.window, self.window, (now.query, now.query))
        return LooksOfToken(now, part)


class Lens(LiveViewOfWriting):
    """The logit lens: what each layer would write."""

    part: ClassVar[tuple[str, ...]] = ("lens",)
    cell = Tuple(help="the open row and column; by default the output at the step")

    def view(self) -> View:
        now = self.playhead()
        return lens.LogitLens(now, lens.opening_window(len(now.written.trace.tokens), now.query), tuple(self.cell))


class Cache(LiveViewOfWriting):
    """The time of each new token with the cache of keys and values, and without. It takes a while."""

    part: ClassVar[tuple[str, ...]] = ("cache",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        now = self.playhead()
        return CacheRace(now, time_race(now.written) if now.written.path else None)


class Surprise(LiveViewOfWriting):
    """How little the model expected each token."""

    part: ClassVar[tuple[str, ...]] = ("surprise",)

    def view(self) -> View:
        now = self.playhead()
        shown = windows.window_of(len(now.written.trace.tokens) - 1, self.window, start=1, at=now.query)
        return SurpriseOfTokens(now, shown)


class Branches(LiveViewOfWriting):
    """The continuation as a tree."""

    part: ClassVar[tuple[str, ...]] = ("branches",)

    def view(self) -> View:
        now = self.playhead()
        return branches.Branches(now, (now.written.path,) if now.written.path else ())
