// The weights of the heads of one layer, and who looks most at whom.
import { weightOfCode } from "../../shared/payload.js";

// Pairs [value, index], the largest values first.
const largestFirst = (pairs, count) => pairs.sort((a, b) => b[0] - a[0]).slice(0, count);

export class HeadWeights {
  // `codes` are those of `printed_codes` in viz/shared/payload.py, with the shape (heads, queries, keys).
  // `isCausal`: a query sees no later key. `ahead`: how many places the first key stands after the first query.
  constructor(codes, isCausal, ahead = 0) {
    this.codes = codes;
    this.isCausal = isCausal;
    this.ahead = ahead;
    [this.heads, this.queries, this.keys] = codes.shape;
  }

  of(head, query, key) {
    return weightOfCode(this.codes[(head * this.queries + query) * this.keys + key]);
  }

  mean(heads, query, key) {
    return heads.reduce((sum, head) => sum + this.of(head, query, key), 0) / Math.max(1, heads.length);
  }

  // The weight that the given queries give a key on average. Queries that may not look at it do not count.
  meanOfQueries(head, queries, key) {
    const able = queries.filter((query) => !this.isMasked(query, key));
    return able.reduce((sum, query) => sum + this.of(head, query, key), 0) / Math.max(1, able.length);
  }

  isMasked(query, key) {
    return this.isCausal && key + this.ahead > query;
  }

  // The keys that a query looks at most, as pairs [mean weight, key].
  strongestKeys(heads, query, keys, count) {
    const visible = keys.filter((key) => !this.isMasked(query, key));
    return largestFirst(
      visible.map((key) => [this.mean(heads, query, key), key]),
      count,
    );
  }

  // The queries that look most at a key, as pairs [mean weight, query].
  strongestQueries(heads, key, queries, count) {
    return largestFirst(
      queries.map((query) => [this.mean(heads, query, key), query]),
      count,
    );
  }
}
