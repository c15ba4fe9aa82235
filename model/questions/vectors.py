"""Questions about positions and embeddings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from torch import Tensor

from model.questions.question import MOST, Choice, NoQuestion, Question, make_question, no_tie, same_word
from model.questions.writing import decimal, degrees


def hand_turn(frequencies: Tensor, hand: int, shift: float, text: str = "", name: str = "hand") -> Question:
    """How far a hand turns: `frequencies` (pairs,) in radians a position, `shift` in positions. Raises `NoQuestion`."""
    if shift == 0:
        raise NoQuestion("A shift of 0 turns no hand. Choose another φ.")
    omega = frequencies.double().tolist()
    turned = [math.degrees(each * shift) for each in omega]
    wrong = [(f"{name} {other}", turned[other]) for other in (hand + 1, hand - 1) if 0 <= other < len(omega)]
    radians = omega[hand] * shift
    wrong += [("radians taken for degrees", radians), (f"for {decimal(shift + 1)}", turned[hand] * (shift + 1) / shift)]
    wrong += [(f"{name} {other}", turned[other]) for other in (hand + 2, hand - 2) if 0 <= other < len(omega)]
    return make_question(
        "hand",
        text or f"How far does hand {hand} turn for φ = {decimal(shift)}?",
        Choice(degrees(turned[hand]), turned[hand], f"{name} {hand}"),
        (Choice(degrees(value), value, note) for note, value in wrong),
        f"{name.capitalize()} {hand} turns by ω = {decimal(omega[hand])} radians a position. {decimal(shift)} × "
        f"{decimal(omega[hand])} = {decimal(radians)} radians = {degrees(turned[hand])}, wherever it started.",
    )


def nearest(cosines: Tensor, at: int, beside: Iterable[int], label_of: Callable[[int], str]) -> Question:
    """Which token of the vocabulary has the embedding nearest to that of `at`. `cosines` (vocabulary,) with it.

    Wrong: the tokens `beside` it, such as the rest of its sentence, then the next nearest. Raises `NoQuestion`.
    """
    asking = label_of(at)
    found = cosines.float().topk(min(6 * MOST, len(cosines)))
    near = [id for id in found.indices.tolist() if id != at and same_word(label_of(id)) != same_word(asking)]
    if not near:
        raise NoQuestion(f"No other word than “{asking}” lies near it.")
    nearer = found.indices.tolist()[: found.indices.tolist().index(near[0])]
    others = f", without those that also read “{asking}”," if any(id != at for id in nearer) else ","
    wrong = sorted({id for id in beside if same_word(label_of(id)) != same_word(asking)}, key=lambda id: -cosines[id])
    if len(near) > 1:
        no_tie(float(cosines[near[0]]), float(cosines[near[1]]), label_of(near[0]), label_of(near[1]))
    return make_question(
        "nearest",
        f"Which of these has the embedding nearest to that of “{asking}”?",
        Choice(label_of(near[0]), float(cosines[near[0]]), f"cosine {decimal(cosines[near[0]])}"),
        (
            Choice(label_of(id), float(cosines[id]), f"cosine {decimal(cosines[id])}")
            for id in (*wrong[:2], *near[3:], *wrong[2:])
        ),
        f"In the whole table of {len(cosines):,} rows{others} “{label_of(near[0])}” points most nearly where “{asking}”"
        f" does: the cosine of their angle is {decimal(cosines[near[0]])}.",
    )
