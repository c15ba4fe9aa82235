"""Concat and W_O: how the heads become one vector again, what each adds, and what is missing without it."""

from __future__ import annotations

from model.analysis.head_steps import Attention
from pages.attention.combine_parts import controls
from pages.attention.combine_parts.translations import translate_twice
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import BESIDE_PARTS, Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_attention, read_token
from pages.shared.session import places, state
from views.attention.combine import muted_outcomes, parts
from views.attention.combine.combined import Combined
from views.attention.combine.concat import Concat
from views.attention.combine.muted import SILENT, MutedHeads
from views.attention.combine.parts import HeadParts
from views.run import Run
from views.shared import ablation_choice
from views.usual_head import usual_layer

PROMPTS = (
    Prompt(
        "Every head's share",
        "Some heads add much more than others.",
        {"combine_view": "Each head's part"},
        claim=Claim(parts.LARGEST, "over", 1.5),
        at="combine parts",
    ),
    Prompt(
        "Silence one head",
        "The veiled part is gone from the sum, and the later layers work with what is left.",
        {"combine_view": "Mute heads", "combine_muted": (0,), "combine_scope": "this layer"},
        claim=Claim(SILENT, "is", 1),
        at="combine muted",
    ),
    Prompt(
        "Silence it in every layer",
        "One head of each layer is gone: the prediction changes.",
        {"combine_view": "Mute heads", "combine_muted": (0,), "combine_scope": "every layer"},
        claim=Claim(muted_outcomes.CHANGE, "over", 0.01),
        at="combine muted",
    ),
)


def concat() -> Concat:
    """All tokens side by side. Its formula alone is about one token, which the bar marks only there."""
    run, attention = _read_attention()
    offered = places.offered()
    token = read_token(run, attention.stack)
    places.offer(offered)
    return Concat(run, attention, token)


def head_parts() -> HeadParts:
    return HeadParts(*_read())


def muted_heads() -> MutedHeads:
    run, attention, token = _read()
    muted = ablation_choice.read_muted(state.get("combine_muted"), run.config.n_heads)
    everywhere = state.get("combine_scope") == "every layer"
    translations = translate_twice(run, attention, muted, everywhere)
    return MutedHeads(run, attention, token, muted, everywhere, translations)


def _read() -> tuple[Run, Attention, int]:
    """The run, the attention and the token that the reader has chosen."""
    run, attention = _read_attention()
    return run, attention, read_token(run, attention.stack)


def _read_attention() -> tuple[Run, Attention]:
    run = traces.current(keep=Combined.needs)
    stack, part = read_attention(run.config)
    return run, Attention(stack, places.read_layer(run.config.n_layers(stack), usual_layer(run.config)), part)


ATTENTION = {BESIDE_PARTS: controls.choose_attention}
PARTS = {
    "Side by side": Part("Side by side", concat, ATTENTION | {"token": controls.mark_token}),
    "Each head's part": Part("Each head's part", head_parts, ATTENTION),
    "Mute heads": Part("Mute heads", muted_heads, ATTENTION | {"muted": controls.choose_muted}),
}
PAGE = Page(
    "Concat and $W_O$",
    "The heads stand side by side, and one matrix makes them a vector again.",
    "combine_view",
    PARTS,
    PROMPTS,
)
