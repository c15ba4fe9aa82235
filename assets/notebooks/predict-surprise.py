# %% [markdown]
# How surprising each token of the text is to the model, in bits.

# %% settings
model = "tiny-lm"
text = "the dog sees the"
path = ()  # ids of the tokens written after it

# %%
import torch

from model import load
from model.generation.surprise import surprise
from viz.models.predict import surprise_figure
from viz.shared.tokens import words

m = load(model)
prompt = m.tokens_of(text)
tokens = (*prompt, *m.tokenizer.tokens(path))
trace = m.trace_tokens(tokens, keep="logits")
ids = [token.id for token in tokens[1:]]
found = surprise(trace.logits[:-1], ids)
chances = trace.logits[:-1].softmax(-1)[torch.arange(len(ids)), ids]  # what each token was given before it came
assert torch.allclose(found.bits, -chances.log2(), atol=1e-3)

# %%
figure = surprise_figure(words(tokens[1:]), found.bits.numpy(), found.rank.tolist(), len(prompt) - 1)
figure
