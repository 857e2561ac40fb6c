// Where the spaces of a map lie: as its positions say, as its squares lie, as `at` says, or laid out here.

/**
 * @typedef {import("./book.js").Book} Book
 * @typedef {import("./types.js").View} View
 * @typedef {{ x: number, y: number, w: number, h: number }} Box      Around its middle.
 * @typedef {{ form: string, frame: [number, number, number, number], places: Map<string, Box>, outlines: { area: string, path: string, island?: boolean, box?: boolean }[], squares: boolean }} Geometry
 */

const SQUARE = 64;

/** @param {Book} book @param {View} view @param {number} tall How much taller boxes are drawn than they are placed. @returns {Geometry | null} */
export function geometry(book, view, tall = 1) {
  const map = book.map;
  if (!map || Object.keys(map.spaces).length === 0) return null;
  const asked = book.look.space?.form;
  const on = Object.keys(view.spaces);
  // A board that is assembled is not there before its first section lies.
  if (map.assembled && !on.length) return null;
  const square = on.find(id => view.spaces[id]?.at || map.spaces[id]?.square);
  if (square && (!book.positions?.spaces || ["square", "hex", "point"].includes(asked))) return squares(book, view, map.grid?.cells === "hex" ? "hex" : asked ?? "square");
  if (book.positions?.spaces) return positioned(book, asked ?? "token", tall);
  const ids = Object.keys(map.spaces);
  const placed = ids.every(id => map.spaces[id]?.at) ? spread(ids.map(id => /** @type {[number, number]} */ (map.spaces[id]?.at))) : null;
  const points = placed ?? (map.edges.length ? sprung(ids, map.edges.map(e => e.between)) : rows(book, ids));
  /** @type {Map<string, Box>} */
  const places = new Map();
  ids.forEach((id, i) => places.set(id, { x: points[i]?.[0] ?? 0, y: points[i]?.[1] ?? 0, w: 84, h: 44 }));
  return { form: asked ?? (map.edges.length ? "token" : "box"), frame: around(places, 48), places, outlines: [], squares: false };
}

/** @param {Book} book @param {string} form @param {number} tall @returns {Geometry} */
function positioned(book, form, tall) {
  const at = book.positions ?? {};
  const [w, h] = at.label ?? [72, 24];
  /** @type {Map<string, Box>} */
  const places = new Map();
  for (const [id, p] of Object.entries(at.spaces ?? {})) {
    places.set(id, p.length === 4 ? { x: p[0] + p[2] / 2, y: (p[1] + p[3] / 2) * tall, w: p[2], h: p[3] * tall } : { x: p[0], y: p[1], w, h });
  }
  const outlines = Object.entries(at.areas ?? {}).map(([area, line]) => outline(area, line));
  for (const [space, line] of Object.entries(at.islands ?? {})) outlines.push({ ...outline(book.map?.spaces[space]?.area ?? "", line), island: true });
  const size = at.size ?? [1000, 700];
  return { form, frame: [0, -4, size[0], size[1] * tall + (form === "token" ? 12 : 4)], places, outlines, squares: false };
}

/** @param {string} area @param {any} line @returns {Geometry["outlines"][number]} */
function outline(area, line) {
  const box = typeof line[0] === "number";
  return { area, box, path: box ? `M${line[0]} ${line[1]}h${line[2]}v${line[3]}h${-line[2]}z` : smooth(line) };
}

/** A closed curve through points. @param {[number, number][]} points */
export function smooth(points) {
  const n = points.length;
  /** @param {number} i @returns {[number, number]} */
  const p = i => points[(i + n) % n] ?? [0, 0];
  let path = `M${p(0)[0]} ${p(0)[1]}`;
  for (let i = 0; i < n; i++) {
    const [a, b, c, d] = [p(i - 1), p(i), p(i + 1), p(i + 2)];
    const first = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
    const second = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6];
    path += `C${[...first, ...second, ...c].map(v => Math.round((v ?? 0) * 10) / 10).join(" ")}`;
  }
  return `${path}z`;
}

/** @param {Book} book @param {View} view @param {string} form @returns {Geometry} */
function squares(book, view, form) {
  /** @type {Map<string, Box>} */
  const places = new Map();
  for (const id of Object.keys(view.spaces)) {
    const at = view.spaces[id]?.at ?? book.map?.spaces[id]?.square;
    if (!at) continue;
    const grid = book.map?.grid;
    const shift = form !== "hex" ? 0 : grid?.leaning ? at[1] / 2 : Math.abs(at[1]) % 2 === 1 ? 0.5 : 0;
    const step = form === "hex" ? SQUARE * 0.866 : SQUARE;
    places.set(id, { x: (at[0] + shift) * SQUARE, y: at[1] * (grid ? -step : step), w: SQUARE, h: SQUARE });
  }
  return { form, frame: around(places, 10), places, outlines: [], squares: true };
}

/** @param {Map<string, Box>} places @param {number} margin @returns {[number, number, number, number]} */
export function around(places, margin) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, w, h } of places.values()) {
    left = Math.min(left, x - w / 2);
    right = Math.max(right, x + w / 2);
    top = Math.min(top, y - h / 2);
    bottom = Math.max(bottom, y + h / 2);
  }
  if (left === Infinity) return [0, 0, 100, 60];
  return [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
}

/** Columns and lines of text become a drawing in which no two names touch. @param {[number, number][]} points @returns {[number, number][]} */
function spread(points) {
  let across = Infinity;
  let down = Infinity;
  points.forEach(([x, y], i) => points.slice(i + 1).forEach(([u, v]) => {
    if (y === v && x !== u) across = Math.min(across, Math.abs(x - u));
    if (y !== v) down = Math.min(down, Math.abs(y - v));
  }));
  const kx = 96 / (Number.isFinite(across) ? across : 8);
  const ky = 64 / (Number.isFinite(down) ? down : 1);
  return points.map(([x, y]) => [x * kx, y * ky]);
}

/** @param {Book} book @param {string[]} ids @returns {[number, number][]} */
function rows(book, ids) {
  const areas = [...new Set(ids.map(id => book.map?.spaces[id]?.area ?? ""))];
  const wide = Math.max(3, Math.ceil(Math.sqrt(ids.length * 1.6)));
  /** @type {Map<string, [number, number]>} */
  const at = new Map();
  let line = 0;
  for (const area of areas) {
    const here = ids.filter(id => (book.map?.spaces[id]?.area ?? "") === area);
    here.forEach((id, i) => at.set(id, [(i % wide) * 100, (line + Math.floor(i / wide)) * 60]));
    line += Math.ceil(here.length / wide) + (areas.length > 1 ? 0.4 : 0);
  }
  return ids.map(id => at.get(id) ?? [0, 0]);
}

/**
 * Spaces push each other away and links pull them together, the same way every time.
 * @param {string[]} ids @param {[string, string][]} links @returns {[number, number][]}
 */
function sprung(ids, links) {
  const n = ids.length;
  const at = new Map(ids.map((id, i) => [id, i]));
  const step = 110;
  const radius = (step * n) / (2 * Math.PI) + 40;
  /** @type {[number, number][]} */
  const p = ids.map((_, i) => [Math.cos((2 * Math.PI * i) / n) * radius * 1.5, Math.sin((2 * Math.PI * i) / n) * radius]);
  const pairs = links.map(([a, b]) => [at.get(a) ?? -1, at.get(b) ?? -1]).filter(([a = -1, b = -1]) => a >= 0 && b >= 0 && a !== b);
  const turns = n > 120 ? 120 : 300;
  for (let turn = 0; turn < turns; turn++) {
    const heat = step * 1.2 * (1 - turn / turns) + 1;
    /** @type {[number, number][]} */
    const push = p.map(() => [0, 0]);
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) move(p, push, i, j, d => (d < 4 * step ? (step * step) / d : 0));
    }
    p.forEach(([x, y], i) => {
      const here = push[i];
      if (here) [here[0], here[1]] = [here[0] - x * 0.06, here[1] - y * 0.1];
    });
    for (const [a = 0, b = 0] of pairs) move(p, push, a, b, d => -(d * d) / step);
    p.forEach((point, i) => {
      const [dx, dy] = push[i] ?? [0, 0];
      const d = Math.hypot(dx, dy) || 1;
      point[0] += (dx / d) * Math.min(d, heat);
      point[1] += (dy / d) * Math.min(d, heat) * 0.8;
    });
  }
  for (let turn = 0; turn < 80; turn++) part(p);
  return p;
}

/** Names that touch move apart, the shorter way. @param {[number, number][]} p */
function part(p) {
  p.forEach((a, i) => p.slice(i + 1).forEach(b => {
    const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
    const [over, under] = [98 - Math.abs(dx), 50 - Math.abs(dy)];
    if (over <= 0 || under <= 0) return;
    const across = over < under * 1.6;
    const by = ((across ? over : under) / 2) * ((across ? dx : dy) < 0 ? -1 : 1);
    a[across ? 0 : 1] += by;
    b[across ? 0 : 1] -= by;
  }));
}

/** @param {[number, number][]} p @param {[number, number][]} push @param {number} i @param {number} j @param {(distance: number) => number} force */
function move(p, push, i, j, force) {
  const [a, b, u, v] = [p[i], p[j], push[i], push[j]];
  if (!a || !b || !u || !v) return;
  const [dx, dy] = [a[0] - b[0] || 0.01 * (i - j), a[1] - b[1] || 0.01];
  const d = Math.hypot(dx, dy);
  const f = force(d) / d;
  u[0] += dx * f;
  u[1] += dy * f;
  v[0] -= dx * f;
  v[1] -= dy * f;
}

/** A long name in lines of about so many letters. @param {string} name @param {number} letters */
export function lines(name, letters) {
  /** @type {string[]} */
  const out = [];
  for (const word of name.split(" ")) {
    const last = out[out.length - 1];
    if (last !== undefined && last.length + word.length + 1 <= letters) out[out.length - 1] = `${last} ${word}`;
    else out.push(word);
  }
  return out;
}
