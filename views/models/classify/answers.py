"""What an encoder says of a text: its class, the class of every token, a masked word, or the answer to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.asked_place import asked_place
from model.network.answer_scores import answer_scores
from views.models.classify.found_answer import FoundAnswer
from views.models.classify.token_classes import TokenClasses
from views.parts import Chart, DataTable, Files
from views.plotted import Plotted
from views.run import Run
from views.shared import quotes
from viz.documents.page_parts import Group, Heading
from viz.models.classify import classes_figure, token_classes_figure
from viz.shared.style import markdown_text, percent, score_noun, write_score
from viz.shared.tokens import words

LIKELIEST = 8  # answers that are drawn
CLASS = "the class of the text"
OF_TOKEN = "the class of the chosen token"
FOUND = "the answer"
ASKED = "the token that is asked for"


@dataclass(frozen=True)
class Answers:
    """All answers of an encoder. `token` is the chosen one; 0 for the first, which gives the class of the text."""

    run: Run
    token: int

    @property
    def place(self) -> int:
        """The place of the word that is asked for: the chosen token, or with the first one a mask, or the last word."""
        return asked_place(self.run.model, self.run.trace, self.token or -1)

    @property
    def asked(self) -> int:
        """The token that the reader asks about."""
        return self.place if self.run.config.answers_places else self.token

    def told(self) -> Mapping[str, float | str]:
        config, found = self.run.config, dict[str, float | str]()
        if config.masked_words:
            found[ASKED] = words(self.run.trace.tokens)[self.place]
        if config.text_labels:
            found[CLASS] = config.text_labels[int(self._text_scores().argmax())]
        if config.answer_span:
            found[FOUND] = FoundAnswer(self.run).text
        elif config.token_labels:
            best = self.run.trace["token_logits"][self.asked].argmax()
            found[OF_TOKEN] = config.token_labels[int(best)]
        return found

    def beside(self) -> Group:
        """All answers side by side, in two columns."""
        config = self.run.config
        if config.answer_span:
            return Group(FoundAnswer(self.run).parts(), key="classify answers")
        shown = {self.word: config.masked_words, self.of_text: config.text_labels, self.of_tokens: config.token_labels}
        columns = [make() for make, is_there in shown.items() if is_there][:2]
        columns += [[]] * (2 - len(columns))
        groups = [Group(parts, "column", weight) for parts, weight in zip(columns, (2, 3), strict=True)]
        return Group([Group(groups, "row", gap="large")], key="classify answers")

    def word(self) -> list[Any]:
        """The likeliest words at a place."""
        run, tokens, place = self.run, words(self.run.trace.tokens), self.place
        shares = run.trace.logits_at(place).softmax(-1)
        best = shares.topk(min(LIKELIEST, len(shares)))
        names, found = words(run.model.output_tokenizer.tokens(best.indices.tolist())), best.values.tolist()
        rows = [{"word": name, "probability": p} for name, p in zip(names, found, strict=True)]
        mask, hint = run.model.tokenizer.mask, ""
        if mask is not None and run.trace.tokens[place].id != mask:
            hint = f" The model sees the word. To hide it, write `{run.model.tokenizer.token(mask).text}` in its place."
        draw = partial(classes_figure, found, names)
        shown = Plotted(
            Chart(draw, "Probability of the likeliest words at this place"),
            DataTable(lambda: pd.DataFrame(rows)),
            "From the vector at this place, which has seen the words on both sides: "
            f"**{markdown_text(names[0])}**, {percent(found[0])} of {len(shares):,} tokens.{hint}",
            Files(f"{run.name}-word", draw, draw, lambda: rows),
        )
        return [Heading(f"The word at {quotes.quote(tokens[place], place)}", 3), shown]

    def _text_scores(self) -> Any:
        return answer_scores(self.run.trace["text_logits"], self.run.config)

    def of_text(self) -> list[Any]:
        """The class of the text."""
        run, config, tokens = self.run, self.run.config, words(self.run.trace.tokens)
        text, kind = self._text_scores(), config.label_scores
        noun = score_noun(kind)
        rows = [{"class": name, noun: p} for name, p in zip(config.text_labels, text.tolist(), strict=True)]
        drawn = sorted(text.topk(min(LIKELIEST, len(text))).indices.tolist())
        draw = partial(classes_figure, text[drawn].tolist(), [config.text_labels[id] for id in drawn], kind=kind)
        shown = Plotted(
            Chart(draw, f"{noun.capitalize()} of each class of the sentence"),
            DataTable(lambda: pd.DataFrame(rows)),
            f"From the vector of the first token, {quotes.quote(tokens[0], 0)}, alone: "
            f"{say_scores(text.tolist(), config.text_labels, kind)} {run.model.card.details.get('limits', '')}",
            Files(f"{run.name}-class", draw, draw, lambda: rows),
        )
        return [Heading("The sentence", 3), shown]

    def of_tokens(self) -> list[Any]:
        """The class of each token."""
        run = self.run
        classes = TokenClasses.of(run)
        names = [run.config.token_labels[label] for label in classes.drawn]
        shares = classes.shares[:, classes.drawn].numpy()
        draw = partial(token_classes_figure, shares, classes.tokens, names)
        files = Files(f"{run.name}-tokens", draw, draw, lambda: classes.table().to_dict("records"))
        of = "each class" if len(names) == len(run.config.token_labels) else f"the {len(names)} likeliest classes"
        said = classes.sentence()
        if not run.config.text_labels:
            said = f"{said} {run.model.card.details.get('limits', '')}".rstrip()
        chart = Chart(draw, f"Probability of {of} by token")
        return [Heading("Each token", 3), Plotted(chart, DataTable(partial(classes.table, classes.drawn)), said, files)]


def say_scores(scores: list[float], labels: Sequence[str], kind: str) -> str:
    """The scores of a text's or a picture's labels in words, in Markdown: of several the highest."""
    best = max(range(len(scores)), key=scores.__getitem__)
    named = f"**{markdown_text(labels[best])}**, {write_score(scores[best], kind)}."
    if kind == "softmax":
        return named
    if kind == "none":
        return f"{named} The model was trained to give numbers, so its logits are shown as they are."
    likely = sum(score > 0.5 for score in scores)
    apart = f" Each label is judged by itself, so they need not sum to 100%. Above one half: {likely} of {len(scores)}."
    others = apart if len(scores) > 1 else ""
    return f"{named}{others} By the sigmoid, not the softmax: 50% is a logit of 0."
