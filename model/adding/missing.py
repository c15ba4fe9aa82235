"""A model of the hub that is not on this machine: what fetching it would take, and fetching it with a progress bar."""

from __future__ import annotations

import sys

from tqdm import tqdm

from model.adding.add import add, look
from model.adding.found import Found, described
from model.adding.hub_errors import NoConnection
from model.errors import ModelMissing
from model.zoo.cards import Card
from model.zoo.files import Progress, no_progress


def say_missing(name: str) -> ModelMissing:
    """The error that says of a name of the hub what would be fetched, and how. Nothing of size is fetched for it.

    Raises what `look` raises for a model that cannot be had, or not be read.
    """
    ways = f'To fetch it, write load("{name}", add=True), or in a terminal: python -m glassformer add {name}'
    try:
        found = look(name)
    except NoConnection as error:
        return ModelMissing(f"{name} is not on this machine, and nobody can be asked what it is. {error} {ways}")
    return ModelMissing(f"{name} is not on this machine. It is:\n{described(found)}\n{ways}")


def fetch(name: str, progress: Progress = no_progress) -> Card:
    """Add a model of the hub. Where nobody else shows its progress, a bar on the standard error does. Raises as `add`
    does."""
    found = look(name)
    return add_with_bar(found) if progress is no_progress else add(found, progress)


def add_with_bar(found: Found) -> Card:
    """As `add`, with a progress bar on the standard error."""
    with tqdm(total=1.0, bar_format="{desc} {percentage:3.0f}%|{bar}|", file=sys.stderr) as bar:

        def show(step: str, share: float) -> None:
            bar.set_description_str(step, refresh=False)
            bar.update(share - bar.n)

        return add(found, show)
