// The time that a lecture and each of its scenes have taken, beside what was planned for them.

const MINUTE = 60_000; // milliseconds

// Minutes and seconds: 7:05.
export function formatDuration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// A time beside its plan: {text, isOver}. `minutes`: the plan, 0 for none.
export function compareWithPlan(milliseconds, minutes) {
  const text = formatDuration(milliseconds);
  if (!minutes) return { text, isOver: false };
  return { text: `${text} of ${formatDuration(minutes * MINUTE)}`, isOver: milliseconds > minutes * MINUTE };
}

// The minutes planned for all scenes; 0 where no scene has a plan.
export const plannedMinutes = (scenes) => scenes.reduce((sum, { minutes }) => sum + (minutes || 0), 0);

// Counts the time of each scene, also of one that is shown again.
export class Stopwatch {
  constructor() {
    this.start();
  }

  start() {
    this.spent = new Map(); // scene -> milliseconds before its present showing
    this.scene = null;
    this.since = 0;
  }

  // `scene` is on screen at the time `now`.
  enter(scene, now) {
    if (scene === this.scene) return;
    if (this.scene !== null) this.spent.set(this.scene, this.timeOf(now));
    this.scene = scene;
    this.since = now;
  }

  // The time of the present scene.
  timeOf(now) {
    return (this.spent.get(this.scene) ?? 0) + now - this.since;
  }
}
