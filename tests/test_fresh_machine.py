"""Nothing of the machine and of its user reaches the tests: not a font, not a folder, not a setting."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from matplotlib import font_manager

from model.zoo import files

ROOT = Path(__file__).resolve().parents[1]
FONTS = ROOT / "assets" / "fonts"
LISTED = """
import json
from matplotlib.font_manager import fontManager
print(json.dumps([font.fname for font in fontManager.ttflist]))
"""


def test_matplotlib_knows_its_own_fonts_and_those_of_the_project() -> None:
    own = Path(matplotlib.get_data_path())
    folders = {Path(font.fname).parent for font in font_manager.fontManager.ttflist}
    assert {folder for folder in folders if own not in folder.parents} <= {FONTS}


@pytest.mark.slow
def test_processes_that_tests_start_know_no_others() -> None:
    own = Path(matplotlib.get_data_path())
    listed = json.loads(subprocess.check_output([sys.executable, "-c", LISTED], encoding="utf-8", cwd=ROOT))
    assert listed
    assert all(own in Path(path).parents for path in listed)


@pytest.mark.skipif(shutil.which("fc-list") is None, reason="a machine without fontconfig has no list of fonts")
def test_browsers_know_the_latin_font_alone() -> None:
    listed = subprocess.check_output(["fc-list", "--format", "%{file}\n"], encoding="utf-8").split()
    assert {Path(path).name for path in listed} == {"NotoSans-Regular.ttf", "NotoSans-Bold.ttf"}
    assert {Path(path).parent for path in listed} == {FONTS}


def test_the_home_folder_is_empty_but_for_what_tests_leave() -> None:
    home = Path.home()
    assert "glassformer-tests-" in home.name
    assert home in files.cache_folder().parents
    assert not (home / ".streamlit").exists()
    assert not [name for name in os.environ if name.startswith(("STREAMLIT_", "XDG_", "MPLCONFIG"))]
