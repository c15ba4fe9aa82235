"""The map of a picture's run: every number of the vision model, from the whole of it down to one cell with its sum."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from functools import partial
from typing import Any

import streamlit as st

from model.graph.explain import explain
from pages.components import map_mounts
from pages.home.model_map.places import freeze, name_place, read_place
from pages.home.tiles.routes import PATH
from pages.home.tiles.run import TiledRun
from pages.home.tiles.store import RUNS
from pages.models.see_parts import told
from pages.models.see_parts.patches import special_names
from pages.models.see_parts.source import PictureView
from pages.shared.elements import claims, figures, layout, renderer
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_turns
from pages.shared.recording.page_recording import is_recorded
from pages.shared.server.own_address import base_path
from pages.shared.session import state
from views.home import map_files, run_answers
from views.home.map_facts import model_facts
from views.parts import Files
from viz.home.answers import MAX_OUTCOMES, Outcome
from viz.home.layout.layout import make_layout
from viz.home.layout.places import WHOLE, parse_place
from viz.home.model_map import ModelMap

KEY = "see map"
PROMPTS = (
    layout.Prompt(
        "One head of the first layer",
        "Step in with a click: scores, weights and what the head adds, each a matrix of patches.",
        {"see_part": "map", "see_at": "encoder.0/head 0", "see_source": "example"},
        claim=Claim(told.PLACE, "is", "encoder.0/head 0"),
        at="see map",
    ),
)


def show(view: PictureView, depth: str) -> None:
    if depth == "Numbers":
        _numbers(view)
    elif depth == "Formula":
        _formula(view)
    elif depth == "Code":
        layout.code(explain)
    else:
        _map(view)
    layout.try_this(*PROMPTS)


def _numbers(view: PictureView) -> None:
    """The tensors that the run of this page keeps, of one layer and after the last one."""
    layer = state.checked_number("see_layer", -1, view.layers - 1, "Layer") % view.layers
    here = {
        name: tensor
        for name, tensor in view.run().tensors.items()
        if not name.startswith("encoder.") or name.startswith(f"encoder.{layer}.")
    }
    rows = partial(run_answers.describe_tensors, here.items(), view.model.config)
    st.dataframe(rows(), hide_index=True, height=420)
    layout.caption(
        f"The tensors of layer {layer} that this page keeps, and those before and after the layers. The map has all."
    )
    figures.export_table("see-tensors", rows)


def _formula(view: PictureView) -> None:
    layout.equation(
        r"z'_l = z_{l-1} + \mathrm{MSA}(\mathrm{LN}(z_{l-1})), \qquad z_l = z'_l + \mathrm{MLP}(\mathrm{LN}(z'_l))",
        "Dosovitskiy et al. (2021), arXiv:2010.11929, eqs. 2 and 3. The map works out the sum of each cell where it "
        "stands: step into one, and choose it.",
        {
            "z_l": f"{special_names(view)}, and the patches after layer l, one a row",
            r"\mathrm{MSA}": "self-attention with several heads",
            r"\mathrm{MLP}": "the feed-forward network",
            r"\mathrm{LN}": "layer normalisation",
        },
    )


def _map(view: PictureView) -> None:
    """The map of the run over an example. A reader's own picture has none: its numbers would leave the session."""
    if not view.name:
        layout.caption(
            "The map keeps a run on the server for a while, and a picture of your own stays in this session. Choose an "
            "example to see every number."
        )
        return
    config = view.model.config
    model = model_facts(config, [token.text for token in view.model.tokens()])
    drawn = make_layout(model)
    place = read_place("see_at", model, drawn)
    claims.tell(told.PLACE, "" if place is None else str(place))
    key, make = _key_of(view), _maker_of(view)
    handle = RUNS.handle(key, make)
    heads = config.n_encoder_layers * config.n_heads
    weights = sum(weight.numel() for weight in view.model.network.parameters())
    data = ModelMap(
        layout=drawn,
        title=view.model.card.title,
        summary=f"{config.n_encoder_layers} layers, {heads} heads, {weights:,} weights",
        root=f"{base_path()}{PATH}",
        handle=handle,
        at="" if place is None else str(place),
        framed="",
        outcome=_outcome(view),
        frozen=freeze(handle, drawn, place) if is_recorded() else None,
    )
    map_mounts.model_map(data, key=KEY, on_go=_stay, on_at=_keep_place, on_gone=_stay, on_next=_stay)
    layout.caption(
        f"{view.model.card.title} reads the picture as {len(model.source_tokens)} tokens: {special_names(view)}, "
        "and the patches row by row."
    )
    title = f"{view.model.card.title}: {view.name}" + (f" · {name_place(place, drawn)}" if place else "")
    find = lambda: RUNS.find(RUNS.handle(key, make)) or make()  # noqa: E731
    renderer.draw([map_files.files_of(drawn, place, title, data.outcome, find, Files(map_files.NAME))], "Picture", {})


def _key_of(view: PictureView) -> Hashable:
    return "picture", view.model.card.name, str(view.model.place), hashlib.sha256(view.square.tobytes()).hexdigest()


def _maker_of(view: PictureView) -> Any:
    # The turns are asked for here, since tiles are made in threads without a session.
    take_turn = partial(model_turns.take_turn, model_turns.turns())

    def make() -> TiledRun:
        with model_turns.else_on_cpu(), take_turn():
            pixels = view.model.preparation.normalise(view.square)
            return TiledRun(view.model.trace_image_on_demand(pixels), take_turn)

    return make


def _outcome(view: PictureView) -> Outcome:
    """The likeliest classes; nothing of a model without classes."""
    labels = view.model.config.image_labels
    if not labels:
        return Outcome("Last vectors")
    shares = view.model.probabilities(view.run())
    order = shares.argsort(descending=True).tolist()[:MAX_OUTCOMES]
    return Outcome(
        "Class of the picture",
        f"of {len(labels)}",
        [labels[i] for i in order],
        shares[order].tolist(),
        kind=view.model.config.label_scores,
    )


def _keep_place() -> None:
    """The reader has moved: the URL keeps the place."""
    place = parse_place(str(st.session_state[KEY]["at"])[: state.KEYS["see_at"].max_characters])
    state.put(see_at="" if place is None or str(place) == WHOLE else str(place))


def _stay() -> None:
    """The page runs again. It makes a run that is gone again, and has no other page to open."""
