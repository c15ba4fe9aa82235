// Streamlit does not run the page again when the reader switches the theme; figures drawn on the server need it.
export default async function ({ data, parentElement, setTriggerValue }) {
  const header = await newest(parentElement, data);
  if (!header) return;
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("div", { className: "gf", hidden: true });
    parentElement.append(root);
  }
  applyTheme(root);
  const theme = root.classList.contains("dark") ? "dark" : "light";
  if (theme !== header.theme && root.asked !== theme) {
    root.asked = theme; // ask once
    setTriggerValue("theme", theme);
  }
  if (theme === header.theme) root.asked = null;
}
