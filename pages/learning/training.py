"""Training: the course of the bundled models' training and of a published one, and a small model that trains while the
reader watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.learning.training_parts import (
    course_steps,
    forcing_steps,
    layers,
    live_work,
    published_run,
    published_steps,
    published_work,
    session,
    things_to_try,
)
from pages.shared.elements.page import BESIDE_PARTS, Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.session import bar_notes
from views.learning.training.course import Course
from views.learning.training.forcing import TeacherForcing
from views.learning.training.live import LiveTraining
from views.learning.training.published import PublishedTraining


def replay() -> Course:
    session.start_if_asked()
    return course_steps.read()


def published() -> PublishedTraining:
    session.start_if_asked()
    return published_steps.read()


def live() -> LiveTraining:
    session.start_if_asked()
    bar_notes.say_nothing_taken("It trains a small network on the task that you choose below.")
    return live_work.read()


def forcing() -> TeacherForcing:
    session.start_if_asked()
    bar_notes.say_nothing_taken("It shows a small network of its own in training.")
    return forcing_steps.read()


def of_published(view: PublishedTraining) -> tuple[Prompt, ...]:
    """Without a model of the hub there is no run to look at: only one of them has something to show."""
    return things_to_try.OF_PUBLISHED if published_run.models() else (things_to_try.WITHOUT_DOWNLOAD,)


PUBLISHED: dict[str, Callable[[Any], None]] = {
    "model": published_steps.choose_model,
    "steps": published_steps.choose_steps,
    "work": published_work.work_and_play,
    "layer": layers.choose,
    "add": published_steps.add_model,
    "look": published_steps.look,
    "ask again": published_steps.ask_again,
}
COURSE = {BESIDE_PARTS: course_steps.choose_model, "player": course_steps.play, "layer": layers.choose}
LIVE = {BESIDE_PARTS: session.choose_settings, "buttons": session.press}
FORCING = {"step": forcing_steps.choose_step, "row": forcing_steps.choose_row}
PARTS = {
    "replay": Part("Replay", replay, COURSE, things_to_try.OF_COURSE, course_steps.alone),
    "published": Part("A real model", published, PUBLISHED, of_published, published_steps.alone),
    "live": Part("Train one now", live, LIVE, things_to_try.OF_LIVE, live_work.alone),
    "forcing": Part("Teacher forcing", forcing, FORCING, things_to_try.OF_FORCING, forcing_steps.alone),
}
PAGE = Page(
    "Training",
    "A transformer starts as noise. Each step moves its weights a little down the loss.",
    "training_part",
    PARTS,
)
