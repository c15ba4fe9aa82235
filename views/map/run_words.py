"""What a model answers to a sentence, and what one of its heads does, in words."""

from __future__ import annotations

from views.head_of_run import tokens_of
from views.map import run_answers
from views.map.look import Look
from views.run import Run
from views.shared import quotes
from viz.shared.style import count_noun, markdown_text, number, percent, write_score


def prediction(run: Run, look: Look) -> str:
    """The model's prediction: that after the sentence, and of a decoder that after the chosen token."""
    title, count = markdown_text(run.model.card.title), len(run.trace.tokens)
    if run.config.kind == "encoder":
        return _encoder_answer(run, title)
    names, shares = run_answers.rank_next_tokens(run, 2)
    likely, second = (quotes.quote(run_answers.bare(name)) for name in names)
    guesses = f"{likely} next, {percent(shares[0])}; its second guess is {second}, {percent(shares[1])}."
    if run.config.kind == "decoder":
        return f"After {count_noun(count, 'token')} {title} expects {guesses}{_earlier_prediction(run, look)}"
    read, written = markdown_text(run.text.strip()), markdown_text(run_answers.written_text(run))
    return f"{title} reads “{read}” and writes **{written}**. Then it expects {guesses}"


def _earlier_prediction(run: Run, look: Look) -> str:
    """What a decoder expects after the chosen token; "" for the last one. It has read no later token."""
    if look.query == len(run.trace.tokens) - 1:
        return ""
    names, shares = run_answers.rank_next_tokens(run, 1, look.query)
    likely = quotes.quote(run_answers.bare(names[0]))
    return f" At {look.query_chip} it has read no further and expects {likely}, {percent(shares[0])}."


def _encoder_answer(run: Run, title: str) -> str:
    if run.config.masked_words:
        names, shares = run_answers.rank_words(run, 2)
        likely, second = (quotes.quote(run_answers.bare(name)) for name in names)
        place = quotes.quote(run_answers.place_of_word(run))
        return (
            f"At {place} {title} finds {likely} the likeliest word, {percent(shares[0])}; its second guess is "
            f"{second}, {percent(shares[1])}."
        )
    if run.config.has_answer:
        names, shares = run_answers.rank_classes(run)
        of = quotes.quote(run_answers.place_of_word(run)) if run.config.answers_places else "this text"
        what = "the score for" if run.config.answer_span else "the class"
        score = write_score(shares[0], run.config.label_scores)
        return f"{title} gives {of} {what} **{markdown_text(names[0])}**, {score}."
    pair = run_answers.find_closest_words(run)
    sentence = f"{title} predicts no next word: it makes one vector for each token, from the whole sentence."
    if pair is None:
        return sentence
    first, second = (quotes.quote(run_answers.bare(name)) for name in pair[:2])
    return (
        f"{sentence} Of the different words in this one, {first} and {second} have the output vectors that are most "
        f"alike (cosine {number(pair[2], 2)})."
    )


def strongest_look(run: Run, look: Look) -> str:
    """The strongest look in the framed head."""
    config = run.config
    rests = len(look.keys) > 2 and look.part == "self_attn"
    advice = ": look past the first token, where heads rest, and the nearest ones" if rests else ""
    heads = sum(config.n_layers(each) for each in config.stacks) * config.n_heads
    return (
        f"Layer {look.layer}'s head {look.head} (framed) is one of {heads}. In it, {look.query_chip} gives "
        f"{look.target} {percent(float(look.row[look.key]))} of its attention{advice}. "
        "The purple line is the residual stream: every part reads from it and adds to it. "
        "In the embedding and the neurons, blue is above zero and orange below."
    )


def named_tokens(run: Run, look: Look) -> list[str]:
    """The tokens that these words name: the chosen one, and those that the model expects."""
    chosen = tokens_of(run, look.stack)[look.query]
    expected = [] if run.config.kind == "encoder" else run_answers.rank_next_tokens(run, 2)[0]
    return [*([chosen.text] if chosen.special else []), *expected]
