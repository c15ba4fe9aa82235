# %% [markdown]
# How much of each earlier token reaches the last output: gradients through an RNN, an LSTM and a transformer.

# %% settings
networks = "trained and fresh"
relative = True  # to the gradient of the last token itself

# %%
from random import Random

from model import load
from model.experiments.gradient_by_distance import gradient_by_distance, make_untrained
from model.train.samples import held_out_line
from model.train.tiny_lm import TinyLM
from viz.learning.before_attention import reach_figure

names = {"RNN": "tiny-lm-rnn", "LSTM": "tiny-lm-lstm", "Transformer": "tiny-lm"}
ids = TinyLM("tiny-lm").rows(Random("memory"), 8, 64, held_out_line)
curves = {}
for title, name in names.items():
    m = load(name)
    for kind, network in (("trained", m.network), ("fresh", make_untrained(m.config))):
        values = gradient_by_distance(network, ids).numpy()  # by distance from the last token
        if kind in networks:
            curves[f"{title}, {kind}"] = (values / values[0] if relative else values, kind == "trained")
if {"RNN, fresh", "Transformer, fresh"} <= curves.keys():
    rnn, transformer = (curves[f"{title}, fresh"][0][-1] for title in ("RNN", "Transformer"))
    assert rnn < transformer, "through a product of matrices less arrives"

# %%
figure = reach_figure(curves)
figure
