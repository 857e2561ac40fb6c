// What opens over the table: the menu, sitting down, links to hand out, everything that lies on the table, a thing to read.
import { h } from "./dom.js";
import { readCard, seatToken } from "./cards.js";
import { icon, tokenIcon } from "./icons.js";
import { SEATS } from "./book.js";
import { currentLang, t, w } from "./words.js";
import { allZones, drawZone } from "./zones.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Piece} Piece
 * @typedef {import("./dom.js").Child} Child
 */

/** @param {string} title @param {() => void} close @param {...Child} children */
export function dialog(title, close, ...children) {
  return h("dialog.dialog", { key: `dialog:${title}`, "aria-label": title, onclose: close, onclick: (/** @type {any} */ e) => e.target === e.currentTarget && close(), ready: (/** @type {Element} */ element) => {
    const d = /** @type {HTMLDialogElement} */ (element);
    if (!d.open && d.isConnected) d.showModal();
  } }, h("div.dialog-in", {}, h("header", {}, h("h2", {}, title), h("button.btn.icon.quiet", { type: "button", "aria-label": w("close"), onclick: close }, icon("cross"))), children));
}

/** A row of choices of which one holds. @param {string} label @param {[string, string][]} all @param {string} now @param {(value: string) => void} set */
export function switchOf(label, all, now, set) {
  return h("div.switch", { key: label, role: "group", "aria-label": label }, all.map(([value, text]) => h("button.btn", { key: value, type: "button", "aria-pressed": String(value === now), onclick: () => set(value) }, text)));
}

/** Where the rulebook of a game is. @param {string | null | undefined} declaration */
export const rulesOf = declaration => `rules/${encodeURIComponent(declaration ?? "")}?lang=${currentLang()}`;

/** @param {string} label @param {Child} control */
const row = (label, control) => h("div.set-row", { key: label }, h("span", {}, label), control);

/**
 * @param {import("./table.js").Table} table @param {State} state
 */
export function menu(table, state) {
  const { settings } = table;
  return dialog(w("menu"), () => table.open(null),
    h("div.menu-list", {},
      state.links ? h("button.btn", { key: "invite", type: "button", onclick: () => table.open("invite") }, icon("people"), w("invite")) : null,
      state.mine.length ? h("button.btn", { key: "sit", type: "button", onclick: () => table.open("sit") }, icon("person"), w("changeName")) : null,
      h("button.btn", { key: "all", type: "button", onclick: () => table.open("everything") }, icon("eye"), w("everything")),
      h("a.btn", { key: "rules", href: rulesOf(table.state?.declaration), target: "_blank" }, icon("page"), w("rules")),
      h("button.btn", { key: "past", type: "button", onclick: () => table.history() }, icon("clock"), w("history")),
      h("button.btn", { key: "save", type: "button", disabled: !state.may.download, title: state.may.download ? null : w("downloadNot"), onclick: () => table.download() }, icon("page"), w("download")),
      h("a.btn", { key: "lobby", href: "./" }, icon("mark"), w("lobby"))),
    state.mine.length > 1 ? row(w("yourSeats"), h("div.switch", {}, state.mine.map(seat => h("button.btn", { key: seat, type: "button", "aria-pressed": String(seat === state.you), onclick: () => table.lookFrom(seat) }, table.name(seat))))) : null,
    row(w("language"), switchOf(w("language"), [["es", "Español"], ["en", "English"]], currentLang(), v => table.speak(v === "es" ? "es" : "en"))),
    row(w("theme"), switchOf(w("theme"), [["auto", w("themeAuto")], ["light", w("themeLight")], ["dark", w("themeDark")]], settings.theme, v => table.set("theme", v))),
    row(w("botsSpeed"), switchOf(w("botsSpeed"), [["slow", w("speedSlow")], ["normal", w("speedNormal")], ["fast", w("speedFast")], ["once", w("speedOnce")]], settings.pace, v => table.set("pace", v))),
    h("label.check", { key: "confirm" }, h("input", { type: "checkbox", checked: settings.confirm === "yes", onchange: (/** @type {any} */ e) => table.set("confirm", e.target.checked ? "yes" : "no") }), w("confirm")),
    h("p.soft.small", { key: "keys" }, h("b", {}, `${w("keys")}: `), w("keysHelp")));
}

/** @param {import("./table.js").Table} table @param {State} state */
export function sitDown(table, state) {
  const seat = state.mine.find(i => !state.seats[i]?.name) ?? state.mine[0] ?? 0;
  const now = state.seats[seat];
  const taken = new Set(state.seats.filter(s => s.seat !== seat).map(s => s.color));
  const fixed = !!table.book?.look.players?.color;
  return dialog(w("sitDown"), () => table.open(null), h("form.sit", { onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.target.elements;
    table.sit(seat, form.name.value.trim(), form.color?.value || null);
  } },
    state.mine.length > 1 ? h("p.soft", {}, w("seat", seat + 1)) : null,
    h("label.field", {}, h("span", {}, w("yourName")), h("input", { name: "name", required: true, maxlength: 24, autocomplete: "nickname", value: now?.name ?? table.settings.name })),
    fixed ? null : h("fieldset.colors", {}, h("legend", {}, w("yourColor")), Object.entries(SEATS).map(([word, color]) => h("label", { key: word, class: taken.has(word) ? "taken" : "" },
      h("input", { type: "radio", name: "color", value: word, checked: now?.color === word, disabled: taken.has(word) }), tokenIcon({ ...color, edge: "var(--edge)" }), h("span", {}, w(word))))),
    table.refusal ? h("p.fault", { role: "alert" }, table.refusal) : null,
    h("div.acts", {}, h("button.btn", { type: "button", onclick: () => table.open(null) }, w("notNow")), h("button.btn.do", { type: "submit" }, w("sit")))));
}

/** @param {import("./table.js").Table} table @param {State} state */
export function invite(table, state) {
  const address = (/** @type {string} */ key) => new URL(`table#${key}`, location.href).href;
  const line = (/** @type {string} */ name, /** @type {string} */ key, /** @type {Child} */ sign) => h("li", { key }, sign, h("span", {}, name), h("input", { readonly: true, value: address(key), "aria-label": name, onfocus: (/** @type {any} */ e) => e.target.select() }), h("button.btn", { type: "button", onclick: () => table.copy(address(key)) }, w("copy")));
  return dialog(w("invite"), () => table.open(null), h("p", {}, w("inviteHelp")),
    h("ul.links", {}, (state.links?.seats ?? []).map(l => line(table.name(l.seat), l.key, table.scene ? seatToken(table.scene, l.seat) : null)), state.links ? line(w("watchLink"), state.links.watch, icon("eye")) : null),
    table.flash ? h("p.fine", { role: "status" }, table.flash) : null);
}

/** @param {import("./table.js").Table} table @param {Scene} scene */
export function everything(table, scene) {
  const zones = allZones(scene).filter(z => z.zone.count > 0 && scene.book.zone(z.name)?.of !== "space");
  const groups = ["game", ...scene.view.players.map((_, i) => `p${i}`)];
  return dialog(w("everything"), () => table.open(null), groups.map(owner => {
    const seat = owner === "game" ? null : Number(owner.slice(1));
    const held = seat === null ? scene.view.game : scene.view.players[seat];
    return h("section.whole", { key: owner }, h("h3", {}, seat === null ? t(scene.book.declaration.title) : [seatToken(scene, seat), scene.name(seat)]),
      values(scene, seat === null ? "game" : "player", held ?? {}),
      h("div.zones-in", {}, zones.filter(z => z.owner === owner).map(z => drawZone(scene, z.owner, z.name, z.zone, { place: "menu", form: z.zone.pieces ? "tiles" : "pile", look: {} }))));
  }));
}

/** Every declared value that has a text, in words. @param {Scene} scene @param {string} of @param {Record<string, any>} held */
function values(scene, of, held) {
  const told = (scene.book.attributes[of] ?? []).filter(a => a.text && held[a.name] !== undefined && held[a.name] !== null);
  if (!told.length) return null;
  return h("dl.values", {}, told.map(a => h("div", { key: a.name }, h("dt", {}, t(a.text)), h("dd", {}, valueText(scene, a, held[a.name])))));
}

/** @param {Scene} scene @param {import("./types.js").Attribute} attribute @param {any} value */
function valueText(scene, attribute, value) {
  if (Array.isArray(value)) return value.map((v, seat) => `${scene.name(seat)} ${scene.book.show(v, attribute, scene.name)}`).join(" · ");
  if (value && typeof value === "object") return Object.entries(value).map(([word, v]) => `${scene.book.word(word)} ${v}`).join(" · ");
  return scene.book.show(value, attribute, scene.name);
}

/** A thing to read: a card with its whole text, a space or a player with all one may know. @param {Scene} scene @param {string} thing */
export function reading(scene, thing) {
  const at = thing.indexOf(":");
  const [kind, id] = [thing.slice(0, at), thing.slice(at + 1)];
  if (kind === "card") return { title: scene.book.cardName(id), body: readCard(scene, id, null) };
  if (kind === "piece") {
    const piece = allZones(scene).flatMap(z => z.zone.pieces ?? []).find(p => p && String(p.key) === id);
    return piece ? { title: piece.name, body: readCard(scene, piece.card, piece) } : null;
  }
  if (kind === "space" && scene.view.spaces[id]) return { title: scene.book.spaceName(id), body: readSpace(scene, id) };
  if (kind === "player") {
    const seat = Number(id);
    const zones = allZones(scene).filter(z => z.owner === `p${seat}` && z.zone.count > 0);
    return { title: scene.name(seat), body: h("div.read", {}, values(scene, "player", scene.view.players[seat] ?? {}), h("div.zones-in", {}, zones.map(z => drawZone(scene, z.owner, z.name, z.zone, { place: "menu", form: z.zone.pieces ? "tiles" : "pile", look: {} })))) };
  }
  return null;
}

/** @param {Scene} scene @param {string} id */
function readSpace(scene, id) {
  const space = scene.book.map?.spaces[id];
  const held = scene.view.spaces[id] ?? {};
  const tint = scene.book.spaceTint(id, held);
  const fields = (scene.book.map?.fields.space ?? []).filter(f => space && space.fields[f.name] !== undefined && space.fields[f.name] !== null && space.fields[f.name] !== false && !(Array.isArray(space.fields[f.name]) && !space.fields[f.name].length) && (f.text || scene.book.look.space?.corners?.includes(f.name)));
  const zones = Object.entries(held.zones ?? {}).filter(([, zone]) => zone.count > 0);
  return h("div.read", { style: tint ? { "--tint": tint } : {} }, h("span.name", {}, scene.book.spaceName(id)), space?.area ? h("span.line", {}, scene.book.areaName(space.area)) : null,
    h("dl", {}, fields.map(f => h("div", { key: f.name }, h("dt", {}, t(f.text) || scene.book.word(f.name)), h("dd", {}, scene.book.show(space?.fields[f.name], f, scene.name))))),
    values(scene, "space", held), zones.map(([name, zone]) => drawZone(scene, id, name, zone, { place: "menu", form: zone.pieces ? "tiles" : "pile", look: {} })));
}
