# %% [markdown]
# Encoder, decoder, and both: who may look at whom on the view's sentence.

# %% settings
text = "the dog sees the cat"
model = "tiny-lm"  # stands for its kind; a bundled one stands for each of the others

# %%
from model import load
from model.analysis.who_sees_whom import mask_names, who_sees_whom
from viz.models.classify import mask_figure
from viz.shared.tokens import words

examples = {"encoder": "tiny-encoder", "decoder": "tiny-lm", "encoder-decoder": "en-ur"}
chosen = load(model)
if chosen.config.kind in examples:
    examples[chosen.config.kind] = model
figures = []
for kind, name in examples.items():
    m = load(name)
    trace = m.trace(text, keep=mask_names(m.config))
    visible = who_sees_whom(m.config, trace)
    tokens = [*words(trace.source_tokens), *words(trace.tokens)]
    print(f"{kind}: {visible.float().mean():.0%} of all pairs may look")
    figures.append(mask_figure(visible.numpy(), tokens, len(trace.source_tokens)))
    if kind == "encoder":
        assert visible.all()
    if kind == "decoder":
        assert not visible.triu(1).any(), "no token sees what comes after it"

# %%
for figure in figures:
    figure.show()
