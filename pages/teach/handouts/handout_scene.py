"""A scene of a lecture, made for its files apart from any session (`pages.shared.session.view_apart`).

Each run of a model keeps to the limits of a run (`model_turns.forward_pass`), so no scene takes for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.shared.elements import page
from pages.shared.model_runs import traces
from pages.shared.session import state
from pages.shared.sharing import notebooks, share
from pages.teach.handouts.scene_view import SceneView
from pages.teach.lectures import plain_scenes
from pages.teach.presenting import current_question
from views.parts import Files
from views.shown_page import ShownPage, in_focus

if TYPE_CHECKING:
    from model.questions import Question  # It loads torch.

NO_PICTURE = "This view has no picture to print."
MET_ERROR = "This view met an error, and shows nothing."
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MadeScene:
    """The view of a scene, the `files` of its pictures, and the question about it. `fault`: why there is no view."""

    view: SceneView | None = None
    files: Sequence[Files] = ()
    posed: Question | None = None
    fault: str = ""

    def pictures(self, focus: str) -> list[Files]:
        """The files of the pictures that the scene points at (`in_focus`)."""
        return in_focus(focus, self.files)

    def caption(self, focus: str) -> str:
        """The caption of the first of these pictures: that at `focus`, where it is not the page's first one."""
        if self.view is None:
            return ""
        is_other = self.pictures(focus)[:1] != list(self.files[:1])
        return self.view.caption(focus if is_other else "")


def make(url: str, link: Mapping[str, str], ask: str = "") -> MadeScene:
    """The view of a page that a link opens. `ask`: the kind of question that is made of it, or ""."""
    try:
        with page.opened(url, link) as shown:
            question = current_question.pose_here(ask) if ask else None
            return MadeScene(_view_of(url, shown), shown.files(), question)
    except traces.NothingToShow as nothing:
        return MadeScene(fault=str(nothing) or NO_PICTURE)
    except traces.errors() as error:
        return MadeScene(fault=str(error))
    except Exception:
        _log.warning("A scene could not be made.", exc_info=True)
        return MadeScene(fault=MET_ERROR)


def _view_of(url: str, shown: ShownPage) -> SceneView:
    values = {name: state.get(name) for name in state.KEYS}
    cells = [] if url == plain_scenes.PAGE else notebooks.view_cells(shown)
    return SceneView(url, shown.parts(), values, share.collect_facts(), cells)
