from __future__ import annotations

import gc

from pages.shared.server import garbage_collection


def test_what_is_alive_is_spared_once_a_page() -> None:
    garbage_collection.freeze_once.cache_clear()
    kept: list[object] = [[] for _ in range(1000)]
    before = gc.get_freeze_count()
    garbage_collection.freeze_once("heads")
    spared = gc.get_freeze_count()
    assert spared >= before + len(kept)
    kept.append([[] for _ in range(1000)])
    garbage_collection.freeze_once("heads")
    assert gc.get_freeze_count() <= spared
    garbage_collection.freeze_once("masks")
    assert gc.get_freeze_count() > spared
