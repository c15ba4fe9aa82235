"""`python -m model`: the models of this machine.

python -m model list                                  # what is here
python -m model look ./my-model                       # what it is, what is read of it and what is not; or why not
python -m model add openai-community/gpt2             # fetch a model from the Hugging Face hub
python -m model add openai-community/gpt2@e7da7f2     # at a branch, tag or commit
python -m model add ./my-model                        # a folder or GGUF file of this machine
python -m model remove openai-community/gpt2@e7da7f22
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from model.adding.add import add, look, remove
from model.adding.found import Found
from model.errors import GlassformerError
from model.zoo.card_values import KINDS
from model.zoo.cards import Card, available


def arguments() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the models, and whether their files are here")
    adding = commands.add_parser("add", help="fetch a model from the hub, or take one of this machine")
    adding.add_argument("name", help="owner/name, owner/name@revision, owner/name:file.gguf, or a path")
    adding.add_argument("--look", action="store_true", help="only say what it is; fetch nothing of size")
    looking = commands.add_parser("look", help="say what a model is, and what is read of it; fetch nothing of size")
    looking.add_argument("name", help="as for `add`")
    removing = commands.add_parser("remove", help="forget an added model, and delete what was downloaded for it")
    removing.add_argument("name", help="as `list` shows it")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments say. Returns the exit status: 1 for a mistake that the reader can mend, 130 for Ctrl+C."""
    options = arguments().parse_args(given)
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


def described(found: Found) -> str:
    """What was found, a fact on each line."""
    facts = [("Name", found.name), *found.facts()]
    return "\n".join(f"{name:<12} {value}" for name, value in facts)


def fetch(found: Found, only_look: bool) -> None:
    """Say what was found, and add it with a progress bar on the standard error."""
    print(f"{found.name}: {', '.join(f'{name.lower()} {value}' for name, value in found.facts())}", file=sys.stderr)
    if only_look:
        return
    with tqdm(total=1.0, bar_format="{desc} {percentage:3.0f}%|{bar}|", file=sys.stderr) as bar:

        def show(step: str, share: float) -> None:
            bar.set_description_str(step, refresh=False)
            bar.update(share - bar.n)

        card = add(found, show)
    print(f'{card.name} is ready: load("{card.name}"), or choose {card.title} in the run bar.')


def in_a_line(card: Card) -> str:
    """A model as `list` shows it."""
    return f"{card.name:<40}  {card.kind:<16} {card.parameters:>14,} parameters  {card.state}"


if __name__ == "__main__":
    sys.exit(main())
