"""Numbers in the texts of questions."""

from __future__ import annotations

from torch import Tensor

MINUS = "\N{MINUS SIGN}"
LARGEST_SHARE = 1 - 1e-9  # of a softmax with other entries: rounding alone would make it 1


def write_share(value: float | Tensor, decimals: int = 0) -> str:
    """0.314 as "31%", as on the pages: tenths below 1% and above 99%. Only exactly 0 and 1 become 0% and 100%.

    Shares that must be told apart have `decimals`.
    """
    value = float(value)
    if 0 < value < 0.001:
        return "under 0.1%"
    if 0.999 < value < 1:
        return "over 99.9%"
    near_end = 0 < value < 0.01 or 0.99 < value < 1
    return f"{100 * value:.{max(decimals, 1) if near_end else decimals}f}%"


def write_decimal(value: float | Tensor) -> str:
    """Four significant figures, or all figures before the point, with the typographic minus sign."""
    value = float(value) + 0.0  # turns -0.0 into 0.0
    return (f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}").replace("-", MINUS)


def write_degrees(value: float) -> str:
    """12.34 as "12.3°"; three significant figures below 1."""
    return (f"{value:,.1f}°" if abs(value) >= 1 else f"{value:.3g}°").replace("-", MINUS)
