// The board as one drawing: ground, areas, links, spaces with what lies on them, tracks and piles beside them.
import { h } from "./dom.js";
import { around, geometry } from "./geometry.js";
import { drawSpace } from "./spaces.js";
import { drawBoardZones, drawTracks } from "./tracks.js";
import { asThing, isLit } from "./things.js";
import { currentLang, t, w } from "./words.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Geometry} Geometry
 */

/** @typedef {{ frame: [number, number, number, number], node: import("./dom.js").Node, spots: Map<string, Box>, letters: number }} Board */

/** @param {Scene} scene @returns {Board | null} */
export function drawBoard(scene) {
  const { book } = scene;
  const g = geometry(book, scene.view, scene.narrow && book.look.seats === "facing" ? 1.9 : 1);
  if (!g) return null;
  const played = book.look.fit === "played" ? new Map([...g.places].filter(([id]) => scene.view.spaces[id])) : g.places;
  const frame = book.look.fit === "played" && played.size ? clip(around(played, 34), g.frame) : g.frame;
  const node = h("svg.map", { class: `ground-${book.look.ground ?? "paper"}`, role: "group", "aria-label": w("board") },
    h("defs", {}, h("pattern#hatch", { width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, h("path.hatch", { d: "M0 4h8" }))),
    h("rect.ground", { key: "ground", x: g.frame[0] - 2000, y: g.frame[1] - 2000, width: g.frame[2] + 4000, height: g.frame[3] + 4000 }),
    lasting(scene, "areas", () => areas(scene, g)),
    lasting(scene, "links", () => links(scene, g)),
    lasting(scene, "names", () => areaNames(scene, g)),
    h("g", { key: "ways" }, ways(scene, g)),
    h("g", { key: "spaces" }, [...g.places].map(([id, box]) => drawSpace(scene, g, id, box))),
    h("g", { key: "markers" }, markers(scene, g)),
    h("g", { key: "tracks" }, drawTracks(scene), drawBoardZones(scene)));
  return { frame, node, spots: g.places, letters: g.squares ? 12 : 11.6 };
}

/** @type {WeakMap<import("./book.js").Book, Map<string, { by: string, node: import("./dom.js").Node }>>} */
const kept = new WeakMap();

/** Layers that seldom change are described once. @param {Scene} scene @param {string} key @param {() => import("./dom.js").Child[]} make */
function lasting(scene, key, make) {
  const layers = kept.get(scene.book) ?? new Map();
  kept.set(scene.book, layers);
  const areasLit = [...scene.lit.keys()].filter(thing => thing.startsWith("area:")).join();
  const by = areasLit ? "" : `${currentLang()} ${scene.narrow} ${Object.keys(scene.view.spaces).join()}`;
  const old = layers.get(key);
  if (old && by && old.by === by) return old.node;
  const node = h("g", { key }, make());
  layers.set(key, { by, node });
  return node;
}

/** @param {[number, number, number, number]} inner @param {[number, number, number, number]} outer @returns {[number, number, number, number]} */
function clip(inner, outer) {
  const left = Math.max(inner[0], outer[0]);
  const top = Math.max(inner[1], outer[1]);
  return [left, top, Math.min(inner[0] + inner[2], outer[0] + outer[2]) - left, Math.min(inner[1] + inner[3], outer[1] + outer[3]) - top];
}

/** @param {Scene} scene @param {Geometry} g */
function areas(scene, g) {
  const { book, view } = scene;
  const open = new Set(Object.keys(view.spaces).map(id => book.map?.spaces[id]?.area ?? ""));
  const shoals = g.outlines.filter(o => !o.box).map((o, i) => h("path.shoal", { key: `s${i}`, d: o.path }));
  const shapes = g.outlines.map((o, i) => {
    const tint = book.colorOf(o.area);
    const shut = !open.has(o.area);
    const live = o.island ? {} : asThing(scene, `area:${o.area}`, book.areaName(o.area));
    const reads = live.role ? live : {};
    return h("g", { key: `a${i}`, ...reads, style: tint ? { "--area": tint } : {} },
      h("path.area", { d: o.path, class: `${shut ? "shut" : ""} ${o.box ? "realm" : ""}` }),
      shut ? h("path.shut-hatch", { d: o.path, fill: "url(#hatch)" }) : null,
      isLit(scene, `area:${o.area}`) ? h("path.ring", { d: o.path }) : null);
  });
  return [book.look.ground === "sea" ? shoals : null, shapes];
}

/** Where the name of an area goes: as the look says, or above the middle of its spaces. @param {Scene} scene @param {Geometry} g */
function areaNames(scene, g) {
  const { book } = scene;
  const number = book.look.area?.number;
  return Object.entries(book.map?.areas ?? {}).map(([id, area]) => {
    const outline = g.outlines.find(o => o.area === id && !o.island);
    const label = book.look.areas?.[id]?.label ?? (outline?.box ? boxLabel(book.positions?.areas?.[id]) : null);
    if (!label) return null;
    const value = number ? area.fields[number.field] : undefined;
    const tint = book.colorOf(id);
    const live = asThing(scene, `area:${id}`, t(area.name));
    return h("text.area-name", { key: id, ...(live.role ? live : {}), x: label[0], y: label[1], class: outline?.box ? "start" : "", style: tint ? { "--area": tint } : {} },
      t(area.name).toLocaleUpperCase(), value === undefined ? null : ` ${number.sign && value > 0 ? "+" : ""}${value}`);
  });
}

/** @param {number[] | undefined} box */
const boxLabel = box => (box && box.length === 4 ? [(box[0] ?? 0) + 9, (box[1] ?? 0) + 18] : null);

/** @param {Scene} scene @param {string} a @param {string} b */
function wraps(scene, a, b) {
  const edges = scene.book.positions?.edges ?? {};
  return !!(edges[`${a} - ${b}`]?.wrap || edges[`${b} - ${a}`]?.wrap);
}

/** The part of a line between two boxes that neither covers. @param {Geometry} g @param {Box} a @param {Box} b */
function between(g, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const d = Math.hypot(dx, dy) || 1;
  const [ra, rb] = [reach(g, a, dx, dy), reach(g, b, dx, dy)].map(r => Math.min(r, d * 0.42));
  return { from: [a.x + (dx / d) * (ra ?? 0), a.y + (dy / d) * (ra ?? 0)], to: [b.x - (dx / d) * (rb ?? 0), b.y - (dy / d) * (rb ?? 0)], d };
}

/** @param {Geometry} g @param {Box} box @param {number} dx @param {number} dy */
function reach(g, box, dx, dy) {
  if (g.form === "token") return 15;
  const [w2, h2] = g.form === "square" || g.form === "hex" ? [14, 14] : [box.w / 2 + 2, Math.max(box.h, 30) / 2 + 2];
  const d = Math.hypot(dx, dy) || 1;
  return Math.min(Math.abs(dx) < 0.01 ? Infinity : (w2 * d) / Math.abs(dx), Math.abs(dy) < 0.01 ? Infinity : (h2 * d) / Math.abs(dy));
}

/** @param {Scene} scene @param {Geometry} g */
function links(scene, g) {
  const { book, view } = scene;
  if (g.squares || g.form === "box") return [];
  const { dashed, label } = book.look.links ?? {};
  return (book.map?.edges ?? []).map(({ between: [a, b], fields }) => {
    const [from, to] = [g.places.get(a), g.places.get(b)];
    if (!from || !to) return null;
    const off = !view.spaces[a] || !view.spaces[b];
    const props = { class: `${dashed && fields[dashed] ? "over" : ""} ${off ? "off" : ""}` };
    if (wraps(scene, a, b)) return h("g", { key: `${a}-${b}` }, wrapped(scene, g, a, b, "link", props.class));
    const cut = between(g, from, to);
    const [x, y] = [((cut.from[0] ?? 0) + (cut.to[0] ?? 0)) / 2, ((cut.from[1] ?? 0) + (cut.to[1] ?? 0)) / 2];
    return h("g", { key: `${a}-${b}` },
      h("path.link", { ...props, d: `M${from.x} ${from.y}L${to.x} ${to.y}` }),
      label && !off && fields[label] !== undefined ? h("g.toll", { transform: `translate(${x} ${y})` }, h("circle", { r: 8.5 }), h("text", { y: 3.6 }, String(fields[label]))) : null);
  });
}

/** A link that leaves the board on one side and comes back on the other. @param {Scene} scene @param {Geometry} g @param {string} a @param {string} b @param {string} kind @param {string} marks */
function wrapped(scene, g, a, b, kind, marks) {
  const width = g.frame[2];
  return [[a, b], [b, a]].map(([near = "", far = ""]) => {
    const [p, q] = [g.places.get(near), g.places.get(far)];
    if (!p || !q) return null;
    const left = p.x < q.x;
    const edge = left ? g.frame[0] : g.frame[0] + width;
    const gap = Math.abs(p.x - edge);
    const rest = Math.abs(q.x - (left ? g.frame[0] + width : g.frame[0]));
    const y = p.y + ((q.y - p.y) * gap) / (gap + rest || 1);
    const name = kind === "link" ? h("text.exit", { x: left ? edge + 3 : edge - 3, y: y > p.y ? y + 11 : y - 4, class: left ? "start" : "end" }, scene.book.spaceName(far)) : null;
    return h("g", { key: near }, h(`path.${kind}`, { class: marks, d: `M${p.x} ${p.y}L${edge} ${y}` }), name);
  });
}

/** Borders that may be chosen, as arrows. @param {Scene} scene @param {Geometry} g */
function ways(scene, g) {
  const shown = (/** @type {string} */ thing) => !scene.many || scene.chosen.has(thing) || scene.lit.get(thing)?.some(o => scene.pointed === `option:${o.key}`);
  return [...scene.lit.keys()].filter(thing => thing.startsWith("edge:") && shown(thing)).map(thing => {
    const [a = "", b = ""] = thing.slice(5).split(">");
    const [from, to] = [g.places.get(a), g.places.get(b)];
    if (!from || !to || from === to) return null;
    const live = asThing(scene, thing, `${scene.book.spaceName(a)} → ${scene.book.spaceName(b)}`);
    const both = scene.lit.has(`edge:${b}>${a}`);
    const paths = wraps(scene, a, b) ? wrapWay(g, from, to) : [way(g, from, to, both)];
    return h("g", { key: thing, ...live }, paths.map(({ d, tip }, i) => [
      h("path.way-gap", { key: `g${i}`, d }), h("path.way", { key: `w${i}`, d }),
      tip ? h("path.head", { key: `h${i}`, d: "M0 0L-11 -5.6L-8.5 0L-11 5.6z", transform: `translate(${tip[0]} ${tip[1]}) rotate(${tip[2]})` }) : null,
      h("path.hit", { key: `t${i}`, d })]));
  });
}

/** @param {Geometry} g @param {Box} from @param {Box} to @param {boolean} aside */
function way(g, from, to, aside) {
  const cut = between(g, from, to);
  const [dx, dy] = [(to.x - from.x) / cut.d, (to.y - from.y) / cut.d];
  const off = aside ? 5 : 0;
  const [x0, y0, x1, y1] = [(cut.from[0] ?? 0) - dy * off, (cut.from[1] ?? 0) + dx * off, (cut.to[0] ?? 0) - dy * off, (cut.to[1] ?? 0) + dx * off];
  return { d: `M${x0} ${y0}L${x1 - dx * 6} ${y1 - dy * 6}`, tip: [x1, y1, (Math.atan2(dy, dx) * 180) / Math.PI] };
}

/** @param {Geometry} g @param {Box} from @param {Box} to @returns {{ d: string, tip: number[] | null }[]} */
function wrapWay(g, from, to) {
  const width = g.frame[2];
  const left = from.x < to.x;
  const shifted = { ...to, x: to.x + (left ? -width : width) };
  const back = { ...from, x: from.x + (left ? width : -width) };
  const edge = left ? g.frame[0] : g.frame[0] + width;
  const y = from.y + ((shifted.y - from.y) * (edge - from.x)) / (shifted.x - from.x || 1);
  const far = left ? g.frame[0] + width : g.frame[0];
  const out = between(g, from, { ...from, x: edge, y });
  const home = way(g, { ...back, x: far, y }, to, false);
  return [{ d: `M${out.from[0]} ${out.from[1]}L${edge} ${y}`, tip: null }, home];
}

/** Tokens of players that walk along the spaces: a number of theirs against a number of the space. @param {Scene} scene @param {Geometry} g */
function markers(scene, g) {
  const { book, view } = scene;
  /** @type {any[]} */
  const declared = book.look.space?.markers ?? [];
  const along = (/** @type {string} */ id, /** @type {string} */ name) => book.map?.spaces[id]?.fields[name] ?? view.spaces[id]?.[name];
  return declared.flatMap((marker, m) => {
    const numbers = Object.keys(view.spaces).map(id => Number(along(id, marker.along)));
    const last = Math.max(...numbers);
    return view.players.map((player, seat) => {
      const value = numberOf(player, marker.number);
      if (typeof value !== "number") return null;
      const at = marker.from === "end" ? last - value : value;
      const id = Object.keys(view.spaces).find(space => Number(along(space, marker.along)) === at);
      const box = id ? g.places.get(id) : undefined;
      if (!box) return null;
      const mine = seat === (scene.you ?? 0);
      const big = scene.narrow && box.h > box.w * 1.5 ? 2.3 : 1;
      const shared = m > 0 && numberOf(player, declared[0].number) + value === last;
      const shift = big > 1 ? 0 : box.w / 2 - (shared ? 42 : 16);
      const color = scene.colors[seat];
      return h("g.tok.marker", { key: `${m}:${seat}`, "data-glide": `marker:${m}:${seat}`, style: { transform: `translate(${box.x + shift}px, ${box.y + (mine ? 1 : -1) * box.h * 0.375}px) scale(${big})` } },
        h("path.body", { d: bodyOf(color?.shape), style: { "--p": color?.fill ?? "", "--p-edge": color?.edge ?? "" } }),
        h("text.on", { y: 4.4, style: { "--p-ink": color?.ink ?? "" } }, t(marker.letter)), h("title", {}, `${scene.name(seat)}: ${t(marker.letter)}`));
    });
  });
}

/** A number of a player, or the one of a word: `travelled.hero`. @param {import("./types.js").Owner} player @param {string} path */
function numberOf(player, path) {
  const [attribute = "", word] = path.split(".");
  return word ? player[attribute]?.[word] : player[attribute];
}

/** A body wide enough for a letter. @param {string | undefined} shape */
function bodyOf(shape) {
  return shape === "square" ? "M-10 -10h20v20h-20z" : "M0 -11a11 11 0 1 0 0 22a11 11 0 1 0 0 -22z";
}
