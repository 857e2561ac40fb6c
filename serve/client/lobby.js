// The lobby: matches to go on with, the games, and a new match.
import { Book, SEATS } from "./book.js";
import { drawBoard } from "./board.js";
import { rulesOf, switchOf } from "./dialogs.js";
import { draw, h } from "./dom.js";
import { icon, tokenIcon } from "./icons.js";
import { Refused, ask } from "./net.js";
import { applyTheme, forgetKeys, keepKey, keptKeys } from "./settings.js";
import { currentLang, firstLang, remember, remembered, setLang, t, w } from "./words.js";

/** @typedef {import("./types.js").Text} Text */

/** @type {any} Everything the page knows; the picture is drawn of it. */
const state = {
  lobby: null, known: [], game: null, about: null, seats: [], variants: new Set(), set: {}, seed: "", undo: "free", chat: true, error: "", busy: false,
  /** @type {Map<string, any>} Small pictures of the boards. */ pictures: new Map(),
};
const root = document.querySelector("#app");

const later = () => requestAnimationFrame(() => root && draw(root, page()));

async function begin() {
  setLang(firstLang());
  applyTheme(remembered("theme") ?? "auto");
  later();
  try {
    state.lobby = await ask("api/lobby");
    choose(state.lobby.games.find((/** @type {any} */ g) => g.ok)?.id ?? null);
    await known();
  } catch (error) {
    fail(error);
  }
  later();
  for (const game of state.lobby?.games ?? []) if (game.ok) await thumbnail(game.id).catch(() => {});
}

async function known() {
  const keys = keptKeys();
  if (!keys.length) return;
  const found = await ask("api/matches/known", { keys });
  state.known = found.matches;
  forgetKeys(found.unknown ?? []);
  later();
}

/** @param {any} error */
function fail(error) {
  state.error = error instanceof Refused ? error.message : String(error?.message ?? error);
  state.busy = false;
  later();
}

/** @param {string | null} id */
function choose(id) {
  state.game = id;
  const game = state.lobby?.games.find((/** @type {any} */ g) => g.id === id);
  if (!game) return;
  const bots = botsOf(game);
  const least = Math.max(2, game.players[0]);
  state.seats = Array.from({ length: game.players[1] }, (_, i) => (i === 0 ? "me" : i < least ? (bots.find((/** @type {any} */ b) => b.id === "greedy") ?? bots[bots.length - 1])?.id ?? "me" : "none"));
  if (game.players[0] === 1) state.seats[1] = "none";
  state.variants = new Set();
  state.set = {};
  state.about = null;
  state.error = "";
  settings();
  later();
}

/** @param {any} game */
const botsOf = game => (state.lobby?.bots ?? []).filter((/** @type {any} */ b) => game.mood?.[b.id] !== false);

async function settings() {
  const [id, variants] = [state.game, [...state.variants]];
  try {
    const about = await ask(`api/games/${encodeURIComponent(id)}?${variants.map(v => `variant=${encodeURIComponent(v)}`).join("&")}`);
    if (state.game === id) state.about = about;
  } catch (error) {
    fail(error);
  }
  later();
}

/** The board of a game without names. @param {string} id */
async function thumbnail(id) {
  const game = state.lobby.games.find((/** @type {any} */ g) => g.id === id);
  const declaration = await ask(`api/declarations/${encodeURIComponent(game.declaration)}`);
  const book = new Book(declaration);
  /** @type {Record<string, any>} */
  const spaces = {};
  let column = 0;
  for (const space of Object.keys(declaration.map?.spaces ?? {})) spaces[space] = { zones: {}, at: null };
  if (declaration.map?.assembled) for (const section of Object.values(declaration.map.sections)) {
    const s = /** @type {any} */ (section);
    s.squares.forEach((/** @type {string | null} */ square, /** @type {number} */ i) => square && spaces[square] && (spaces[square].at = [(column % 3) * s.columns + (i % s.columns), Math.floor(column / 3) * s.rows + Math.floor(i / s.columns)]));
    column++;
  }
  const board = drawBoard({ book, view: { you: null, order: [], game: { zones: {} }, players: [], spaces }, you: null, colors: [], name: () => "", lit: new Map(), chosen: new Set(), pointed: null, before: null, figures: {}, narrow: false, many: false, acts: { pick: () => {}, point: () => {}, read: () => {} } });
  state.pictures.set(id, board ?? { cards: [...new Set(Object.keys(declaration.cards).map(card => book.cardTint(card)).filter(Boolean))].slice(0, 6) });
  later();
}

async function start() {
  if (state.busy) return;
  if (state.seed.trim() && !/^\d{1,19}$/.test(state.seed.trim())) return fail(new Refused("bad-seed", w("badSeed")));
  state.busy = true;
  later();
  try {
    const made = await ask("api/matches", {
      game: state.game, seats: state.seats.filter((/** @type {string} */ s) => s !== "none"), variants: [...state.variants], set: state.set, seed: state.seed.trim() || null, undo: state.undo, chat: state.chat,
    });
    enter(made);
  } catch (error) {
    fail(error);
  }
}

/** @param {any} made */
function enter(made) {
  const key = made.keys.me ?? made.keys.watch;
  keepKey(key);
  location.href = `table#${key}`;
}

/** @param {File | undefined} file */
async function load(file) {
  if (!file) return;
  state.busy = true;
  later();
  try {
    const text = await file.text();
    const bots = new Set(state.lobby?.bots.map((/** @type {any} */ b) => b.id));
    const sat = /^seats (.+)$/m.exec(text)?.[1]?.split(",") ?? Array.from({ length: Number(/^players (\d+)$/m.exec(text)?.[1] ?? 2) }, () => "human");
    enter(await ask("api/matches", { transcript: text, seats: sat.map(who => (bots.has(who) ? who : "me")), undo: state.undo, chat: state.chat }));
  } catch (error) {
    fail(error);
  }
}

function page() {
  return h("div.lobby", { key: "lobby" },
    h("header.bar", { key: "bar" }, h("a.mark", { href: "./" }, icon("mark"), h("h1", {}, w("ludoteca"))), h("span.grow", {}),
      switchOf(w("language"), [["es", "Español"], ["en", "English"]], currentLang(), v => {
        setLang(v === "es" ? "es" : "en");
        later();
      }),
      h("button.btn.quiet.icon", { type: "button", "aria-label": w("theme"), onclick: () => {
        const next = document.documentElement.classList.contains("dark") || (!document.documentElement.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches) ? "light" : "dark";
        remember("theme", next);
        applyTheme(next);
      } }, icon("moon"))),
    h("main", { key: "main" }, matches(), games()),
    h("aside.make", { key: "make", "aria-label": w("play") }, make()));
}

function matches() {
  const open = state.known.filter((/** @type {any} */ m) => !m.over);
  const over = state.known.filter((/** @type {any} */ m) => m.over);
  return [
    open.length ? [h("h2", { key: "open" }, w("goOnWith")), h("div.cards-of", { key: "open-list" }, open.map(matchCard))] : null,
    over.length ? h("details", { key: "over" }, h("summary", {}, `${w("over")} (${over.length})`), h("div.cards-of", {}, over.map(matchCard))) : null,
  ];
}

/** @param {number} seconds */
function ago(seconds) {
  const minutes = Math.floor((Date.now() / 1000 - seconds) / 60);
  if (minutes < 1) return w("justNow");
  return w("ago", minutes < 60 ? w("minutes", minutes) : minutes < 2880 ? w("hours", Math.floor(minutes / 60)) : w("days", Math.floor(minutes / 1440)));
}

/** @param {any} m */
function matchCard(m) {
  const people = m.seats.map((/** @type {any} */ s) => s.name ?? (s.who === "person" ? w("seat", s.seat + 1) : t(state.lobby?.bots.find((/** @type {any} */ b) => b.id === s.who)?.text) || s.who));
  return h("article.match-card", { key: m.key }, h("h3", {}, t(m.title)),
    m.problem ? h("p.fault", {}, t(m.problem)) : m.over ? h("p.soft", {}, w("isOver")) : m.your_turn ? h("p.ask-line", {}, `${w("yourTurn")}${m.prompt ? `: ${t(m.prompt)}` : ""}`) : h("p.soft", {}, m.asked?.length ? w("waitFor", m.asked.map((/** @type {number} */ i) => people[i] ?? w("seat", i + 1)).join(", ")) : ""),
    h("p.people", {}, [m.round ? w("round", m.round) : "", people.join(", "), ago(m.touched)].filter(Boolean).join(" · ")), m.last ? h("p.soft.small", {}, t(m.last)) : null,
    h("div.row", {}, h("a.btn.do", { href: `table#${m.key}` }, icon(m.over || !m.mine.length ? "eye" : "play"), w(m.over || !m.mine.length ? "watch" : "goOn")), h("button.btn.quiet", { type: "button", onclick: () => {
      forgetKeys([m.key]);
      state.known = state.known.filter((/** @type {any} */ k) => k.key !== m.key);
      later();
    } }, w("forget"))));
}

function games() {
  return [h("h2", { key: "games" }, w("games")), state.lobby ? null : h("p.soft", { key: "wait", role: "status" }, state.error || w("connecting")),
    (state.lobby?.left_out ?? []).map((/** @type {any} */ one) => h("p.fault", { key: one.pack, role: "status" }, w("leftOut", one.pack, one.why))),
    h("div.cards-of", { key: "game-list" }, (state.lobby?.games ?? []).map((/** @type {any} */ g) => h("button.game-card", { key: g.id, type: "button", disabled: !g.ok, "aria-pressed": String(g.id === state.game), onclick: () => {
      choose(g.id);
      if (matchMedia("(max-width: 900px)").matches) document.querySelector(".make")?.scrollIntoView({ behavior: "smooth" });
    } },
      h("span.pic", { "aria-hidden": true }, picture(g.id)),
      h("div", {}, h("b", {}, t(g.title)), h("span.soft.small", {}, [g.players[0] === g.players[1] ? w("playersExactly", g.players[0]) : w("playersFromTo", g.players[0], g.players[1]), g.variants.length === 1 ? w("oneVariant") : g.variants.length ? w("variantsCount", g.variants.length) : ""].filter(Boolean).join(" · ")), h("span", {}, g.ok ? t(g.summary) : w("cannotPlay"))))),
      h("label.drop", { key: "load" }, h("b", {}, w("loadTranscript")), h("span.soft.small", {}, w("loadTranscriptHelp")), h("input", { type: "file", "aria-label": w("loadTranscript"), onchange: (/** @type {any} */ e) => load(e.target.files[0]) })))];
}

/** @param {string} id */
function picture(id) {
  const board = state.pictures.get(id);
  if (!board) return null;
  if (board.node) {
    const [x, y, width, height] = board.frame;
    const parts = board.node.children.filter((/** @type {any} */ n) => ["ground", "areas", "links", "spaces"].includes(n.key ?? ""));
    return h("svg.map.thumb", { class: board.node.attributes.class, viewBox: `${x} ${y} ${width} ${height}`, preserveAspectRatio: "xMidYMid slice" }, parts);
  }
  return h("svg.thumb", { viewBox: "0 0 240 104" }, board.cards.map((/** @type {string} */ tint, /** @type {number} */ i) => h("rect", { key: i, x: 30 + i * 30, y: 24, width: 46, height: 66, rx: 6, fill: tint, "fill-opacity": ".5", stroke: tint, transform: `rotate(${(i - 2.5) * 7} ${53 + i * 30} 110)` })));
}

function make() {
  const game = state.lobby?.games.find((/** @type {any} */ g) => g.id === state.game);
  if (!game) return null;
  const bots = botsOf(game);
  const taken = state.seats.filter((/** @type {string} */ s) => s !== "none").length;
  const colors = Object.values(SEATS);
  return h("form", { onsubmit: (/** @type {Event} */ e) => {
    e.preventDefault();
    start();
  } }, h("div.make-in", {}, h("h2", {}, t(game.title)), h("a", { href: rulesOf(game.declaration), target: "_blank" }, w("rules")),
    h("fieldset", {}, h("legend", {}, w("seats")), state.seats.map((/** @type {string} */ now, /** @type {number} */ i) => h("div.seat-row", { key: i },
      tokenIcon({ ...(colors[i % colors.length] ?? { fill: "#888888", ink: "#ffffff", shape: "circle" }), edge: "var(--edge)" }, i + 1),
      h("select", { "aria-label": w("seat", i + 1), value: now, onchange: (/** @type {any} */ e) => seatTo(i, e.target.value, game) },
        h("option", { value: "me" }, w("me")), h("option", { value: "link" }, w("byLink")), bots.map((/** @type {any} */ b) => h("option", { key: b.id, value: b.id }, w("bot", t(b.text)))), i >= game.players[0] ? h("option", { value: "none" }, w("nobody")) : null)))),
    game.variants.length ? h("fieldset", {}, h("legend", {}, w("variants")), game.variants.map((/** @type {any} */ v) => h("label.variant", { key: v.id }, h("input", { type: "checkbox", checked: state.variants.has(v.id), onchange: (/** @type {any} */ e) => {
      if (e.target.checked) state.variants.add(v.id);
      else state.variants.delete(v.id);
      settings();
    } }), h("span", {}, t(v.title)), h("small", {}, t(v.summary))))) : null,
    numbers(),
    h("div.two", {}, h("label.field", {}, h("span", {}, w("seed")), h("input", { inputmode: "numeric", value: state.seed, placeholder: w("any"), oninput: (/** @type {any} */ e) => (state.seed = e.target.value) })),
      h("label.field", {}, h("span", {}, w("undo")), h("select", { value: state.undo, onchange: (/** @type {any} */ e) => (state.undo = e.target.value) }, [["free", "undoFree"], ["consent", "undoConsent"], ["none", "undoNone"]].map(([value = "", text = ""]) => h("option", { key: value, value }, w(text)))))),
    h("label.check", {}, h("input", { type: "checkbox", checked: state.chat, onchange: (/** @type {any} */ e) => (state.chat = e.target.checked) }), w("withChat"))),
  h("div.make-foot", {}, state.error ? h("p.fault", { role: "alert" }, state.error) : null,
    h("button.btn.do", { type: "submit", disabled: state.busy || taken < game.players[0] }, icon("play"), state.busy ? w("starting") : w("start", taken))));
}

/** Seats are taken from the first on: nobody sits after an empty one. @param {number} i @param {string} value @param {any} game */
function seatTo(i, value, game) {
  state.seats[i] = value;
  if (value === "none") for (let k = i + 1; k < state.seats.length; k++) state.seats[k] = "none";
  else for (let k = 0; k < i; k++) if (state.seats[k] === "none") state.seats[k] = botsOf(game).at(-1)?.id ?? "link";
  later();
}

/** Numbers of the game that may be set, with their ranges. */
function numbers() {
  const all = [...(state.about?.parameters ?? []), ...(state.about?.ranges ?? [])];
  if (!all.length) return null;
  return h("details", { key: "numbers" }, h("summary", {}, w("settingsOf")), h("div.settings-list", {}, all.map(p => {
    const now = state.set[p.key] ?? String(p.value ?? "");
    const set = (/** @type {number} */ wanted) => {
      const n = Math.max(p.min ?? -Infinity, Math.min(p.max ?? Infinity, Math.round(wanted)));
      if (!Number.isFinite(n) || n === p.value) delete state.set[p.key];
      else state.set[p.key] = String(n);
      later();
    };
    return h("label.setting", { key: p.key, class: state.set[p.key] !== undefined ? "changed" : "" }, h("span", {}, t(p.text) || p.key.replaceAll(".", " · ").replaceAll("_", " "), p.flag ? null : h("small.soft", {}, ` ${p.min ?? ""}–${p.max ?? ""}`)),
      p.flag ? h("input", { type: "checkbox", checked: now === "1", onchange: (/** @type {any} */ e) => set(Number(e.target.checked)) })
        : h("input", { type: "number", min: p.min, max: p.max, value: now, onchange: (/** @type {any} */ e) => set(Number(e.target.value)) }));
  })));
}

begin();
