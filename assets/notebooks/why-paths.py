# %% [markdown]
# What flows where for the next token: the edges that are large parts of the sums at their upper ends, from the top down
# (Ferrando and Voita 2024), and the next tokens of the run without some edges.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after which the next one is asked for; -1: the last
answer = -1  # the id of a token that is shown first; -1: the likeliest
least = 0.04  # the importance of the edges
route_opened = ""  # a node or an edge that is framed; "": the highest of a head
dropped = ""  # edges, such as "decoder.3.self_attn.2@1>4,decoder.3.ffn@4"

# %%
import torch

from model import load
from model.analysis.flow_routes import edges_into, flow_routes, keep_for_routes
from model.analysis.stage_sum import StageSum
from viz.models.paths import RouteGraph, routes_figure
from viz.shared.tokens import words

m = load(model)
trace = m.trace(text, keep=(*keep_for_routes(m.config), "logits"), target=target or None)
if query < 0:  # of a translation its last word, not the end behind it
    query = len(trace.tokens) - (2 if trace.source_tokens and len(trace.tokens) > 1 else 1)
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

from model.experiments.dropped_edges import read_edges
from viz.models.patching import next_tokens_figure

edits = [edge.edit() for edge in read_edges(dropped)]
without = m.trace_tokens(trace.tokens, trace.source_tokens, keep="logits", edits=edits).logits[query]
runs = {"all edges": trace.logits[query], "without the dropped": without}
answer = int(trace.logits[query].argmax()) if answer < 0 else answer
best = (logits.topk(4).indices.tolist() for logits in runs.values())
ids = list(dict.fromkeys((answer, *(id for pair in zip_longest(*best) for id in pair))))
chances = {name: logits.softmax(-1)[ids].numpy() for name, logits in runs.items()}
if dropped:
    figures.append(next_tokens_figure(chances, words(m.output_tokenizer.tokens(ids))))
for figure in figures:
    figure.show()
