// A connection to a room (pages/teach/routes.py) that outlives reruns and comes back after the network does.

const WAITS = [500, 1000, 2000, 5000, 10000]; // milliseconds before the next try

let current = null; // one connection for this browser window

// `hello` is {key} or {token}; `hear` gets each message and {online}. Call it on every mount: the newest `hear` counts.
export function connect(path, hello, hear) {
  const greeting = JSON.stringify(hello);
  if (current?.greeting !== greeting) {
    current?.close();
    current = new Connection(path, greeting);
  }
  current.hear = hear;
  for (const message of current.last.values()) hear(message);
  return current;
}

export function disconnect() {
  current?.close();
  current = null;
}

export const isConnected = () => current !== null;

// Sends a message, if there is a connection and it is open.
export function say(message) {
  current?.say(message);
}

class Connection {
  constructor(path, greeting) {
    Object.assign(this, { path, greeting });
    this.hear = () => {};
    this.last = new Map(); // the last message of each kind, but not where the pointer was
    this.tries = 0;
    this.isClosed = false;
    this.dial();
  }

  tell(kind, message) {
    if (kind !== "spot") this.last.set(kind, message);
    this.hear(message);
  }

  dial() {
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      this.tries = 0;
      this.socket.send(this.greeting);
      this.tell("online", { online: true });
    };
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      this.tell(Object.keys(message)[0], message);
      if (message.end) this.close();
    };
    this.socket.onclose = () => {
      if (this.isClosed) return;
      this.tell("online", { online: false });
      this.timer = setTimeout(() => this.dial(), WAITS[Math.min(this.tries, WAITS.length - 1)]);
      this.tries += 1;
    };
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}

// The blocks of a page, in the order of the page: a place on it that does not depend on the size of the window.
export const pageBlocks = () => [
  ...document.querySelectorAll('[data-testid="stMain"] [data-testid="stElementContainer"]'),
];
