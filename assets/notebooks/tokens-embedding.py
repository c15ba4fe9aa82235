# %% [markdown]
# From id to vector: a token's row of the table, its position, what layer 0 reads, and its neighbours in the table.

# %% settings
model = "tiny-lm"
text = "The quick brown fox jumps over the lazy"
query = 0

# %%
import numpy as np

from model import load
from model.vectors.vocabulary_map import nearest_tokens, plane
from viz.block.layer import tensor_figure
from viz.inputs.vocabulary import vocabulary_figure
from viz.shared.tokens import labels

m = load(model)
trace = m.trace(text, keep="*embed.*")
stack = "encoder." if trace.source_tokens else ""
tokens = trace.source_tokens or trace.tokens
parts = {"tokens": "row of the table", "positions": "position", "segments": "segment", "out": "what layer 0 reads"}
rows = {parts[part]: trace[f"{stack}embed.{part}"][query] for part in parts if f"{stack}embed.{part}" in trace}
table = m.on_cpu.network.get_parameter(f"{stack or m.config.kind + '.'}embed.tokens.weight").detach().float()
near = nearest_tokens(table, tokens[query].id, 8)
for id, cosine in near:
    print(f"{cosine:.2f} {labels([m.tokenizer.token(id)])[0]}")
row = table[tokens[query].id]
factor = float(rows["row of the table"].norm() / row.norm())
assert (rows["row of the table"] - factor * row[: len(rows["row of the table"])]).abs().max() < 1e-3

# %%
width = max(len(row) for row in rows.values())
sheet = np.zeros((len(rows), width), np.float32)
for place, row in enumerate(rows.values()):
    sheet[place, : len(row)] = row.numpy()
places, share = plane(table)
places = places.numpy()
sample = np.unique(np.linspace(0, len(places) - 1, min(1200, len(places))).astype(int))
others = labels([m.tokenizer.token(int(id)) for id in sample])
close = [id for id, _ in near]
figures = [
    tensor_figure(sheet, list(rows)),
    vocabulary_figure(
        (places[sample], others),
        (places[close], labels([m.tokenizer.token(id) for id in close])),
        (places[[each.id for each in tokens]], labels(tokens)),
    ),
]
for figure in figures:
    figure.show()
