"""Columns of tables with a number of decimals of their own. The table rounds the numbers as `model.numerals` does."""

from __future__ import annotations

from typing import Any

import streamlit as st


def decimals(count: int, **how: Any) -> Any:
    """A column of numbers with so many decimals. `how`: what else `st.column_config.NumberColumn` takes."""
    return st.column_config.NumberColumn(format=f"%.{count}f", **how)
