"""Why this word: the logit of an answer, or its lead over another, as an exact sum over the parts of the model."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from traitlets import Enum, Float, Int, Tuple, Unicode

from model import GlassformerError
from model.analysis.asked_place import asked_place
from model.analysis.head_steps import Attention
from model.edits.edges import parse_edges
from model.experiments.pair_text import read_pairs
from model.experiments.prompt_pairs import EXAMPLE_PAIRS, usual_task
from model.experiments.sentence_pair import Site, sites_of
from views.by_page.of_run import ATTENTIONS, LiveViewOfRun
from views.models.why import removals
from views.models.why.account import LogitAccount
from views.models.why.averaged_pairs import AveragedPairs, average_pairs
from views.models.why.edge_words import node_of
from views.models.why.edit_choice import read_edit
from views.models.why.general_head import strongest_head, study_head
from views.models.why.head_in_general import HeadInGeneral
from views.models.why.opened_part import OpenedHead, open_part, openable, usual_opened
from views.models.why.pair_numbers import AVERAGED
from views.models.why.patched_answer import NO_SENTENCE, patch_answer
from views.models.why.question import Question, ask
from views.models.why.rival import find_rival, other_sentence
from views.models.why.routes import find_routes, least_of
from views.models.why.steered import steer
from views.models.why.token_measures import TokenMeasures, find_gradients, read_layers
from views.models.why.trail import find_trail
from views.shared import windows
from views.usual_head import usual_head
from views.view import Needs, View

USUAL_SITE = "decoder.resid_in"


class LiveViewOfQuestion(LiveViewOfRun):
    """A view of one question: why this answer, or why this one and not another."""

    needs: ClassVar[Needs] = "*"
    query = Int(-1, min=-2, help="the place after which (or at which) the answer stands; by default the last")
    answer = Int(-1, min=-1, help="the id of the token, or of the class; by default the likeliest")
    against = Int(-1, min=-1, help="the id of another answer, over which the lead is told; by default none")
    window = Tuple(help="of a long text, the first and the last token that are shown")

    def question(self) -> Question:
        """What is asked. Raises `GlassformerError` for an answer that is not there."""
        run = self.run
        if not run.config.has_answer:
            raise GlassformerError(f"{run.name} has no answer: no word that comes next, and no class.")
        count = run.config.vocab_size if run.config.answers_words else len(run.config.classes)
        answer, against = self.chosen("answer", count, -1), self.chosen("against", count, -1)
        query = self.query if self.query < 0 else self.chosen_token(run.config.stacks[-1])
        position = asked_place(run.model, run.trace, query)
        rival = self.usual_rival(position) if against < 0 else against
        return self.kept("question", (position, answer, rival), lambda: self._ask(position, answer, rival))

    def _ask(self, position: int, answer: int, rival: int | None) -> Question:
        asked = ask(self.run, None if answer < 0 else answer, position=position)
        return asked if rival in (None, asked.token) else ask(self.run, asked.token, rival, position)

    def usual_rival(self, position: int) -> int | None:
        """The other answer where none is chosen; None for none."""
        return None


class Account(LiveViewOfQuestion):
    """The logit of the answer as a sum of what each head and each feed-forward adds, one of which is opened."""

    part: ClassVar[tuple[str, ...]] = ("account",)
    opened = Unicode("", help='the opened part, as "decoder.1.self_attn.heads.2"; by default the largest that opens')

    def view(self) -> View:
        asked = self.question()
        names = [name for name in asked.account.parts if openable(name)]
        opened = open_part(asked, self.chosen_name("opened", names, "") or usual_opened(asked))
        if isinstance(opened, OpenedHead):
            opened = replace(opened, shown=windows.window_if_long(len(opened.keys), self.window, at=opened.best))
        return LogitAccount(asked, opened)


class Trail(LiveViewOfQuestion):
    """From the answer to the head that speaks for it, to where that looks, to the heads that made it look there."""

    part: ClassVar[tuple[str, ...]] = ("trail",)
    trail = Unicode("", help='its steps, as "decoder.2.self_attn.2@1>13,query:..."; by default the strongest heads')

    def view(self) -> View:
        return find_trail(self.question(), self.trail)


class Tokens(LiveViewOfQuestion):
    """Which tokens did it, by three measures that disagree."""

    part: ClassVar[tuple[str, ...]] = ("tokens",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        asked = self.question()
        layers = read_layers(asked)
        shown = windows.window_of(len(asked.read), self.window, at=layers.best)
        return TokenMeasures(asked, layers, find_gradients(asked), shown)


class Cause(LiveViewOfQuestion):
    """What is lost without each part, measured by taking each away."""

    part: ClassVar[tuple[str, ...]] = ("cause",)
    is_measured: ClassVar[bool] = True
    without = Enum(removals.STAND_INS, removals.NOTHING, help="what stands in for a part")
    text2 = Unicode("", help="the other sentence, with as many tokens")

    def view(self) -> View:
        asked, how = self.question(), (self.without, self._others())
        return self.kept("removals", (asked, how), lambda: removals.take_parts_away(asked, *how))

    def _others(self) -> tuple[str, ...]:
        if self.without == removals.ANOTHER:
            return (self.text2 or self.run.text,)
        return removals.examples_beside(self.run.text) if self.without == removals.MEAN else ()


class Patching(LiveViewOfQuestion):
    """Each part of this run put into the run of another sentence: which ones bring the answer back?"""

    part: ClassVar[tuple[str, ...]] = ("patching", "one pair")
    is_measured: ClassVar[bool] = True
    text2 = Unicode("", help="the other sentence, with as many tokens; by default this one with a word changed")
    site = Unicode(
        USUAL_SITE,
        help='what is patched: "decoder.resid_in", "decoder.self_attn.heads", "decoder.self_attn.q", '
        '"decoder.self_attn.q.all", ...',
    )
    cell = Tuple(help="the open layer and head, or layer and token; by default those that bring most back")

    def usual_rival(self, position: int) -> int | None:
        return None if self.text2.strip() or self.answer >= 0 else find_rival(self.run, position)

    def view(self) -> View:
        asked = self.question()
        other = self.text2 if self.text2.strip() else other_sentence(asked)
        if not other:
            raise GlassformerError(f"{NO_SENTENCE.rstrip('.')}: text2.")
        layer, row = self.cell or (-1, -1)
        return patch_answer(asked, other, self._site(), None if layer < 0 else (layer, row))

    def _site(self) -> Site:
        config = self.run.config
        sites = {f"{site.stack}.{site.part}": site for site in sites_of(self.run.model.network)}
        if self.site == USUAL_SITE and USUAL_SITE not in sites:
            return sites[f"{config.stacks[-1]}.resid_in"]
        return sites[self.chosen_name("site", tuple(sites), USUAL_SITE)]


class PatchingOfPairs(LiveViewOfRun):
    """Patching, or the account of the lead, averaged over several pairs of prompts. Of the run it takes the model."""

    part: ClassVar[tuple[str, ...]] = ("patching", "several pairs")
    kinds: ClassVar[tuple[str, ...]] = ("decoder",)
    needs: ClassVar[Needs] = AveragedPairs.needs
    is_measured: ClassVar[bool] = True
    pairs = Unicode(
        "",
        help="a pair a line: clean prompt, changed prompt, answer and other answer, with tabs between; or a task: "
        f"{', '.join(EXAMPLE_PAIRS)}; by default the first that the model knows",
    )
    averaged = Enum(AVERAGED, "heads", help='what is patched, or "account" for the account of the lead')
    mean_cell = Tuple(help="the open row and column; by default the largest mean")

    def view(self) -> View:
        pairs = read_pairs(self.pairs or usual_task(self.run.model))
        places = (pairs, self.averaged)
        made = self.kept("pairs", places, lambda: average_pairs(self.run, *places))
        return replace(made, cell=self.mean_cell or None)


class Paths(LiveViewOfQuestion):
    """The routes by which the tokens reach the answer."""

    part: ClassVar[tuple[str, ...]] = ("paths",)
    is_measured: ClassVar[bool] = True
    least = Float(0.04, min=0.01, max=0.3, help="edges of a smaller importance are not drawn")
    route_opened = Unicode("", help="the open node or edge; by default the highest edge of a head")
    dropped = Unicode("", help="edges without which the answer is computed again, with commas between them")

    def view(self) -> View:
        asked, run = self.question(), self.run
        counts = len(asked.read), len(run.trace.source_tokens)
        edges = parse_edges(self.dropped)
        for edge in edges:
            if not edge.exists_in(run.config, *counts):
                raise GlassformerError(f"This run has no edge {edge}.")
        if self.route_opened and node_of(asked, self.route_opened) is None:
            raise GlassformerError(f"This run has no node or edge {self.route_opened}.")
        dropped, least = tuple(map(str, edges)), least_of(asked, self.least)
        found = find_routes(asked, self.least, self.route_opened, dropped=dropped, least=least)
        if found.map is None or not found.map.has_window:
            return found
        at = -1 if found.map.is_short else asked.position
        return replace(found, map=replace(found.map, window=windows.window_of(len(asked.read), self.window, at=at)))


class Head(LiveViewOfQuestion):
    """One head in general, read from its weights: what it looks for, what it writes, which heads it reads."""

    part: ClassVar[tuple[str, ...]] = ("head",)
    attention = Enum(ATTENTIONS, "", help="by default that of the stack that makes the output")
    layer = Int(-1, min=-1, help="the layer, from 0; with the head open, too, that of the head that speaks most for it")
    head = Int(-1, min=-1, help="the head, from 0")

    def view(self) -> View:
        asked, (stack, part) = self.question(), self.chosen_attention()
        strongest = strongest_head(asked, stack, part) if self.layer < 0 and self.head < 0 else None
        if strongest is not None:
            return self._study(asked, Attention(stack, strongest[0], part), strongest[1])
        layer = self.chosen_layer(stack)
        usual = usual_head(self.run, stack, part, layer) if self.head < 0 else 0
        head = self.chosen("head", self.run.config.n_heads, usual)
        return self._study(asked, Attention(stack, layer, part), head)

    def _study(self, asked: Question, at: Attention, head: int) -> HeadInGeneral:
        general = study_head(asked, at, head)
        shown = windows.window_if_long(len(general.keys), self.window, at=int(general.scores.argmax()))
        return HeadInGeneral(asked, general, shown)


class Steer(LiveViewOfQuestion):
    """What a model answers and writes with its edits, and without. The edits are those of the run's model."""

    part: ClassVar[tuple[str, ...]] = ("steer",)
    steered = Unicode("", help='the part that may be changed next: "decoder.1.self_attn.2", "decoder.3.resid_in@all"')
    plus = Unicode("", help="the sentence whose stream is added")
    minus = Unicode("", help="the sentence whose stream is taken away")

    def view(self) -> View:
        edit = read_edit(self.run.config, self.steered, self.plus, self.minus, self.run.edits)
        return steer(self.question(), edit)
