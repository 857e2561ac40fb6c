// The board as one drawing: ground, areas, links, spaces with what lies on them, tracks and piles beside them.
import { h } from "./dom.js";
import { token } from "./icons.js";
import { around, geometry } from "./geometry.js";
import { drawSpace, plateOf, priceOf } from "./spaces.js";
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
    lasting(scene, "tolls", () => tolls(scene, g)),
    h("g", { key: "tags" }, priceTags(scene, g)),
    h("g", { key: "rims" }, rims(scene, g)),
    h("g", { key: "markers" }, markers(scene, g)),
    h("g", { key: "tracks" }, drawTracks(scene), drawBoardZones(scene)));
  return { frame, node, spots: g.places, letters: lettersOf(scene, g) };
}

/** How large what must be read is drawn: a board of squares whose names are but coordinates is seen whole even where they are small. @param {Scene} scene @param {Geometry} g */
const lettersOf = ({ book }, g) => (!g.squares ? 11.6 : book.look.space?.corners ? 13.5 : book.map?.grid ? 22 : 12);

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
  const { dashed } = book.look.links ?? {};
  return (book.map?.edges ?? []).map(({ between: [a, b], fields }) => {
    const [from, to] = [g.places.get(a), g.places.get(b)];
    if (!from || !to) return null;
    const off = !view.spaces[a] || !view.spaces[b];
    const props = { class: `${dashed && fields[dashed] ? "over" : ""} ${off ? "off" : ""}` };
    if (wraps(scene, a, b)) return h("g", { key: `${a}-${b}` }, wrapped(scene, g, a, b, "link", props.class));
    return h("path.link", { key: `${a}-${b}`, ...props, d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
  });
}

/** The numbers of links, above whatever they lie between. @param {Scene} scene @param {Geometry} g */
const tolls = (scene, g) => tollsAt(scene, g).map(({ key, x, y, n }) => h("g.toll", { key, transform: `translate(${x} ${y})` }, h("circle", { r: 8.5 }), h("text", { y: 3.6 }, n)));

/** @param {Scene} scene @param {Geometry} g */
function tollsAt(scene, g) {
  const { book, view } = scene;
  const label = book.look.links?.label;
  if (!label || g.squares || g.form === "box") return [];
  const taken = plates(scene, g, 10);
  return (book.map?.edges ?? []).flatMap(({ between: [a, b], fields }) => {
    const [from, to] = [g.places.get(a), g.places.get(b)];
    if (!from || !to || fields[label] === undefined || !view.spaces[a] || !view.spaces[b] || wraps(scene, a, b)) return [];
    // As near to the middle of the link as can be without being covered.
    const cut = between(g, from, to);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [cut.from, cut.to].flat();
    const [x = 0, y = 0] = free([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map(share => [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share]), taken, 17, 17);
    return [{ key: `${a}-${b}`, x, y, n: String(fields[label]) }];
  });
}

/** The plates of the board, and how near to their middles nothing else may lie. @param {Scene} scene @param {Geometry} g @param {number} room @returns {Box[]} */
function plates(scene, g, room) {
  if (g.form !== "plate") return [];
  return Object.keys(scene.view.spaces).flatMap(id => {
    const at = g.places.get(id);
    const { wide, tall } = plateOf(scene, at ?? { x: 0, y: 0, w: 0, h: 0 }, scene.book.spaceName(id));
    return at ? [{ x: at.x, y: at.y, w: wide / 2 + room, h: tall / 2 + room }] : [];
  });
}

/** The first of some places that is covered least, which is taken then. @param {number[][]} places @param {Box[]} taken @param {number} w @param {number} h */
function free(places, taken, w, h) {
  const covered = (/** @type {number[]} */ [x = 0, y = 0]) => taken.reduce((sum, t) => sum + Math.max(0, Math.min(t.w - Math.abs(t.x - x), t.h - Math.abs(t.y - y))), 0);
  const best = places.reduce((a, b) => (covered(b) < covered(a) - 0.5 ? b : a));
  taken.push({ x: best[0] ?? 0, y: best[1] ?? 0, w, h });
  return best;
}

/** What it costs to choose a plate: at the corner where it covers least. @param {Scene} scene @param {Geometry} g */
function priceTags(scene, g) {
  const priced = g.form === "plate" ? [...g.places].map(([id, box]) => ({ id, box, price: priceOf(scene, id) })).filter(tag => tag.price) : [];
  if (!priced.length) return null;
  const taken = [...plates(scene, g, 8), ...tollsAt(scene, g).map(({ x, y }) => ({ x, y, w: 22, h: 17 }))];
  return priced.map(({ id, box, price }) => {
    const { wide, tall } = plateOf(scene, box, scene.book.spaceName(id));
    const corners = [[1, -1], [-1, -1], [1, 1], [-1, 1]].map(([across = 0, down = 0]) => [box.x + across * (wide / 2 + 2), box.y + down * (tall / 2 + 7)]);
    const [x, y] = free(corners, taken, 24, 16);
    return h("g.tag", { key: id, transform: `translate(${x} ${y})` }, h("rect", { x: -13, y: -8, width: 26, height: 16, rx: 8 }), h("text", { y: 4 }, price));
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
    const name = kind === "link" ? h("text.exit", { x: left ? edge + 3 : edge - 3, y: y > p.y + 12 ? y + 11 : y - 4, class: left ? "start" : "end" }, scene.book.spaceName(far)) : null;
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
  if (!declared.length) return standing(scene, g);
  const along = (/** @type {string} */ id, /** @type {string} */ name) => book.map?.spaces[id]?.fields[name] ?? view.spaces[id]?.[name];
  return declared.flatMap((marker, m) => {
    if (marker.at) return marked(scene, g, marker, m);
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
        color ? token({ ...color, shape: color.shape === "square" ? "square" : "circle" }, t(marker.letter)) : null, h("title", {}, `${scene.name(seat)}: ${t(marker.letter)}`));
    });
  });
}

/** Where a look says nothing of it, a player stands on the space that an attribute of theirs names. @param {Scene} scene @param {Geometry} g */
function standing(scene, g) {
  const named = (scene.book.attributes.player ?? []).filter(a => a.type === "space" && (a.per ?? "one") === "one");
  const all = named.flatMap(({ name }) => scene.view.players.map((player, seat) => ({ key: `${name}:${seat}`, name, seat, id: player[name], box: g.places.get(player[name]) })));
  return all.map(({ key, name, seat, id, box }) => {
    const here = all.filter(other => other.id === id);
    const color = scene.colors[seat];
    if (!box || !color) return null;
    const [x, y] = [box.x + (here.findIndex(other => other.key === key) - (here.length - 1) / 2) * 16, box.y - (g.form === "token" ? 22 : box.h * 0.26)];
    return h("g.tok.marker", { key, "data-glide": `marker:${key}`, style: { transform: `translate(${x}px, ${y}px) scale(.8)` } }, token(color, seat + 1), h("title", {}, `${scene.name(seat)}: ${scene.book.attributeName("player", name)}`));
  });
}

/** Tokens of players on the spaces an attribute of theirs names. @param {Scene} scene @param {Geometry} g @param {any} marker @param {number} m */
function marked(scene, g, marker, m) {
  const at = scene.view.players.map(player => player[marker.at]);
  return at.map((id, seat) => {
    const box = typeof id === "string" ? g.places.get(id) : undefined;
    const color = scene.colors[seat];
    if (!box || !color) return null;
    const here = at.map((other, i) => (other === id ? i : -1)).filter(i => i >= 0);
    const x = box.x + (here.indexOf(seat) - (here.length - 1) / 2) * 20;
    return h("g.tok.marker", { key: `${m}:${seat}`, "data-glide": `marker:${m}:${seat}`, style: { transform: `translate(${x}px, ${box.y + (g.squares ? 6 : -26)}px)` } },
      token(color, t(marker.letter)), h("title", {}, scene.name(seat)));
  });
}

/** The sides of a grid that belong to seats. @param {Scene} scene @param {Geometry} g */
function rims(scene, g) {
  const { map, look } = scene.book;
  return Object.entries(look.space?.rims ?? {}).flatMap(([side, seat]) => [...g.places].map(([id, box]) => {
    const [column = -1, row = -1] = map?.spaces[id]?.square ?? [];
    const on = { north: row === (map?.grid?.rows ?? 0) - 1, south: row === 0, west: column === 0, east: column === (map?.grid?.columns ?? 0) - 1 }[side];
    const color = scene.colors[Number(seat)];
    return on && color ? h("path.rim", { key: `${side}:${id}`, d: rim(side, g.form === "hex", box.w / 2), transform: `translate(${box.x} ${box.y})`, style: { "--p": color.fill } }) : null;
  }));
}

/** The outer line of one space; rows of hexes lean to the right. @param {string} side @param {boolean} hex @param {number} r */
function rim(side, hex, r) {
  const [b, c, d] = [r * 0.57, r * 1.13, r + 3];
  if (hex) return { north: `M${-r} ${-b}L0 ${-c}L${r} ${-b}`, south: `M${-r} ${b}L0 ${c}L${r} ${b}`, west: `M${-r} ${b}V${-b}L0 ${-c}` }[side] ?? `M${r} ${-b}V${b}L0 ${c}`;
  return { north: `M${-r} ${-d}H${r}`, south: `M${-r} ${d}H${r}`, west: `M${-d} ${-r}V${r}` }[side] ?? `M${d} ${-r}V${r}`;
}

/** A number of a player, or the one of a word: `travelled.hero`. @param {import("./types.js").Owner} player @param {string} path */
function numberOf(player, path) {
  const [attribute = "", word] = path.split(".");
  return word ? player[attribute]?.[word] : player[attribute];
}
