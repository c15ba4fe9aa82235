"""Models and their runs, cached: shared by all sessions, keyed by strings, bounded by bytes.

How a page uses it:

    run = traces.current(keep=("*.weights", "embed.out"))     # the sidebar's model and sentence, run
    run.model.config, run.trace.tokens, run.trace["decoder.3.self_attn.weights"]

`current` never fails: where the sentence or the model cannot be run, the page shows one message and the last view
that could; where there is none, the page stops below the message. `trace` is the same for any other sentence or
edit, and raises `model.GlassformerError`: show it with `traces.complain(error)`.

A trace may come from another session: never write into its tensors.

Models are where `GLASSFORMER_DEVICE` says (`model.device`). Traces are on the CPU; a page that computes with a trace
and weights takes those of `run.model.on_cpu`. Where the memory of a GPU is full, `forward_pass` has the page drawn
again, with the models of this session on the CPU until it asks for another model or sentence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import state
from pages.shared.processor_turns import ProcessorTurns
from pages.shared.shared_cache import SharedCache
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten

if TYPE_CHECKING:
    from model import Card, Edit, Model, Trace
    from model.config import TransformerConfig

    Keep = str | Iterable[str] | Callable[[TransformerConfig], Iterable[str]]

MAX_TOKENS = 256  # what a page draws, whatever the model could read
PREFERRED = ("smollm2-135m", "tiny-lm", "minilm-l6", "en-ur")
MODEL_BYTES = 900_000_000
TRACE_BYTES = 160_000_000
PACKED_BYTES = 20_000_000


class NothingToShow(Exception):
    """The sentence cannot be run and there is no earlier view: the page ends here, below the message. For app.py."""


@dataclass(frozen=True)
class Request:
    """What the reader asks to see run: a model's name, a sentence, and a translation of it or None."""

    name: str
    text: str
    target: str | None


@dataclass(frozen=True)
class Run(Request):
    """A request that could be run, and what came of it."""

    model: Model
    trace: Trace


def current(keep: Keep = "*.weights") -> Run:
    """The run of the sidebar's model and sentence, recording what `keep` names (see `model.names`).

    Where that depends on the model, give a function of its `TransformerConfig`.
    """
    wanted = Request(state.get("model") or default_model(), state.get("text"), state.get("target") or None)
    waiting = st.empty()
    if "_last_good" not in st.session_state:
        waiting.skeleton(height=360)
    try:
        run = _run(wanted, keep)
    except errors() as error:
        complain(error)
        last = st.session_state.get("_last_good")
        if last is None or last == wanted:
            raise NothingToShow from error
        try:
            run = _run(last, keep)
        except errors():
            raise NothingToShow from error
        _slot().caption(f"Below is still the last sentence that could be run: {markdown_text(shorten(last.text, 80))}")
        return run
    finally:
        waiting.empty()
    st.session_state["_last_good"] = wanted
    return run


def _run(asked: Request, keep: Keep) -> Run:
    chosen = model(asked.name, st.session_state.get("_slot"))
    patterns = keep(chosen.config) if callable(keep) else keep
    return Run(
        asked.name, asked.text, asked.target, chosen, trace(asked.name, asked.text, patterns, target=asked.target)
    )


def trace(
    name: str,
    text: str,
    keep: str | Iterable[str] = "*.weights",
    *,
    target: str | None = None,
    edits: Iterable[Edit] = (),
    edits_name: str = "",
) -> Trace:
    """A run of any model over any text, cached.

    Edits hold functions, which cannot be compared: give `edits_name`, a string that says what they do ("ablate 3.2"),
    to have the edited run cached; without it the run is made anew. Raises `model.GlassformerError`.
    """
    patterns = (keep,) if isinstance(keep, str) else tuple(keep)
    chosen, edits = model(name), tuple(edits)

    def make() -> Trace:
        check_length(chosen, text)
        with forward_pass():
            return chosen.trace(text, keep=patterns, edits=edits, target=target)

    if edits and not edits_name:
        return make()
    return _traces().get((name, str(chosen.place), text, target, patterns, edits_name), make)


def trace_ids(
    name: str,
    ids: tuple[int, ...],
    keep: str | Iterable[str],
    source_ids: tuple[int, ...] = (),
    *,
    edits: Iterable[Edit] = (),
    edits_name: str = "",
) -> Trace:
    """A run over token ids that need not come from a text, such as a sentence with what a model wrote behind it or with
    padding, cached. Edits are as in `trace`.

    Raises `model.GlassformerError`.
    """
    patterns = (keep,) if isinstance(keep, str) else tuple(keep)
    chosen, edits = model(name), tuple(edits)

    def make() -> Trace:
        written, read = chosen.output_tokenizer.tokens(ids), chosen.tokenizer.tokens(source_ids)
        with forward_pass():
            return chosen.trace_tokens(written, read, keep=patterns, edits=edits)

    if edits and not edits_name:
        return make()
    return _traces().get(_ids_key(chosen, ids, patterns, source_ids, *((edits_name,) if edits else ())), make)


def holds_ids(name: str, ids: tuple[int, ...], keep: str | Iterable[str], source_ids: tuple[int, ...] = ()) -> bool:
    """Whether `trace_ids` would find this run in the cache: long ones give way to newer ones."""
    return _ids_key(model(name), ids, (keep,) if isinstance(keep, str) else tuple(keep), source_ids) in _traces()


def _ids_key(chosen: Model, ids: tuple[int, ...], *more: Hashable) -> Hashable:
    return (chosen.card.name, str(chosen.place), ids, *more)


def pack(run: Run, what: str, make: Callable[[], bytes]) -> bytes:
    """Bytes that are costly to make of a run, cached. `what` names them among all bytes made of that run."""
    return _packed().get((run.name, str(run.model.place), run.text, run.target, what), make)


def model(name: str, place: st.delta_generator.DeltaGenerator | None = None) -> Model:
    """The loaded model, shared by all sessions. Raises `model.GlassformerError`.

    Its loading shows on screen: in the page, where the bar moves what is below it once, or in a `place`, which a cached
    function cannot write to.
    """
    from model import load

    shelf, where = _models(), device()
    key = (name, where)
    if key in shelf:
        return shelf.get(key, lambda: load(name, device=where))
    bar = (place.progress if place else st.progress)(0.0, text="Opening the model")

    def show(step: str, share: float) -> None:
        bar.progress(min(share, 1.0), text=step)

    try:
        with else_on_cpu():
            return shelf.get(key, lambda: load(name, show, device=where))
    finally:
        bar.empty()


def device() -> str:
    """Where this session's models are, as `model.load` takes it: "auto", or "cpu" after a GPU's memory was full."""
    return "cpu" if st.session_state.get("_on_cpu") == _asked() else "auto"


def _asked() -> tuple[Any, ...]:
    """What is asked for in the sidebar and on See: another choice is tried on the GPU again."""
    return tuple(state.get(name) for name in ("model", "text", "target", "see_model"))


@contextmanager
def else_on_cpu() -> Iterator[None]:
    """Where a GPU has too little memory for what runs inside, the page is drawn again with its models on the CPU."""
    from model.device import within_memory
    from model.errors import DeviceFull

    try:
        with within_memory():
            yield
    except DeviceFull:
        if device() != "cpu":
            st.session_state["_on_cpu"] = _asked()
            st.rerun()
        raise


def cards() -> tuple[Card, ...]:
    """The cards of all models that can be named, ready ones and others."""
    from model import available

    return available()


def default_model() -> str:
    """The model that a reader meets first: the first of `PREFERRED` that is here, else any that is."""
    ready = [card.name for card in cards() if card.ready]
    return next((name for name in (*PREFERRED, *ready) if name in ready), PREFERRED[0])


def load_default() -> None:
    """Loads the model that a reader meets first, before anybody asks for it."""
    from model import load

    name = default_model()
    with suppress(*errors()):  # who comes is told, with the command that mends it
        _models().get(name, lambda: load(name))


def token_limit(chosen: Model) -> int:
    """How many tokens a sentence may have here."""
    return min(chosen.config.max_length, MAX_TOKENS)


def check_length(chosen: Model, text: str) -> int:
    """The number of tokens of a text. Raises `EmptyText` or `TextTooLong`, with both numbers."""
    from model.errors import TextTooLong

    count, limit = len(chosen.read(text)), token_limit(chosen)
    if count > limit:
        raise TextTooLong(f"The text has {count:,} tokens; these pages draw at most {limit:,}. Shorten it.")
    return count


def complain(error: Exception) -> None:
    """One message above the page, for an error whose text says what to do."""
    _slot().error(markdown_text(str(error)), icon=":material/error:")


@contextmanager
def forward_pass() -> Iterator[None]:
    """Wait for a turn to run a model: more runs at once than cores would slow all of them down. Where a GPU's memory is
    full, the page begins again on the CPU (`else_on_cpu`)."""
    with turns().one(), else_on_cpu():
        yield


def errors() -> tuple[type[Exception], ...]:
    """What a reader's input or a damaged installation can raise; anything else is a mistake of ours."""
    from model import GlassformerError

    return (GlassformerError, OSError)


def _slot() -> st.delta_generator.DeltaGenerator:
    return st.session_state.get("_slot") or st.container()


@st.cache_resource(show_spinner=False, max_entries=1)
def _models() -> SharedCache[Model]:
    return SharedCache(MODEL_BYTES, lambda loaded: loaded.nbytes)


@st.cache_resource(show_spinner=False, max_entries=1)
def _traces() -> SharedCache[Trace]:
    return SharedCache(TRACE_BYTES, lambda made: made.nbytes)


@st.cache_resource(show_spinner=False, max_entries=1)
def turns() -> ProcessorTurns:
    """The server's turns at running a model: long work beside them gives way (`Turns.give_way`). A GPU takes one run
    after another: two at once would share its time, and need its memory twice."""
    from model.device import choose

    on_cpu = choose().device.type == "cpu"
    return ProcessorTurns(max(1, (os.cpu_count() or 2) // 2) if on_cpu else 1)


@st.cache_resource(show_spinner=False, max_entries=1)
def _packed() -> SharedCache[bytes]:
    return SharedCache(PACKED_BYTES, len)
