// The tiles that a browser has, and those on their way. One request at a time asks for what is in sight.
import { MANY, readMany } from "./tile_file.js";

const MAX_BYTES = 96_000_000; // of the cells and of their pictures
const PICTURE_BYTES = 4; // of a cell's pixel, beside its own bytes
const MAX_TRIES = 5; // of one request that fails
const WAIT_MILLISECONDS = 1000; // after an answer that says "later" without a time

export class Tiles {
  // `ask(addresses, signal)` fetches, as `window.fetch` does. `onChange()` hears of new tiles, `onGone()` of a run
  // that is no longer kept. `before`: tiles of the run before, which are shown until these have come.
  constructor({ ask, onChange, onGone, before = null, maxBytes = MAX_BYTES, sleep = wait }) {
    Object.assign(this, { ask, onChange, onGone, before, maxBytes, sleep });
    if (before) before.before = null;
    this.kept = new Map(); // address -> tile, or null for one that there is not; the oldest first
    this.nbytes = 0;
    this.wanted = [];
    this.pending = null; // {addresses, controller}
    this.isGone = false;
  }

  // A tile; undefined while there is none.
  get(address) {
    const tile = this.kept.get(address);
    if (tile) {
      this.kept.delete(address);
      this.kept.set(address, tile);
    }
    return tile === undefined ? this.before?.get(address) : tile;
  }

  // Tiles that came with the page. Where no server answers, they are all that there are.
  freeze(addresses, tiles) {
    for (const [i, address] of addresses.entries()) if (tiles[i]) this.keep(address, tiles[i]);
    this.isFrozen = true;
  }

  // Whether nothing in sight is on its way.
  get isComplete() {
    return this.wanted.every((address) => this.kept.has(address));
  }

  // Says which tiles are in sight, the most urgent first. A request for others alone is taken back.
  want(addresses) {
    this.wanted = addresses;
    if (this.pending) {
      const wanted = new Set(addresses);
      if (this.pending.addresses.some((address) => wanted.has(address))) return;
      this.pending.controller.abort();
    }
    this.fetchNext();
  }

  async fetchNext() {
    if (this.pending || this.isGone) return;
    const addresses = [...new Set(this.wanted)].filter((address) => !this.kept.has(address)).slice(0, MANY);
    if (!addresses.length) return;
    const request = { addresses, controller: new AbortController() };
    this.pending = request;
    try {
      await this.fetchMany(request);
    } catch (error) {
      if (error.name !== "AbortError") {
        this.wanted = this.wanted.filter((address) => !addresses.includes(address));
        if (this.isFrozen) this.isGone = true;
      }
    }
    this.pending = null;
    if (!this.stopped) this.fetchNext();
  }

  async fetchMany({ addresses, controller }) {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const answer = await this.ask(addresses, controller.signal);
      if (answer.status === 404) {
        this.isGone = true;
        this.onGone();
        return;
      }
      if (answer.ok) {
        const tiles = readMany(await answer.arrayBuffer());
        for (const [i, address] of addresses.entries()) if (tiles[i] !== undefined) this.keep(address, tiles[i]);
        this.makeRoom();
        if (this.isComplete) this.before = null;
        this.onChange();
        return;
      }
      const seconds = Number(answer.headers.get("Retry-After")) || WAIT_MILLISECONDS / 1000;
      await this.sleep(seconds * 1000, controller.signal);
    }
    throw new Error("The server is too busy for tiles.");
  }

  keep(address, tile) {
    this.kept.set(address, tile);
    if (tile) this.nbytes += weigh(tile);
  }

  // Lets tiles go that nobody has looked at for longest. Those in sight stay.
  makeRoom() {
    if (this.nbytes <= this.maxBytes) return;
    const wanted = new Set(this.wanted);
    for (const [address, tile] of this.kept) {
      if (this.nbytes <= this.maxBytes) return;
      if (!tile || wanted.has(address)) continue;
      this.kept.delete(address);
      this.nbytes -= weigh(tile);
    }
  }

  stop() {
    this.stopped = true;
    this.pending?.controller.abort();
  }
}

const weigh = ({ cells }) => cells.byteLength + cells.length * PICTURE_BYTES;

function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
