"""What every view of one layer has: the layer of its run."""

from __future__ import annotations

from dataclasses import dataclass

from views.layer.layer_of_run import LayerOfRun
from views.run import Run
from views.view import View


@dataclass(frozen=True)
class ViewOfLayer(View):
    """A view of one layer, or of a stack of them at one layer."""

    place: LayerOfRun

    def about(self) -> Run:
        return self.place.run
