// The presenter's bar, the question to the class over the page, and the black screen.
import { createElement } from "../../shared/dom.js";
import { questionNodes } from "../question.js";

// A button that calls a method of the presenter. `pressed`: whether it is switched on, where it is a switch.
function button(presenter, text, label, action, pressed) {
  const props = { type: "button", textContent: text, title: label, "aria-label": label, "data-id": text };
  if (pressed !== undefined) props["aria-pressed"] = String(pressed);
  return createElement("button", { ...props, onclick: () => presenter.do(action) });
}

export function createBar(presenter) {
  const { laser } = presenter;
  const scene = presenter.steps.scene();
  const parts = scene ? sceneButtons(presenter, scene) : [];
  parts.push(...questionButtons(presenter));
  parts.push(button(presenter, "Blank", "Blank the screen (B)", "toggleBlank", presenter.isBlank));
  const spot = "Laser: a red spot follows the pointer, here and for the class (L)";
  parts.push(button(presenter, "Laser", spot, "toggleLaser", laser.isOn));
  parts.push(...classParts(presenter));
  if (scene) parts.push(button(presenter, "Leave", "Leave the presentation (Esc)", "stopOneThing"));
  return createElement("section", { className: "bar", "aria-label": "Presenting" }, ...parts);
}

// The code, as large as the last row can read, and how many follow; or the button that lets the class follow.
function classParts(presenter) {
  const { room, mayOpen } = presenter.show;
  if (!room)
    return mayOpen
      ? [button(presenter, "Open to the class", "Open to the class: students follow you", "openRoom")]
      : [];
  const code = createElement("strong", { className: "code", textContent: room.code });
  const words = presenter.lost ? [presenter.lost] : ["Code ", code, ` · ${presenter.followerStatus()}`];
  const join = button(
    presenter,
    "Join",
    "Join: how to follow, on the whole screen (J)",
    "toggleJoin",
    presenter.isJoinShown,
  );
  return [createElement("span", { className: "class", role: "status" }, ...words), join];
}

function sceneButtons(presenter, scene) {
  const { steps } = presenter;
  const back = button(presenter, "←", "Back (Page Up)", "goBack");
  const forward = button(presenter, "→", `${presenter.beats.label()} (Page Down)`, "goForward");
  forward.disabled = presenter.beats.isEndShown;
  const count = createElement("span", {
    className: "count",
    textContent: `${steps.at + 1} / ${steps.scenes.length}`,
    "aria-busy": String(steps.isOnItsWay()),
  });
  const zoom = button(
    presenter,
    "Zoom",
    "Zoom: enlarge what the scene points at (Z)",
    "toggleZoom",
    presenter.stage.isZoomed,
  );
  const parts = [back, count, forward, sceneMenu(presenter), zoom];
  if (scene.question) {
    const isShown = presenter.beats.words === "question";
    parts.push(button(presenter, "Question", "Show the question (Q)", "toggleSceneQuestion", isShown));
  }
  parts.push(button(presenter, "Notes", "Speaker notes in a second window (N)", "openNotes"));
  return parts;
}

function sceneMenu(presenter) {
  const { scenes, at } = presenter.steps;
  const options = scenes.map(({ title, playable }, i) =>
    createElement("option", { value: i, textContent: `${i + 1}. ${title}`, disabled: !playable, selected: i === at }),
  );
  const menu = createElement("select", { className: "jump", "aria-label": "Scene" }, ...options);
  menu.onchange = () => {
    presenter.goTo(Number(menu.value));
    menu.blur();
  };
  return menu;
}

function questionButtons(presenter) {
  if (presenter.isAnswerHidden()) {
    const answer = button(presenter, "Answer", "Show the answer (A)", "askClass", false);
    if (!presenter.show.room || presenter.asked().words) return [answer];
    const votes = button(
      presenter,
      "Votes",
      "Votes: how many chose what (V)",
      "toggleVotes",
      presenter.areVotesShown(),
    );
    return [answer, votes];
  }
  if (presenter.asked()?.text) return [button(presenter, "Close", "Close the question (A)", "askClass", true)];
  if (!presenter.show.asks) return [];
  return [button(presenter, "Ask", "Ask the class about this view (A)", "askClass", false)];
}

// The question to the class: its choices, how many have answered, and once it is known the answer.
export function createPanel(presenter) {
  const question = presenter.asked();
  const known = presenter.isAnswerKnown();
  const props = { className: "asked beside", "aria-label": "Question to the class", hidden: !question, tabIndex: -1 };
  const panel = createElement("section", props);
  if (!question) return panel;
  const status = (textContent) => createElement("p", { role: "status", textContent });
  if (!question.text) panel.append(status(`No question here: ${question.whyNot}`));
  else {
    const nodes = questionNodes(presenter.questionShown(), { known, counts: presenter.shownCounts() });
    panel.append(...nodes, presenter.countdown.node, status(presenter.answerStatus()));
  }
  panel.classList.toggle("known", known || !question.text);
  return panel;
}

export function createBlackScreen(presenter) {
  const props = { className: "black", hidden: !presenter.isBlank, role: "img", "aria-label": "The screen is blank" };
  return createElement("div", { ...props, onclick: () => presenter.do("toggleBlank") });
}
