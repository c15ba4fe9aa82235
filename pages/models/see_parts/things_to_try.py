"""The things to try on See, for each of its parts. Those of one part may lead to another."""

from __future__ import annotations

from pages.shared.elements.claims import Claim
from pages.shared.elements.prompts import Prompt
from views.models.see import told
from views.models.see.patches import PatchesOfPicture, contrasts
from views.models.see.sight import NoPicture, Sight

STEP = 3  # pixels of the prompt that shifts a picture
OF_ATTENTION = (
    Prompt(
        "The first layer",
        "Heads of the first layer mostly look near, or everywhere.",
        {"see_layer": 0, "see_head": 0},
        claim=Claim(told.LAYER, "is", 0),
        at="see attention",
    ),
    Prompt(
        "The last layer",
        "What the class token gathers.",
        {"see_layer": -1, "see_head": -1, "see_patch": -1},
        claim=Claim(told.ABOVE, "is", 0),
        at="see attention",
    ),
    Prompt(
        "What comes of it",
        "The answer, and features as colours.",
        {"see_part": "answer"},
        claim=Claim(told.FIRST_COLOUR, "over", 0.0),
        at="see colours",
    ),
)
OF_ANSWER = (
    Prompt(
        "Draw a digit",
        "Draw in the square: the digit is named stroke by stroke. Until then an example is read.",
        {"see_model": "digits-vit", "see_source": "draw", "see_example": "", "see_patch": -1, "see_part": "answer"},
        claim=Claim(told.SOURCE, "is", "draw"),
        at="see pad",
    ),
    Prompt(
        "A flower in colours",
        "It parts from what is behind it: the first colour is mostly that of the flower.",
        {"see_model": "dinov2-s", "see_source": "example", "see_example": "flower", "see_part": "answer"}
        | {"see_patch": -1},
        claim=Claim(told.FIRST_COLOUR, "over", 0.1),
        at="see colours",
    ),
    Prompt(
        "Shuffle it",
        "With positions the attention does not follow the patches to their new places.",
        {"see_part": "place", "see_change": "shuffle"},
        claim=Claim(told.MOVED, "over", 0.05),
        at="see gaze",
    ),
)
OF_MAP = (
    Prompt(
        "One head of the first layer",
        "Step in with a click: scores, weights and what the head adds, each a matrix of patches.",
        {"see_part": "map", "see_at": "encoder.0/head 0", "see_source": "example"},
        claim=Claim(told.PLACE, "is", "encoder.0/head 0"),
        at="see map",
    ),
)
OF_COST = (
    Prompt(
        "A small picture",
        "28 x 28: even pixels would do, just.",
        {"see_model": "digits-vit", "see_source": "example", "see_example": "", "see_patch": -1},
        claim=Claim(told.PIXEL_BYTES, "under", 1e9),
    ),
    Prompt(
        "A photograph",
        "Now they would not.",
        {"see_model": "dinov2-s", "see_source": "example", "see_example": "", "see_patch": -1},
        claim=Claim(told.PIXEL_BYTES, "over", 1e10),
    ),
    Prompt("Remedies", "Kinds of ViT that look in windows.", {"see_part": "kinds"}, at="see Another attention"),
)
OF_KINDS = (
    Prompt(
        "The plain one",
        "Each token looks at all of them: each row of weights sums to 1.",
        {"see_part": "attention"},
        claim=Claim(told.ROW_SUM, "over", 0.999),
        at="see attention",
    ),
    Prompt(
        "What it costs",
        "Why near attention was wanted: see what the weights would fill with each pixel as a token.",
        {"see_part": "cost"},
        claim=Claim(told.PIXEL_BYTES, "over", 1e6),
    ),
)


def of_patches(view: PatchesOfPicture | NoPicture) -> tuple[Prompt, ...]:
    """With the patch that has the most contrast."""
    if isinstance(view, NoPicture):
        return OF_COST
    return (
        Prompt(
            "An edge",
            "Of all patches this one has the most contrast. The framed row on the right is this patch.",
            {"see_part": "patches", "see_patch": int(contrasts(view.seen).argmax())},
            claim=Claim(told.CONTRAST, "over", 0.999),
        ),
        Prompt(
            "Far smaller patches",
            "A digit of 28 x 28 in patches of 4 x 4: few numbers in each row.",
            {"see_model": "digits-vit", "see_source": "example", "see_example": "", "see_patch": -1}
            | {"see_part": "patches"},
            claim=Claim(told.ROW_VALUES, "is", 16),
        ),
        Prompt(
            "Where it looks",
            "The same heads as for words: each row of weights sums to 1.",
            {"see_part": "attention"},
            claim=Claim(told.ROW_SUM, "over", 0.999),
            at="see attention",
        ),
    )


def of_place(view: Sight | NoPicture) -> tuple[Prompt, ...]:
    """A shift, where the patches are large enough for it."""
    shuffled = Prompt(
        "Shuffle a digit",
        "Without positions nothing changes at all.",
        {"see_model": "digits-vit-nopos", "see_source": "example", "see_example": "", "see_patch": -1}
        | {"see_change": "shuffle"},
        claim=Claim(told.UNPLACED, "under", 1e-4),
        at="see answers",
    )
    half = Prompt(
        "Half a picture",
        "Every second patch is blank. How much can be missing?",
        {"see_change": "blank", "see_share": 0.5},
        claim=Claim(told.BLANK, "over", 0.45),
    )
    moved = Prompt(
        "Three pixels to the right",
        "Edges fall into other patches.",
        {"see_change": "shift", "see_right": STEP, "see_down": 0},
        claim=Claim(told.SHIFT, "is", STEP),
    )
    has_room = isinstance(view, Sight) and view.seen.config.patch_size >= STEP
    return (shuffled, half, moved) if has_room else (shuffled, half)
