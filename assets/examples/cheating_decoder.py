# %% [markdown]
# The cheating decoder: without its mask, a word that comes later changes what was predicted before.

# %%
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
place = -1  # the token that is changed; -1: the last one
word = "cat"  # into which

# %%
from glassformer import load
from glassformer.model.experiments.causality import change_token, leak, one_token
from glassformer.viz.attention.masks import leak_figure
from glassformer.viz.shared.tokens import words

m = load(model)
if "decoder" not in m.config.stacks:
    print(f"{m.card.title} has no decoder: every token may see every other. Here is the tiny language model instead.")
    m = load("tiny-lm")
trace = m.trace(text, keep=(), target=target or None)
place = place if 0 <= place < len(trace.tokens) else len(trace.tokens) - 1
changed = change_token(trace.tokens, place, one_token(m, word))
masked, unmasked = (leak(m, trace.tokens, changed, trace.source_tokens, causal) for causal in (True, False))
assert (masked.change[:place] < 1e-4).all(), "with the mask, nothing before the word changes"

# %%
labels = words(trace.tokens)
labels[place] = f"{labels[place]} → {words([changed[place]])[0]}"
figure = leak_figure(labels, masked.change.numpy(), unmasked.change.numpy(), place)
figure.show()
