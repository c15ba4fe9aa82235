"""The revisions of a model of the hub that its authors published from its training: branches and tags named `step512`.

Pythia has 154 of them, from step0 to step143000. Biderman et al. (2023), arXiv:2304.01373, section 2.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import constants

from model.adding.asking import Budget, WrongAnswer, ask
from model.adding.cache import repository_folder
from model.adding.hub_errors import NoConnection, told
from model.adding.listing import MAX_LISTING_BYTES, read_values
from model.errors import DamagedWeights
from model.zoo.files import cache_folder, read_object
from model.zoo.hub_names import COMMIT

STEP = re.compile(r"step-?(\d{1,9})")


@dataclass(frozen=True, order=True)
class Revision:
    """The model as it was after so many steps of its training. `name` is the branch or tag, `commit` what it means."""

    step: int
    name: str
    commit: str


def list_revisions(repository: str) -> tuple[Revision, ...]:
    """The published steps of a model, the first first; without a connection, as they were listed before. () if none.

    Raises `HubError`.
    """
    try:
        with told(repository):
            refs = _ask_refs(repository)
    except NoConnection:
        held = held_revisions(repository)
        if not held:
            raise
        return held
    found = _read(refs)
    _keep(repository, found)
    return found


def _ask_refs(repository: str) -> list[tuple[str, str]]:
    """Name and commit of each tag, and then of each branch. Raises `WrongAnswer`, and what `ask` raises."""
    repository_folder(repository)  # checks the name
    values = read_values(ask(f"{constants.ENDPOINT}/api/models/{repository}/refs", Budget(), MAX_LISTING_BYTES))
    refs = [ref for kind in ("tags", "branches") if isinstance(listed := values.get(kind), list) for ref in listed]
    if not refs or not all(isinstance(ref, dict) for ref in refs):
        raise WrongAnswer("it lists no branches of a model")
    return [(str(ref.get("name")), str(ref.get("targetCommit"))) for ref in refs]


def held_revisions(repository: str) -> tuple[Revision, ...]:
    """The published steps as they were listed before on this machine. The hub is not asked."""
    try:
        listed = read_object(_record(repository))
    except DamagedWeights:  # no list, or one that was cut off
        return ()
    return _read([(name, commit) for name, commit in listed.items() if isinstance(commit, str)])


def choose_revisions(revisions: Sequence[Revision]) -> tuple[Revision, ...]:
    """A revision for about each doubling of the step, and the last: of Pythia's 0, 1, 2, 4, … 512, 1000, 2000, …
    128000, 143000. On a logarithmic axis they stand at even distances."""
    chosen, later = list(revisions[:1]), list(revisions[1:])
    while later:
        wanted = max(1, 2 * chosen[-1].step)
        nearest = min(later, key=lambda each: max(each.step / wanted, wanted / each.step))
        is_end = wanted > later[-1].step  # the last step closes the choice, however near it is
        chosen.append(later[-1] if is_end else nearest)
        later = later[later.index(chosen[-1]) + 1 :]
    return tuple(chosen)


def folder_of_checkpoints() -> Path:
    """The folder for what is known of published checkpoints."""
    return cache_folder() / "checkpoints"


def _read(refs: Sequence[tuple[str, str]]) -> tuple[Revision, ...]:
    """Those that are named as a step. Of a tag and a branch of the same step the branch, which stands later, counts."""
    by_step = {
        int(match[1]): Revision(int(match[1]), name, commit)
        for name, commit in refs
        if (match := STEP.fullmatch(name)) and COMMIT.fullmatch(commit)
    }
    return tuple(by_step[step] for step in sorted(by_step))


def _record(repository: str) -> Path:
    return folder_of_checkpoints() / f"{repository.replace('/', '--')}.json"


def _keep(repository: str, revisions: Sequence[Revision]) -> None:
    """Keeps the list for a time without a connection. If that fails, the hub is asked again."""
    path = _record(repository)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        partial.write_text(json.dumps({each.name: each.commit for each in revisions}), encoding="utf-8")
        partial.replace(path)
    except OSError:
        return
