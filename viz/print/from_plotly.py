"""Turns a figure of the screen (Plotly) into one for print (Matplotlib): the same data, colours, axes and labels.

It knows only what this project draws: heatmaps, images, scatters (flat and in space), bars, shapes, annotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

import numpy as np
import plotly.graph_objects as go
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator, PercentFormatter

from viz.print.files import set_fonts
from viz.print.space import draw_faces, draw_points
from viz.shared.ink import has_cell_texts
from viz.shared.pictures import read_data_uri
from viz.shared.plotly_values import cell_borders, colormap, one_each, own_colour, plain_words, rgba, with_gaps
from viz.shared.style import COLOURS, SERIES

WIDTH_INCHES = 7.2  # between the outer axes, where the figure has no width of its own
TICK_POINTS = 9.0  # of the labels of axes; upright ones are smaller where there are many
PIXELS_PER_INCH = 100  # of the screen, for an inch of paper
POINTS_PER_PIXEL = 0.75  # of a font
CELL_LETTER = 0.85  # of a number that fills its cell on the screen: the letters of print are wider
MAX_VECTOR_CELLS = 64 * 64  # a matrix of more cells is one image in the file, not a square for each cell
DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}
MARKERS = {"square": "s", "diamond": "D", "x": "x", "cross": "P", "triangle-up": "^", "star": "*", "circle-open": "o"}


def to_matplotlib(figure: go.Figure) -> Figure:
    """The same figure in Matplotlib, on the background of its own theme. Raises ValueError for an unknown trace."""
    paper = _Paper(figure)
    for trace in figure.data:
        draw = {
            "heatmap": _draw_heatmap,
            "image": _draw_image,
            "scatter": _draw_scatter,
            "scattergl": _draw_scatter,
            "bar": _draw_bars,
        }
        draw |= {"scatter3d": draw_points, "mesh3d": draw_faces}
        if trace.type not in draw:
            raise ValueError(f"A {trace.type} cannot be drawn for print.")
        draw[trace.type](paper, trace)
    for each in (*figure.layout.shapes, *figure.layout.annotations):
        _axes_of(paper, each)  # makes axes where no trace has made them
    paper.dress()
    for shape in figure.layout.shapes:
        _draw_shape(paper, shape)
    for note in figure.layout.annotations:
        _draw_annotation(paper, note)
    paper.finish()
    return paper.figure


class _Paper:
    """An unfinished Matplotlib figure: its axes by Plotly's names, and the state that all traces share."""

    def __init__(self, source: go.Figure) -> None:
        self.layout = source.layout
        self.ink = self.layout.template.layout.font.color or "black"
        self.grid = self.layout.template.layout.xaxis.gridcolor or "#dddddd"
        dark = np.mean(rgba(self.ink)[:3]) > 0.5
        self.series = SERIES["dark" if dark else "light"]
        tall = (self.layout.height or 450) - self._margins("tb")
        wide = (self.layout.width - self._margins("lr")) / PIXELS_PER_INCH if self.layout.width else WIDTH_INCHES
        self.size = (wide, max(1.0, tall / PIXELS_PER_INCH))
        self.figure = Figure(figsize=self.size, facecolor=COLOURS["dark" if dark else "light"]["background"])
        self.axes: dict[tuple[str, str], Any] = {}
        self.categories: dict[str, list[str]] = {}
        self.whole: dict[str, bool] = {}  # whether all values on an axis are whole numbers
        self.bars: dict[Any, list[Any]] = {}
        self.count = 0
        bars = [trace for trace in source.data if trace.type == "bar"]
        self.groups = len(bars) if (self.layout.barmode or "group") == "group" else 1

    def _margins(self, sides: str) -> float:
        """The pixels of two margins."""
        return sum(8 if self.layout.margin[side] is None else self.layout.margin[side] for side in sides)

    def place(self, x: str | None, y: str | None, *, space: bool = False) -> Any:
        """The Matplotlib axes of a pair of Plotly's axes. The first call for a pair makes them."""
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
        """The next colour of the series, for a trace that names none."""
        self.count += 1
        return self.series[(self.count - 1) % len(self.series)]

    def numbers(self, name: str | None, letter: str, values: Any, count: int) -> np.ndarray[Any, Any]:
        """Values along an axis. Numbers stay, names become their places, and missing values become 0, 1, 2, ..."""
        values = np.arange(count) if values is None else np.asarray(values)
        if values.dtype.kind in "fiub" and self.axis(name or letter).type != "category":
            whole = bool((values[np.isfinite(values)] % 1 == 0).all())
            self.whole[name or letter] = self.whole.get(name or letter, True) and whole
            return values
        names = self.categories.setdefault(name or letter, [])
        for value in map(str, values):
            if value not in names:
                names.append(value)
        return np.array([names.index(str(value)) for value in values])

    def dress(self) -> None:
        """Gives every pair of axes the look of the layout."""
        for (x, y), axes in self.axes.items():
            if hasattr(axes, "zaxis"):
                continue
            for name, letter in ((x, "x"), (y, "y")):
                _dress_axis(self, axes, name, letter)
            sides = self.axis(x).showline and self.axis(x).mirror
            axes.spines[:].set_visible(bool(sides))
            axes.spines[:].set_color(self.grid)
            axes.set_axisbelow(True)

    def finish(self) -> None:
        top = self._legend()
        if self.layout.title.text:
            place = {"y": top + 0.1 / self.size[1], "va": "bottom"} if top else {"y": 1.1}
            self.figure.suptitle(plain_words(self.layout.title.text), fontsize=10, color=self.ink, **place)
        set_fonts(self.figure)

    def _legend(self) -> float:
        """Draws the legend, and returns its upper end as a share of the figure's height. 0 if there is none."""
        entries: dict[str, Any] = {}
        for axes in self.axes.values():
            handles, labels = axes.get_legend_handles_labels()
            entries.update(dict(zip(labels, handles, strict=True)))
        if self.layout.showlegend is False or not (len(entries) > 1 or self.layout.showlegend):
            return 0
        crowded = self.layout.annotations or any(self.axis(x).side == "top" for x, _ in self.axes)
        above = 1 + (0.4 if crowded else 0.05) / self.size[1]
        self.figure.legend(
            entries.values(), entries.keys(), loc="lower center", bbox_to_anchor=(0.5, above), ncols=3,
            frameon=False, fontsize=9, labelcolor=self.ink,
        )  # fmt: skip
        return above + (0.1 + 0.24 * -(-len(entries) // 3)) / self.size[1]  # margins, and rows of 9 points


def _is_range(ends: Sequence[Any]) -> bool:
    """Whether both ends are known. Plotly chooses one that is None, or is not finite."""
    return all(end is not None and (isinstance(end, str) or np.isfinite(end)) for end in ends)


def _dress_axis(paper: _Paper, axes: Any, name: str, letter: str) -> None:
    """Gives one axis the range, scale, ticks, title and grid that it has in Plotly."""
    source, lines = paper.axis(name), getattr(axes, f"{letter}axis")
    set_limits = getattr(axes, f"set_{letter}lim")
    if source.type == "log":
        getattr(axes, f"set_{letter}scale")("log")
        lines.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        lines.set_minor_formatter(NullFormatter())
    if source.range is not None and _is_range(source.range):
        set_limits(*(10 ** np.asarray(source.range, float) if source.type == "log" else source.range))
    elif source.autorange == "reversed":
        lines.set_inverted(True)
    if source.scaleanchor:
        axes.set_aspect("equal")
        axes.set_anchor("NW" if source.constraintoward == "top" else "C")
    if name in paper.categories:
        _set_ticks(lines, range(len(paper.categories[name])), paper.categories[name])
    elif source.tickvals is not None:
        _set_ticks(lines, source.tickvals, source.ticktext if source.ticktext is not None else None)
    elif source.type != "log":
        whole = {"integer": True} if paper.whole.get(name) else {}
        lines.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], **whole))
    if source.tickformat and "%" in source.tickformat:
        lines.set_major_formatter(PercentFormatter(1, decimals=0))
    if source.side in ("top", "right"):
        getattr(lines, f"tick_{source.side}")()
        lines.set_label_position(source.side)
    turned = abs(source.tickangle or 0)
    style = {"rotation": 60, "ha": "left" if source.side == "top" else "right", "rotation_mode": "anchor"}
    size = TICK_POINTS
    if turned > 75 and source.tickvals is not None:
        style = {"rotation": 90}
        size = min(size, 0.7 * 72 * WIDTH_INCHES / max(len(source.tickvals), 1))
    tones = [own_colour(str(text)) for text in (source.ticktext if source.ticktext is not None else ())]
    for label, tone in zip(lines.get_ticklabels(), chain(tones, repeat(None)), strict=False):
        label.set(
            fontsize=size if letter == "x" else TICK_POINTS,
            color=tone or paper.ink,
            **(style if turned > 20 and letter == "x" else {}),
        )
    lines.set_tick_params(length=0)
    if source.title.text:
        ink = rgba(source.title.font.color or paper.ink)
        getattr(axes, f"set_{letter}label")(plain_words(source.title.text), color=ink, fontsize=10)
    if source.showgrid is not False:
        lines.grid(color=paper.grid, linewidth=0.7)
    if source.visible is False or source.showticklabels is False:
        lines.set_major_locator(FixedLocator([]) if source.visible is False else lines.get_major_locator())
        lines.set_minor_locator(NullLocator())
        lines.set_tick_params(labelbottom=False, labeltop=False, labelleft=False, labelright=False)


def _set_ticks(lines: Any, places: Sequence[float], labels: Sequence[Any] | None) -> None:
    lines.set_ticks(list(places), None if labels is None else [plain_words(str(label)) for label in labels])


def _draw_heatmap(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    values = np.asarray(trace.z, float)
    x = paper.numbers(trace.xaxis, "x", trace.x, values.shape[1])
    y = paper.numbers(trace.yaxis, "y", trace.y, values.shape[0])
    reach = np.nanmin(values, initial=np.inf), np.nanmax(values, initial=-np.inf)
    low = trace.zmin if trace.zmin is not None else reach[0]
    high = trace.zmax if trace.zmax is not None else reach[1]
    norm, shades, is_image = Normalize(low, high), colormap(trace.colorscale), values.size > MAX_VECTOR_CELLS
    cells = np.ma.masked_where(~np.isfinite(values) | (shades(norm(values))[..., 3] == 0), values)
    draw = axes.pcolormesh if is_image else axes.pcolor  # which leaves cells without a colour out of the file
    mesh = draw(
        cell_borders(x), cell_borders(y), cells, cmap=shades, norm=norm, rasterized=is_image,
        edgecolors=paper.figure.get_facecolor() if trace.xgap else "none", linewidth=0.4 * (trace.xgap or 0),
    )  # fmt: skip
    if trace.showscale is not False:
        bar = paper.figure.colorbar(mesh, **_place_of_scale(paper, axes, trace.colorbar))
        bar.outline.set_visible(False)
        if trace.colorbar.tickvals is not None:
            bar.set_ticks(list(trace.colorbar.tickvals), labels=[str(text) for text in trace.colorbar.ticktext])
        bar.ax.tick_params(labelsize=8, length=2, colors=paper.ink)


def _place_of_scale(paper: _Paper, axes: Any, bar: Any) -> dict[str, Any]:
    """Where a heatmap's scale stands: to the right, or below cells that keep their form."""
    if bar.orientation != "h":
        return {"ax": axes, "pad": 0.02, "aspect": 25}
    thick = (bar.thickness or 30) / PIXELS_PER_INCH / paper.size[1]
    return {"cax": axes.inset_axes((0, -2.5 * thick, bar.len or 1, thick)), "orientation": "horizontal"}


def _draw_image(paper: _Paper, trace: Any) -> None:
    """An image on axes of its pixels, as one image in the file."""
    rgb = read_data_uri(trace.source)
    paper.place(trace.xaxis, trace.yaxis).imshow(rgb, interpolation="nearest", aspect="auto")


def _draw_scatter(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    count = len(trace.y if trace.y is not None else trace.x)
    x = paper.numbers(trace.xaxis, "x", with_gaps(trace.x), count)
    y = paper.numbers(trace.yaxis, "y", with_gaps(trace.y), count)
    mode = trace.mode or "lines"
    tone = trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else None) or paper.colour()
    legend: dict[str, Any] = {"label": plain_words(trace.name)} if trace.name and trace.showlegend is not False else {}
    alpha = {} if trace.opacity is None else {"alpha": trace.opacity}
    width, dash = 2 if trace.line.width is None else trace.line.width, DASHES.get(trace.line.dash or "", "-")
    if "lines" in mode and width:
        axes.plot(x, y, color=rgba(tone), linestyle=dash, linewidth=POINTS_PER_PIXEL * width, **alpha, **legend)
    if trace.fill == "toself":
        axes.fill(x, y, color=rgba(trace.fillcolor or tone), linewidth=0)
    elif trace.fill == "tozeroy":
        axes.fill_between(x, 0, y, color=rgba(trace.fillcolor or tone), linewidth=0)
    if "markers" in mode and trace.marker.opacity != 0:  # transparent ones only take clicks
        _draw_markers(axes, x, y, trace, tone, alpha | ({} if "lines" in mode else legend))
    if "text" in mode and trace.text is not None:
        above = "top" in str(trace.textposition or "")
        points = POINTS_PER_PIXEL * (trace.textfont.size or 12) * (CELL_LETTER if has_cell_texts(trace) else 1)
        labels, tones = one_each(trace.text, count), one_each(trace.textfont.color or paper.ink, count)
        for px, py, label, ink in zip(x, y, labels, tones, strict=False):
            axes.annotate(
                plain_words(str(label)), (px, py), (0, 6 if above else 0), textcoords="offset points", ha="center",
                va="bottom" if above else "center_baseline", fontsize=points, color=rgba(ink),
            )  # fmt: skip


def _draw_markers(axes: Any, x: Any, y: Any, trace: Any, tone: str, style: dict[str, Any]) -> None:
    marker = trace.marker
    symbol = marker.symbol if isinstance(marker.symbol, str) else "circle"
    size = np.asarray(marker.size if marker.size is not None else 7, float)
    colours: Any = [rgba(tone)]
    if marker.color is not None and not isinstance(marker.color, str):
        values = list(marker.color)
        numbers = bool(values) and not isinstance(values[0], str)
        colours = values if numbers else [rgba(each) for each in values]
        if numbers:
            style = style | {"cmap": colormap(marker.colorscale), "vmin": marker.cmin, "vmax": marker.cmax}
    edge = marker.line.color if isinstance(marker.line.color, str) else None
    hollow = symbol.endswith("-open")
    if marker.opacity is not None and not hollow:
        style = style | {"alpha": marker.opacity}
    axes.scatter(
        x, y, s=(POINTS_PER_PIXEL * size) ** 2, marker=MARKERS.get(symbol, "o"), **({} if hollow else {"c": colours}),
        **({"facecolors": "none", "edgecolors": colours} if hollow else {"edgecolors": rgba(edge)} if edge else {}),
        linewidths=POINTS_PER_PIXEL * float(marker.line.width or (1.5 if hollow else 0)), **style,
    )  # fmt: skip


def _draw_bars(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    flat = trace.orientation == "h" or trace.y is None  # as Plotly infers it
    positions, sizes = (trace.y, trace.x) if flat else (trace.x, trace.y)
    sizes = np.nan_to_num(with_gaps(sizes).astype(float))
    own = (trace.yaxis, "y") if flat else (trace.xaxis, "x")
    places = paper.numbers(*own, positions, len(sizes)).astype(float)
    earlier = paper.bars.setdefault(axes, [])
    thick = 0.8 / paper.groups
    if paper.groups > 1:
        places = places + (len(earlier) - (paper.groups - 1) / 2) * thick
    start: Any = 0.0 if trace.base is None else np.asarray(trace.base, float)
    if paper.layout.barmode in ("stack", "relative") and earlier:
        start = sum(earlier)
    earlier.append(sizes)
    has_colours = trace.marker.color is not None and not isinstance(trace.marker.color, str)
    tone = [rgba(each) for each in trace.marker.color] if has_colours else rgba(trace.marker.color or paper.colour())
    legend: dict[str, Any] = {"label": plain_words(trace.name)} if trace.name and trace.showlegend is not False else {}
    draw = axes.barh if flat else axes.bar
    drawn_bars = draw(places, sizes, thick, start, color=tone, **legend)
    if trace.text is not None and trace.textposition != "none":
        labels = one_each(trace.text, len(sizes))
        axes.bar_label(
            drawn_bars, [plain_words(str(label)) for label in labels], padding=3, fontsize=8, color=paper.ink
        )


def _draw_shape(paper: _Paper, shape: Any) -> None:
    """Draws a line or a rectangle, in data or along a whole axis ("x domain", "paper")."""
    axes = _axes_of(paper, shape)
    own = [ref in ("x", "y") or ref[1:].isdigit() for ref in (shape.xref or "x", shape.yref or "y")]
    space = axes.transData if all(own) else axes.get_xaxis_transform() if own[0] else axes.get_yaxis_transform()
    style = {"color": rgba(shape.line.color or paper.ink), "linewidth": POINTS_PER_PIXEL * (shape.line.width or 2)}
    style["linestyle"] = DASHES.get(shape.line.dash or "", "-")
    x, y = (shape.x0, shape.x1), (shape.y0, shape.y1)
    if shape.type == "line":
        axes.plot(x, y, transform=space, scalex=False, scaley=False, **style)
    else:
        corners = ([x[0], x[1], x[1], x[0]], [y[0], y[0], y[1], y[1]])
        face = rgba(shape.fillcolor) if shape.fillcolor else "none"
        edge = style["color"] if shape.line.width != 0 else "none"
        look = {"facecolor": face, "edgecolor": edge, "linewidth": style["linewidth"]}
        axes.fill(*corners, transform=space, clip_on=not all(own), **look)  # a frame of a cell at the edge stays whole


def _draw_annotation(paper: _Paper, note: Any) -> None:
    tone = rgba(note.font.color or paper.ink)
    style = {"ha": note.xanchor or "center", "va": note.yanchor or "center", "color": tone}
    style["fontsize"] = POINTS_PER_PIXEL * (note.font.size or 13)
    style["ha"] = {"auto": "center"}.get(style["ha"], style["ha"])
    style["va"] = {"auto": "center", "middle": "center"}.get(style["va"], style["va"])
    shift = (POINTS_PER_PIXEL * (note.xshift or 0), POINTS_PER_PIXEL * (note.yshift or 0))
    if note.showarrow is not False:
        shift = (POINTS_PER_PIXEL * (note.ax or 0), -POINTS_PER_PIXEL * (note.ay if note.ay is not None else -30))
    refs = (note.xref or "x", note.yref or "y")
    axes = _axes_of(paper, note)
    spaces = tuple(_transform_of(paper, axes, ref) for ref in refs)
    scales = (axes.get_xscale(), axes.get_yscale())
    x, y = (  # on a logarithmic axis Plotly keeps the logarithm
        10**value if scale == "log" and space is axes.transData else value
        for value, scale, space in zip((note.x, note.y), scales, spaces, strict=True)
    )
    if note.axref == refs[0] and note.ayref == refs[1]:  # an arrow from a place in the data, without words
        arrow_style = {"arrowstyle": "-|>", "color": rgba(note.arrowcolor or tone), "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            "",
            (x, y),
            (note.ax, note.ay),
            arrowprops=arrow_style | {"linewidth": POINTS_PER_PIXEL * (note.arrowwidth or 1)},
        )
        return
    arrow = {"arrowprops": {"arrowstyle": "->", "color": tone}} if note.showarrow is not False and any(shift) else {}
    axes.annotate(
        plain_words(note.text or ""), (x, y), shift, xycoords=spaces, textcoords="offset points",
        annotation_clip=False, **arrow, **style,
    )  # fmt: skip


def _axes_of(paper: _Paper, each: Any) -> Any:
    """The axes that a shape or an annotation belongs to."""
    refs = ((each.xref or "x").split(" ")[0], (each.yref or "y").split(" ")[0])
    return paper.place(*(letter if ref == "paper" else ref for letter, ref in zip("xy", refs, strict=True)))


def _transform_of(paper: _Paper, axes: Any, ref: str) -> Any:
    """The units of a coordinate: shares of the figure ("paper"), shares of an axis ("x domain"), or data ("x")."""
    return paper.figure.transFigure if ref == "paper" else axes.transAxes if "domain" in ref else axes.transData
