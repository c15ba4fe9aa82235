// The stacks of a model with their layers, and the rows of these: heads, the residual stream, the feed-forward network.

const fill = (id, layer) => id.replace("{id}", layer.id);

// The stacks of a layout: {title, layers, rows}. `title` is "" where the model has one stack. A row has the `names` and
// the `box` of viz/home/layout/rows.py, in the world, its `heads` in the layer, and `groupIn(layer)`: its group, of
// several heads the one around them.
// A group that is named by its row or its column gets `hasHeader`: no other title names it.
export function stacksOf({ placed = [], templates = {} }, groups) {
  const stacks = new Map();
  for (const { template, id } of placed) {
    const layer = groups.get(id);
    const { rows = [] } = templates[template];
    const stack = id.split(".")[0]; // its layers may have several templates
    if (!stacks.has(stack)) stacks.set(stack, createStack(layer, rows, groups));
    stacks.get(stack).layers.push(layer);
    for (const part of [layer, ...layer.children]) part.hasHeader = part.kind !== "head";
    for (const { groups: ids } of rows) if (ids.length === 1) groups.get(fill(ids[0], layer)).hasHeader = true;
  }
  return [...stacks.values()];
}

function createStack(layer, rows, groups) {
  const [left, top] = layer.box;
  return {
    title: layer.parent?.kind === "stack" ? layer.parent.title : "",
    layers: [],
    rows: rows.map(({ names, box: [x, y, width, height], groups: ids, is_heads: isHeads, heads = [] }) => ({
      names,
      isHeads,
      heads,
      box: [left + x, top + y, width, height],
      groupIn: (each) => {
        const first = groups.get(fill(ids[0], each));
        return ids.length > 1 ? first.parent : first;
      },
    })),
  };
}
