"""What the views of the app send to a browser, saved to files: a change that should alter no picture is held to them.

    python -m tests.saved_views write BEFORE        every view of tests/pages/views.py, each at one of the four depths
    python -m tests.saved_views compare BEFORE AFTER

Measured times are left out, and so is what a browser session is called. A view that differs is named, with the first
places at which it does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf.json_format import MessageToDict

from pages.shared.session.keys import DEPTHS
from tests.pages.conftest import run_page
from tests.pages.views import VIEWS, View
from viz.shared.payload import unpack

NOT_COMPARED = {"milliseconds", "handle", "formId", "id", "token", "elementHash", "url"}  # of a time, or of a session
TIMES = re.compile(r"\d+(\.\d+)? (ms|s|seconds|milliseconds)\b")
MAX_SHOWN = 3  # differences of a view


def write(folder: Path) -> None:
    """Save what each view sends."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, view in enumerate(VIEWS):
        depth = DEPTHS[place % len(DEPTHS)]
        found = {"view": str(view), "depth": depth, "sent": elements_of(view, depth)}
        (folder / f"{place:03}.json").write_text(json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True))
        print(f"{place + 1} of {len(VIEWS)}: {view}, {depth}", file=sys.stderr)


def elements_of(view: View, depth: str) -> list[Any]:
    """The elements of a page in the order in which they stand, as JSON."""
    app = run_page(view.file, **view.values, depth=depth)
    return [comparable(element.proto) for element in app.main if getattr(element, "proto", None) is not None]


def comparable(proto: Any) -> Any:
    """A message of Streamlit as JSON. The arrays of a component and of a figure are there as digests."""
    found = MessageToDict(proto)
    if component := getattr(proto, "component_name", ""):
        header, arrays = unpack(proto.bytes) if proto.bytes else ({}, {})
        digests = {name: digest(each) for name, each in arrays.items()}
        found = {"component": component, "data": header, "arrays": digests}
    return tidy(found)


def tidy(value: Any) -> Any:
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: tidy(each) for name, each in value.items() if name not in NOT_COMPARED}
    if isinstance(value, list):
        return [tidy(each) for each in value]
    return TIMES.sub("(a time)", value) if isinstance(value, str) else value


def digest(values: np.ndarray[Any, Any]) -> str:
    return f"{values.dtype} {values.shape} {hashlib.sha256(values.tobytes()).hexdigest()}"


def compare(before: Path, after: Path) -> int:
    """Name the views that differ. Returns how many do."""
    count = 0
    for first in sorted(before.glob("*.json")):
        second = after / first.name
        old, new = (json.loads(each.read_text()) if each.exists() else None for each in (first, second))
        if old != new:
            count += 1
            print(f"{old['view']}, {old['depth']}:")
            for place in list(differences(old, new))[:MAX_SHOWN]:
                print(f"  {place}")
    print(f"{count} of {len(list(before.glob('*.json')))} views differ")
    return count


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """The places at which two JSON values differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from differences(old.get(name), new.get(name), f"{path}.{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, pair in enumerate(zip(old, new, strict=True)):
            yield from differences(*pair, f"{path}[{place}]")
    elif old != new:
        yield f"{path}: {str(old)[:200]} -> {str(new)[:200]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("write").add_argument("folder", type=Path)
    both = actions.add_parser("compare")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    chosen = parser.parse_args()
    if chosen.action == "write":
        write(chosen.folder)
    else:
        sys.exit(compare(chosen.before, chosen.after) > 0)


if __name__ == "__main__":
    main()
