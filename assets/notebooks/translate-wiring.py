# %% [markdown]
# The wiring: the encoder's last output feeds every decoder layer, through that layer's own W_K and W_V.

# %% settings
model = "en-ur"
text = "I am a robot"
target = ""

# %%
import torch

from model import load
from viz.models.translate import wiring_figure
from viz.shared.style import number

m = load(model)
last = f"encoder.{m.config.n_encoder_layers - 1}.ffn_norm"
name = "encoder.final_norm" if m.config.norm_position == "pre" else last
trace = m.trace(text, keep=(name, "*.cross_attn.memory", "*.cross_attn.k"), target=target or None)
memory = trace[name]  # (source tokens, d_model)
norms = []
for layer in range(m.config.n_decoder_layers):
    assert torch.equal(trace[f"decoder.{layer}.cross_attn.memory"], memory), "every layer receives the same tensor"
    with torch.inference_mode():
        keys = m.on_cpu.network.decoder.blocks[layer].cross_attn.keys_and_values(memory)[0]
    assert torch.allclose(keys, trace[f"decoder.{layer}.cross_attn.k"], atol=1e-4)
    norms.append(float(keys.norm()))

# %%
encoder = [(f"encoder layer {l}", "self-attention, feed-forward") for l in range(m.config.n_encoder_layers)]
decoder = [(f"decoder layer {l}", f"cross_attn.k = M W_K, norm {norm:.1f}") for l, norm in enumerate(norms)]
shape = " × ".join(map(str, memory.shape))
figure = wiring_figure(encoder, decoder, f"{name}, {shape}, norm {number(float(memory.norm()), 2)}")
figure
