"""Questions about positions and embeddings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from torch import Tensor

from model.numerals import as_printed, degrees, equals_sign, number, result
from model.questions.question import MAX_CHOICES, Choice, NoQuestion, Question, check_tie, make_question, normalise_word


def hand_turn(frequencies: Tensor, hand: int, shift: float, text: str = "", name: str = "hand") -> Question:
    """Asks how far a hand turns. `frequencies` (pairs,) are in radians a position, `shift` is in positions.

    Wrong answers: the neighbouring hands, radians taken for degrees, and one position more. Raises `NoQuestion` for a
    shift of 0.
    """
    if shift == 0:
        raise NoQuestion("A shift of 0 turns no hand. Choose another φ.")
    omega = frequencies.double().tolist()
    turned = [math.degrees(each * shift) for each in omega]
    wrong = [(f"{name} {other}", turned[other]) for other in (hand + 1, hand - 1) if 0 <= other < len(omega)]
    radians = omega[hand] * shift
    wrong.append(("radians taken for degrees", radians))
    wrong.append((f"for {shift + 1:g}", turned[hand] * (shift + 1) / shift))
    ends = result(shift * as_printed(omega[hand]), radians)
    sign = equals_sign(math.degrees(as_printed(radians)), degrees(turned[hand]).removesuffix("°"))
    wrong += [(f"{name} {other}", turned[other]) for other in (hand + 2, hand - 2) if 0 <= other < len(omega)]
    return make_question(
        "hand",
        text or f"How far does hand {hand} turn for φ = {shift:g}?",
        Choice(degrees(turned[hand]), turned[hand], f"{name} {hand}"),
        (Choice(degrees(value), value, note) for note, value in wrong),
        f"{name.capitalize()} {hand} turns by ω = {number(omega[hand])} radians a position. "
        f"{shift:g} × {number(omega[hand])} {ends} radians {sign} {degrees(turned[hand])}, wherever it started.",
    )


def nearest(cosines: Tensor, at: int, beside: Iterable[int], label_of: Callable[[int], str]) -> Question:
    """Asks which token of the vocabulary is nearest to the token `at`. `cosines` (vocabulary,) are those with `at`.

    Wrong answers: the tokens `beside` it, such as the rest of its sentence, then the next nearest. Raises `NoQuestion`
    if no other word is near, and for a tie.
    """
    asking = label_of(at)

    def is_other_word(id: int) -> bool:
        return normalise_word(label_of(id)) != normalise_word(asking)

    nearest_ids = cosines.float().topk(min(6 * MAX_CHOICES, len(cosines))).indices.tolist()
    near = [id for id in nearest_ids if id != at and is_other_word(id)]
    if not near:
        raise NoQuestion(f"No other word than “{asking}” lies near it.")
    nearer = nearest_ids[: nearest_ids.index(near[0])]
    others = f", without those that also read “{asking}”," if any(id != at for id in nearer) else ","
    wrong = sorted({id for id in beside if is_other_word(id)}, key=lambda id: -cosines[id])
    if len(near) > 1:
        check_tie(float(cosines[near[0]]), float(cosines[near[1]]), label_of(near[0]), label_of(near[1]))
    return make_question(
        "nearest",
        f"Which of these has the embedding nearest to that of “{asking}”?",
        Choice(label_of(near[0]), float(cosines[near[0]]), f"cosine {number(cosines[near[0]])}"),
        (
            Choice(label_of(id), float(cosines[id]), f"cosine {number(cosines[id])}")
            for id in (*wrong[:2], *near[3:], *wrong[2:])
        ),
        f"In the whole table of {len(cosines):,} rows{others} “{label_of(near[0])}” points most nearly where “{asking}”"
        f" does: the cosine of their angle is {number(cosines[near[0]])}.",
    )
