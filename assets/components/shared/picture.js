// Every picture on a canvas has a root in its place, its newest data and colours, and a layout that follows the width.
import { pointOn } from "./canvas.js";
import { createElement } from "./dom.js";
import { showPlace } from "./edges.js";
import { layOutPicture, scaleOf } from "./layout.js";
import { applyTheme } from "./theme.js";

export class Picture {
  constructor(parent, props) {
    this.root = createElement("div", props);
    parent.append(this.root);
    this.widthObserver = new ResizeObserver(() => this.data && this.layOut());
    this.widthObserver.observe(this.root);
  }

  // `send` takes the name of what happened and its value, for the server.
  receive(data, send) {
    this.data = data;
    this.send = send;
    this.colours = applyTheme(this.root);
  }

  // `arrange` of the picture is given the width and height that it may have, and returns the height that it takes.
  layOut() {
    layOutPicture(this.root, (width, height) => this.arrange(width, height));
    if (!this.root.clientWidth) return; // of a scene that is not on the screen
    const place = this.scroller && this.chosenPlace();
    if (place)
      showPlace(
        this.scroller,
        place.map((x) => x * scaleOf(this.root)),
      );
  }

  // Where the chosen part of a picture begins and ends, to the right, in its own pixels; null where nothing is chosen.
  // A picture that is moved sideways begins there.
  chosenPlace() {
    return null;
  }

  // Keeps in `this.hover` what `find` returns for the point under the mouse, or null. A finger hovers over nothing.
  trackHover(canvas, find, redraw) {
    const change = (next) => {
      if (JSON.stringify(next) === JSON.stringify(this.hover)) return;
      this.hover = next;
      redraw();
    };
    canvas.onpointermove = (event) => change(event.pointerType === "mouse" ? find(...pointOn(canvas, event)) : null);
    canvas.onpointerleave = () => change(null);
  }

  // Keeps `this.isFocused` at whether the keyboard is at a canvas; a click does not count.
  trackFocus(canvas, redraw) {
    this.isFocused = false;
    canvas.onfocus = () => {
      this.isFocused = canvas.matches(":focus-visible");
      redraw();
    };
    canvas.onblur = () => {
      this.isFocused = false;
      redraw();
    };
  }

  stop() {
    this.widthObserver.disconnect();
    this.root.remove();
  }
}
