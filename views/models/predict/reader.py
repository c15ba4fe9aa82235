"""What is read of the run of a continuation beside its numbers: every layer's guess, and every token's surprise."""

from __future__ import annotations

import torch

from model.analysis.logit_lens import Lens, lens_names, logit_lens
from model.generation.surprise import Surprise, surprise_of
from views.models.predict.continuation import Continuation
from viz.shared.payload import pack, unpack


class Reader:
    """Reads everything anew. The app's own one keeps what it has read, and takes turns."""

    def lens(self, written: Continuation, positions: tuple[int, ...]) -> Lens:
        """What every layer would predict at some positions."""
        trace = written.run.of_tokens(written.ids, lens_names(written.config))
        return logit_lens(written.run.model.network, trace, positions)

    def surprise(self, written: Continuation) -> Surprise:
        """The surprise of every token but the first. It needs the logits of all positions, so it is kept."""

        def make() -> bytes:
            found = self.measure_surprise(written)
            return pack({}, loss=found.loss.numpy(), rank=found.rank.float().numpy())

        arrays = unpack(written.as_run.pack(f"surprise {written.ids}", make))[1]
        loss, rank = (torch.from_numpy(arrays[name].copy()) for name in ("loss", "rank"))
        return Surprise(loss, rank.long())

    def measure_surprise(self, written: Continuation) -> Surprise:
        """The surprise, measured now."""
        return surprise_of(written.trace)
