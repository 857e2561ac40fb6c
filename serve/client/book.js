// The book of a game: its declarations and its look, and the questions the table asks of them. It knows no game.
import { addIcons, hasIcon } from "./icons.js";
import { t, w } from "./words.js";

/**
 * @typedef {import("./types.js").Declaration} Declaration
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Owner} Owner
 * @typedef {import("./types.js").Piece} Piece
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").SeatColor} SeatColor
 * @typedef {import("./types.js").Attribute} Attribute
 * @typedef {import("./types.js").Values} Values
 */

/** Seats that a game says nothing about, in order; also the colours one may choose from. @type {Record<string, SeatColor>} */
export const SEATS = {
  red: { fill: "#bf3228", ink: "#ffffff", shape: "triangle" },
  blue: { fill: "#2362b4", ink: "#ffffff", shape: "shield" },
  yellow: { fill: "#f3c63a", ink: "#2b2000", shape: "diamond" },
  green: { fill: "#2d7a45", ink: "#ffffff", shape: "hexagon" },
  white: { fill: "#fffdf6", ink: "#2a241c", shape: "circle" },
  black: { fill: "#2e2c33", ink: "#ffffff", shape: "square" },
  orange: { fill: "#d9741b", ink: "#241300", shape: "star" },
  purple: { fill: "#6f3f9c", ink: "#ffffff", shape: "drop" },
};

const SPARE = ["#e3a95c", "#7d93d0", "#8fba4c", "#b07fc4", "#4fbfa0", "#e0857c", "#e6cb52", "#74a7dd", "#c98fae", "#9a8f6a"];

export class Book {
  /** @param {Declaration} declaration @param {string} pictures Where the pictures of this declaration are. */
  constructor(declaration, pictures = "") {
    this.declaration = declaration;
    /** @type {Values} */
    this.look = declaration.look ?? {};
    this.positions = declaration.positions ?? null;
    this.map = declaration.map;
    /** @type {Record<string, Attribute[]>} */
    this.attributes = declaration.attributes;
    this.zones = declaration.zones;
    /** @type {Record<string, string>} */
    const files = {};
    for (const name of Object.keys(this.look.pictures ?? {})) files[name] = pictures + encodeURIComponent(name);
    this.files = files;
    addIcons(this.look.paths ?? {}, files);
  }

  /** @param {string} of @param {string} name */
  attribute(of, name) {
    return (this.attributes[of] ?? []).find(a => a.name === name);
  }

  /** @param {string} name */
  zone(name) {
    return this.zones.find(z => z.name === name);
  }

  /** The look of a kind, with what it takes from another kind. @param {string} kind @returns {Values} */
  kindLook(kind) {
    const own = this.look.kinds?.[kind] ?? {};
    return own.like ? { ...(this.look.kinds?.[own.like] ?? {}), ...own } : own;
  }

  /** A word of the game for people; a word without a text is shown with blanks. @param {string} word */
  word(word) {
    const texts = this.declaration.texts ?? {};
    for (const room of ["option", "field", "step"]) {
      const found = texts[room]?.[word];
      if (found) return t(found);
    }
    return t(this.map?.areas[word]?.name) || t(this.declaration.kinds[word]?.text) || word.replaceAll("_", " ");
  }

  /** @param {string} id */
  spaceName(id) {
    return t(this.map?.spaces[id]?.name) || this.word(id);
  }

  /** @param {string} id */
  areaName(id) {
    return t(this.map?.areas[id]?.name) || this.word(id);
  }

  /** @param {string} id */
  cardName(id) {
    return t(this.declaration.cards[id]?.name) || this.word(id);
  }

  /** @param {string} name */
  zoneName(name) {
    return t(this.look.zones?.[name]?.text) || t(this.zone(name)?.text) || this.word(name);
  }

  /** @param {string} of @param {string} name */
  attributeName(of, name) {
    return t(this.attribute(of, name)?.text) || this.word(name);
  }

  /** The icon of a word, or nothing. @param {string} word @returns {string | null} */
  iconOf(word) {
    const named = this.look.icons?.[word];
    return named && hasIcon(named) ? named : null;
  }

  /** The one colour of a word, an area or a section. @param {string | null | undefined} word @returns {string | null} */
  colorOf(word) {
    if (!word) return null;
    const own = this.look.colors?.[word];
    return (typeof own === "string" ? own : own?.fill) ?? this.look.areas?.[word]?.color ?? this.look.sections?.[word] ?? null;
  }

  /** @param {string} word @returns {SeatColor | null} */
  seatColor(word) {
    const own = this.look.colors?.[word];
    return own && typeof own === "object" ? { ...SEATS[word], ...own } : SEATS[word] ?? null;
  }

  /** The colours of the seats of a match, told apart. @param {View | null} view @param {Seat[]} seats @returns {SeatColor[]} */
  seatColors(view, seats) {
    const by = this.look.players?.color;
    const taken = new Set();
    /** @type {(SeatColor | null)[]} */
    const found = seats.map((seat, i) => {
      const word = (by ? view?.players[i]?.[by] : null) ?? seat.color;
      if (!word || taken.has(word)) return this.look.players?.colors?.[i] ? { shape: "circle", ink: "#2a241c", ...this.look.players.colors[i] } : null;
      taken.add(word);
      return this.seatColor(word);
    });
    const free = Object.entries(SEATS).filter(([name]) => !taken.has(name)).map(([, color]) => color);
    return found.map(color => edged(color ?? free.shift() ?? { fill: "#8a7f6e", ink: "#ffffff", shape: "circle" }));
  }

  /**
   * A value as people read it.
   * @param {any} value @param {{ type?: string, words?: string[] } | undefined} as @param {(seat: number) => string} seatName
   * @returns {string}
   */
  show(value, as, seatName) {
    if (value === null || value === undefined) return "–";
    if (Array.isArray(value)) return value.map(v => this.show(v, as, seatName)).join(", ");
    if (typeof value === "boolean") return w(value ? "yes" : "no");
    switch (as?.type) {
      case "player": return typeof value === "number" ? seatName(value) : String(value);
      case "space": return this.spaceName(value);
      case "area": return this.areaName(value);
      case "card": case "cards": case "piece": return typeof value === "string" ? this.cardName(value) : "–";
      case "word": case "words": return this.word(String(value));
      case "text": return t(value);
      default: return typeof value === "object" ? "" : String(value);
    }
  }

  /**
   * What `path` says of a card: `name`, `text`, `field`, `field.0`, `field.area`.
   * @param {string} id @param {string} path @returns {any}
   */
  cardValue(id, path) {
    const card = this.declaration.cards[id];
    if (!card) return null;
    if (path === "name") return t(card.name);
    if (path === "text") return t(card.text);
    const [field = "", ...rest] = path.split(".");
    let value = card.fields[field];
    for (const step of rest) {
      if (Array.isArray(value)) value = value[Number(step)];
      else if (typeof value === "string" && this.map?.spaces[value]) value = step === "area" ? this.map.spaces[value]?.area : this.map.spaces[value]?.fields[step];
      else if (typeof value === "string" && this.declaration.cards[value]) value = this.declaration.cards[value]?.fields[step];
      else value = value?.[step];
    }
    return value;
  }

  /** @param {string} kind @param {string} path */
  cardField(kind, path) {
    return this.declaration.kinds[kind]?.fields.find(f => f.name === path.split(".")[0]);
  }

  /** The colour a card takes from its `tint`. @param {string} id */
  cardTint(id) {
    const card = this.declaration.cards[id];
    const path = card && this.kindLook(card.kind).tint;
    return path ? this.colorOf(this.cardValue(id, path)) : null;
  }

  /** The icon of a card, if its kind names the field that holds the word. @param {string} id */
  cardIcon(id) {
    const card = this.declaration.cards[id];
    const named = card && this.kindLook(card.kind).icon;
    if (!named) return null;
    const word = card.fields[named] === undefined ? named : this.cardValue(id, named);
    return this.iconOf(String(word)) ?? (hasIcon(String(word)) ? String(word) : null);
  }

  /** The colour of a space by the look's `tint`, its section or its area. @param {string} id @param {Owner | undefined} held */
  spaceTint(id, held) {
    const space = this.map?.spaces[id];
    if (!space) return null;
    const by = this.look.space?.tint;
    if (by && by !== "section" && by !== "area") return this.colorOf(String(held?.[by] ?? space.fields[by] ?? ""));
    return this.colorOf(space.section) ?? this.colorOf(space.area) ?? this.spareColor(space.section ?? space.area) ?? this.look.space?.color ?? null;
  }

  /** A colour for an area or a section that has none. @param {string | null} id */
  spareColor(id) {
    const all = Object.keys(this.map?.sections ?? {}).concat(Object.keys(this.map?.areas ?? {}));
    return id ? SPARE[all.indexOf(id) % SPARE.length] ?? null : null;
  }

  /** Steps are named by their phase or by the texts. @param {string | null} step */
  stepName(step) {
    if (!step) return "";
    const phase = this.declaration.phases.find(p => p.step === step);
    return t(phase?.text) || t(this.declaration.texts?.step?.[step]);
  }
}

/** A colour with the outline that keeps it visible on both grounds. @param {SeatColor} color @returns {SeatColor} */
const edged = color => ({ ...color, edge: `color-mix(in oklab, ${color.fill} 62%, var(--token-edge))` });
