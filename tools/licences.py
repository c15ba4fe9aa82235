"""Writes THIRD_PARTY.md: the licence of each package that is installed with the app or its checks, and of the assets.

What a package says of itself comes from its metadata, so the packages must be installed: `make licences` sees to that.
What the assets say comes from the cards of the models, from assets/fonts/OFL.txt and from assets/README.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "assets"
MAX_NAME_CHARACTERS = 80  # A longer text in the field License is the licence itself, not its name.
# Not in the environment of the checks: Windows alone needs the first, `make lock` and `make audit` the others.
NOT_INSTALLED = {"tzdata": "Apache-2.0", "uv": "MIT OR Apache-2.0", "pip-audit": "Apache-2.0"}
PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.MULTILINE)
FOREIGN = re.compile(r"CC BY(-SA)? \d\.\d|SIL Open Font License \d\.\d|(ISC|MIT) licence")  # in a row of its README
OWN = "MIT, as this project"
HEAD = """\
# Licences of what others made

Made by `make licences`. Glassformer itself is under the MIT licence (LICENSE). A package's licence is the one that the
package states of itself. The CUDA build of torch also brings libraries of NVIDIA under NVIDIA's own licences.
"""


def pinned(file: str) -> dict[str, str]:
    """The version of each package that a list of requirements pins, by name."""
    return dict(PINNED.findall((ROOT / file).read_text(encoding="utf-8")))


def licence_of(name: str) -> str:
    """The licence that a package states. Raises SystemExit if it is neither installed nor known."""
    if name in NOT_INSTALLED:
        return NOT_INSTALLED[name]
    try:
        stated = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise SystemExit(f"{name} is not installed, so its licence is not known: run `make licences`.") from None
    expression, field = (next(iter(stated.get_all(key) or []), None) for key in ("License-Expression", "License"))
    return stated_licence(expression, field, stated.get_all("Classifier") or [])


def stated_licence(expression: str | None, field: str | None, classifiers: Iterable[str]) -> str:
    """The licence by the fields of a package's metadata, the most exact first. Raises ValueError if they name none."""
    if expression:
        return expression
    classified = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License :: ")]
    if classified:
        return ", ".join(classified)
    if field and len(field) <= MAX_NAME_CHARACTERS and "\n" not in field:
        return field
    raise ValueError("the package states no licence")


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *rows))


def package_table(versions: Mapping[str, str]) -> str:
    rows = [(name, version, licence_of(name)) for name, version in sorted(versions.items())]
    return table(("package", "version", "licence"), rows)


def asset_rows() -> list[tuple[str, str, str]]:
    """Each folder of the assets: its path, its licence, and where that is said or who made it."""
    rows = []
    readme = (ASSETS / "README.md").read_text(encoding="utf-8")
    said = re.findall(r"^\| (`.+?) \| (.+?) \| .+? \|$", readme, re.MULTILINE)
    for folder in sorted(path.name for path in ASSETS.iterdir() if path.is_dir() and path.name != "__pycache__"):
        if folder == "models":
            rows += [model_row(card) for card in sorted(ASSETS.glob("models/[!.]*/card.json"))]
            continue
        foreign = [
            (path, licence[0], what)
            for path, what in said
            if path.startswith(f"`{folder}/") and (licence := FOREIGN.search(what))
        ]
        rows += foreign or [(f"`{folder}/`", OWN, "made in this project")]
    return rows


def model_row(card: Path) -> tuple[str, str, str]:
    values = json.loads(card.read_text(encoding="utf-8"))
    data = values["data"] if isinstance(values["data"], str) else values["data"]["corpus"]
    return f"`models/{card.parent.name}/`", values["licence"], f"{values['source']}. {data.partition('. ')[0]}"


def third_party() -> str:
    """The whole text of THIRD_PARTY.md."""
    app = pinned("requirements.txt") | pinned("requirements.lock")
    checks = pinned("requirements-dev.txt") | pinned("requirements-tools.txt")
    script = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    script_rows = [
        (path.removeprefix("node_modules/"), values["version"], values["license"])
        for path, values in sorted(script.items())
        if path
    ]
    owners = [line for line in (ASSETS / "fonts" / "OFL.txt").read_text().splitlines() if line.startswith("Copyright")]
    parts = [
        HEAD,
        f"## Packages of the app\n\n{package_table(app)}\n",
        f"## Packages for several processes\n\n{package_table(pinned('requirements-scale.txt'))}\n",
        f"## Packages that carry the real models\n\n{package_table(pinned('requirements-models.txt'))}\n",
        f"## Packages of the checks alone\n\n{package_table(checks)}\n",
        f"## Node.js packages of the checks alone\n\n{table(('package', 'version', 'licence'), script_rows)}\n",
        f"## Assets\n\n{table(('folder', 'licence', 'source'), asset_rows())}\n",
        "The fonts: " + "; ".join(owners) + ". Their licence is assets/fonts/OFL.txt.\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    (ROOT / "THIRD_PARTY.md").write_text(third_party(), encoding="utf-8", newline="\n")
