"""`glassformer`, also `python -m glassformer`: starts the app, and lists and adds the models of this machine.

glassformer                                     # the app, in the browser
glassformer list                                # the models that are here
glassformer look ./my-model                     # what it is, what is read of it and what is not; or why not
glassformer add openai-community/gpt2           # fetch a model from the Hugging Face hub
glassformer add openai-community/gpt2@e7da7f2   # at a branch, tag or commit
glassformer add ./my-model                      # a folder or GGUF file of this machine
glassformer remove openai-community/gpt2@e7da7f22
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.util import find_spec

from glassformer import __version__
from model.location import ROOMS

NO_APP = """\
The app needs packages that are not installed. To get them, run: python -m pip install "glassformer[app]"
Notebooks need none of them."""


def arguments() -> ArgumentParser:
    """The options of the command."""
    parser = ArgumentParser(prog="glassformer", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--port", type=int, help="where the app listens; without it, the first free one from 8501 on")
    parser.add_argument("--headless", action="store_true", help="open no browser")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
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
    """Do what the arguments say. Returns the exit status."""
    options = arguments().parse_args(given)
    if options.command is None:
        return start_app(options.port, options.headless)
    from model.adding import command  # it loads torch

    return command.run(options)


def start_app(port: int | None, headless: bool) -> int:
    """Start the app, and return when it has stopped: 0, or 1 where its packages are missing."""
    if find_spec("streamlit") is None:
        print(NO_APP, file=sys.stderr)
        return 1
    from streamlit.web import cli

    settings = [f"--server.port={port}"] * (port is not None) + ["--server.headless=true"] * headless
    cli.main(["run", str(ROOMS / "serve.py"), *settings], standalone_mode=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
