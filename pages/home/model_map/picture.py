"""The map on Home: the run as tiles, the place from the URL, and the ways to other pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pages.catalogue import map_pages
from pages.components.map_mounts import as_opened
from pages.home.model_map import comparison
from pages.home.model_map.comparison import Comparison
from pages.home.model_map.places import freeze, read_place
from pages.home.model_map.tiled_runs import find_run, handle_of, source_of
from pages.home.tiles.routes import PATH
from pages.shared.server import session_values
from pages.shared.server.own_address import base_path
from pages.shared.session import state
from pages.shared.session.text_length import token_limit
from views.map import map_files, run_answers, token_predictions
from views.map.look import Look
from views.map.map_facts import model_facts
from views.map.map_on_screen import MapOnScreen, facts_of, summary_of, title_of
from views.map.run_map import DIFFERENCE_KEY, KEY, RunMap
from views.parts import Keys, OtherPage
from views.run import Run
from viz.home.answers import MAX_OUTCOMES, Outcome
from viz.home.layout.facts import ModelFacts
from viz.home.layout.layout import make_layout
from viz.home.layout.places import head_id
from viz.home.model_map import ModelMap
from viz.shared.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from views.map.map_files import FindNumbers


def map_of(run: Run, look: Look) -> MapOnScreen:
    """The map at the place of the URL. `look`: that of the head that the page speaks of."""
    return _map_of(run, look, comparison.read(run)[0], KEY)


def difference_of(first: RunMap, second: RunMap) -> MapOnScreen:
    """The map of what the run of one model has more than that of another one of its shape."""
    compared = comparison.of_models(first.run, second.run)
    return _map_of(first.run, first.look, compared, DIFFERENCE_KEY)


def _map_of(run: Run, look: Look, compared: Comparison | None, key: str) -> MapOnScreen:
    config = run.config
    source = compared.source if compared else source_of(run)
    model = _facts_of(run, compared)
    layout = make_layout(model)
    place = read_place("home_at", model, layout)
    handle = handle_of(source)
    continued = "" if compared else continue_text(run)
    now = ModelMap(
        layout=layout,
        title=run.model.card.title,
        summary=summary_of(run),
        root=f"{base_path()}{PATH}",
        handle=handle,
        at="" if place is None else str(place),
        framed=head_id(look.stack, look.layer, look.part, look.head),
        outcome=_outcome(run),
        links={part: entry.title for part, entry in map_pages(config.kind).items()},
        can_go_on=bool(continued),
        predictions=None if compared else token_predictions.predict_each_token(run),
        compared=(compared.first, compared.second) if compared else None,
    )
    shown = f"a: {compared.first} − b: {compared.second}" if compared else f"“{run.text}”"
    in_sight = partial(freeze, handle, layout, place, is_difference=compared is not None)
    opened = replace(now, at="") if session_values.is_apart() else as_opened(now, key)
    return MapOnScreen(opened, now, place, title_of(now, shown, place), partial(find_run, source), in_sight, continued)


def draw_whole(run: Run) -> Callable[..., Figure]:
    """The function that draws the whole map of a run for print. It lays the map out when it is called."""
    return partial(_draw_whole, run, partial(find_run, source_of(run)))


def _draw_whole(run: Run, find: FindNumbers, theme: Theme = "light") -> Figure:
    layout, outcome = make_layout(_facts_of(run, None)), run_answers.build_outcome(run, MAX_OUTCOMES)
    return map_files.draw(layout, None, f"{run.model.card.title}: “{run.text}”", outcome, find, theme)


def _outcome(run: Run) -> Outcome:
    """The model's answer, with its shares as they were computed first.

    Computed anew, they may differ in their last digits, and with a change of its data the map's script travels again.
    """
    outcome = run_answers.build_outcome(run, MAX_OUTCOMES)
    if outcome.vectors is not None:
        return outcome
    found = [list(outcome.labels), list(outcome.shares)]
    labels, shares = json.loads(run.pack("outcome of the map", lambda: json.dumps(found).encode()))
    return replace(outcome, labels=labels, shares=shares)


def _facts_of(run: Run, compared: Comparison | None) -> ModelFacts:
    """What the layout knows of the run. The labels of two runs have the tokens of both."""
    if compared is None:
        return facts_of(run)
    config = run.config
    first, last = config.stacks[0], config.stacks[-1]
    written = compared.pair_labels(run_answers.token_labels(run, last), is_source=False)
    read = compared.pair_labels(run_answers.token_labels(run, first), is_source=True) if first != last else []
    return model_facts(config, written, read)


def open_part(model_kind: str, place: Any) -> Keys | OtherPage:
    """The page that explains a part, at the same layer, head and tokens. `place`: what the map says of the part."""
    pages = map_pages(model_kind)
    if not isinstance(place, dict) or place.get("part") not in pages:
        return {}
    values: dict[str, Any] = {name: place[name] for name in ("layer", "head", "query", "key") if name in place}
    if "stack" in place:
        values["attention"] = f"{place['stack']}.{place.get('attention', 'self_attn')}"
    url = pages[place["part"]].url
    return OtherPage(url, {name: value for name, value in values.items() if url in state.KEYS[name].pages})


def continue_text(run: Run) -> str:
    """The text with its likeliest next token; "" where there is none, or the longer text would be read otherwise."""
    if run.config.kind != "decoder":
        return ""
    ids = [token.id for token in run.trace.tokens]
    longer = [*ids, int(run.trace.logits_at(-1).argmax())]
    decode = run.model.tokenizer.decode
    text = run.text + decode(longer).removeprefix(decode(ids))
    if len(longer) > token_limit(run.model) or len(text) > state.KEYS["text"].max_characters:
        return ""
    return text if [token.id for token in run.model.tokens_of(text)] == longer else ""
