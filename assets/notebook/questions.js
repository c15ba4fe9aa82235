// What a picture asks a server in the app, such as the numbers of a map: here the kernel answers.
const KERNEL_TIME = 5000; // milliseconds until a page that heard of no kernel has none

export class Questions {
  constructor(send) {
    this.send = send;
    this.own = Math.random(); // of this frame among all that show the view
    this.asked = 0;
    this.waiting = new Map(); // name of a question -> what takes its answer
    this.kernel = new Promise((found, missed) => {
      this.begin = found; // a kernel has spoken
      setTimeout(() => missed(new TypeError("No kernel is here.")), KERNEL_TIME);
    });
    this.kernel.catch(() => {}); // a page that asks nothing needs none
  }

  // As `window.fetch` does.
  async ask(address, { signal } = {}) {
    await this.kernel;
    this.asked += 1;
    const question = `${this.own} ${this.asked}`;
    return new Promise((answered, failed) => {
      this.waiting.set(question, answered);
      signal?.addEventListener("abort", () => {
        this.waiting.delete(question);
        failed(signal.reason);
      });
      this.send({ does: "asks", question, address: String(address) });
    });
  }

  answer({ question, status, bytes }) {
    this.waiting.get(question)?.(new Response(bytes, { status }));
    this.waiting.delete(question);
  }
}
