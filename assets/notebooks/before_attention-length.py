# %% [markdown]
# Exact match against the length of the sentence, as it was measured in training and stored with the cards.

# %% settings
text = "I am a robot"

# %%
from model.analysis.confidence import wilson_interval
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from viz.learning.before_attention import length_figure

names = {"seq2seq": "en-ur-seq2seq", "Bahdanau": "en-ur-bahdanau", "Transformer": "en-ur"}
kinds = (*TEXT_KINDS, RECURRENT_KIND)
table = {title: cards.card(name, *kinds).details["by_length"] for title, name in names.items()}
curves = {
    title: [(row["words"], row["exact_match"], *wilson_interval(row["exact_match"], row["sentences"])) for row in rows]
    for title, rows in table.items()
}
assert all(low - 1e-9 <= share <= high + 1e-9 for rows in curves.values() for _, share, low, high in rows)

# %%
figure = length_figure(curves)
figure
