// The page of a match, put together: bar, question, board, what is yours, players, options, log; and what lies over them.
import { draw, h } from "./dom.js";
import { drawBoard } from "./board.js";
import { dialog, everything, invite, menu, reading, sitDown, switchOf } from "./dialogs.js";
import { icon, inkOn, tokenIcon } from "./icons.js";
import { drawChat, drawLog } from "./log.js";
import { drawOptions, drawQuestion } from "./options.js";
import { drawPlayers, drawSide } from "./players.js";
import { t, w } from "./words.js";
import { boardTop, dock, tallDock } from "./zones.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").State} State
 */

/** @param {Table} table */
export function drawTable(table) {
  const { state, scene, root } = table;
  if (!state || !scene) {
    const gone = ["noLink", "tooMany"].includes(table.wiring);
    return draw(root, h("main.wait", { key: "wait" }, h("p", { role: "status" }, w(gone ? table.wiring : table.wiring === "lost" ? "lost" : "connecting")), table.notice ? h("p.fault", {}, table.notice) : null, h("a.btn", { href: "./" }, w("lobby"))));
  }
  const facing = scene.book.look.seats === "facing";
  const board = drawBoard(scene);
  const yours = dock(scene).filter(Boolean);
  // Where cards are all there is to see, they are seen first.
  const first = state.end ? "players" : facing || (!board && yours.length) ? "dock" : "options";
  draw(root, h("div.match", { key: "match", "data-tab": shownTab(table, first), class: `${facing ? "facing-game" : ""} ${board ? "" : "no-board"}`,
    "data-n": state.n, "data-over": !!state.end, "data-ask": table.choosing.offer && !table.choosing.sent ? `${table.choosing.offer.ask}:${table.choosing.offer.seat}` : "" },
    bar(table, state, scene),
    h("section.prompt", { key: "prompt", class: table.choosing.offer ? "yours" : "", "aria-label": w("choose") }, question(table, state, scene)),
    h("div.board", { key: "board" }, notices(table, state, scene), boardTop(scene), facing ? sides(table, state, scene, board) : board ? held(table, board) : null, dice(table), tools(table, board), mini(table, board), peek(table, scene)),
    yours.length || tallDock(scene) ? h("section.dock#dock", { key: "dock", class: tallDock(scene) ? "tall" : "", "aria-label": w("yours") }, h("div.dock-in", {}, yours)) : null,
    h("aside.side", { key: "side" },
      facing ? readPanel(table, scene) : null,
      h("section.panel#players", { key: "players" }, h("h2", {}, w("players")), drawPlayers(scene, state, who => table.bot(who))),
      h("section.panel.options#options", { key: "options", "aria-label": w("options") }, optionPanel(table, scene)),
      h("section.panel.log#log", { key: "log" }, logPanel(table, state, scene))),
    h("nav.tabs", { key: "tabs", "aria-label": w("menu") }, tabs(table, yours.length > 0 || facing, first)),
    h("p.sr", { key: "live", "aria-live": "polite" }, live(table, state))),
  over(table, state, scene));
  if (board) table.aimAt(board);
  const log = root.querySelector(".scroll");
  if (log && table.logEnd && log.scrollTop + log.clientHeight < log.scrollHeight) log.scrollTop = log.scrollHeight;
}

/** @param {Table} table @param {State} state */
function live(table, state) {
  if (table.choosing.offer) return `${w("yourTurn")}. ${table.choosing.offer.text}`;
  return state.end ? `${w("gameOver")}. ${state.end.text}` : "";
}

/** @param {Table} table @param {State} state @param {Scene} scene */
function bar(table, state, scene) {
  const undo = state.undo;
  const offer = table.choosing.offer;
  return h("header.bar", { key: "bar" },
    h("a.mark", { href: "./", "aria-label": `${w("ludoteca")}: ${w("lobby")}` }, icon("mark"), h("span", {}, w("ludoteca"))),
    h("div.where", {}, h("h1", {}, t(scene.book.declaration.title)), h("div.steps", {}, steps(table, state, scene))),
    h("span.grow", {}),
    h("span.wide.soft.small", {}, more(scene)),
    state.you === null ? h("span.soft.small.watching", {}, icon("eye"), h("span.t", {}, w("watching"))) : null,
    state.mine.length && undo.rule !== "none" ? h("button.btn", { key: "undo", type: "button", "aria-disabled": !undo.may, class: undo.may ? "" : "faint", title: undo.why ? w(undo.why) : null, onclick: () => table.undo() }, icon("undo"), h("span.t", {}, w("undo"))) : null,
    state.mine.length && state.may.hint && !state.end ? h("button.btn", { key: "hint", type: "button", disabled: !offer && !table.hinting, "aria-pressed": String(table.hinting), onclick: () => table.toggleHint() }, icon("bulb"), h("span.t", {}, w("hint"))) : null,
    h("button.btn.quiet.icon", { key: "menu", type: "button", "aria-label": w("menu"), onclick: () => table.open("menu") }, icon("menu")));
}

/** Where in the game one is: round, and what the look or the phases name. @param {Table} table @param {State} state @param {Scene} scene */
function steps(table, state, scene) {
  /** @type {string[]} */
  const show = scene.book.look.header?.show ?? ["round", "phase"];
  const round = table.past?.round ?? state.now.round;
  const parts = show.map(name => {
    if (name === "round") return round ? w("round", round) : "";
    if (name === "phase" || (name === "step" && !scene.book.attribute("game", "step"))) return table.past ? scene.book.stepName(typeof table.past.step === "string" ? table.past.step : table.past.step?.step ?? null) : state.now.text ?? scene.book.stepName(state.now.step);
    const attribute = scene.book.attribute("game", name);
    const value = scene.view.game[name];
    if (!attribute || value === null || value === undefined || value === "") return "";
    return attribute.type === "word" ? scene.book.word(String(value)) : `${scene.book.attributeName("game", name)} ${scene.book.show(value, attribute, scene.name)}`;
  }).filter(Boolean);
  return parts.map((part, i) => [i ? h("i", { key: `i${i}` }, "·") : null, i === 0 ? h("b", { key: i }, part) : h("span.cut", { key: i }, part)]);
}

/** @param {Scene} scene */
function more(scene) {
  /** @type {string[]} */
  const named = scene.book.look.header?.more ?? [];
  return named.filter(name => scene.view.game[name] !== undefined).map(name => `${scene.book.attributeName("game", name)} ${scene.book.show(scene.view.game[name], scene.book.attribute("game", name), scene.name)}`).join(" · ");
}

/** @param {Table} table @param {State} state @param {Scene} scene */
function question(table, state, scene) {
  if (table.past) return past(table, state);
  const asked = drawQuestion(scene, state, table.choosing, answering(table), !!state.end);
  if (asked) return asked;
  if (state.end && !table.queue.length) return ended(table, state);
  const waits = state.seats.filter(s => s.doing === "asked" || s.doing === "thinking");
  const chosen = state.mine.some(i => state.seats[i]?.doing === "chosen");
  const names = waits.map(s => table.name(s.seat)).join(", ");
  return [h("div.ask", { key: "ask" }, h("h2", {}, names ? w("waitFor", names) : w("watching"), h("span.dots", { "aria-hidden": true }, h("i", {}), h("i", {}), h("i", {}))), h("p.why", {}, chosen ? w("youChose") : state.now.text ?? "")),
    table.queue.length ? h("div.acts", { key: "acts" }, h("button.btn", { type: "button", onclick: () => table.skip() }, icon("fast"), w("faster"))) : null];
}

/** What one may do about a question. @param {Table} table @returns {import("./options.js").Doing} */
const answering = table => ({ pick: key => table.pick(key), send: keys => table.send(keys), point: option => table.point(option ? `option:${option.key}` : null), widen: () => table.change({ about: null }), amount: n => table.change({ amount: n }) });

/** @param {Table} table @param {State} state */
function ended(table, state) {
  const end = state.end;
  if (!end) return null;
  const first = end.ranking.filter(r => r.place === 1).map(r => table.name(r.seat));
  const winners = first.length === end.ranking.length && first.length > 1 ? [] : first;
  const won = winners.length > 1 ? w("win", winners.join(` ${w("and")} `)) : winners.length ? w("wins", winners[0] ?? "") : w("gameOver");
  return [h("div.ask", { key: "ask" }, h("h2", {}, won), h("p.why", {}, [winners.length ? w("gameOver") : "", end.text, w("round", end.rounds)].filter(Boolean).join(" · "))),
    h("div.acts", { key: "acts" }, h("button.btn", { type: "button", onclick: () => {
      table.goTo(0);
      table.replaying = true;
    } }, icon("play"), w("replay")), state.may.download ? h("button.btn", { type: "button", onclick: () => table.download() }, icon("page"), h("span", {}, w("download"))) : null, h("a.btn.do", { href: "./" }, w("lobby")))];
}

/** Looking back: the same place as the question, with its own controls. @param {Table} table @param {State} state */
function past(table, state) {
  const at = table.past;
  if (!at) return null;
  const go = (/** @type {number | null} */ n) => () => n !== null && table.goTo(n);
  return [h("div.ask.looking", { key: "looking" }, h("h2", {}, w("moment", at.at, at.now)), h("p.why", {}, w("lookingBack"))),
    h("div.acts.history", { key: "history" },
      h("button.btn.icon", { type: "button", "aria-label": w("toStart"), disabled: at.before === null, onclick: go(0) }, icon("first")),
      h("button.btn.icon", { type: "button", "aria-label": w("earlier"), disabled: at.before === null, onclick: go(at.before) }, icon("back")),
      h("button.btn.icon", { type: "button", "aria-label": table.replaying ? w("pause") : w("replay"), "aria-pressed": String(table.replaying), onclick: () => table.replay() }, icon(table.replaying ? "pause" : "play")),
      h("button.btn.icon", { type: "button", "aria-label": w("later"), disabled: at.after === null, onclick: go(at.after) }, icon("on")),
      h("input.slider", { type: "range", min: 0, max: at.now, value: String(at.at), "aria-label": w("history"), onchange: (/** @type {any} */ e) => table.goTo(Number(e.target.value)) }),
      switchOf(w("speed"), [["slow", "½"], ["normal", "1"], ["fast", "3"], ["once", "9"]], table.settings.replay, v => table.set("replay", v)),
      h("button.btn.icon", { type: "button", "aria-label": w("share"), title: w("share"), onclick: () => table.share() }, icon("share")),
      h("button.btn.do", { type: "button", onclick: () => table.toNow() }, state.end ? w("close") : w("toNow")))];
}

/** @param {Table} table @param {State} state @param {Scene} scene */
function notices(table, state, scene) {
  const wish = state.undo.wish;
  const mine = wish && state.mine.includes(wish.seat);
  const asked = wish && wish.waits_for.some(i => state.mine.includes(i));
  const found = [
    table.wiring === "open" ? null : h("div.notice", { key: "wire", role: "status" }, w(table.wiring === "connecting" ? "connecting" : table.wiring)),
    wish ? h("div.notice.wish", { key: "wish", role: "alert" }, h("span", {}, mine ? w("wishMine") : w("wishUndo", scene.name(wish.seat))), asked ? [h("button.btn.do", { type: "button", onclick: () => table.wire.say({ type: "consent", yes: true }).catch(e => table.refused(e)) }, w("agree")), h("button.btn", { type: "button", onclick: () => table.wire.say({ type: "consent", yes: false }).catch(e => table.refused(e)) }, w("no"))] : null) : null,
    state.content ? h("div.notice", { key: "content", role: "alert" }, h("span", {}, state.content.text), state.content.still_there ? h("button.btn", { type: "button", onclick: () => table.wire.tell({ type: "content", go: "on" }) }, w("goOnOld")) : null, h("button.btn.do", { type: "button", onclick: () => table.wire.tell({ type: "content", go: "replay" }) }, w("replayNew"))) : null,
    state.problem ? h("div.notice.fault-notice", { key: "problem", role: "alert" }, h("b", {}, state.problem.text || w("problem")), h("ul", {}, state.problem.diagnostics.slice(0, 6).map((d, i) => h("li", { key: i }, h("code", {}, [d.file, d.line, d.column].filter(v => v !== null && v !== undefined).join(":")), " ", d.message, d.source ? h("pre", {}, d.source) : null, d.help ? h("span.soft", {}, ` ${d.help}`) : null)))) : null,
    table.notice ? h("div.notice", { key: "notice", role: "status" }, h("span", {}, table.notice), h("button.btn.quiet.icon", { type: "button", "aria-label": w("close"), onclick: () => {
      table.notice = "";
      table.later();
    } }, icon("cross"))) : null,
  ].filter(Boolean);
  return found.length ? h("div.notices", { key: "notices" }, found) : null;
}

/** @param {Table} table @param {import("./board.js").Board} board */
function held(table, board) {
  return h("div.map-box", { key: "map" }, { ...board.node, key: "svg", ready: (/** @type {Element} */ element) => table.camera.hold(element) });
}

/** Players who face each other across the board. @param {Table} table @param {State} state @param {Scene} scene @param {import("./board.js").Board | null} board */
function sides(table, state, scene, board) {
  const below = state.you ?? 0;
  const above = state.seats.map(s => s.seat).filter(i => i !== below);
  const bot = (/** @type {string} */ who) => table.bot(who);
  return h("div.face-to-face", { key: "sides" }, above.map(i => drawSide(scene, state, i, false, bot)), board ? held(table, board) : null, drawSide(scene, state, below, state.you !== null, bot));
}

/** @param {Table} table */
function dice(table) {
  if (!table.dice.length || table.past) return null;
  return h("div.tray", { key: `dice:${table.state?.n}`, role: "img", "aria-label": `${w("dice")}: ${table.dice.map(d => d.n).join(", ")}` },
    table.dice.map(({ n, look }, i) => (look ? h("span.rolled", { key: i }, tokenIcon({ fill: look.fill ?? "var(--raised)", ink: look.fill ? inkOn(look.fill) : "var(--ink)", edge: "var(--edge)", shape: look.shape ?? "square" }, n)) : h("span.die.rolled", { key: i }, String(n)))));
}

/** @param {Table} table @param {import("./board.js").Board | null} board */
function tools(table, board) {
  if (!board || table.scene?.book.look.seats === "facing") return null;
  // A small board that can be read as a whole is not covered on a small screen; two fingers still bring it nearer.
  if (table.scene?.narrow && !table.camera.at && table.camera.scale * board.letters >= 9.5) return null;
  return h("div.tools", { key: "tools" },
    h("button.btn.icon", { type: "button", "aria-label": w("zoomIn"), onclick: () => table.camera.zoom(1.4) }, icon("plus")),
    h("button.btn.icon", { type: "button", "aria-label": w("zoomOut"), onclick: () => table.camera.zoom(1 / 1.4) }, icon("minus")),
    h("button.btn.icon", { type: "button", "aria-label": w("zoomAll"), onclick: () => table.camera.look(null) }, icon("fit")));
}

/** A small picture of the whole, with what one looks at. @param {Table} table @param {import("./board.js").Board | null} board */
function mini(table, board) {
  const at = table.camera.at;
  if (!board || !at || table.scene?.book.look.seats === "facing") return null;
  const [x, y, width, height] = board.frame;
  return h("svg.mini", { key: "mini", viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": true },
    h("rect.ground", { x, y, width, height }),
    [...board.spots].map(([id, s]) => {
      const tint = table.scene?.book.spaceTint(id, table.scene.view.spaces[id]);
      return h("rect.spot", { key: id, x: s.x - s.w / 3, y: s.y - s.h / 3, width: s.w / 1.5, height: s.h / 1.5, style: tint ? { "--area": tint } : {} });
    }),
    h("rect.frame", { x: at[0], y: at[1], width: at[2], height: at[3] }));
}

/** What the mouse is over, to read. @param {Table} table @param {Scene} scene */
function peek(table, scene) {
  if (!table.pointed || scene.narrow || scene.book.look.seats === "facing") return null;
  const thing = table.pointed;
  if (!/^(piece|card):/.test(thing)) return null;
  const found = reading(scene, thing);
  return found ? h("div.peek", { key: "peek", "aria-hidden": true }, found.body) : null;
}

/** The card to read of a game where cards face each other. @param {Table} table @param {Scene} scene */
function readPanel(table, scene) {
  const chosen = [...scene.chosen][0];
  const wanted = [table.pointed, chosen].find(thing => thing && /^(piece|card):/.test(thing));
  const found = wanted ? reading(scene, wanted) : null;
  return found ? h("section.panel.read-panel", { key: "read" }, found.body) : null;
}

/** @param {Table} table @param {Scene} scene */
function optionPanel(table, scene) {
  if (!table.choosing.offer) return h("p.empty", {}, w(table.state?.end ? "gameOver" : "nothingAsked"));
  return drawOptions(scene, table.choosing, answering(table), table.hint);
}

/** @param {Table} table @param {State} state @param {Scene} scene */
function logPanel(table, state, scene) {
  const upTo = table.past?.at;
  const lines = upTo === undefined ? state.log : state.log.filter(l => l.n <= upTo);
  return [h("h2", { key: "head" }, w("log"), h("span.grow", {}), h("button.btn.quiet.small", { type: "button", onclick: () => table.history() }, icon("clock"), w("history"))),
    h("div.scroll", { key: "scroll", tabindex: "0", "aria-label": w("log"), role: "region", onscroll: (/** @type {any} */ e) => (table.logEnd = e.target.scrollHeight - e.target.scrollTop - e.target.clientHeight < 90) },
      drawLog(scene, lines, state.log_more, table.seen, () => table.wire.tell({ type: "log", before: state.log[0]?.n ?? 0 }), n => table.goTo(n))),
    h("div.chat", { key: "chat" }, drawChat(scene, state.chat, text => table.wire.say({ type: "say", text }).catch(e => table.refused(e))))];
}

/** After the end there is nothing to choose from. @param {Table} table @param {string} first */
const shownTab = (table, first) => (table.state?.end && table.tab === "options" ? first : table.tab || first);

/** @param {Table} table @param {boolean} yours @param {string} first */
function tabs(table, yours, first) {
  /** @type {[string, string, string, number][]} */
  const all = [["options", "options", "list", table.choosing.offer?.options.length ?? 0], ["players", "players", "people", 0], ["log", "log", "page", 0]];
  if (yours) all.splice(first === "dock" ? 0 : 1, 0, ["dock", "yours", "cards", 0]);
  if (table.state?.end) all.splice(all.findIndex(tab => tab[0] === "options"), 1);
  const now = shownTab(table, first);
  return all.map(([name, label, sign, n]) => h("button", { key: name, type: "button", "aria-pressed": String(now === name), onclick: () => {
    table.tab = name;
    table.later();
  } }, icon(sign), w(label), n ? h("span.n", {}, String(n)) : null));
}

/** @param {Table} table @param {State} state @param {Scene} scene */
function over(table, state, scene) {
  if (table.dialog === "menu") return menu(table, state);
  if (table.dialog === "sit") return sitDown(table, state);
  if (table.dialog === "invite") return invite(table, state);
  if (table.dialog === "everything") return everything(table, scene);
  const found = table.dialog === "read" && table.toRead ? reading(scene, table.toRead) : null;
  return found ? dialog(found.title, () => table.open(null), found.body) : null;
}
