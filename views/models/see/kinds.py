"""The kinds of vision transformer in the lecture notes: how each changes the plain one, and its paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.network.transformer import Transformer
from views.models.see.sight import Sight
from views.view import equation, grey
from viz.documents.page_parts import Group, Heading, Text
from viz.shared.style import markdown_text

# Name, change, paper, arXiv number. The order is that of Palaskos (2022), sections 4.2.2 and 4.2.3.
ATTENTION = (
    ("TNT", "a small transformer inside each patch, over its parts", "Han et al. 2021", "2103.00112"),
    ("Twins", "attention in windows, and between summaries of them", "Chu et al. 2021", "2104.13840"),
    ("CAT", "attention inside patches in turn with attention between them", "Lin et al. 2021", "2106.05786"),
    ("Swin", "windows that are shifted from layer to layer; patches merge with depth", "Liu et al. 2021", "2103.14030"),
    ("Shuffle", "windows whose tokens are exchanged by a spatial shuffle", "Huang et al. 2021", "2106.03650"),
    ("RegionViT", "regional tokens that stand for groups of local ones", "Chen et al. 2021", "2106.02689"),
    ("DeepViT", "mixes the heads' maps anew, so that deep layers differ", "Zhou et al. 2021", "2103.11886"),
    ("KVT", "each query keeps only its k best keys", "Wang et al. 2021", "2106.00515"),
    ("XCiT", "attention between features, so the cost is linear in tokens", "El-Nouby et al. 2021", "2106.09681"),
)  # fmt: skip
SHAPE = (
    ("HVT", "pools tokens as it goes deeper, like a pyramid", "Pan et al. 2021", "2103.10619"),
    ("PiT", "pools tokens and widens features between stages", "Heo et al. 2021", "2103.16302"),
    ("Scaling ViT", "the plain one, made larger by measured rules", "Zhai et al. 2021", "2106.04560"),
    ("ViTAS", "searches the architecture inside one large network", "Su et al. 2021", "2106.13700"),
    ("AutoFormer", "searches widths, heads and depth with shared weights", "Chen et al. 2021", "2107.00651"),
    ("GLiT", "searches how much of each layer is local, how much global", "Chen et al. 2021", "2107.02960"),
)
CONVOLUTION = (
    ("CPVT", "positions made from the picture by a convolution", "Chu et al. 2021", "2102.10882"),
    ("CvT", "convolutions make the tokens, and q, k and v", "Wu et al. 2021", "2103.15808"),
    ("CeiT", "a convolutional stem, and one inside the feed-forward part", "Yuan et al. 2021", "2103.11816"),
    ("LocalViT", "a depth-wise convolution inside the feed-forward part", "Li et al. 2021", "2104.05707"),
    ("CMT", "convolutions before the attention, whose keys are shrunk", "Guo et al. 2021", "2107.06263"),
    ("LeViT", "a convolutional stem and shrinking attention, made for speed", "Graham et al. 2021", "2104.01136"),
    ("BoTNet", "a ResNet whose last convolutions are attention", "Srinivas et al. 2021", "2101.11605"),
    ("Visformer", "the way from DeiT to ResNet, step by step, the best of both", "Chen et al. 2021", "2104.12533"),
)
GROUPS = {
    "Another attention": ATTENTION,
    "Other shapes, and searched ones": SHAPE,
    "With convolutions": CONVOLUTION,
}


@dataclass(frozen=True)
class KindsOfVit(Sight):
    """The kinds, beside the plain one that runs here."""

    def picture_parts(self) -> Sequence[Any]:
        config = self.seen.config
        scaled = ", each sublayer's output times a learnt gain a feature (layer scale)" if config.layer_scale else ""
        plain = (
            f"The plain one (ViT: Dosovitskiy et al. 2021, arXiv:2010.11929) is what runs here: "
            f"{markdown_text(self.seen.model.card.title)}, {self.seen.layers} layers of {config.n_heads} heads over "
            f"{config.max_length} tokens, all the way through{scaled}. "
            "Each kind below changes one thing."
        )
        count = sum(map(len, GROUPS.values()))
        groups = [part for title, kinds in GROUPS.items() for part in _list(title, kinds)]
        return [*grey(plain), *groups, *grey(f"{count} kinds that Palaskos (2022), sections 4.2.2 and 4.2.3, names.")]

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        return equation(
            r"\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + B + M\right) V",
            "Swin (Liu et al. 2021, arXiv:2103.14030, eq. 4, with its mask): B depends on the distance of two patches, "
            "and M hides all outside a window.",
        )

    def code(self) -> Sequence[Any]:
        return (Transformer,)


def _list(title: str, kinds: Sequence[tuple[str, str, str, str]]) -> list[Any]:
    """A table of kinds, each with the paper that it leads to."""
    rows = [
        f"| {name} | {change} | [{paper}, {number}](https://arxiv.org/abs/{number}) |"
        for name, change, paper, number in kinds
    ]
    table = Text("\n".join(("| kind | what it changes | paper |", "|---|---|---|", *rows)))
    return [Heading(title, 3), Group([table], key=f"see {title}")]
