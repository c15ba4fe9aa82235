// What the map asks the server: tiles, and why a number is what it is.

const MAX_ANSWERS = 200; // kept

export class Server {
  // `root`: the address of the tiles, such as "/tiles"; `handle` names the run. `why`: an answer that is there already.
  constructor(root, handle, why = null) {
    this.base = `${root}/${encodeURIComponent(handle)}`;
    this.answers = new Map();
    if (why) this.answers.set(this.addressOf(why.name, why.index), why);
  }

  addressOf(name, index) {
    return `${this.base}/why/${encodeURIComponent(name)}/${index.join(",")}`;
  }

  askMany(addresses, signal) {
    const tiles = addresses.map((address) => `t=${encodeURIComponent(address).replaceAll("%2F", "/")}`);
    return fetch(`${this.base}/many?${tiles.join("&")}`, { signal });
  }

  // The answer as an object; null for a cell that there is not, or a run that is gone.
  async askWhy(name, index, signal) {
    const address = this.addressOf(name, index);
    if (!this.answers.has(address)) {
      const answer = await fetch(address, { signal });
      if (!answer.ok) return null;
      if (this.answers.size >= MAX_ANSWERS) this.answers.delete(this.answers.keys().next().value);
      this.answers.set(address, await answer.json());
    }
    return this.answers.get(address);
  }
}
