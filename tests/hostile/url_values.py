"""Values that no page writes into its URL, and the walk of them over the keys of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from streamlit.testing.v1 import AppTest

from pages.catalogue import BY_URL, PAGES
from pages.shared.session import key_texts, state
from pages.shared.session.keys import DEPTHS, KEYS, belongs
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import APP, session_of
from tests.pages.views import ENGLISH, PART_VIEWS, STARTS, VARIANTS, View

HALF = "\ud800"
VALUES: dict[str, str] = {
    "empty": "",
    "spaces": " \t ",
    "one": "1",
    "a fraction": "0.5",
    "negative": "-1",
    "very negative": "-" + "9" * 40,
    "beyond 64 bits": str(2**64),
    "huge": "9" * 300,
    "too many digits": "9" * 5000,
    "huge fraction": "1e308",
    "tiny fraction": "5e-324",
    "not a number": "nan",
    "infinity": "inf",
    "control characters": "\x00\x01\x07\x08\x1b[31m\x7f\x85\r\n\t",
    "half a character": f"a{HALF}b",
    "half a character, spelled out": "\\ud800 %ed%a0%80 &#xd800;",
    "right to left": "\u202eمیں\u2066 1,2\u202c",
    "HTML": "</script><img src=x onerror=alert(1)><script>alert(1)</script>",
    "Markdown": "# a [b](javascript:alert(1)) ![c](http://a.example/b) `d` $\\frac{1}{0}$ :red[e] | f |",
    "very long": "long " * 20_000,
    "as long as a sentence may be": "word " * 800,
    "wrong type": '{"a": [null, true]}',
    "nested": "[" * 500 + "]" * 500,
    "members": "0,1,2,2,99999",
    "many members": "0," * 5000 + "0",
    "yes": "yes",
}
# Real models take seconds, so only the fuzzer makes these keys hostile.
MODEL_KEYS = ("model", "see_model", "classify_model", "training_of")
SOUND_MODELS = {"see_model": "digits-vit", "classify_model": "tiny-encoder", "training_of": "tiny-lm"}
FEW_TEXTS = 2  # hostile sentences of one page in the suite


@dataclass(frozen=True)
class Link:
    """A link to a page: sound values, and for each hostile key the kind of its value."""

    page: str
    sound: Mapping[str, str]
    kinds: Mapping[str, str]

    @property
    def values(self) -> dict[str, str]:
        return {**self.sound, **{name: VALUES[kind] for name, kind in self.kinds.items()}}


def keys_of(page: str) -> tuple[str, ...]:
    """The keys in the URL of a page: those of every page, and its own."""
    return tuple(name for name in KEYS if belongs(name, page))


def own_keys_of(page: str) -> tuple[str, ...]:
    """The keys of `keys_of` that not every page has."""
    return tuple(name for name in keys_of(page) if "_" in name or KEYS[name].pages)


def views_of(page: str, more: Iterable[View] = ()) -> list[View]:
    """The page as it opens, its parts, and more views of it."""
    return [View(page), *(view for view in (*PART_VIEWS, *more) if view.page == page and view.state)]


def sound_values(view: View) -> dict[str, str]:
    """Sentence and models, and the values that lead to a view."""
    kept = {**ENGLISH, **STARTS.get(view.page, {}), **SOUND_MODELS, **view.state}
    leads = {*ENGLISH, "depth", *MODEL_KEYS, *view.state}
    return state.as_text({name: value for name, value in kept.items() if name in leads and name in keys_of(view.page)})


def own_keys_link(view: View, kind: str, depth: str = "Picture") -> Link:
    """Every key of the page is hostile but those that lead to the view."""
    sound = {**sound_values(view), "depth": depth}
    own = (name for name in own_keys_of(view.page) if name not in sound)
    return Link(view.page, sound, dict.fromkeys(own, kind))


def shared_keys_link(page: str, kind: str) -> Link:
    """The keys of every page are hostile, but the model."""
    own = own_keys_of(page)
    hostile = tuple(name for name in keys_of(page) if name not in own and name != "model")
    kept = sound_values(View(page))
    return Link(page, {name: text for name, text in kept.items() if name not in hostile}, dict.fromkeys(hostile, kind))


def every_key_link(page: str, kind: str) -> Link:
    return Link(page, {}, dict.fromkeys(keys_of(page), kind))


def accepted_kinds(name: str, page: str) -> list[str]:
    """The kinds of value that the key takes, so that they reach the page."""
    return [kind for kind, text in VALUES.items() if not key_texts.find_fault(name, page, text)]


def share_of_kinds(name: str, page: str) -> list[str]:
    """The kinds that the key takes, or one that it refuses. The pages of a key of several share them out."""
    pages = [entry.url for entry in PAGES if name in own_keys_of(entry.url)]
    kinds = accepted_kinds(name, page) or ["HTML"]
    return kinds[pages.index(page) :: len(pages)] or kinds[:1]


def few_links(page: str) -> Iterator[Link]:
    """Each value that a key takes, each part with some of them, and values that no key takes."""
    views, number = views_of(page), [entry.url for entry in PAGES].index(page)
    taken = {name: share_of_kinds(name, page) for name in own_keys_of(page)}
    for turn in range(max(len(views), *map(len, taken.values()), 1) if taken else 1):
        sound = sound_values(views[turn % len(views)])
        own = (name for name in taken if name not in sound)
        sound["depth"] = DEPTHS[(turn + turn // len(views)) % len(DEPTHS)]
        yield Link(page, sound, {name: taken[name][turn % len(taken[name])] for name in own})
    yield own_keys_link(View(page), "HTML")
    for turn in range(FEW_TEXTS):
        yield shared_keys_link(page, tuple(VALUES)[(number * FEW_TEXTS + turn) % len(VALUES)])


def all_links(page: str) -> Iterator[Link]:
    """Each kind of value on each part and each variant of the page, at each depth."""
    for kind in VALUES:
        yield every_key_link(page, kind)
        yield shared_keys_link(page, kind)
        for view in views_of(page, VARIANTS):
            for depth in DEPTHS:
                yield own_keys_link(view, kind, depth)


def start(page: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(BY_URL[page].file)
    return app


def find_fault(app: AppTest, link: Link) -> str:
    """Opens the link in a session that stands on its page. The fault of what follows, or ""."""
    if any(HALF in text for text in link.values.values()):  # no address can hold it, but a lecture can
        session_of(app, ViewSession).wanted = (link.page, link.values)
    else:
        app.query_params = link.values
    app.run()
    if app.exception:
        return f"{link}: {[each.stack_trace or each.value for each in app.exception]}"
    for name in keys_of(link.page):
        text = key_texts.to_text(app.session_state[name])
        if fault := key_texts.find_fault(name, link.page, text):
            return f"{link}: {name} is {text[:100]!r}, but {fault}"
        text.encode()  # a browser can be sent it
    return ""
