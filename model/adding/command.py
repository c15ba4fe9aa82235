"""The commands of `glassformer` that list, look at, add and remove models of this machine."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from model.adding.add import look, remove
from model.adding.found import Found, described
from model.adding.missing import add_with_bar
from model.errors import GlassformerError
from model.zoo.card_values import KINDS
from model.zoo.cards import Card, available


def run(options: Namespace) -> int:
    """Run the command `options.command` of `glassformer.__main__`.

    Returns the exit status: 1 for a mistake that the reader can mend, 130 for Ctrl+C.
    """
    try:
        if options.command == "list":
            print("\n".join(map(in_a_line, available(*KINDS))))
        elif options.command == "remove":
            print(f"Removed {remove(options.name).name}.")
        elif options.command == "look":
            print(described(look(options.name)))
        else:
            fetch(look(options.name), only_look=options.look)
    except GlassformerError as error:
        print(error, file=sys.stderr)
        if near := error.instead or _path_of(getattr(options, "name", "")):
            print(f"Perhaps you mean: {', '.join(near)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. What has come is kept: add the model again, and it goes on there.", file=sys.stderr)
        return 130
    return 0


def _path_of(name: str) -> tuple[str, ...]:
    """The path that a name is from here, written as a path; () where there is none."""
    here = Path(name)
    return (f"./{here}",) if name and not here.is_absolute() and name[0] not in ".~" and here.exists() else ()


def fetch(found: Found, only_look: bool) -> None:
    """Say what was found, and add it with a progress bar on the standard error."""
    print(f"{found.name}: {', '.join(f'{name.lower()} {value}' for name, value in found.facts())}", file=sys.stderr)
    if only_look:
        return
    card = add_with_bar(found)
    print(f'{card.name} is ready: load("{card.name}"), or choose {card.title} in the run bar.')


def in_a_line(card: Card) -> str:
    """A model as `list` shows it."""
    return f"{card.name:<40}  {card.kind:<16} {card.parameters:>14,} parameters  {card.state}"
