"""The question of Why this word: whose logit, against which other token, after or at which token. And its account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from torch import Tensor

from model.analysis.answers import answers
from model.analysis.asked_place import asked_place
from model.analysis.attribution import Account, account_of, keep_for_account
from model.analysis.neuron_parts import keep_for_neurons
from model.analysis.source_tokens import keep_for_sources
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.network.answer_scores import answer_scores
from model.tokens.tokenizer import Token
from views.call import Call
from views.run import Run
from views.shared import quotes
from viz.shared.asked_number import AskedNumber
from viz.shared.style import number, score_noun, write_score
from viz.shared.tokens import words


@dataclass(frozen=True)
class Question:
    """One answer's logit (or its lead over another's) with its account.

    The answer is the token after a token of the run, the one at the place of a masked token, or a class of the text
    or of a token.
    `logits` (answers,) are those of all answers. Questions are equal that ask the same of the same run.
    """

    run: Run
    position: int
    token: int
    against: int | None
    account: Account = field(compare=False)
    logits: Tensor = field(compare=False, repr=False)

    def made_by(self) -> Call:
        rival = {} if self.against is None else {"against": self.against}
        return Call(ask, (self.run, self.token), {**rival, "position": self.position})

    @property
    def config(self) -> TransformerConfig:
        return self.run.config

    @cached_property
    def read(self) -> list[str]:
        """The words of the tokens that the answering stack reads."""
        return words(self.run.trace.tokens)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells this question from others, for what is kept of it."""
        return self.run.spec, self.position, self.token, self.against

    @property
    def most_tokens(self) -> int:
        """Those of the text, or of the longer one of a translation."""
        return max(len(self.run.trace.tokens), len(self.run.trace.source_tokens))

    @property
    def of_class(self) -> bool:
        """Whether the answers are an encoder's classes."""
        return not self.config.answers_words

    @property
    def of_encoder(self) -> bool:
        """Whether an encoder answers: by a class, or by the word at a place."""
        return self.config.kind == "encoder"

    @property
    def answers(self) -> str:
        """What the answers are, in words."""
        return "classes" if self.of_class else "words" if self.of_encoder else "next tokens"

    @property
    def where(self) -> str:
        """The place that the answer is read off or for, in Markdown: "After “the”"."""
        place = quotes.quote(self.read[self.position], self.position)
        if not self.config.answers_places:
            return f"Read off the first token, {place}"
        return f"At {place}" if self.of_encoder else f"After {place}"

    @property
    def layers(self) -> int:
        """The layers of the stack that answers."""
        return self.config.n_layers(self.account.stack)

    def word(self, id: int) -> str:
        """The label of an answer: a token of the vocabulary that the model writes, or a class."""
        return answer_label(self.run, id)

    @cached_property
    def number(self) -> AskedNumber:
        """What is accounted for, in words."""
        return self.number_of(self.token, self.against)

    def number_of(self, answer: int, rival: int | None = None) -> AskedNumber:
        """The words of another answer's logit or lead in the same run."""
        return AskedNumber(self.word(answer), "" if rival is None else self.word(rival))

    @property
    def tokens(self) -> tuple[int, ...]:
        """The answer, and its rival if it has one."""
        return (self.token,) if self.against is None else (self.token, self.against)

    def read_off(self, logits: Tensor) -> float:
        """The number that is asked for, from the logits of another run: (answers,) -> ()."""
        answer, *against = self.tokens
        return float(logits[answer] - (logits[against[0]] if against else 0))

    @property
    def named_tokens(self) -> tuple[Token, ...]:
        """The token at the place of the question, the one that is asked for and its rival."""
        written = () if self.of_class else self.run.model.output_tokenizer.tokens(self.tokens)
        return self.run.trace.tokens[self.position], *written

    def scores(self, logits: Tensor) -> Tensor:
        """What the logits of the answers are shown as: (..., answers) -> (..., answers)."""
        return answer_scores(logits, self.config)

    @property
    def score(self) -> str:
        """What a score is called."""
        return score_noun(self.config.label_scores)

    def write(self, score: float | Tensor) -> str:
        """A score in words."""
        return write_score(float(score), self.config.label_scores)

    @property
    def chances_noun(self) -> str:
        """What `chances` are called."""
        return self.score if len(self.tokens) == 1 else f"{self.score}s".replace("ys", "ies")

    def chances(self, logits: Tensor) -> str:
        """The score of the answer in a run, and that of its rival beside it, in Markdown: "92%", or "**Lucy** 92%,
        **Omar** 0.2%", so that nobody takes it for the lead's."""
        scores = self.scores(logits)
        written = [self.write(scores[each]) for each in self.tokens]
        if len(written) == 1:
            return written[0]
        return ", ".join(f"{quotes.quote(self.word(id))} {each}" for id, each in zip(self.tokens, written, strict=True))

    def sentence(self) -> str:
        """The sum and its check, in Markdown."""
        asked = self.account
        told = "; a logit is the log-odds of its label alone" if self.config.label_scores == "sigmoid" else ""
        share = f" ({self.chances(self.logits)}{told})" if self.score == "probability" else ""
        check = "the logit" if self.against is None else "the difference of both logits"
        return (
            f"{self.where}, {self.number.name} is {number(asked.value, 4)}{share}. Its {len(asked.parts)} parts sum to "
            f"{number(asked.total, 4)}, {check} on screen. They differ by {number(asked.difference, 6)}, from rounding."
        )


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that all views of a question need."""
    return (*keep_for_account(config), *keep_for_sources(config), *keep_for_neurons(config))


def ask(run: Run, token: int | None = None, against: int | None = None, position: int | None = None) -> Question:
    """A question of a run: by default of the likeliest answer, after the last token or where a word is masked."""
    if position is None:
        position = asked_place(run.model, run.trace) if run.config.answers_places else 0
    logits = answers(run.model, run.trace, position)  # (answers,)
    token = int(logits.argmax()) if token is None else token
    return Question(run, position, token, against, account_of(run.model, run.trace, token, against, position), logits)


def answer_label(run: Run, id: int) -> str:
    """The label of a token that the model may write, or of a class."""
    if not run.config.answers_words:
        return run.config.classes[id]
    (label,) = words(run.model.output_tokenizer.tokens([id]))
    return label


def likeliest(runs: Iterable[Tensor], count: int, first: Iterable[int]) -> list[int]:
    """Some answers, and after them the `count` likeliest of each run by turns, each once. A run: logits (answers,)."""
    best = (logits.topk(min(count, len(logits))).indices.tolist() for logits in runs)
    return list(dict.fromkeys((*first, *(id for turn in zip(*best, strict=True) for id in turn))))
