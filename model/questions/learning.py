"""Questions about how models came to be: training, what was before attention, what a part is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from model.questions.question import TIE, Choice, NoQuestion, Question, make_question
from model.questions.writing import decimal


def first_below(steps: Sequence[int], losses: Sequence[float], start: int) -> Question:
    """After how many steps a loss first lies below half of what is still lost at `start`, a place in both.

    Half way is between the loss there and the last one. Wrong: the snapshots beside the right one. Raises `NoQuestion`
    where the loss falls no more, where it comes too near to the half, and for fewer than three snapshots after `start`.
    """
    if len(steps) - start < 4:
        raise NoQuestion("Too little of the training is left. Choose an earlier snapshot.")
    if not losses[-1] < losses[start]:
        raise NoQuestion("From here the loss does not fall.")
    half = round((losses[start] + losses[-1]) / 2, 2)
    if any(abs(loss - half) <= TIE * half for loss in losses):
        raise NoQuestion("A snapshot lies just at the half: no answer would be right.")
    right = next((place for place in range(start + 1, len(steps)) if losses[place] < half), 0)
    if not right:
        raise NoQuestion("No snapshot lies below the half.")
    beside = sorted(range(start + 1, len(steps)), key=lambda place: abs(place - right))

    def choice(place: int) -> Choice:
        return Choice(f"{steps[place]:,} steps", losses[place], f"loss {decimal(losses[place])}")

    return make_question(
        "loss",
        f"After {steps[start]:,} steps the loss on held-out text is {decimal(losses[start])}, at the end "
        f"{decimal(losses[-1])}. At which of these snapshots does it first lie below half way, {decimal(half)}?",
        choice(right),
        map(choice, beside),
        f"After {steps[right]:,} steps it is {decimal(losses[right])}; at the snapshot before, after "
        f"{steps[right - 1]:,}, it was still {decimal(losses[right - 1])}. Of {steps[-1] - steps[start]:,} steps "
        f"{steps[right] - steps[start]:,} made half of the way.",
    )


def rightly(text: str, translated: Mapping[str, bool], written: Mapping[str, str]) -> Question:
    """Which of some translators gets a sentence right, all that do. `written` is what each wrote. Raises `NoQuestion`.

    Wrong: the sets that differ in the fewest translators.
    """
    names = list(translated)
    if len(names) < 2:
        raise NoQuestion("There is only one translator.")
    truth = {name for name in names if translated[name]}
    sets = [set(found) for size in range(len(names) + 1) for found in combinations(names, size)]
    off = sorted((len(each ^ truth), _named(each, names)) for each in sets)
    told = "; ".join(f"{name}, {'right' if translated[name] else 'wrong'}: {written[name]}" for name in names)
    return make_question(
        "translators",
        f"Which of the {len(names)} translators gets “{text}” right?",
        Choice(_named(truth, names), 0.0, "as it is"),
        (Choice(label, float(wrong), f"wrong for {wrong} of {len(names)}") for wrong, label in off if wrong),
        f"{told}. Right is the translation that was made with the sentence, word for word.",
    )


def _named(found: set[str], names: Sequence[str]) -> str:
    chosen = [name for name in names if name in found]
    if not chosen:
        return "None of them"
    if len(chosen) == len(names):
        return f"All {len(names)}"
    return f"Only {' and '.join(chosen)}"


def steps_in_a_row(tokens: int, written: int) -> Question:
    """How many steps of a recurrent encoder wait for one another, for a source of `tokens`. Raises `NoQuestion`.

    Wrong: what self-attention takes, the pairs that it computes, and the decoder's steps as well.
    """
    if tokens < 3:
        raise NoQuestion("Too short to tell a loop from one step. Write a longer sentence.")
    wrong = {
        f"{tokens**2:,}": "the pairs of tokens, which self-attention computes all at once",
        "1": "self-attention: no token waits for another",
        f"{tokens + written:,}": "with the steps of the decoder",
    }
    return make_question(
        "steps",
        f"To a recurrent encoder the sentence is {tokens} tokens. How many steps, each of which waits for the one "
        "before, does it take to read them?",
        Choice(str(tokens), float(tokens), "a state after the other"),
        (Choice(label, float(label.replace(",", "")), note) for label, note in wrong.items()),
        f"Each of the {tokens} states is computed from the one before: {tokens} steps in a row. Self-attention reads "
        f"the same tokens in 1 step, over {tokens**2:,} pairs at once.",
    )
