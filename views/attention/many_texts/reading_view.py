"""What every view of a head over many texts has: the reading of a collection, and the chosen head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.surveys.reading import Reading
from model.surveys.rules import VOCABULARY
from model.surveys.tally import Tally
from model.texts.collection import Collection
from model.texts.marks import read_marked, write_marks
from views.attention.many_texts import texts
from views.attention.view_of_head import ViewOfHead
from views.call import Call, call_of
from views.view import existing, grey
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text, percent

FEW = 0.1  # share of tokens that are letters of unknown words, of which nothing is said


@dataclass(frozen=True)
class ReadingView(ViewOfHead):
    """A view of what heads do on many texts. `reading`: of the model of `head`, whose run is that of the present
    sentence. At least one text was read."""

    reading: Reading

    @property
    def attention(self) -> str:
        """The attention of the chosen head, as the reading names it: "decoder.self_attn"."""
        return f"{self.head.at.stack}.{self.head.at.part}"

    @property
    def tally(self) -> Tally:
        """What was counted of that attention."""
        return self.reading.tally(self.attention)

    def made_by(self) -> Call:
        return call_of(self, reading=call_of_reading(self))

    def picture_parts(self) -> Sequence[Any]:
        return [self.picture(), *grey(self.caption()), *existing(self.files()), *self.about_texts()]

    def number_parts(self) -> Sequence[Any]:
        return [self.table(), *grey(self.caption()), *existing(self.files()), *self.about_texts()]

    def about_texts(self) -> list[Text]:
        """Which texts were read, how many of them, and how the model reads their words: below a picture."""
        reading = self.reading
        many, count = len(reading.collection.texts), texts.count_read(reading)
        said = f"Read: {markdown_text(reading.collection.name)}, {count_noun(count, 'text')}."
        if not reading.is_whole:
            said = f"**Partial**: {count:,} of {many:,} texts are read, the shortest first."
        if reading.faults:
            left_out, why = count_noun(len(reading.faults), "text"), markdown_text(reading.faults[0][1])
            said += f" {left_out} cannot be read by this model: {why}"
        return grey(said + self._say_unknown())

    def _say_unknown(self) -> str:
        """How many of the words the model spells letter by letter, and of which kinds of texts it knows them."""
        shares, collection = texts.spelled_shares(self.reading)[self.reading.read], self.reading.collection
        if shares.mean() <= FEW:
            return ""
        kinds = np.array([text.kind for text in collection.texts])[self.reading.read]
        known = [kind for kind in collection.kinds if kind in kinds and shares[kinds == kind].mean() <= FEW]
        but = f" It knows those of: {markdown_text(texts.BETWEEN.join(known))}." if known else ""
        return (
            f" {percent(float(shares.mean()))} of the tokens are letters of words that the model does not know, so "
            f"this says little of its heads.{but}"
        )


def call_of_reading(view: ReadingView) -> Call:
    """The call that makes the reading of a view again."""
    reading = view.reading
    named: dict[str, Any] = {} if reading.is_whole else {"most": texts.count_read(reading)}
    if reading.rules != VOCABULARY:
        named["rules"] = reading.rules
    return Call(texts.read_texts, (view.head.run.model, _write_texts(reading.collection)), named)


def _write_texts(collection: Collection) -> Call | list[str]:
    """Texts of the project by their name, others one by one."""
    for name, whole in texts.BUILT_IN.items():
        if collection.name == whole().name:
            kinds = () if collection == whole() else (texts.BETWEEN.join(collection.kinds),)
            return Call(texts.built_in, (name, *kinds))
    if any(text.marked for text in collection.texts):
        return Call(read_marked, ([write_marks(text) for text in collection.texts],))
    return [text.content for text in collection.texts]
