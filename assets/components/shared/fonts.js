// The typefaces of the page, for canvases.

const propertyOf = (root, name) => getComputedStyle(root).getPropertyValue(name);

export const textFont = (root) => propertyOf(root, "--st-font") || "sans-serif";
export const codeFont = (root) => propertyOf(root, "--st-code-font");

export const hasArabicScript = (text) => /[\u0590-\u08ff\ufb50-\ufeff]/.test(text);

// The face of one token: fixed-width, but Arabic script in a face that joins its letters.
export function tokenFont(root, label = "") {
  if (hasArabicScript(label)) return textFont(root);
  return `${codeFont(root)}, monospace`;
}
