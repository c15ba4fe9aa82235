// The difference of two runs, a and b: where a tensor of one of both has its tiles, and what is said of it.

const RUNS = ["a", "b"]; // before the name of a tensor and “|” (FIRST and SECOND of viz/shared/tiles.py)
const LEAST_CELL = [76, 44]; // pixels of a cell with both numbers and their difference
export const CELL_PIXELS = 46; // how high a cell becomes by a step into its matrix: its three numbers are read

// What can be explained of a cell: the difference, "", or its number in one of both runs.
export const EXPLAINED = { "": "a − b", a: "in a", b: "in b" };

// The tensor of one run, or of the difference.
export const tensorOf = (run, tensor) => (run ? `${run}|${tensor}` : tensor);

// The matrix with the numbers of one run.
const ofRun = (run, matrix) => ({ ...matrix, tensor: tensorOf(run, matrix.tensor) });

export const bothRuns = (matrix) => RUNS.map((run) => ofRun(run, matrix));

// The lines of a cell: {mark, matrix, shift}, shift in lines from the middle. One, unless the runs are compared and
// three have room.
export function linesOf(matrix, isCompared, [width, height]) {
  if (!isCompared || width < LEAST_CELL[0] || height < LEAST_CELL[1]) return [{ mark: "", matrix, shift: 0 }];
  const runs = bothRuns(matrix).map((each, i) => ({ mark: `${RUNS[i]} `, matrix: each, shift: i - 1 }));
  return [...runs, { mark: "a − b ", matrix, shift: 1 }];
}

// What the line below the map says of a difference. `compared`: both runs in words.
export const describeComparison = ([first, second]) =>
  `Difference of two runs, a − b. a: ${first}. b: ${second}. Blue: a is larger; orange: b is larger. `;
