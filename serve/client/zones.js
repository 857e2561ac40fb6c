// Zones in their forms, and where each of them lies: below the board, above it, beside a player, or in the menu.
import { h } from "./dom.js";
import { back, chip, die, face, hiddenCount, namesOf, sheet, tile } from "./cards.js";
import { icon } from "./icons.js";
import { priceTrack } from "./tracks.js";
import { asThing } from "./things.js";
import { t, w } from "./words.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").Zone} Zone
 * @typedef {import("./types.js").Piece} Piece
 * @typedef {{ place: string, form: string, look: Record<string, any> }} Placing
 */

/** Where a zone is shown and how, by the look or by its declaration. @param {Scene} scene @param {string} name @returns {Placing} */
export function placing(scene, name) {
  const { book } = scene;
  const look = book.look.zones?.[name] ?? {};
  const inRows = (book.look.players?.rows ?? []).some((/** @type {string[]} */ row) => row.includes(name));
  if (inRows) return { place: "rows", form: look.form ?? "tiles", look };
  const declared = book.zone(name);
  const hidden = declared?.visible === "nobody";
  const form = look.form ?? (hidden ? "pile" : declared?.visible === "owner" ? "row" : "tiles");
  if (look.place) return { place: look.place, form, look };
  if (book.look.zones) return { place: "menu", form, look };
  return { place: declared?.of === "space" ? "board" : "dock", form, look };
}

/** @param {Zone | undefined} zone @returns {(Piece | null)[]} */
const piecesOf = zone => zone?.pieces ?? [];

/**
 * A zone with its heading.
 * @param {Scene} scene @param {string} owner  `game`, `p0` or a space.
 * @param {string} name @param {Zone} zone @param {Placing} [where]
 */
export function drawZone(scene, owner, name, zone, where = placing(scene, name)) {
  const { form, look } = where;
  const address = `${owner}.${name}`;
  const label = scene.book.zoneName(name);
  const live = asThing(scene, `zone:${address}`, label);
  const figure = look.figure ? figureOf(scene, owner, look.figure) : null;
  const body = drawForm(scene, owner, name, zone, form, look);
  return h("section.zone", { key: address, "data-zone": address, ...(live.role ? live : {}), "aria-label": null, class: `form-${form} ${live.role ? live.class : ""} ${zone.count === 0 ? "is-empty" : ""}` },
    h("h3", {}, h("span", {}, label), look.top || (form === "sheet" && zone.count <= 1) ? null : h("b", {}, String(zone.count)), figure), body);
}

/** Numbers the rules compute for a zone, with the icons of a kind's row. @param {Scene} scene @param {string} owner @param {string} name */
function figureOf(scene, owner, name) {
  const all = scene.figures?.[name];
  const mine = owner.startsWith("p") && Array.isArray(all) ? all[Number(owner.slice(1))] : all;
  if (!Array.isArray(mine)) return typeof mine === "number" ? h("span.figure", {}, String(mine)) : null;
  const signs = Object.values(scene.book.look.kinds ?? {}).map(kind => Object.values(/** @type {any} */ (kind).row ?? {})[0]).find(row => Array.isArray(row) && row.length === mine.length);
  return h("span.stats.figure", {}, mine.map((n, i) => {
    const word = Array.isArray(signs) ? signs[i] : "";
    const sign = scene.book.iconOf(word);
    const tint = scene.book.colorOf(word);
    return h("span", { key: i, class: n ? "" : "zero", style: tint ? { "--tint": tint } : {} }, sign ? icon(sign, { class: "tinted" }) : null, String(n));
  }));
}

/** @param {Scene} scene @param {string} owner @param {string} name @param {Zone} zone @param {string} form @param {Record<string, any>} look */
function drawForm(scene, owner, name, zone, form, look) {
  const all = piecesOf(zone);
  const shown = look.top ? all.slice(0, look.top) : all;
  const unseen = zone.count - all.length;
  if (form === "pile") return pile(scene, zone, look);
  if (form === "counters") return counters(scene, owner, zone);
  if (zone.count === 0) return h("p.empty", {}, w("noneThere"));
  if (!all.length) return h("div.backs", { "aria-label": hiddenCount(zone.count), role: "img" }, Array.from({ length: Math.min(5, zone.count) }, (_, i) => back(`b${i}`)), h("span.count", {}, String(zone.count)), onTop(scene, zone));
  const split = look.split ? splitAt(scene, look.split) : null;
  const body = form === "tiles" ? tiles(scene, shown) : form === "row" && split !== null ? parted(scene, shown, split, look.then) : shown.map((p, i) => (p ? inForm(scene, p, form) : back(`h${i}`)));
  return h("div", { class: `in-${form}`, style: form === "fan" ? { "--n": String(Math.max(1, shown.length - 1)) } : {} }, body, unseen > 0 && form !== "sheet" ? h("span.count", { key: "more" }, `+${unseen}`) : null);
}

/** @param {Scene} scene @param {Piece} piece @param {string} form */
function inForm(scene, piece, form) {
  if (form === "sheet") return sheet(scene, piece);
  if (form === "chips") return chip(scene, piece);
  if (form === "dice") return die(scene, piece);
  return face(scene, piece);
}

/** Equal pieces that cannot be chosen are one tile. @param {Scene} scene @param {(Piece | null)[]} all */
function tiles(scene, all) {
  /** @type {{ piece: Piece, count: number }[]} */
  const groups = [];
  for (const [i, piece] of all.entries()) {
    if (!piece) {
      groups.push({ piece: { key: -1 - i, card: "", name: "" }, count: 0 });
      continue;
    }
    const { key: _, ...rest } = piece;
    const offered = namesOf(piece).some(name => scene.lit.has(name));
    const same = offered ? undefined : groups.find(g => {
      const { key: __, ...other } = g.piece;
      return g.count > 0 && !namesOf(g.piece).some(name => scene.lit.has(name)) && JSON.stringify(other) === JSON.stringify(rest);
    });
    if (same) same.count += 1;
    else groups.push({ piece, count: 1 });
  }
  return groups.map(g => (g.count ? tile(scene, g.piece, g.count) : back(`h${g.piece.key}`)));
}

/** How many of a row come first: a figure of the rules, or a parameter. @param {Scene} scene @param {string} name @returns {number | null} */
function splitAt(scene, name) {
  const value = scene.figures?.[name] ?? scene.book.declaration.parameters[name] ?? scene.book.declaration.tables[name];
  return typeof value === "number" ? value : null;
}

/** @param {Scene} scene @param {(Piece | null)[]} all @param {number} at @param {any} then */
function parted(scene, all, at, then) {
  const draw = (/** @type {(Piece | null)[]} */ some) => some.map((p, i) => (p ? face(scene, p) : back(`h${i}`)));
  return [draw(all.slice(0, at)), all.length > at ? h("div.later", { key: "later" }, h("span.then", {}, t(then)), h("div.in-row", {}, draw(all.slice(at)))) : null];
}

/** What the back on top of a pile tells. @param {Scene} scene @param {Zone} zone */
const onTop = (scene, zone) => (zone.back ? h("small", { key: "back" }, t(scene.book.declaration.kinds[zone.back]?.text)) : null);

/** @param {Scene} scene @param {Zone} zone @param {Record<string, any>} look */
function pile(scene, zone, look) {
  const top = piecesOf(zone)[0];
  return h("div.stack", {}, top && look.open ? chip(scene, top) : zone.count ? back("top", top ? scene.book.cardTint(top.card) : null) : h("span.none", {}), h("b", {}, String(zone.count)), onTop(scene, zone));
}

/** Tokens that are ready or spent: an attribute against the size of a zone. @param {Scene} scene @param {string} owner @param {Zone} zone */
function counters(scene, owner, zone) {
  const declared = scene.book.look.players?.counters ?? {};
  const seat = owner.startsWith("p") ? Number(owner.slice(1)) : -1;
  const on = Number(scene.view.players[seat]?.[declared.on] ?? zone.count);
  return h("div.orbs", { role: "img", "aria-label": `${on} / ${zone.count}`, title: `${on} / ${zone.count}` },
    zone.count > 14 ? h("b", {}, `${on} / ${zone.count}`) : Array.from({ length: zone.count }, (_, i) => h("i", { key: i, class: i < on ? "on" : "" })));
}

/** @typedef {{ owner: string, name: string, zone: Zone }} Placed */

/** All zones of the table, in the order they are declared. @param {Scene} scene @returns {Placed[]} */
export function allZones(scene) {
  const { view } = scene;
  /** @type {Placed[]} */
  const found = [];
  for (const { name, of } of scene.book.zones) {
    if (of === "game" && view.game.zones?.[name]) found.push({ owner: "game", name, zone: /** @type {Zone} */ (view.game.zones[name]) });
    if (of === "player") view.players.forEach((player, seat) => player.zones?.[name] && found.push({ owner: `p${seat}`, name, zone: /** @type {Zone} */ (player.zones[name]) }));
    if (of === "space") for (const [id, space] of Object.entries(view.spaces)) if (space.zones?.[name]) found.push({ owner: id, name, zone: /** @type {Zone} */ (space.zones[name]) });
  }
  return found;
}

/** Whether something in a zone may be chosen now. @param {Scene} scene @param {Placed} placed */
function offers(scene, { owner, name, zone }) {
  if (scene.lit.has(`zone:${owner}.${name}`)) return true;
  return (zone.pieces ?? []).some(p => p && scene.lit.has(`piece:${p.key}`));
}

/** Whether the dock keeps room for cards, so that the board does not jump when they come and go. @param {Scene} scene */
export const tallDock = scene => !Object.values(scene.book.look.kinds ?? {}).some(k => k.big) && scene.book.zones.some(z => z.of !== "space" && ["dock", "rows"].includes(placing(scene, z.name).place) && ["row", "fan"].includes(placing(scene, z.name).form));

/** What lies below the board: what is yours, the markets, and whatever a choice is about that is shown nowhere else. @param {Scene} scene */
export function dock(scene) {
  const mine = `p${scene.you}`;
  const seen = allZones(scene).filter(z => {
    const { place } = placing(scene, z.name);
    if (place === "dock" && (z.owner === "game" || z.owner === mine)) return true;
    if (place === "rows") return z.owner === mine && isHand(scene, z.name);
    const onBoard = place === "board" && (z.owner !== "game" || scene.book.positions?.zones?.[z.name]);
    const shown = place === "player" || place === "board-top" || (onBoard && scene.book.zone(z.name)?.of === "space");
    return !shown && offers(scene, z);
  });
  const shown = seen.filter(z => z.zone.count > 0);
  const tracks = Object.entries(scene.book.look.tracks ?? {}).filter(([, track]) => track.stock).map(([name]) => priceTrack(scene, name));
  return [...shown.map(z => drawZone(scene, z.owner, z.name, z.zone)), offered(scene), ...tracks];
}

/** The row of a facing game that one holds in the hand. @param {Scene} scene @param {string} name */
export function isHand(scene, name) {
  const rows = scene.book.look.players?.rows ?? [];
  return (rows[rows.length - 1] ?? []).includes(name);
}

/** Cards that are offered without lying anywhere one can see. @param {Scene} scene */
function offered(scene) {
  const lying = new Set(allZones(scene).flatMap(z => (z.zone.pieces ?? []).flatMap(p => (p ? [`card:${p.card}`] : []))));
  const cards = [...scene.lit.keys()].filter(thing => thing.startsWith("card:") && !lying.has(thing) && scene.book.declaration.cards[thing.slice(5)]);
  if (!cards.length || cards.length > 40) return null;
  return h("section.zone", { key: "offered" }, h("h3", {}, w("offered")),
    h("div.in-row", {}, cards.map((thing, i) => face(scene, { key: -1000 - i, card: thing.slice(5), name: scene.book.cardName(thing.slice(5)) }))));
}

/** Zones that lie in a line above the board. @param {Scene} scene */
export function boardTop(scene) {
  const found = allZones(scene).filter(z => placing(scene, z.name).place === "board-top" && z.zone.count > 0);
  return found.length ? h("div.board-top", { key: "top" }, found.map(z => drawZone(scene, z.owner, z.name, z.zone))) : null;
}
