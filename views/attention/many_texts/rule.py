"""A rule in words, tested on many texts: how much of the chosen head it explains, and which head it explains best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.rule_tally import RuleTally
from model.surveys.rule_text import write_rule
from model.surveys.rules import AfterSame, Marked, Rule
from model.surveys.scores import RuleScore, score_of
from model.texts.collection import Text
from views.attention.many_texts import rule_words
from views.attention.many_texts.not_read import reading_seconds, say_time
from views.attention.many_texts.reading_view import ReadingView
from views.parts import Action, Chart, Controls, DataTable, Draw, Files, OtherPage
from views.shared.quotes import tex
from views.view import cite, equation, grey, work_out
from viz.attention.many_texts_rule import BEST, CHANCE, CHOSEN, ShareBar, rule_bars_figure, rule_map_figure
from viz.documents import page_parts
from viz.documents.page_parts import Group
from viz.shared.style import count_noun, markdown_text, upper_first

EXPLAINED = "the share of the head that the rule explains"
BEST_HEAD = "the head that the rule explains best"
SHARES = {  # of a score, by the titles of a table's columns
    "beyond the first token": "share_beyond",
    "of all weight": "share",
    "where it predicts a key": "share_asked",
    "largest key": "hits",
}


@dataclass(frozen=True)
class RuleOnTexts(ReadingView):
    """One rule, as far as the reading has tested it. `rule`: where it says that heads look."""

    rule: Rule

    @property
    def is_tested(self) -> bool:
        """Whether the reading has the rule."""
        return self.rule in self.reading.rules

    @cached_property
    def score(self) -> RuleScore:
        """That of the chosen head."""
        return self.reading.score(self.rule, self.head.at.layer, self.head.head, self.attention)

    @cached_property
    def ranked(self) -> list[RuleScore]:
        """Those of all heads, the best first."""
        return self.reading.ranked(self.rule, self.attention)

    @cached_property
    def best_rule(self) -> RuleScore:
        """Of the rules that the reading has, the one that explains most of the chosen head."""
        return self.reading.best_rule(self.head.at.layer, self.head.head, self.attention)

    @property
    def counted(self) -> RuleTally:
        """The sums of all rules."""
        return self.tally.rules

    @property
    def queries(self) -> int:
        """How many queries were asked in all."""
        return int(self.counted.queries[self.head.at.layer, 0])

    def told(self) -> Mapping[str, float | str]:
        if self._why_nothing():
            return {}
        best = self.ranked[0]
        return {EXPLAINED: self.score.share_beyond, BEST_HEAD: f"layer {best.layer}, head {best.head}"}

    def _why_nothing(self) -> str:
        """Why there is nothing to show; "" where there is."""
        if self.head.at.is_cross:
            return rule_words.OF_ONE_SENTENCE
        if not self.is_tested:
            seconds = reading_seconds(self.head.run.model, self.reading.collection)
            return rule_words.say_untested(say_time(seconds)) if self.reading.is_whole else rule_words.READ_FIRST
        if self.score.asked:
            return ""
        return rule_words.NOT_MARKED if Marked() in self.rule.parts else rule_words.NEVER

    def picture_parts(self) -> Sequence[Any]:
        return self._below_rule(lambda: [self.picture(), self._failures()])

    def number_parts(self) -> Sequence[Any]:
        return self._below_rule(lambda: [self.table(), *self._words()])

    def _below_rule(self, make: Callable[[], list[Any]]) -> list[Any]:
        """Parts below the rule, or why there are none."""
        looks = f"**{upper_first(self.head.place)}** looks **{markdown_text(self.rule.words)}**."
        above = [Controls("rule"), page_parts.Text(looks)]
        if why := self._why_nothing():
            return [*above, page_parts.Text(why, "info"), Controls("try rule"), *self.about_texts()]
        return [*above, *make(), self.files(), *self.about_texts()]

    def picture(self) -> Group:
        """The bars of the chosen head, and beside them the map of all heads."""
        bars = Chart(self._draw(), f"How much of {self.head.place} the rule explains", key="heads rule bars")
        draw = partial(rule_map_figure, self._map(rule_words.main_share), (self.head.at.layer, self.head.head))
        alt = "How much of each head the rule explains, layers downwards and heads across"
        heads = Chart(draw, alt, key="heads rule map", pick=_pick_head)
        compared = grey(rule_words.compare_heads(self.ranked, self.score))
        left = Group([bars, *grey(self.caption())], "column", 3)
        return Group([left, Group([heads, *compared, *self._better_rule()], "column", 2)], "row", gap="large")

    def _words(self) -> list[Any]:
        compared = rule_words.compare_heads(self.ranked, self.score)
        return [*grey(f"{self.caption()} {compared}"), *self._better_rule()]

    def _draw(self) -> Draw:
        return partial(rule_bars_figure, self._bars())

    def _bars(self) -> dict[str, list[ShareBar]]:
        asked = count_noun(self.score.asked, "query", "queries")
        shares = {
            "weight that the rule explains, beyond the first token": ("share_beyond", "chance_beyond"),
            f"the same where it predicts a key: {asked}": ("share_asked", "chance_asked"),
            "of all weight": ("share", "chance"),
            f"its key is the largest, of {asked}": ("hits", "chance_hits"),
        }
        if self.score.asked == self.queries:  # the second says the same as the first
            shares.pop(f"the same where it predicts a key: {asked}")
        return {title: self._bars_of(*names) for title, names in shares.items()}

    def _bars_of(self, name: str, chance: str) -> list[ShareBar]:
        """Those of one share: the chosen head, the best one, and chance."""
        best, own = max(self.ranked, key=lambda score: float(getattr(score, name))), _name(self.score)
        said = f"{_name(best)}: the best of {len(self.ranked):,}"
        heads = [ShareBar(getattr(self.score, name), said if own == _name(best) else own, CHOSEN)]
        if own != _name(best):
            heads.append(ShareBar(getattr(best, name), said, BEST))
        return [*heads, ShareBar(getattr(self.score, chance), "chance", CHANCE)]

    def _map(self, value: Callable[[RuleScore], float]) -> Array:
        """A number of the score of each head: (layers, heads)."""
        values = np.zeros(self.counted.beyond.shape)
        for score in self.ranked:
            values[score.layer, score.head] = value(score)
        return values

    def _failures(self) -> Group:
        """The texts in which most is left unexplained."""
        texts = self.score.failures
        table = DataTable(
            lambda: pd.DataFrame([{"text": text.content, "kind": text.kind} for text in texts]),
            height="content",
            key="heads rule failures",
            pick=lambda row: self._open(texts[row]),
        )
        said = (
            "Most is left unexplained in these texts. Choose one: it becomes your sentence, and Lines shows its lines."
        )
        return Group([*grey(said), table])

    def _open(self, text: Text) -> OtherPage:
        """The text as the sentence, and where the head looks in it."""
        at = {"attention": self.attention, "layer": self.head.at.layer, "head": self.head.head, "heads_shown": ()}
        return OtherPage("heads", at | {"heads_view": "Lines", "text": text.content, "target": ""})

    def caption(self) -> str:
        parked = 1 - float(self.counted.beyond[self.head.at.layer, self.head.head]) / self.queries
        said = rule_words.describe(self.score, self.head.place, parked)
        return f"{said} {rule_words.describe_hits(self.score, self.queries)}"

    def _better_rule(self) -> list[Any]:
        best = self.best_rule
        said = grey(rule_words.say_best_rule(best, self.score, len(self.reading.rules)))
        if best.rule == self.rule:
            return [*said]
        return [*said, Action("Take that rule", {"heads_rule": write_rule(best.rule)}, "heads take rule")]

    def table(self) -> DataTable:
        """All heads, the best first. A row that is chosen chooses its head."""
        ranked = self.ranked
        return DataTable(
            lambda: pd.DataFrame(self._rows()),
            3,
            key="heads rule ranked",
            pick=lambda row: _head_keys(ranked[row].layer, ranked[row].head),
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"layer": score.layer, "head": score.head} | {title: getattr(score, name) for title, name in SHARES.items()}
            for score in self.ranked
        ]

    def formula_parts(self) -> Sequence[Any]:
        why = self._why_nothing()
        return [Controls("rule"), *self.formula(), *([page_parts.Text(why, "info")] if why else self._worked())]

    def formula(self) -> Sequence[Any]:
        source = "Of all texts t and all queries i but the first. The rule r predicts the keys r(t, i), or none."
        shares = equation(
            r"\mathrm{share} = \frac{\sum_{t}\sum_{i \geq 1}\sum_{j \in r(t,i),\, j \geq 1} A^{t}_{ij}}"
            r"{\sum_{t}\sum_{i \geq 1} \left(1 - A^{t}_{i0}\right)}, \qquad "
            r"\mathrm{hits} = \frac{\left|\{(t,i) : \arg\max_{j}\, A^{t}_{ij} \in r(t,i)\}\right|}"
            r"{\left|\{(t,i) : r(t,i) \neq \emptyset\}\right|}",
            source,
            {
                "A^{t}_{ij}": "the weight of query i on key j in text t; key 0 is the first token",
                r"\arg\max": "over all keys; the first token and the query itself count only if r predicts them",
            },
        )
        if any(isinstance(part, AfterSame) for part in self.rule.parts):
            return [
                *shares,
                cite("“The token after the last time this token came” is induction: Olsson et al. (2022)."),
            ]
        return shares

    def _worked(self) -> list[Any]:
        tally, layer, head = self.counted, self.head.at.layer, self.head.head
        place = self.reading.rules.index(self.rule)
        explained, beyond = float(tally.explained_beyond[layer, head, place]), float(tally.beyond[layer, head])
        hits, score = int(tally.hits[layer, head, place]), self.score
        return work_out(
            f"For {self.head.place}, over {self.queries:,} queries:",
            rf"\mathrm{{share}} = \frac{{{tex(explained)}}}{{{tex(beyond)}}} = {tex(score.share_beyond)}, \qquad "
            rf"\mathrm{{hits}} = \frac{{{_count(hits)}}}{{{_count(score.asked)}}} = {tex(score.hits)}",
        )

    def code_parts(self) -> Sequence[Any]:
        return [Controls("rule"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [*dict.fromkeys(type(part) for part in self.rule.parts), RuleTally, score_of]

    def files(self) -> Files:
        name = f"{self.head.file_name}-rule"
        arrays = {name: partial(_get, name) for name in SHARES.values()}
        draw = partial(self._draw(), title=f"{upper_first(self.head.place)} looks {self.rule.words}")
        return Files(name, draw, draw, self._rows, lambda: {name: self._map(get) for name, get in arrays.items()})


def _count(n: int) -> str:
    return f"{n:,}".replace(",", "{,}")


def _name(score: RuleScore) -> str:
    return f"layer {score.layer}, head {score.head}"


def _get(name: str, score: RuleScore) -> float:
    return float(getattr(score, name))


def _pick_head(point: Mapping[str, Any]) -> dict[str, Any]:
    return _head_keys(int(point["y"]), int(point["x"]))


def _head_keys(layer: int, head: int) -> dict[str, Any]:
    return {"layer": layer, "head": head, "heads_shown": ()}
