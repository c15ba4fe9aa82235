"""Writes the gallery: a folder of pages that any static host can serve. `python -m tools.gallery [FOLDER]`

Each page is one view of a real run, alive, in one file that asks for nothing else. `index.html` leads to them. The
exhibits are in assets/gallery/exhibits.toml. Their models must be here: `make models` installs them.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, get_args

from PIL import Image
from tqdm import tqdm

from model.errors import GlassformerError
from pages.shared.elements import public_view
from pages.shared.elements.page import opened
from pages.shared.server.session_values import of_session
from pages.shared.session.key_texts import to_text
from pages.shared.session.view_session import ViewSession
from views.parts import Files
from views.plain import plain_view
from views.shown_page import ShownPage
from viz.documents.page_html import words_in_data, write_file
from viz.documents.page_parts import Code, Group, Heading, PagePart, Text, flatten
from viz.documents.part_html import part_html
from viz.print.files import file_of
from viz.shared.style import Theme

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "gallery"
TITLE = "See a transformer think"
WELCOME = (
    "A transformer is the kind of program behind chat models and translators. These pictures show real ones at work on "
    "real sentences: every number was computed by the model, none is drawn by hand. They react to your hand. Begin at "
    "the first, or anywhere."
)
INSTALL = "With Glassformer installed, as its README says, and with any other sentence, layer or head:"
THUMBNAIL_PIXELS = 480  # the width of the small picture of an exhibit


@dataclass(frozen=True)
class Exhibit:
    """A view of the app by its page and its keys, with a title and words for newcomers (Markdown)."""

    name: str
    title: str
    words: str
    page: str
    keys: Mapping[str, Any]

    @property
    def file(self) -> str:
        return f"{self.name}.html"


def read_exhibits() -> list[Exhibit]:
    """The exhibits in order."""
    with (ASSETS / "exhibits.toml").open("rb") as file:
        return [Exhibit(**each) for each in tomllib.load(file)["exhibit"]]


def write_gallery(folder: Path, exhibits: Sequence[Exhibit]) -> None:
    """Write the pages and their index. Raises the errors of `write_exhibit`."""
    pictures = []
    for exhibit, following in zip(tqdm(exhibits, "pictures"), [*exhibits[1:], None], strict=True):
        pictures.append(_thumbnails(write_exhibit(folder, exhibit, following)))
    _write(folder / "index.html", index_page(exhibits, pictures))


def write_exhibit(folder: Path, exhibit: Exhibit, following: Exhibit | None) -> Files:
    """Write the page of an exhibit, which leads to the `following` one. Returns the files of its first picture.

    Raises `GlassformerError` where the app would show something else, such as another model for one that is not here.
    """
    link = {key: to_text(value) for key, value in exhibit.keys.items()}
    with opened(exhibit.page, link) as page:
        for _, complaint in of_session(ViewSession).notes.values():
            raise GlassformerError(f"{exhibit.title}: {complaint} `make models` installs the models.")
        live = public_view.live_code()
        _write(folder / exhibit.file, exhibit_page(exhibit, page, live.copied if live else "", following))
        return page.files()[0]


def exhibit_page(exhibit: Exhibit, page: ShownPage, code: str, following: Exhibit | None) -> str:
    """The page of an exhibit: its title, its words, the view, the code that makes it in a notebook, the next one."""
    head = [Heading(exhibit.title, 1), Text(exhibit.words)]
    foot = [Heading("The same in a notebook", 2), Text(INSTALL), Code(code)] if code else []
    body = Group([*head, *plain_view(page.view, page.depth), *foot])
    onward = f'<a href="{escape(following.file)}">{escape(following.title)} →</a>' if following else ""
    ways = f'<nav class="ways"><a href="index.html">← All pictures</a>{onward}</nav>'
    return _file(exhibit.title, f"<main>{ways}{part_html(body)}</main><footer>{ways}</footer>", list(flatten(body)))


def index_page(exhibits: Sequence[Exhibit], pictures: Sequence[Mapping[Theme, str]]) -> str:
    """The page that leads to all exhibits. `pictures`: of each, in both themes, as data of an image."""
    items = "".join(_item(*each) for each in zip(exhibits, pictures, strict=True))
    content = f'<main><h1>{TITLE}</h1><p>{WELCOME}</p><ul class="exhibits">{items}</ul></main>'
    return _file(TITLE, content, [])


def _item(exhibit: Exhibit, picture: Mapping[Theme, str]) -> str:
    words = exhibit.words.partition(". ")[0].rstrip(".")
    return f"""<li><a href="{escape(exhibit.file)}">
<picture><source srcset="{picture["dark"]}" media="(prefers-color-scheme: dark)">
<img src="{picture["light"]}" alt=""></picture>
<span><strong>{escape(exhibit.title)}</strong> <small>{escape(words)}.</small></span></a></li>
"""


def _file(title: str, content: str, parts: Sequence[PagePart]) -> str:
    style = (ASSETS / "gallery.css").read_text(encoding="utf-8")
    words = "".join([title, content, *map(words_in_data, parts)])
    return write_file(title, f"<style>{style}</style>{content}", parts, words, "saved_page/page", "light")


def _thumbnails(files: Files) -> dict[Theme, str]:
    return {theme: _thumbnail(file_of(files.figure(theme), "png")) for theme in get_args(Theme)}


def _thumbnail(png: bytes) -> str:
    """A small copy of a picture, as the address of an image that holds its data."""
    with Image.open(io.BytesIO(png)) as picture:
        picture.thumbnail((THUMBNAIL_PIXELS, THUMBNAIL_PIXELS))
        file = io.BytesIO()
        picture.convert("RGB").save(file, "webp", quality=80)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def main(given: Sequence[str] | None = None) -> int:
    """Write the gallery into the folder that the arguments name. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description="Writes a gallery of living pictures.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("gallery"), help="by default ./gallery")
    folder = parser.parse_args(given).folder
    try:
        write_gallery(folder, read_exhibits())
    except (GlassformerError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Open {folder / 'index.html'} in a browser, or copy the folder to any web server.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
