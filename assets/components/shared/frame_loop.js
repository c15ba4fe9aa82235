// Does something with each frame of the screen.

export class FrameLoop {
  // `step` is told the milliseconds since the step before. It returns whether it took them: if not, the next one is
  // told these too. It may stop the loop.
  constructor(step) {
    this.step = step;
    this.request = null;
  }

  isRunning() {
    return this.request !== null;
  }

  start() {
    this.before = performance.now();
    this.requestFrame();
  }

  stop() {
    cancelAnimationFrame(this.request);
    this.request = null;
  }

  requestFrame() {
    this.request = requestAnimationFrame((now) => this.drawFrame(now));
  }

  drawFrame(now) {
    if (this.step(now - this.before)) this.before = now;
    if (this.isRunning()) this.requestFrame();
  }
}
