"""What is said of a rule that was tested on many texts. All of it is Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from model.surveys.scores import RuleScore
from viz.shared.style import markdown_text, percent, upper_first

NO_BETTER = 1.2  # times chance: a rule explains no more than chance up to there
MOST = 0.7  # share of a head, of which the rest needs no other rule
NEVER = "No text has a place where this rule predicts a key, so it says nothing of any head. Try another rule."
NOT_MARKED = (
    "No word is marked in these texts. In texts of your own, words between [[ and ]] can be, such as the subject of "
    "each sentence: [[Mary]] saw it."
)
READ_FIRST = "This rule can be tested once all texts are read. A rule of one part and one mark needs no test."
OF_ONE_SENTENCE = (
    "A rule says at which token of its own sentence a head looks. Cross-attention looks at another sentence: choose a "
    "self-attention."
)


def say_untested(time: str) -> str:
    """`time`: how long the model reads the texts."""
    return (
        "This rule is not tested yet. A rule asks for every weight of every head, and a reading keeps none, so the "
        f"model reads the texts once more. That takes {time}."
    )


def describe(score: RuleScore, place: str, parked: float) -> str:
    """How much of a head the rule explains, and what is left. `place`: the head in words, `parked`: its weight on the
    first token."""
    if is_about_first(score):
        return (
            f"{upper_first(place)} has **{percent(score.share)}** of all its weight on the first token; a head that "
            f"looks everywhere alike has {percent(score.chance)}."
        )
    share, chance = percent(score.share_beyond), percent(score.chance_beyond)
    said = (
        f"The rule explains **{share}** of the weight of {place} beyond the first token. Of a head that looks "
        f"everywhere alike it would explain {chance}: that is chance."
    )
    if score.share_beyond <= NO_BETTER * score.chance_beyond:
        said += " That is no sign of the rule. Try another one."
    elif score.share_beyond < MOST:
        said += f" What is the other {percent(1 - score.share_beyond)}? Try another rule."
    return f"{said} {percent(parked)} of all its weight is on the first token, where heads park what they do not use."


def describe_hits(score: RuleScore, queries: int) -> str:
    """How often it is right where it predicts a key."""
    hits = f"its key has the largest weight in **{percent(score.hits)}**, by chance in {percent(score.chance_hits)}"
    if score.asked == queries:
        return f"It predicts a key for all {queries:,} queries: {hits}."
    share = f"it explains {percent(score.share_asked)} of that weight, by chance {percent(score.chance_asked)}"
    return f"It predicts a key for {score.asked:,} of {queries:,} queries. Of these alone {share}; {hits}."


def compare_heads(ranked: Sequence[RuleScore], score: RuleScore) -> str:
    """Which head follows the rule best, and where this one stands."""
    best = ranked[0]
    if (best.layer, best.head) == (score.layer, score.head):
        return f"No other of the {len(ranked):,} heads follows it so closely."
    place = 1 + next(i for i, each in enumerate(ranked) if (each.layer, each.head) == (score.layer, score.head))
    return (
        f"Layer {best.layer}, head {best.head} follows it most closely: {percent(main_share(best))}. This head is "
        f"number {place:,} of {len(ranked):,}."
    )


def say_best_rule(best: RuleScore, score: RuleScore, count: int) -> str:
    """Which of the tested rules explains most of the head."""
    if best.rule == score.rule:
        return f"Of the {count} rules that were tested, this one explains most of this head above chance."
    words = markdown_text(best.rule.words)
    return (
        f"Of the {count} rules that were tested, the one that explains most of this head above chance says that it "
        f"looks **{words}**: {percent(best.share_beyond)}, by chance {percent(best.chance_beyond)}."
    )


def is_about_first(score: RuleScore) -> bool:
    """Whether the rule predicts the first token alone, so that nothing beyond it can be explained."""
    return score.asked > 0 and not score.chance_beyond


def main_share(score: RuleScore) -> float:
    """The share by which heads are compared."""
    return score.share if is_about_first(score) else score.share_beyond
