"""Which characters of a page no font can draw: they would be boxes on a machine that has one Latin font alone.

The page's text is read with the fonts that it names, in shadow roots, in SVG and in fields. Texts of canvases are
kept while they are drawn (`listen`). Then each character is looked up in the fonts that the app serves under these
names, and in the one Latin font of the tests' machine (assets/fonts/fonts.conf).
"""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache
from pathlib import Path

import streamlit
from fontTools.ttLib import TTFont
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
MEDIA = Path(streamlit.__file__).parent / "static" / "static" / "media"
FIRST_EMOJI = 0x1F000  # a reader's emoji are drawn where the machine has a font for them
ICONS = "Material Symbols"  # the names of icons are no text
LISTEN = """() => {
  window.writtenOnCanvas = new Map(); // family -> letters
  for (const name of ["fillText", "strokeText"]) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (text, ...rest) {
      const family = this.font.replace(/^.*?px /, ""), letters = window.writtenOnCanvas.get(family) ?? new Set();
      for (const letter of String(text)) letters.add(letter);
      window.writtenOnCanvas.set(family, letters);
      return draw.call(this, text, ...rest);
    };
  }
}"""
READ = """() => {
  const found = {};
  const italic = (letter) => {
    if (letter === "h") return "\u210e";
    const first = /[A-Z]/.test(letter) ? 0x1d434 - 65 : /[a-z]/.test(letter) ? 0x1d44e - 97 : 0;
    return first ? String.fromCodePoint(first + letter.charCodeAt(0)) : letter;
  };
  const add = (family, text) => {
    found[family] ??= new Set();
    for (const letter of text) found[family].add(letter);
  };
  const read = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) read(node.shadowRoot);
      if (node.matches("script, style, title, .katex-mathml *") || !node.checkVisibility()) continue;
      if (node.localName === "mi" && node.textContent.length === 1) {  // a browser draws the italic letter
        add(getComputedStyle(node).fontFamily, italic(node.textContent));
        continue;
      }
      const own = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data);
      const typed = node.matches("input, textarea") ? node.value + node.placeholder : "";
      add(getComputedStyle(node).fontFamily, own.join("") + typed);
    }
  };
  read(document);
  for (const [family, letters] of window.writtenOnCanvas) add(family, letters);
  return Object.entries(found).map(([family, letters]) => [family, [...letters].join("")]);
}"""


def listen(page: Page) -> None:
    """Keep what canvases write, on every page that opens from now on."""
    page.add_init_script(f"({LISTEN})()")


def missing(page: Page) -> dict[str, str]:
    """The characters of the page that cannot be drawn, by the families that the page names for them."""
    boxes: dict[str, str] = {}
    for family, letters in page.evaluate(READ):
        names = [name.strip(" \"'") for name in family.split(",")]
        if ICONS in family:
            continue
        drawn = _installed().union(*(_served().get(name, frozenset()) for name in names))
        lost = [
            each
            for each in letters
            if each.isprintable()
            and (ord(each) < FIRST_EMOJI or "MATH" in unicodedata.name(each, ""))
            and each not in drawn
        ]
        if lost:
            boxes[family] = "".join(lost)
    return boxes


@cache
def _installed() -> frozenset[str]:
    """The letters of the font that a browser of the tests finds for any name."""
    return _letters(ROOT / "assets/fonts/NotoSans-Regular.ttf")


@cache
def _served() -> dict[str, frozenset[str]]:
    """The letters of each family that the app serves: the project's, in the ranges of its theme, and Streamlit's."""
    served = {
        "Source Sans": _letters(next(MEDIA.glob("SourceSansVF-Upright*"))),
        "Source Code Pro": _letters(next(MEDIA.glob("SourceCodeVF-Upright*"))),
    }
    for path in MEDIA.glob("KaTeX_*.woff2"):
        family = path.name.split("-")[0]
        served[family] = served.get(family, frozenset()) | _letters(path)
    for face in tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]["fontFaces"]:
        ranges = [part.strip().removeprefix("U+").split("-") for part in face["unicodeRange"].split(",")]
        named = {chr(code) for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1)}
        served[face["family"]] = _letters(ROOT / "assets" / face["url"]) & named
    assert len(served) > 10, "Streamlit's fonts are not where they were"
    return served


def _letters(path: Path) -> frozenset[str]:
    return frozenset(map(chr, TTFont(path).getBestCmap()))
