# %% [markdown]
# The next tokens with some parts of the model muted or scaled, beside those of the whole model.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after which the next one is asked for; -1: the last
answer = -1  # the id of a token that is shown first; -1: the likeliest

# %%
from itertools import zip_longest

from model import load
from viz.models.patching import next_tokens_figure
from viz.shared.tokens import words

m = load(model)
whole = getattr(m, "whole", m)  # an edited model knows the one without edits
trace = m.trace(text, keep="logits", target=target or None)
if query < 0:  # of a translation its last word, not the end behind it
    query = len(trace.tokens) - (2 if trace.source_tokens and len(trace.tokens) > 1 else 1)
runs = {"the whole model": whole.trace_tokens(trace.tokens, trace.source_tokens, keep="logits").logits[query]}
if m is not whole:
    runs["edited"] = trace.logits[query]

# %%
answer = int(trace.logits[query].argmax()) if answer < 0 else answer
best = (logits.topk(5).indices.tolist() for logits in (trace.logits[query], runs["the whole model"]))
ids = list(dict.fromkeys((answer, *(id for pair in zip_longest(*best) for id in pair))))[:7]
shares = {name: logits.softmax(-1)[ids].numpy() for name, logits in runs.items()}
figure = next_tokens_figure(shares, words(m.output_tokenizer.tokens(ids)))
figure
