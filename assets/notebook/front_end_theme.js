// The theme of the page around a frame: JupyterLab's and Jupyter Notebook's, that of VS Code or of marimo. Where the
// page tells nothing, it is the system's.
const system = matchMedia("(prefers-color-scheme: dark)");

// Whether a page says that it is dark; undefined where it says nothing.
export function isDarkPage({ body, documentElement }) {
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind) return !body.dataset.vscodeThemeKind.endsWith("light");
  const theme = body.dataset.theme ?? documentElement.dataset.theme; // marimo
  return theme ? theme === "dark" : undefined;
}

// The page around this one, where its front end lets it be read.
function pageAround() {
  try {
    return window.parent === window ? null : window.parent.document;
  } catch {
    return null;
  }
}

// As a query of media: `matches`, and an event "change". The style sheet knows it by the root's data-theme.
export class FrontEndTheme extends EventTarget {
  constructor() {
    super();
    this.page = pageAround();
    this.read();
    const readAgain = () => {
      const before = this.matches;
      this.read();
      if (this.matches !== before) this.dispatchEvent(new Event("change"));
    };
    system.addEventListener("change", readAgain);
    if (!this.page) return;
    const observer = new MutationObserver(readAgain);
    for (const element of [this.page.body, this.page.documentElement]) observer.observe(element, { attributes: true });
  }

  read() {
    this.matches = (this.page && isDarkPage(this.page)) ?? system.matches;
    document.documentElement.dataset.theme = this.matches ? "dark" : "light";
  }
}
