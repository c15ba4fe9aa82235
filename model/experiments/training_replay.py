"""The training of a real model, replayed: one published checkpoint after another is fetched, measured and removed.

from glassformer.model.adding.revisions import choose_revisions, list_revisions
revisions = choose_revisions(list_revisions("EleutherAI/pythia-14m"))
replay = Replay(load("EleutherAI/pythia-14m"), revisions, "When Mary and John went to the store, John")
replay.work(lambda: True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from model.adding import hub
from model.adding.borrowing import alone_with, borrow
from model.adding.cache import held_file
from model.adding.found import Found
from model.adding.hub_errors import NoRevision
from model.adding.revisions import Revision
from model.errors import DamagedWeights, GlassformerError, ModelMismatch, UnusableFiles
from model.experiments.checkpoints import Measures, check_measurable, measure
from model.experiments.kept_measures import read_kept, write_kept
from model.loading import read_checkpoint
from model.run import Model
from model.tokens.tokenizer import Token
from model.zoo.hub_names import HubName
from model.zoo.memory import check_memory
from model.zoo.which_files import INDEX, WEIGHTS


class _Stopped(Exception):
    """The reader has stopped the replay, or has left."""


@dataclass(frozen=True)
class View:
    """A replay at one moment. `measures` and `left_out` (why a step could not be measured) are by step.

    `bytes_each` is the size of the last fetched revision, `fault` why the replay ended early; "" if it did not.
    """

    measures: dict[int, Measures]
    left_out: dict[int, str]
    step: int | None
    doing: str
    share: float
    bytes_each: int
    fault: str
    over: bool

    @property
    def same_files(self) -> list[list[int]]:
        """Steps for which the hub has the very same weights, though it lists them as different ones."""
        groups: dict[str, list[int]] = {}
        for step, measures in self.measures.items():
            groups.setdefault(measures.digest, []).append(step)
        return [steps for digest, steps in groups.items() if digest and len(steps) > 1]


class Replay:
    """A sentence through several published checkpoints of a model. One thread works; any thread may look at `view`.

    `model` is the model as it was added: its tokenizer cuts the sentence, and its name on the hub leads to the
    revisions. Its weights are not held. With `keep` the files of the revisions stay in the cache. Raises
    `ModelMismatch`, `EmptyText`, `TextTooLong`.
    """

    def __init__(
        self, model: Model, revisions: Sequence[Revision], text: str, *, keep: bool = False, device: str = "auto"
    ) -> None:
        check_measurable(model)
        if not model.card.hub:
            raise ModelMismatch(f"{model.card.title} does not come from the hub, so it has no published checkpoints.")
        self.repository, self.revisions, self.keep = model.card.hub, tuple(revisions), keep
        self.name, self.text, self.vocab_size = model.card.name, text, model.config.vocab_size
        self.tokens: tuple[Token, ...] = model.tokens_of(text)
        self._tokenizer, self._card, self._shape = model.tokenizer, model.card, _shape_of(model)
        self._device, self._lock = device, Lock()
        self._measures: dict[int, Measures] = {}
        self._left_out: dict[int, str] = {}
        self._now: tuple[int | None, str, float] = (None, "", 0.0)
        self._bytes, self._fault = 0, ""
        self.find_kept()

    def view(self) -> View:
        """What has been measured by now."""
        with self._lock:
            return View(
                dict(sorted(self._measures.items())),
                dict(sorted(self._left_out.items())),
                *self._now,
                self._bytes,
                self._fault,
                not self.missing(),
            )

    def tokens_of(self, ids: Sequence[int]) -> tuple[Token, ...]:
        """The tokens of ids that were measured."""
        return self._tokenizer.tokens(ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids that were measured."""
        return self._tokenizer.decode(list(ids))

    def missing(self) -> list[Revision]:
        """The revisions that are still to be measured."""
        return [each for each in self.revisions if each.step not in self._measures and each.step not in self._left_out]

    def count_downloads(self) -> int:
        """How many of the missing revisions are not on the disk."""
        names = (WEIGHTS, INDEX)
        held = [any(held_file(self.repository, each.commit, name) for name in names) for each in self.missing()]
        return held.count(False)

    def find_kept(self) -> None:
        """Take what was measured before, by whomever, from the disk."""
        for revision in self.missing():
            self._take_kept(revision)

    def work(self, go_on: Callable[[], bool]) -> None:
        """Fetch and measure what is missing, until `go_on()` is False. Called again, it goes on where it was."""
        with self._lock:
            self._fault = ""
        try:
            for revision in self.missing():
                self._visit(revision, go_on)
        except _Stopped:
            pass
        except (GlassformerError, OSError) as error:
            with self._lock:
                self._fault = _say(error)
        finally:
            self._tell(None, "", 0.0)

    def _visit(self, revision: Revision, go_on: Callable[[], bool]) -> None:
        """Measure one revision, or note why it cannot be."""

        def progress(doing: str, share: float) -> None:
            self._tell(revision.step, doing, share)
            if not go_on():
                raise _Stopped

        progress("Asking the hub", 0.0)
        if self._take_kept(revision):
            return
        try:
            found = hub.look(HubName(self.repository, revision.commit))
            if not self._take_twin(revision, found):
                self._fetch_and_measure(revision, found, progress)
        except (
            NoRevision,
            UnusableFiles,
            DamagedWeights,
            ModelMismatch,
        ) as error:
            # The fault is this revision's. Others may be sound.
            with self._lock:
                self._left_out[revision.step] = str(error)

    def _fetch_and_measure(self, revision: Revision, found: Found, progress: Callable[[str, float], None]) -> None:
        check_memory(found.name, found.memory or 0, found.free)
        with self._lock:
            self._bytes = found.size
        with alone_with(self.repository, progress):
            if self._take_kept(revision):  # another reader has measured it meanwhile
                return
            with borrow(found, self.keep, progress) as path:
                progress("Measuring", 1.0)
                measured = replace(measure(self._load(path), self.tokens), digest=_digest(found))
            write_kept(self.repository, revision.commit, self._ids, measured)  # before another reader may look
        with self._lock:
            self._measures[revision.step] = measured

    def _load(self, path: Path) -> Model:
        """A checkpoint, with the tokenizer that cut the sentence. Raises `ModelMismatch` for one of another shape."""
        loaded = read_checkpoint(path, device=self._device)
        if _shape_of(loaded) != self._shape:
            raise ModelMismatch("It has another number of layers, heads or tokens than the model that was added.")
        return replace(loaded, tokenizer=self._tokenizer, card=self._card)

    def _take_kept(self, revision: Revision) -> bool:
        kept = read_kept(self.repository, revision.commit, self._ids)
        if kept is None or kept.induction.shape != self._shape[:2]:
            return False
        with self._lock:
            self._measures[revision.step] = kept
        return True

    def _take_twin(self, revision: Revision, found: Found) -> bool:
        """Where an earlier step has the very same weights, its measures count: nothing is fetched twice."""
        digest = _digest(found)
        twin = next((each for each in self._measures.values() if digest and each.digest == digest), None)
        if twin is None:
            return False
        write_kept(self.repository, revision.commit, self._ids, twin)
        with self._lock:
            self._measures[revision.step] = twin
        return True

    @property
    def _ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    def _tell(self, step: int | None, doing: str, share: float) -> None:
        with self._lock:
            self._now = (step, doing, share)


def _shape_of(model: Model) -> tuple[int, int, int]:
    return model.config.n_decoder_layers, model.config.n_heads, model.config.vocab_size


def _digest(found: Found) -> str:
    """The hashes of the weight files, as one text; "" where the hub states none."""
    return " ".join(file.digest for file in found.files if file.path.endswith(".safetensors"))


def _say(error: Exception) -> str:
    if isinstance(error, GlassformerError):
        return str(error)
    return f"The files could not be written: {getattr(error, 'strerror', None) or error}."
