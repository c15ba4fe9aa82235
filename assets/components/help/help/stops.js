// The stops of the tour: a title, a text, and selectors of the places that are framed together. A stop with `show` can
// be shown: `shown` says what was seen, `refused` why nothing is.

const menuOr = (selector) => (isNarrow() && '[data-testid="stExpandSidebarButton"]') || selector;

export const isNarrow = () => innerWidth < 768; // Streamlit folds its sidebar away

export const STOPS = [
  {
    title: "Type here",
    text:
      "Your sentence, cut into the tokens that the model reads. Write another one: every picture is computed anew. " +
      "The model stands beside it.",
    keys: "E begins to write, Enter runs.",
    where: () => [".st-key-run-bar"],
    show: "type",
    shown: "The model has read this sentence, and every number is new. Your own comes back when the tour ends.",
    refused: "A sentence of yours is being typed: it stays as it is.",
  },
  {
    title: "Choose a token",
    text: "Click a token, and it is chosen for every page: where it looks, what it is made of, where it stands.",
    where: () => [".st-key-run-bar"],
    show: "choose",
    shown: "This token is chosen now. A second click leaves the choice to the page again.",
    refused: "The tokens of this run are chosen on the pages about attention.",
  },
  {
    title: "The map of this run",
    text:
      "From the tokens to the prediction, each part is a small picture of what happened. " +
      "Click a part to step into it, down to a single number. The page that explains it opens from the line above.",
    where: () => [".st-key-home_map, .st-key-home-map"],
  },
  {
    title: "A page for each part",
    text: "Each page answers one question: where a head looks, what a mask hides, how the next word comes about.",
    where: () => [menuOr('[data-testid="stSidebarNav"]')],
  },
  {
    title: "Four depths",
    text: "The same view as a picture, as its numbers, as the formula with its source, or as the code that ran.",
    where: () => [".st-key-depth"],
    show: "depth",
    shown: "These are the numbers behind the picture. It comes back with the next stop.",
    refused: "The numbers are on screen already.",
  },
  {
    title: "Keep it, send it",
    text:
      "Export saves a picture or its numbers. The address in the browser holds the whole view: " +
      "send it, or add it to a lecture in the sidebar.",
    where: () => ['[class*="st-key-export"]'],
  },
  {
    title: "Try this",
    text:
      "Above each picture stand things to try. A press says what it changed, and leads back. Underlined words open " +
      "what they mean. This tour is found again at the foot of every page.",
    keys: "? shows the keys.",
    where: () => ['[class*="st-key-try-this"], [class*="st-key-try_this"]'],
  },
];
