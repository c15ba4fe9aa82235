"""The map of a picture's run, with every number of the vision model; and the tensors that the run keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from model.graph.explain import explain
from views.call import Call
from views.map import map_files, run_answers
from views.map.map_facts import model_facts
from views.map.map_on_screen import MapOnScreen, with_numbers
from views.models.see import told
from views.models.see.picture import SeenPicture
from views.models.see.sight import Sight
from views.parts import DataTable, Files, Keys, Pick
from views.view import equation, grey
from viz.documents.page_parts import Group
from viz.home.answers import MAX_OUTCOMES, Outcome
from viz.home.layout.facts import ModelFacts
from viz.home.layout.layout import make_layout
from viz.home.layout.places import WHOLE, find_place, parse_place
from viz.home.model_map import ModelMap

KEY = "see map"
NO_MAP = (
    "The map keeps a run on the server for a while, and a picture of your own stays in this session. Choose an "
    "example to see every number."
)


@dataclass(frozen=True)
class EveryNumber(Sight):
    """The map of the run over an example. `layer`: the one whose tensors are listed. `most_characters` of a place.

    `shown`: None for a reader's own picture, whose numbers would leave the session.
    """

    layer: int
    shown: MapOnScreen | None = field(compare=False)
    most_characters: int = field(default=160, compare=False)

    def made_by(self) -> Call:
        shown = None
        if self.shown is not None:
            shown = Call(map_picture, (self.seen, *([self.shown.now.at] if self.shown.now.at else [])))
        return Call(EveryNumber, (self.seen, self.layer, shown))

    def told(self) -> Mapping[str, float | str]:
        return {} if self.shown is None else {told.PLACE: self.shown.now.at}

    def picture_parts(self) -> Sequence[Any]:
        if self.shown is None:
            return grey(NO_MAP)
        return [self.picture(), *grey(self.caption()), self.files()]

    def picture(self) -> Group:
        assert self.shown is not None
        # After each of these the page makes the run again, where it is gone, and stays.
        stay: dict[str, Pick] = {event: lambda _: {} for event in ("go", "gone", "next")}
        return self.shown.picture(KEY, {**stay, "at": self._keep_place})

    def _keep_place(self, at: Any) -> Keys:
        """The reader has moved: the URL keeps the place."""
        place = parse_place(str(at)[: self.most_characters])
        return {"see_at": "" if place is None or str(place) == WHOLE else str(place)}

    def caption(self) -> str:
        count = self.seen.config.n_patches + self.seen.config.n_special_tokens
        learnt = f"{self.seen.special_names}, and " if self.seen.config.special_tokens else ""
        return f"{self.seen.model.card.title} reads the picture as {count} tokens: {learnt}the patches row by row."

    def files(self) -> Files | None:
        if self.shown is None:
            return None
        shown, usual = self.shown, Files(map_files.NAME)
        return map_files.files_of(shown.layout, shown.place, shown.title, shown.now.outcome, shown.find, usual)

    def number_parts(self) -> Sequence[Any]:
        said = (
            f"The tensors of layer {self.layer} that this page keeps, and those before and after the layers. The map "
            "has all."
        )
        table = DataTable(lambda: pd.DataFrame(self._rows()), height=420)
        return [table, *grey(said), Files("see-tensors", rows=self._rows)]

    def _rows(self) -> list[dict[str, str]]:
        """The tensors that the run of this page keeps, of the layer and of no layer, a row each."""
        here = {
            name: tensor
            for name, tensor in self.seen.run.tensors.items()
            if not name.startswith("encoder.") or name.startswith(f"encoder.{self.layer}.")
        }
        return run_answers.describe_tensors(here.items(), self.seen.config)

    def formula(self) -> Sequence[Any]:
        return equation(
            r"z'_l = z_{l-1} + \mathrm{MSA}(\mathrm{LN}(z_{l-1})), \qquad z_l = z'_l + \mathrm{MLP}(\mathrm{LN}(z'_l))",
            "Dosovitskiy et al. (2021), arXiv:2010.11929, eqs. 2 and 3. The map works out the sum of each cell where "
            "it stands: step into one, and choose it.",
            {
                "z_l": f"{self.seen.special_names}, and the patches after layer l, one a row",
                r"\mathrm{MSA}": "self-attention with several heads",
                r"\mathrm{MLP}": "the feed-forward network",
                r"\mathrm{LN}": "layer normalisation",
            },
        )

    def code(self) -> Sequence[Any]:
        return (explain,)


def map_picture(seen: SeenPicture, at: str = "") -> MapOnScreen:
    """The map of the run over a picture at a place of it, "" for the whole model. It needs no server."""
    facts = facts_of(seen)
    layout = make_layout(facts)
    trace = seen.model.trace_image_on_demand(seen.model.preparation.normalise(seen.square))
    return with_numbers(unplaced_map(seen, layout), find_place(at, facts, layout) if at else None, seen.name, trace)


def facts_of(seen: SeenPicture) -> ModelFacts:
    """What the layout knows of the run over a picture."""
    return model_facts(seen.config, [token.text for token in seen.model.tokens()])


def unplaced_map(seen: SeenPicture, layout: Mapping[str, Any]) -> ModelMap:
    """The map of the whole model, without the address of its numbers."""
    config = seen.config
    heads = config.n_encoder_layers * config.n_heads
    weights = sum(weight.numel() for weight in seen.model.network.parameters())
    summary = f"{config.n_encoder_layers} layers, {heads} heads, {weights:,} weights"
    title, outcome = seen.model.card.title, outcome_of(seen)
    return ModelMap(layout, title, summary, root="", handle="", at="", framed="", outcome=outcome)


def outcome_of(seen: SeenPicture) -> Outcome:
    """The likeliest classes; nothing of a model without classes."""
    labels = seen.config.image_labels
    if not labels:
        return Outcome("Last vectors")
    shares = seen.model.probabilities(seen.run)
    order = shares.argsort(descending=True).tolist()[:MAX_OUTCOMES]
    names = [labels[i] for i in order]
    kind = seen.config.label_scores
    return Outcome("Class of the picture", f"of {len(labels)}", names, shares[order].tolist(), kind=kind)
