// Between the frames of one view and the kernel: passes on what a hand does in them, and brings the pictures that
// follow. It is the script of a widget (views/notebook/connection.py). Where a front end shows outputs apart from its
// own page, the widget shows the frame, too.
export default {
  initialize({ model }) {
    const id = model.get("frame");
    const frames = new Set(); // the windows that have spoken
    const hear = ({ data, source }) => {
      if (data?.glassformer !== id) return;
      frames.add(source);
      if (data.does === "opened") source.postMessage({ glassformer: id, does: "hears" }, "*");
      try {
        model.send(data);
      } catch {
        // The kernel has ended. The picture is alive without it.
      }
    };
    const bring = (message, buffers) => {
      const bytes = buffers?.[0];
      for (const frame of frames) {
        if (frame.closed) frames.delete(frame);
        else if (message.page) frame.frameElement.srcdoc = message.page;
        else frame.postMessage({ glassformer: id, ...message, bytes }, "*");
      }
    };
    window.addEventListener("message", hear);
    model.on("msg:custom", bring);
    for (const shown of document.querySelectorAll(`iframe[data-glassformer="${id}"]`)) {
      shown.contentWindow.postMessage({ glassformer: id, does: "begin" }, "*");
    }
    return () => {
      window.removeEventListener("message", hear);
      model.off("msg:custom", bring);
    };
  },

  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.style.cssText = "display: block; width: 100%; border: 0";
    frame.srcdoc = model.get("page");
    el.append(frame);
  },
};
