// A file with one saved view.
import { bringToLife } from "./view.js";

await bringToLife(document);
document.documentElement.dataset.ready = "yes";
