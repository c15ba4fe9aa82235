"""The one table of operations, by the names that the nodes of a graph have."""

from __future__ import annotations

from model.graph.cellwise import Activate, Cap, Gain, Mask, Mean, ResidualScale, Rotate, Scale
from model.graph.distances import LookupDistance, SlopeOfDistance
from model.graph.embedding import Lookup, Patch, PatchTokens, Sinusoid
from model.graph.experts import AddGated, Choose, GateOfShared, Gates, LinearOfExperts, MixExperts
from model.graph.operation import Operation
from model.graph.products import JoinHeads, Linear, MixValues, ScaledLogits, Scores
from model.graph.rows import Norm, NormOfAllHeads, Softmax
from model.graph.shared_space import Row, Similarity, UnitLength
from model.graph.sums import Sum

OPERATIONS: dict[str, Operation] = {
    "lookup token": Lookup("token"),
    "lookup position": Lookup("position"),
    "lookup segment": Lookup("segment"),
    "lookup distance": LookupDistance(),
    "slope of distance": SlopeOfDistance(),
    "sinusoid": Sinusoid(),
    "patches": Patch(),
    "patch tokens": PatchTokens(),
    "copy": Sum(),
    "add": Sum(),
    "concatenate": Sum(),
    "norm": Norm(),
    "head norm": Norm("rms"),
    "norm of all heads": NormOfAllHeads("rms"),
    "linear": Linear(),
    "linear to heads": Linear("heads"),
    "rotate": Rotate(),
    "matrix product": Scores(),
    "scale": Scale(),
    "cap": Cap(),
    "causal mask": Mask(is_causal=True),
    "window mask": Mask(is_causal=True, has_window=True),
    "window around": Mask(is_causal=False, has_window=True),
    "open mask": Mask(is_causal=False),
    "mask": Sum(),
    "softmax": Softmax(),
    "mix values": MixValues(),
    "concatenate heads": JoinHeads(),
    "gain": Gain(),
    "residual scale": ResidualScale(),
    "activation": Activate(),
    "choose": Choose(),
    "gates": Gates(),
    "linear of experts": LinearOfExperts(),
    "mix experts": MixExperts(),
    "gate of shared": GateOfShared(),
    "add gated": AddGated(),
    "activation of the transform": Activate("transform"),
    "logits": Linear(),
    "scaled logits": ScaledLogits(),
    "classify": Linear("one token"),
    "classify second": Linear("one token", token=1),
    "mean": Mean(),
    "first row": Row(first=True),
    "last row": Row(first=False),
    "unit length": UnitLength(),
    "similarity": Similarity(),
}
