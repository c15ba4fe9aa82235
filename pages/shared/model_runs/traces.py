"""Models and their runs, cached: shared by all sessions, keyed by values, bounded by bytes.

How a page uses it:

    run = traces.current(keep=("*.weights", "embed.out"))     # the run bar's model and sentence, run
    run.model.config, run.trace.tokens, run.trace["decoder.3.self_attn.weights"]

If the sentence or the model cannot be run, `current` shows one message and returns the last run that worked. If there
is none, the page ends below the message. `trace` runs a model over any other sentence, or under further edits. It
raises `model.GlassformerError`: show it with `traces.complain(error)`. Other sessions share the same traces, so never
write into their tensors.

A trace depends on the model, the tokens and the edits that it is asked for (`run_spec.RunSpec`), and on nothing in the
session. Only `model` and `current` read the session: the reader may have edited the model (`edited_parts`), and chosen
whether it reads a begin token (`begin_token`).

The tensors of a long text may be too many to keep. Then the same trace makes them again, a layer at a time, when they
are looked at (`model.graph.on_demand`). So look at one layer after another, and keep no list of all.

Models are on the device that `GLASSFORMER_DEVICE` names (`model.device`). Traces are on the CPU. A page that computes
with a trace and with weights takes the weights of `run.model.on_cpu`. If the memory of a GPU is full, `model_turns`
draws the page again with this session's models on the CPU, until the session asks for another model or sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model import work_bound
from model.chat.turns import Conversation
from model.errors import DamagedWeights, GlassformerError, ModelMissing
from model.shared_cache import SharedCache
from pages.shared.model_runs import (
    begin_token,
    edited_parts,
    model_turns,
    not_finite,
    trace_cache,
    translations,
)
from pages.shared.model_runs.fitting_text import FittingText, fit_and_say, tokens_within_limit
from pages.shared.model_runs.recorded_run import LookAtRun
from pages.shared.model_runs.request import Request
from pages.shared.server import metrics, session_values
from pages.shared.server.metrics import Stage
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.run import Run, as_names
from views.run_spec import RunSpec
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten

if TYPE_CHECKING:
    from model import Card, Edit, Model, Trace
    from model.config import TransformerConfig
    from model.tokens.tokenizer import Token

    Keep = str | Iterable[str] | Callable[[TransformerConfig], Iterable[str]]

PREFERRED_MODELS = ("smollm2-135m", "tiny-lm", "minilm-l6", "en-ur-everyday", "en-ur")
MAX_MODEL_BYTES = 900_000_000
MAX_PACKED_BYTES = 20_000_000


@dataclass(frozen=True)
class ShownRun:
    """The run that the page shows, as the run bar tells of it.

    `text` is the part of the sentence that was read, `count` the number of tokens of the whole, as in `FittingText`.
    `milliseconds`: how long the run took when it was made, by whichever reader; None where no layer was run.
    """

    request: Request
    text: str
    count: int | None
    tokens: tuple[Token, ...]
    source_tokens: tuple[Token, ...]
    milliseconds: float | None


@dataclass
class RunsOfSession:
    """The run on screen, and what was asked for by the last one that could be made."""

    shown: ShownRun | None = None
    last_good: Request | None = None


class NothingToShow(Exception):
    """The sentence cannot be run and there is no earlier run. app.py catches this, and the page ends there."""


def current(keep: Keep = "*.weights", look: LookAtRun | None = None) -> Run:
    """The run of the run bar's model and sentence, with the tensors that `keep` names (see `model.names`).

    `keep` may be a function of the model's `TransformerConfig`. `look` is that of `views.run_hook.RunHook`. Apart from
    any session, a run that cannot be made raises one of `errors`.
    """
    wanted = request()
    if session_values.is_apart():
        return _note(wanted, *_run(wanted, keep, look))
    waiting = st.empty()
    kept = of_session(RunsOfSession)
    if kept.last_good is None:
        waiting.skeleton(height=360)
    try:
        run, fitting = _run(wanted, keep, look)
    except errors() as error:
        complain(error)
        last = kept.last_good
        if last is None or last == wanted:
            raise NothingToShow from error
        try:
            run, _ = _run(last, keep, look)
        except errors():
            raise NothingToShow from error
        _slot().caption(f"Below is still the last sentence that could be run: {markdown_text(shorten(last.text, 80))}")
        return run
    finally:
        waiting.empty()
    not_finite.say(run, _slot(), partial(_pack_in_turn, run, "not finite"))
    kept.last_good = replace(wanted, text=run.text, edits=run.edits)
    return _note(wanted, run, fitting)


def current_model() -> Model:
    """The run bar's model, for a page that makes no run of its sentence. If it cannot be loaded, the page ends below
    one message."""
    try:
        return model(state.get("model") or default_model())
    except errors() as error:
        complain(error)
        raise NothingToShow from error


def request() -> Request:
    """What the page runs: the run bar's model and sentence, with the edits that the model has here."""
    name = state.get("model") or default_model()
    edits, begin = edited_parts.of_model(name), state.get("begin")
    return Request(name, sentence_of(name), state.get("target") or None, edits=edits, begin=begin)


def sentence_of(name: str) -> str:
    """What the model of that name reads: the reader's turns where it has a chat template, or else the sentence."""
    if not (turns := state.get("turns")):
        return str(state.get("text"))
    with suppress(*errors()):
        if model(name, state.message_slot()).converses:
            return Conversation(turns)
    return str(state.get("text"))


def fitting_sentence(name: str) -> str:
    """The reader's sentence, or the part of it that a model can read. Then the run bar says so.

    A page that shows another model than the run bar's gives it this sentence. Raises `model.GlassformerError`.
    """
    return fit_and_say(model(name), sentence_of(name), "your sentence").text


def shown_run(request: Request) -> ShownRun | None:
    """The run that answers a request; None where no page has made it."""
    shown = of_session(RunsOfSession).shown
    return shown if shown is not None and shown.request == request else None


def text_of(request: Request) -> str:
    """The text that answers a request: that of its run on screen, or the request's own."""
    shown = shown_run(request)
    return request.text if shown is None else shown.text


def _note(request: Request, run: Run, fitting: FittingText) -> Run:
    """The run, noted as the one that the page shows."""
    if run.edits:
        edited_parts.say_unused(run.trace)
    runs_layers = any("embed." not in name for name in run.trace.tensors)
    milliseconds = run.trace.milliseconds if runs_layers else None
    spec = run.spec
    shown = ShownRun(request, run.text, fitting.count, spec.tokens, spec.source_tokens, milliseconds)
    of_session(RunsOfSession).shown = shown
    return run


def _run(request: Request, keep: Keep, look: LookAtRun | None) -> tuple[Run, FittingText]:
    """The run of a request over the part of its sentence that the model can read."""
    chosen = model(request.name, state.message_slot())
    fitting = fit_and_say(chosen, request.text, "your sentence")
    spec = _spec_of(chosen, fitting.tokens, request.target)
    kept = as_names(keep(chosen.config) if callable(keep) else keep)
    made = _find(chosen, spec, kept, look).with_network(chosen.network)
    return Run(spec, chosen, made, fitting.text, request.target, kept, MAKER), fitting


def run(chosen: Model, text: str, keep: str | Iterable[str] = "*.weights", *, target: str | None = None) -> Run:
    """The run of a model over any text, cached. Raises `model.GlassformerError`."""
    spec, kept = _spec_of(chosen, tokens_within_limit(chosen, text), target), as_names(keep)
    return Run(spec, chosen, _find(chosen, spec, kept).with_network(chosen.network), text, target, kept, MAKER)


def trace(
    chosen: Model,
    text: str,
    keep: str | Iterable[str] = "*.weights",
    *,
    target: str | None = None,
    edits: Iterable[Edit] = (),
) -> Trace:
    """The trace of a model over any text, under further edits, cached. Raises `model.GlassformerError`."""
    return _find(chosen, _spec_of(chosen, tokens_within_limit(chosen, text), target, edits), keep)


def trace_ids(
    chosen: Model,
    ids: Iterable[int],
    keep: str | Iterable[str],
    source_ids: Iterable[int] = (),
    *,
    edits: Iterable[Edit] = (),
    look: LookAtRun | None = None,
) -> Trace:
    """As `trace`, over token ids. They need not come from a text: a model may have written some, or some are padding.

    `look` is that of `views.run_hook.RunHook`.
    """
    tokens, source_tokens = chosen.output_tokenizer.tokens(ids), chosen.tokenizer.tokens(source_ids)
    return _find(chosen, RunSpec.of(chosen, tokens, source_tokens, edits), keep, look)


def _spec_of(
    chosen: Model, tokens: tuple[Token, ...], target: str | None = None, edits: Iterable[Edit] = ()
) -> RunSpec:
    """The spec of a run over the tokens of a text. A translator without a target writes its own translation first."""
    if chosen.config.kind != "encoder-decoder":
        return RunSpec.of(chosen, tokens, (), edits)
    written = translations.written_by(chosen, tokens) if target is None else chosen.target_tokens(tokens, target)
    return RunSpec.of(chosen, written, tokens, edits)


def _find(chosen: Model, spec: RunSpec, keep: str | Iterable[str], look: LookAtRun | None = None) -> Trace:
    return not_finite.note(trace_cache.find(chosen, spec, keep, look))


def pack(run: Run, what: str, make: Callable[[], bytes]) -> bytes:
    """Bytes that are costly to make from a run, cached. `what` names them among the bytes of that run."""
    return _packed().get((run.spec, what), make)


def _pack_in_turn(run: Run, what: str, make: Callable[[], bytes]) -> bytes:
    def make_in_turn() -> bytes:
        with model_turns.take_turn_for_layer():
            return make()

    return pack(run, what, make_in_turn)


class KeptRuns:
    """Makes what views take beside their runs, and keeps it for all readers (`views.run.RunMaker`)."""

    def trace(self, model: Model, spec: RunSpec, keep: str | Iterable[str]) -> Trace:
        return _find(model, spec, keep)

    def pack(self, run: Run, what: str, make: Callable[[], bytes], runs: int = 0) -> bytes:
        def make_in_turn() -> bytes:
            with model_turns.forward_pass(runs=runs):
                return make()

        return pack(run, what, make_in_turn if runs else make)

    def whole(self, chosen: Model) -> Model:
        return model(chosen.card.name, whole=True)


MAKER = KeptRuns()


def model(name: str, place: st.delta_generator.DeltaGenerator | None = None, *, whole: bool = False) -> Model:
    """The loaded model, shared by all sessions. Raises `model.GlassformerError`.

    Every model begins sentences as the reader wants it (`begin_token`). The reader's model has their
    edits on this page, unless it is asked for `whole`.

    The page shows a progress bar while the model loads, or shows it in `place`. A cached function cannot write to a
    `place`.
    """
    from model.engine.choice import load
    from model.zoo.cards import IN_MEMORY

    cache, where = _models(), model_turns.device()
    key = name, where

    def as_shown(loaded: Model) -> Model:
        begun = begin_token.apply(loaded)
        return begun if whole else edited_parts.edit(begun)

    if name in IN_MEMORY:  # it may be another one under the same name by now
        return as_shown(load(name, device=where))
    if key in cache or session_values.is_apart():
        return as_shown(cache.get(key, lambda: load(name, device=where)))
    bar = (place.progress if place else st.progress)(0.0, text="Opening the model")

    def show(step: str, share: float) -> None:
        bar.progress(min(share, 1.0), text=step)

    try:
        with work_bound.elsewhere(), model_turns.else_on_cpu(), metrics.timed(Stage.LOAD):
            return as_shown(cache.get(key, lambda: load(name, show, device=where)))
    finally:
        bar.empty()


def cards() -> tuple[Card, ...]:
    """The cards of all models of the run bar, installed or not."""
    from model import available

    return available()


def default_model() -> str:
    """The model that a reader meets first: the first installed one of `PREFERRED_MODELS`, else any installed one."""
    ready = [card.name for card in cards() if card.ready]
    return next((name for name in (*PREFERRED_MODELS, *ready) if name in ready), PREFERRED_MODELS[0])


def load_default() -> None:
    """Load the model that a reader meets first, before anybody asks for it."""
    from model.engine.choice import load

    name = default_model()
    with suppress(*errors()):  # The first reader is told, with the command that mends it.
        _models().get((name, model_turns.ANY_DEVICE), lambda: load(name, device=model_turns.ANY_DEVICE))


@contextmanager
def report_damaged_files() -> Iterator[None]:
    """Inside, an error for a damaged or missing file of the installation ends the page below one message."""
    try:
        yield
    except (DamagedWeights, ModelMissing) as error:
        complain(error)
        raise NothingToShow from error


@dataclass
class Complaint:
    """What was wrong with a view that was made apart from any session."""

    text: str = ""


def complain(error: Exception) -> None:
    """One message above the page, for an error whose text says what to do. Apart from any session it is kept."""
    if session_values.is_apart():
        of_session(Complaint).text = str(error)
        return
    _slot().error(markdown_text(str(error)), icon=":material/error:")


def complained() -> str:
    """The last message of `complain` about this view, which was made apart from any session."""
    return of_session(Complaint).text


def errors() -> tuple[type[Exception], ...]:
    """The errors that a reader's input or a damaged installation can raise. Any other error is a mistake of ours."""
    return (GlassformerError, OSError)


def _slot() -> st.delta_generator.DeltaGenerator:
    return state.message_slot() or st.container()


@st.cache_resource(show_spinner=False, max_entries=1)
def _models() -> SharedCache[Model]:
    return metrics.watch_cache("models", SharedCache(MAX_MODEL_BYTES, lambda loaded: loaded.nbytes, keeps_last=True))


@st.cache_resource(show_spinner=False, max_entries=1)
def _packed() -> SharedCache[bytes]:
    return metrics.watch_cache("packed", SharedCache(MAX_PACKED_BYTES, len))
