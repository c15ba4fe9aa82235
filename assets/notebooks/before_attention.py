# %% [markdown]
# One sentence through a network with one vector, one that looks back, and one that does nothing else.

# %% settings
text = "I am a robot"
step = -1  # words of the translation that are shown; -1: all
layer = 1  # of the transformer's decoder

# %%
from model import load
from model.recurrent.networks import stack_steps
from viz.learning.before_attention import alignment_figure, bottleneck_figure, heads_figure
from viz.shared.tokens import words

keep = {
    "en-ur-seq2seq": ("bottleneck", "logits"),
    "en-ur-bahdanau": ("decoder.*.attention.weights", "logits"),
    "en-ur": ("decoder.*.cross_attn.weights", "logits"),
}
models = {name: load(name) for name in keep}
runs = {name: m.trace(text, keep=keep[name]) for name, m in models.items()}
written = {}
for name, trace in runs.items():
    ids = trace.logits.argmax(-1).tolist()  # at every step the likeliest token: that is what it wrote
    print(f"{name:16} {models[name].output_tokenizer.decode(ids)}")
    written[name] = words(models[name].output_tokenizer.tokens(ids))

# %%
vector = runs["en-ur-seq2seq"]["bottleneck"]
print(f"All that seq2seq's decoder gets of the sentence: {len(vector)} numbers")
alignment = stack_steps(runs["en-ur-bahdanau"], "attention.weights")  # (written, source)
cross = runs["en-ur"][f"decoder.{layer}.cross_attn.weights"]  # (heads, written, source)
for weights in (alignment, cross):
    assert (weights.sum(-1) - 1).abs().max() < 1e-4, "each row sums to 1"

# %%
most = max(map(len, written.values()))
step = step if 0 < step <= most else most
source = {name: words(trace.source_tokens) for name, trace in runs.items()}
shown = min(step, len(alignment)), min(step, cross.shape[1])
figures = [
    bottleneck_figure(vector.numpy()),
    alignment_figure(alignment.numpy(), shown[0], source["en-ur-bahdanau"], written["en-ur-bahdanau"]),
    heads_figure(cross.numpy(), shown[1], source["en-ur"], written["en-ur"]),
]
for figure in figures:
    figure.show()
