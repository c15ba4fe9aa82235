"""Sums of the ladder with their numbers: an entry of TF-IDF, a half-step of factorisation, a term of GloVe's loss."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from model.arrays import Array
from model.errors import GlassformerError
from model.vectors import counts, factorisation, glove
from pages.inputs.tokens_parts import ladder_factorisation, ladder_glove, ladder_words
from pages.shared.elements import layout
from pages.shared.session import state
from views.shared import quotes, sums
from viz.shared.style import count_noun, markdown_text

MAX_MATRIX_FACTORS = 3  # the largest K whose matrix is written out


def work_out_tf_idf(word: int) -> None:
    """Work out the word's entry in the line where it weighs most."""
    lines, words = ladder_words.corpus()
    lines = lines[: ladder_words.COUNTED_LINES]
    line = int(ladder_words.vectors("tf-idf")[word].argmax())
    having = [sum(each in line for line in lines) for each in words]
    counts_in_line = [lines[line].count(each) for each in words]
    weights = [counts.tf_idf_weight(n, df, len(lines)) for n, df in zip(counts_in_line, having, strict=True)]
    count, length = counts_in_line[word], math.hypot(*weights)
    if not count:
        layout.caption(f"{quotes.quote(words[word])} stands in none of the {len(lines):,} lines.")
        return
    raw = quotes.tex(weights[word])
    layout.work_out(
        f"{quotes.quote(words[word])} stands {count_noun(count, 'time')} in “{' '.join(lines[line])}”, and in "
        f"{having[word]} of {len(lines):,} lines; then over the length of the line:",
        rf"{count} \left(\ln \frac{{1 + {len(lines)}}}{{1 + {having[word]}}} + 1\right) = {raw}, \qquad "
        rf"w_{{ij}} = \frac{{{raw}}}{{{quotes.tex(length)}}} = {quotes.tex(weights[word] / length)}",
    )


def work_out_half_step() -> None:
    """Work out the first reader's vector and bias from the ratings and from the books' vectors before the step."""
    table = ladder_factorisation.latest_table()
    ratings = table.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    k, penalty = min(state.get("tokens_k"), MAX_MATRIX_FACTORS), ladder_factorisation.PENALTY
    try:
        start, after = list(factorisation.fit(ratings, k, penalty, 1))[:2]
    except GlassformerError as error:
        layout.caption(markdown_text(str(error)))
        return
    row = int(np.flatnonzero((~np.isnan(ratings)).any(axis=1))[0])
    observed = ~np.isnan(ratings[row])
    left, right = factorisation.normal_equations(ratings[row], start.books, start.book_bias, start.mean, penalty)
    solved = np.append(after.readers[row], after.reader_bias[row])
    smaller = f", with K = {k} so that it can be written out" if k < state.get("tokens_k") else ""
    layout.work_out(
        f"The first half-step for {quotes.quote(str(table.index[row]))}, who rated {observed.sum()} books; "
        rf"$\lambda$ = {penalty}, $\mu$ = {quotes.tex(start.mean)}{smaller}:",
        rf"{_write_matrix(left)}^{{-1}} {_write_matrix(right[:, None])} = {_write_matrix(solved[:, None])}",
    )
    book = int(np.flatnonzero(observed)[0])
    products = after.readers[row] * after.books[book]  # (K,)
    rating, terms = float(ratings[row, book]), [*products, after.reader_bias[row], after.book_bias[book], after.mean]
    layout.work_out(
        f"The prediction for {quotes.quote(str(table.columns[book]))}, which was rated {rating:g}. It adds the "
        "products, both biases and the mean:",
        rf"w \cdot u + b + c + \mu = {sums.total(terms)}",
    )


def _write_matrix(values: Array) -> str:
    rows = r" \\ ".join(" & ".join(quotes.tex(float(value)).strip("()") for value in row) for row in values)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def work_out_glove_term(at: tuple[int, int]) -> None:
    """Work out the two words' term of the loss, with the vectors of this session, or those before any training."""
    window = max(state.get("tokens_window"), 1)
    table = ladder_words.cooccurrence(window)
    vectors = ladder_glove.trained_vectors()
    step = "after training" if vectors is not None else "before training"
    vectors = vectors or next(glove.fit(table, steps=0))
    i, j = at
    x, f = float(table[at]), float(glove.weight(table[at]))
    terms = glove.error_terms(vectors, x, i, j)
    error = sum(terms)
    words, together, weight = ladder_words.corpus()[1], quotes.tex(x), quotes.tex(f)
    layout.work_out(
        f"{quotes.quote(words[i])} and {quotes.quote(words[j])}, {step}, with a window of {window}:",
        rf"f({together}) = \min\left(1, \left(\frac{{{together}}}{{100}}\right)^{{0.75}}\right) = {weight}",
        rf"w_i \cdot u_j + b_i + c_j - \log(1 + x_{{ij}}) = {sums.total(terms)}",
        rf"{weight} \cdot {quotes.tex(error)}^2 = {quotes.tex(f * error**2)}",
    )
