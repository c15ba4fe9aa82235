# %% [markdown]
# Parts of a model, switched off: what that does to its attention, and to its measures on held-out sentences.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
parts = "residuals"  # names with commas between; empty: residuals, unless heads fall silent
heads = "none"  # or "one", "all but one"
place = ""  # the attention whose heads fall silent; empty: the first
head = 0
items = "20"  # held-out items a measure

# %%
from model import ablate, load
from model.experiments.broken_parts import attention_entropy, can_be_measured, compare, sample
from model.experiments.surgery import edit_model, keep_heads, parts_of
from viz.learning.broken_parts import comparison_figure, entropy_figure
from viz.shared.tensor_titles import path_title

m = load(model)
known = {part.name: part for part in parts_of(m.config)}
parts = parts or ("residuals" if heads == "none" else "")
chosen = [known[name] for name in parts.split(",") if name in known]
place = place or f"{m.config.stacks[0]}.*.self_attn"
silenced = {"none": (), "one": (ablate(place, head),), "all but one": (keep_heads(m.config, place, [head]),)}[heads]
changed = edit_model(m, chosen, silenced)
print("whole:  ", sample(m, text))
print("without:", sample(changed, text))

# %%
target = sample(m, text) if m.config.kind == "encoder-decoder" else None
whole, without = (attention_entropy(each, text, target) for each in (m, changed))
assert whole.keys() == without.keys()
several = len(m.config.stacks) > 1
named = ({path_title(path, several): bits for path, bits in each.items()} for each in (whole, without))
entropies = entropy_figure(*named)
entropies

# %%
# The measures take a while: the view makes them when it is asked to.
rows = list(compare(m, changed, int(items))) if can_be_measured(model) else []
for row in rows:
    print(f"{row.measure:24} {row.whole:8.3f} {row.without:8.3f}")
figures = [entropies]
figure = comparison_figure(rows) if rows else entropies
figure
