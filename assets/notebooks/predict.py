# %% [markdown]
# What the model writes after the sentence, and where each new token looks.

# %% settings
model = "tiny-lm"
text = "the dog sees the"
path = ()  # ids of the tokens written after it
step = 0  # the one that is looked at
temperature = 0.0
k = 0
p = 1.0
min_p = 0.0
seed = 0
layer = 1
head = 0
mean = True  # of all heads, in place of one

# %%
import numpy as np
import pandas as pd

from model import load
from model.generation.sampling import Sampling, stages
from viz.attention.heads import weights_figure
from viz.shared.tokens import labels, words

m = load(model)
prompt = m.tokens_of(text)
trace = m.trace_tokens((*prompt, *m.tokenizer.tokens(path)), keep=("decoder.*.self_attn.weights", "logits"))
logits = trace.logits[len(prompt) - 1 :]  # (steps, vocabulary)
print(m.tokenizer.decode([token.id for token in trace.tokens]))

# %%
# The same again, token by token with a KV cache. A path with a branch in it differs from here on.
again = (
    [
        each.chosen
        for each in m.generate(
            text, max_new_tokens=len(path), temperature=temperature, top_k=k, top_p=p, min_p=min_p, seed=seed
        )
    ]
    if path
    else []
)
print("the same tokens" if tuple(again) == tuple(path) else f"drawn anew: {m.tokenizer.decode(again)}")
if temperature == 0 and tuple(again) == tuple(path):
    assert tuple(logits[: len(path)].argmax(-1).tolist()) == tuple(path), "greedy takes the likeliest"

# %%
made = stages(logits[step], Sampling(temperature, k, p, min_p))
best = logits[step].topk(12).indices.tolist()
pd.DataFrame(
    {
        "token": labels(m.tokenizer.tokens(best)),
        "logit": logits[step][best].numpy(),
        "model": made.model[best].numpy(),
        "after the filters": made.min_p[best].numpy(),
    }
)

# %%
weights = trace[f"decoder.{layer}.self_attn.weights"]  # (heads, queries, keys)
shown = (weights.mean(0) if mean else weights[head]).numpy()
names = words(trace.tokens)
figure = weights_figure(shown, names, names, hidden=np.triu(np.ones(shown.shape, bool), 1))
figure
