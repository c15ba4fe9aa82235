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
from dataclasses import replace

from model import load
from model.cost.formulas import attention_costs, count_multiplications, crossing_length, layer_costs, model_costs
from viz.learning.cost import growth_figure, parts_figure

config = load(model).config
own_layers = max(config.n_encoder_layers, config.n_decoder_layers)
width, heads, layers = width or config.d_model, heads or config.n_heads, layers or own_layers
ratio, grouped = width / config.d_model, config.n_heads // config.kv_heads
config = replace(
    config,
    d_model=width,
    n_heads=heads,
    n_kv_heads=heads // grouped if heads % grouped == 0 else heads,
    d_head=None,
    d_ff=max(1, round(config.d_ff * ratio)),
    d_position=2 * round(config.d_position * ratio / 2),
    n_encoder_layers=layers if config.n_encoder_layers else 0,
    n_decoder_layers=layers if config.n_decoder_layers else 0,
)
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


def bytes_of(keep):
    return [layers * sum(cost.memory for cost in attention_costs(config, t, t, keep)) for t in lengths]


if view == "Growth":
    lines = {
        "grows with T D²: projections and feed-forward": by_growth("T D²"),
        "grows with T² D: scores and mix": by_growth("T² D"),
    }
    figure = growth_figure(lengths, lines, "multiplications", crossing=crossing_length(config), here=tokens)
elif view == "Memory":
    lines = {
        "every head's scores and weights kept": bytes_of(True),
        "not kept: made a tile at a time": bytes_of(False),
    }
    figure = growth_figure(lengths, lines, "bytes", here=tokens)
else:
    figure = parts_figure({cost.part: cost.multiplications for cost in costs}, "multiplications")
figure
