"""A program of its own: it writes conversations by a chat template, which is a stranger's program.

Jinja's sandbox keeps a template away from Python, and bounds neither its time nor its memory. A process can be bounded.
So `model.chat.template` starts this file by its path, and nothing of the project is imported here.

It reads JSON: "template", and "requests", each with the variables of one text. It writes a
list: for each request "text", or "error", and "refused" where the template itself refuses what it was given.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

from jinja2 import Template, nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

MAX_SECONDS = 1  # of the processor
MAX_BYTES = 1 << 29  # of memory
MAX_CHARACTERS = 200_000  # of a text
MAX_WORDS = 300  # characters of an error


def main() -> None:
    asked = json.load(sys.stdin)
    bound_process()
    json.dump(write_all(asked["template"], asked["requests"]), sys.stdout)


def bound_process() -> None:
    """Let the system end this process when it takes more time or memory. Windows has no such bounds."""
    if resource is None:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))


def write_all(source: str, requests: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What the template makes of each request."""
    try:
        template = environment().from_string(source)
    except (TemplateError, RecursionError) as error:
        return [{"error": say(error)}] * len(requests)
    return [write(template, request) for request in requests]


def write(template: Template, variables: dict[str, Any]) -> dict[str, str]:
    """What the template makes of one request."""
    parts, count = [], 0
    try:
        for part in template.generate(**variables):
            parts.append(part)
            count += len(part)
            if count > MAX_CHARACTERS:
                return {"error": f"it writes more than {MAX_CHARACTERS:,} characters"}
    except Refused as error:
        return {"error": say(error), "refused": "yes"}
    except Exception as error:  # a stranger's program may raise anything
        return {"error": say(error)}
    return {"text": "".join(parts)}


class Refused(Exception):
    """The template says that it does not take such a conversation."""


class Generation(Extension):
    """What stands between `generation` and `endgeneration`, the words of a model, is written as any other."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True)).set_lineno(line)


def environment() -> ImmutableSandboxedEnvironment:
    """Jinja's sandbox with what the library transformers gives to a chat template."""
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
    made.filters["tojson"] = to_json
    made.globals |= {"raise_exception": refuse, "strftime_now": now_as}
    return made


def to_json(value: Any, ensure_ascii: bool = False, **more: Any) -> str:
    """As JSON. Jinja's own filter writes signs of HTML in another way."""
    return json.dumps(value, ensure_ascii=ensure_ascii, **more)


def refuse(message: str) -> None:
    raise Refused(message)


def now_as(form: str) -> str:
    """The present time."""
    return datetime.now().strftime(form)


def say(error: BaseException) -> str:
    """The words of an error."""
    return (str(error) or type(error).__name__)[:MAX_WORDS]


if __name__ == "__main__":
    main()
