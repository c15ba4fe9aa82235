"""What a page shows in the place of a shared choice that is open, or that it cannot use.

Where the choice of a layer is open, a page proposes one. The bar shows it, so it stays on every other page, until the
reader chooses, or takes another model. Where the other stack of the model has fewer layers, a page shows one of its own
for the one that the reader has chosen. The next page gets the choice itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.shared.server.session_values import of_session, values
from pages.shared.session.keys import KEYS, TOKENS

RUN = ("model", "text")  # a page that shows another one shows nothing of the reader's own run


@dataclass(frozen=True)
class Substitute:
    """The value `shown` in the place of `choice`, until the key gets another value.

    `only_here`: the next page gets the choice, even where that is open.
    """

    shown: Any
    choice: Any
    only_here: bool = False


@dataclass
class SubstituteSession:
    """The substitutes of now, by key; and those of when the last page was opened, behind its model and its text."""

    by_key: dict[str, Substitute] = field(default_factory=dict)
    proposed_before: tuple[str, str, dict[str, Substitute]] = ("", "", {})


def show_instead(name: str, value: Any, *, only_here: bool = False) -> None:
    """Set a shared key to a value that the reader has not chosen. Call it before the widget of that key is drawn.

    It stays on other pages where the choice is open, unless it is `only_here`.
    """
    of_session(SubstituteSession).by_key[name] = Substitute(value, choice_of(name), only_here)
    values()[name] = value


def keep_here(name: str) -> None:
    """Let the present value of a shared key count for this page only. On the next page the choice is open."""
    of_session(SubstituteSession).by_key[name] = Substitute(values()[name], KEYS[name].default, only_here=True)


def leave_page(current: Mapping[str, Any]) -> dict[str, Any]:
    """The values that change when the reader goes to another page, of the `current` ones of all keys.

    A substitute for an open choice of the reader's own model and sentence stays, also after a page that shows another
    one. All others give way to the choice.
    """
    session = of_session(SubstituteSession)
    kept = session.by_key
    forget([name for name, each in kept.items() if current.get(name) != each.shown])
    is_lent = not kept.keys().isdisjoint(RUN)
    model, text = (choice_behind(name, current.get(name)) for name in RUN)
    values = {}
    for name, each in tuple(kept.items()):
        if is_lent or each.only_here or each.choice != KEYS[name].default:
            values[name] = kept.pop(name).choice
    for name, each in (_proposed_before(model, text) if is_lent else {}).items():
        if name not in kept and values.get(name, current.get(name)) == KEYS[name].default:
            kept[name] = each
            values[name] = each.shown
    session.proposed_before = (model, text, dict(kept))
    return values


def _proposed_before(model: str, text: str) -> dict[str, Substitute]:
    """The substitutes for open choices of this model and sentence when the last page was opened."""
    of_model, of_text, proposed = of_session(SubstituteSession).proposed_before
    return {
        name: each for name, each in proposed.items() if of_model == model and (of_text == text or name not in TOKENS)
    }


def current() -> dict[str, Substitute]:
    """The substitutes of now, by the names of the keys."""
    return dict(of_session(SubstituteSession).by_key)


def restore(name: str, each: Substitute) -> None:
    """Bring back the substitute of an earlier view."""
    of_session(SubstituteSession).by_key[name] = each


def choice_of(name: str) -> Any:
    """What the reader has chosen for a key of the table, also where the page shows another value in its place."""
    return choice_behind(name, values().get(name, KEYS[name].default))


def choice_behind(name: str, shown: Any) -> Any:
    """What the reader has chosen for a key that has the value `shown`."""
    substitute = of_session(SubstituteSession).by_key.get(name)
    return substitute.choice if substitute is not None and substitute.shown == shown else shown


def forget(names: Iterable[str]) -> None:
    """From now on the values of these keys are the reader's choices."""
    for name in names:
        of_session(SubstituteSession).by_key.pop(name, None)


def forget_outdated() -> None:
    """Forget the substitutes in whose place there is another value by now. Call it in each run."""
    present = of_session(SubstituteSession).by_key.items()
    forget([name for name, each in present if values().get(name) != each.shown])
