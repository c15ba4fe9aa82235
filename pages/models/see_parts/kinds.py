"""The kinds of vision transformer in the lecture notes: how each changes the plain one, and its paper."""

from __future__ import annotations

import streamlit as st

from model.network.transformer import Transformer
from pages.models.see_parts import told
from pages.models.see_parts.source import PictureView
from pages.shared.elements import layout
from pages.shared.elements.claims import Claim
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
PROMPTS = (
    layout.Prompt(
        "The plain one",
        "Each token looks at all of them: each row of weights sums to 1.",
        {"see_part": "attention"},
        claim=Claim(told.ROW_SUM, "over", 0.999),
        at="see attention",
    ),
    layout.Prompt(
        "What it costs",
        "Why near attention was wanted: see what the weights would fill with each pixel as a token.",
        {"see_part": "cost"},
        claim=Claim(told.PIXEL_BYTES, "over", 1e6),
    ),
)


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        layout.equation(
            r"\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + B + M\right) V",
            "Swin (Liu et al. 2021, arXiv:2103.14030, eq. 4, with its mask): B depends on the distance of two patches, "
            "and M hides all outside a window.",
        )
    elif depth == "Code":
        layout.code(Transformer)
    else:
        _table(view)
    layout.try_this(*PROMPTS)


def _table(view: PictureView) -> None:
    config = view.model.config
    scaled = ", each sublayer's output times a learnt gain a feature (layer scale)" if config.layer_scale else ""
    layout.caption(
        f"The plain one (ViT: Dosovitskiy et al. 2021, arXiv:2010.11929) is what runs here: "
        f"{markdown_text(view.model.card.title)}, {view.layers} layers of {config.n_heads} heads over "
        f"{config.max_length} tokens, all the way through{scaled}. "
        "Each kind below changes one thing."
    )
    for title, kinds in GROUPS.items():
        st.subheader(title, anchor=False)
        rows = [
            f"| {name} | {change} | [{paper}, {number}](https://arxiv.org/abs/{number}) |"
            for name, change, paper, number in kinds
        ]
        with st.container(key=f"see {title}"):
            st.markdown("\n".join(("| kind | what it changes | paper |", "|---|---|---|", *rows)))
    count = sum(map(len, GROUPS.values()))
    layout.caption(f"{count} kinds that Palaskos (2022), sections 4.2.2 and 4.2.3, names.")
