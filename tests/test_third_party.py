"""THIRD_PARTY.md names every package and every folder of assets, each with a licence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.licences import MAX_NAME_CHARACTERS, asset_rows, pinned, stated_licence

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)}


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("requirements*.*")))
def test_every_package_has_its_version_and_a_licence(file: str) -> None:
    packages = pinned(file)
    assert packages
    assert {name: ROWS[name][0] for name in packages if name in ROWS} == packages
    assert all(ROWS[name][1].strip() for name in packages)


def test_every_folder_of_assets_has_a_licence() -> None:
    folders = {path.name for path in (ROOT / "assets").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {row.removeprefix("`").split("/")[0] for row in ROWS if row.startswith("`")}
    assert [ROWS[path] for path, _, _ in asset_rows()] == [(licence, source) for _, licence, source in asset_rows()]


@pytest.mark.parametrize("model", sorted(path.parent.name for path in (ROOT / "assets/models").glob("*/card.json")))
def test_every_bundled_model_has_the_licence_of_its_card(model: str) -> None:
    assert ROWS[f"`models/{model}/`"][0] == "MIT"


@pytest.mark.parametrize(
    ("picture", "licence"),
    [("pictures/flower.jpg", "CC BY 2.0"), ("digits/held-out.png", "CC BY-SA 3.0"), ("fonts/Noto", "SIL Open Font")],
)
def test_what_others_made_keeps_their_licence(picture: str, licence: str) -> None:
    (row,) = [values for path, values in ROWS.items() if path.startswith(f"`{picture}")]
    assert row[0].startswith(licence)


def test_the_most_exact_statement_of_a_licence_is_taken() -> None:
    classifiers = [
        "Topic :: Software",
        "License :: OSI Approved :: MIT License",
        "License :: OSI Approved :: BSD License",
    ]
    assert stated_licence("MIT OR 0BSD", "MIT", classifiers) == "MIT OR 0BSD"
    assert stated_licence(None, "Dual License", classifiers) == "MIT License, BSD License"
    assert stated_licence(None, "MIT", []) == "MIT"
    with pytest.raises(ValueError, match="states no licence"):
        stated_licence(None, "x" * (MAX_NAME_CHARACTERS + 1), ["Topic :: Software"])
