"""A question about tokens: into how many a text is cut."""

from __future__ import annotations

from model.questions.question import Choice, Labels, NoQuestion, Question, make_question


def count_of_tokens(text: str, tokens: Labels, reader: str) -> Question:
    """Asks into how many tokens a text is cut. `tokens`: their labels, without those that the model adds by itself.

    Wrong answers count words, letters and marks, two tokens for each word, or one that is added. Raises `NoQuestion`
    for a text without tokens.
    """
    if not tokens:
        raise NoQuestion("There is no text to cut.")
    count, words = len(tokens), len(text.split())
    wrong = {
        "one for each word": words,
        "one for each letter and mark": sum(not character.isspace() for character in text),
        "two for each word": 2 * words,
        "one more": count + 1,
    }
    return make_question(
        "pieces",
        f"Into how many tokens does {reader} cut this text? (Those that it adds by itself do not count.)",
        Choice(f"{count:,}", count, "the tokens of the text"),
        (Choice(f"{value:,}", value, note) for note, value in wrong.items()),
        f"Words: {words:,}. Tokens: {count:,}. These are {' | '.join(tokens)}",
    )
