// A connection to a room (pages/teach/routes.py) that outlives reruns and comes back after the network does.
const BACK = [500, 1000, 2000, 5000, 10000]; // milliseconds before the next try
let line = null; // one for this browser window

// `hello` is {key} or {token}; `hear` gets each message and {online}. Call it on every mount: the newest `hear` counts.
function connect(path, hello, hear) {
  const name = JSON.stringify(hello);
  if (line?.name !== name) {
    line?.close();
    line = open(path, name);
  }
  line.hear = hear;
  for (const message of line.last.values()) hear(message);
  return line;
}

function disconnect() {
  line?.close();
  line = null;
}

function open(path, name) {
  const self = { name, hear: () => {}, last: new Map(), say: () => {}, close };
  let socket, tries = 0, timer, closed = false;
  const tell = (kind, message) => {
    if (kind !== "spot") self.last.set(kind, message);
    self.hear(message);
  };
  function dial() {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    socket = new WebSocket(url);
    socket.onopen = () => {
      tries = 0;
      socket.send(name);
      tell("online", { online: true });
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      tell(Object.keys(message)[0], message);
      if (message.end) close();
    };
    socket.onclose = () => {
      if (closed) return;
      tell("online", { online: false });
      timer = setTimeout(dial, BACK[Math.min(tries++, BACK.length - 1)]);
    };
  }
  self.say = (message) => socket?.readyState === 1 && socket.send(JSON.stringify(message));
  function close() {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  }
  dial();
  return self;
}

// The blocks of a page, in the order of the page: a place on it that does not depend on the size of the window.
const blocks = () => [...document.querySelectorAll('[data-testid="stMain"] [data-testid="stElementContainer"]')];
