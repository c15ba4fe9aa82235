"""Questions of runs, and the views of Why this word over them."""

from __future__ import annotations

from typing import Any

from model import Model, load
from model.analysis.flow_routes import flow_routes
from model.analysis.head_steps import Attention
from model.edits.parts import Scale
from model.experiments.input_gradients import gradient_times_input
from model.experiments.part_removal import RemovalSweep
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.run import ids_of
from views.head_of_run import tokens_of
from views.models.why import head_in_general, removals, routes, token_measures
from views.models.why.account import LogitAccount
from views.models.why.asked_view import AskedView
from views.models.why.dropped_edges import DroppedEdges, run_without
from views.models.why.general_head import GeneralHead, find_circuits
from views.models.why.head_in_general import HeadInGeneral
from views.models.why.opened_part import open_part, usual_opened
from views.models.why.opened_sum import OpenedSum
from views.models.why.patched import Patched
from views.models.why.patched_answer import PatchedAnswer
from views.models.why.question import Question, ask
from views.models.why.removals import Removals
from views.models.why.route_map import RouteMap
from views.models.why.routes import Routes, Searched
from views.models.why.steered import Steered, whole_logits
from views.models.why.token_measures import TokenMeasures, read_layers
from views.run import make_run

TEXT = "the dog sees the cat"
CLASS_TEXT = "The food is not good"
URDU_TEXT = "I am a robot"
LUCY_TEXT = "While Lucy and Omar walked to the park, Omar gave a box to"
LUCY, OMAR = 465, 473  # ids of tiny-lm
KEEP = (token_measures.keep, removals.keep, routes.keep, head_in_general.keep)


def question(model: Model | str = "tiny-lm", text: str = TEXT, *asked: int | None) -> Question:
    """A question of a run that has the tensors of all these views. `asked`: the token, its rival and the position."""
    of = load(model) if isinstance(model, str) else model
    names = {name for keep in KEEP for name in keep(of.config)}
    return ask(make_run(of, text, (*names, "logits", "text_logits")), *asked)


def account(asked: Question, name: str = "") -> LogitAccount:
    return LogitAccount(asked, open_part(asked, name or usual_opened(asked)))


def tokens(asked: Question) -> TokenMeasures:
    network, streams, of = asked.run.model.network, asked.run.trace.tensors, asked.account
    gradients = gradient_times_input(network, streams, of.position, of.token, of.against, iter)
    return TokenMeasures(asked, read_layers(asked), gradients, slice(None))


def by_cause(asked: Question, places: int | None = None) -> Removals:
    """Its parts taken away, those of the highest `places` alone or of all."""
    sweep = RemovalSweep(asked.run.model, asked.run.trace, asked.account, {})
    found = list(sweep.run())[:places]
    removals = tuple(each for place in reversed(found) for each in place)
    return Removals(asked, "nothing", removals, len(found), len(sweep.places))


def patched(asked: Question, other: str, site: Site, **how: Any) -> PatchedAnswer:
    """All cells of a site, patched into the run of another sentence of a decoder."""
    model = asked.run.model
    pair = record_pair(model.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (asked.run.text, other)))
    answer, against = pair.telling_tokens()
    patching = Patching(model.network, pair, answer, against if asked.against is None else asked.against)
    rows = slice(0, patching.shape(site)[1])
    shown = Patched(asked, patching, other, site, rows, patching.estimates[site], tuple(patching.run(site)))
    assert shown.best is not None
    cell = how.get("cell", shown.best)
    return PatchedAnswer(asked, site, shown, cell, patching.run_row(site, *cell))


def flow(asked: Question, least: float = 0.04, opened: str = "", dropped: tuple[str, ...] = ()) -> Routes:
    """The routes of a question, with the sum at one node."""
    found = flow_routes(asked.run.model, asked.run.trace, asked.position, least)
    name = opened or found.highest_head
    shown = RouteMap(asked, found, least, name, dropped, slice(0, len(asked.read)))
    without = DroppedEdges(asked, dropped, run_without(asked, dropped)) if dropped else None
    return Routes(asked, Searched(1, 1, least), least, shown, OpenedSum(asked, name), without)


def general(asked: Question, at: Attention, head: int) -> HeadInGeneral:
    query = min(asked.position, len(tokens_of(asked.run, at.stack)) - 1)
    return HeadInGeneral(asked, GeneralHead(asked, at, head, query, find_circuits(asked, at, head, query)))


def steered(asked: Question) -> Steered:
    stack = asked.account.stack
    return Steered(asked, Scale(f"{stack}.{asked.layers - 1}.ffn"), whole_logits(asked))


def every(asked: Question) -> dict[str, AskedView]:
    """A view of each part of the page, by its name. Those of another sentence are left out."""
    at = Attention(asked.account.stack, 1, "self_attn")
    return {
        "account": account(asked),
        "tokens": tokens(asked),
        "cause": by_cause(asked),
        "paths": flow(asked, dropped=(f"{at.stack}.1.ffn@{asked.position}",)),
        "head": general(asked, at, 2),
        "steer": steered(asked),
    }
