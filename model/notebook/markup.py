"""The parts of what a notebook shows of a value: chips of tokens, tables, bars and folds, in one quiet style.

It stands alone: no script, no file, no network. Where a front end takes the style away, tables and folds remain. All
text is escaped, so that no text of a reader is HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import zip_longest

from model.numerals import number
from model.tokens.tokenizer import Token

MOST_CHIPS = 100  # that are seen before somebody opens the fold of the others
SIGNS = str.maketrans({" ": "·", "\n": "⏎", "\r": "⏎", "\t": "⇥"})  # those of the app for what cannot be seen
CLASSES = {"n": "gf-number", "w": "gf-words"}
# Positive blue and negative orange, as in the app. The first of two colours is for browsers without light-dark().
# The class stands three times, so that it is stronger than what Jupyter says of its own tables and code.
STYLE = """<style>
.gf.gf.gf{
font:14px/1.45 system-ui,sans-serif;max-width:60em;overflow-wrap:anywhere;
& p{margin:.3em 0}
& code{font-family:ui-monospace,monospace;font-size:.93em;background:none;color:inherit;padding:0;white-space:nowrap}
& small{opacity:.75;font-size:.86em}
& summary{cursor:pointer}
& .gf-wide{overflow-x:auto}
& table{border-collapse:collapse;border:0;margin:.3em 0;font-size:1em;color:inherit;table-layout:auto}
& tr{background:none}
& th,& td{text-align:left;vertical-align:baseline;padding:.15em .7em .15em 0;border:0;max-width:none;white-space:nowrap}
& th{font-weight:normal;opacity:.75}
& td.gf-words{white-space:normal;min-width:12em;max-width:32em}
& .gf-number{text-align:right;font-variant-numeric:tabular-nums}
& .gf-total td{border-top:1px solid currentColor}
& .gf-chips{display:flex;flex-wrap:wrap;gap:.3em;margin:.4em 0}
& .gf-chip{border:1px solid rgba(128,128,128,.45);border-radius:.35em;padding:0 .4em;text-align:center;line-height:1.25}
& .gf-chip bdi{font-family:ui-monospace,monospace;white-space:pre-wrap}
& .gf-chip small{display:block}
& .gf-bar{display:inline-block;width:5em;height:.7em;overflow:hidden;background:rgba(128,128,128,.14)}
& .gf-bar i{display:inline-block;height:100%}
& .gf-plus{background:#0072b2;background:light-dark(#0072b2,#62b4ea)}
& .gf-minus{background:#d98200;background:light-dark(#d98200,#efa31d)}
}
</style>"""


def card(*parts: str) -> str:
    """Parts of HTML as what a notebook shows."""
    return f'{STYLE}<div class="gf">{"".join(parts)}</div>'


def heading(title: str, *facts: str) -> str:
    """A title, and what is said of it in a line."""
    return f"<p><b>{escape(title)}</b>{''.join(f' · {escape(fact)}' for fact in facts if fact)}</p>"


def sentence(text: str) -> str:
    """A line of text."""
    return f"<p>{escape(text)}</p>"


def code(text: str) -> str:
    """Code, or the name of a tensor."""
    return f"<code>{escape(text)}</code>"


def fold(title: str, *parts: str) -> str:
    """Parts of HTML that are seen when somebody opens them."""
    return f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>"


def table(rows: Iterable[Sequence[str]], heads: Sequence[str] = (), kinds: Sequence[str] = (), totals: int = 0) -> str:
    """Rows of cells, which are HTML.

    `kinds` has a letter for each column: "n" for numbers, which stand to the right, and "w" for words, which may take
    several lines. The last `totals` rows are below a line.
    """
    rows = list(rows)
    classes = [CLASSES.get(kind, "") for kind in kinds]
    first_total = len(rows) - totals if totals else -1
    made = [_row(cells, "td", classes, "gf-total" if place == first_total else "") for place, cells in enumerate(rows)]
    head = _row(heads, "th", classes) if heads else ""
    return f'<div class="gf-wide"><table>{head}{"".join(made)}</table></div>'


def _row(cells: Sequence[str], tag: str, classes: Sequence[str], kind: str = "") -> str:
    made = (f'<{tag} class="{each}">{cell}</{tag}>' for cell, each in zip_longest(cells, classes, fillvalue=""))
    return f'<tr class="{kind}">{"".join(made)}</tr>'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """A table of names and values, without those that are empty."""
    rows = [(f"<small>{escape(name)}</small>", escape(value)) for name, value in pairs if value]
    return table(rows, kinds="-w")


def bar(value: float, largest: float) -> str:
    """A value as a bar from the middle: to the right above 0, to the left below. `largest` fills a half."""
    share = 50 * min(abs(value) / largest, 1.0) if largest else 0.0
    before = 50.0 if value >= 0 else 50.0 - share
    sign = "plus" if value >= 0 else "minus"
    gap = f'<i style="width:{before:.1f}%"></i>'
    return f'<span class="gf-bar">{gap}<i class="gf-{sign}" style="width:{share:.1f}%"></i></span>'


def value(x: float) -> str:
    """A number, with all its digits where the mouse rests on it."""
    return f'<span title="{x!r}">{number(x)}</span>'


def chips(tokens: Sequence[Token]) -> str:
    """Tokens as chips, each with its id. Those after `MOST_CHIPS` are in a fold."""
    made = "".join(map(_chip, tokens[:MOST_CHIPS]))
    seen = f'<div class="gf-chips">{made}</div>'
    rest = tokens[MOST_CHIPS:]
    if not rest:
        return seen
    return seen + fold(f"{len(rest):,} more tokens", f'<div class="gf-chips">{"".join(map(_chip, rest))}</div>')


def _chip(token: Token) -> str:
    text = token.text.translate(SIGNS) if token.text else token.bytes.hex(" ").upper()
    return f'<span class="gf-chip"><bdi>{escape(text)}</bdi><small>{token.id}</small></span>'
