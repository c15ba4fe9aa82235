"""What each family does with each value of a `config.json`, as the Markdown of a table, made of the three lists.

`.venv/bin/python -m tests.model.zoo.families_table` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from model.zoo.common_values import COMMON
from model.zoo.config_values import KnownValues, Only, in_json
from model.zoo.families import FAMILIES

HEADINGS = ("Family", "`model_type`", "read", "without effect on a number", "refused, unless it is")


def table() -> str:
    """The table, one row for the keys that all families have in the same list, and one for what each has besides."""
    rows = [HEADINGS, ("---",) * len(HEADINGS), _row("every family", (), COMMON), *_families()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _families() -> Iterator[tuple[str, ...]]:
    for name in dict.fromkeys(family.name for family in FAMILIES.values()):
        kinds = [kind for kind, family in FAMILIES.items() if family.name == name]
        known = FAMILIES[kinds[0]].known
        own = KnownValues(
            set(known.read) - set(COMMON.read),
            set(known.without_effect) - set(COMMON.without_effect),
            {key: only for key, only in known.refused.items() if COMMON.refused.get(key) != only},
        )
        yield _row(name, kinds, own)


def _row(name: str, kinds: Iterable[str], known: KnownValues) -> tuple[str, ...]:
    return (
        name,
        ", ".join(f"`{kind}`" for kind in kinds),
        _keys(known.read),
        _keys(known.without_effect),
        _refused(known.refused),
    )


def _keys(keys: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in sorted(keys))


def _refused(refused: Mapping[str, Only]) -> str:
    return "; ".join(
        f"`{key}` {' or '.join(map(in_json, only.allowed))} (else {only.effect})"
        for key, only in sorted(refused.items())
    )


if __name__ == "__main__":
    print(table())
