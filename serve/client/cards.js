// Cards in their forms: a face in the hand, a tile where it lies, a chip beside a name, a die, a sheet to read.
// All are made of the same declared fields; the look says which of them and in which order.
import { h } from "./dom.js";
import { hasIcon, icon, tokenIcon } from "./icons.js";
import { asThing } from "./things.js";
import { t, w } from "./words.js";

/**
 * @typedef {import("./types.js").Piece} Piece
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./dom.js").Child} Child
 */

/** @param {Scene} scene @param {Piece} piece */
function card(scene, piece) {
  const declared = scene.book.declaration.cards[piece.card];
  return { kind: declared?.kind ?? "", look: scene.book.kindLook(declared?.kind ?? ""), fields: declared?.fields ?? {}, text: t(declared?.text) };
}

/** The names under which a piece may be offered. @param {Piece} piece */
export const namesOf = piece => [`piece:${piece.key}`, `card:${piece.card}`];

/** What a piece is called: its own name, as the view has it. @param {Scene} scene @param {Piece} piece */
const nameOf = (scene, piece) => piece.name || scene.book.cardName(piece.card);

/** @param {Scene} scene @param {Piece} piece @param {string} form @returns {Record<string, any>} */
function frame(scene, piece, form) {
  const live = asThing(scene, namesOf(piece), nameOf(scene, piece));
  const offered = scene.lit.size > 0;
  const tint = scene.book.cardTint(piece.card);
  const owner = piece.owner;
  return {
    ...live,
    key: `piece:${piece.key}`,
    "data-glide": `piece:${piece.key}`,
    class: `${form} ${live.class} ${form === "face" && offered && !live.role ? "cannot" : ""}`,
    style: { ...(tint ? { "--tint": tint } : {}), ...(owner !== undefined && owner !== null ? { "--p": scene.colors[owner]?.fill ?? "" } : {}) },
    "aria-label": null,
    title: nameOf(scene, piece),
  };
}

/** The fields a form shows where the look names none. @param {Scene} scene @param {string} kind @param {string} form @returns {string[]} */
function usual(scene, kind, form) {
  const fields = scene.book.declaration.kinds[kind]?.fields ?? [];
  const told = fields.filter(f => f.text && ["int", "word", "words", "ints", "bool", "space", "area"].includes(f.type)).map(f => f.name);
  if (form === "face") return ["name", ...told.slice(0, 4), "text"];
  return ["name", ...told.slice(0, 2)];
}

/**
 * One line of a card.
 * @param {Scene} scene @param {Piece} piece @param {string} spec @param {string} form @returns {Child}
 */
function line(scene, piece, spec, form) {
  const { book } = scene;
  const { kind, look, text } = card(scene, piece);
  if (spec === "name") return h("span.name", {}, nameOf(scene, piece));
  if (spec === "text") return text ? h("span.txt", {}, h("span", {}, text)) : null;
  if (spec.includes("*")) return times(scene, piece, spec);
  if (spec.includes("→")) return h("span.pair", {}, spec.split("→").map(part => String(book.cardValue(piece.card, part) ?? "–")).join("→"));
  const value = book.cardValue(piece.card, spec);
  if (value === null || value === undefined || value === "" || look.hide?.[spec] === value) return null;
  if (look.row?.[spec] && Array.isArray(value)) return row(scene, piece, look.row[spec], value, look.plus?.[spec]);
  const field = book.cardField(kind, spec);
  const shown = look.icons?.[spec];
  if (shown && hasIcon(shown)) return h("span.fact", { title: fieldName(scene, kind, spec) }, icon(shown), String(value));
  if (Array.isArray(value)) return words(scene, value, field, form);
  if (typeof value === "string" && (field?.type === "word" || spec.includes("."))) return words(scene, [value], field, form);
  const said = book.show(value, field, scene.name);
  if (!said) return null;
  return field?.type === "int" && look.big !== spec ? h("span.line", {}, `${fieldName(scene, kind, spec)} `, h("b", {}, said)) : h("span.line", {}, said);
}

/** @param {Scene} scene @param {string} kind @param {string} name */
function fieldName(scene, kind, name) {
  return t(scene.book.cardField(kind, name)?.text) || scene.book.word(name);
}

/** A word's icon as many times as a number says: "fuel*needs". @param {Scene} scene @param {Piece} piece @param {string} spec */
function times(scene, piece, spec) {
  const [a = "", b = ""] = spec.split("*");
  const word = String(scene.book.cardValue(piece.card, a) ?? "");
  const n = Number(scene.book.cardValue(piece.card, b) ?? 1);
  const name = scene.book.iconOf(word);
  const tint = scene.book.colorOf(word);
  const label = `${n > 0 ? `${n} ` : ""}${scene.book.word(word)}`;
  if (!name) return h("span.line", {}, label);
  const drawn = n === 0 ? 1 : Math.min(n, 4);
  return h("span.need", { title: label, "aria-label": label, role: "img", style: tint ? { "--tint": tint } : {} },
    Array.from({ length: drawn }, (_, i) => icon(name, { key: `i${i}` })), n > 4 ? `×${n}` : null);
}

/** Numbers with an icon each. @param {Scene} scene @param {Piece} piece @param {string[]} named @param {any[]} values @param {string | undefined} plus */
function row(scene, piece, named, values, plus) {
  const more = plus ? Number(piece[plus] ?? 0) : 0;
  return h("span.stats", {}, named.map((word, i) => {
    const n = Number(values[i] ?? 0) + more;
    const tint = scene.book.colorOf(word);
    const name = scene.book.iconOf(word) ?? (hasIcon(word) ? word : null);
    return h("span", { key: word, class: n === 0 ? "zero" : "", title: scene.book.word(word), style: tint ? { "--tint": tint } : {} },
      name ? icon(name, { class: "tinted" }) : scene.book.word(word), String(n));
  }));
}

/** @param {Scene} scene @param {any[]} values @param {any} field @param {string} form */
function words(scene, values, field, form) {
  if (!values.length) return null;
  const drawn = values.map(v => (typeof v === "string" ? scene.book.iconOf(v) : null));
  const said = values.map(v => scene.book.show(v, field ?? { type: "word" }, scene.name));
  const icons = drawn.every(Boolean) && (form !== "face" || values.length > 1 || field?.type === "words");
  if (!icons) return h("span.line", {}, [...new Set(said)].map(one => [said.filter(other => other === one).length, one]).map(([n, one]) => (n === 1 ? one : `${n} × ${one}`)).join(" · "));
  return h("span.signs", { role: "img", "aria-label": said.join(", "), title: said.join(", ") }, drawn.map((name, i) => {
    const tint = scene.book.colorOf(values[i]);
    return icon(name ?? "", { key: `s${i}`, class: tint ? "tinted" : "", style: tint ? { "--tint": tint } : {} });
  }));
}

/** What has happened to a piece: counters and states, each with a sign. @param {Scene} scene @param {Piece} piece */
function marks(scene, piece) {
  const { look } = card(scene, piece);
  /** @type {Record<string, string>} */
  const named = look.marks ?? Object.fromEntries(scene.book.attributes.piece?.filter(a => a.text && ["int", "bool"].includes(a.type)).map(a => [a.name, "number"]) ?? []);
  const found = Object.entries(named).filter(([name]) => piece[name] && piece[name] !== true || piece[name] === true);
  if (!found.length) return null;
  return h("span.marks", {}, found.map(([name, sign]) => {
    const value = piece[name];
    const label = scene.book.attributeName("piece", name);
    const said = typeof value === "number" ? `${label}: ${value}` : label;
    return h("span.mk", { key: name, title: said, "aria-label": said, role: "img" },
      sign !== "number" && hasIcon(sign) ? icon(sign) : value === true ? label : null, typeof value === "number" && (value > 1 || sign === "number") ? String(value) : null);
  }));
}

/** @param {Scene} scene @param {Piece} piece */
function corners(scene, piece) {
  const { look } = card(scene, piece);
  if (look.big) return h("span.big", {}, String(scene.book.cardValue(piece.card, look.big) ?? ""));
  if (!look.corner) return null;
  return h("span.costs", {}, ["left", "right"].map(side => {
    const value = look.corner[side] ? scene.book.cardValue(piece.card, look.corner[side]) : null;
    const sign = look.corner_icons?.[side];
    return value === null || value === undefined ? null : h("span.cost", { key: side, class: side }, sign && hasIcon(sign) ? icon(sign) : null, String(value));
  }));
}

/** @param {Scene} scene @param {Piece} piece */
function picture(scene, piece) {
  const { look, fields } = card(scene, piece);
  const named = look.picture ? scene.book.files[String(fields[look.picture] ?? look.picture)] : null;
  return named ? h("img.picture", { src: named, alt: "", loading: "lazy" }) : null;
}

/** A card as it is held in the hand. @param {Scene} scene @param {Piece} piece */
export function face(scene, piece) {
  const { kind, look } = card(scene, piece);
  if (look.form === "die") return die(scene, piece);
  const shown = look.face ?? usual(scene, kind, "face");
  const emblem = scene.book.cardIcon(piece.card);
  return h("div", frame(scene, piece, look.big ? "face card plain" : "face card"),
    corners(scene, piece), picture(scene, piece), shown.map((/** @type {string} */ spec) => line(scene, piece, spec, "face")),
    emblem ? icon(emblem, { class: "emblem" }) : null, marks(scene, piece));
}

/** A card where it lies. @param {Scene} scene @param {Piece} piece @param {number} [count] How many equal ones it stands for. */
export function tile(scene, piece, count = 1) {
  const { kind, look } = card(scene, piece);
  if (look.form === "die") return die(scene, piece);
  const shown = look.tile ?? (look.big ? [...(look.face ?? [])] : usual(scene, kind, "tile"));
  const emblem = scene.book.cardIcon(piece.card);
  return h("div", frame(scene, piece, "tile"),
    emblem ? icon(emblem, { class: "sign" }) : null, look.big ? corners(scene, piece) : null,
    h("span.lines", {}, shown.map((/** @type {string} */ spec) => line(scene, piece, spec, "tile"))),
    marks(scene, piece), count > 1 ? h("span.times", {}, `×${count}`) : null);
}

/** A card beside a name. @param {Scene} scene @param {Piece} piece */
export function chip(scene, piece) {
  const { look } = card(scene, piece);
  if (look.form === "die") return die(scene, piece);
  const shown = look.chip ?? ["name"];
  return h("span", frame(scene, piece, "chip"), shown.map((/** @type {string} */ spec) => chipPart(scene, piece, spec)), marks(scene, piece));
}

/** @param {Scene} scene @param {Piece} piece @param {string} spec @returns {Child} */
function chipPart(scene, piece, spec) {
  if (spec === "name" || spec.includes("→") || spec.includes("*")) return line(scene, piece, spec, "chip");
  const value = scene.book.cardValue(piece.card, spec);
  if (typeof value === "number") return h("b", {}, String(value));
  return line(scene, piece, spec, "chip");
}

/** A piece that shows a number. @param {Scene} scene @param {Piece} piece */
export function die(scene, piece) {
  const { look } = card(scene, piece);
  const color = piece.owner !== undefined && piece.owner !== null ? scene.colors[piece.owner] : undefined;
  const props = frame(scene, piece, "die");
  return h("span", { ...props, style: { ...props.style, ...(color ? { "--p": color.fill, "--p-ink": color.ink } : {}) } }, String(piece[look.number ?? "value"] ?? "–"));
}

/** A card whose whole text stands there. @param {Scene} scene @param {Piece} piece */
export function sheet(scene, piece) {
  const { text } = card(scene, piece);
  const emblem = scene.book.cardIcon(piece.card);
  const name = nameOf(scene, piece);
  return h("div", frame(scene, piece, "sheet"), emblem ? icon(emblem, { class: "sign large" }) : null,
    h("span.lines", {}, h("span.name", {}, name), text && text !== name ? h("span.txt", {}, text) : null, details(scene, piece)), marks(scene, piece));
}

/** Attributes of the piece itself that people may read. @param {Scene} scene @param {Piece} piece */
function details(scene, piece) {
  const told = (scene.book.attributes.piece ?? []).filter(a => piece[a.name] !== undefined && piece[a.name] !== null && ["player", "space", "area", "card", "word"].includes(a.type));
  if (!told.length) return null;
  return h("span.line", {}, told.map(a => scene.book.show(piece[a.name], a, scene.name)).join(" · "));
}

/** @param {Scene} scene @param {string} id @param {Piece | null} piece */
export function readCard(scene, id, piece) {
  const { book } = scene;
  const declared = book.declaration.cards[id];
  if (!declared) return null;
  const tint = book.cardTint(id);
  const look = book.kindLook(declared.kind);
  const as = piece ?? { key: -1, card: id, name: t(declared.name) };
  const facts = (book.declaration.kinds[declared.kind]?.fields ?? []).filter(f => !["cards", "table", "ints"].includes(f.type) && (f.text || look.face?.includes(f.name) || look.tile?.includes(f.name)));
  const rows = Object.keys(look.row ?? {}).map(spec => line(scene, as, spec, "read"));
  return h("div.read", { style: tint ? { "--tint": tint } : {} },
    h("span.name", {}, nameOf(scene, as)), corners(scene, as),
    h("span.line", {}, t(book.declaration.kinds[declared.kind]?.text) || book.word(declared.kind)),
    h("dl", {}, facts.map(f => {
      const value = declared.fields[f.name];
      if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return null;
      return h("div", { key: f.name }, h("dt", {}, fieldName(scene, declared.kind, f.name)), h("dd", {}, book.show(value, f, scene.name)));
    })),
    declared.text ? h("p", {}, t(declared.text)) : null, rows, piece ? marks(scene, piece) : null);
}

/** A card nobody here sees. @param {string} key @param {string | null} [tint] */
export const back = (key, tint) => h("span.back", { key, "aria-hidden": true, style: tint ? { "--tint": tint } : {} });

/** A seat's token with its number. @param {Scene} scene @param {number} seat */
export const seatToken = (scene, seat) => tokenIcon(scene.colors[seat] ?? { fill: "#888888", ink: "#ffffff", shape: "circle" }, seat + 1);

/** @param {number} n */
export const hiddenCount = n => w("hidden", n);
