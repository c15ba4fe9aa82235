// The page for students before it follows: the field for the code of a lecture.
import { createElement } from "../components/shared/dom.js";
import { codeForm } from "../components/teach/follower/code_form.js";

const ABOUT =
  "The code is on the presenter's screen. Nothing about you is stored: the presenter sees only how many follow.";

export function showJoinForm(page, base, follow) {
  const { form, field, told } = codeForm(`${base}/follow`, follow);
  const title = createElement("h1", { textContent: "Follow a lecture" });
  const idea = "Your browser goes where the presenter goes, until you say otherwise.";
  page.replaceChildren(
    title,
    createElement("p", { className: "caption", textContent: idea }),
    form,
    told,
    createElement("p", { className: "caption", textContent: ABOUT }),
  );
  field.focus();
}
