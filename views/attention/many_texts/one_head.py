"""What is said of the chosen head over many texts: the views among which a reader chooses, by name."""

from __future__ import annotations

from collections.abc import Callable

from model.surveys.reading import Reading
from views.attention.many_texts.every_tenth import PlacesOfEveryTenth
from views.attention.many_texts.head_view import ViewOfOneHead
from views.attention.many_texts.how_far_back import HowFarBack
from views.attention.many_texts.kinds_of_text import KindsOfText
from views.attention.many_texts.spread_of_measures import SpreadOfMeasures
from views.attention.many_texts.strongest_places import StrongestPlaces
from views.attention.many_texts.token_pairs import PairsOfTokens
from views.head_of_run import HeadOfRun

STRONGEST, TENTHS, KINDS, PAIRS, DISTANCE, MEASURES = ABOUT = (
    *("strongest places", "from every tenth", "by kind"),
    *("pairs", "distance", "measures"),
)
USUAL_MEASURE = "strongest"  # of those that are shown by kind


def possible_abouts(head: HeadOfRun, reading: Reading) -> tuple[str, ...]:
    """What can be said of a head: only texts with kinds are compared by kind, and in cross-attention no key is near."""
    missing = {DISTANCE} if head.at.is_cross else set[str]()
    if not reading.collection.kinds:
        missing.add(KINDS)
    return tuple(name for name in ABOUT if name not in missing)


def view_of_head(head: HeadOfRun, reading: Reading, about: str, measure: str = USUAL_MEASURE) -> ViewOfOneHead:
    """A view of a head. `about`: one of `possible_abouts`. `measure`: that which is shown by kind."""
    if about == KINDS:
        return KindsOfText(head, reading, measure)
    views: dict[str, Callable[[HeadOfRun, Reading], ViewOfOneHead]] = {
        STRONGEST: StrongestPlaces,
        TENTHS: PlacesOfEveryTenth,
        PAIRS: PairsOfTokens,
        DISTANCE: HowFarBack,
        MEASURES: SpreadOfMeasures,
    }
    return views[about](head, reading)
