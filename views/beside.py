"""Two models side by side: the same view of two runs in one frame, on one scale, with what they differ in.

What both say alike, such as a table of all tokenizers, stands once below the frame. The browser links both sides: what
is pointed at on one is marked on the other (assets/components/app/beside_link). A choice on either side is one of the
first run, whose keys the page has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from model.cached_property import cached_property
from views.both_files import files_of_both
from views.live_code import LiveCode
from views.message import Message
from views.parts import Action, Canvas, Chart, Controls, DataTable, Draw, Files, Keys, OtherPage, Pick
from views.run import Run
from views.shared import windows
from views.shared.shapes import of_one_shape
from views.shared.token_link import TokenLink, read_by
from views.view import Depth, View, existing
from viz.documents.page_parts import Group, Text
from viz.shared.one_scale import put_on_one_scale
from viz.shared.payload import pack
from viz.shared.style import Theme, markdown_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

KEY = "beside"  # of the frame, and the end of the keys of the second side
FIRST, SECOND = "beside first", "beside second"  # the keys of both sides
OF_SHAPE = ("layer", "head")  # keys that mean the same in two models of one shape alone
TOKENS = ("query", "key")


@dataclass(frozen=True)
class Beside(View):
    """The view of a `first` run, and the same one of a `second` run; or a message why there is none.

    `second_code`: the code of the second view by its public name; None where it has none.
    """

    first: View
    second: View
    second_code: LiveCode | None = field(default=None, compare=False, kw_only=True)

    def about(self) -> Run | None:
        return self.first.about()

    def told(self) -> Mapping[str, float | str]:
        return {what: value for each in _views(self.first, "Picture") for what, value in each.told().items()}

    def files(self) -> Files | None:
        first, second = self.first_on_scale.files(), self.second_on_scale.files()
        return first if first is None or second is None else files_of_both(first, second, self.titles)

    @property
    def runs(self) -> tuple[Run, Run] | None:
        """Both runs; None where there is only one."""
        first, second = self.first.about(), self.second.about()
        return None if first is None or second is None else (first, second)

    @cached_property
    def link(self) -> TokenLink:
        """Which tokens of both stand for the same characters."""
        return TokenLink() if self.runs is None else TokenLink.of(*self.runs)

    @property
    def is_of_one_shape(self) -> bool:
        """Whether both have the same layers and heads over the same tokens: then their numbers can be subtracted."""
        return self.runs is not None and of_one_shape(*self.runs)

    @property
    def is_long(self) -> bool:
        """Whether one stands below the other: two long texts have no room beside each other."""
        lengths = (len(read_by(run)) for run in self.runs or ())
        return max(lengths, default=0) > windows.MAX_READABLE_TOKENS

    def at(self, depth: Depth) -> Sequence[Any]:
        if depth == "Code":
            code = list(self.first.at(depth))
            return [*code, *(part for part in self.second.at(depth) if part not in code)]
        parts, others = self.first_on_scale.at(depth), self.second_on_scale.at(depth)
        once = [part for part in parts if isinstance(part, View) and part in others]
        above, mine, below = _around([each for part in parts if part not in once for each in _stacked(part, depth)])
        second = [each for part in others if part not in once for each in _stacked(part, depth)]
        other = [part for part in second if not isinstance(part, Controls)]
        mine, other = self._with_files_of_both(_on_scale_of(mine, other), _on_scale_of(other, mine))
        sides = [
            Group([*self._title(0), *mine], key=FIRST),
            Group([*self._title(1), *(_second(part, self._take) for part in other)], key=SECOND),
        ]
        is_below = self.is_long or depth == "Formula"
        frame = sides if is_below else [Group([Group([side], "column") for side in sides], "row", gap="large")]
        return [
            *above,
            Group([*frame, self._linked()], key=KEY, is_framed=True),
            *self._difference(depth),
            *once,
            *below,
        ]

    @property
    def first_on_scale(self) -> View:
        return self.first.on_scale_of(self.second) if type(self.first) is type(self.second) else self.first

    @property
    def second_on_scale(self) -> View:
        return self.second.on_scale_of(self.first) if type(self.first) is type(self.second) else self.second

    def _title(self, side: int) -> list[Text]:
        return [Text(f"##### {markdown_text(self.titles[side])}")] if self.runs is not None else []

    @property
    def titles(self) -> tuple[str, str]:
        """The names of both models, of which one may be edited."""
        assert self.runs is not None
        first, second = self.runs
        return first.title, second.title

    def _with_files_of_both(self, mine: list[Any], other: list[Any]) -> tuple[list[Any], list[Any]]:
        """The parts of both sides, with the files of both at the first one; where one has more, each keeps its own."""
        files = [[part for part in _walk(side) if isinstance(part, Files)] for side in (mine, other)]
        if self.runs is None or len(files[0]) != len(files[1]):
            return mine, other
        both = [files_of_both(first, second, self.titles) for first, second in zip(*files, strict=True)]
        return _with_files(mine, iter(both)), _with_files(other, iter(()))

    def _difference(self, depth: Depth) -> list[Any]:
        if depth == "Formula" or isinstance(self.second, Message) or self.runs is None:
            return []
        difference = self.first.minus(self.second)
        if difference is None:
            return []
        parts = [part for part in difference.at(depth) if not isinstance(part, Controls)]
        return [Group(parts, key="beside difference", is_framed=True)]

    def _linked(self) -> Canvas:
        data = partial(pack, {"there": self.link.there, "back": self.link.back})
        return Canvas("app/beside_link", data, key="beside link")

    def _take(self, picked: Keys | OtherPage) -> Keys | OtherPage:
        """What was picked on the second side, as keys of the first run."""
        if isinstance(picked, OtherPage):
            return replace(picked, keys=self._of_first(picked.keys))
        return self._of_first(picked)

    def _of_first(self, keys: Keys) -> Keys:
        return keys if self.is_of_one_shape else _across(keys, self.link.find_back)

    def for_second(self, keys: Keys) -> Keys:
        """Keys of the first run as those of the second: a token by its characters, a layer where both have the same."""
        return keys if self.is_of_one_shape else _across(keys, self.link.find_there)


def _across(keys: Keys, find: Callable[[int], int]) -> Keys:
    """Keys of one run as keys of a run of another shape. `find` gives the place of a token there; -1 for none."""
    places = {name: find(keys[name]) for name in TOKENS if keys.get(name, -1) >= 0}
    dropped = {*OF_SHAPE, *places, "heads_shown"}
    others = {name: value for name, value in keys.items() if name not in dropped}
    return others | {name: place for name, place in places.items() if place >= 0}


def _views(view: View, depth: Depth) -> Iterator[View]:
    """A view and the views in it."""
    yield view
    for part in _walk(view.at(depth)):
        if isinstance(part, View):
            yield from _views(part, depth)


def _walk(parts: Sequence[Any]) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, Group):
            yield from _walk(part.parts)
        else:
            yield part


def _stacked(part: Any, depth: Depth) -> Iterator[Any]:
    """A part as parts one below the other: a side is too narrow for columns."""
    if isinstance(part, View):
        for each in part.at(depth):
            yield from _stacked(each, depth)
    elif isinstance(part, Group) and (_has_columns(part) or _has_controls(part)):
        for each in part.parts:
            yield from _stacked(each, depth)
    elif isinstance(part, Group):
        yield replace(part, parts=[inside for each in part.parts for inside in _stacked(each, depth)])
    else:
        yield part


def _with_files(parts: Sequence[Any], files: Iterator[Files]) -> list[Any]:
    """The parts with these files, one after another, in the places of their own: without any where they end."""
    kept: list[Any] = []
    for part in parts:
        if isinstance(part, Group):
            kept.append(replace(part, parts=_with_files(part.parts, files)))
        elif isinstance(part, Files):
            kept += existing(next(files, None))
        else:
            kept.append(part)
    return kept


def _has_columns(group: Group) -> bool:
    return group.kind == "column" or any(isinstance(each, Group) and each.kind == "column" for each in group.parts)


def _has_controls(group: Group) -> bool:
    return any(isinstance(part, Controls) for part in _walk(group.parts))


def _around(parts: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """The controls of the first side above the frame, its parts, and the controls that stand at its end."""
    last = max((place for place, part in enumerate(parts) if not isinstance(part, Controls)), default=-1) + 1
    inside = parts[:last]
    controls = [part for part in inside if isinstance(part, Controls)]
    return controls, [part for part in inside if not isinstance(part, Controls)], parts[last:]


def _on_scale_of(parts: list[Any], others: list[Any]) -> list[Any]:
    """The parts, with each chart on a scale that has room for the same chart of the other side."""
    same = {part.key or part.alt: part for part in _walk(others) if isinstance(part, Chart)}

    def on_scale(part: Any) -> Any:
        if isinstance(part, Group):
            return replace(part, parts=[on_scale(each) for each in part.parts])
        if isinstance(part, Chart) and (other := same.get(part.key or part.alt)):
            return replace(part, draw=partial(_draw_on_scale, part.draw, other.draw))
        return part

    return [on_scale(part) for part in parts]


def _draw_on_scale(draw: Draw, other: Draw, theme: Theme = "light") -> go.Figure:
    return put_on_one_scale(draw(theme=theme), other(theme=theme))


def _second(part: Any, take: Pick) -> Any:
    """A part of the second side, under a key of its own. `take` says what its picks mean for the first run."""
    match part:
        case Group():
            return replace(part, parts=[_second(each, take) for each in part.parts], key=_named(part.key))
        case Chart() | DataTable():
            name = part.key or (part.alt if isinstance(part, Chart) else "")
            return replace(part, key=_named(name), pick=_taken(part.pick, take))
        case Canvas():
            picks = {event: _taken(pick, take) for event, pick in part.picks.items()}
            return replace(part, key=_named(part.key), picks=picks)
        case Action():
            picked = take(part.keys)
            return replace(part, key=_named(part.key), keys=picked.keys if isinstance(picked, OtherPage) else picked)
        case Files():
            return replace(part, name=f"{part.name}-{KEY}")
        case _:
            return part


def _named(key: str) -> str:
    return f"{key} {KEY}" if key else ""


def _taken(pick: Pick | None, take: Pick) -> Any:
    return None if pick is None else lambda picked: take(pick(picked))
