"""What every view of a head over many texts has: the reading of a collection, and the chosen head."""

from __future__ import annotations

from dataclasses import dataclass

from model.surveys.reading import Reading
from model.surveys.tally import Tally
from views.attention.view_of_head import ViewOfHead


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
