"""Readings of many texts: those that are whole are shared by all readers, one that is begun belongs to its session.

A reading is made in steps of two seconds, each in a turn at the processor. After some of them the page is drawn
again with what is read by then.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Model
from model.shared_cache import SharedCache
from model.surveys import kept_readings
from model.surveys.flat_arrays import flatten
from model.surveys.reading import Reading
from model.surveys.rules import VOCABULARY, Rule
from model.texts.collection import Collection
from pages.shared.model_runs import model_turns
from pages.shared.server import metrics, rate_limits
from pages.shared.server.session_values import of_session
from views.attention.many_texts.not_read import reading_seconds
from views.attention.many_texts.texts import count_read, read_step, read_texts
from views.run_spec import ModelSpec
from viz.shared.style import markdown_text

MAX_BYTES = 400_000_000  # of the readings that all readers share
MAX_BEGUN = 2  # of a session
QUICK_SECONDS = 1.5  # a reading that takes no longer waits for no button
STEP_SECONDS = 2.0
FIRST_PIECE, LONGEST_PIECE = 1, 4  # steps until the page is drawn again: at first one, then twice as many each time


class NotKept(Exception):
    """Nobody has read these texts to the end."""


@dataclass
class Begun:
    """A reading on its way. `wanted`: the reader has asked for it, and not stopped it. `steps`: until the page is drawn
    again."""

    reading: Reading | None = None
    wanted: bool = False
    steps: int = FIRST_PIECE


@dataclass
class ReadingsOfSession:
    """What a session has begun, by what it is made of."""

    begun: dict[Hashable, Begun] = field(default_factory=dict)


@dataclass(frozen=True)
class Wish:
    """A reading that a page wants. `keeps`: on the disk, once it is whole."""

    model: Model
    collection: Collection
    keeps: bool = True
    rules: tuple[Rule, ...] = VOCABULARY

    @property
    def key(self) -> Hashable:
        return ModelSpec.of(self.model), self.collection.digest, self.rules

    def found(self) -> Reading | None:
        """The reading, as far as it is made. One that takes a moment is made now."""
        make = self._make_at_once if self._is_quick() else _nothing
        try:
            return whole().get(self.key, make)
        except NotKept:
            begun = of_session(ReadingsOfSession).begun.get(self.key)
            return begun.reading if begun is not None else None

    def begun(self) -> Begun:
        """What this session has of it. The oldest ones give way."""
        kept = of_session(ReadingsOfSession).begun
        found = kept.setdefault(self.key, Begun())
        while len(kept) > MAX_BEGUN:
            kept.pop(next(iter(kept)))
        return found

    def is_read(self) -> bool:
        """Whether all texts are read."""
        return self.key in whole()

    def _is_quick(self) -> bool:
        return reading_seconds(self.model, self.collection) <= QUICK_SECONDS or self._is_on_disk()

    def _is_on_disk(self) -> bool:
        path = kept_readings.path_of(self.model, (), self.collection, self.rules) if self.keeps else None
        return path is not None and path.exists()

    def _make_at_once(self) -> Reading:
        with model_turns.forward_pass():
            return read_texts(self.model, self.collection, self.rules, keep=self.keeps)


def show_buttons(wish: Wish, label: str) -> None:
    """The button that begins the reading of a wish, goes on with it, or stops it; none where it is made."""
    if wish.is_read():
        return
    begun, key = wish.begun(), "heads read"  # one button, or the browser keeps the one before it while texts are read
    if begun.wanted:
        help = "What has been read stays."
        st.button("Stop", key=key, icon=":material/stop:", help=help, on_click=_want, args=(wish, False))
        return
    label = label if begun.reading is None else "Go on"
    st.button(label, key=key, icon=":material/menu_book:", type="primary", on_click=_want, args=(wish, True))


def _want(wish: Wish, is_wanted: bool) -> None:
    begun = wish.begun()
    begun.wanted, begun.steps = is_wanted, FIRST_PIECE


def go_on(wish: Wish, bar: DeltaGenerator) -> None:
    """Read a piece of the texts, and draw the page again. What was read stays where the reader stops."""
    begun = wish.begun()
    with rate_limits.sweep():
        try:
            for _ in range(begun.steps):
                begun.reading = reading = _read_step(wish, begun.reading, bar)
                if reading.is_whole:
                    _share(wish, reading)
                    break
        except Exception:
            begun.wanted = False  # or each further run of the page would begin it again
            raise
    begun.steps = min(2 * begun.steps, LONGEST_PIECE)
    st.rerun()


def _read_step(wish: Wish, begun: Reading | None, bar: DeltaGenerator) -> Reading:
    """The reading after a further step. Before it stands a message to the page, at which a stop ends the work."""
    _show(wish, begun, bar)
    end = 0.0

    def goes_on() -> bool:
        return time.monotonic() < end

    with model_turns.forward_pass():
        end = time.monotonic() + STEP_SECONDS
        return read_step(wish.model, wish.collection, wish.rules, begun, goes_on=goes_on, keep=wish.keeps)


def _show(wish: Wish, begun: Reading | None, bar: DeltaGenerator) -> None:
    many, done = len(wish.collection.texts), 0 if begun is None else count_read(begun)
    title = markdown_text(wish.model.card.title)
    bar.progress(done / many, text=f"{title} reads: {done:,} of {many:,} texts")


def _share(wish: Wish, reading: Reading) -> None:
    """A whole reading is for all readers."""
    whole().get(wish.key, lambda: reading)
    of_session(ReadingsOfSession).begun.pop(wish.key)


def _nothing() -> Reading:
    raise NotKept


@st.cache_resource(show_spinner=False, max_entries=1)
def whole() -> SharedCache[Reading]:
    """The readings of all texts of a collection."""
    return metrics.watch_cache("readings", SharedCache(MAX_BYTES, count_bytes, keeps_last=True))


def count_bytes(reading: Reading) -> int:
    """The bytes of the arrays of a reading."""
    arrays = [array for name, tally in reading.tallies.items() for array in flatten(tally, name).values()]
    arrays += [tokens.ids for tokens in reading.tokens.values()]
    return sum(array.nbytes for array in arrays)
