// The hands of a sinusoidal encoding, without a screen. A turn is an angle in radians, 0 at the top, clockwise.

// Where the tip of a hand of length 1 is: sine to the right, cosine upwards. So position 0 points to twelve.
export const tipOf = (turn) => [Math.sin(turn), -Math.cos(turn)];

// The largest component of |T(φ) p(t) − p(t + φ)| over all positions, both sides computed in double precision. T turns
// the pair (sin ωt, cos ωt) by ωφ.
export function shiftError(frequencies, positions, phi) {
  let worst = 0;
  for (const w of frequencies) {
    const [cos, sin] = [Math.cos(w * phi), Math.sin(w * phi)];
    for (let t = 0; t < positions; t++) {
      const [s, c] = [Math.sin(w * t), Math.cos(w * t)];
      const sine = Math.abs(cos * s + sin * c - Math.sin(w * (t + phi)));
      const cosine = Math.abs(cos * c - sin * s - Math.cos(w * (t + phi)));
      worst = Math.max(worst, sine, cosine);
    }
  }
  return worst;
}

// The blocks of T(φ), [[cos ωφ, sin ωφ], [−sin ωφ, cos ωφ]], as [row, column, value] of each cell that is not 0.
export function shiftCells(frequencies, phi) {
  return frequencies.flatMap((w, pair) => {
    const [first, second] = [2 * pair, 2 * pair + 1];
    const [cos, sin] = [Math.cos(w * phi), Math.sin(w * phi)];
    return [
      [first, first, cos],
      [first, second, sin],
      [second, first, -sin],
      [second, second, cos],
    ];
  });
}

// How `count` clocks stand in rows of equal length, in a room `width` wide.
export function arrangeClocks(count, width) {
  const most = Math.max(Math.floor(width / 104), 2);
  const columns = Math.min(Math.ceil(count / Math.ceil(count / most)), most);
  const step = Math.min(width / columns, 150);
  const tall = step + 30; // with two lines of text
  return {
    columns,
    step,
    tall,
    radius: step / 2 - 12,
    width: columns * step,
    height: Math.ceil(count / columns) * tall,
  };
}

// The arc from a hand to the same hand after a turn: its start and end on a canvas, and whether it goes backwards. A
// turn of more than a whole circle is shown as a whole circle.
export function arcOf(start, turn) {
  const from = start - Math.PI / 2;
  const shown = Math.min(Math.abs(turn), 2 * Math.PI) * Math.sign(turn);
  return { from, to: from + shown, backwards: shown < 0 };
}

// Points of a plane as points of a canvas `width` x `height` large, one unit the same both ways.
export function fitPoints(points, width, height, margin) {
  const spanOf = (axis) => {
    const values = points.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [low, high]] = [spanOf(0), spanOf(1)];
  const unit = Math.min((width - margin) / (right - left), (height - margin) / (high - low));
  return { unit, middle: [(left + right) / 2, (low + high) / 2] };
}

// A point in space seen from the side: `yaw` turns it round the upright axis, `pitch` tips it towards the eye.
export function project([x, y, z], { yaw, pitch }) {
  const [across, along] = [Math.cos(yaw) * x - Math.sin(yaw) * y, Math.sin(yaw) * x + Math.cos(yaw) * y];
  return [across, Math.sin(pitch) * along + Math.cos(pitch) * z];
}

// The tip of a hand laid into space at a point, parallel to the first two axes, and the circle that it draws.
export const tipInSpace = ([x, y, z], turn) => [x + Math.sin(turn), y + Math.cos(turn), z];
export const circleInSpace = (point) => Array.from({ length: 73 }, (_, i) => tipInSpace(point, (i / 36) * Math.PI));
