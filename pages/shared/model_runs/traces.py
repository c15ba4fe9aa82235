"""Models and their runs, cached: shared by all sessions, keyed by strings, bounded by bytes.

How a page uses it:

    run = traces.current(keep=("*.weights", "embed.out"))     # the run bar's model and sentence, run
    run.model.config, run.trace.tokens, run.trace["decoder.3.self_attn.weights"]

If the sentence or the model cannot be run, `current` shows one message and returns the last run that worked. If there
is none, the page ends below the message. `trace` runs any other sentence or edit. It raises `model.GlassformerError`:
show it with `traces.complain(error)`. Where the reader has edited the model (`edited_parts`), it is so in all of these.
Other sessions share the same traces, so never write into their tensors.

The tensors of a long text may be too many to keep. Then the same trace makes them again, a layer at a time, when they
are looked at (`model.graph.on_demand`). So look at one layer after another, and keep no list of all.

Models are on the device that `GLASSFORMER_DEVICE` names (`model.device`). Traces are on the CPU. A page that computes
with a trace and with weights takes the weights of `run.model.on_cpu`. If the memory of a GPU is full, `model_turns`
draws the page again with this session's models on the CPU, until the session asks for another model or sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model import work_bound
from model.errors import DamagedWeights, GlassformerError, ModelMissing
from pages.shared.model_runs import (
    begin_token,
    edited_parts,
    model_turns,
    not_finite,
    trace_cache,
    translations,
)
from pages.shared.model_runs.fitting_text import check_length, fit_and_say
from pages.shared.model_runs.recorded_run import LookAtRun, RunOfTokens
from pages.shared.model_runs.runs import Request, Run
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.server import metrics
from pages.shared.server.metrics import Stage
from pages.shared.session import state
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


class NothingToShow(Exception):
    """The sentence cannot be run and there is no earlier run. app.py catches this, and the page ends there."""


def current(keep: Keep = "*.weights", look: LookAtRun | None = None) -> Run:
    """The run of the run bar's model and sentence, with the tensors that `keep` names (see `model.names`).

    `keep` may be a function of the model's `TransformerConfig`. `look` is that of `trace`.
    """
    wanted = request()
    waiting = st.empty()
    if "_last_good" not in st.session_state:
        waiting.skeleton(height=360)
    try:
        fitting = replace(wanted, text=fitting_sentence(wanted.name))
        run = _run(fitting, keep, look)
        fitting = replace(fitting, edits=run.edits)
    except errors() as error:
        complain(error)
        last = st.session_state.get("_last_good")
        if last is None or last == wanted:
            raise NothingToShow from error
        try:
            run = _run(last, keep, look)
        except errors():
            raise NothingToShow from error
        _slot().caption(f"Below is still the last sentence that could be run: {markdown_text(shorten(last.text, 80))}")
        return run
    finally:
        waiting.empty()
    if run.edits:
        edited_parts.say_unused(run.trace)
    not_finite.say(run, _slot(), partial(_pack_in_turn, run, "not finite"))
    st.session_state["_last_good"] = fitting
    st.session_state["_tokens"] = (request(), run.trace.source_tokens, run.trace.tokens)
    if any("embed." not in name for name in run.trace.tensors):  # else no layer was run
        st.session_state["_cost"] = (request(), run.trace.milliseconds)
    return run


def request() -> Request:
    """What the page runs: the run bar's model and sentence, with the edits that the model has here."""
    name = state.get("model") or default_model()
    edits, begin = edited_parts.of_model(name), state.get("begin")
    return Request(name, state.get("text"), state.get("target") or None, edits=edits, begin=begin)


def fitting_sentence(name: str) -> str:
    """The reader's sentence, or the part of it that a model can read. Then the run bar says so.

    A page that shows another model than the run bar's gives it this sentence. Raises `model.GlassformerError`.
    """
    return fit_and_say(model(name, st.session_state.get("_slot")), state.get("text"), "your sentence")


def milliseconds(request: Request) -> float | None:
    """How long the run of a request took when it was made, by whichever reader; None where no layer was run."""
    found, taken = st.session_state.get("_cost", (None, None))
    return taken if found == request else None


def tokens_of_run(request: Request) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """The (source tokens, tokens) of a request's run; None where no page has made it."""
    found = st.session_state.get("_tokens")
    return found[1:] if found is not None and found[0] == request else None


def _run(request: Request, keep: Keep, look: LookAtRun | None) -> Run:
    name, text, target = request.name, request.text, request.target
    chosen = model(name, st.session_state.get("_slot"))
    patterns = keep(chosen.config) if callable(keep) else keep
    found = trace(name, text, patterns, target=target, look=look).with_network(chosen.network)
    return Run(name, text, target, chosen, found, edits=edited_parts.of_model(name), begin=state.get("begin"))


def trace(
    name: str,
    text: str,
    keep: str | Iterable[str] = "*.weights",
    *,
    target: str | None = None,
    edits: Iterable[Edit] = (),
    look: LookAtRun | None = None,
) -> Trace:
    """A run of any model over any text, cached. The reader's model has its edits (`edited_parts`) too.

    `look` is that of `run_hook.RunHook`. Raises `model.GlassformerError`.
    """
    chosen, edits, of_model = model(name), tuple(edits), edited_parts.of_model(name)
    check_length(chosen, text)
    sentence = (name, chosen.state, of_model, text)
    writes_target = chosen.config.kind == "encoder-decoder" and target is None  # it takes a while
    written = translations.find(sentence) if writes_target else None

    def run() -> RunOfTokens:
        tokens = (written, chosen.tokens_of(text)) if written else chosen.tokens_to_run(text, target)
        return RunOfTokens(chosen, of_model, *tokens, edits)

    def make(record: trace_cache.Record) -> Trace:
        with model_turns.forward_pass():
            made = record(run())
        if writes_target:
            translations.remember(sentence, made.tokens)
        return made

    known = None if writes_target and not written else run()
    key = (name, chosen.state, of_model, text, target, edits)
    return not_finite.note(trace_cache.find(key, known, keep, chosen.network, make, _turn_for_layer, look))


def trace_ids(
    name: str,
    ids: tuple[int, ...],
    keep: str | Iterable[str],
    source_ids: tuple[int, ...] = (),
    *,
    edits: Iterable[Edit] = (),
    whole: bool = False,
    look: LookAtRun | None = None,
) -> Trace:
    """A run over token ids, cached. They need not come from a text: a model may have written some, or some are padding.

    Edits and `look` are as in `trace`. A `whole` model runs without those of the reader. Raises
    `model.GlassformerError`.
    """
    chosen, edits = model(name, whole=whole), tuple(edits)
    run = _run_of_ids(chosen, () if whole else edited_parts.of_model(name), ids, source_ids, edits)

    def make(record: trace_cache.Record) -> Trace:
        with model_turns.forward_pass():
            return record(run)

    return not_finite.note(trace_cache.find(run.key, run, keep, chosen.network, make, _turn_for_layer, look))


def _run_of_ids(
    chosen: Model,
    of_model: tuple[Edit, ...],
    ids: tuple[int, ...],
    source_ids: tuple[int, ...],
    edits: tuple[Edit, ...] = (),
) -> RunOfTokens:
    tokens, source_tokens = chosen.output_tokenizer.tokens(ids), chosen.tokenizer.tokens(source_ids)
    return RunOfTokens(chosen, of_model, tokens, source_tokens, edits)


@contextmanager
def _turn_for_layer() -> Iterator[None]:
    """Wait for a turn to make a layer of a run again. It counts as no run."""
    with model_turns.take_turn(), model_turns.else_on_cpu():
        yield


def pack(run: Run, what: str, make: Callable[[], bytes]) -> bytes:
    """Bytes that are costly to make from a run, cached. `what` names them among the bytes of that run."""
    return _packed().get((*run.key, what), make)


def _pack_in_turn(run: Run, what: str, make: Callable[[], bytes]) -> bytes:
    def make_in_turn() -> bytes:
        with _turn_for_layer():
            return make()

    return pack(run, what, make_in_turn)


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
    if key in cache:
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


def complain(error: Exception) -> None:
    """One message above the page, for an error whose text says what to do."""
    _slot().error(markdown_text(str(error)), icon=":material/error:")


def errors() -> tuple[type[Exception], ...]:
    """The errors that a reader's input or a damaged installation can raise. Any other error is a mistake of ours."""
    return (GlassformerError, OSError)


def _slot() -> st.delta_generator.DeltaGenerator:
    return st.session_state.get("_slot") or st.container()


@st.cache_resource(show_spinner=False, max_entries=1)
def _models() -> SharedCache[Model]:
    return metrics.watch_cache("models", SharedCache(MAX_MODEL_BYTES, lambda loaded: loaded.nbytes, keeps_last=True))


@st.cache_resource(show_spinner=False, max_entries=1)
def _packed() -> SharedCache[bytes]:
    return metrics.watch_cache("packed", SharedCache(MAX_PACKED_BYTES, len))
