// A connection to a room (pages/teach/rooms/routes.py) that outlives reruns and comes back after the network does.

const WAITS = [500, 1000, 2000, 3000]; // milliseconds before the next try, about
const SILENCE = 40_000; // milliseconds; the room says something every 15 seconds (pages/teach/rooms/routes.py)
const CHECK_TIME = 5000; // milliseconds between two looks at the line
const SPREAD = 0.6; // the share by which a wait differs, so that a class does not come back in one moment

let current = null; // one connection for this browser window

// `hello` is {key} or {token}; `hear` gets each message and {online}. Call it on every mount: the newest `hear` counts.
export function connect(path, hello, hear) {
  const greeting = JSON.stringify(hello);
  if (current?.greeting !== greeting || current.isClosed) {
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

// A phone that slept, or changed its network, has a line on which nothing comes any more, and nobody tells it.
globalThis.addEventListener?.("offline", () => current?.lose());
globalThis.document?.addEventListener?.("visibilitychange", () => current?.check());

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
    this.watch = setInterval(() => this.check(), CHECK_TIME);
    this.dial();
  }

  // A line that is silent for too long is dead. The browser cannot see the pings of the server.
  check() {
    if (this.isWelcome && Date.now() - this.heard > SILENCE) this.lose();
  }

  // Give up this line, and dial anew. The end of a dead one would be told minutes later.
  lose() {
    if (!this.isWelcome) return;
    const { socket } = this;
    socket.onmessage = null;
    const tellEnd = socket.onclose;
    socket.onclose = null;
    socket.close();
    tellEnd();
  }

  tell(kind, message) {
    if (!["spot", "wait"].includes(kind)) this.last.set(kind, message);
    this.hear(message);
  }

  dial() {
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      this.socket.send(this.greeting);
    };
    this.socket.onmessage = ({ data }) => {
      this.heard = Date.now();
      const message = JSON.parse(data);
      if (message.beat) return;
      const kind = Object.keys(message)[0];
      if (!["wait", "end"].includes(kind)) this.welcome();
      this.tell(kind, message);
      if (message.end) this.close();
    };
    this.socket.onclose = () => {
      if (this.isClosed) return;
      this.isWelcome = false;
      this.tell("online", { online: false });
      const wait = WAITS[Math.min(this.tries, WAITS.length - 1)] * (1 + SPREAD * (Math.random() - 0.5));
      this.timer = setTimeout(() => this.dial(), wait);
      this.tries += 1;
    };
  }

  // The room has let this browser in: it is connected. An app that was restarted says first that it waits for the
  // presenter.
  welcome() {
    if (this.isWelcome) return;
    this.isWelcome = true;
    this.tries = 0;
    if (this.last.has("apart")) this.tell("apart", { apart: false }); // the server may be another one now
    this.tell("online", { online: true });
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    this.socket.close();
  }
}
