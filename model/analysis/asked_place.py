"""The place of a sentence whose word is asked for."""

from __future__ import annotations

from model.run import Model
from model.tape import Trace


def asked_place(model: Model, trace: Trace, chosen: int = -1) -> int:
    """The position whose answer is accounted for: `chosen`, where that is one; -1 leaves it open.

    Without a choice it is the last token, after which a decoder writes. In a translation it is the last but one, since
    nothing but the end follows the whole. An encoder finds the word that a mask hides: it is the chosen mask or the
    first one, and in a sentence without masks the chosen token or the last word. So is the token whose class is asked
    for. A class of the text is read off the first token.
    """
    tokens, config = trace.tokens, model.config
    if not config.answers_places:
        return 0
    if config.kind != "encoder":
        last = len(tokens) - (2 if trace.source_tokens and len(tokens) > 1 else 1)
        return last if chosen < 0 else chosen
    masks = [place for place, token in enumerate(tokens) if token.id == model.tokenizer.mask]
    if masks:
        return chosen if chosen in masks else masks[0]
    words = [place for place, token in enumerate(tokens) if not token.special]
    return chosen if chosen >= 0 else words[-1] if words else len(tokens) - 1
