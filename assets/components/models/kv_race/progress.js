// How far a generation has come. A step has the tokens that it `computed` and `reused`, its `multiplications`, the
// `bytes` that the cache holds after it and, where it was measured, its `seconds`.
import { formatCount, formatFileSize, formatLarge, formatMilliseconds } from "../../shared/numbers.js";

const SECONDS_PER_MULTIPLICATION = 1e-11; // of a step that was not measured

const secondsOf = (step) => step.seconds ?? step.multiplications * SECONDS_PER_MULTIPLICATION;

const sumOf = (steps, quantity) => steps.reduce((sum, step) => sum + quantity(step), 0);

export const totalTime = (steps) => sumOf(steps, secondsOf);

// How many steps are done after so many seconds.
export function stepsDone(steps, seconds) {
  let spent = 0;
  const next = steps.findIndex((step) => {
    spent += secondsOf(step);
    return spent > seconds;
  });
  return next < 0 ? steps.length : next;
}

export function describeProgress(steps, done) {
  const past = steps.slice(0, done);
  const computed = formatCount(sumOf(past, (step) => step.computed));
  const reused = formatCount(sumOf(past, (step) => step.reused));
  const multiplications = formatLarge(sumOf(past, (step) => step.multiplications));
  const bytes = steps[Math.max(done, 1) - 1]?.bytes ?? 0;
  const kept = bytes ? `${formatFileSize(bytes)} kept` : "nothing kept";
  const isMeasured = steps.every((step) => step.seconds !== undefined);
  const time = isMeasured ? `, ${formatMilliseconds(sumOf(past, secondsOf))}` : "";
  const passes = `${computed} token passes computed, ${reused} reused`;
  return `${done} of ${steps.length} tokens: ${passes}, ${multiplications} multiplications, ${kept}${time}`;
}
