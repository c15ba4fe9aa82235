# %% [markdown]
# The same blank for a reader from the left, one from the right, and both: three small networks, trained here.

# %% settings
blank = "I am ___ tired"

# %%
from model.recurrent.blank import train_readers
from viz.learning.before_attention import blank_figure

readers = train_readers()
found = readers.probabilities(blank)
for side, chances in found.items():
    word, chance = next(iter(chances.items()))
    print(f"{side:9} {word} {chance:.0%}")
    assert abs(sum(chances.values()) - 1) < 1e-3

# %%
titles = {"forward": "forward: the words before", "backward": "backward: the words after", "both": "both directions"}
best = sorted({word for chances in found.values() for word in list(chances)[:5]}, key=lambda word: -found["both"][word])
best = sorted(best, key=lambda word: -max(chances[word] for chances in found.values()))[:5]
figure = blank_figure(best, {titles[side]: [chances[word] for word in best] for side, chances in found.items()})
figure
