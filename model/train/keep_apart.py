"""`python -m model.train.keep_apart LIST` writes which sentences the everyday corpus never draws: those of the list."""

from __future__ import annotations

import sys
from pathlib import Path

from corpora.everyday.kept_apart import FILE, digest
from model.train.everyday import read_sentences

if __name__ == "__main__":
    found = sorted({digest(sentence.english) for sentence in read_sentences(Path(sys.argv[1]))})
    FILE.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} sentences are kept apart")
