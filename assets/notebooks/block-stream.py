# %% [markdown]
# The residual stream through all layers: how much each sublayer adds, and how far it turns what it finds.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"  # of the stack that is shown

# %%
import torch
from torch.nn.functional import cosine_similarity

from model import load
from model.analysis.block_steps import output_name
from viz.block.layer import layers_figure
from viz.shared.tensor_titles import title_in_layer
from viz.shared.tokens import labels

stack = attention.split(".")[0]

m = load(model)
trace = m.trace(text, keep=f"{stack}.*", target=target or None)
tokens = labels(trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens)


def all_layers(name):
    return torch.stack([trace[f"{stack}.{layer}.{name}"] for layer in range(m.config.n_layers(stack))])


sublayers = ["self_attn.out", "ffn.out"]
if stack == "decoder" and m.config.kind == "encoder-decoder":
    sublayers.insert(1, "cross_attn.out")
added = {name: all_layers(name).norm(dim=-1) for name in sublayers}  # (layers, tokens)
turned = cosine_similarity(all_layers("resid_in"), all_layers(output_name(m.config)), dim=-1)  # (layers, tokens)
assert (turned.abs() <= 1 + 1e-5).all()
print(f"Layer {int(turned.mean(-1).argmin())} turns the stream most.")

# %%
figures = [
    layers_figure(sizes.numpy(), tokens, f"Length of the {title_in_layer(name)}") for name, sizes in added.items()
]
figures.append(layers_figure(turned.numpy(), tokens, "Cosine of a layer's input and output", signed=True))
for figure in figures:
    figure.show()
