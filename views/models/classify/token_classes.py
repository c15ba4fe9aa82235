"""The class that an encoder gives each token of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd
from torch import Tensor

from views.run import Run
from views.shared import quotes
from viz.shared.style import markdown_text, percent
from viz.shared.tokens import words

FEW = 12  # classes that are drawn and told one by one; of more only the likeliest are
DRAWN = 8
NAMED = 6  # tokens with another class than most


@dataclass(frozen=True)
class TokenClasses:
    """The classes of the tokens of a text, without those that stand around it.

    `places` are the places of these tokens in the run, and `shares` (tokens, classes) the probabilities.
    """

    places: Sequence[int]
    tokens: Sequence[str]
    shares: Tensor = field(repr=False)
    labels: Sequence[str]

    @classmethod
    def of(cls, run: Run) -> TokenClasses:
        """The classes of a run."""
        trace = run.trace
        places = [place for place, token in enumerate(trace.tokens) if not token.special] or [0]
        tokens = words(trace.tokens)
        shares = trace["token_logits"][places].softmax(-1)  # (tokens, classes)
        return cls(places, [tokens[place] for place in places], shares, run.config.token_labels)

    @property
    def drawn(self) -> list[int]:
        """The classes that are drawn, in the order of the model: all, or those that are likeliest at some token."""
        count = len(self.labels)
        return sorted(self.shares.amax(0).topk(count if count <= FEW else DRAWN).indices.tolist())

    @property
    def best(self) -> list[int]:
        """The likeliest class of each token."""
        best: list[int] = self.shares.argmax(-1).tolist()
        return best

    def sentence(self) -> str:
        """What the classes are, in Markdown: the least sure token, or of many classes the tokens unlike most."""
        surest = self.shares.amax(-1)
        if len(self.labels) > FEW:
            return self._say_others()
        if surest.min() > 0.995:
            return "From each token's own vector, and none is in doubt."
        return f"From each token's own vector. Least sure: {self._say(int(surest.argmin()))}."

    def _say_others(self) -> str:
        best = self.best
        usual = max(best, key=best.count)
        others = [row for row, label in enumerate(best) if label != usual]
        told = f"From each token's own vector, one of {len(self.labels)} classes"
        if not others:
            return f"{told}. All tokens: {quotes.quote(self.labels[usual])}."
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        said = "; ".join(map(self._say, others[:NAMED]))
        return f"{told}. Most tokens: {quotes.quote(self.labels[usual])}. Others: {said}{more}."

    def _say(self, row: int) -> str:
        label = markdown_text(self.labels[self.best[row]])
        share = percent(float(self.shares[row].max()))
        return f"{quotes.quote(self.tokens[row], self.places[row])}, {label} with {share}"

    def table(self, classes: Sequence[int] | None = None) -> pd.DataFrame:
        """One row for each token: its likeliest class, and the probabilities of these classes; by default of all."""
        chosen = list(range(len(self.labels)) if classes is None else classes)
        names = [self.labels[label] for label in chosen]
        table = pd.DataFrame(self.shares[:, chosen].double().numpy(), columns=names)
        table.insert(0, "token", self.tokens)
        table.insert(1, "taken for", [self.labels[label] for label in self.best])
        return table
