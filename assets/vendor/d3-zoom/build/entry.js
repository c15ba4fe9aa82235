export { interpolateZoom } from "d3-interpolate";
export { select } from "d3-selection";
export { zoom, zoomIdentity } from "d3-zoom";
