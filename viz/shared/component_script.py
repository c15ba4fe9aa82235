"""A component's JavaScript module and all its imports as one script, and the style sheets of these modules.

Streamlit takes a script as text, and a saved page works without a network, so neither can follow an `import`. Each
imported module becomes a function that is called once and returns its exports. An `import` takes the names from that
result. A module's other names stay its own, as in a browser. Only the entry has an `export default`.

Streamlit sends the script again with each change of a component's data. So a long one can travel deflated, in a short
script that inflates it and imports it.
"""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path

IMPORT = re.compile(r'^import \{\s*((?:\w+,\s*)*\w+,?\s*)\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
DEFAULT = "export default "
# The Content-Security-Policy of the app lets scripts be imported from a blob, as Streamlit imports this one.
LOADER = """\
const packed = "{packed}";
const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
const script = new Blob([await new Response(stream).arrayBuffer()], {{ type: "text/javascript" }});
const address = URL.createObjectURL(script);
const {{ default: component }} = await import(address);
URL.revokeObjectURL(address);
export default component;
"""


def modules(entry: Path) -> list[Path]:
    """The files of a module and of all its imports. Each file stands once, after the files that it imports.

    Raises `ValueError` where modules import each other in a circle.
    """
    files: list[Path] = []
    _collect_modules(entry.resolve(), files, ())
    return files


def join_script(entry: Path) -> str:
    """One script without imports, with the default export of `entry`.

    Raises `ValueError` for an import or export in any other form than `import { a } from "./b.js";`, `export function`,
    `export class`, `export const` and, in the entry, `export default`.
    """
    *imported, last = modules(entry)
    names = {file: f"module{number}" for number, file in enumerate(imported)}
    return "".join(_write_function(file, names) for file in imported) + _replace_imports(last, names, DEFAULT)


def pack_script(script: str) -> str:
    """A module with the same default export as `script`, in less than half of its bytes."""
    packed = base64.b64encode(zlib.compress(script.encode(), 9)).decode()
    return LOADER.format(packed=packed)


def join_styles(entry: Path) -> str:
    """The style sheets with the names of the modules, in the order of the modules."""
    sheets = (module.with_suffix(".css") for module in modules(entry))
    return "".join(shorten_code(sheet.read_text(encoding="utf-8")) for sheet in sheets if sheet.is_file())


def shorten_code(text: str) -> str:
    """Removes indentation and whole-line comments."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def _collect_modules(file: Path, files: list[Path], importers: tuple[Path, ...]) -> None:
    """Append the files of a module's imports, then its own, unless they are there."""
    if file in importers:
        raise ValueError(f"{file.name} and {importers[-1].name} import each other.")
    if file in files:
        return
    for _, path in IMPORT.findall(file.read_text(encoding="utf-8")):
        _collect_modules((file.parent / path).resolve(), files, (*importers, file))
    files.append(file)


def _write_function(file: Path, names: dict[Path, str]) -> str:
    exports = ", ".join(EXPORT.findall(file.read_text(encoding="utf-8")))
    return f"const {names[file]} = (() => {{\n{_replace_imports(file, names)}return {{ {exports} }};\n}})();\n"


def _replace_imports(file: Path, names: dict[Path, str], allowed: str | None = None) -> str:
    """The module's text. Imports take from the functions in `names`. Exports lose their keyword, but for `allowed`."""

    def take_names(match: re.Match[str]) -> str:
        imports, path = match.groups()
        return f"const {{ {' '.join(imports.split())} }} = {names[(file.parent / path).resolve()]};\n"

    text = EXPORT.sub("", IMPORT.sub(take_names, file.read_text(encoding="utf-8")))
    for line in OTHER.findall(text):
        if not (allowed and line.startswith(allowed)):
            raise ValueError(f"{file.name}: “{line}” is no import or export that can be joined.")
    return shorten_code(text)
