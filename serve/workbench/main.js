// The workbench: what the server said is the state, what one types is sent at once, and one picture is drawn of it.
import { Book } from "../client/book.js";
import { switchOf } from "../client/dialogs.js";
import { draw, h } from "../client/dom.js";
import { icon } from "../client/icons.js";
import { ask, Refused } from "../client/net.js";
import { applyTheme } from "../client/settings.js";
import { currentLang, firstLang, remembered, setLang, t } from "../client/words.js";
import { drawAgainst } from "./against.js";
import { drawCards } from "./cards.js";
import { drawFiles } from "./files.js";
import { drawNumbers } from "./numbers.js";
import { drawChanges, drawClashes, drawProblems, drawScenarios } from "./problems.js";
import { b } from "./words.js";

/** After how long a server that could not be reached is asked again, in milliseconds. */
const AGAIN = 1500;
/** How long a picture waits for the window to be painted, in milliseconds. */
const UNPAINTED = 200;

export class Bench {
  /** @param {Element} root @param {string} token */
  constructor(root, token) {
    this.root = root;
    this.token = token;
    this.game = "";
    this.variant = "";
    /** @type {any} */
    this.state = null;
    /** @type {any} */
    this.against = { status: "none", rows: [] };
    /** What this page has compared last, and whether somebody here wants none of it. */
    this.compared = "";
    this.stopped = false;
    /** @type {any} */
    this.cards = null;
    /** @type {any} */
    this.scenarios = null;
    /** @type {any} */
    this.file = null;
    /** The file that was asked for last. @type {object | null} */
    this.reading = null;
    /** @type {Book | null} */
    this.book = null;
    this.tab = "numbers";
    this.kind = "";
    this.card = "";
    this.naming = false;
    this.notice = "";
    this.bots = "";
    /** Who can play the game, as it was when it could be played. */
    this.can = { judges: false, prefers: false };
    this.players = 0;
    /** @type {string | null} A value that is being looked for. */
    this.wanted = null;
    this.drawing = false;
    this.later();
    this.look();
    this.listen();
  }

  /** @param {string} path @param {any} [body] @returns {Promise<any>} */
  ask(path, body) {
    return ask(path ? `api/workbench/${path}` : "api/workbench", body, this.token);
  }

  /** Does something, and says what came of it. @param {string} path @param {any} [body] */
  async act(path, body = {}) {
    try {
      const done = await this.ask(path, body);
      this.notice = "";
      return done;
    } catch (error) {
      this.notice = /** @type {Error} */ (error).message;
      return null;
    } finally {
      this.later();
    }
  }

  get query() {
    return `game=${encodeURIComponent(this.game)}&variant=${encodeURIComponent(this.variant)}`;
  }

  /** Waits for what changes, as long as the page is open. */
  async look() {
    for (let since = 0; ;) {
      const asked = this.query;
      try {
        const told = await ask(`api/workbench?${asked}${since ? `&since=${since}` : ""}`, undefined, this.token);
        if (asked !== this.query) {
          since = 0;
          continue;
        }
        since = told.rev;
        await this.take(told);
      } catch (error) {
        this.notice = /** @type {Error} */ (error).message;
        this.later();
        await new Promise(done => setTimeout(done, AGAIN));
        since = 0;
      }
    }
  }

  /** @param {any} told */
  async take(told) {
    const first = !this.state;
    // Who was asked earlier may answer later.
    if (!first && told.rev < this.state.rev && told.game === this.state.game && told.variant === this.state.variant) return;
    this.state = told;
    if (first || told.game !== this.game) {
      this.game = told.game;
      const game = told.games.find((/** @type {any} */ g) => g.id === told.game);
      if (first && !game?.own && game?.variants.length) return this.choose(told.game, game.variants[0].id);
    }
    if (told.declaration) {
      this.can = { judges: told.judges, prefers: told.prefers };
      this.bots ||= told.judges ? "greedy" : told.prefers ? "policy" : "random";
    }
    if (told.declaration && this.book?.declaration.id !== told.declaration) {
      const declaration = await ask(`api/declarations/${encodeURIComponent(told.declaration)}`).catch(() => null);
      if (declaration) this.book = new Book({ ...declaration, id: told.declaration }, `api/pictures/${encodeURIComponent(told.declaration)}/`);
    }
    if (this.tab === "cards") await this.readCards();
    await this.readAgain();
    this.later();
  }

  /** The comparison is told by itself. */
  async listen() {
    for (let since = 0; ;) {
      try {
        const told = await ask(`api/workbench/against${since ? `?since=${since}` : ""}`, undefined, this.token);
        since = told.rev;
        this.against = told;
        this.later();
      } catch {
        await new Promise(done => setTimeout(done, 2000));
      }
    }
  }

  /** Looks at another game or variant. @param {string} game @param {string} variant */
  async choose(game, variant) {
    if (game !== this.game) {
      this.bots = "";
      this.can = { judges: false, prefers: false };
    }
    this.game = game;
    this.variant = variant;
    this.cards = null;
    this.scenarios = null;
    this.naming = false;
    const asked = this.query;
    try {
      const told = await ask(`api/workbench?${asked}`, undefined, this.token);
      if (asked === this.query) await this.take(told);
    } catch (error) {
      this.notice = /** @type {Error} */ (error).message;
    }
    this.later();
  }

  /** Writes a value, over the one that is shown. @param {string} key @param {string | null} value As TOML. @param {string} was */
  async edit(key, value, was) {
    const done = await this.act("edit", { game: this.game, variant: this.variant, key, value, was });
    if (done) this.compareUnasked();
    return done;
  }

  /** What an edit does is wanted before anybody asks for it: the first begins a comparison, which follows all others by itself. */
  compareUnasked() {
    const known = this.against.status !== "none" && this.against.game === this.game && this.against.variant === this.variant;
    if (!known && !this.stopped && this.compared !== this.query) this.compare(true);
  }

  /** @param {string} name */
  async begin(name) {
    if (await this.act("begin", { game: this.game, name })) await this.choose(this.game, name);
  }

  async save() {
    if (this.file?.typing) await this.send(this.file);
    const { problems } = await ask(`api/workbench?${this.query}`, undefined, this.token).catch(() => this.state);
    const errors = problems.filter((/** @type {any} */ p) => p.severity === "error").length;
    const done = await this.act("save");
    const files = done?.saved.join(", ");
    if (files) this.notice = errors === 1 ? b("savedWithOne", files) : errors ? b("savedWith", files, errors) : b("saved", files);
    this.later();
  }

  async play() {
    const [least = 2] = this.state?.games.find((/** @type {any} */ g) => g.id === this.game)?.players ?? [2];
    const other = ["greedy", "policy"].find(bot => this.can[bot === "greedy" ? "judges" : "prefers"]) ?? "random";
    const made = await this.act("play", { game: this.game, variant: this.variant, seats: Array.from({ length: Math.max(least, 1) }, (_, i) => (i ? other : "me")) });
    if (made) open(`table#${made.keys.me}`, "_blank");
  }

  /** @param {number} side @param {number} game */
  async replay(side, game) {
    const made = await this.act("replay", { side, game });
    if (made) open(`table#${made.keys.me}@0`, "_blank");
  }

  /** @param {boolean} on */
  compare(on) {
    this.stopped = !on;
    if (on) this.compared = this.query;
    return this.act("against", { game: this.game, variant: this.variant, on, bots: this.bots || "random", players: this.players || null });
  }

  async readCards() {
    const told = await this.ask(`cards?${this.query}`).catch(() => null);
    if (told) this.cards = told.kinds;
    this.kind = this.cards?.some((/** @type {any} */ k) => k.kind === this.kind) ? this.kind : this.cards?.[0]?.kind ?? "";
  }

  /** A file as it would be saved; what was typed before is sent first. @param {string} path @param {number} [line] */
  async readFile(path, line) {
    const reading = this.reading = {};
    try {
      if (this.file?.typing) await this.send(this.file);
      const told = await this.ask(`text?path=${encodeURIComponent(path)}`);
      // Who asked for another file, or typed meanwhile, keeps what they see.
      if (this.reading !== reading || (this.file?.path === path && this.file.typing)) return;
      this.file = { ...told, line: line ?? 0, typing: false };
    } catch (error) {
      if (this.reading !== reading) return;
      this.notice = /** @type {Error} */ (error).message;
      this.file = null;
    }
    this.later();
  }

  /** The open file as others have written it. Whoever types into it, or has sent what they typed, keeps what they see; so does who asks for another. */
  async readAgain() {
    const file = this.file;
    if (!file || file.typing) return;
    const { hash } = file;
    const told = await this.ask(`text?path=${encodeURIComponent(file.path)}`).catch(error => error);
    if (file.typing || file.hash !== hash) return;
    if (!(told instanceof Error)) Object.assign(file, told);
    else if (told instanceof Refused && told.code === "not-found" && this.file === file) this.file = null;
  }

  /** @param {string} text */
  type(text) {
    const file = this.file;
    if (!file) return;
    file.text = text;
    file.typing = true;
    clearTimeout(file.pause);
    file.pause = setTimeout(() => this.send(file), 300);
  }

  /** Sends what was typed into a file, one text after the other. @param {any} file */
  send(file) {
    clearTimeout(file.pause);
    file.sent = (file.sent ?? Promise.resolve()).then(async () => {
      const { text } = file;
      try {
        file.hash = (await this.ask("text", { path: file.path, text, was: file.hash })).hash;
        this.notice = "";
        file.typing = file.text !== text;
      } catch (error) {
        this.notice = /** @type {Error} */ (error).message;
        const code = error instanceof Refused ? error.code : "";
        // Somebody else wrote it: what they wrote is shown.
        if (code === "stale") {
          file.typing = false;
          await this.readAgain();
        } else if (code === "no-server") file.pause = setTimeout(() => this.send(file), AGAIN);
      } finally {
        this.later();
      }
    });
    return file.sent;
  }

  async runScenarios() {
    this.scenarios = "running";
    this.later();
    this.scenarios = await this.ask(`scenarios?${this.query}`).catch(error => ({ problem: error.message, scenarios: [] }));
    this.later();
  }

  /** @param {string} tab */
  async show(tab) {
    this.tab = tab;
    if (tab === "cards") await this.readCards();
    this.later();
  }

  /** Goes where something is wrong: the cell that says it, or the line of its file. @param {any} problem */
  async goTo(problem) {
    const cells = (this.state?.numbers ?? []).flatMap((/** @type {any} */ g) => g.rows.flatMap((/** @type {any} */ r) => r.cells));
    const cell = cells.find((/** @type {any} */ c) => c.at && c.at[0] === problem.path && c.at[1] === problem.line);
    if (cell) {
      this.tab = "numbers";
      this.wanted = cell.key;
    } else if (problem.path) {
      this.tab = "files";
      await this.readFile(problem.path, problem.line ?? 1);
    }
    this.later();
  }

  later() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => this.draw());
    // A window that is not being painted is drawn as well: whoever comes back to it finds it as it is.
    setTimeout(() => this.draw(), UNPAINTED);
  }

  draw() {
    if (!this.drawing) return;
    this.drawing = false;
    draw(this.root, page(this));
    if (!this.wanted) return;
    const input = /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-key="${CSS.escape(this.wanted)}"]`));
    this.wanted = null;
    input?.focus();
  }
}

/** What is drawn in each room; the others stand beside them where there is place. @type {Record<string, (bench: Bench) => import("../client/dom.js").Child>} */
const ROOMS = { numbers: drawNumbers, cards: drawCards, scenarios: drawScenarios, files: drawFiles, changes: drawChanges };

/** @param {Bench} bench */
function page(bench) {
  const { state } = bench;
  if (!state) return h("main.wait", { key: "wait" }, h("p", { role: "status" }, bench.notice || b("connecting")), h("a.btn", { href: "./" }, b("lobby")));
  document.title = `${b("workbench")} · ${t(state.games.find((/** @type {any} */ g) => g.id === bench.game)?.title)}`;
  const errors = state.problems.filter((/** @type {any} */ p) => p.severity === "error").length;
  return h("div.lab", { key: "lab", "data-tab": bench.tab },
    bar(bench, state),
    h("nav.rooms", { key: "rooms", "aria-label": b("workbench") }, ["numbers", "cards", "scenarios", "files", "changes", "against", "problems"].map(tab => h("button.room", { key: tab, type: "button", "aria-pressed": String(bench.tab === tab), class: `room-${tab}`, onclick: () => bench.show(tab) },
      b(tab), tab === "changes" && state.changes.length ? h("b", {}, String(state.changes.length)) : null, tab === "problems" && errors ? h("b.fault", {}, String(errors)) : null))),
    h("main.sheet", { key: "sheet", tabindex: "-1" }, drawClashes(bench),
      bench.notice ? h("p.notice", { key: "notice", role: "status" }, h("span", {}, bench.notice), h("button.btn.quiet.icon", { type: "button", "aria-label": b("close"), onclick: () => {
        bench.notice = "";
        bench.later();
      } }, icon("cross"))) : null,
      ROOMS[bench.tab]?.(bench) ?? null),
    h("section.result", { key: "result", "aria-label": b("against") }, drawAgainst(bench)),
    drawProblems(bench));
}

/** A game by its title; with its id before it where another has the same, as a copy of it has: a long title is cut. @param {any} game @param {any[]} games */
function gameName(game, games) {
  const title = t(game.title);
  return games.some(other => other.id !== game.id && t(other.title) === title) ? `${game.id} · ${title}` : title;
}

/** @param {Bench} bench @param {any} state */
function bar(bench, state) {
  const game = state.games.find((/** @type {any} */ g) => g.id === bench.game);
  const targets = [...(game?.own ? [["", b("gameItself")]] : bench.variant ? [] : [["", "–"]]), ...(game?.variants ?? []).map((/** @type {any} */ v) => [v.id, t(v.title) || v.id])];
  return h("header.bar", { key: "bar" },
    h("a.mark", { href: "./", title: b("lobby") }, icon("mark"), h("h1", {}, b("workbench"))),
    h("div.picks", {},
      h("select.pick", { "aria-label": b("game"), value: bench.game, onchange: (/** @type {any} */ e) => {
        const next = state.games.find((/** @type {any} */ g) => g.id === e.target.value);
        bench.choose(e.target.value, next?.own ? "" : next?.variants[0]?.id ?? "");
      } }, state.games.map((/** @type {any} */ g) => h("option", { key: g.id, value: g.id }, gameName(g, state.games)))),
      bench.naming ? null : h("select.pick", { "aria-label": b("writeInto"), value: bench.variant, onchange: (/** @type {any} */ e) => {
        if (e.target.value !== "+") return bench.choose(bench.game, e.target.value);
        bench.naming = true;
        bench.later();
      } }, targets.map(([id, text]) => h("option", { key: id, value: id }, text)), h("option", { value: "+" }, b("newVariant")))),
    bench.naming
      ? h("form.naming", { onsubmit: (/** @type {any} */ e) => {
        e.preventDefault();
        bench.begin(e.target.elements.name.value.trim());
      } }, h("input", { name: "name", "aria-label": b("nameOfVariant"), placeholder: b("nameOfVariant"), required: true, ready: (/** @type {any} */ e) => e.dataset.seen || (e.focus(), (e.dataset.seen = "1")) }), h("button.btn.do", { type: "submit" }, b("begin")), h("button.btn", { type: "button", onclick: () => {
        bench.naming = false;
        bench.later();
      } }, b("cancel")))
      : null,
    h("code.src", {}, state.path ?? ""),
    h("span.grow", {}),
    switchOf("", [["es", "ES"], ["en", "EN"]], currentLang(), v => {
      setLang(v === "es" ? "es" : "en");
      bench.later();
    }),
    h("button.btn", { type: "button", disabled: !state.undo, onclick: () => bench.act("undo") }, icon("undo"), h("span.t", {}, b("undo"))),
    h("button.btn", { type: "button", disabled: !state.changes.length, onclick: () => bench.save() }, icon("page"), h("span.t", {}, b("save"))),
    h("button.btn.do", { type: "button", disabled: !state.declaration, onclick: () => bench.play() }, icon("play"), h("span.t", {}, b("playIt"))));
}

setLang(firstLang());
applyTheme(remembered("theme") ?? "auto");
const root = document.querySelector("#app");
const token = location.hash.slice(1);
if (root && /^[\w-]{16,}$/.test(token)) new Bench(root, token);
else if (root) draw(root, h("main.wait", {}, h("p", { role: "alert" }, b("noLink")), h("a.btn", { href: "./" }, b("lobby"))));
addEventListener("hashchange", () => location.reload());
