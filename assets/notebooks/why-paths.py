# %% [markdown]
# What flows where for an answer: the edges that are large parts of the sums at their upper ends, from the top down
# (Ferrando and Voita 2024), and the answers of the run without some edges.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after or at which a word is asked for; -1: the last one, or a mask
answer = -1  # the id of a token that is shown first; -1: the likeliest
against = -1  # the id of the token that it is compared with, shown next; -1: none
least = 0.04  # the importance of the edges
route_opened = ""  # a node or an edge that is framed; "": the highest of a head
dropped = ""  # edges, such as "decoder.3.self_attn.2@1>4,decoder.3.ffn@4"

# %%
import torch

from model import load
from model.analysis.asked_place import asked_place
from model.analysis.attribution import answers
from model.analysis.flow_routes import edges_into, flow_routes, keep_for_routes
from model.analysis.stage_sum import StageSum
from viz.models.paths import RouteGraph, routes_figure
from viz.shared.tokens import words

m = load(model)
trace = m.trace(text, keep=(*keep_for_routes(m.config), "*logits"), target=target or None)
query = asked_place(m, trace, query)
routes = flow_routes(m, trace, query, least)
top = StageSum(m, trace, routes.stages[-2].name)  # after the last attention
total = sum(part[0] for part in top.whole_parts(torch.tensor([query])).values()) + top.head_sum(query)
whole = top.whole[query]
assert float((total - whole).abs().max()) < 1e-4 * max(1, float(whole.abs().max())), "the parts sum to the vector"
shares = edges_into(m, trace, len(routes.stages) - 2, query).importance
assert abs(float(shares.sum()) - 1) < 1e-4, "the importances sum to 1"

# %%
stages = [stage.name for stage in routes.stages]
sources = words(trace.source_tokens)
edges, importance = routes.edges.numpy(), routes.importance.numpy()
graph = RouteGraph(stages, words(trace.tokens), sources, edges, importance, routes.names)
figures = [routes_figure(graph, opened=route_opened or routes.highest_head, dropped=dropped.split(","))]

# %%
from itertools import zip_longest

from model.edits.edges import parse_edges
from model.network.answer_scores import answer_scores
from viz.models.patching import next_tokens_figure

edits = list(parse_edges(dropped))
without = m.trace_tokens(trace.tokens, trace.source_tokens, keep="*logits", edits=edits)
runs = {"all edges": answers(m, trace, query), "without the dropped": answers(m, without, query)}
answer = int(runs["all edges"].argmax()) if answer < 0 else answer
best = (logits.topk(min(4, len(logits))).indices.tolist() for logits in runs.values())
first = [answer] if against in (-1, answer) else [answer, against]
ids = list(dict.fromkeys((*first, *(id for pair in zip_longest(*best) for id in pair))))
chances = {name: answer_scores(logits, m.config)[ids].numpy() for name, logits in runs.items()}
labels = m.config.text_labels
if dropped:
    names = [labels[id] for id in ids] if labels else words(m.output_tokenizer.tokens(ids))
    figures.append(next_tokens_figure(chances, names, kind=m.config.label_scores))
for figure in figures:
    figure.show()
