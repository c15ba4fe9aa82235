from __future__ import annotations

import gc

from pages.shared import garbage_collection


def test_what_is_alive_is_spared_once_a_page() -> None:
    garbage_collection.spare.cache_clear()
    kept: list[object] = [[] for _ in range(1000)]
    before = gc.get_freeze_count()
    garbage_collection.spare("heads")
    spared = gc.get_freeze_count()
    assert spared >= before + len(kept)
    kept.append([[] for _ in range(1000)])
    garbage_collection.spare("heads")
    assert gc.get_freeze_count() <= spared
    garbage_collection.spare("masks")
    assert gc.get_freeze_count() > spared
