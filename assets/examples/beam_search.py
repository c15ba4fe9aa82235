# %% [markdown]
# Beam search: the tree of hypotheses, and greedy search beside it.

# %%
model = "en-ur"
text = "I am a robot"
width = 4
alpha = 1.0
pruned = False  # whether all pruned hypotheses are drawn

# %%
import torch

from glassformer import load
from glassformer.model.generation.beam import beam_search
from glassformer.viz.shared.style import number
from glassformer.viz.shared.tokens import words
from glassformer.viz.shared.tree import Node, tree_figure

m = load(model)
writer = m.output_tokenizer
source = torch.tensor([token.id for token in m.tokens_of(text)])
start, most = torch.tensor([writer.sequence_start]), min(40, m.config.max_length - 1)
tree, greedy = (
    beam_search(m.network, start, most, writer.ends, source=source, width=each, alpha=alpha) for each in (width, 1)
)
for each in tree.finished:
    print(f"{each.score:8.3f}  {writer.decode(each.ids)}")
    assert abs(each.score - each.log_probability / each.step**alpha) < 1e-6, "log p / length^α"
assert tree.best.score >= max(each.score for each in tree.finished) - 1e-9
print("greedy  ", writer.decode(greedy.best.ids))

# %%
winners = {node.number for node in tree.path(tree.best)} | {0}
shown = [node for node in tree.nodes if node.state != "pruned" or pruned or node.parent in winners]
place = {node.number: i for i, node in enumerate(shown)}


def label(node):
    last = words(writer.tokens(node.ids[-1:]))
    if not last:
        return "<SOS>"
    return f"{last[0]}  {number(node.score, 2)}" if node.state == "finished" else last[0]


def note(node):
    log, score = number(node.log_probability, 2), number(node.score, 3)
    return f"{writer.decode(node.ids)}: log p {log}, score {score}, {node.state}"


nodes = [
    Node(
        label(node),
        None if node.parent is None else place[node.parent],
        "root" if node.parent is None else node.state,
        node.number in winners,
        note=note(node),
        custom=(node.number,),
    )
    for node in shown
]
figure = tree_figure(nodes, unit="tokens written")
figure.show()
