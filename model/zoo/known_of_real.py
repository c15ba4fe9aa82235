"""What is known of real models beside the facts of their cards, and what is not."""

from __future__ import annotations

from typing import Any

OF_DINOV2: dict[str, Any] = {
    "pixels": {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "fit": "pad"},
    "known": (
        "The file's tensors have the names and shapes of DINOv2 ViT-S/14 (Oquab et al. 2023, arXiv:2304.07193) "
        "without registers, with 37 x 37 positions that the graph resizes to 16 x 16. Behind it stands a head "
        "of transposed convolutions that draws a map of what stands out. Exported by PyTorch 2.7; the package, "
        "by Jules Goueffon, appeared in May 2025 under the MIT licence."
    ),
    "unknown": (
        "Whether the backbone's weights are still those that Meta published or were trained further with the "
        "head, on which pictures the head was trained, and how well it does: the package does not say."
    ),
}
OF_GRAMMAR: dict[str, Any] = {
    "limits": (
        "The answer for a word is read off its first piece. ONNX Runtime rounds what passes between the layers "
        "to 8 bits, too, and gives 759 of the 761 words of 80 sentences the same edit. The package lets the "
        "model change a word from 90% on, and says that it was trained on mistakes made by a program."
    ),
    "hashes": {
        "tokenizer.json": "3515d3d55be16f563f5602d9f5e34553ca5e82375c9449a509f06a0076bb6806",
        "tag_vocab.json": "d5ae9f9428b8f8aa85ffebe8b570c6e18c304bf90ff7ede61faaee494ad43629",
        "tagger.onnx": "0193ea519161584e008c1f93068239caaea18bcb6b9d0a20e7453e6e623eb03d",
    },
}
