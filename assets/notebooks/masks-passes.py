# %% [markdown]
# One masked pass makes the same predictions as a pass for every prefix. Times are this machine's.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""

# %%
import torch

from model import load
from model.experiments.causality import masked_pass, separate_passes
from viz.attention.masks import passes_figure

m = load(model)
if "decoder" not in m.config.stacks:
    print(f"{m.card.title} has no decoder: every token may see every other. Here is the tiny language model instead.")
    m = load("tiny-lm")
tokens = m.trace(text, keep=(), target=target or None).tokens
source = m.trace(text, keep=(), target=target or None).source_tokens
masked_pass(m, tokens, source)  # the first run of a length also warms up
together, seconds = masked_pass(m, tokens, source)  # (tokens, vocabulary)
passes = list(separate_passes(m, tokens, source))
alone = torch.stack([each.logits for each in passes])
print(f"Largest difference of a logit: {(alone - together).abs().max():.1e}")
assert torch.equal(alone.argmax(-1), together.argmax(-1))

# %%
figure = passes_figure(range(1, len(passes) + 1), [each.seconds for each in passes], seconds)
figure
