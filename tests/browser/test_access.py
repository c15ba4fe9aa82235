"""Accessibility of every page in both themes, judged by axe-core; and nothing cut off on a phone."""

import hashlib
import io
import tarfile
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from model.zoo.files import cache_folder

AXE = "https://registry.npmjs.org/axe-core/-/axe-core-4.14.1.tgz"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
VIEWS = (
    "", "positions?model=tiny-lm", "scores?model=tiny-lm", "masks?model=tiny-lm", "heads?model=tiny-lm",
    "combine?model=tiny-lm", "block?model=tiny-lm", "predict?model=tiny-lm",
    "translate?model=en-ur&text=I%20am%20a%20robot", "classify?text=I%20love%20this%20film",
    "heads?model=tiny-lm&depth=Code", "heads?model=tiny-lm&heads_view=What%20they%20do", "training", "before_attention",
    "lecture", "follow", "glossary",
    "bench?model=tiny-encoder&text=I%20am%20a%20robot&bench_parts=feed-forward", "cost?model=tiny-lm",
)  # fmt: skip


@pytest.fixture(scope="session")
def axe() -> str:
    """The checker's script, fetched once and kept in the cache folder."""
    path = cache_folder() / "axe-core-4.14.1.tgz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(AXE, timeout=60) as answer:
            path.write_bytes(answer.read(1 << 23))
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SHA256
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        file = archive.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode()


def violations(page: Page, script: str) -> list[str]:
    """What axe finds serious or critical, a line each: the rule, and the first places."""
    # Streamlit draws a style sheet a moment after what it styles.
    page.wait_for_function("[...document.styleSheets].some((sheet) => sheet.ownerNode.innerText.includes('stBaseButton'))")
    page.evaluate(script)
    # Streamlit's own menu has its list items within a div, which no app can change.
    menu = "{exclude: [['[data-testid=stSidebarNavItems]']]}"
    found: list[dict[str, Any]] = page.evaluate(f"async () => (await axe.run({menu})).violations")
    return [
        f"{each['id']}: {each['help']}: "
        + "; ".join(node["html"][:160] + " " + node["failureSummary"][:160] for node in each["nodes"][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_serious_violation(view: str, theme: str, open_app: Callable[..., Page], axe: str) -> None:
    assert violations(open_app(view, theme=theme), axe) == []


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_cut_off_on_a_phone(view: str, open_app: Callable[..., Page]) -> None:
    page = open_app(view, width=390, height=844)
    beyond = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    assert beyond <= 0
