// Rows of cells: priced ones in the dock, and tokens that walk along a row of the board. Piles that lie on the board.
import { h } from "./dom.js";
import { icon, token } from "./icons.js";
import { asThing } from "./things.js";
import { t, w } from "./words.js";

/** @typedef {import("./things.js").Scene} Scene */

/** @param {Scene} scene @param {string} name */
const title = (scene, name) => t(scene.book.look.tracks?.[name]?.text) || scene.book.attributeName("game", name) || scene.book.word(name);

/** Tracks that the positions put on the board. @param {Scene} scene */
export function drawTracks(scene) {
  const places = scene.book.positions?.tracks ?? {};
  return Object.entries(scene.book.look.tracks ?? {}).flatMap(([name, track]) => {
    if (!track.attribute) return [];
    const [of = "", attribute = ""] = String(track.attribute).split(".");
    const declared = scene.book.attribute(of, attribute);
    const from = declared?.min ?? 0;
    if (of === "player") {
      const tokens = scene.view.players.map((player, seat) => ({ seat, at: Number(player[attribute] ?? from) - from }));
      return places[name] ? [row(scene, name, places[name], track.cells, from, tokens, scene.book.attributeName(of, attribute))] : [];
    }
    const values = scene.view.game[attribute];
    if (typeof values === "number") return places[name] ? [row(scene, name, places[name], track.cells, from, [{ seat: null, at: values - from }], scene.book.attributeName(of, attribute))] : [];
    return Object.entries(values ?? {}).map(([word, n]) => {
      const box = places[`${name}_${word}`];
      return box ? row(scene, `${name}_${word}`, box, track.cells, from, [{ seat: null, at: Number(n) - from, tint: scene.book.colorOf(word), sign: scene.book.iconOf(word) }], scene.book.word(word)) : null;
    });
  });
}

/**
 * A row of cells in a box: upwards if it is tall, to the right if it is wide.
 * @param {Scene} scene @param {string} key @param {number[]} box @param {number} cells @param {number} from
 * @param {{ seat: number | null, at: number, tint?: string | null, sign?: string | null }[]} tokens @param {string} name
 */
function row(scene, key, [x = 0, y = 0, width = 0, height = 0], cells, from, tokens, name) {
  const up = height > width;
  const step = (up ? height : width) / cells;
  const cell = (/** @type {number} */ i) => (up ? { x, y: y + height - (i + 1) * step, width, height: step } : { x: x + i * step, y, width: step, height });
  const tint = tokens[0]?.tint;
  return h("g.track-row", { key, style: tint ? { "--tint": tint } : {} },
    Array.from({ length: cells }, (_, i) => {
      const c = cell(i);
      return h("g", { key: `c${i}` }, h("rect.cell", { ...c, class: tint && tokens.some(token => token.at >= i) ? "on" : "" }),
        h("text.cell-no", { x: c.x + c.width / 2, y: c.y + c.height / 2 + 3.4 }, String(i + from)));
    }),
    h("text.track-name", { x: up ? x + width / 2 : x, y: y - 5, class: up ? "" : "start" }, up ? short(name, width) : name),
    tokens.map((one, i) => {
      const c = cell(Math.max(0, Math.min(cells - 1, one.at)));
      const same = tokens.filter(other => other.at === one.at);
      const spread = (same.indexOf(one) - (same.length - 1) / 2) * Math.min(13, (up ? c.width : c.height) / same.length);
      const [cx, cy] = [c.x + c.width / 2 + (up ? spread : 0), c.y + c.height / 2 + (up ? 0 : spread)];
      return h("g.tok.walker", { key: `w${i}`, "data-glide": `track:${key}:${i}`, style: { transform: `translate(${cx}px, ${cy}px) scale(${[0.72, 0.72, 0.5, 0.4, 0.34, 0.28][Math.min(5, same.length)]})` } },
        one.seat === null ? h("circle.peg", { r: 11 }) : token(scene.colors[one.seat] ?? { fill: "#888888", ink: "#ffffff", shape: "circle" }), h("title", {}, `${name}: ${one.at + from}`));
    }));
}

/** @param {string} name @param {number} width */
const short = (name, width) => (name.length * 5.6 > width ? `${name.slice(0, Math.max(3, Math.floor(width / 5.8) - 1))}.` : name);

/** Piles that lie beside the spaces. @param {Scene} scene */
export function drawBoardZones(scene) {
  return Object.entries(scene.book.positions?.zones ?? {}).map(([name, [x = 0, y = 0, width = 0, height = 0]]) => {
    const zone = scene.view.game.zones?.[name];
    if (!zone) return null;
    const top = zone.pieces?.[0];
    const label = scene.book.zoneName(name);
    const words = label.split(" ");
    return h("g.board-pile", { key: name, ...asThing(scene, `zone:game.${name}`, label), "data-zone": `game.${name}` },
      h("rect", { x, y, width, height, rx: 4, class: top ? "open" : zone.count ? "shut" : "none" }),
      h("text.count", { x: x + width / 2, y: y + height / 2 - 2 }, String(zone.count)),
      words.slice(0, 3).map((word, i) => h("text.pile-name", { key: `w${i}`, x: x + width / 2, y: y + height / 2 + 12 + i * 9.5 }, word)),
      h("title", {}, top ? `${label}: ${scene.book.cardName(top.card)}` : label));
  });
}

/** Priced cells in the dock: the stock lies on the dearest. @param {Scene} scene @param {string} name */
export function priceTrack(scene, name) {
  const track = scene.book.look.tracks?.[name] ?? {};
  const [of = "game", attribute = ""] = String(track.stock ?? "").split(".");
  const stock = of === "game" ? scene.view.game[attribute] : undefined;
  const prices = scene.book.declaration.tables[track.prices];
  if (!stock || !prices) return null;
  const words = Object.keys(prices).filter(word => typeof stock[word] === "number");
  const steps = [...new Set(words.flatMap(word => prices[word]))].map(Number).sort((a, b) => a - b);
  return h("section.zone.track-zone", { key: `track:${name}` }, h("h3", {}, title(scene, name)),
    h("table.track", {}, h("thead", {}, h("tr", {}, h("td", {}), steps.map(p => h("th", { key: p, scope: "col" }, String(p))), h("th", { scope: "col" }, w("stockNext")))),
      h("tbody", {}, words.map(word => {
        const all = prices[word].map(Number);
        const first = all.length - stock[word];
        const tint = scene.book.colorOf(word);
        const sign = scene.book.iconOf(word) ?? "disc";
        return h("tr", { key: word, style: tint ? { "--tint": tint } : {} }, h("th", { scope: "row" }, icon(sign, { class: "tinted" }), scene.book.word(word)),
          steps.map(p => h("td", { key: p }, all.map((/** @type {number} */ price, /** @type {number} */ i) => (price === p ? h("i", { key: i, class: i >= first ? "on" : "" }, icon(sign)) : null)))),
          h("td.sum", {}, stock[word] ? String(all[first] ?? "–") : "–"));
      }))));
}
