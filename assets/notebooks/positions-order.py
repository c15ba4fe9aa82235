# %% [markdown]
# Does order matter? Without positions an encoder is permutation-equivariant: f(PX) = P f(X).

# %% settings
model = "minilm-l6"
text = "the dog bites the man"
seed = 0

# %%
from model import available, load
from model.experiments.word_order import effect_of_order, shuffle_places
from model.run import ids_of
from viz.inputs.positions import order_figure
from viz.shared.tokens import words

m = load(model)
if m.network.encoder is None or m.config.positions not in ("sinusoidal", "learned"):
    # A decoder's causal mask sees order by itself: the view then takes an encoder.
    ready = [card.name for card in available() if card.ready]
    m = load(next(name for name in ("minilm-l6", "en-ur", "tiny-encoder") if name in ready))
tokens = m.tokens_of(text)
order = shuffle_places([t for t, token in enumerate(tokens) if not token.special], len(tokens), seed)
without = effect_of_order(m.network, ids_of(tokens), order, positions=False).changes  # (tokens,)
present = effect_of_order(m.network, ids_of(tokens), order).changes
assert without.max() < 1e-3, "without positions the words only change places"

# %%
labels = words(tokens)
figure = order_figure([labels[t] for t in order.tolist()], without.numpy(), present.numpy())
figure
