# %% [markdown]
# The three shapes of a recurrent network, and how many tokens go in and come out of them here.

# %% settings
text = "I am a robot"

# %%
from model import load
from viz.learning.before_attention import shape_figure

m = load("en-ur-seq2seq")
trace = m.trace(text, keep=("bottleneck", "logits"))
source, written = len(trace.source_tokens), trace.logits.argmax(-1).tolist()
print(f"{source} tokens in, one vector of {len(trace['bottleneck'])} numbers, {len(written) - 1} tokens out:")
print(m.output_tokenizer.decode(written))
assert written[-1] in m.output_tokenizer.ends or len(written) > 10

# %%
shapes = {"one to many": ((0,), (0, 1, 2, 3), 4), "many to one": ((0, 1, 2, 3), (3,), 4)}
shapes["many to many"] = ((0, 1, 2), (3, 4, 5), 6)
figures = [shape_figure(*shape) for shape in shapes.values()]
for figure in figures:
    figure.show()
