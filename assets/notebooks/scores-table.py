# %% [markdown]
# A table of attention weights by hand (Shamsi 2024, fig. 10): what a row of weights does, without any model.

# %% settings
table = ""  # sixteen numbers with commas between; empty: Shamsi's

# %%
from model.analysis.scores import check_table
from viz.attention.heads import weights_figure

words = ["Hello", "I", "like", "you"]
shamsi = "0.8,0.1,0.05,0.05,0.1,0.6,0.2,0.1,0.05,0.2,0.65,0.1,0.2,0.1,0.1,0.6"
numbers = [float(number) for number in (table or shamsi).split(",")]
rows = [numbers[4 * i : 4 * i + 4] for i in range(4)]
weights = check_table(rows, words)  # (4, 4); each row must sum to 1
shows = {"weights": weights}
for word, row in zip(words, weights.tolist(), strict=True):
    print(word, "becomes", " + ".join(f"{weight:.2f} {other}" for weight, other in zip(row, words, strict=True)))

# %%
figure = weights_figure(weights.numpy(), words, words)
figure
