"""A figure of the screen (Plotly) as a figure for print (Matplotlib): the same data, colours, axes and labels.

Only what this project draws is known: heatmaps, pictures, scatters (flat and in space), bars, shapes and annotations.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import AutoLocator, FixedLocator, FuncFormatter, NullFormatter, NullLocator, PercentFormatter

from viz.files import fonts
from viz.pictures import from_uri
from viz.style import COLOURS, SERIES

WIDTH = 7.2  # inches between the outer axes
PIXELS = 100  # of the screen, for one inch
POINT = 0.75  # of a pixel of a font on the screen
RASTER = 64 * 64  # a matrix of more cells is one image in the file, not a square per cell
DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}
MARKERS = {"square": "s", "diamond": "D", "x": "x", "cross": "P", "triangle-up": "^", "star": "*", "circle-open": "o"}


def drawn(figure: go.Figure) -> Figure:
    """The same picture in Matplotlib, on the ground of its own theme. ValueError for a kind of trace not known here."""
    paper = _Paper(figure)
    for trace in figure.data:
        draw = {"heatmap": _heatmap, "image": _image, "scatter": _scatter, "scattergl": _scatter, "bar": _bar}
        draw["scatter3d"] = _in_space
        if trace.type not in draw:
            raise ValueError(f"A {trace.type} cannot be drawn for print.")
        draw[trace.type](paper, trace)
    for each in (*figure.layout.shapes, *figure.layout.annotations):
        _axes_of(paper, each)  # where nothing else is drawn, they have axes of their own
    paper.dress()
    for shape in figure.layout.shapes:
        _shape(paper, shape)
    for note in figure.layout.annotations:
        _annotation(paper, note)
    paper.finish()
    return paper.figure


class _Paper:
    """The Matplotlib figure in the making: its axes by Plotly's names, and what all traces share."""

    def __init__(self, source: go.Figure) -> None:
        self.layout = source.layout
        self.ink = self.layout.template.layout.font.color or "black"
        self.grid = self.layout.template.layout.xaxis.gridcolor or "#dddddd"
        dark = np.mean(_rgba(self.ink)[:3]) > 0.5
        self.series = SERIES["dark" if dark else "light"]
        tall = (self.layout.height or 450) - sum(self.layout.margin[side] or 8 for side in "tb")
        self.size = (WIDTH, max(1.0, tall / PIXELS))
        self.figure = Figure(figsize=self.size, facecolor=COLOURS["dark" if dark else "light"]["background"])
        self.axes: dict[tuple[str, str], Any] = {}
        self.categories: dict[str, list[str]] = {}
        self.bars: dict[Any, list[Any]] = {}
        self.count = 0
        bars = [trace for trace in source.data if trace.type == "bar"]
        self.groups = len(bars) if (self.layout.barmode or "group") == "group" else 1

    def place(self, x: str | None, y: str | None, *, space: bool = False) -> Any:
        """The axes of a pair of Plotly's axes, made where it is first named."""
        pair = (x or "x", y or "y")
        if pair not in self.axes:
            across = (0, 1) if space else self.axis(pair[0]).domain or (0, 1)
            up = (0, 1) if space else self.axis(pair[1]).domain or (0, 1)
            box = (across[0], up[0], across[1] - across[0], up[1] - up[0])
            self.axes[pair] = self.figure.add_axes(
                box, facecolor="none", label=str(pair), projection="3d" if space else None
            )
        return self.axes[pair]

    def axis(self, name: str) -> Any:
        return self.layout[name[0] + "axis" + name[1:]]

    def colour(self) -> str:
        """The colour of a trace that names none: the next one of the house."""
        self.count += 1
        return self.series[(self.count - 1) % len(self.series)]

    def numbers(self, name: str | None, letter: str, values: Any, count: int) -> np.ndarray[Any, Any]:
        """Values along an axis: numbers as they are, names as their places, none as 0, 1, 2, ..."""
        if values is None:
            return np.arange(count)
        values = np.asarray(values)
        if values.dtype.kind in "fiub" and self.axis(name or letter).type != "category":
            return values
        known = self.categories.setdefault(name or letter, [])
        for value in map(str, values):
            if value not in known:
                known.append(value)
        return np.array([known.index(str(value)) for value in values])

    def dress(self) -> None:
        """Every pair of axes as the layout has them, and the title."""
        for (x, y), axes in self.axes.items():
            if hasattr(axes, "zaxis"):
                continue
            for name, letter in ((x, "x"), (y, "y")):
                _dress(self, axes, name, letter)
            sides = self.axis(x).showline and self.axis(x).mirror
            axes.spines[:].set_visible(bool(sides))
            axes.spines[:].set_color(self.grid)
            axes.set_axisbelow(True)
        if self.layout.title.text:
            self.figure.suptitle(_words(self.layout.title.text), y=1.1, fontsize=10, color=self.ink)

    def finish(self) -> None:
        self._legend()
        for text in self.figure.findobj(Text):
            text.set(family=fonts(), parse_math=False)  # labels are never read as mathematics

    def _legend(self) -> None:
        entries = {}
        for axes in self.axes.values():
            handles, labels = axes.get_legend_handles_labels()
            entries.update(dict(zip(labels, handles, strict=True)))
        if self.layout.showlegend is not False and (len(entries) > 1 or self.layout.showlegend):
            crowded = self.layout.annotations or any(self.axis(x).side == "top" for x, _ in self.axes)
            above = 1 + (0.4 if crowded else 0.05) / self.size[1]
            self.figure.legend(
                entries.values(), entries.keys(), loc="lower center", bbox_to_anchor=(0.5, above), ncols=3,
                frameon=False, fontsize=9, labelcolor=self.ink,
            )  # fmt: skip


def _dress(paper: _Paper, axes: Any, name: str, letter: str) -> None:
    """Range, scale, ticks, title and grid of one axis, as Plotly has them."""
    source, lines = paper.axis(name), getattr(axes, f"{letter}axis")
    set_limits = getattr(axes, f"set_{letter}lim")
    if source.type == "log":
        getattr(axes, f"set_{letter}scale")("log")
        lines.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        lines.set_minor_formatter(NullFormatter())
    if source.range is not None and None not in source.range:
        set_limits(*(10 ** np.asarray(source.range, float) if source.type == "log" else source.range))
    elif source.autorange == "reversed":
        lines.set_inverted(True)
    if source.scaleanchor:
        axes.set_aspect("equal")
    if name in paper.categories:
        _ticks(lines, range(len(paper.categories[name])), paper.categories[name])
    elif source.tickvals is not None:
        _ticks(lines, source.tickvals, source.ticktext if source.ticktext is not None else None)
    elif source.type != "log":
        lines.set_major_locator(AutoLocator())
    if source.tickformat and "%" in source.tickformat:
        lines.set_major_formatter(PercentFormatter(1, decimals=0))
    if source.side in ("top", "right"):
        getattr(lines, f"tick_{source.side}")()
        lines.set_label_position(source.side)
    turned = abs(source.tickangle or 0)
    style = {"rotation": 60, "ha": "left" if source.side == "top" else "right", "rotation_mode": "anchor"}
    for label in lines.get_ticklabels():
        label.set(fontsize=9, color=paper.ink, **(style if turned > 20 and letter == "x" else {}))
    lines.set_tick_params(length=0)
    if source.title.text:
        getattr(axes, f"set_{letter}label")(_words(source.title.text), color=paper.ink, fontsize=10)
    if source.showgrid is not False:
        lines.grid(color=paper.grid, linewidth=0.7)
    if source.visible is False or source.showticklabels is False:
        lines.set_major_locator(FixedLocator([]) if source.visible is False else lines.get_major_locator())
        lines.set_minor_locator(NullLocator())
        lines.set_tick_params(labelbottom=False, labeltop=False, labelleft=False, labelright=False)


def _ticks(lines: Any, places: Sequence[float], labels: Sequence[Any] | None) -> None:
    lines.set_ticks(list(places), None if labels is None else [_words(str(label)) for label in labels])


def _heatmap(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    values = np.asarray(trace.z, float)
    x = paper.numbers(trace.xaxis, "x", trace.x, values.shape[1])
    y = paper.numbers(trace.yaxis, "y", trace.y, values.shape[0])
    reach = np.nanmin(values, initial=np.inf), np.nanmax(values, initial=-np.inf)
    low = trace.zmin if trace.zmin is not None else reach[0]
    high = trace.zmax if trace.zmax is not None else reach[1]
    mesh = axes.pcolormesh(
        _edges(x), _edges(y), np.ma.masked_invalid(values), cmap=_scale(trace.colorscale), norm=Normalize(low, high),
        rasterized=values.size > RASTER, edgecolors=paper.figure.get_facecolor() if trace.xgap else "none",
        linewidth=0.4 * (trace.xgap or 0),
    )  # fmt: skip
    if trace.texttemplate and trace.text is not None:
        for (row, column), label in np.ndenumerate(np.asarray(trace.text, object)):
            bright = np.mean(mesh.cmap(mesh.norm(values[row, column]))[:3]) > 0.55
            axes.text(
                x[column], y[row], _words(str(label)), ha="center", va="center", fontsize=8,
                color="black" if bright else "white",
            )  # fmt: skip
    if trace.showscale is not False:
        bar = paper.figure.colorbar(mesh, ax=axes, pad=0.02, aspect=25)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=8, length=2, labelcolor=paper.ink)


def _image(paper: _Paper, trace: Any) -> None:
    """A picture on axes of its pixels, as one image in the file."""
    rgb = from_uri(trace.source)
    paper.place(trace.xaxis, trace.yaxis).imshow(rgb, interpolation="nearest", aspect="auto")


def _scatter(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    count = len(trace.y if trace.y is not None else trace.x)
    x = paper.numbers(trace.xaxis, "x", _floats(trace.x), count)
    y = paper.numbers(trace.yaxis, "y", _floats(trace.y), count)
    mode = trace.mode or "lines"
    tone = trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else None) or paper.colour()
    named: dict[str, Any] = {"label": _words(trace.name)} if trace.name and trace.showlegend is not False else {}
    alpha = {} if trace.opacity is None else {"alpha": trace.opacity}
    if "lines" in mode:
        width, dash = trace.line.width, DASHES.get(trace.line.dash or "", "-")
        axes.plot(x, y, color=_rgba(tone), linestyle=dash, linewidth=POINT * (width or 2), **alpha, **named)
    if trace.fill == "tozeroy":
        axes.fill_between(x, 0, y, color=_rgba(trace.fillcolor or tone), linewidth=0)
    if "markers" in mode:
        _markers(axes, x, y, trace, tone, alpha | ({} if "lines" in mode else named))
    if "text" in mode and trace.text is not None:
        above = "top" in str(trace.textposition or "")
        labels, tones = _each(trace.text, count), _each(trace.textfont.color or paper.ink, count)
        for px, py, label, ink in zip(x, y, labels, tones, strict=False):
            axes.annotate(
                _words(str(label)), (px, py), (0, 6 if above else 0), textcoords="offset points", ha="center",
                va="bottom" if above else "center", fontsize=POINT * (trace.textfont.size or 12), color=_rgba(ink),
            )  # fmt: skip


def _each(value: Any, count: int) -> Sequence[Any]:
    """One value for all points, or one for each."""
    return [value] * count if isinstance(value, str) else value


def _markers(axes: Any, x: Any, y: Any, trace: Any, tone: str, style: dict[str, Any]) -> None:
    marker = trace.marker
    symbol = marker.symbol if isinstance(marker.symbol, str) else "circle"
    size = np.asarray(marker.size if marker.size is not None else 7, float)
    colours: Any = [_rgba(tone)]
    if marker.color is not None and not isinstance(marker.color, str):
        many = list(marker.color)
        numbers = bool(many) and not isinstance(many[0], str)
        colours = many if numbers else [_rgba(each) for each in many]
        if numbers:
            style = style | {"cmap": _scale(marker.colorscale), "vmin": marker.cmin, "vmax": marker.cmax}
    edge = marker.line.color if isinstance(marker.line.color, str) else None
    hollow = symbol.endswith("-open")
    if marker.opacity is not None and not hollow:
        style = style | {"alpha": marker.opacity}
    axes.scatter(
        x, y, s=(POINT * size) ** 2, marker=MARKERS.get(symbol, "o"), **({} if hollow else {"c": colours}),
        **({"facecolors": "none", "edgecolors": colours} if hollow else {"edgecolors": _rgba(edge)} if edge else {}),
        linewidths=POINT * float(marker.line.width or (1.5 if hollow else 0)), **style,
    )  # fmt: skip


def _bar(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    flat = trace.orientation == "h" or trace.y is None  # as Plotly infers it
    along, sizes = (trace.y, trace.x) if flat else (trace.x, trace.y)
    sizes = np.nan_to_num(_floats(sizes).astype(float))
    own = (trace.yaxis, "y") if flat else (trace.xaxis, "x")
    places = paper.numbers(*own, along, len(sizes)).astype(float)
    before = paper.bars.setdefault(axes, [])
    thick = 0.8 / paper.groups
    if paper.groups > 1:
        places = places + (len(before) - (paper.groups - 1) / 2) * thick
    start: Any = 0.0 if trace.base is None else np.asarray(trace.base, float)
    if paper.layout.barmode in ("stack", "relative") and before:
        start = sum(before)
    before.append(sizes)
    many = trace.marker.color is not None and not isinstance(trace.marker.color, str)
    tone = [_rgba(each) for each in trace.marker.color] if many else _rgba(trace.marker.color or paper.colour())
    named: dict[str, Any] = {"label": _words(trace.name)} if trace.name and trace.showlegend is not False else {}
    draw = axes.barh if flat else axes.bar
    drawn_bars = draw(places, sizes, thick, start, color=tone, **named)
    if trace.text is not None and trace.textposition != "none":
        labels = _each(trace.text, len(sizes))
        axes.bar_label(drawn_bars, [_words(str(label)) for label in labels], padding=3, fontsize=8, color=paper.ink)


def _in_space(paper: _Paper, trace: Any) -> None:
    axes: Any = paper.place("x", "y", space=True)
    tone = trace.line.color if isinstance(trace.line.color, str) else paper.colour()
    style = {"color": _rgba(tone), "linestyle": "-" if "lines" in (trace.mode or "") else "none"}
    axes.plot(trace.x, trace.y, trace.z, marker="o" if "markers" in (trace.mode or "") else None, **style)
    for place, label in enumerate(trace.text if trace.text is not None and "text" in (trace.mode or "") else ()):
        axes.text(trace.x[place], trace.y[place], trace.z[place], _words(str(label)), color=paper.ink, fontsize=9)


def _shape(paper: _Paper, shape: Any) -> None:
    """A line or a rectangle, in data or along the whole of an axis ("x domain", "paper")."""
    axes = _axes_of(paper, shape)
    own = [ref in ("x", "y") or ref[1:].isdigit() for ref in (shape.xref or "x", shape.yref or "y")]
    space = axes.transData if all(own) else axes.get_xaxis_transform() if own[0] else axes.get_yaxis_transform()
    style = {"color": _rgba(shape.line.color or paper.ink), "linewidth": POINT * (shape.line.width or 2)}
    style["linestyle"] = DASHES.get(shape.line.dash or "", "-")
    x, y = (shape.x0, shape.x1), (shape.y0, shape.y1)
    if shape.type == "line":
        axes.plot(x, y, transform=space, scalex=False, scaley=False, **style)
    else:
        corners = ([x[0], x[1], x[1], x[0]], [y[0], y[0], y[1], y[1]])
        face = _rgba(shape.fillcolor) if shape.fillcolor else "none"
        edge = style["color"] if shape.line.width != 0 else "none"
        axes.fill(*corners, facecolor=face, edgecolor=edge, transform=space, linewidth=style["linewidth"])


def _annotation(paper: _Paper, note: Any) -> None:
    tone = _rgba(note.font.color or paper.ink)
    style = {"ha": note.xanchor or "center", "va": note.yanchor or "center", "color": tone}
    style["fontsize"] = POINT * (note.font.size or 13)
    style["ha"] = {"auto": "center"}.get(style["ha"], style["ha"])
    style["va"] = {"auto": "center", "middle": "center"}.get(style["va"], style["va"])
    shift = (POINT * (note.xshift or 0), POINT * (note.yshift or 0))
    if note.showarrow is not False:
        shift = (POINT * (note.ax or 0), -POINT * (note.ay if note.ay is not None else -30))
    refs = (note.xref or "x", note.yref or "y")
    axes = _axes_of(paper, note)
    where = tuple(_space(paper, axes, ref) for ref in refs)
    scales = (axes.get_xscale(), axes.get_yscale())
    x, y = (  # on a logarithmic axis Plotly keeps the logarithm
        10**value if scale == "log" and space is axes.transData else value
        for value, scale, space in zip((note.x, note.y), scales, where, strict=True)
    )
    if note.axref == refs[0] and note.ayref == refs[1]:  # an arrow from a place in the data, not from words
        drawn = {"arrowstyle": "-|>", "color": _rgba(note.arrowcolor or tone), "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (x, y), (note.ax, note.ay), arrowprops=drawn | {"linewidth": POINT * (note.arrowwidth or 1)})
        return
    arrow = {"arrowprops": {"arrowstyle": "->", "color": tone}} if note.showarrow is not False and any(shift) else {}
    axes.annotate(
        _words(note.text or ""), (x, y), shift, xycoords=where, textcoords="offset points",
        annotation_clip=False, **arrow, **style,
    )  # fmt: skip


def _axes_of(paper: _Paper, each: Any) -> Any:
    """The axes that a shape or an annotation belongs to."""
    refs = ((each.xref or "x").split(" ")[0], (each.yref or "y").split(" ")[0])
    return paper.place(*(letter if ref == "paper" else ref for letter, ref in zip("xy", refs, strict=True)))


def _space(paper: _Paper, axes: Any, ref: str) -> Any:
    """What a coordinate is measured in: the whole picture ("paper"), an axis' length ("x domain"), or data ("x")."""
    return paper.figure.transFigure if ref == "paper" else axes.transAxes if "domain" in ref else axes.transData


def _edges(middles: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The borders of cells with these middles."""
    middles = middles.astype(float)
    if len(middles) == 1:
        return middles[0] + np.array([-0.5, 0.5])
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate(([2 * middles[0] - between[0]], between, [2 * middles[-1] - between[-1]]))


def _floats(values: Any) -> Any:
    """Numbers with gaps (None) as floats with nan; names stay as they are."""
    if values is None:
        return None
    values = np.asarray(values)
    if values.dtype.kind == "O" and all(value is None or isinstance(value, (int, float)) for value in values):
        return values.astype(float)
    return values


def _scale(colorscale: Any) -> LinearSegmentedColormap:
    stops = colorscale or ((0, "#ffffff"), (1, "#000000"))
    return LinearSegmentedColormap.from_list("house", [(place, _rgba(tone)) for place, tone in stops])


def _rgba(tone: Any) -> Any:
    """A colour of Plotly's (#rrggbb, rgb(...), rgba(...), a name) for Matplotlib."""
    found = re.fullmatch(r"rgba?\(([^)]*)\)", str(tone))
    if not found:
        return to_rgba(tone)
    parts = [float(part) for part in found.group(1).split(",")]
    return (*(part / 255 for part in parts[:3]), parts[3] if len(parts) > 3 else 1.0)


def _words(text: str) -> str:
    """What Plotly's few tags leave to read."""
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<br\s*/?>", "\n", text)))
