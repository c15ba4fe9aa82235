"""The documents as a site: a hook of MkDocs, which `make docs` runs with `mkdocs.yml`.

Every document keeps its place in the project, so the links between them are the same on the site, in an editor and
on the page of the repository. Glossary, sources and the reference of the library are written when the site is built.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from tools import reference

ROOT = Path(__file__).parents[1]

DOCUMENTS = ("*.md", "docs/*.md", "assets/README.md", "assets/components/README.md", "tests/README.md")
GUIDES = ("pages/**/README.md", "views/README.md", "viz/README.md", "model/**/README.md", "tools/README.md")
FILES = (
    "LICENSE",
    "assets/screenshots/*",
    "docs/pictures/*",
    "assets/examples/*.py",
    "assets/icon.svg",
    "assets/site.css",
)
WRITTEN = {
    "docs/reference.md": reference.library,
    "docs/views.md": reference.views_by_page,
    "docs/glossary.md": reference.glossary,
    "docs/sources.md": reference.sources,
}


def on_files(files: Files, config: Any) -> Files:
    """The files of the site: those of the theme, the documents where they stand, and the written pages."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for pattern in (*DOCUMENTS, *GUIDES, *FILES):
        for path in sorted(ROOT.glob(pattern)):
            place = path.relative_to(ROOT).as_posix()
            files.append(File(place, str(ROOT), config.site_dir, config.use_directory_urls))
    for place, write in WRITTEN.items():
        files.append(File.generated(config, place, content=write()))
    return files
