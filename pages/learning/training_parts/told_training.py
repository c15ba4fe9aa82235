"""What the browser remembers of a training, so that a session that begins anew can say what is gone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ToldTraining:
    """The training of this session in words, and one that was lost with an earlier session; "" for none."""

    told: str | None = None
    lost: str = ""
