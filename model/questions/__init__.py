"""Questions with one right answer, made from the tensors of a run: predict first, then look.

Each function reads the right answer off its tensors. The wrong answers come from the same data: the next strongest
keys, the next likeliest tokens, the neighbouring hand. A hash of the question orders its choices, so the same question
always looks the same. Words are the caller's labels; if two tokens share a word, its place is added.
"""

from model.questions.attention import most_attended, scaled_score, strongest_head, widest_head
from model.questions.learning import first_below, right_translators, steps_in_a_row
from model.questions.masks import hidden_cells, visible_keys
from model.questions.output import likeliest_class, next_token, tempered_probability
from model.questions.question import MAX_CHOICES, Choice, NoQuestion, Question, distinct, largest
from model.questions.tokens import count_of_tokens
from model.questions.vectors import hand_turn, nearest

__all__ = [
    "MAX_CHOICES",
    "Choice",
    "NoQuestion",
    "Question",
    "count_of_tokens",
    "distinct",
    "first_below",
    "hand_turn",
    "hidden_cells",
    "largest",
    "likeliest_class",
    "most_attended",
    "nearest",
    "next_token",
    "right_translators",
    "scaled_score",
    "steps_in_a_row",
    "strongest_head",
    "tempered_probability",
    "visible_keys",
    "widest_head",
]
