// The place of d3-color in the bundle: d3-zoom interpolates no colours, and d3-interpolate only names these.
const unused = () => {};
export const rgb = unused;
export const hsl = unused;
export const lab = unused;
export const hcl = unused;
export const cubehelix = unused;
export const color = unused;
