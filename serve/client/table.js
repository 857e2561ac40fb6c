// A window at the table: what the server said is the state, what people do changes it, and one picture is drawn of it.
import { Book } from "./book.js";
import { Camera } from "./camera.js";
import { fresh, listed, lit, placeOf, things, tick, wantsSeveral } from "./choosing.js";
import { glide, still, whereabouts } from "./glide.js";
import { linesOf } from "./log.js";
import { Refused, Wire, ask, transcript } from "./net.js";
import { drawTable } from "./page.js";
import { applyTheme, keepKey } from "./settings.js";
import { currentLang, remember, remembered, setLang, t, w } from "./words.js";

/**
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").View} View
 */

/** How long a bot's move is shown, in milliseconds. @type {Record<string, number>} */
const PACE = { slow: 1500, normal: 700, fast: 250, once: 0 };

export class Table {
  /** @param {Element} root @param {string} key @param {number | null} moment */
  constructor(root, key, moment) {
    this.root = root;
    this.key = key;
    /** @type {State | null} */
    this.state = null;
    /** @type {Book | null} */
    this.book = null;
    /** @type {Scene | null} */
    this.scene = null;
    this.choosing = fresh(null);
    /** @type {string | null} */
    this.pointed = null;
    /** @type {View | null} */
    this.before = null;
    /** @type {import("./types.js").Hint | null} */
    this.hint = null;
    this.hinting = false;
    /** @type {import("./types.js").Past | null} */
    this.past = null;
    this.replaying = false;
    /** @type {any[]} Moments that are still to be shown. */
    this.queue = [];
    this.busy = false;
    this.seen = 0;
    /** @type {string | null} */
    this.dialog = null;
    /** @type {string | null} */
    this.toRead = null;
    /** @type {{ n: number, look: any }[]} */
    this.dice = [];
    this.pickedAt = -Infinity;
    this.tab = "";
    this.logEnd = true;
    this.wiring = "connecting";
    this.notice = "";
    this.flash = "";
    this.refusal = "";
    this.offeredSeat = false;
    this.offeredLinks = false;
    this.touch = matchMedia("(pointer: coarse)").matches;
    this.settings = {
      theme: remembered("theme") ?? "auto", pace: remembered("pace") ?? "normal", confirm: remembered("confirm") ?? "no", name: remembered("name") ?? "", replay: remembered("replay") ?? "normal",
    };
    /** @type {Record<string, string>} What bots are called. */
    this.bots = {};
    this.camera = new Camera(() => this.later());
    this.aimed = "";
    this.wanted = moment;
    this.drawing = false;
    applyTheme(this.settings.theme);
    addEventListener("keydown", e => this.keyed(e));
    addEventListener("pointerdown", e => (this.touch = e.pointerType === "touch"), true);
    addEventListener("resize", () => {
      this.aimed = "";
      this.later();
    });
    this.later();
    ask("api/lobby").then(lobby => {
      for (const bot of lobby.bots) this.bots[bot.id] = t(bot.text);
      this.later();
    }, () => {});
    this.wire = new Wire(key, message => this.hear(message), how => this.wired(how));
  }

  // What the server says.

  /** @param {string} how */
  wired(how) {
    this.wiring = how;
    if (how !== "open" && this.choosing.sent) this.choosing = { ...this.choosing, sent: false };
    this.later();
  }

  /** @param {any} message */
  async hear(message) {
    switch (message.type) {
      case "state": return this.replace(message);
      case "moment":
        this.queue.push(message);
        return this.pump();
      case "seats":
        if (this.state) Object.assign(this.state, { seats: message.seats, undo: message.undo ?? this.state.undo });
        break;
      case "chat":
        this.state?.chat?.push(message);
        break;
      case "log":
        if (this.state) Object.assign(this.state, { log: [...message.lines, ...this.state.log], log_more: message.more });
        break;
      case "hint":
        if (this.hinting && message.ask === this.choosing.offer?.ask) this.hint = message;
        break;
      case "past":
        this.past = message;
        this.offer();
        this.step();
        return this.move([]);
      case "reloaded":
        this.notice = `${message.text || w("reloaded")}${message.files?.length ? `: ${message.files.join(", ")}` : ""}${message.of ? ` · ${w("keptAnswers", message.kept, message.of)}` : ""}`;
        break;
      case "problem":
        if (this.state) this.state.problem = { text: message.text, diagnostics: message.diagnostics ?? [] };
        break;
      case "mended":
        if (this.state) this.state.problem = null;
        this.notice = w("mended");
        break;
      case "error":
        this.notice = message.text;
        break;
    }
    this.later();
  }

  /** Everything anew. @param {State} state */
  async replace(state) {
    if (!this.book || this.book.declaration.id !== state.declaration) {
      const declaration = await ask(`api/declarations/${encodeURIComponent(state.declaration)}`).catch(error => {
        this.notice = error.message;
        return null;
      });
      if (!declaration) return this.later();
      this.book = new Book(declaration, `api/pictures/${encodeURIComponent(state.declaration)}/`);
    }
    const again = this.state?.you === state.you && this.state.n === state.n;
    this.queue = [];
    this.state = state;
    if (!again) this.before = null;
    this.seen = state.n;
    keepKey(this.key);
    this.offer();
    if (state.mine.length && state.mine.some(i => !state.seats[i]?.name) && !this.offeredSeat) {
      this.offeredSeat = true;
      if (!this.settings.name) this.dialog = "sit";
      else this.sitQuietly(state);
    }
    if (!this.offeredLinks && !this.dialog && state.n < 40 && state.links?.seats.some(l => !state.seats[l.seat]?.name)) this.dialog = "invite";
    this.offeredLinks = true;
    if (this.wanted !== null) {
      const at = this.wanted;
      this.wanted = null;
      this.goTo(at);
    }
    this.move([]);
  }

  /** Whoever has sat down before keeps the name. @param {State} state */
  sitQuietly(state) {
    const seat = state.mine.find(i => !state.seats[i]?.name);
    const taken = state.seats.some(s => s.name === this.settings.name);
    if (seat !== undefined && !taken) this.wire.say({ type: "sit", seat, name: this.settings.name, color: null }).catch(() => {});
  }

  /** Shows what waits to be shown, one moment after the other. */
  pump() {
    if (this.busy) return;
    const once = PACE[this.settings.pace] === 0 || document.hidden;
    let moves = [];
    let hold = 0;
    while (this.queue.length && (once || !hold)) {
      const moment = this.queue.shift();
      moves.push(...this.apply(moment));
      hold = this.holdFor(moment);
    }
    this.offer();
    this.move(moves);
    if (once || !hold) return;
    this.busy = true;
    this.timer = setTimeout(() => {
      this.busy = false;
      this.pump();
    }, hold);
  }

  /** All that waits, at once. */
  skip() {
    clearTimeout(this.timer);
    this.busy = false;
    const moves = this.queue.splice(0).flatMap(moment => this.apply(moment));
    this.offer();
    this.move(moves);
  }

  /** @param {any} moment @returns {import("./glide.js").Move[]} */
  apply(moment) {
    const state = this.state;
    if (!state || !this.book) return [];
    for (const [path, ...value] of moment.patch ?? []) change(state.view, path, value);
    state.log = [...state.log, ...linesOf(moment.events ?? [], moment.n, state.now.round, this.book)].slice(-2000);
    const named = this.book.look.dice;
    const rolled = (moment.events ?? []).filter((/** @type {any} */ e) => e.event === "rolled" && (!named || named[e.die]));
    if (rolled.length) this.dice = rolled.slice(-4).flatMap((/** @type {any} */ e) => e.shown.map((/** @type {number} */ n) => ({ n, look: named?.[e.die] ?? null })));
    else if (moment.events?.length) this.dice = [];
    for (const name of ["n", "figures", "now", "offers", "seats", "undo", "end", "may"]) if (moment[name] !== undefined) /** @type {any} */ (state)[name] = moment[name];
    return (moment.events ?? []).filter((/** @type {any} */ e) => e.event === "moved" && e.key !== undefined).map((/** @type {any} */ e) => ({ piece: String(e.key), from: e.from, to: e.to }));
  }

  /** A bot's move stays for a while; one's own goes on at once. @param {any} moment */
  holdFor(moment) {
    const shown = (moment.events ?? []).some((/** @type {any} */ e) => ["said", "moved", "changed", "rolled"].includes(e.event));
    if (!shown) return 0;
    const chosen = (moment.events ?? []).find((/** @type {any} */ e) => e.event === "chosen");
    const bot = !chosen || this.state?.seats[chosen.seat]?.who !== "person";
    return bot ? PACE[this.settings.pace] ?? 700 : still() ? 0 : 60;
  }

  // What people do.

  /** The offer that is put to whoever looks; kept as it is while it is the same one. */
  offer() {
    const state = this.state;
    const open = state && !this.queue.length && !this.past ? state.offers : [];
    const next = open.find(o => o.seat === state?.you) ?? open[0] ?? null;
    if (next?.ask === this.choosing.offer?.ask && next?.seat === this.choosing.offer?.seat) {
      this.choosing = { ...this.choosing, offer: next };
      return;
    }
    this.choosing = fresh(next);
    this.hint = null;
    if (next && this.hinting) this.wire.say({ type: "hint", seat: next.seat, on: true }).catch(error => this.refused(error));
  }

  /** @param {Partial<import("./choosing.js").Choosing>} choosing */
  change(choosing) {
    this.choosing = { ...this.choosing, ...choosing };
    this.later();
  }

  /** @param {string} key */
  pick(key) {
    const { offer } = this.choosing;
    if (!offer || this.choosing.sent) return;
    if (wantsSeveral(offer)) this.choosing = tick(this.choosing, key);
    else if (this.touch || this.settings.confirm === "yes") this.choosing = tick({ ...this.choosing, ticked: [] }, key);
    else return this.send([key]);
    this.later();
  }

  /** @param {string} thing */
  pickThing(thing) {
    this.pickedAt = performance.now();
    const options = lit(this.choosing).get(thing);
    if (!options) return;
    if (options.length === 1 && options[0]) return this.pick(options[0].key);
    if (this.narrow()) this.tab = "options";
    this.change({ about: this.choosing.about === thing ? null : thing, ticked: wantsSeveral(this.choosing.offer) ? this.choosing.ticked : [] });
  }

  /** @param {string[]} keys */
  send(keys) {
    const { offer } = this.choosing;
    if (!offer || !this.state || this.choosing.sent) return;
    this.pickedAt = performance.now();
    this.choosing = { ...this.choosing, sent: true, ticked: keys };
    this.before = structuredClone(this.state.view);
    this.seen = this.state.n;
    this.notice = "";
    this.later();
    this.wire.say({ type: "choose", ask: offer.ask, seat: offer.seat, keys }).catch(error => {
      this.choosing = { ...this.choosing, sent: false };
      this.refused(error);
    });
  }

  /** @param {Error} error */
  refused(error) {
    if (!(error instanceof Refused) || error.code !== "lost") this.notice = error.message;
    this.later();
  }

  undo() {
    const undo = this.state?.undo;
    if (undo && !undo.may) {
      this.notice = undo.why ? w(undo.why) : "";
      return this.later();
    }
    this.wire.say({ type: "undo" }).catch(error => this.refused(error));
  }

  toggleHint() {
    this.hinting = !this.hinting;
    this.hint = null;
    const { offer } = this.choosing;
    if (offer) this.wire.say({ type: "hint", seat: offer.seat, on: this.hinting }).catch(error => {
      this.hinting = false;
      this.refused(error);
    });
    if (this.hinting && this.narrow()) this.tab = "options";
    this.later();
  }

  /** @param {number} seat @param {string} name @param {string | null} color */
  sit(seat, name, color) {
    this.refusal = "";
    this.wire.say({ type: "sit", seat, name, color }).then(() => {
      this.settings.name = name;
      remember("name", name);
      this.open(null);
    }, error => {
      this.refusal = error.message;
      this.later();
    });
  }

  /** @param {number} seat */
  lookFrom(seat) {
    this.wire.tell({ type: "look", seat });
    this.open(null);
  }

  /** @param {"es" | "en"} lang */
  speak(lang) {
    setLang(lang);
    this.wire.tell({ type: "lang", lang });
    this.later();
  }

  /** @param {"theme" | "pace" | "confirm" | "replay"} name @param {string} value */
  set(name, value) {
    this.settings[name] = value;
    remember(name, value);
    if (name === "theme") applyTheme(value);
    this.later();
  }

  /** @param {string | null} dialog */
  open(dialog) {
    this.dialog = dialog;
    this.flash = "";
    this.refusal = "";
    if (dialog !== "read") this.toRead = null;
    this.later();
  }

  /** @param {string} thing */
  read(thing) {
    if (performance.now() - this.pickedAt < 600) return;
    this.toRead = thing;
    this.dialog = "read";
    this.later();
  }

  /** @param {string} text */
  copy(text) {
    const said = () => {
      this.flash = w("copied");
      this.notice = this.dialog ? this.notice : w("copied");
      this.later();
    };
    if (navigator.clipboard) return void navigator.clipboard.writeText(text).then(said, () => this.showLink(text));
    this.showLink(text);
  }

  /** @param {string} text */
  showLink(text) {
    this.notice = `${w("copyBy")} ${text}`;
    this.later();
  }

  async download() {
    try {
      const text = await transcript(this.key);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      link.download = `${this.book?.declaration.game ?? "match"}-${this.state?.match ?? ""}.jsonl`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      this.refused(/** @type {Error} */ (error));
    }
  }

  // Looking back.

  history() {
    this.open(null);
    this.goTo(this.state?.n ?? 0);
  }

  /** @param {number} n */
  goTo(n) {
    this.wire.tell({ type: "past", at: Math.max(0, n) });
  }

  toNow() {
    this.past = null;
    this.replaying = false;
    clearTimeout(this.replayTimer);
    history.replaceState(null, "", `#${this.key}`);
    this.offer();
    this.move([]);
  }

  replay() {
    this.replaying = !this.replaying;
    clearTimeout(this.replayTimer);
    if (!this.replaying) return this.later();
    if (!this.past || this.past.after === null) this.goTo(0);
    else this.step();
    this.later();
  }

  /** The next moment of a replay, after a while. */
  step() {
    clearTimeout(this.replayTimer);
    if (!this.replaying || !this.past) return;
    const next = this.past.after;
    if (next === null) {
      this.replaying = false;
      return;
    }
    this.replayTimer = setTimeout(() => this.replaying && this.goTo(next), Math.max(40, PACE[this.settings.replay] ?? 700));
  }

  share() {
    const at = this.past?.at ?? this.state?.n ?? 0;
    const key = this.state?.links?.watch ?? this.key;
    this.copy(new URL(`table#${key}@${at}`, location.href).href);
  }

  // Keys.

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const field = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement;
    if (event.defaultPrevented || this.dialog) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !field) {
      event.preventDefault();
      return this.undo();
    }
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.past) return this.keyedPast(event);
    if (event.key === "Escape" && this.choosing.about) return this.change({ about: null });
    if (event.key === "Enter" && this.choosing.ticked.length && !(event.target instanceof HTMLButtonElement)) return this.send(this.choosing.ticked);
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.walkList(event.key === "ArrowDown" ? 1 : -1)) return event.preventDefault();
    const option = listed(this.choosing)[placeOf(event.key)];
    if (option) this.pick(option.key);
  }

  /** @param {KeyboardEvent} event */
  keyedPast(event) {
    if (event.key === "Escape") return this.toNow();
    if (event.key === "ArrowLeft" && this.past?.before !== null) this.goTo(this.past?.before ?? 0);
    if (event.key === "ArrowRight" && this.past?.after !== null) this.goTo(this.past?.after ?? 0);
  }

  /** @param {number} by */
  walkList(by) {
    const all = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".opt")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0) return false;
    all[at + by]?.focus();
    return true;
  }

  // Drawing.

  narrow() {
    return matchMedia("(max-width: 900px)").matches;
  }

  /** @param {number} seat */
  name(seat) {
    return this.state?.seats[seat]?.name || `${currentLang() === "es" ? "Jugador" : "Player"} ${seat + 1}`;
  }

  /** @param {string} who */
  bot(who) {
    return this.bots[who] ?? who;
  }

  /** @returns {Scene | null} */
  makeScene() {
    const { state, book } = this;
    if (!state || !book) return null;
    const view = this.past?.view ?? state.view;
    const chosen = new Set(this.choosing.ticked.flatMap(key => mainThings(this.choosing.offer?.options.find(o => o.key === key))));
    return {
      book, view, you: state.you, colors: book.seatColors(view, state.seats), name: seat => this.name(seat),
      lit: this.choosing.sent || this.past ? new Map() : lit(this.choosing), chosen, pointed: this.pointed, before: this.past ? null : this.before,
      many: !this.choosing.about && (this.choosing.offer?.options ?? []).filter(o => o.about?.kind === "edge").length > (book.map?.grid || Object.keys(book.map?.sections ?? {}).length ? 8 : 30),
      figures: (this.past ? this.past.figures : state.figures) ?? {}, narrow: this.narrow(),
      acts: { pick: thing => this.pickThing(thing), point: thing => this.point(thing), read: thing => this.read(thing) },
    };
  }

  /** @param {string | null} thing */
  point(thing) {
    if (this.pointed === thing) return;
    this.pointed = thing;
    this.later();
  }

  /** Draws before the next frame, once. */
  later() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  /** Draws at once, and lets what moved travel. @param {import("./glide.js").Move[]} moves */
  move(moves) {
    const before = whereabouts(this.root);
    this.draw();
    glide(this.root, before, moves);
  }

  draw() {
    this.scene = this.makeScene();
    drawTable(this);
    const prompt = this.state?.offers.length ? `● ${w("yourTurn")} · ` : "";
    const title = this.book ? t(this.book.declaration.title) : w("ludoteca");
    document.title = `${prompt}${title}`;
  }

  /** On a small screen the board opens on what can be chosen. @param {import("./board.js").Board} board */
  aimAt(board) {
    this.camera.whole = board.frame;
    const wanted = `${this.narrow()}:${this.choosing.offer?.ask ?? ""}+${this.choosing.ticked.join("+").replaceAll(":", "")}:${this.past ? "past" : ""}:${board.frame.join()}`;
    if (this.aimed === wanted) return this.camera.show();
    const kept = this.aimed.split(":")[0] === String(this.narrow()) && this.aimed.split(":")[3] === wanted.split(":")[3];
    this.aimed = wanted;
    if (!this.narrow() || this.book?.look.seats === "facing") return kept ? this.camera.show() : this.camera.look(null);
    const spots = [...(this.scene?.chosen.size ? this.scene.chosen : this.scene?.lit.keys() ?? [])].filter(thing => thing.startsWith("space:")).map(thing => board.spots.get(thing.slice(6))).filter(s => s !== undefined);
    if (spots.length || !kept) this.camera.aim(spots.length ? spots : [...board.spots].filter(([id]) => this.scene?.view.spaces[id]).map(([, s]) => s), board.letters);
  }
}

/** The things that show a choice: of a border its arrow and its end. @param {Option | undefined} option */
const mainThings = option => things(option?.about).slice(0, option?.about?.kind === "edge" ? 2 : undefined);

/** Sets or removes what lies at a path. @param {any} view @param {(string | number)[]} path @param {any[]} value */
function change(view, path, value) {
  let place = view;
  for (const step of path.slice(0, -1)) {
    if (place[step] === null || typeof place[step] !== "object") place[step] = {};
    place = place[step];
  }
  const last = path[path.length - 1] ?? "";
  if (value.length) place[last] = value[0];
  else delete place[last];
}
