// The style sheet of the notes' window.
export const NOTES_STYLE = `
  body { font: 1.2rem/1.5 Urdu, system-ui, sans-serif; margin: 1rem 1.5rem; background: #14181d; color: #e8ebef; }
  header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.3rem 1.5rem; }
  header { font-variant-numeric: tabular-nums; color: #b4bfcb; }
  .over { color: #ff8a80; font-weight: 700; }
  .blank { background: #7a1f1a; color: #fff; padding: 0.3rem 0.8rem; border-radius: 6px; font-weight: 700; }
  main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(9rem, 34%); gap: 1.5rem; }
  @media (max-width: 640px) { main { grid-template-columns: 1fr; } }
  h1 { font-size: 1.5rem; margin: 0.6rem 0 0.5rem; unicode-bidi: plaintext; }
  p, li { margin: 0.4rem 0; white-space: pre-wrap; unicode-bidi: plaintext; max-width: 42em; }
  ul, ol { margin: 0.3rem 0; padding-inline-start: 1.6rem; }
  .point, .question { border-left: 4px solid #f2ae38; padding-left: 0.8rem; }
  .question { border-color: #62b4ea; }
  .votes { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  .votes td { padding: 0.1rem 0.8rem 0.1rem 0; }
  .votes .right { color: #7ddba3; font-weight: 700; }
  figure { margin: 0.6rem 0 1rem; }
  figcaption { font-size: 0.85rem; color: #b4bfcb; unicode-bidi: plaintext; }
  figure img { display: block; width: 100%; max-height: 40vh; object-fit: contain; border-radius: 6px; }
  .no-picture { border: 1px solid #3a4550; border-radius: 6px; padding: 0.8rem; color: #b4bfcb; }
  footer { margin-top: 1rem; padding-top: 0.8rem; border-top: 1px solid #3a4550; }
  button { font: inherit; padding: 0.3rem 1rem; margin-right: 0.6rem; }`;
