"""How much of a head a rule explains, and which head a rule explains best."""

from __future__ import annotations

from dataclasses import dataclass

from model.numerals import percent
from model.surveys.places import NO_PLACE, unpack
from model.surveys.rule_tally import RuleTally
from model.surveys.rules import Rule
from model.texts.collection import Collection, Text


@dataclass(frozen=True)
class RuleScore:
    """A rule against one head, over all texts. Each first query is left out.

    `share`: of the head's weight, what is on the keys that the rule predicts. `share_beyond`: the same, counting no
    weight on the first token. `share_asked`: the same of the `asked` queries alone, those with a predicted key. `hits`:
    of these the share where a predicted key has the largest weight; the first token and the query itself count only
    where they are predicted. The fields `chance_...`
    say what a head would have that looks alike at all that it sees. `failures`: the texts with the most weight that the
    rule leaves unexplained, the worst first.
    """

    rule: Rule
    layer: int
    head: int
    share: float
    share_beyond: float
    share_asked: float
    hits: float
    chance: float
    chance_beyond: float
    chance_asked: float
    chance_hits: float
    asked: int
    failures: tuple[Text, ...]

    @property
    def above_chance(self) -> float:
        """By how much `share_beyond` is larger than by chance. Rules that predict many keys explain much by chance."""
        return self.share_beyond - self.chance_beyond

    def __str__(self) -> str:
        words = (
            f"explains {percent(self.share_beyond)} of its weight beyond the first token, {percent(self.share)} of all"
        )
        hits = f"its key is the largest in {percent(self.hits)} of {self.asked:,} queries"
        return f"Layer {self.layer}, head {self.head}: “{self.rule.sentence}” {words}; {hits}."


def score_of(tally: RuleTally, rule: Rule, place: int, layer: int, head: int, collection: Collection) -> RuleScore:
    """The score of the rule that stands at a place among those that were counted."""
    queries, asked = float(tally.queries[layer, 0]), float(tally.asked[layer, place])
    kept = tally.failures.places[(layer * tally.beyond.shape[1] + head) * tally.asked.shape[1] + place]
    return RuleScore(
        rule,
        layer,
        head,
        share=_ratio(tally.explained[layer, head, place], queries),
        share_beyond=_ratio(tally.explained_beyond[layer, head, place], tally.beyond[layer, head]),
        share_asked=_ratio(tally.explained_beyond[layer, head, place], tally.beyond_asked[layer, head, place]),
        hits=_ratio(tally.hits[layer, head, place], asked),
        chance=_ratio(tally.chance[layer, place], queries),
        chance_beyond=_ratio(tally.chance_beyond[layer, place], tally.even_beyond[layer, 0]),
        chance_asked=_ratio(tally.chance_beyond[layer, place], tally.even_asked[layer, place]),
        chance_hits=_ratio(tally.chance_hits[layer, place], asked),
        asked=int(asked),
        failures=tuple(collection.texts[unpack(each)[0]] for each in kept.tolist() if each != NO_PLACE),
    )


def _ratio(part: float, whole: float) -> float:
    return float(part) / float(whole) if whole else 0.0
