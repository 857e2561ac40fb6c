// The table's own icons: 16 by 16, drawn for it. A leading "!" says that the shape is filled instead of stroked.
import { h } from "./dom.js";

/** @type {Record<string, string>} */
const ICONS = {
  // Of boards and cards.
  plane: "!M8 1.4c.8 0 1.1 1 1.1 2v3l5.1 3.1v1.5L9.1 9.4v2.9l1.7 1.3v1L8 13.9l-2.8.7v-1l1.7-1.3V9.4L1.8 11V9.5l5.1-3.1v-3c0-1 .3-2 1.1-2z",
  helmet: "M2.7 10a5.3 5.3 0 0 1 10.6 0zM1.5 10h13M4.6 10v2.2c1 1.1 2 1.6 3.4 1.6s2.4-.5 3.4-1.6V10M8 4.7V2.8",
  anchor: "M8 4.6v9.4M5 7h6M2.5 9.4C2.6 12.4 5 14 8 14s5.4-1.6 5.5-4.6M8 4.6a1.6 1.6 0 1 1 0-3.2 1.6 1.6 0 0 1 0 3.2z",
  star: "!M8 1.5l1.95 4.05 4.45.6-3.25 3.05.8 4.45L8 11.5l-3.95 2.15.8-4.45L1.6 6.15l4.45-.6z",
  snowflake: "M8 1.5v13M2.4 4.75l11.2 6.5M13.6 4.75L2.4 11.25M6.2 2.7L8 4.3l1.8-1.6M6.2 13.3L8 11.7l1.8 1.6M2.3 7.3l2.3-.6-.6-2.3M13.7 8.7l-2.3.6.6 2.3M2.3 8.7l2.3.6-.6 2.3M13.7 7.3l-2.3-.6.6-2.3",
  wind: "M1.5 6h8a2 2 0 1 0-2-2M1.5 9h11a2 2 0 1 1-2 2M1.5 12h4.3a1.4 1.4 0 1 1-1.4 1.4",
  alert: "M8 2l6.5 11.5h-13zM8 6.4v3.2M8 11.5v.3",
  moon: "M13 9.8A5.8 5.8 0 1 1 6.6 2.6 4.8 4.8 0 0 0 13 9.8z",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  flag: "M3.5 14.5v-13M3.5 2.5h8.5l-2 3 2 3H3.5",
  gate: "M2 14V6.5C2 3.8 4.6 2 8 2s6 1.8 6 4.5V14M2 14h12M5.5 14V8.5C5.5 7 6.6 6 8 6s2.5 1 2.5 2.5V14",
  wall: "M1.5 3.5h13v9h-13zM1.5 6.5h13M1.5 9.5h13M5.5 3.5v3M10.5 3.5v3M8 6.5v3M5.5 9.5v3M10.5 9.5v3",
  missile: "M13.2 2.8C9.8 2.2 7 4.4 4.9 7.7l3.4 3.4c3.3-2.1 5.5-4.9 4.9-8.3zM4.9 7.7l-2.7.7 1.5 1.7M8.3 11.1l-.7 2.7-1.7-1.5M4.3 11.7l-2 2",
  handshake: "M1.5 5.5l3-1.5L8 5.3 11.5 4l3 1.5M1.5 10.5l1.8.2 3.5 2.7 1.2-.3 1.2.3 3.5-2.7 1.8-.2M8 5.3L5.8 7.5c.8 1 2 .9 2.8.1l3 2.7",
  tree: "!M8 1.2l3.9 5.2h-1.9l3 4.1H9.1v3.8H6.9v-3.8H3l3-4.1H4.1z",
  mountain: "!M.9 13L6 4.3l2.7 4.1L10.3 6l4.8 7z",
  drop: "!M8 1.5c2.6 3.2 4.4 5.6 4.4 8.2a4.4 4.4 0 1 1-8.8 0C3.6 7.1 5.4 4.7 8 1.5z",
  leaf: "M13.5 2.5c.6 6-2 10.5-7 10.5-2.5 0-4-1.8-4-4 0-4.6 5.2-6.3 11-6.5zM2.2 14c1.8-3.6 4-5.8 7.3-7.5",
  flame: "M8.3 1.5c.4 2.6 4 4.2 4 8a4.3 4.3 0 0 1-8.6 0c0-1.8.9-2.9 1.9-3.9.2 1.2.8 1.7 1.5 2 .6-1.8.2-4 1.2-6.1z",
  gear: "M8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  note: "M6 12.2V3.5l7-1.5v8.5M6 12.2a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0zM13 10.5a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0z",
  column: "M3 2.5h10M3 13.5h10M4.5 2.5L5.5 4.5h5l1-2M5.5 4.5v9M8 4.5v9M10.5 4.5v9",
  orb: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM5.4 6.6A3 3 0 0 1 8 5",
  hand: "M5 8.2V3.8a1 1 0 0 1 2 0V7.2 2.7a1 1 0 0 1 2 0v4.5V3.6a1 1 0 0 1 2 0v4V5.4a1 1 0 0 1 2 0v4.4c0 2.6-1.6 4.4-4.2 4.4-2.2 0-3.3-1-4.3-2.8L3 8.7c-.5-1 .8-1.9 1.5-1z",
  reserve: "M2.5 5.5h11v8h-11zM4 5.5v-2h8v2M6 8.5h4",
  house: "M2 8l6-5.5L14 8M3.5 7v6.5h9V7",
  tower: "M4.5 14V6h-1V2.5h2V4H7V2.5h2V4h1.5V2.5h2V6h-1v8zM7 14v-3h2v3",
  factory: "M2 13.5V7l4 2.5V7l4 2.5V3h3.5v10.5z",
  bolt: "!M9.6 1L3 9.1h4L5.9 15l7.2-8.6H8.7z",
  cube: "M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 7.8l5.5-3M8 7.8v6.4",
  person: "!M8 7.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.8 14.2c0-3.2 2.2-5.2 5.2-5.2s5.2 2 5.2 5.2z",
  coin: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.3v7.4M10 6.2c-1-1-4-.9-4 .6 0 1.8 4 .8 4 2.7 0 1.5-3.2 1.6-4.2.4",
  brick: "M1.5 4.5h13v7h-13zM1.5 8h13M6 4.5V8M10.5 8v3.5M4 8v3.5",
  cloud: "M4.5 12.5a3 3 0 0 1-.3-6A4 4 0 0 1 12 7.2a2.7 2.7 0 0 1-.3 5.3z",
  square: "!M3 3h10v10H3z",
  disc: "!M8 2.7a5.3 5.3 0 1 0 0 10.6A5.3 5.3 0 0 0 8 2.7z",
  rhomb: "!M8 1.5L14 8l-6 6.5L2 8z",
  "disc-drop": "!M4.6 4.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8zM11.7 3.8c1.8 2.2 2.9 3.8 2.9 5.3a2.9 2.9 0 1 1-5.8 0c0-1.5 1.1-3.1 2.9-5.3z",
  turned: "M2.5 6.5h7v7h-7zM8 2.5c3 0 5.5 2 5.5 5.5M13.5 8l1.3-1.7M13.5 8l-1.9-1.3",
  book: "M8 4C6.5 2.8 4.5 2.5 2 2.5v10c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5v-10c-2.5 0-4.5.3-6 1.5zM8 4v10",
  balloon: "M8 1.5c2.5 0 4 1.9 4 4.2 0 2.4-2 4.8-4 4.8s-4-2.4-4-4.8c0-2.3 1.5-4.2 4-4.2zM8 10.5c0 1.5-1.2 1.5-1.2 2.6s1.2.9 1.2 1.9",
  glasses: "M1.5 6.5l1.3-2M14.5 6.5l-1.3-2M1.5 6.5h4.8v2.2c0 1.4-1 2.3-2.4 2.3s-2.4-.9-2.4-2.3zM9.7 6.5h4.8v2.2c0 1.4-1 2.3-2.4 2.3s-2.4-.9-2.4-2.3zM6.3 7.3c1-.7 2.4-.7 3.4 0",
  bear: "M4.2 5.7a1.8 1.8 0 1 1 2-2.4 5 5 0 0 1 3.6 0 1.8 1.8 0 1 1 2 2.4c.5.8.7 1.6.7 2.5 0 2.8-2 4.8-4.5 4.8s-4.5-2-4.5-4.8c0-.9.2-1.7.7-2.5zM6.2 7.3v.2M9.8 7.3v.2M7 10h2l-1 1.2z",
  bat: "M13.8 2.2c.5.5.5 1.3 0 1.8L7 9.8l-3.3 3.3-.8-.8L6.2 9 12 2.2c.5-.5 1.3-.5 1.8 0zM2 12.3l1.7 1.7M11 11.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0",
  crown: "M2.5 12.5h11M2.5 10.5L2 4.5l3.2 2.7L8 3l2.8 4.2L14 4.5l-.5 6z",
  pawn: "!M8 2.2a2.4 2.4 0 0 1 1.5 4.3c.2 2.4 1 4.2 2.6 5.5v1.5H3.9V12c1.6-1.3 2.4-3.1 2.6-5.5A2.4 2.4 0 0 1 8 2.2z",
  rook: "!M3.5 2.5h2v1.5h1.5V2.5h2v1.5h1.5V2.5h2V6l-1.5 1v4l1.8 2.5H3.2L5 11V7L3.5 6z",
  knight: "!M5 13.5c0-3 2.5-3.6 2.3-5.6-.9.9-1.9 1-2.7 1.6L3.2 8.3c.8-2.6 1.9-4.3 4-4.9l.6-1.4 1.1 1.3c2.9.7 4 3.7 3.9 10.2z",
  bishop: "!M8 1.5c.7 0 1 .9.7 1.4 2 1.4 2.8 3 2.3 4.9-.2.9-.9 1.5-1.4 2l.6 1.9H12v1.8H4v-1.8h1.8l.6-1.9c-.5-.5-1.2-1.1-1.4-2-.5-1.9.3-3.5 2.3-4.9C7 2.4 7.3 1.5 8 1.5z",
  queen: "!M1.8 4.8l2.7 2.6L5.6 2.8 8 6.8l2.4-4 1.1 4.6 2.7-2.6-1.5 6.7H3.3zM3.3 12.3h9.4v1.4H3.3z",
  king: "!M7.3 1.5h1.4v1.3H10v1.3H8.7v1.3c2.9-1.1 5.3.3 5 2.5-.2 1.5-1.3 2.5-2 3.6H4.3C3.6 10.4 2.5 9.4 2.3 7.9c-.3-2.2 2.1-3.6 5-2.5V4.1H6V2.8h1.3zM4 12.3h8v1.4H4z",
  die: "M3 3h10v10H3zM5.7 5.7v.1M10.3 5.7v.1M8 8v.1M5.7 10.3v.1M10.3 10.3v.1",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  check: "M3 8.5l3.3 3.5L13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  // Of the page.
  mark: "M3 1.8h10A1.2 1.2 0 0 1 14.2 3v10A1.2 1.2 0 0 1 13 14.2H3A1.2 1.2 0 0 1 1.8 13V3A1.2 1.2 0 0 1 3 1.8zM5.2 5.2v.1M10.8 5.2v.1M5.2 10.8l2-2M7.2 10.8l-2-2M10.8 10.8v.1",
  undo: "M5.5 3L2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6",
  bulb: "M6 11.5h4M6.5 14h3M8 1.8a4.5 4.5 0 0 0-2.7 8.1c.5.4.7.9.7 1.6h4c0-.7.2-1.2.7-1.6A4.5 4.5 0 0 0 8 1.8z",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1",
  cards: "M2.3 5.3l6-1.7 2.5 8.6-6 1.7zM8.5 3.3l4.7.6-1.1 8.4-1.3-.2",
  people: "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13.2c0-2.6 1.7-4.2 4.2-4.2s4.2 1.6 4.2 4.2M10.5 3.2a2.3 2.3 0 0 1 0 4.2M12 9.3c1.4.6 2.2 2 2.2 3.9",
  page: "M4 1.8h8v12.4H4zM6 5h4M6 8h4M6 11h2.5",
  play: "!M4.5 2.5l9 5.5-9 5.5z",
  pause: "M5.5 3v10M10.5 3v10",
  back: "M10.5 3L5.5 8l5 5",
  on: "M5.5 3l5 5-5 5",
  first: "M12 3L7 8l5 5M4 3v10",
  last: "M4 3l5 5-5 5M12 3v10",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.5V8l2.5 1.5",
  share: "M11.5 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.5 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM11.5 14.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6.3 7l3.5-2.3M6.3 9l3.5 2.3",
  chat: "M2 3h12v8H7.5l-3.5 3v-3H2z",
  eye: "M1.5 8C3 5.2 5.3 3.8 8 3.8S13 5.2 14.5 8C13 10.8 10.7 12.2 8 12.2S3 10.8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  fast: "!M2.5 3l5.5 5-5.5 5zM8.5 3L14 8l-5.5 5z",
};

/** Icons a look draws itself, and its pictures: path data and addresses by name. @type {Map<string, { path?: string, picture?: string }>} */
const added = new Map();

/** @param {Record<string, string>} paths @param {Record<string, string>} pictures */
export function addIcons(paths, pictures) {
  added.clear();
  for (const [name, path] of Object.entries(paths)) added.set(name, { path });
  for (const [name, picture] of Object.entries(pictures)) added.set(name, { picture });
}

/** @param {string} name */
export const hasIcon = name => name in ICONS || added.has(name);

/** The shape of an icon inside an SVG, in a box of 16 by 16 at its corner. @param {string} name */
export function iconShape(name) {
  const own = added.get(name);
  if (own?.picture) return h("image.icon", { href: own.picture, width: 16, height: 16 });
  const path = own?.path ?? ICONS[name] ?? "";
  return path.startsWith("!") ? h("path.icon.filled", { d: path.slice(1) }) : h("path.icon", { d: path });
}

/** An icon in the flow of text. @param {string} name @param {Record<string, any>} [props] */
export function icon(name, props = {}) {
  return h("svg.ic", { viewBox: "0 0 16 16", "aria-hidden": true, ...props }, iconShape(name));
}

/** @type {Record<string, string>} The body of a seat's token around its middle, about twenty units wide. */
const BODIES = {
  circle: "M0 -10.2a10.2 10.2 0 1 0 0 20.4a10.2 10.2 0 1 0 0 -20.4z",
  square: "M-8 -9.4h16a1.4 1.4 0 0 1 1.4 1.4v16a1.4 1.4 0 0 1 -1.4 1.4h-16a1.4 1.4 0 0 1 -1.4 -1.4v-16a1.4 1.4 0 0 1 1.4 -1.4z",
  triangle: "M0 -12.5L12.5 9.5H-12.5z",
  shield: "M-9.5 -9.5c3.3 1 6.5 .3 9.5 -1.5c3 1.8 6.2 2.5 9.5 1.5v8c0 6 -4 10.5 -9.5 13c-5.5 -2.5 -9.5 -7 -9.5 -13z",
  diamond: "M0 -12.7L12.7 0L0 12.7L-12.7 0z",
  hexagon: "M-5.8 -10.4h11.6l6 10.4l-6 10.4h-11.6l-6 -10.4z",
  star: "M0 -13l3.8 8l8.7 1.2l-6.3 6.1l1.5 8.7L0 6.9l-7.7 4.1l1.5 -8.7l-6.3 -6.1l8.7 -1.2z",
  cross: "M-10 -6.5L-6.5 -10L0 -3.5L6.5 -10L10 -6.5L3.5 0L10 6.5L6.5 10L0 3.5L-6.5 10L-10 6.5L-3.5 0z",
  ring: "M0 -10.2a10.2 10.2 0 1 0 0 20.4a10.2 10.2 0 1 0 0 -20.4zM0 -5.2a5.2 5.2 0 1 1 0 10.4a5.2 5.2 0 1 1 0 -10.4z",
  drop: "M0 -13c5 6 8.5 9.5 8.5 14.3a8.5 8.5 0 0 1 -17 0C-8.5 -3.5 -5 -7 0 -13z",
};

/** @param {string} shape */
export const body = shape => BODIES[shape] ?? BODIES.circle ?? "";

/**
 * A seat's token around (0, 0), with a few letters on it.
 * @param {import("./types.js").SeatColor} color @param {string | number} [letters]
 */
export function token(color, letters = "") {
  const drop = color.shape === "triangle" ? 7.5 : color.shape === "shield" ? 4 : 4.4;
  return [
    h("path.body", { d: body(color.shape), style: { "--p": color.fill, "--p-edge": color.edge ?? color.ink } }),
    letters === "" ? null : h("text.on", { y: drop, style: { "--p-ink": color.ink }, class: String(letters).length > (color.shape === "triangle" ? 1 : 2) ? "long" : "" }, String(letters)),
  ];
}

/** What can be read on a colour. @param {string} fill */
export function inkOn(fill) {
  const [r = 0, g = 0, b = 0] = (fill.match(/[0-9a-f]{2}/gi) ?? []).map(part => parseInt(part, 16));
  return r * 0.3 + g * 0.59 + b * 0.11 > 150 ? "#2a241c" : "#ffffff";
}

/** A seat's token in the flow of text. @param {import("./types.js").SeatColor} color @param {string | number} [letters] */
export function tokenIcon(color, letters = "") {
  return h("svg.tok", { viewBox: "-14 -14 28 28", "aria-hidden": true }, token(color, letters));
}
