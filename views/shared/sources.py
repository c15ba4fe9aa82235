"""Links from a source line to its works in the list of sources, a part of the Glossary."""

from __future__ import annotations

from model.bibliography import find_citations


def address_of(key: str) -> str:
    """Where a work of the bibliography stands, as seen from any page."""
    return f"glossary?glossary_part=sources&glossary_source={key}"


def split_source(text: str) -> list[tuple[str, str]]:
    """A text in pieces, each with the address of the work that it cites; "" for none."""
    pieces, place = [], 0
    for citation in find_citations(text):
        pieces.append((text[place : citation.start], ""))
        pieces.append((text[citation.start : citation.end], address_of(citation.work.key)))
        place = citation.end
    pieces.append((text[place:], ""))
    return [piece for piece in pieces if piece[0]]


def link_sources(markdown: str) -> str:
    """Markdown whose citations lead to their works."""
    return "".join(f"[{piece}]({address})" if address else piece for piece, address in split_source(markdown))
