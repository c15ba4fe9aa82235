"""The true translation, as the reader types it or as the page suggests it."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import UnreadableText
from model.tokens.word_vocabulary import script
from views.models.translate.languages import ENGLISH_TO_URDU, languages
from views.models.translate.pair import Pair, truth
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

OTHER_SCRIPT = "This translation is not in Arabic script, in which Urdu is written; the loss shows how odd it is."


@dataclass(frozen=True)
class Truth:
    """The ids of a true translation; None where they cannot be used. `notes` say what is odd about it."""

    ids: tuple[int, ...] | None
    notes: tuple[Text, ...] = ()


def read_truth(pair: Pair, typed: str) -> Truth:
    """The true translation that the reader has `typed`; the suggested one where that is empty."""
    model, (suggested, _) = pair.run.model, truth(pair)
    text = typed or suggested
    is_odd = languages(model.card) == ENGLISH_TO_URDU and script(text) not in ("", "arabic")
    notes = (Text(OTHER_SCRIPT, "warning"),) if is_odd else ()
    try:
        ids = [token.id for token in model.output_tokenizer.encode(text, add_special=False)]
    except UnreadableText as error:
        return Truth(None, (*notes, Text(markdown_text(str(error)), "error")))
    room = model.config.max_length - 1
    if not typed:
        ids = ids[:room]  # a model may write up to its limit, and its text may have more tokens than it wrote
    if not ids:
        return Truth(None, (*notes, Text("Type a translation of at least one word.", "error")))
    if len(ids) > room:
        said = f"The translation has {len(ids)} tokens; at most {room} fit. Shorten it."
        return Truth(None, (*notes, Text(said, "error")))
    return Truth(tuple(ids), notes)
