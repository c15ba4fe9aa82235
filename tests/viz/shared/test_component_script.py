"""Modules as one script: their order, and the forms that cannot be joined."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import pytest

from viz.shared.component_script import join_script, join_styles, modules, pack_script

COMPONENTS = Path(__file__).parents[3] / "assets" / "components"
VENDORED = COMPONENTS.parent / "vendor"
ENTRIES = sorted(path for path in COMPONENTS.glob("*/*/*.js") if path.stem == path.parent.name)


def write_modules(folder: Path, **texts: str) -> Path:
    """Write modules by name, `shared_...` into the folder shared. Returns the path of the last one, the entry."""
    for name, text in texts.items():
        file = folder / f"{name.replace('shared_', 'shared/')}.js"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file


def test_imported_modules_come_first_and_once(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path,
        shared_base="export const one = 1;\n",
        shared_middle='import { one } from "./base.js";\nexport const two = one + one;\n',
        entry='import { one } from "./shared/base.js";\nimport { two } from "./shared/middle.js";\n'
        "export default () => one + two;\n",
    )
    assert [file.stem for file in modules(entry)] == ["base", "middle", "entry"]
    assert join_script(entry) == (
        "const module0 = (() => {\nconst one = 1;\nreturn { one };\n})();\n"
        "const module1 = (() => {\nconst { one } = module0;\nconst two = one + one;\nreturn { two };\n})();\n"
        "const { one } = module0;\nconst { two } = module1;\nexport default () => one + two;\n"
    )


def test_all_kinds_of_exports_and_a_long_import(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path,
        kinds="export function a() {}\nexport async function b() {}\nexport class C {}\nexport const d = 1;\n",
        entry='import {\n  a,\n  b,\n  C,\n  d,\n} from "./kinds.js";\nexport default [a, b, C, d];\n',
    )
    script = join_script(entry)
    assert "return { a, b, C, d };" in script
    assert "const { a, b, C, d, } = module0;" in script
    assert script.count("export") == 1


def test_comments_and_indentation_do_not_travel(tmp_path: Path) -> None:
    entry = write_modules(tmp_path, entry="// Why.\nexport default () => {\n  // How.\n  return 1; // one\n};\n")
    assert join_script(entry) == "export default () => {\nreturn 1; // one\n};\n"


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./other.js";',
        'import { a as b } from "./other.js";',
        'import whole from "./other.js";',
        'import { a } from "package";',
        'export * from "./other.js";',
        "export { a };",
        "export let a = 1;",
    ],
)
def test_a_form_that_cannot_be_joined_is_an_error_that_names_it(tmp_path: Path, line: str) -> None:
    entry = write_modules(tmp_path, other="export const a = 1;\n", entry=f"{line}\nexport default 1;\n")
    with pytest.raises(ValueError, match=r"entry\.js: “(import|export) "):
        join_script(entry)


def test_an_imported_module_has_no_default(tmp_path: Path) -> None:
    other = "export const a = 1;\nexport default a;\n"
    entry = write_modules(tmp_path, other=other, entry='import { a } from "./other.js";\nexport default a;\n')
    with pytest.raises(ValueError, match=r"other\.js: “export default a;”"):
        join_script(entry)


def test_modules_that_import_each_other_are_an_error(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path,
        one='import { two } from "./two.js";\nexport const one = 1;\n',
        two='import { one } from "./one.js";\nexport const two = 2;\n',
    )
    with pytest.raises(ValueError, match="import each other"):
        join_script(entry)


def test_style_sheets_come_with_their_modules(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path, part="export const a = 1;\n", entry='import { a } from "./part.js";\nexport default a;\n'
    )
    (tmp_path / "part.css").write_text(".part {\n  color: red;\n}\n")
    (tmp_path / "entry.css").write_text(".entry {\n  color: blue;\n}\n")
    assert join_styles(entry) == ".part {\ncolor: red;\n}\n.entry {\ncolor: blue;\n}\n"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.stem)
def test_every_component_is_one_script_with_one_default_export(entry: Path) -> None:
    statements = [line for line in join_script(entry).splitlines() if line.startswith(("import ", "export "))]
    assert len(statements) == 1
    assert statements[0].startswith("export default ")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.stem)
def test_every_script_travels_whole(entry: Path) -> None:
    script = join_script(entry)
    packed = pack_script(script).split('"', 2)[1]
    assert zlib.decompress(base64.b64decode(packed)).decode() == script


def test_the_script_of_the_lines_travels_in_less_than_half_of_its_bytes() -> None:
    script = join_script(COMPONENTS / "attention" / "attention_lines" / "attention_lines.js")
    assert len(pack_script(script)) < len(script) / 2


def test_a_packed_script_has_one_default_export_and_no_import_of_a_file() -> None:
    lines = pack_script("export default 1;\n").splitlines()
    assert [line for line in lines if line.startswith(("import", "export"))] == ["export default component;"]


def test_every_module_belongs_to_a_component() -> None:
    assert len(ENTRIES) > 10
    used = {file for entry in ENTRIES for file in modules(entry)}
    drawn_with = {*VENDORED.glob("plotly-cartesian/*.js")}  # saved pages have it whole: tests of plotly_script
    assert {*COMPONENTS.rglob("*.js"), *VENDORED.glob("*/*.js")} - drawn_with == used
