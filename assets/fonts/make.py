"""Makes the font files of this folder anew, cut to the letters that the app needs, with all that joins letters kept.

    pip install fonttools==4.68.0 brotli==1.2.1 uharfbuzz==0.57.0
    python assets/fonts/make.py

Needs npm and its registry. The files come out the same, byte for byte. uharfbuzz packs the tables of Nastaliq's
joining, which double in size without it.
"""

import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).resolve().parent

# Package of npm -> its version. Each holds whole fonts of the Noto project as TTF. Later versions of Naskh draw a
# letter's dots as marks of their own: words that are copied out of a PDF would have letters too many.
PACKAGES = {
    "noto-naskh-arabic": "0.2.3",
    "noto-nastaliq-urdu": "0.4.2",
    "noto-sans": "0.4.2",
    "noto-sans-math": "0.4.2",
    "noto-sans-symbols-2": "0.4.1",
}

# First and last code point of what a file keeps. No file of Arabic script has a space or a digit of Latin: where a list
# of fonts begins with it, all other words keep their own.
ARABIC = ((0x600, 0x6FF), (0x200C, 0x200F), (0x25CC, 0x25CC), (0xFD3E, 0xFD3F), (0xFDF0, 0xFDFD))
LATIN = (
    (0x20, 0x7E), (0xA0, 0x24F), (0x2B0, 0x45F), (0x490, 0x491), (0x1D40, 0x1D40), (0x1E00, 0x1EFF),
    (0x2000, 0x20CF), (0x2100, 0x214F), (0x2200, 0x22FF),
)  # fmt: skip
# Arrows and operators; for equations letters, too, which are italic there, and brackets that stretch.
MATH = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x2C6, 0x2DC), (0x302, 0x308), (0x391, 0x3F6), (0x2010, 0x2057), (0x20D6, 0x20D7),
    (0x2102, 0x2134), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2308, 0x230B), (0x23DC, 0x23DF), (0x27E6, 0x27EF),
    (0x27F5, 0x27FF), (0x1D434, 0x1D467), (0x1D538, 0x1D551), (0x1D6E2, 0x1D71B),
)  # fmt: skip
# The few of them that most pages have: a saved page without equations takes these instead of all.
COMMON_MATH = (
    (0x2190, 0x2195), (0x2202, 0x2202), (0x2206, 0x2206), (0x220F, 0x220F), (0x2211, 0x2212), (0x2215, 0x2215),
    (0x2219, 0x221A), (0x221E, 0x221F), (0x2229, 0x2229), (0x222B, 0x222B), (0x2248, 0x2248), (0x2260, 0x2261),
    (0x2264, 0x2265),
)  # fmt: skip
SIGNS = (
    (0x23CE, 0x23CF), (0x23E9, 0x23EA), (0x23ED, 0x23EF), (0x23F8, 0x23FA), (0x25A0, 0x25FF), (0x2713, 0x2718),
    (0x2758, 0x275A),
)  # fmt: skip

# Name of the file -> its package, its path there, what is kept, and in which formats.
BOTH, TTF, WEB = ("ttf", "woff2"), ("ttf",), ("woff2",)
FILES = {
    "NotoNaskhArabic-Regular": ("noto-naskh-arabic", "NotoNaskhArabic_400Regular", ARABIC, BOTH),
    "NotoNastaliqUrdu-Regular": ("noto-nastaliq-urdu", "400Regular/NotoNastaliqUrdu_400Regular", ARABIC, BOTH),
    "NotoSans-Regular": ("noto-sans", "400Regular/NotoSans_400Regular", LATIN, TTF),
    "NotoSans-Bold": ("noto-sans", "700Bold/NotoSans_700Bold", LATIN, TTF),
    "NotoSansMath-Regular": ("noto-sans-math", "400Regular/NotoSansMath_400Regular", MATH, BOTH),
    "NotoSansMathCommon-Regular": ("noto-sans-math", "400Regular/NotoSansMath_400Regular", COMMON_MATH, WEB),
    "NotoSansSymbols2-Regular": ("noto-sans-symbols-2", "400Regular/NotoSansSymbols2_400Regular", SIGNS, BOTH),
}


def main() -> None:
    with TemporaryDirectory() as folder:
        packages = {name: Path(folder) / name / "package" for name in PACKAGES}
        for name, version in PACKAGES.items():
            fetch(name, version, packages[name].parent)
        made = [make(file, packages[name] / f"{path}.ttf", *what) for file, (name, path, *what) in FILES.items()]
        licence = (packages["noto-sans"] / "LICENSE_FONT").read_text(encoding="utf-8")
    owners = "\n".join(dict.fromkeys(font["name"].getDebugName(0) for font in made))
    (HERE / "OFL.txt").write_text(owners + "\n" + licence.split("\n", 1)[1], encoding="utf-8")


def fetch(name: str, version: str, place: Path) -> None:
    """Unpacks a package of the npm registry into `place`."""
    place.mkdir()
    said = subprocess.run(
        ["npm", "pack", "--silent", f"@expo-google-fonts/{name}@{version}"],
        cwd=place, check=True, capture_output=True, text=True,
    )  # fmt: skip
    with tarfile.open(place / said.stdout.strip()) as package:
        package.extractall(place, filter="data")


def make(file: str, whole: Path, ranges: Iterable[tuple[int, int]], formats: Iterable[str]) -> TTFont:
    """Saves the letters of `ranges`, their forms and how they join: as TTF for Matplotlib and Typst, as WOFF2 for
    browsers."""
    font = TTFont(whole, recalcTimestamp=False)
    subsetter = Subsetter(Options(hinting=False, name_IDs=["*"], notdef_outline=True))
    subsetter.populate(unicodes=[code for first, last in ranges for code in range(first, last + 1)])
    subsetter.subset(font)
    for ending in formats:
        font.flavor = "woff2" if ending == "woff2" else None
        font.save(HERE / f"{file}.{ending}")
    return font


if __name__ == "__main__":
    main()
