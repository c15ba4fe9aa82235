"""What takes too long on a long text says so, and does not begin."""

from __future__ import annotations

import streamlit as st

MOST_TOKENS = 256  # of a text on which many runs, or runs with every logit, are made


def is_refused(count: int, what: str, instead: str = "Shorten it.") -> bool:
    """Whether a text has too many tokens for a part of a page. Then a note says so.

    `what`: a sentence about the work. `instead`: what the reader can do.
    """
    if count <= MOST_TOKENS:
        return False
    st.info(
        f"{what} That is done on at most {MOST_TOKENS} tokens, and your text has {count:,}: it would take too long. "
        f"{instead}",
        icon=":material/hourglass:",
    )
    return True
