"""The runs before and after a change of a picture, in turns with other readers. The session keeps the last ones
of each kind of change."""

from __future__ import annotations

from collections.abc import Sequence

from model import Edit, Trace
from model.vision.model import VisionModel
from pages.models.see_parts import source
from pages.shared.model_runs import traces
from views.models.see.picture import Pixels, SeenPicture
from views.models.see.place_trials import Change, PlaceTrial, Trials


class TrialsInTurns(Trials):
    """Trials that wait for their turn. If they cannot be made, one message says why."""

    def of(self, seen: SeenPicture, change: Change) -> Sequence[PlaceTrial]:
        count = seen.config.n_patches
        key = (*seen.key, change.describe(count), tuple(change.order(count)), tuple(change.blanked(count)))
        try:
            return source.remember(f"trials by {change.kind}", key, lambda: super(TrialsInTurns, self).of(seen, change))
        except traces.errors() as error:
            traces.complain(error)
            raise traces.NothingToShow from error

    def model(self, name: str) -> VisionModel:
        return source.vision(name)

    def run(self, model: VisionModel, square: Pixels, edits: tuple[Edit, ...], keep: tuple[str, ...]) -> Trace:
        return source.run_edited(model, square, edits, keep)
