"""What every view of a head over many texts has: the reading of a collection, and the chosen head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.surveys.reading import Reading
from model.surveys.rules import VOCABULARY
from model.surveys.tally import Tally
from model.texts.collection import Collection
from views.attention.many_texts import texts
from views.attention.view_of_head import ViewOfHead
from views.call import Call, call_of
from views.view import existing, grey
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text, percent

FEW = 0.05  # share of tokens that are single letters, of which nothing is said


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
        share = texts.spelled_share(reading)
        if share > FEW:
            said += f" {percent(share)} of the tokens are single letters, mostly of words that the model does not know."
        return grey(said)


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
    return [text.content for text in collection.texts]
