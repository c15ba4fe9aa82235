"""See: a transformer reads a picture, patch by patch, in seven parts."""

from __future__ import annotations

from collections.abc import Callable

from pages.models.see_parts import controls, map_of_run, sent_heads, source, things_to_try
from pages.models.see_parts.controls import ALL
from pages.models.see_parts.trial_work import TrialsInTurns
from pages.shared.elements.page import Page, Part
from pages.shared.session import bar_notes, state
from views.models.see.answer import WhatComesOut
from views.models.see.attention import LooksOfPatch, asking_patch
from views.models.see.cost import CostOfPatches
from views.models.see.every_number import EveryNumber
from views.models.see.kinds import KindsOfVit
from views.models.see.patches import PatchesOfPicture, framed_patch
from views.models.see.picture import SeenPicture
from views.models.see.place import Place
from views.models.see.place_trials import Change
from views.models.see.sight import NoPicture
from views.view import View


def _of_picture(make: Callable[[SeenPicture], View]) -> Callable[[], View]:
    """The view that `make` makes of the chosen picture."""

    def view() -> View:
        seen = source.read()
        if isinstance(seen, NoPicture):
            return seen
        title = seen.model.card.title
        bar_notes.say_nothing_taken(f"{title} reads the picture that you choose below.", by="page", models=[title])
        return make(seen)

    return view


def _read_patch(seen: SeenPicture) -> int:
    """The chosen patch: -1, -2 and so on for the learnt tokens; -1 where none is chosen."""
    least = -max(seen.config.n_special_tokens, 1)
    return state.checked_number("see_patch", least, seen.config.n_patches - 1, "Patch")


def patches(seen: SeenPicture) -> PatchesOfPicture:
    return PatchesOfPicture(seen, framed_patch(seen, _read_patch(seen)))


def looks(seen: SeenPicture) -> LooksOfPatch:
    """-1 means the last layer, and head 0."""
    layer = state.checked_number("see_layer", -1, seen.layers - 1, "Layer")
    head = state.checked_number("see_head", -1, seen.config.n_heads - 1, "Head")
    shown = layer if layer >= 0 else seen.layers - 1
    return LooksOfPatch(
        seen, shown, max(head, 0), asking_patch(seen, _read_patch(seen)), sent_heads.send, sent_heads.take
    )


def answer(seen: SeenPicture) -> WhatComesOut:
    return WhatComesOut(seen, state.get("see_source"), _read_patch(seen))


def every_number(seen: SeenPicture) -> EveryNumber:
    layer = state.checked_number("see_layer", -1, seen.layers - 1, "Layer") % seen.layers
    return EveryNumber(seen, layer, map_of_run.map_of(seen), state.KEYS["see_at"].max_characters)


def place(seen: SeenPicture) -> Place:
    kind, reach = state.get("see_change"), seen.config.patch_size
    if kind == "shift":
        right, down = (state.checked_number(f"see_{way}", -reach, reach, "A shift") for way in ("right", "down"))
        change = Change(kind, right=right, down=down)
    else:
        change = Change(kind, state.get("see_seed"), state.get("see_share"))
    return Place(seen, change, TrialsInTurns())


PARTS = {
    "patches": Part("Patches", _of_picture(patches), ALL | {"patch": controls.choose_patch}, things_to_try.of_patches),
    "attention": Part("Attention", _of_picture(looks), ALL, things_to_try.OF_ATTENTION),
    "answer": Part("What comes out", _of_picture(answer), ALL, things_to_try.OF_ANSWER),
    "map": Part(
        "Every number",
        _of_picture(every_number),
        ALL,
        things_to_try.OF_MAP,
    ),
    "place": Part(
        "Does place matter?", _of_picture(place), ALL | {"change": controls.choose_change}, things_to_try.of_place
    ),
    "cost": Part("Cost", _of_picture(CostOfPatches), ALL, things_to_try.OF_COST),
    "kinds": Part("Kinds of ViT", _of_picture(KindsOfVit), ALL, things_to_try.OF_KINDS),
}
PAGE = Page(
    "See",
    "Cut a picture into patches, treat each as a word, and the same encoder reads it.",
    "see_part",
    PARTS,
    chooses_inside=True,
)
