"""A figure of the screen (Plotly) as a figure for print (Matplotlib): the same data, colours, axes and labels.

Only what this project draws is known: heatmaps, pictures, scatters (flat and in space), bars, shapes and annotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator, PercentFormatter

from viz.print.files import set_fonts
from viz.shared.pictures import read_data_uri
from viz.shared.plotly_values import cell_borders, colormap, one_each, plain_words, rgba, with_gaps
from viz.shared.style import COLOURS, SERIES

WIDTH = 7.2  # inches between the outer axes
PIXELS = 100  # of the screen, for one inch
POINT = 0.75  # of a pixel of a font on the screen
RASTER = 64 * 64  # a matrix of more cells is one image in the file, not a square per cell
DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}
MARKERS = {"square": "s", "diamond": "D", "x": "x", "cross": "P", "triangle-up": "^", "star": "*", "circle-open": "o"}


def to_matplotlib(figure: go.Figure) -> Figure:
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
        dark = np.mean(rgba(self.ink)[:3]) > 0.5
        self.series = SERIES["dark" if dark else "light"]
        tall = (self.layout.height or 450) - sum(self.layout.margin[side] or 8 for side in "tb")
        self.size = (WIDTH, max(1.0, tall / PIXELS))
        self.figure = Figure(figsize=self.size, facecolor=COLOURS["dark" if dark else "light"]["background"])
        self.axes: dict[tuple[str, str], Any] = {}
        self.categories: dict[str, list[str]] = {}
        self.whole: dict[str, bool] = {}  # whether all values on an axis are whole numbers
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
        values = np.arange(count) if values is None else np.asarray(values)
        if values.dtype.kind in "fiub" and self.axis(name or letter).type != "category":
            whole = bool((values[np.isfinite(values)] % 1 == 0).all())
            self.whole[name or letter] = self.whole.get(name or letter, True) and whole
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

    def finish(self) -> None:
        top = self._legend()
        if self.layout.title.text:
            place = {"y": top + 0.1 / self.size[1], "va": "bottom"} if top else {"y": 1.1}
            self.figure.suptitle(plain_words(self.layout.title.text), fontsize=10, color=self.ink, **place)
        set_fonts(self.figure)

    def _legend(self) -> float:
        """The legend, and how far up the figure it reaches; 0 where there is none."""
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
        whole = {"integer": True} if paper.whole.get(name) else {}
        lines.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], **whole))
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
        getattr(axes, f"set_{letter}label")(plain_words(source.title.text), color=paper.ink, fontsize=10)
    if source.showgrid is not False:
        lines.grid(color=paper.grid, linewidth=0.7)
    if source.visible is False or source.showticklabels is False:
        lines.set_major_locator(FixedLocator([]) if source.visible is False else lines.get_major_locator())
        lines.set_minor_locator(NullLocator())
        lines.set_tick_params(labelbottom=False, labeltop=False, labelleft=False, labelright=False)


def _ticks(lines: Any, places: Sequence[float], labels: Sequence[Any] | None) -> None:
    lines.set_ticks(list(places), None if labels is None else [plain_words(str(label)) for label in labels])


def _heatmap(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    values = np.asarray(trace.z, float)
    x = paper.numbers(trace.xaxis, "x", trace.x, values.shape[1])
    y = paper.numbers(trace.yaxis, "y", trace.y, values.shape[0])
    reach = np.nanmin(values, initial=np.inf), np.nanmax(values, initial=-np.inf)
    low = trace.zmin if trace.zmin is not None else reach[0]
    high = trace.zmax if trace.zmax is not None else reach[1]
    mesh = axes.pcolormesh(
        cell_borders(x), cell_borders(y), np.ma.masked_invalid(values),
        cmap=colormap(trace.colorscale), norm=Normalize(low, high),
        rasterized=values.size > RASTER, edgecolors=paper.figure.get_facecolor() if trace.xgap else "none",
        linewidth=0.4 * (trace.xgap or 0),
    )  # fmt: skip
    if trace.texttemplate and trace.text is not None:
        for (row, column), label in np.ndenumerate(np.asarray(trace.text, object)):
            bright = np.mean(mesh.cmap(mesh.norm(values[row, column]))[:3]) > 0.55
            axes.text(
                x[column], y[row], plain_words(str(label)), ha="center", va="center", fontsize=8,
                color="black" if bright else "white",
            )  # fmt: skip
    if trace.showscale is not False:
        bar = paper.figure.colorbar(mesh, ax=axes, pad=0.02, aspect=25)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=8, length=2, labelcolor=paper.ink)


def _image(paper: _Paper, trace: Any) -> None:
    """A picture on axes of its pixels, as one image in the file."""
    rgb = read_data_uri(trace.source)
    paper.place(trace.xaxis, trace.yaxis).imshow(rgb, interpolation="nearest", aspect="auto")


def _scatter(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    count = len(trace.y if trace.y is not None else trace.x)
    x = paper.numbers(trace.xaxis, "x", with_gaps(trace.x), count)
    y = paper.numbers(trace.yaxis, "y", with_gaps(trace.y), count)
    mode = trace.mode or "lines"
    tone = trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else None) or paper.colour()
    named: dict[str, Any] = {"label": plain_words(trace.name)} if trace.name and trace.showlegend is not False else {}
    alpha = {} if trace.opacity is None else {"alpha": trace.opacity}
    width, dash = 2 if trace.line.width is None else trace.line.width, DASHES.get(trace.line.dash or "", "-")
    if "lines" in mode and width:
        axes.plot(x, y, color=rgba(tone), linestyle=dash, linewidth=POINT * width, **alpha, **named)
    if trace.fill == "toself":
        axes.fill(x, y, color=rgba(trace.fillcolor or tone), linewidth=0)
    elif trace.fill == "tozeroy":
        axes.fill_between(x, 0, y, color=rgba(trace.fillcolor or tone), linewidth=0)
    if "markers" in mode:
        _markers(axes, x, y, trace, tone, alpha | ({} if "lines" in mode else named))
    if "text" in mode and trace.text is not None:
        above = "top" in str(trace.textposition or "")
        labels, tones = one_each(trace.text, count), one_each(trace.textfont.color or paper.ink, count)
        for px, py, label, ink in zip(x, y, labels, tones, strict=False):
            axes.annotate(
                plain_words(str(label)), (px, py), (0, 6 if above else 0), textcoords="offset points", ha="center",
                va="bottom" if above else "center", fontsize=POINT * (trace.textfont.size or 12), color=rgba(ink),
            )  # fmt: skip


def _markers(axes: Any, x: Any, y: Any, trace: Any, tone: str, style: dict[str, Any]) -> None:
    marker = trace.marker
    symbol = marker.symbol if isinstance(marker.symbol, str) else "circle"
    size = np.asarray(marker.size if marker.size is not None else 7, float)
    colours: Any = [rgba(tone)]
    if marker.color is not None and not isinstance(marker.color, str):
        many = list(marker.color)
        numbers = bool(many) and not isinstance(many[0], str)
        colours = many if numbers else [rgba(each) for each in many]
        if numbers:
            style = style | {"cmap": colormap(marker.colorscale), "vmin": marker.cmin, "vmax": marker.cmax}
    edge = marker.line.color if isinstance(marker.line.color, str) else None
    hollow = symbol.endswith("-open")
    if marker.opacity is not None and not hollow:
        style = style | {"alpha": marker.opacity}
    axes.scatter(
        x, y, s=(POINT * size) ** 2, marker=MARKERS.get(symbol, "o"), **({} if hollow else {"c": colours}),
        **({"facecolors": "none", "edgecolors": colours} if hollow else {"edgecolors": rgba(edge)} if edge else {}),
        linewidths=POINT * float(marker.line.width or (1.5 if hollow else 0)), **style,
    )  # fmt: skip


def _bar(paper: _Paper, trace: Any) -> None:
    axes = paper.place(trace.xaxis, trace.yaxis)
    flat = trace.orientation == "h" or trace.y is None  # as Plotly infers it
    along, sizes = (trace.y, trace.x) if flat else (trace.x, trace.y)
    sizes = np.nan_to_num(with_gaps(sizes).astype(float))
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
    tone = [rgba(each) for each in trace.marker.color] if many else rgba(trace.marker.color or paper.colour())
    named: dict[str, Any] = {"label": plain_words(trace.name)} if trace.name and trace.showlegend is not False else {}
    draw = axes.barh if flat else axes.bar
    drawn_bars = draw(places, sizes, thick, start, color=tone, **named)
    if trace.text is not None and trace.textposition != "none":
        labels = one_each(trace.text, len(sizes))
        axes.bar_label(
            drawn_bars, [plain_words(str(label)) for label in labels], padding=3, fontsize=8, color=paper.ink
        )


def _in_space(paper: _Paper, trace: Any) -> None:
    axes: Any = paper.place("x", "y", space=True)
    for letter in "xyz":
        axis, source = getattr(axes, f"{letter}axis"), paper.layout.scene[f"{letter}axis"]
        axis.set_pane_color((0, 0, 0, 0))
        axis.line.set_color(paper.grid)
        axis.set_tick_params(colors=paper.ink, labelsize=8)
        axis._axinfo["grid"]["color"] = paper.grid  # Matplotlib has no other way
        if source.showticklabels is False:
            axis.set_ticklabels([])
        if source.title.text:
            axis.set_label_text(plain_words(source.title.text), color=paper.ink, fontsize=9)
    mode, named = trace.mode or "", {"label": plain_words(trace.name)} if trace.name else {}
    tone = trace.line.color if isinstance(trace.line.color, str) else None
    if "lines" in mode:
        axes.plot(trace.x, trace.y, trace.z, color=rgba(tone or paper.colour()), **named)
    if "markers" in mode:
        marker, count = trace.marker, len(trace.x)
        colours = [rgba(each) for each in one_each(marker.color or tone or paper.colour(), count)]
        size = np.broadcast_to(np.asarray(marker.size if marker.size is not None else 7, float), count)
        axes.scatter(
            trace.x, trace.y, trace.z, c=colours, s=(POINT * size) ** 2, marker=MARKERS.get(marker.symbol, "o"),
            depthshade=False, linewidths=0, **({} if "lines" in mode else named),
        )  # fmt: skip
    for place, label in enumerate(trace.text if trace.text is not None and "text" in mode else ()):
        ink = rgba(trace.textfont.color or paper.ink)
        axes.text(trace.x[place], trace.y[place], trace.z[place], plain_words(str(label)), color=ink, fontsize=9)


def _shape(paper: _Paper, shape: Any) -> None:
    """A line or a rectangle, in data or along the whole of an axis ("x domain", "paper")."""
    axes = _axes_of(paper, shape)
    own = [ref in ("x", "y") or ref[1:].isdigit() for ref in (shape.xref or "x", shape.yref or "y")]
    space = axes.transData if all(own) else axes.get_xaxis_transform() if own[0] else axes.get_yaxis_transform()
    style = {"color": rgba(shape.line.color or paper.ink), "linewidth": POINT * (shape.line.width or 2)}
    style["linestyle"] = DASHES.get(shape.line.dash or "", "-")
    x, y = (shape.x0, shape.x1), (shape.y0, shape.y1)
    if shape.type == "line":
        axes.plot(x, y, transform=space, scalex=False, scaley=False, **style)
    else:
        corners = ([x[0], x[1], x[1], x[0]], [y[0], y[0], y[1], y[1]])
        face = rgba(shape.fillcolor) if shape.fillcolor else "none"
        edge = style["color"] if shape.line.width != 0 else "none"
        axes.fill(*corners, facecolor=face, edgecolor=edge, transform=space, linewidth=style["linewidth"])


def _annotation(paper: _Paper, note: Any) -> None:
    tone = rgba(note.font.color or paper.ink)
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
        drawn = {"arrowstyle": "-|>", "color": rgba(note.arrowcolor or tone), "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (x, y), (note.ax, note.ay), arrowprops=drawn | {"linewidth": POINT * (note.arrowwidth or 1)})
        return
    arrow = {"arrowprops": {"arrowstyle": "->", "color": tone}} if note.showarrow is not False and any(shift) else {}
    axes.annotate(
        plain_words(note.text or ""), (x, y), shift, xycoords=where, textcoords="offset points",
        annotation_clip=False, **arrow, **style,
    )  # fmt: skip


def _axes_of(paper: _Paper, each: Any) -> Any:
    """The axes that a shape or an annotation belongs to."""
    refs = ((each.xref or "x").split(" ")[0], (each.yref or "y").split(" ")[0])
    return paper.place(*(letter if ref == "paper" else ref for letter, ref in zip("xy", refs, strict=True)))


def _space(paper: _Paper, axes: Any, ref: str) -> Any:
    """What a coordinate is measured in: the whole picture ("paper"), an axis' length ("x domain"), or data ("x")."""
    return paper.figure.transFigure if ref == "paper" else axes.transAxes if "domain" in ref else axes.transData
