"""Questions about training, and about the translators before attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from model.numerals import number
from model.questions.question import TIE_SHARE, Choice, NoQuestion, Question, make_question


def first_below(steps: Sequence[int], losses: Sequence[float], start: int) -> Question:
    """Asks after how many steps the loss first lies below half way, between the loss at `start` and the last one.

    `start` is an index into `steps` and `losses`, one entry for each snapshot. Wrong answers: the snapshots beside the
    right one. Raises `NoQuestion` if the loss does not fall from there, if a loss lies too near to half way, and for
    fewer than three snapshots after `start`.
    """
    if len(steps) - start < 4:
        raise NoQuestion("Too little of the training is left. Choose an earlier snapshot.")
    if not losses[-1] < losses[start]:
        raise NoQuestion("From here the loss does not fall.")
    half = round((losses[start] + losses[-1]) / 2, 2)
    if any(abs(loss - half) <= TIE_SHARE * half for loss in losses):
        raise NoQuestion("A snapshot lies just at the half: no answer would be right.")
    right = next((place for place in range(start + 1, len(steps)) if losses[place] < half), 0)
    if not right:
        raise NoQuestion("No snapshot lies below the half.")
    beside = sorted(range(start + 1, len(steps)), key=lambda place: abs(place - right))

    def choice(place: int) -> Choice:
        return Choice(f"{steps[place]:,} steps", losses[place], f"loss {number(losses[place])}")

    return make_question(
        "loss",
        f"After {steps[start]:,} steps the loss on held-out text is {number(losses[start])}, at the end "
        f"{number(losses[-1])}. At which of these snapshots does it first lie below half way, "
        f"{number(half)}?",
        choice(right),
        map(choice, beside),
        f"After {steps[right]:,} steps it is {number(losses[right])}; at the snapshot before, after "
        f"{steps[right - 1]:,}, it was still {number(losses[right - 1])}. Of {steps[-1] - steps[start]:,} steps "
        f"{steps[right] - steps[start]:,} made half of the way.",
    )


def right_translators(text: str, translated: Mapping[str, bool], written: Mapping[str, str]) -> Question:
    """Asks which of the translators get a sentence right. `translated` says who does; `written` is what each wrote.

    `text` is the sentence as it is quoted. Wrong answers: the sets that differ in the fewest translators. Raises
    `NoQuestion` for a single translator.
    """
    names = list(translated)
    if len(names) < 2:
        raise NoQuestion("There is only one translator.")
    truth = {name for name in names if translated[name]}
    sets = [set(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]
    off = sorted((len(each ^ truth), _write_names(each, names)) for each in sets)
    answers = "; ".join(f"{name}, {'right' if translated[name] else 'wrong'}: {written[name]}" for name in names)
    return make_question(
        "translators",
        f"Which of the {len(names)} translators gets {text} right?",
        Choice(_write_names(truth, names), 0.0, "as it is"),
        (Choice(label, float(wrong), f"wrong for {wrong} of {len(names)}") for wrong, label in off if wrong),
        f"{answers}. Right is the translation that was made with the sentence, word for word.",
    )


def _write_names(chosen: set[str], names: Sequence[str]) -> str:
    ordered = [name for name in names if name in chosen]
    if not ordered:
        return "None of them"
    if len(ordered) == len(names):
        return f"All {len(names)}"
    return f"Only {' and '.join(ordered)}"


def steps_in_a_row(tokens: int, written: int) -> Question:
    """Asks how many steps of a recurrent encoder wait for one another, for a source of `tokens` tokens.

    Wrong answers: the single step of self-attention, the number of its pairs, and the steps with those of the decoder.
    Raises `NoQuestion` for fewer than three tokens.
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
