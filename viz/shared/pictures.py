"""Pixels for figures: as JPEG or PNG, painted from values with the house's scales, and as a mosaic of tiles."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from PIL import Image

from model.arrays import Array
from viz.shared.style import SEQUENTIAL, SIGNED, Scale, Theme, colour, make_figure

Pixels = NDArray[np.uint8]


def jpeg(rgb: Pixels, quality: int = 88) -> bytes:
    """(H, W, 3) as a JPEG file, for photographs."""
    return _encode(rgb, "JPEG", quality=quality)


def data_uri(rgb: Pixels) -> str:
    """(H, W, 3) as a data address: PNG if that is small, as for flat colours, otherwise JPEG.

    JPEG takes a twentieth of the time. A picture whose JPEG is large is not smaller as PNG, so no PNG is made then.
    """
    kind, data = "jpeg", jpeg(rgb)
    if len(data) <= 20_000:
        png = _encode(rgb, "PNG")
        kind, data = ("png", png) if len(png) <= 40_000 else (kind, data)
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def read_data_uri(address: str) -> Pixels:
    """The pixels in a data address of `data_uri`: (H, W, 3)."""
    with Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))) as image:
        return np.array(image.convert("RGB"))


def paint(values: Array, theme: Theme = "light", *, signed: bool = False, reach: float = 1.0) -> Pixels:
    """Values (H, W) in the colours of the weights' scale over 0..reach, or of the signed one over -reach..reach.

    What is not a number has the colour of 0.
    """
    scale = (SIGNED if signed else SEQUENTIAL)[theme]
    places = np.clip(np.nan_to_num(values / (reach or 1.0)), -1, 1)
    return _interpolate_scale(scale)[np.rint((places * 0.5 + 0.5 if signed else places.clip(0)) * 255).astype(int)]


def _interpolate_scale(scale: Scale) -> Pixels:
    """The scale in 256 steps: (256, 3)."""
    stops = [place for place, _ in scale]
    rgb = np.array([[int(tone[i : i + 2], 16) for i in (1, 3, 5)] for _, tone in scale])
    at = np.linspace(0, 1, 256)
    return np.stack([np.interp(at, stops, rgb[:, channel]) for channel in range(3)], -1).round().astype(np.uint8)


def mosaic(tiles: NDArray[np.uint8], columns: int, theme: Theme = "light", gap: int = 1) -> Pixels:
    """Small pictures (n, h, w, 3) in rows of `columns`, with the page's background between them."""
    count, height, width, _ = tiles.shape
    rows = -(-count // columns)
    background = _interpolate_scale(((0.0, colour("background", theme)), (1.0, colour("background", theme))))[0]
    whole = np.empty((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), np.uint8)
    whole[:] = background
    for n, tile in enumerate(tiles):
        top, left = n // columns * (height + gap), n % columns * (width + gap)
        whole[top : top + height, left : left + width] = tile
    return whole


def enlarge_pixels(rgb: Pixels, least: int) -> Pixels:
    """Each pixel as a block of pixels, so that the picture is at least `least` wide and no viewer blurs it."""
    times = -(-least // rgb.shape[1])
    return rgb.repeat(times, 0).repeat(times, 1) if times > 1 else rgb


def picture_figure(
    rgb: Pixels, theme: Theme = "light", height: int = 360, hover: str | None = None, **layout: Any
) -> go.Figure:
    """A picture on axes of its pixels, without ticks. `hover`: Plotly's template with %{x} and %{y}.

    `layout`: more values for the layout of the figure.
    """
    rows, columns = rgb.shape[:2]
    axes = {
        "xaxis": {"visible": False, "range": [-0.5, columns - 0.5], "constrain": "domain"},
        "yaxis": {"visible": False, "range": [rows - 0.5, -0.5], "scaleanchor": "x", "constrain": "domain"},
    }
    image = go.Image(source=data_uri(rgb), hovertemplate=hover, hoverinfo=None if hover else "skip")
    return make_figure(image, theme, height, **(axes | layout))


def _encode(rgb: Pixels, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(rgb).save(file, kind, **options)
    return file.getvalue()
