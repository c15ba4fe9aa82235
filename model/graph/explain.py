"""Where one number comes from: the terms that make it, and the formula in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from model.config import TransformerConfig
from model.graph.nodes import PIXELS, WEIGHT, Cells, Index
from model.graph.operation import Term, place
from model.graph.operations import OPERATIONS
from model.graph.recording import Recording
from model.notebook.sums import explanation_card
from model.numerals import equals_sign, number
from model.tape import Trace

LEAVES = {WEIGHT: "It is a weight: training made it.", PIXELS: "It is a pixel of the prepared picture."}
ROUNDED = " These numbers are rounded: with all their digits they give the result."


@dataclass(frozen=True)
class Explanation:
    """Where the number `index` of the tensor or weight `name` comes from.

    `value` is the number that the run recorded. `total` is what `terms` make by the operation: the same number up to
    rounding. Sums are worked out in float64, but the run adds in float32, which loses digits where large terms cancel.
    Where a run kept the inputs, but not the tensor, `value` is `total`. An edit of the
    run may have replaced the number; then `is_edited` is true, and `total` is the number that it replaced.
    `terms` are the numbers to look at. `sources` are all cells on which the number depends: a norm names its mean as
    one term, and every feature of the token as a source.
    """

    name: str
    index: Index
    operation: str
    value: float
    terms: tuple[Term, ...] = field(repr=False)
    total: float
    words: str
    sources: tuple[Cells, ...] = field(repr=False)
    is_edited: bool = False

    def _repr_html_(self) -> str:
        """For notebooks."""
        return explanation_card(self.name, self.index, self.operation, self.words, self.terms, self.total, self.value)


def explain(trace: Trace, name: str, index: Sequence[int], config: TransformerConfig | None = None) -> Explanation:
    """Explains one number of a run: `explain(trace, "decoder.9.self_attn.weights", (2, 7, 0))`.

    `name` is a tensor of `model.names`, a weight of the network ("decoder.blocks.9.self_attn.query.weight"), or
    "pixels". The trace must have kept the tensor's inputs. `config` is for a trace that does not know its model, as
    long as no weight takes part.

    Raises KeyError for a name that the model or the trace lacks, IndexError for a cell that the tensor does not have,
    `ModelMismatch` for a run of no transformer, for a trace that does not hold what is asked for, and for one whose
    weights have changed. The equation of each tensor and its source stand in the class of `model.network` that makes
    it.

    >>> from glassformer import explain, load
    >>> trace = load("tiny-lm").trace("the dog sees")
    >>> found = explain(trace, "decoder.1.self_attn.weights", (0, 3, 1))  # head 0, query 3, key 1
    >>> found.words[:72]
    'decoder.1.self_attn.weights[0, 3, 1] is 0.957. It is exp(−1.768) ÷ 0.179'
    >>> abs(found.total - found.value) < 1e-5
    True
    """
    run, index = Recording.of(trace, config), tuple(index)
    run.check(name, index)
    node = run.graph[name]
    if node.operation in LEAVES:
        value = run.cell(name, index)
        words = f"{place(name, index)} is {number(value)}. {LEAVES[node.operation]}"
        return Explanation(name, index, node.operation, value, (), value, words, ())
    operation = OPERATIONS[node.operation]
    terms = operation.terms(node, run, index)
    total = operation.total(node, run, index, terms)
    value = run.cell(name, index) if name in trace else total
    is_edited = run.is_edited(name)
    words = f"{place(name, index)} is {number(value)}. "
    if is_edited:
        words += f"An edit of this run put it there, in the place of {number(total)}. That number was made so: "
    words += operation.words(node, run, index, terms)
    printed = operation.printed_total(node, run, index, terms)
    if printed is not None and equals_sign(printed, number(total)) != "=":
        words += ROUNDED
    return Explanation(
        name,
        index,
        node.operation,
        value,
        tuple(terms),
        total,
        words,
        tuple(operation.sources(node, run, index)),
        is_edited,
    )
