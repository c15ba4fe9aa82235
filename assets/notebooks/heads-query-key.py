# %% [markdown]
# One weight, feature by feature: the products of a query and a key that sum to its score.

# %% settings
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 10
head = 1
query = 7
key = -1  # -1: the key that tells most

# %%
from model import load
from model.analysis.telling import telling_key
from model.analysis.weight_story import tell
from viz.attention.heads import products_figure

stack, part = attention.split(".")

m = load(model)
here = f"{stack}.{layer}.{part}"
trace = m.trace(text, keep=f"{here}.*", target=target or None)
weights = trace[f"{here}.weights"][head]
if key < 0:
    key = telling_key(weights[query], query, cross=part == "cross_attn")
story = tell(m.config, trace, here, head, query, key)

# %%
products = story.q * story.k  # (d_k,)
assert abs(float(products.sum()) - story.raw_score) < 1e-3
print(f"{len(products)} products sum to {story.raw_score:.3f}; the weight is {story.weight:.3f}")
figure = products_figure(story.q.numpy(), story.k.numpy())
figure
