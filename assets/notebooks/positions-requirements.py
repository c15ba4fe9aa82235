# %% [markdown]
# What is asked of positions, measured on each scheme.

# %% settings
model = "tiny-lm"
d = 32
base = 10000.0
trained = 32  # the longest sentence of training
check = "sinusoidal"  # the scheme that is drawn

# %%
from model import load
from model.experiments import position_schemes
from viz.inputs.position_schemes import scheme_figure

m = load(model)
schemes = {
    "counter": position_schemes.counter(),
    "normalised": position_schemes.normalised_counter(),
    "sinusoidal": position_schemes.sinusoidal_scheme(d, base),
    "rotary": position_schemes.rotary_scheme(d, base),
}
learned = m if m.config.positions == "learned" else load("minilm-l6")
table = getattr(learned.on_cpu.network, learned.config.stacks[0]).embed.positions.weight.detach()
schemes["learned"] = position_schemes.learned_scheme(table)
for name, scheme in schemes.items():
    for each in position_schemes.check(scheme, trained):
        print(
            f"{name:12} {each.requirement:14} {'yes' if each.passed else 'no ':4} {each.measured:10.3g}  {each.finding}"
        )
assert all(each.passed for each in position_schemes.check(schemes["sinusoidal"], trained))

# %%
scheme = schemes[check]
vectors = scheme.all(min(2 * trained, scheme.longest or 2 * trained))
figure = scheme_figure(vectors[:, :64].numpy(), trained if scheme.longest is None else min(trained, scheme.longest))
figure
