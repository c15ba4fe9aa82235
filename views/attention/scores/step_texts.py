"""The steps of one head from X to its part of the output, as a reader meets them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepText:
    """The title of a step on the rail, its idea, its equation, and the source of the equation."""

    title: str
    idea: str
    latex: str
    source: str


STEPS = {
    "project": StepText(
        "Q, K, V",
        "Each token's vector is multiplied by three learned matrices: what it looks for, what it can be found by, and "
        "what it hands over.",
        r"Q = X W_Q \qquad K = X W_K \qquad V = X W_V",
        "Encoder notes, section 0.1.3; Palaskos (2022), eqs. 3.38-3.40",
    ),
    "normalise": StepText(
        "Norm",
        "Each query and each key is divided by its root mean square, and each feature has a learned gain.",
        r"q \leftarrow g_Q \odot \frac{q}{\mathrm{RMS}(q)} \qquad k \leftarrow g_K \odot \frac{k}{\mathrm{RMS}(k)}",
        "Henry et al. (2020), arXiv:2010.04245; with RMSNorm, Zhang and Sennrich (2019), arXiv:1910.07467",
    ),
    "rotate": StepText(
        "Rotate",
        "Rotary positions turn each pair of features of a query or key by an angle that grows with its position.",
        r"q_t \leftarrow R(\omega t)\, q_t \qquad k_s \leftarrow R(\omega s)\, k_s",
        "Su et al. (2021), eq. 34",
    ),
    "scores": StepText(
        "Q Kᵀ",
        "Every query is multiplied with every key, feature by feature; the sum is their score.",
        r"(QK^\top)_{ij} = \sum_{f=0}^{d_k-1} q_{if}\, k_{jf}",
        "Palaskos (2022), eqs. 3.32-3.33",
    ),
    "scale": StepText(
        "÷ √d_k",
        "The scores are divided by the square root of the width, so that they do not grow with it.",
        r"S = \frac{QK^\top}{\sqrt{d_k}}",
        "Vaswani et al. (2017), eq. 1; Palaskos (2022), eq. 3.34",
    ),
    "bias": StepText(
        "+ bias",
        "Relative positions: a learned number for the distance between query and key is added, another one in each "
        "head.",
        r"S_{ij} + B_{ij}, \qquad B_{ij} = \mathrm{table}[\,b(j - i)\,]",
        "Raffel et al. (2020), section 2.1",
    ),
    "cap": StepText(
        "cap",
        "A tanh bounds the scores, so that none is larger than the cap c.",
        r"c \tanh\!\left(\frac{S_{ij}}{c}\right)",
        "Gemma Team (2024), arXiv:2408.00118, section 2",
    ),
    "mask": StepText(
        "+ mask",
        "The mask adds 0 where a query may look and minus infinity where it may not.",
        r"S + M, \qquad M_{ij} \in \{0, -\infty\}",
        "Slides, “Masked Attention”",
    ),
    "softmax": StepText(
        "softmax",
        "Every row becomes weights between 0 and 1 that sum to 1.",
        r"A_{ij} = \frac{e^{S_{ij} + M_{ij}}}{\sum_{j'} e^{S_{ij'} + M_{ij'}}}",
        "Palaskos (2022), eq. 3.41; with the mask, slides, “Masked Attention”",
    ),
    "mix": StepText(
        "A V",
        "Each query's result is the mean of the values, weighted by its row.",
        r"H = A V",
        "Encoder notes, eq. 0.1.4; Palaskos (2022), eq. 3.42",
    ),
    "concat": StepText(
        "concat",
        "The results of all heads are set side by side.",
        r"[H_0 \dots H_{h-1}]",
        "Encoder notes, section 0.1.4; Palaskos (2022), eq. 3.44",
    ),
    "output": StepText(
        "W_O",
        "One more learned matrix turns them into what attention adds to the residual stream: a sum over the heads.",
        r"\mathrm{concat}(H_0 \dots H_{h-1})\, W_O = \sum_i H_i W_O^{(i)}",
        "Encoder notes, section 0.1.4; Palaskos (2022), eq. 3.45",
    ),
}
