"""Downloads: every kind of file opens and holds the data."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from viz.print import files
from viz.print.files import file_of, npz, rows_csv, set_fonts
from viz.shared.fonts import Hand


def test_a_figure_becomes_every_kind_of_file() -> None:
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for kind, start in starts.items():
        assert file_of(Figure(), kind).lstrip().startswith(start)


def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="svg, pdf, png, slide"):
        file_of(Figure(), "exe")


@pytest.mark.parametrize("size", [(2, 2), (8, 1), (1, 8)])
def test_a_slide_is_16_to_9_whatever_the_figure_is(size: tuple[int, int]) -> None:
    figure = Figure(figsize=size, facecolor="#102030")
    figure.add_subplot(facecolor="#ff0000").set_title("a title above the axes")
    picture = Image.open(io.BytesIO(file_of(figure, "slide"))).convert("RGB")
    assert picture.size == (1920, 1080)
    pixels = np.asarray(picture)
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == (0x10, 0x20, 0x30)).all(), "the picture is whole: nothing of it touches the edge"
    assert (pixels == (255, 0, 0)).all(-1).any()


def test_the_title_of_a_slide_stands_above_its_picture_and_fits_its_width() -> None:
    for title in ("Why this word: Account", "A title that is longer than any page has " * 3):
        figure = Figure(figsize=(8, 8), facecolor="#102030")
        figure.add_axes((0, 0, 1, 1), facecolor="#ff0000").axis("on")
        pixels = np.asarray(Image.open(io.BytesIO(file_of(figure, "slide", title=title))).convert("RGB"))
        rows, columns = np.nonzero((pixels == 255).all(-1))  # of the white letters
        picture = np.nonzero((pixels == (255, 0, 0)).all(-1))[0]
        assert 40 < rows.min() < rows.max() < picture.min(), "letters stand above the picture"
        assert 1920 * 0.04 <= columns.min() < columns.max() < 1920 * 0.96


def test_rows_become_csv_without_formulas() -> None:
    data = rows_csv([{"token": "=1+1", "value": 0.5}, {"token": "b", "more": 2}])
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows == [["token", "value", "more"], ["'=1+1", "0.5", ""], ["b", "", "2"]]


@pytest.mark.parametrize("start", "=+-@＝＋－＠\t\r\n")
def test_no_cell_and_no_name_starts_a_formula(start: str) -> None:
    data = rows_csv([{f"{start}name": f"{start}SUM(A1)", "number": -1.5}]).decode("utf-8-sig")
    names, cells = csv.reader(io.StringIO(data, newline=""))
    assert names == [f"'{start}name", "number"]
    assert cells == [f"'{start}SUM(A1)", "-1.5"]


def test_every_csv_file_is_made_in_one_place() -> None:
    root = Path(files.__file__).parents[2]
    modules = [path for folder in ("pages", "views", "viz", "model") for path in (root / folder).rglob("*.py")]
    assert len(modules) > 100
    writing = re.compile(r"\bcsv\.(writer|DictWriter)\b|\bfrom csv\b|\.to_csv\(")
    writers = {path.name for path in modules if writing.search(path.read_text(encoding="utf-8"))}
    assert writers == {"files.py"}


def test_arrays_load_without_pickle() -> None:
    with np.load(io.BytesIO(npz(weights=np.eye(2), tokens=["a", "بی"])), allow_pickle=False) as archive:
        assert archive["weights"].tolist() == [[1, 0], [0, 1]]
        assert archive["tokens"].tolist() == ["a", "بی"]


def test_urdu_words_and_ticks_are_written_in_the_hand_that_is_asked_for() -> None:
    def drawn(hand: Hand) -> str:
        figure = Figure()
        figure.add_subplot().set_xticks([0], ["ہوں"])
        figure.text(0.5, 0.5, "میں")
        return file_of(set_fonts(figure), "svg", hand).decode()

    naskh, nastaliq = drawn("naskh"), drawn("nastaliq")
    assert "NotoNaskhArabic" in naskh
    assert "NotoNastaliqUrdu" not in naskh
    assert "NotoNastaliqUrdu" in nastaliq
    assert "NotoNaskhArabic" not in nastaliq
    assert "DejaVuSans" in nastaliq, "the numbers keep their font"


@pytest.mark.slow
def test_words_and_ticks_of_a_picture_are_made_printable() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    axes.set_xticks([0, 1], ["one", "\U000f0000"])
    axes.text(0, 0, "\U000f0001")
    for _ in range(2):  # a file more is as the first
        svg = file_of(figure, "svg").decode()
        assert "<!-- one -->" in svg
        assert "<!-- ⟨U+F0000⟩ -->" in svg
        assert "<!-- ⟨U+F0001⟩ -->" in svg
