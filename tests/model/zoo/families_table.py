"""The lists of `model/zoo/` in Markdown: of what each family does with each value of a `config.json`.

`.venv/bin/python -m tests.model.zoo.families_table` writes `docs/config-values.md`, and the last table of
`docs/your-own-model.md`. `tests/test_readme.py` holds both to the lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from model.zoo import clip, siglip
from model.zoo.families import FAMILIES
from model.zoo.values.common_values import COMMON
from model.zoo.values.known_values import KnownValues, Only, in_json

DOCS = Path(__file__).parents[3] / "docs"
DOCUMENT = DOCS / "config-values.md"
YOUR_OWN_MODEL = DOCS / "your-own-model.md"  # ends with the table of refused values
TABLE_HEAD = "| key | is read as | with another value | families |"
BEGINNING = """\
# What is done with each value of a config.json

Each key is in one of three lists: **read** (it changes our numbers as it changes those of `transformers`), **without
effect** on a number of a run, or **refused** unless it has the value named here. A key that is in no list is refused by
its name. A read key that a file lacks has the default of its class. The lists stand beside each family in
`model/zoo/`. This page is made of them (`python -m tests.model.zoo.families_table`). A test walks the classes of the
installed `transformers`, and fails for a key of a new release.
"""
EVERY = "Every family"
TOWERS = {"CLIP": clip.DEFAULTS, "SigLIP": siglip.DEFAULTS}


def document() -> str:
    """The page: a section for the keys that all families have in the same list, and one for what each has besides."""
    sections = [_section(name, kinds, known) for name, kinds, known in _families()]
    return "\n".join([BEGINNING, *sections])


def refusals() -> str:
    """The table of `docs/your-own-model.md`: every key that is refused unless it has a value, with its families."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for name, _, known in _families():
        for key, only in known.refused.items():
            rows.setdefault((key, _values(only), only.effect), []).append(name)
    lines = [f"| `{key}` | {values} | {effect} | {', '.join(names)} |" for (key, values, effect), names in rows.items()]
    return "\n".join([TABLE_HEAD, "|---|---|---|---|", *sorted(lines)])


def _families() -> Iterator[tuple[str, list[str], KnownValues]]:
    """What all families share, and what each has besides: a name, its values of `model_type`, and the lists."""
    yield EVERY, [], COMMON
    for name in dict.fromkeys(family.name for family in FAMILIES.values()):
        kinds = [kind for kind, family in FAMILIES.items() if family.name == name]
        known = FAMILIES[kinds[0]].known
        own = KnownValues(
            set(known.read) - set(COMMON.read),
            set(known.without_effect) - set(COMMON.without_effect),
            {key: only for key, only in known.refused.items() if COMMON.refused.get(key) != only},
        )
        yield name, kinds, own


def _section(name: str, kinds: Iterable[str], known: KnownValues) -> str:
    kind = ", ".join(f"`{kind}`" for kind in kinds)
    parts = [f"## {name}" + (f" ({kind})" if kind else "")]
    if known.read:
        parts.append(f"**Read:** {_keys(known.read)}")
    for tower, read in TOWERS.get(name, {}).items():
        parts.append(f"**Read of `{tower}_config`:** {_keys(read)}")
    if known.without_effect:
        parts.append(f"**Without effect:** {_keys(known.without_effect)}")
    if known.refused:
        parts.append(f"**Refused, unless it is:**\n\n{_refused(known.refused)}")
    return "\n\n".join(parts) + "\n"


def _keys(keys: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in sorted(keys))


def _refused(refused: Mapping[str, Only]) -> str:
    rows = [f"| `{key}` | {_values(only)} | {only.effect} |" for key, only in sorted(refused.items())]
    return "\n".join(["| key | is read as | with another value |", "|---|---|---|", *rows])


def _values(only: Only) -> str:
    return " or ".join(f"`{in_json(value)}`" for value in only.allowed)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
    before, _ = YOUR_OWN_MODEL.read_text(encoding="utf-8").split(TABLE_HEAD)
    YOUR_OWN_MODEL.write_text(f"{before}{refusals()}\n", encoding="utf-8")
