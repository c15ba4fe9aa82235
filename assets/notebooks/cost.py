# %% [markdown]
# What one pass costs: multiplications by formula, and counted by torch, operator by operator.

# %% settings
model = "tiny-lm"
view = "Parts"  # or Growth, Memory
tokens = 64
width = 0  # 0: as the model
heads = 0
layers = 0

# %%
from model import load
from model.cost.formulas import attention_memory, count_multiplications, crossing_length, layer_costs, model_costs
from model.cost.shape import layers_of, reshape
from viz.learning.cost import growth_figure, parts_figure

config = load(model).config
config = reshape(config, width or config.d_model, heads or config.n_heads, layers or layers_of(config))
source = tokens if config.kind == "encoder-decoder" else 0
costs = model_costs(config, tokens, source)
total = sum(cost.multiplications for cost in costs)
if tokens <= 512:
    found = count_multiplications(config, tokens, source)
    print(f"By formula {total:,}, counted {found:,}")
    assert total == found
print(f"In one layer T² and T meet at {crossing_length(config):,.0f} tokens.")

# %%
lengths = [2**n for n in range(15)]


def by_growth(growth):
    return [sum(cost.multiplications for cost in layer_costs(config, t) if cost.growth == growth) for t in lengths]


if view == "Growth":
    lines = {
        "grows with T D²: projections and feed-forward": by_growth("T D²"),
        "grows with T² D: scores and mix": by_growth("T² D"),
    }
    figure = growth_figure(lengths, lines, "multiplications", crossing=crossing_length(config), here=tokens)
elif view == "Memory":
    lines = {
        "every head's scores and weights kept": [attention_memory(config, t) for t in lengths],
        "not kept: made a tile at a time": [attention_memory(config, t, keep_weights=False) for t in lengths],
    }
    figure = growth_figure(lengths, lines, "bytes", here=tokens)
else:
    figure = parts_figure({cost.part: cost.multiplications for cost in costs}, "multiplications")
figure
