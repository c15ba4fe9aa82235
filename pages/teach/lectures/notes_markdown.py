"""Speaker notes, and the text of a plain scene, as Markdown: bold words and lists, and all else as text."""

from __future__ import annotations

from viz.documents.notes_text import Block, blocks_of
from viz.shared.style import markdown_text

SIGNS = {"p": "", "ul": "- ", "ol": "1. "}


def to_markdown(notes: str) -> str:
    return "\n\n".join(map(_write_block, blocks_of(notes)))


def _write_block(block: Block) -> str:
    lines = [
        "".join(f"**{markdown_text(each.text)}**" if each.bold else markdown_text(each.text) for each in line)
        for line in block.lines
    ]
    return "\n".join(f"{SIGNS[block.kind]}{line}" for line in lines)
