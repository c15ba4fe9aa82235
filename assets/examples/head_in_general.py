# %% [markdown]
# What a head does in general: the tokens that it looks for and the earlier heads that it reads (Elhage et al. 2021).

# %%
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token at which the head stands; -1: the last
attention = "decoder.self_attn"  # "": that of the decoder
layer = 2
head = 2

# %%
from glassformer import load
from glassformer.model.analysis.asked_place import asked_place
from glassformer.model.analysis.circuits.composition import SIDES, compose
from glassformer.model.analysis.circuits.distance import keep_for_distance, measured_weights, positional_scores
from glassformer.model.analysis.circuits.looked_for import looked_for
from glassformer.model.analysis.circuits.written import written
from glassformer.model.analysis.head_steps import Attention
from glassformer.model.run import ids_of
from glassformer.viz.models.circuits import Curve, kernel_figure
from glassformer.viz.models.why import sources_figure
from glassformer.viz.shared.tokens import words

m = load(model)
stack, part = (attention or "decoder.self_attn").split(".")
at = Attention(stack, max(layer, 0), part)
head = max(head, 0)
trace = m.trace(text, keep=keep_for_distance(m.config), target=target or None)
query = asked_place(m, trace, query)
asking = trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens
query = min(query, len(asking) - 1)
read = trace.source_tokens if at.is_cross else asking

# %%
ids = ids_of(read).tolist()
found = looked_for(m, at, head, [asking[query].id], ids, 6)
assert abs(float(found.scores[0, 0]) - found.scale * float(found.queries[0] @ found.keys[0])) < 1e-3
reader = m.tokenizer if stack == "encoder" or at.is_cross else m.output_tokenizer
print("looks most for", words(reader.tokens(found.ends.most_ids[0].tolist())))
if stack == "decoder":
    made = written(m, at, head, ids, 6)
    for token, best in zip(words(read), made.ends.most_ids.tolist(), strict=True):
        print(token, "makes likelier", words(m.output_tokenizer.tokens(best)))

# %%
for side in SIDES:
    for earlier, number, score in compose(m, at, head, side).strongest(3):
        print(f"{side}: {earlier.path} head {number}, {score:.3f} above chance")

# %%
positional = positional_scores(m, trace, at, head, 64)
measured = measured_weights(trace, at, head)
curve = None if positional is None else Curve(positional.distances.numpy(), positional.values.numpy())
figures = [
    sources_figure(found.scores[0].numpy(), words(read), axis="score"),
    kernel_figure(curve, Curve(measured.distances.numpy(), measured.values.numpy())),
]
for figure in figures:
    figure.show()
