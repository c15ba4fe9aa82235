# %% [markdown]
# The translation, and where each written word looks in the source.

# %% settings
model = "en-ur"
text = "I am a robot"
target = ""  # a translation that is given; empty: the model's own
layer = -1  # -1: the mean of all layers
head = -1  # -1: the mean of all heads

# %%
import torch

from model import load
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
trace = m.trace(text, keep=("decoder.*.cross_attn.weights", "logits"), target=target or None)
end = m.output_tokenizer.end
written = [*(token.id for token in trace.tokens[1:]), end] if target else trace.logits.argmax(-1).tolist()
print(m.output_tokenizer.decode(written))
if not target:  # written token by token, it is the same sentence
    assert list(m.translate_ids(m.tokens_of(text))) == written[: m.config.max_length - 1]

# %%
chances = trace.logits.softmax(-1)[torch.arange(len(written)), written]
shows = {"probabilities": chances}
for token, chance in zip(words(m.output_tokenizer.tokens(written)), chances.tolist(), strict=True):
    print(f"{chance:6.1%} {token}")

# %%
cross = torch.stack([trace[f"decoder.{l}.cross_attn.weights"] for l in range(m.config.n_decoder_layers)])
cross = cross.mean(0) if layer < 0 else cross[layer]
cross = cross.mean(0) if head < 0 else cross[head]  # (written, source)
figure = weights_figure(cross.numpy(), words(m.output_tokenizer.tokens(written)), words(trace.source_tokens))
figure
