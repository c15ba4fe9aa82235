"""Questions about the account of a logit: which part speaks most for the answer."""

from __future__ import annotations

from random import Random

import torch

from model import numerals, questions
from model.analysis.answers import answers
from model.analysis.asked_place import asked_place
from model.analysis.attribution import Account, account_of, keep_for_account
from model.questions import NoQuestion, Question
from pages.teach.questions.view import View, labels_of, run_of
from views.run import Run
from viz.models.why import part_title
from viz.shared.asked_number import AskedNumber
from viz.shared.tokens import words


def largest_part(view: View) -> Question:
    run = run_of(view, keep_for_account)
    model, trace = run.model, run.trace
    if not model.config.has_answer:
        raise NoQuestion(f"{model.card.title} is an encoder: it gives neither a word nor a class.")
    position = asked_place(model, trace, view.within("query", len(trace.tokens) - 1, -1))
    size = len(answers(model, trace, position))
    token, against = (view[name] if 0 <= view[name] < size else None for name in ("why_answer", "why_against"))
    account = account_of(model, trace, token, against, position)
    number = _number(run, account)
    parts = {name: part for name, part in account.parts.items() if ".heads." in name or name.endswith(".ffn")}
    return questions.largest(
        "largest part",
        f"Which part of the model speaks most for {number.plain_name}{_place(run, account)}?",
        torch.tensor(list(parts.values())),
        [part_title(name).capitalize() for name in parts],
        lambda best, value: (
            f"Of the {number.noun}, {numerals.number(account.value)}, {best[0].lower() + best[1:]} gives "
            f"{value}, more than any other. All parts sum to the {number.noun}."
        ),
        numerals.number,
    )


def _number(run: Run, account: Account) -> AskedNumber:
    """What is accounted for, in words."""
    labels = run.model.config.classes
    ids = [id for id in (account.token, account.against) if id is not None]
    if run.model.config.answers_words:
        return AskedNumber(*words(run.model.output_tokenizer.tokens(ids)))
    return AskedNumber(*(labels[id] for id in ids))


def _place(run: Run, account: Account) -> str:
    """What the answer is, as the end of a question: the token after another, or the class of the text or of a token."""
    if not run.model.config.answers_places:
        return " as the class of the text"
    read = questions.distinct(labels_of(run.trace.tokens))[account.position]
    return f" {'at' if run.model.config.kind == 'encoder' else 'after'} “{read}”"


def draw_account(view: View, rng: Random) -> View:
    """Any token of the sentence that has a next one to account for."""
    run = run_of(view, keep_for_account)
    return view.at("why", query=rng.randrange(len(run.trace.tokens)))
