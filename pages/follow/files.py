"""The scripts, style sheets and fonts of the page for students. Each has the digest of its bytes in its name, so a
browser fetches it once, and a new version of the app gives it a new name.

All replicas of one version make the same files, whichever views they have written.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

import streamlit as st
from streamlit.config import get_option

from viz.shared.component_files import FOLDER, colour_variables, script_of, styles_of
from viz.shared.component_script import shorten_code

ASSETS = FOLDER.parent
FONTS = ASSETS / "fonts"
ENTRY = ASSETS / "follow" / "follow.js"
STREAMLITS_FONTS = Path(st.__file__).parent / "static" / "static" / "media"
DIGEST_LENGTH = 16
COMPRESSION = 7
TYPES = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}

_TURN = Lock()  # A class comes at one moment: each file is made once.


@dataclass(frozen=True)
class ServedFile:
    """A file: its `name` with the digest, and its bytes compressed by gzip; a font's bytes as they are."""

    name: str
    media_type: str
    packed: bytes

    @property
    def is_font(self) -> bool:
        return self.media_type == TYPES[".woff2"]


def unpacked(packed: bytes) -> bytes:
    """The bytes of a compressed file or view."""
    return gzip.decompress(packed)


def name_of(plain: str) -> str:
    """The name with its digest of a file such as "plotly.js". Raises KeyError for a file that does not exist."""
    return _made(plain).name


def find(name: str) -> ServedFile | None:
    """The file of a name with its digest; None if there is none."""
    stem, _, rest = name.partition(".")
    digest, _, ending = rest.partition(".")
    try:
        file = _made(f"{stem}.{ending}")
    except KeyError:
        return None
    return file if digest and file.name == name else None


@cache
def _components() -> dict[str, Path]:
    """The module of each component, by the name under which Streamlit knows it."""
    return {f"glassformer_{file.stem}": file for file in FOLDER.rglob("*.js") if file.stem == file.parent.name}


def _made(plain: str) -> ServedFile:
    with _TURN:
        return _make(Path(plain).stem, Path(plain).suffix)


@cache
def _make(stem: str, ending: str) -> ServedFile:
    body = _read(stem, ending)
    digest = hashlib.sha256(body).hexdigest()[:DIGEST_LENGTH]
    packed = body if ending == ".woff2" else gzip.compress(body, COMPRESSION, mtime=0)
    return ServedFile(f"{stem}.{digest}{ending}", TYPES[ending], packed)


def _read(stem: str, ending: str) -> bytes:
    module = _components().get(stem)
    match (stem, ending):
        case ("plotly", ".js"):
            from plotly.offline import get_plotlyjs  # It is slow, and few views need it.

            return get_plotlyjs().encode()
        case ("follow", ".js"):
            return script_of(ENTRY).encode()
        case ("page", ".css"):
            return _page_styles().encode()
        case ("bar", ".css"):
            return styles_of(ENTRY).encode()
        case (_, ".js") if module:
            return script_of(module).encode()
        case (_, ".css") if module:
            return styles_of(module).encode()
        case (_, ".woff2") if (FONTS / f"{stem}.woff2").is_file():
            return (FONTS / f"{stem}.woff2").read_bytes()
    raise KeyError(f"{stem}{ending}")


def _page_styles() -> str:
    sheets = (ASSETS / "saved_page" / "page.css", ASSETS / "follow" / "page.css")
    light, dark = colour_variables("light"), colour_variables("dark")
    colours = f":root{{{light}}}@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    return _font_faces() + colours + "".join(shorten_code(sheet.read_text(encoding="utf-8")) for sheet in sheets)


def _font_faces() -> str:
    """The app's own fonts, and Streamlit's. Their names are those of `viz.shared.style.FONT`."""
    rules = []
    for face in get_option("theme.fontFaces") or []:
        stem, family = Path(face["url"]).stem, face["family"]
        rules.append(_face(family, _file_of(stem), face["unicodeRange"]))
        if family == "Urdu":
            rules.append(_face("Nastaliq", _file_of("NotoNastaliqUrdu-Regular"), face["unicodeRange"]))
    for family, start in (("Source Sans", "SourceSansVF-Upright"), ("Source Code Pro", "SourceCodeVF-Upright")):
        file = next(STREAMLITS_FONTS.glob(f"{start}*.woff2"), None)
        if file is not None:
            rules.append(_face(family, f"../../static/media/{file.name}", "", "200 900"))
    return "".join(rules)


def _file_of(stem: str) -> str:
    return _make(stem, ".woff2").name


def _face(family: str, url: str, letters: str, weights: str = "") -> str:
    extra = f"unicode-range:{letters};" if letters else ""
    extra += f"font-weight:{weights};" if weights else ""
    return f"@font-face{{font-family:'{family}';src:url('{url}') format('woff2');{extra}font-display:swap}}"
