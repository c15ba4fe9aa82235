"""The growing sentence with its playhead, and the candidates at every step after the reader's filters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from model.analysis.scores import entropy
from model.arrays import Array
from model.generation.sampling import stages
from model.generation.surprise import surprise
from views.models.predict import answer
from views.models.predict.continuation import Playhead
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import control_words, quotes
from views.view import View, existing, grey
from viz.documents.page_parts import Group, Text
from viz.models.predict import candidates, candidates_figure, pack_player
from viz.shared.payload import pack, unpack
from viz.shared.style import Theme, count_noun, number, percent
from viz.shared.tokens import chips, labels, words

MAX_CANDIDATES = 12  # a step
MAX_LISTED = 20  # candidates of a step in a table
ANSWER = "the answer"
LARGEST = "the largest bar after the filters, over the model's own,"


@dataclass(frozen=True)
class Player(View):
    """The player, and the candidates of the step at its playhead."""

    now: Playhead

    def told(self) -> Mapping[str, float | str]:
        filtered, written = stages(self.now.logits, self.now.sampling), self.now.written
        told: dict[str, float | str] = {LARGEST: float(filtered.min_p.max() / filtered.model.max())}
        if answer.answers(written.run):
            told[ANSWER] = written.run.model.tokenizer.decode(written.path)
        return told

    def picture_parts(self) -> Sequence[Any]:
        return [self._playing(), self.files()]

    def number_parts(self) -> Sequence[Any]:
        said = f"Step {self.now.step + 1}: the likeliest tokens through every filter."
        return [self._playing(), self.table(), *grey(said), self.files()]

    def _playing(self) -> Group:
        written = self.now.written
        likeliest = written.run.model.tokenizer.token(int(self.now.logits.argmax()))
        control = control_words.explain((*written.trace.tokens, likeliest))
        parts = [Controls("filters"), *self._say_others(), self.picture(), *grey(self.caption()), *control]
        buttons = [*existing(answer.look_inside(written)), *existing(answer.other_reading(written.run))]
        row = [Group(buttons, "row", key="predict takes")] if buttons else []
        said = [*answer.say_state(written), *answer.say_other_cut(written)]
        return Group([*parts, *said, *row, Controls("next turn")], key="predict playing")

    def _say_others(self) -> list[Text]:
        if not self.now.others:
            return []
        said = "; then ".join(self.now.others)
        return [
            Text(
                f"**This text was written with other settings**: {said}. Write again to use those above.",
                "info",
                ":material/tune:",
            )
        ]

    def picture(self) -> Canvas:
        picks = {"step": lambda step: {"predict_step": int(step)}, **self.now.picks}
        return Canvas("models/predict_player", self._pack, key="predict player", picks=picks)

    def _pack(self) -> bytes:
        now, written = self.now, self.now.written
        return pack_player(
            chips(written.prompt),
            chips(written.tokens),
            self._kept_rows(),
            self.attention_rows(),
            identity=repr((written.run.name, written.run.text, written.path)),
            step=now.step,
            place=f"layer {now.layer}, " + (f"head {now.head}" if now.head >= 0 else "mean of all heads"),
            ended=written.ended,
            is_whole=now.is_whole,
        )

    def _kept_rows(self) -> list[dict[str, Any]]:
        """The rows, kept: the filters go through the whole vocabulary at every step. A move of the playhead changes
        none."""
        what = f"candidates after {len(self.now.written.prompt)} by {astuple(self.now.sampling)}"
        header, _ = unpack(self.now.written.as_run.pack(what, lambda: pack({"rows": self.step_rows()})))
        rows: list[dict[str, Any]] = header["rows"]
        return rows

    def step_rows(self) -> list[dict[str, Any]]:
        """For every step: the likeliest tokens before and after the filters, and the chosen token."""
        written, logits = self.now.written, self.now.written.logits
        stage = stages(logits, self.now.sampling)
        best = logits.topk(min(MAX_CANDIDATES, logits.shape[-1])).indices  # (steps, candidates)
        ranks = surprise(logits[: len(written.path)], written.path).rank  # (chosen tokens,)
        rows = []
        for step in range(written.steps):
            chosen = written.path[step] if step < len(written.path) else None
            ids = best[step].tolist()
            if chosen is not None and chosen not in ids:
                ids.append(chosen)
            names = labels(written.run.model.tokenizer.tokens(ids))
            scores, model, filtered = (values[step][ids].numpy() for values in (logits, stage.model, stage.min_p))
            row: dict[str, Any] = {"candidates": candidates(names, ids, scores, model, filtered, chosen)}
            if chosen is not None:
                row["p"] = float(stage.model[step, chosen])
                row["rank"] = int(ranks[step])
            rows.append(row)
        return rows

    def attention_rows(self) -> Array:
        """Where the token read last looks at each step, in one head or on average: (steps, tokens)."""
        written, head = self.now.written, self.now.head
        weights = written.trace[f"decoder.{self.now.layer}.self_attn.weights"]
        chosen = weights.mean(0) if head < 0 else weights[head]
        return chosen[len(written.prompt) - 1 :].numpy()

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.listed(MAX_LISTED)), height=245)

    def listed(self, count: int) -> list[dict[str, Any]]:
        """The likeliest tokens of the step after every filter."""
        logits = self.now.logits
        stage = stages(logits, self.now.sampling)
        ids = logits.topk(min(count, len(logits))).indices.tolist()
        return [
            {
                "token": label,
                "id": id,
                "logit": float(logits[id]),
                "model": float(stage.model[id]),
                "after temperature": float(stage.temperature[id]),
                "after top-k": float(stage.top_k[id]),
                "after top-p": float(stage.top_p[id]),
                "after min-p": float(stage.min_p[id]),
            }
            for id, label in zip(ids, labels(self.now.written.run.model.tokenizer.tokens(ids)), strict=True)
        ]

    def files(self) -> Files:
        focus, arrays = ("predict player",), lambda: {"logits": self.now.logits}
        return Files("prediction", self._draw, self._draw, self._written_rows, arrays, focus=focus)

    def _draw(self, theme: Theme = "light") -> go.Figure:
        written = self.now.written
        text_before = "".join(token.text for token in (*written.prompt, *written.tokens[: self.now.step]))
        return candidates_figure(self.listed(MAX_CANDIDATES), text_before, theme)

    def _written_rows(self) -> list[dict[str, Any]]:
        """One row for each written token, with the model's own logit, probability and rank, before any filter."""
        written = self.now.written
        surprises = surprise(written.logits[:-1], written.path)
        found = zip(written.tokens, surprises.loss, surprises.rank.tolist(), strict=True)
        return [
            {"step": step + 1, "id": token.id, "token": token.text, "logit": float(written.logits[step, token.id]),
             "probability": math.exp(-loss), "rank": rank}
            for step, (token, loss, rank) in enumerate(found)
        ]  # fmt: skip

    def caption(self) -> str:
        logits, filters = self.now.logits, self.now.sampling
        stage = stages(logits, filters)
        best = int(logits.argmax())
        n_left = int((stage.min_p > 0).sum())
        bits = float(entropy(stage.model))
        (token,) = words(self.now.written.run.model.tokenizer.tokens([best]))
        text = (
            f"After {count_noun(self.now.query + 1, 'token')} {quotes.quote(token)} is likeliest, "
            f"{percent(float(stage.model[best]))}. The model is as uncertain as among "
            f"{number(2**bits, 1)} equally likely tokens. "
        )
        if filters.greedy:
            return text + "Temperature 0 takes the likeliest one, always."
        return text + f"The filters leave {n_left:,} of {len(logits):,} tokens to draw from."
