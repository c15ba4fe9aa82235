# %% [markdown]
# Every measure of every head, as layers by heads.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"

# %%
import torch

from model import load
from model.analysis import head_measures
from model.analysis.induction import LENGTH, induction, repeated_tokens
from model.analysis.scores import entropy
from viz.attention.head_work import maps_figure

stack, part = attention.split(".")

m = load(model)
n_layers = m.config.n_layers(stack)
trace = m.trace(text, keep=f"{stack}.*.{part}.weights", target=target or None)
layers = [trace[f"{stack}.{layer}.{part}.weights"] for layer in range(n_layers)]  # (heads, queries, keys) each


def by_layer(measure):
    return torch.stack([measure(weights) for weights in layers]).numpy()  # (layers, heads)


maps = {"Entropy": by_layer(lambda weights: entropy(weights[..., min(1, weights.shape[-2] - 1) :, :]).mean(-1))}
if part == "self_attn":
    tokens = trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens
    ids = [token.id for token in tokens]
    maps["Distance"] = by_layer(head_measures.distance)
    maps["Previous token"] = by_layer(head_measures.previous_token)
    maps["Same token"] = by_layer(lambda weights: head_measures.same_token(weights, ids))
maps["First token"] = by_layer(head_measures.first_token)

# %% [markdown]
# Induction is taken on random tokens that are written twice, so that only repetition can help.

# %%
if part == "self_attn":
    config, pair = m.config, m.config.kind == "encoder-decoder"
    reader = m.tokenizer if stack == "encoder" else m.output_tokenizer
    vocabulary = config.vocab_size if stack == "encoder" else config.target_vocab_size or config.vocab_size
    twice = reader.tokens(repeated_tokens(reader, vocabulary, min(LENGTH, config.max_length // 2)).tolist())
    written, source = twice, ()
    if pair and stack == "encoder":
        written, source = m.output_tokenizer.tokens([m.output_tokenizer.sequence_start]), twice
    elif pair:
        source = trace.source_tokens
    repeated = m.trace_tokens(written, source, keep=f"{stack}.*.self_attn.weights")
    found = [induction(repeated[f"{stack}.{layer}.self_attn.weights"]) for layer in range(n_layers)]
    maps["Induction"] = torch.stack(found).numpy()
for name, values in maps.items():
    layer, head = divmod(int(values.argmax()), m.config.n_heads)
    print(f"{name:15} highest in layer {layer}, head {head}: {values.max():.2f}")
    assert values.shape == (n_layers, m.config.n_heads)

# %%
tops = {name: float(values.max()) or 1.0 if name in ("Entropy", "Distance") else 1.0 for name, values in maps.items()}
figure = maps_figure(maps, tops)
figure
