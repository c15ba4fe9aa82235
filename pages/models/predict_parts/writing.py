"""The writing of the continuation: the path of tokens, and the branches that were written before."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.chat.turns import Conversation, Turn
from model.generation.sampling import Sampling
from model.generation.steps import GenerationStep
from model.shared_cache import SharedCache
from pages.models.predict_parts import kept_text
from pages.models.predict_parts.kept_text import KeptText
from pages.shared.model_runs import model_turns, traces
from pages.shared.server import session_values
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.text_length import token_limit
from views import head_tiles
from views.models.predict.answer import with_answer, written_length
from views.models.predict.continuation import KEEP, Continuation, why_ended, write_path
from views.parts import Keys, Pick
from views.run import Run
from viz.shared.style import markdown_text

MAX_BRANCHES = 40
MAX_WRITTEN_TOKENS = 200_000  # that are remembered for all readers, of whole continuations
PROGRESS_AFTER_SECONDS = 0.3  # of writing


def sampling() -> Sampling:
    """The filters as the reader has set them."""
    names = ("predict_temperature", "predict_k", "predict_p", "predict_min_p")
    return Sampling(*(state.get(name) for name in names))


def current(run: Run) -> Continuation:
    """The continuation of a run's sentence. Writes the tokens that are still missing."""
    prompt = run.trace.tokens
    of_session(WritingSession).usual = written_length(run, state.get("predict_tokens"))
    _follow(run)
    _mend_path(run, len(prompt))
    _write(run, len(prompt))
    path = state.get("predict_path")
    _remember(path)
    ids = (*(token.id for token in prompt), *path)
    tiles = head_tiles.tiles_hook()
    trace = traces.trace_ids(run.model, ids, KEEP, look=tiles.look)
    continuation = Continuation(run, prompt, path, trace, why_ended(run, path, token_limit(run.model)))
    head_tiles.keep(continuation.as_run, tiles)
    if not 0 <= state.get("predict_step") < continuation.steps:
        state.put(predict_step=continuation.steps - 1)
    return continuation


@dataclass
class WritingSession:
    """What a session has written after one sentence.

    `sentence`: what it was written after, with the model, as `_follow` compares it. `path`: the tokens of the last run.
    `usual`: how long a path is where nobody asks for more, `wanted`: how long it is to be. `written_with`: the
    settings by path. `is_full`: an old branch was dropped.
    """

    sentence: tuple[Hashable, ...] | None = None
    path: tuple[int, ...] = ()
    usual: int = 0
    wanted: int = 0
    branches: list[tuple[int, ...]] = field(default_factory=list)
    written_with: dict[tuple[int, ...], list[str]] = field(default_factory=dict)
    is_full: bool = False


def want(tokens: int) -> None:
    """Ask for a path of this length, which begins with the present one. The next run of the page writes it."""
    session = of_session(WritingSession)
    session.wanted, session.path = tokens, state.get("predict_path")


def start_again() -> None:
    """Write another text. One that is drawn takes the next seed: the same one would draw the same text."""
    if not sampling().greedy:
        state.put(predict_seed=(state.get("predict_seed") + 1) % (int(state.KEYS["predict_seed"].high) + 1))
    state.put(predict_path=(), predict_step=0, predict_cell=())
    want(of_session(WritingSession).usual)


def settings() -> str:
    """The settings with which the next token is chosen, in words."""
    chosen = sampling()
    if chosen.greedy:
        return "temperature 0"
    parts = [f"temperature {chosen.temperature:g}"]
    parts += [f"top-k {chosen.top_k}"] if chosen.top_k else []
    parts += [f"top-p {chosen.top_p:g}"] if chosen.top_p < 1 else []
    parts += [f"min-p {chosen.min_p:g}"] if chosen.min_p else []
    return f"{', '.join(parts)}, seed {state.get('predict_seed')}"


def other_settings(path: tuple[int, ...]) -> list[str]:
    """The settings with which a path was written, without those of now. [] where it came with a link."""
    by_path = of_session(WritingSession).written_with
    first = next((each for each in by_path if each[: len(path)] == path), None)
    return [] if first is None else [each for each in by_path[first] if each != settings()]


def say_next(written: Continuation, text: str) -> None:
    """Take the answer into the conversation, and what the reader says then."""
    turns = with_answer(written) if written.path else written.run.text
    assert isinstance(turns, Conversation), "only a conversation has a next turn"
    turns = turns.of(*(replace(turn, goes_on=False) for turn in turns.turns), Turn("user", text))
    state.put(turns=str.__str__(turns), predict_path=(), predict_step=0, predict_cell=())


def change_length() -> None:
    tokens = state.get("predict_tokens")
    state.put(predict_path=state.get("predict_path")[:tokens])
    want(tokens)


def branch(wish: Mapping[str, Any]) -> Keys:
    """Put another token at a step, and ask for as many tokens after it as the path had."""
    step, path = int(wish["step"]), state.get("predict_path")
    keys = {"predict_path": (*path[:step], int(wish["id"])), "predict_step": step}
    state.put(**keys)
    want(max(len(path), step + 1))
    return keys


def go_on(wish: Mapping[str, Any]) -> Keys:
    """Ask for more tokens after the path."""
    want(len(state.get("predict_path")) + int(wish["count"]))
    return {"predict_step": int(wish["step"])}


def picks() -> Mapping[str, Pick]:
    """What the events of the player change. A second model, beside the reader's, writes by itself."""
    return dict.fromkeys(("branch", "more"), _keep) if session_values.is_apart() else {"branch": branch, "more": go_on}


def _keep(wish: Mapping[str, Any]) -> Keys:
    return {}


def branches() -> list[tuple[int, ...]]:
    """Every continuation of this sentence in the order of writing. None of them is the beginning of another."""
    return of_session(WritingSession).branches


def take_dropped() -> bool:
    """Whether a branch was dropped since this was asked last."""
    session = of_session(WritingSession)
    was_full, session.is_full = session.is_full, False
    return was_full


def _follow(run: Run) -> None:
    """Drops the path if sentence, model or muted heads have changed, unless the path changed at the same time."""
    now, path = (run.name, run.model.version, run.edits, run.text), state.get("predict_path")
    session = of_session(WritingSession)
    if now != session.sentence:
        if session.sentence is not None and path == session.path:
            state.put(predict_path=(), predict_step=0, predict_cell=())
        session.branches, session.written_with = [], {}
        want(0 if state.get("predict_path") else session.usual)
    elif path != session.path:
        want(0)  # a click in the tree, a prompt or a link shows a path as it is
    session.sentence, session.path = now, state.get("predict_path")


def _mend_path(run: Run, prompt: int) -> None:
    path, room = state.get("predict_path"), token_limit(run.model) - prompt
    if any(id >= run.model.config.vocab_size for id in path):
        state.put(predict_path=(), predict_step=0)
        state.say("predict_path", f"The link's tokens are not of {run.model.card.title}: it wrote its own.")
        want(of_session(WritingSession).usual)
    elif len(path) > room:
        state.put(predict_path=path[:room])
        state.say("predict_path", f"The text and what is written may have {prompt + room} tokens together.")


def _write(run: Run, prompt: int) -> None:
    """Generates until the path is as long as wanted. Stop, or leaving the page, keeps the tokens written so far."""
    slot = st.empty()  # reserved even if nothing is to be written, so that the elements below do not move
    path = state.get("predict_path")
    kept = kept_text.of_text(run, path)
    room = token_limit(run.model) - prompt
    missing = min(of_session(WritingSession).wanted, room) - len(path)
    if missing <= 0 or (path and path[-1] in run.model.tokenizer.ends):
        return
    filters, seed = sampling(), state.get("predict_seed")
    asked = (run.spec, filters, seed, path, missing)
    if asked in _written_paths():
        _take_path(_written_paths().get(asked, lambda: path))
        kept.read = None
    else:
        with closing(write_path(run, filters, seed, missing, path, kept.cache)) as steps:
            _take_steps(run, steps, path, missing, slot)
        kept_text.note_use(kept)
        _written_paths().get(asked, lambda: state.get("predict_path"))
        slot.empty()
    _note_settings(path)
    want(0)


def _note_settings(before: tuple[int, ...]) -> None:
    """Note with which settings the path was written: its end now, its beginning perhaps with others."""
    path = state.get("predict_path")
    kept = [*other_settings(before), settings()] if before else [settings()]
    by_path = of_session(WritingSession).written_with
    by_path[path] = kept
    while len(by_path) > MAX_BRANCHES:
        del by_path[next(iter(by_path))]


@st.cache_resource(show_spinner=False)
def _written_paths() -> SharedCache[tuple[int, ...]]:
    """Whole paths by what was asked for. The seed makes them the same for every reader."""
    return SharedCache(MAX_WRITTEN_TOKENS, len)


def _take_steps(
    run: Run, steps: Iterator[GenerationStep], path: tuple[int, ...], missing: int, slot: DeltaGenerator
) -> None:
    """Take each token as soon as it is written. Where that takes long, the slot shows how far it is, what is written so
    far, and Stop."""
    bar, start = None, perf_counter()
    for step in _take_turns(steps):
        if step.index == 0:
            of_session(KeptText).read = step.length, step.new
        path = (*path, step.chosen)
        _take_path(path)
        if bar is None and perf_counter() - start > PROGRESS_AFTER_SECONDS:
            with slot.container():
                with st.container(horizontal=True, vertical_alignment="center"):
                    bar = st.progress(0.0)
                    st.button("Stop", key="predict stop", icon=":material/stop:", on_click=want, args=(0,))
                words = st.empty()
        if bar is not None:
            bar.progress(min((step.index + 1) / missing, 1.0), text=f"Writing token {step.index + 1} of {missing}")
            words.markdown(markdown_text(run.model.tokenizer.decode(path)))


def _take_path(path: tuple[int, ...]) -> None:
    state.put(predict_path=path)
    of_session(WritingSession).path = path


def _take_turns(steps: Iterator[GenerationStep]) -> Iterator[GenerationStep]:
    """Waits for a turn at the processor before each step, so that one reader's long text does not hold up another."""
    while True:
        with model_turns.forward_pass(runs=0, tokens=1):
            step = next(steps, None)
        if step is None:
            return
        yield step


def _remember(path: tuple[int, ...]) -> None:
    paths = branches()
    if not path or any(other[: len(path)] == path for other in paths):
        return
    paths[:] = [other for other in paths if path[: len(other)] != other]
    paths.append(path)
    if len(paths) > MAX_BRANCHES:
        del paths[0]
        of_session(WritingSession).is_full = True
