"""The number that a page asks for, in words: the logit of an answer, or how far it leads another one.

A page has one such value. It gives the name, the axes, the column, the sentence and the symbols, so that all of them
change together when the reader asks "and not".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from viz.shared.style import bold_word, quoted_word


@dataclass(frozen=True)
class AskedNumber:
    """The logit of an answer; with a rival its lead, which is the difference of both logits.

    `answer` and `rival` are labels of tokens or classes, as plain text.
    """

    answer: str
    rival: str = ""

    @property
    def noun(self) -> str:
        return "lead" if self.rival else "logit"

    @property
    def name(self) -> str:
        """In Markdown: "the logit of **dog**", "the lead of **Lucy** over **Omar**"."""
        return self._name(bold_word)

    @property
    def plain_name(self) -> str:
        """For a text without Markdown: "the logit of “dog”"."""
        return self._name(quoted_word)

    def _name(self, write: Callable[[str], str]) -> str:
        over = f" over {write(self.rival)}" if self.rival else ""
        return f"the {self.noun} of {write(self.answer)}{over}"

    @property
    def statement(self) -> str:
        """The beginning of a sentence that the number ends, in Markdown: "**Lucy** leads **Omar** by"."""
        if self.rival:
            return f"{bold_word(self.answer)} leads {bold_word(self.rival)} by"
        return f"{self.name} is"

    @property
    def part(self) -> str:
        """The title of an axis: what one part adds."""
        return f"part of the {self.noun}"

    @property
    def loses(self) -> str:
        """The title of a column: what the number loses without a part."""
        return f"the {self.noun} loses"

    @property
    def loss(self) -> str:
        """The title of an axis: what the number loses without a part."""
        return f"what {self.loses} without it"

    @property
    def symbol(self) -> str:
        """In LaTeX."""
        return "(u_t - u_s)" if self.rival else "u_t"

    @property
    def row(self) -> str:
        """What stands for it in the output layer, in LaTeX: a row, or the difference of two."""
        return "(e_t - e_s)" if self.rival else "e_t"

    @property
    def row_symbols(self) -> str:
        """In LaTeX, each symbol of `row` once."""
        return "e_t, e_s" if self.rival else "e_t"

    @property
    def row_meaning(self) -> str:
        if self.rival:
            return f"the rows of the output layer of {bold_word(self.answer)} and of {bold_word(self.rival)}"
        return f"the row of the output layer of {bold_word(self.answer)}"

    @property
    def symbols(self) -> dict[str, str]:
        """The meaning of `symbol`."""
        of_both = {"u_t, u_s": f"the logits of {bold_word(self.answer)} and of {bold_word(self.rival)}"}
        return of_both if self.rival else {"u_t": self.name}
