// Talking to the server: plain requests, and one socket a window that comes back by itself.
import { currentLang, w } from "./words.js";

export class Refused extends Error {
  /** @param {string} code @param {string} text @param {any} [more] */
  constructor(code, text, more) {
    super(text);
    this.code = code;
    this.more = more;
  }
}

/** @param {string} path @param {any} [body] @param {string} [key] What opens it. @returns {Promise<any>} */
export const ask = async (path, body, key) => (await request(path, body, key)).json();

/** The text of a saved match. @param {string} key @returns {Promise<string>} */
export const transcript = async key => (await request("api/transcript", undefined, key)).text();

/** An answer that is no refusal. @param {string} path @param {any} body @param {string | undefined} key */
async function request(path, body, key) {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "Accept-Language": currentLang(), ...(key ? { Authorization: `Bearer ${key}` } : {}), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => null);
  if (answer?.ok) return answer;
  const error = (await answer?.json().catch(() => null))?.error ?? {};
  throw new Refused(error.code ?? (answer ? "broken" : "no-server"), error[currentLang()] ?? error.text ?? w("noServer"), error);
}

const GIVE_UP = new Map([[4001, "noLink"], [4002, "tooMany"]]);

/**
 * One window's wire to its match.
 * `hear` gets every message, `wire` whether there is a connection ("open", "lost", or the reason it will not come back).
 */
export class Wire {
  /** @param {string} key @param {(message: any) => void} hear @param {(how: string) => void} how */
  constructor(key, hear, how) {
    this.key = key;
    this.hear = hear;
    this.how = how;
    this.wait = 500;
    this.next = 1;
    this.closed = false;
    /** @type {Map<number, { done: (value: any) => void, refused: (error: Error) => void }>} */
    this.open = new Map();
    this.connect();
  }

  connect() {
    const address = new URL("api/socket", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.onopen = () => this.socket?.send(JSON.stringify({ type: "hello", key: this.key, lang: currentLang() }));
    this.socket.onmessage = event => this.got(JSON.parse(event.data));
    this.socket.onclose = event => this.gone(event.code);
  }

  /** @param {any} message */
  got(message) {
    const waits = message.id === undefined ? undefined : this.open.get(message.id);
    if (waits && (message.type === "ok" || message.type === "error")) {
      this.open.delete(message.id);
      if (message.type === "ok") waits.done(message);
      else waits.refused(new Refused(message.code, message.text));
      return;
    }
    if (message.type === "state") {
      this.wait = 500;
      this.how("open");
    }
    this.hear(message);
  }

  /** @param {number} code */
  gone(code) {
    for (const waits of this.open.values()) waits.refused(new Refused("lost", w("lost")));
    this.open.clear();
    if (this.closed) return;
    const why = GIVE_UP.get(code);
    if (why) return this.how(why);
    this.how("lost");
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, 8000);
  }

  /** Sends, and resolves when the server says that it was done. @param {any} message @returns {Promise<any>} */
  say(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refused("lost", w("lost")));
    const id = this.next++;
    this.socket.send(JSON.stringify({ ...message, id }));
    return new Promise((done, refused) => this.open.set(id, { done, refused }));
  }

  /** Sends what is answered by a message of its own. @param {any} message */
  tell(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
