"""Questions with one right answer, made from the tensors of a run: predict first, then look.

Each function reads the right answer off its tensors and takes the wrong ones from the same data: the next strongest
keys, the next likeliest tokens, the neighbouring hand. The order of the choices is shuffled by the question itself, so
the same question always looks the same. Words are labels as the caller shows them; where two tokens share a word, its
place is added.
"""

from model.questions.attention import most_attended, scaled_score, strongest_head, widest_head
from model.questions.learning import first_below, rightly, steps_in_a_row
from model.questions.masks import hidden_cells, visible_keys
from model.questions.output import likeliest_class, next_token, tempered
from model.questions.question import MOST, Choice, NoQuestion, Question, distinct, largest
from model.questions.vectors import hand_turn, nearest
from model.questions.writing import decimal, degrees, share

__all__ = [
    "MOST",
    "Choice",
    "NoQuestion",
    "Question",
    "decimal",
    "degrees",
    "distinct",
    "first_below",
    "hand_turn",
    "hidden_cells",
    "largest",
    "likeliest_class",
    "most_attended",
    "nearest",
    "next_token",
    "rightly",
    "scaled_score",
    "share",
    "steps_in_a_row",
    "strongest_head",
    "tempered",
    "visible_keys",
    "widest_head",
]
