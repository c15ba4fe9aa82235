"""Predict: a decoder-only model continues the reader's sentence, one token at a time."""

from __future__ import annotations

from collections.abc import Callable

from pages.models.predict_parts import controls, lens_window, race_work, writing
from pages.models.predict_parts.reading import ReaderInTurns
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import head_on_screen, traces
from pages.shared.session import state, token_window
from views.message import Message
from views.models.predict import lens, player, surprise
from views.models.predict.attention import LooksOfToken
from views.models.predict.branches import Branches
from views.models.predict.continuation import Continuation, Playhead
from views.models.predict.lens import LogitLens
from views.models.predict.race import CacheRace
from views.models.predict.surprise import SurpriseOfTokens
from views.view import View
from viz.documents.page_parts import Text

NO_DECODER = "No model that predicts a next token is installed: that takes a decoder-only model."
PROMPTS = (
    Prompt(
        "Where is Paris?",
        "The logit lens shows in which layer the answer appears.",
        {"model": "smollm2-135m", "text": "The capital of France is", "predict_view": "lens", "predict_step": 0}
        | {"predict_cell": ()},
        claim=Claim(lens.OUTPUT, "is", "Paris"),
        at="wide lens",
    ),
    Prompt(
        "Ask it",
        "SmolLM2 was trained to answer messages, too. Its chat template writes yours between control tokens, and the "
        "model writes until its own end token.",
        {"model": "smollm2-135m", "turns": "user: What is the capital of France?", "predict_step": 0}
        | {"predict_temperature": 0.0},
        claim=Claim(player.ANSWER, "is", "The capital of France is Paris."),
    ),
    Prompt(
        "Loosen the filters",
        "At temperature 1.5 with top-p 0.9 the bars even out. Press Write again: each press draws another text.",
        {"predict_temperature": 1.5, "predict_p": 0.9},
        claim=Claim(player.LARGEST, "under", 1.0),
    ),
    Prompt(
        "A word out of place",
        "The bar of the odd word stands out: the model did not see it coming.",
        {"text": "The quick brown fox jumps over the lazy piano", "predict_view": "surprise"},
        claim=Claim(surprise.MOST, "is", "piano"),
        at="predict surprise",
    ),
)


def _at_playhead(make: Callable[[Playhead], View]) -> Callable[[], View]:
    """The view that `make` makes of the continuation at the playhead. It writes the tokens that are still missing."""

    def view() -> View:
        run = traces.current(keep="embed.out")
        return make(_read(writing.current(run))) if run.config.kind == "decoder" else Message(Text(NO_DECODER, "info"))

    return view


def _read(written: Continuation) -> Playhead:
    layer, head = head_on_screen.read_layer_and_head(written.as_run, "decoder", "self_attn", len(written.prompt) - 1)
    state.checked_number("predict_k", 0, written.config.vocab_size, "Top-k")
    return Playhead(
        written,
        step=state.get("predict_step"),
        sampling=writing.sampling(),
        layer=layer,
        head=-1 if state.get("predict_mean") else head,
        others=tuple(writing.other_settings(written.path)),
        picks=writing.picks(),
    )


def looks(now: Playhead) -> LooksOfToken:
    count = len(now.written.trace.tokens)
    return LooksOfToken(now, token_window.read_part((count, count), (now.query, now.query)))


def logit_lens(now: Playhead) -> LogitLens:
    return LogitLens(now, lens_window.read(now), state.get("predict_cell"), ReaderInTurns())


def cache_race(now: Playhead) -> CacheRace:
    return CacheRace(now, race_work.measured(now.written))


def surprise_of_tokens(now: Playhead) -> SurpriseOfTokens:
    count = len(now.written.trace.tokens) - 1
    return SurpriseOfTokens(now, token_window.read(count, start=1, at=now.query), ReaderInTurns())


def branches(now: Playhead) -> Branches:
    return Branches(now, tuple(writing.branches()), writing.MAX_BRANCHES if writing.take_dropped() else 0)


ALL = {"filters": controls.choose_filters, "next turn": controls.say_next}
PARTS = {
    "attention": Part(
        ":material/timeline: Attention",
        _at_playhead(looks),
        ALL | {"mean": controls.take_mean, "window": controls.choose_tokens},
        goes_beside=True,
    ),
    "lens": Part(
        ":material/layers: Logit lens",
        _at_playhead(logit_lens),
        ALL | {"positions": lens_window.choose},
        goes_beside=True,
    ),
    "cache": Part(":material/speed: KV cache race", _at_playhead(cache_race), ALL | {"race": race_work.measure}),
    "surprise": Part(
        ":material/bolt: Surprise",
        _at_playhead(surprise_of_tokens),
        ALL | {"window": controls.choose_surprises},
        goes_beside=True,
    ),
    "branches": Part(":material/account_tree: Branches", _at_playhead(branches), ALL),
}
PAGE = Page(
    "Predict",
    "Read everything so far, score every token, choose one, append it, and again.",
    "predict_view",
    PARTS,
    PROMPTS,
    chooses_inside=True,
)
