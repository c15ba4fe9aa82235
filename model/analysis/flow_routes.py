"""Information flow routes: which parts a token's vector is made of, layer by layer, back to the tokens of the text.

The nodes of the graph are the residual stream of each token after the embedding, after each attention and after each
feed-forward. The edges into a node are the parts of its sum: the stream itself, each head from each token that it
reads, the feed-forward, and the biases. The scales of the norms and the attention weights are those of this run, so
the sum is exact. Ferrando and Voita (2024), arXiv:2403.00824, section 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from model.analysis.attribution import NORM_OF, SUM_BEFORE_NORM, NoSuchAnswer
from model.analysis.stage_sum import BIAS, FFN, STREAM, StageSum
from model.config import TransformerConfig
from model.run import Model
from model.tape import Trace

LEAST = 0.01  # the importance below which no edge is kept
SOURCE, NOWHERE = -1, -2  # in the place of a stage: a token that the encoder has read; a bias, which comes from none
SUFFIX = {STREAM: ".stream", FFN: "", BIAS: ".bias"}  # of the names of edges that are no heads
StageEdges = tuple[Tensor, Tensor]  # the edges into nodes of one stage, (edges, 5), and their importances, (edges,)
COLUMNS = ("stage", "token", "part", "from_stage", "from_token")


@dataclass(frozen=True)
class Stage:
    """The stream of all tokens after the sublayer `name`, "decoder.3.ffn", or after the embedding, "decoder.embed".

    `reads` is the number of the stage that the sublayer reads. In a parallel block that is not the one before.
    """

    name: str
    reads: int

    @property
    def part(self) -> str:
        """ "embed", "self_attn", "cross_attn" or "ffn"."""
        return self.name.rpartition(".")[2]


@lru_cache(maxsize=64)
def stages_of(config: TransformerConfig) -> tuple[Stage, ...]:
    """The stages of the last stack, in the order of the run."""
    stack = config.stacks[-1]
    stages = [Stage(f"{stack}.embed", 0)]
    for layer in range(config.n_layers(stack)):
        found = len(stages) - 1
        stages += [
            Stage(f"{stack}.{layer}.{part}", len(stages) - 1 + i) for i, part in enumerate(config.attentions(stack))
        ]
        stages.append(Stage(f"{stack}.{layer}.ffn", found if config.parallel_residual else len(stages) - 1))
    return tuple(stages)


def keep_for_routes(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `flow_routes`."""
    stack = config.stacks[-1]
    sums = [SUM_BEFORE_NORM[part] for part in (*config.attentions(stack), "ffn")]
    norms = [NORM_OF[part] for part in (*config.attentions(stack), "ffn") if config.norms_sums]
    norms += [f"{part}.out" for part in config.attentions(stack) if config.norms_outputs]  # which the norms read
    return tuple(f"{stack}.*.{name}" for name in ("resid_in", *sums, *norms, "weights", "v", "heads", "ffn.out"))


@dataclass(frozen=True)
class FlowRoutes:
    """The edges on the routes to one token's last vector, the last stage first.

    `edges` has the `COLUMNS`: the stage and token of the node that an edge leads to, its part (a head's number, or
    `STREAM`, `FFN`, `BIAS`), and the stage and token that it comes from. `importance` is the share of the node.
    """

    stages: tuple[Stage, ...]
    tokens: int
    position: int
    edges: Tensor  # (edges, 5), whole numbers
    importance: Tensor  # (edges,), 0..1

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def names(self) -> list[str]:
        """The names of the edges: "decoder.3.self_attn.2@7>9" for head 2 that reads token 7 for token 9,
        "decoder.3.ffn@9" for the feed-forward, "decoder.3.ffn.stream@9" and "decoder.3.ffn.bias@9"."""
        return [
            f"{self.stages[stage].name}.{part}@{key}>{token}"
            if part >= 0
            else f"{self.stages[stage].name}{SUFFIX[part]}@{token}"
            for stage, token, part, _, key in self.edges.tolist()
        ]

    @property
    def highest_head(self) -> str:
        """The name of the highest edge of a head, one that reads another token if there is any; else the last node's.

        Of several in one stage it is the most important.
        """
        rows = zip(self.edges.tolist(), self.importance.tolist(), self.names, strict=True)
        heads = [(token != key, stage, share, name) for (stage, token, part, _, key), share, name in rows if part >= 0]
        return max(heads)[-1] if heads else f"{self.stages[-1].name}@{self.position}"

    def above(self, least: float) -> FlowRoutes:
        """The edges of at least this importance that still lie on a route to the last node."""
        stage, token, _, from_stage, from_token = self.edges.unbind(-1)
        reached = torch.zeros(len(self.stages), self.tokens, dtype=torch.bool)
        reached[-1, self.position] = True
        kept = torch.zeros(len(self), dtype=torch.bool)
        strong = self.importance >= least
        for number in range(len(self.stages) - 1, 0, -1):
            here = strong & (stage == number)
            here &= reached[number, token]
            inside = here & (from_stage >= 0)
            reached[from_stage[inside], from_token[inside]] = True
            kept |= here
        return replace(self, edges=self.edges[kept], importance=self.importance[kept])


def flow_routes(model: Model, trace: Trace, position: int = -1, least: float = LEAST) -> FlowRoutes:
    """The routes to the last vector of the token at a position, from the top down.

    A node is looked at if an edge of a higher one comes from it. Of its edges those of at least the importance `least`
    are kept. The trace must hold the tensors of `keep_for_routes`. Raises `NoSuchAnswer` for a missing position.
    """
    return join_stages(model, trace, position, list(edges_by_stage(model, trace, position, least)))


@torch.inference_mode()
def edges_by_stage(model: Model, trace: Trace, position: int = -1, least: float = LEAST) -> Iterator[StageEdges]:
    """The edges of `flow_routes` into the nodes of each stage, from the last stage down to the first sublayer.

    So each layer is looked at once. A long text makes its tensors again for that.
    """
    stages, count = stages_of(model.config), len(trace.tokens)
    if not -count <= position < count:
        raise NoSuchAnswer(f"There is no position {position}: the text has {count} tokens, 0 to {count - 1}.")
    reached = torch.zeros(len(stages), count, dtype=torch.bool)
    reached[-1, position % count] = True
    for number in range(len(stages) - 1, 0, -1):
        tokens = reached[number].nonzero().flatten()
        if not len(tokens):
            yield torch.empty(0, len(COLUMNS), dtype=torch.long), torch.empty(0)
            continue
        found, shares = _edges_into(stages, number, tokens, StageSum(model, trace, stages[number].name), least)
        inside = found[found[:, 3] >= 0]
        reached[inside[:, 3], inside[:, 4]] = True
        yield found, shares


def join_stages(model: Model, trace: Trace, position: int, found: Sequence[StageEdges]) -> FlowRoutes:
    """The routes of what `edges_by_stage` gave so far: at least that of the last stage."""
    edges, importance = (torch.cat(each) for each in zip(*found, strict=True))
    count = len(trace.tokens)
    return FlowRoutes(stages_of(model.config), count, position % count, edges, importance)


@torch.inference_mode()
def edges_into(model: Model, trace: Trace, stage: int, token: int) -> FlowRoutes:
    """All edges into one node that have an importance, the largest first. The importances sum to 1.

    They sum to 0 where every part is further from the node than the zero vector.
    """
    stages = stages_of(model.config)
    summed = StageSum(model, trace, stages[stage].name)
    edges, importance = _edges_into(stages, stage, torch.tensor([token]), summed, 0.0)
    order = importance.argsort(descending=True, stable=True)
    order = order[importance[order] > 0]
    return FlowRoutes(stages, len(trace.tokens), token, edges[order], importance[order])


def _edges_into(stages: tuple[Stage, ...], number: int, tokens: Tensor, summed: StageSum, least: float) -> StageEdges:
    """The edges into some nodes of a stage, (edges, 5), and their importances, (edges,). `tokens`: (nodes,)."""
    stage, shares = stages[number], summed.importances(tokens)
    found = []
    for part, share in shares.whole.items():  # (nodes,) each
        origin = {STREAM: number - 1, FFN: stage.reads, BIAS: NOWHERE}[part]
        kept = (share >= least).nonzero().flatten()
        rows = torch.stack([torch.full_like(kept, number), tokens[kept], torch.full_like(kept, part),
                            torch.full_like(kept, origin), tokens[kept]], -1)  # fmt: skip
        found.append((rows, share[kept]))
    if shares.heads is not None:  # (heads, nodes, keys)
        head, node, key = (shares.heads >= max(least, torch.finfo().tiny)).nonzero().unbind(-1)
        origin = SOURCE if stage.part == "cross_attn" else stage.reads
        rows = torch.stack([torch.full_like(head, number), tokens[node], head, torch.full_like(head, origin), key], -1)
        found.append((rows, shares.heads[head, node, key]))
    return torch.cat([rows for rows, _ in found]), torch.cat([share for _, share in found])
