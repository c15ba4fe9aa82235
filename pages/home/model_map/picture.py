"""The map on Home: the run as tiles, the place from the URL, and the ways to other pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.catalogue import map_pages
from pages.components import map_mounts
from pages.home.home_parts import map_data
from pages.home.home_parts.look import Look
from pages.home.model_map import comparison, files, predictions
from pages.home.model_map.comparison import Comparison
from pages.home.model_map.facts import model_facts
from pages.home.model_map.places import freeze, name_place, read_place
from pages.home.model_map.tiled_runs import find_run, handle_of, source_of
from pages.home.tiles.routes import PATH
from pages.shared.elements import figures
from pages.shared.model_runs import traces
from pages.shared.recording.page_recording import is_recorded
from pages.shared.server.own_address import base_path
from pages.shared.session import state
from pages.shared.session.text_length import token_limit
from views.run import Run
from viz.home.answers import MAX_OUTCOMES, Outcome
from viz.home.layout.facts import ModelFacts
from viz.home.layout.layout import make_layout
from viz.home.layout.places import WHOLE, head_id, keys_of, parse_place
from viz.home.model_map import ModelMap
from viz.shared.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pages.home.tiles.store import AnyRun

Files = Callable[..., None]  # the files that the menu has where no tensor fills the window, by their labels

KEY = "home map"


def show(run: Run, look: Look) -> Files:
    """The map at the place of the URL. `look`: that of the head that the page speaks of.

    Returns the function that draws its Export menu. That stands below the words on the map.
    """
    config, problem = run.model.config, ""
    try:
        compared = comparison.read(run)
    except traces.errors() as error:
        compared, problem = None, str(error)
    source = compared.source if compared else source_of(run)
    model = _facts_of(run, compared)
    layout = make_layout(model)
    place = read_place("home_at", model, layout)
    handle = handle_of(source)
    continued = "" if compared else continue_text(run)
    view = ModelMap(
        layout=layout,
        title=run.model.card.title,
        summary=_summary(run),
        root=f"{base_path()}{PATH}",
        handle=handle,
        at="" if place is None else str(place),
        framed=head_id(look.stack, look.layer, look.part, look.head),
        outcome=_outcome(run),
        links={part: entry.title for part, entry in map_pages(config.kind).items()},
        can_go_on=bool(continued),
        predictions=None if compared else predictions.predict_each_token(run),
        compared=(compared.first, compared.second) if compared else None,
        frozen=freeze(handle, layout, place, is_difference=compared is not None) if is_recorded() else None,
    )
    map_mounts.model_map(
        view,
        key=KEY,
        on_go=partial(_open_part, config.kind),
        on_at=_keep_place,
        on_gone=_ask_again,
        on_next=partial(_write_on, continued),
    )
    comparison.show_controls(run, problem)
    shown = f"a: {compared.first} − b: {compared.second}" if compared else f"“{run.text}”"
    title = f"{run.model.card.title}: {shown}" + (f" · {name_place(place, layout)}" if place else "")
    return partial(files.offer, layout, place, title, view.outcome, partial(find_run, source))


def draw_whole(run: Run) -> figures.Draw:
    """The function that draws the whole map of a run for print. It lays the map out when it is called."""
    return partial(_draw_whole, run, partial(find_run, source_of(run)))


def _draw_whole(run: Run, find: Callable[[], AnyRun], theme: Theme = "light") -> Figure:
    layout, outcome = make_layout(_facts_of(run, None)), map_data.build_outcome(run, MAX_OUTCOMES)
    return files.draw(layout, None, f"{run.model.card.title}: “{run.text}”", outcome, find, theme)


def _outcome(run: Run) -> Outcome:
    """The model's answer, with its shares as they were computed first.

    Computed anew, they may differ in their last digits, and with a change of its data the map's script travels again.
    """
    outcome = map_data.build_outcome(run, MAX_OUTCOMES)
    if outcome.vectors is not None:
        return outcome
    found = [list(outcome.labels), list(outcome.shares)]
    labels, shares = json.loads(traces.pack(run, "outcome of the map", lambda: json.dumps(found).encode()))
    return replace(outcome, labels=labels, shares=shares)


def _facts_of(run: Run, compared: Comparison | None) -> ModelFacts:
    """What the layout knows of the run. The labels of two runs have the tokens of both."""
    config = run.model.config
    first, last = config.stacks[0], config.stacks[-1]
    written = map_data.token_labels(run, last)
    read = map_data.token_labels(run, first) if first != last else []
    if compared is not None:
        written = compared.pair_labels(written, is_source=False)
        read = compared.pair_labels(read, is_source=True)
    return model_facts(config, written, read)


def _summary(run: Run) -> str:
    """The size of the model, for the first line of the map."""
    config = run.model.config
    layers = sum(config.n_layers(stack) for stack in config.stacks)
    heads = sum(config.n_layers(stack) * len(config.attentions(stack)) for stack in config.stacks) * config.n_heads
    weights = sum(weight.numel() for weight in run.model.network.parameters())
    return f"{layers} layers, {heads} heads, {weights:,} weights"


def _open_part(model_kind: str) -> None:
    """Opens the page that explains a part, at the same layer, head and tokens."""
    place = st.session_state[KEY]["go"]
    pages = map_pages(model_kind)
    if not isinstance(place, dict) or place.get("part") not in pages:
        return
    values: dict[str, Any] = {name: place[name] for name in ("layer", "head", "query", "key") if name in place}
    if "stack" in place:
        values["attention"] = f"{place['stack']}.{place.get('attention', 'self_attn')}"
    url = pages[place["part"]].url
    state.go(url, **{name: value for name, value in values.items() if url in state.KEYS[name].pages})


def _keep_place() -> None:
    """The reader has moved. The layer and the head of the place become those of all pages."""
    place = parse_place(str(st.session_state[KEY]["at"])[: state.KEYS["home_at"].max_characters])
    if place is None or str(place) == WHOLE:
        state.put(home_at="")
        return
    state.put(home_at=str(place), **keys_of(place))


def continue_text(run: Run) -> str:
    """The text with its likeliest next token; "" where there is none, or the longer text would be read otherwise."""
    if run.model.config.kind != "decoder":
        return ""
    ids = [token.id for token in run.trace.tokens]
    longer = [*ids, int(run.trace.logits_at(-1).argmax())]
    decode = run.model.tokenizer.decode
    text = run.text + decode(longer).removeprefix(decode(ids))
    if len(longer) > token_limit(run.model) or len(text) > state.KEYS["text"].max_characters:
        return ""
    return text if [token.id for token in run.model.tokens_of(text)] == longer else ""


def _write_on(text: str) -> None:
    """The run goes on with its next token, and the map stays where it is."""
    if text:
        state.put(text=text)


def _ask_again() -> None:
    """The handle is gone: the page that runs now makes the run again."""
