from __future__ import annotations

import gc

from pages.shared import garbage


def test_what_is_alive_is_spared_once_a_page() -> None:
    garbage.spare.cache_clear()
    kept: list[object] = [[] for _ in range(1000)]
    before = gc.get_freeze_count()
    garbage.spare("heads")
    spared = gc.get_freeze_count()
    assert spared >= before + len(kept)
    kept.append([[] for _ in range(1000)])
    garbage.spare("heads")
    assert gc.get_freeze_count() <= spared
    garbage.spare("masks")
    assert gc.get_freeze_count() > spared
