# %% [markdown]
# Exact match against the length of the sentence, as it was measured in training and stored with the cards.

# %% settings
text = "I am a robot"

# %%
from math import sqrt

from model.zoo import cards
from viz.learning.before_attention import length_figure

names = {"seq2seq": "en-ur-seq2seq", "Bahdanau": "en-ur-bahdanau", "Transformer": "en-ur"}
kinds = (*cards.TEXT_KINDS, cards.RECURRENT_KIND)
table = {title: cards.card(name, *kinds).details["by_length"] for title, name in names.items()}


def wilson(share, count, z=1.96):
    """The interval of a share measured on `count` sentences. Wilson (1927)."""
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


curves = {
    title: [(row["words"], row["exact_match"], *wilson(row["exact_match"], row["sentences"])) for row in rows]
    for title, rows in table.items()
}
assert all(low - 1e-9 <= share <= high + 1e-9 for rows in curves.values() for _, share, low, high in rows)

# %%
figure = length_figure(curves)
figure
