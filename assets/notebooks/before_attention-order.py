# %% [markdown]
# Steps that wait for one another, counted, and one layer of each kind, timed. Times are this machine's.

# %% settings
text = "I am a robot"

# %%
from model.config import TransformerConfig
from model.cost.timing import measure
from model.experiments.gradient_by_distance import make_untrained
from model.recurrent.config import RecurrentConfig
from viz.shared.lines import lines_figure

recurrent = make_untrained(RecurrentConfig("decoder", "lstm", 1000, 128, 128, 512))
config = TransformerConfig(vocab_size=1000, d_model=128, n_heads=4, d_ff=256, max_length=512, n_decoder_layers=1)
lengths = (8, 16, 32, 64, 128, 256, 512)
timed = {}
for name, network in (("LSTM", recurrent), ("Transformer", make_untrained(config))):
    timed[name] = [1000 * each.seconds for each in measure(network, lengths, keep=(), repeats=7)]
    print(name, [f"{each:.2f} ms" for each in timed[name]])
assert all(len(times) == len(lengths) for times in timed.values())

# %%
counts = tuple(2**n for n in range(11))
curves = {
    "recurrent: steps in a row, and longest path": (counts, counts),
    "self-attention: steps in a row, and longest path": (counts, [1] * len(counts)),
    "self-attention: pairs, all at once": (counts, [t * t for t in counts]),
}
figure = lines_figure(curves, "tokens T", "count", log="xy")
figure

# %%
lines_figure({name: (lengths, times) for name, times in timed.items()}, "tokens T", "milliseconds", log="xy")
