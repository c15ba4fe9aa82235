"""Training: the course of the bundled models' training and of a published one, and a small model that trains while the
reader watches."""

from __future__ import annotations

from pages.learning.training_parts import forcing, live, published, replay, session
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "replay": ("Replay", replay.show),
    "published": ("A real model", published.show),
    "live": ("Train one now", live.show),
    "forcing": ("Teacher forcing", forcing.show),
}


def main() -> None:
    depth = layout.begin(
        "Training", "A transformer starts as noise. Each step moves its weights a little down the loss."
    )
    session.start_if_asked()
    layout.parts("training_part", PARTS, depth)


main()
