"""How a question writes its numbers."""

from __future__ import annotations

from torch import Tensor

MINUS = "\N{MINUS SIGN}"
ALMOST = 1 - 1e-9  # what a share that others leave something of is at most, whatever rounding made of it


def share(value: float | Tensor) -> str:
    """0.314 as 31.4%; what is not 0 or 1 is never written as such."""
    value = float(value)
    if 0 < value < 0.0005:
        return "under 0.1%"
    if 0.9995 <= value < 1:
        return "over 99.9%"
    return f"{100 * value:.1f}%"


def decimal(value: float | Tensor) -> str:
    """Four figures, more before the point where there are, with the typographic minus."""
    value = float(value) + 0.0  # no minus before 0
    return (f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}").replace("-", MINUS)


def degrees(value: float) -> str:
    return (f"{value:,.1f}°" if abs(value) >= 1 else f"{value:.3g}°").replace("-", MINUS)
