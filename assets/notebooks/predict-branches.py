# %% [markdown]
# What was written, as a tree. A link holds the branch that is shown; others stay in the reader's session.

# %% settings
model = "tiny-lm"
text = "the dog sees the"
path = ()  # ids of the tokens written after it

# %%
from model import load
from viz.shared.tokens import words
from viz.shared.tree import Node, tree_figure

m = load(model)
prompt = m.tokens_of(text)
trace = m.trace_tokens((*prompt, *m.tokenizer.tokens(path)), keep="logits")
for place, token in enumerate(m.tokenizer.tokens(path)):
    chance = trace.logits[len(prompt) - 1 + place].softmax(-1)[token.id]
    print(f"{token.text!r:20} {chance:.1%}")
    assert 0 < chance <= 1

# %%
names = ["…", *words(m.tokenizer.tokens(path))]
ended = [False, *(id in m.tokenizer.ends for id in path)]
nodes = [
    Node(name, i - 1 if i else None, "root" if not i else "finished" if ended[i] else "live", True, custom=(i,))
    for i, name in enumerate(names)
]
figure = tree_figure(nodes)
figure
