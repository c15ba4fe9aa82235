# %% [markdown]
# How alike sentences are, by the vectors that MiniLM makes of them.

# %% settings
texts = "George drove to the bank\nThe weather is cool"

# %%
import torch

from model import load
from model.analysis.head_steps import final_name
from model.vectors.cosines import cosine_table
from model.vectors.sentences import sentence_vector
from viz.models.classify import similarity_figure

m = load("minilm-l6")
last = final_name(m.config, "encoder")
lines = [line.strip() for line in texts.splitlines() if line.strip()][:12]
vectors = torch.stack([sentence_vector(m.trace(line, keep=last)[last]) for line in lines])  # (sentences, d_model)
assert (vectors.norm(dim=-1) - 1).abs().max() < 1e-5
table = cosine_table(vectors)
assert torch.allclose(table, vectors @ vectors.mT, atol=1e-5)

# %%
for number, line in enumerate(lines, 1):
    print(number, line)
figure = similarity_figure(table.numpy())
figure
