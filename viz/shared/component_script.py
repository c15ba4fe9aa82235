"""A component's JavaScript module, with all that it imports, as one script; and the style sheets that belong to it.

Streamlit takes a script as text, and a saved page works without a network: neither can follow an `import`. So each
imported module becomes a function that is called once and returns its exports, and an `import` takes from what it
returned. A module's other names stay its own, as they do in a browser. Only the entry has an `export default`.
"""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{\s*((?:\w+,\s*)*\w+,?\s*)\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
DEFAULT = "export default "


def modules(entry: Path) -> list[Path]:
    """The file of a module and those of all that it imports: each once, and after those that it imports itself.

    Raises `ValueError` where modules import each other in a circle.
    """
    found: list[Path] = []
    _collect_modules(entry.resolve(), found, ())
    return found


def join_script(entry: Path) -> str:
    """One script without imports, whose default export is that of `entry`.

    Raises `ValueError` for an import or export in another form than `import { a } from "./b.js";`, `export function`,
    `export class`, `export const` and, in the entry, `export default`.
    """
    *imported, last = modules(entry)
    names = {file: f"module{number}" for number, file in enumerate(imported)}
    return "".join(_write_function(file, names) for file in imported) + _replace_imports(last, names, DEFAULT)


def join_styles(entry: Path) -> str:
    """The style sheets that stand beside the modules and have their names, in the order of the modules."""
    sheets = (module.with_suffix(".css") for module in modules(entry))
    return "".join(shorten_code(sheet.read_text(encoding="utf-8")) for sheet in sheets if sheet.is_file())


def shorten_code(text: str) -> str:
    """Without indentation and whole-line comments: a script travels with each change of its component's data."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def _collect_modules(file: Path, found: list[Path], importers: tuple[Path, ...]) -> None:
    if file in importers:
        raise ValueError(f"{file.name} and {importers[-1].name} import each other.")
    if file in found:
        return
    for _, path in IMPORT.findall(file.read_text(encoding="utf-8")):
        _collect_modules((file.parent / path).resolve(), found, (*importers, file))
    found.append(file)


def _write_function(file: Path, names: dict[Path, str]) -> str:
    exports = ", ".join(EXPORT.findall(file.read_text(encoding="utf-8")))
    return f"const {names[file]} = (() => {{\n{_replace_imports(file, names)}return {{ {exports} }};\n}})();\n"


def _replace_imports(file: Path, names: dict[Path, str], allowed: str | None = None) -> str:
    """The module's text. Its imports take from `names`, and its exports are plain but for the `allowed` form."""

    def taken(found: re.Match[str]) -> str:
        wanted, path = found.groups()
        return f"const {{ {' '.join(wanted.split())} }} = {names[(file.parent / path).resolve()]};\n"

    text = EXPORT.sub("", IMPORT.sub(taken, file.read_text(encoding="utf-8")))
    for line in OTHER.findall(text):
        if not (allowed and line.startswith(allowed)):
            raise ValueError(f"{file.name}: “{line}” is no import or export that can be joined.")
    return shorten_code(text)
