"""The pages' Markdown as HTML, with colours, icons and equations. A tag in the text is shown as text.

The dialect is Streamlit's: `:blue[text]`, `:gray-background[text]`, `:small[text]`, `:material/name:`, `$latex$`.
Equations become MathML, which browsers draw without a script and without a font of ours.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

MATHML = "http://www.w3.org/1998/Math/MathML"
register_namespace("", MATHML)
_TAG = re.compile(
    r"(math|m(row|i|n|o|text|space|su[bp]|subsup|under|over|underover|frac|sqrt|root|table|tr|td|style|padded|phantom))"
)
_ACTIVE = re.compile(r"(on|.*href|src|style|action).*")
CHIPS = ("gray-background", "blue-background", "orange-background")
COLOURS = (*CHIPS, "gray", "grey", "blue", "orange", "green", "red", "violet", "small")
_SPAN = re.compile(rf":({'|'.join(COLOURS)})\[")
_ICON = re.compile(r":material/([a-z0-9_]+):")
SIGNS = {"check": "✓", "close": "✗"}  # icons that say more than the words beside them
_INSIDE = re.compile(r"\[([^\[\]]*)\]\([a-z_]+\?[\w=&-]+\)")  # a link to a view of the app: its text alone is kept
_MATH = re.compile(r"\$(?!\s)((?:[^$\\\n]|\\.)+?)(?<!\s)\$(?!\d)")


def html_of(markdown: str) -> str:
    """Markdown as HTML blocks. Tags in it are shown as text."""
    return str(_reader().render(_INSIDE.sub(r"\1", markdown)))


def line_of(markdown: str) -> str:
    """Markdown of one line as HTML, without a paragraph around it."""
    return str(_reader().renderInline(_INSIDE.sub(r"\1", markdown)))


def mathml_of(latex: str, block: bool = True) -> str:
    """LaTeX as MathML. LaTeX with an error or with tags in it is shown as its source."""
    try:
        tree = fromstring(convert(latex, display="block" if block else "inline"))
    except Exception:  # The library raises errors of any kind, and lets tags through.
        return f"<code>{escape(latex)}</code>"
    if not all(_harmless(part) for part in tree.iter()):
        return f"<code>{escape(latex)}</code>"
    return tostring(tree, encoding="unicode")


def _harmless(part: Element) -> bool:
    name = part.tag.removeprefix(f"{{{MATHML}}}")
    return _TAG.fullmatch(name) is not None and not any(_ACTIVE.match(attribute) for attribute in part.attrib)


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": False}).enable(["table", "strikethrough"])
    reader.disable(["image", "html_inline", "html_block", "autolink"])
    reader.inline.ruler.before("link", "colour", _colour)
    reader.inline.ruler.before("link", "icon", _icon)
    reader.inline.ruler.before("link", "math", _math)
    reader.add_render_rule("math", lambda _, tokens, at, *rest: mathml_of(tokens[at].content, block=False))
    reader.validateLink = _leads_out  # type: ignore[method-assign]
    return reader


def _leads_out(url: str) -> bool:
    """A saved page stands alone, so only its links to the web work."""
    return url.startswith(("https://", "http://"))


def _colour(state: StateInline, silent: bool) -> bool:
    """`:blue[text]`"""
    match = _SPAN.match(state.src, state.pos)
    if match is None:
        return False
    end = state.md.helpers.parseLinkLabel(state, match.end() - 1)
    if end < 0:
        return False
    if not silent:
        _push_span(state, match.end(), end, match.group(1))
    state.pos = end + 1
    return True


def _push_span(state: StateInline, start: int, end: int, name: str) -> None:
    token: Any = state.push("span_open", "span", 1)
    token.attrs = {"class": f"is-{name}"}
    last, state.posMax, state.pos = state.posMax, end, start
    state.md.inline.tokenize(state)
    state.posMax = last
    state.push("span_close", "span", -1)


def _icon(state: StateInline, silent: bool) -> bool:
    """`:material/check:` becomes a sign, and `:material/download:` nothing."""
    match = _ICON.match(state.src, state.pos)
    if match is None:
        return False
    if not silent and match.group(1) in SIGNS:
        state.push("text", "", 0).content = SIGNS[match.group(1)]
    state.pos = match.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:
    """`$latex$`"""
    match = _MATH.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("math", "math", 0).content = match.group(1)
    state.pos = match.end()
    return True
