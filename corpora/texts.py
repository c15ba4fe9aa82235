"""The texts of the small world over which heads are read: held-out lines of every corpus, each a kind of text.

python -m corpora.texts        writes assets/texts/small-world/
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from corpora import en_ur, feelings, world

FOLDER = Path(__file__).parents[1] / "assets" / "texts" / "small-world"
COUNT = 35  # texts of each kind


def kinds() -> Iterator[tuple[str, list[str]]]:
    """Each kind of text, and its texts. `tiny-lm` has learnt the first ones, `tiny-encoder` feelings, and the
    translators what can be translated."""
    for skill in world.SKILL_NAMES:
        yield skill, [line.text for line in islice(world.held_out_lines(skill), COUNT)]
    yield "feelings", [sentence.text for sentence in islice(feelings.held_out_sentences(), COUNT)]
    yield "translated", [example.source_text for example in en_ur.held_out_examples(COUNT)]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for kind, texts in kinds():
        (FOLDER / f"{kind}.txt").write_text("\n\n".join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
