"""The keys of the app, for the help on `?`: the keys of every page, and the keys of each component."""

from __future__ import annotations

from typing import TypedDict

Keys = list[tuple[str, str]]  # the name of a key, and its effect


class ComponentKeys(TypedDict):
    """A component's keys. `where` is a CSS selector that matches only this component."""

    component: str
    where: str
    title: str
    keys: Keys


GENERAL_KEYS: Keys = [
    ("?", "This help"),
    ("Tab, Shift + Tab", "The next control, and the one before"),
    ("Enter or Space", "Press a button, open a menu"),
    ("← →", "Another choice of a switch; move a slider"),
    ("E", "Edit the sentence"),
    ("Esc", "Close what is open: a menu, a term, the tour"),
]

COMPONENT_KEYS: list[ComponentKeys] = [
    {
        "component": "run_bar", "where": ".gf.runbar", "title": "Your sentence",
        "keys": [("E", "Edit it"), ("M", "Mute the head on screen, or let it speak again"),
                 ("Enter", "Run what is typed"), ("Shift + Enter", "Make a new line"),
                 ("Esc", "Put back what stood there"), ("← →", "On the tokens: the one before, the next"),
                 ("↑ ↓", "In the list of models: the one above, the one below")],
    },
    {
        "component": "model_map", "where": ".gf.model-map", "title": "Map",
        "keys": [("← → ↑ ↓", "The neighbour: a layer, a head, a matrix, or a cell"),
                 ("Enter", "Step in; on a cell: why it is this number"), ("Esc", "Step out"),
                 ("Backspace", "Back along the numbers that were followed"),
                 ("/", "Search: “layer 9 head 2”, “W_O 3”, “neuron 812”, a token"),
                 ("+ −", "Closer, further away"), ("0", "The whole model"),
                 ("Space", "Play the run layer by layer; pause")],
    },
    {
        "component": "token_strip", "where": ".gf:not(.player) > .strip", "title": "Tokens",
        "keys": [("← →", "The token before, and the next"), ("Home, End", "The first, the last"),
                 ("Enter", "Choose it, or let it go")],
    },
    {
        "component": "attention_lines", "where": ".gf.lines", "title": "Lines of a head",
        "keys": [("↑ ↓ or ← →", "Along the words, and over to the other side"),
                 ("Home, End", "The first word, the last"),
                 ("Enter", "Keep a query, then a key"), ("Shift + Enter", "On a head: show it alone"),
                 ("Esc", "Let go")],
    },
    {
        "component": "heads_atlas", "where": ".gf.atlas", "title": "All heads",
        "keys": [("← → ↑ ↓", "Another head"), ("Enter", "Open it")],
    },
    {
        "component": "head_texts", "where": ".gf.head-texts", "title": "Texts of a head",
        "keys": [("↑ ↓", "Another text"), ("Enter", "Make it the sentence")],
    },
    {
        "component": "matrix_steps", "where": ".gf.steps", "title": "Step by step",
        "keys": [("← →", "On the row of steps: the step before, the next"),
                 ("← → ↑ ↓", "In the picture: another cell"), ("Enter", "Keep the cell, or let it go")],
    },
    {
        "component": "matrix_panels", "where": ".gf.panels", "title": "Matrices",
        "keys": [("← → ↑ ↓", "Another cell"), ("Enter", "Keep it, or let it go")],
    },
    {
        "component": "mask_painter", "where": ".gf.painter", "title": "Painting a mask",
        "keys": [("← → ↑ ↓", "Another cell"), ("Enter or Space", "Hide it, or show it"),
                 ("R, C", "Its row, its column"), ("Shift + ← → ↑ ↓", "Paint on"),
                 ("Ctrl + Z, Ctrl + Shift + Z", "Undo, redo")],
    },
    {
        "component": "position_heatmap", "where": ".gf.heatmap", "title": "Position vectors",
        "keys": [("← → ↑ ↓", "Another cell"), ("Enter", "Show the wave of its pair, or hide it")],
    },
    {
        "component": "position_circles", "where": ".gf.circles", "title": "Circles",
        "keys": [("← → ↑ ↓", "Turn the picture in space")],
    },
    {
        "component": "position_distance", "where": ".gf.distance", "title": "Two positions",
        "keys": [("← →", "On a handle: move it by one"), ("Home, End", "To the first position, to the last")],
    },
    {
        "component": "block_flow", "where": ".gf.flow", "title": "Steps of a block",
        "keys": [("↑ ↓", "The step before, the next"), ("Home, End", "The first, the last"), ("Enter", "Open it")],
    },
    {
        "component": "predict_player", "where": ".gf.player", "title": "Writing",
        "keys": [("Space", "Play, pause"), ("← →", "One token back, one on"), ("Home, End", "The beginning, the end")],
    },
    {
        "component": "translation", "where": ".gf.translation", "title": "Translating",
        "keys": [("Space", "Play, pause"), ("← →", "One step back, one on"), ("Home, End", "The beginning, the end")],
    },
    {
        "component": "patch_attention", "where": ".gf.patches", "title": "Patches",
        "keys": [("← → ↑ ↓", "In the picture: another patch; in the maps: another head"),
                 ("Home", "The class token")],
    },
    {
        "component": "digit_pad", "where": ".gf.pad", "title": "Drawing",
        "keys": [("← → ↑ ↓", "Move the pen"), ("Space", "Pen down, pen up"), ("Delete", "Begin anew")],
    },
    {
        "component": "scene_list", "where": ".gf .scenes", "title": "Scenes of a lecture",
        "keys": [("← → ↑ ↓", "Choose another scene"), ("Alt + ↑ ↓", "Move the scene")],
    },
    {
        "component": "presenter", "where": ".gf.presenter", "title": "Presenting",
        "keys": [("Page Down, → or Space", "The question, the answer, the point, the next scene"),
                 ("Page Up or ←", "The same way back"),
                 ("Home, End", "The first scene, the last"), ("N", "Notes in a second window"),
                 ("Q", "The scene's question"),
                 ("A", "A question from the numbers, then its answer, then away"),
                 ("P", "What the scene points at"), ("Z", "That on the whole screen"), ("C", "The page's controls"),
                 ("B", "Blank screen"), ("L", "Laser spot"), ("F", "Whole screen"),
                 ("J", "How to follow"), ("V", "The votes, or the words of the class"),
                 ("Esc", "Put away what is open; then stop presenting")],
    },
    {
        "component": "follower", "where": ".gf.follower", "title": "Following a lecture",
        "keys": [("1 to 8", "Answer the question")],
    },
]  # fmt: skip
