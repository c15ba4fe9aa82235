"""The lecture that this session presents now, and the scene on screen.

A presented lecture is unfolded (`scene_steps`): each step of a scene counts as a scene of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.server.networks import network_here
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lectures import own_question, plain_scenes, scene_steps, slide_pictures
from pages.teach.lectures.my_lecture import lecture_named, playable
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import current_question, precompute, scene_pictures
from views.parts import Files
from views.shown_page import in_focus
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand  # It loads Matplotlib.


@dataclass
class ShownSession:
    """The scene whose view has gone to the browser, and the picture of the next one: its place and its name."""

    scene: int | None = None
    next_picture: tuple[int, str] | None = None


def current() -> tuple[Presentation, Lecture] | None:
    """The presentation and its lecture, if there is one and its lecture still exists."""
    now = of_session(ScreenSession).presented
    lecture = _unfolded(now["which"]) if now else None
    if now is None or lecture is None or not playable(lecture):
        return None
    return now, lecture


def _unfolded(which: str) -> Lecture | None:
    lecture = lecture_named(which)
    return lecture and scene_steps.unfold(lecture)


def play_from(which: str, scene: int) -> None:
    """Present a lecture from a scene of its file on."""
    lecture = lecture_named(which)
    if lecture is not None:
        play(which, scene_steps.place_of(lecture, scene))


def play(which: str, scene: int = 0, asks: bool = True) -> None:
    """Present a lecture from a scene on, or go to that scene. A scene that cannot be played is passed over.

    `scene` counts in the unfolded lecture. `asks`: whether the class is asked the question of the scene. It is not
    where the presenter comes back to the end of a scene.
    """
    lecture = _unfolded(which)
    places = playable(lecture) if lecture else []
    if lecture is None or not places:
        return
    place = next((each for each in places if each >= scene), places[-1])
    of_session(ScreenSession).presented = Presentation(which=which, scene=place)
    of_session(ShownSession).scene = None
    slide_pictures.STORE.keep(lecture.scenes, network_here())
    if asks:
        ask(lecture.scenes[place])
    else:
        current_question.stop()
    state.show(lecture.scenes[place].page, view_of(lecture.scenes[place]))


def note_shown() -> None:
    """After a whole run: the view of the present scene has gone to the browser."""
    now = of_session(ScreenSession).presented
    of_session(ShownSession).scene = now["scene"] if now else None


def keep_view(scene: object = None) -> None:
    """Show the present scene's view again where a message would put back that of the scene before.

    A message carries the values of all fields, as the browser has them. They are those of the scene before while the
    run of the present one is on its way: it was cut short, or the message names another `scene`.
    """
    presented = current()
    if presented is None:
        return
    now, lecture = presented
    if of_session(ShownSession).scene != now["scene"] or scene not in (None, now["scene"]):
        shown = lecture.scenes[now["scene"]]
        state.show(shown.page, view_of(shown))


def view_of(scene: Scene) -> dict[str, str]:
    """The values of a scene's view. A plain scene has no model and sentence: the present ones stay."""
    if not plain_scenes.is_plain(scene):
        return dict(scene.state)
    present = {name: value for name, value in state.choices().items() if name in state.SENTENCE}
    return {**present, **scene.state}


def ask(scene: Scene) -> None:
    """Ask the question of a scene that the class answers: the lecturer's own, else one of its kind, else none.

    What the lecturer wrote stands above a question of a kind.
    """
    own = own_question.of_scene(scene)
    lead = "" if own else scene.question
    current_question.ask(own_question.OWN if own else scene.ask, own=own, seconds=scene.seconds, lead=lead)


def follow_history() -> None:
    """After the browser's back or forward button, find the scene whose view is now on screen."""
    now = of_session(ScreenSession).presented
    lecture = _unfolded(now["which"]) if now else None
    if now is None or lecture is None:
        return
    page, view = state.page(), state.view()
    fits = {  # scene -> how many values of the view it sets
        place: len(values)
        for place, scene in enumerate(lecture.scenes)
        if scene.page == page and (values := state.without_defaults(scene.state)).items() <= view.items()
    }
    if fits:
        now["scene"] = min(fits, key=lambda place: (-fits[place], abs(place - now["scene"])))
        current_question.stop()


def leave() -> None:
    """Stop presenting. The view stays."""
    of_session(ScreenSession).presented = None
    current_question.stop()


def compute_ahead() -> None:
    """Make the next scene in the background, so that the caches already hold its numbers when it is shown."""
    presented = current()
    place = next_scene()
    if presented is None or place is None:
        return
    scene = presented[1].scenes[place]
    theme = state.theme()
    take = partial(_keep_picture, picture_name(place), scene.focus, theme, state.get("urdu"), network_here())
    precompute.start(scene.page, view_of(scene), theme, take)


def next_scene() -> int | None:
    """The scene that comes next, if there is one."""
    presented = current()
    if presented is None:
        return None
    now, lecture = presented
    return next((place for place in playable(lecture) if place > now["scene"]), None)


def picture_name(place: int) -> str:
    """The name of the picture of a scene in `scene_pictures`. It stays while the scene stays the next one."""
    session = of_session(ShownSession)
    if session.next_picture is None or session.next_picture[0] != place:
        session.next_picture = (place, scene_pictures.new_name())
    return session.next_picture[1]


def _keep_picture(name: str, focus: str, theme: Theme, hand: Hand, owner: str | None, files: list[Files]) -> None:
    scene_pictures.PICTURES.put(name, scene_pictures.Drawing(in_focus(focus, files)[0], theme, hand), owner)
