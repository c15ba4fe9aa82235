# %% [markdown]
# One weight, feature by feature: the products of a query and a key that sum to its score.

# %% settings
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 9
head = 2
query = -1  # -1: the strongest pair of the head
key = -1

# %%
from model import load
from model.analysis.telling import telling_pair
from model.analysis.weight_story import tell
from viz.attention.heads import products_figure

stack, part = attention.split(".")

m = load(model)
here = f"{stack}.{layer}.{part}"
trace = m.trace(text, keep=f"{here}.*", target=target or None)
weights = trace[f"{here}.weights"][head]
if query < 0:
    query, key = telling_pair(weights)
elif key < 0:
    key = int(weights[query].argmax())
story = tell(m.config, trace, here, head, query, key)

# %%
products = story.q * story.k  # (d_k,)
assert abs(float(products.sum()) - story.raw_score) < 1e-3
print(f"{len(products)} products sum to {story.raw_score:.3f}; the weight is {story.weight:.3f}")
figure = products_figure(story.q.numpy(), story.k.numpy())
figure
