// One space of the board, in its form: a token with its name, a plate with slots, a box with what lies in it, a square.
import { h } from "./dom.js";
import { hasIcon, iconShape, token } from "./icons.js";
import { lines } from "./geometry.js";
import { asThing, difference, isLit, signed, total } from "./things.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./types.js").Owner} Owner
 * @typedef {import("./types.js").Piece} Piece
 */

/** @param {Scene} scene @param {Geometry} g @param {string} id @param {Box} box */
export function drawSpace(scene, g, id, box) {
  const held = scene.view.spaces[id];
  const name = scene.book.spaceName(id);
  if (!held) return g.squares ? null : h("text.far", { key: id, x: box.x, y: box.y + 4 }, name);
  const tint = scene.book.spaceTint(id, held);
  const live = asThing(scene, `space:${id}`, name);
  const form = { token: tokenForm, plate: plateForm, box: boxForm, square: squareForm, hex: squareForm, point: squareForm }[g.form] ?? tokenForm;
  return h("g.space", { key: id, ...live, transform: `translate(${box.x} ${box.y})`, class: `as-${g.form} ${live.class}`, style: tint ? { "--area": tint } : {} },
    form(scene, id, held, box, name, g));
}

/** Who holds a space, with how many: as the look says, or the first declared owner and number. @param {Scene} scene @param {Owner} held */
function tokensOf(scene, held) {
  /** @type {{ owner?: string, number?: string, word?: string }[]} */
  let declared = scene.book.look.space?.tokens;
  if (!declared) {
    const owner = scene.book.attributes.space?.find(a => a.type === "player" && a.per !== "player");
    const number = scene.book.attributes.space?.find(a => a.type === "int" && (a.per ?? "one") === "one" && a.text);
    const word = scene.book.attributes.space?.find(a => a.type === "word" && a.text);
    declared = scene.book.look.space?.slots || scene.book.look.space?.zone || (!owner && !number) ? [] : [{ ...(owner ? { owner: owner.name } : {}), ...(number ? { number: number.name } : owner && word ? { word: word.name } : {}) }];
  }
  return declared
    .map(d => ({ seat: d.owner ? held[d.owner] : null, number: d.number ? held[d.number] : undefined, word: d.word ? held[d.word] : null, attribute: d.number ?? "", owned: !!d.owner }))
    .filter((d, i) => (typeof d.seat === "number" ? true : i === 0 && (!d.owned ? d.number > 0 : d.number > 0)));
}

/** @param {Scene} scene @param {number | null | undefined} seat */
function colorOf(scene, seat) {
  return (typeof seat === "number" ? scene.colors[seat] : undefined) ?? { fill: "var(--land)", ink: "var(--ink)", edge: "var(--link)", shape: "circle" };
}

/** A token with its number, the icon of its word, or the letters of it. @param {Scene} scene @param {{ seat: any, number: any, word: any }} one */
function drawToken(scene, one) {
  const color = colorOf(scene, one.seat);
  const sign = one.word ? scene.book.iconOf(one.word) ?? (hasIcon(one.word) ? one.word : null) : null;
  if (!sign) return token(color, one.number ?? (one.word ? initials(scene.book.word(one.word)) : ""));
  return [token({ ...color, shape: "circle" }), h("g.man-icon", { transform: "translate(-7 -7) scale(.875)", style: { "--p-ink": color.ink } }, iconShape(sign)), h("title", {}, scene.book.word(one.word))];
}

/** The ring around what can be chosen, the halo and the tick of what is chosen. @param {Scene} scene @param {string} thing @param {string} d */
function states(scene, thing, d) {
  const chosen = scene.chosen.has(thing);
  if (!isLit(scene, thing) && !chosen) return scene.pointed === thing ? [h("path.glow", { key: "glow", d })] : [];
  return [chosen ? h("path.glow", { key: "glow", d }) : null, h("path.ring-gap", { key: "gap", d }), h("path.ring", { key: "ring", d })];
}

/** @param {number} x @param {number} y */
const tick = (x, y) => h("g.tick", { key: "tick", transform: `translate(${x} ${y})` }, h("circle", { r: 7 }), h("path", { d: "M-3 0.2L-0.9 2.6L3.2 -2.4" }));

/** @param {number} x @param {number} y @param {string} text */
function bubble(x, y, text) {
  const width = 6 + text.length * 6.2;
  return h("g.bubble", { key: "bubble", transform: `translate(${x} ${y})` }, h("rect", { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }), h("text", { y: 3.6 }, text));
}

/** Signs of what else a space has: an icon, a number or the icon of a word. @param {Scene} scene @param {Owner} held */
function marksOf(scene, held) {
  const named = scene.book.look.space?.marks ?? {};
  return Object.entries(named).flatMap(([attribute, sign]) => {
    const value = held[attribute];
    if (!value) return [];
    const shown = sign === "word" ? scene.book.iconOf(String(value)) : sign === "number" ? null : hasIcon(sign) ? sign : null;
    const text = sign === "number" || (typeof value === "number" && value > 1) ? String(value) : "";
    const tint = sign === "word" ? scene.book.colorOf(String(value)) : null;
    return [{ attribute, shown, text, tint, label: `${scene.book.attributeName("space", attribute)}${typeof value === "boolean" ? "" : `: ${scene.book.show(value, scene.book.attribute("space", attribute), scene.name)}`}` }];
  });
}

/** @param {Scene} scene @param {Owner} held @param {number} x @param {number} y @param {number} step */
function drawMarks(scene, held, x, y, step) {
  return marksOf(scene, held).map((m, i) => h("g.sign", { key: m.attribute, transform: `translate(${x + i * step} ${y})`, style: m.tint ? { "--tint": m.tint } : {} },
    h("circle.mark", { r: 7 }), m.shown ? h("g.mark-icon", { transform: "translate(-5 -5) scale(.625)" }, iconShape(m.shown)) : null,
    m.text ? h("text.mark-text", { x: m.shown ? 9 : 0, y: 3.4 }, m.text) : null, h("title", {}, m.label)));
}

/** @param {Scene} scene @param {string} id @param {Owner} held @param {Box} box @param {string} name */
function tokenForm(scene, id, held, box, name) {
  const found = tokensOf(scene, held);
  const thing = `space:${id}`;
  const shape = colorOf(scene, found[0]?.seat).shape;
  const reach = found.length > 1 ? 23 : shape === "triangle" ? 17 : 15;
  const round = `M0 ${-4 - reach}a${reach} ${reach} 0 1 0 0 ${2 * reach}a${reach} ${reach} 0 1 0 0 ${-2 * reach}z`;
  const change = found[0]?.attribute ? difference(scene, id, found[0].attribute) : 0;
  const newOwner = scene.before && found[0] && !change && ownerBefore(scene, id) !== undefined && ownerBefore(scene, id) !== found[0].seat;
  return [
    states(scene, thing, round),
    found.length ? found.map((f, i) => h("g.tok", { key: `t${i}`, transform: `translate(${(i - (found.length - 1) / 2) * 19} -4)` }, drawToken(scene, f)))
      : h("circle.dot", { key: "dot", cy: -4, r: 6 }),
    drawMarks(scene, held, 15, -15, 14), pieces(scene, held, -4, 40),
    change ? bubble(-18, -16, signed(change)) : newOwner ? h("circle.turned", { key: "turned", cx: -13, cy: -15, r: 5 }) : null,
    scene.chosen.has(thing) ? tick(13, 8) : null,
    h("text.name", { key: "name", y: 21 }, name),
  ];
}

/** @param {Scene} scene @param {string} id */
function ownerBefore(scene, id) {
  const owner = scene.book.look.space?.tokens?.[0]?.owner ?? scene.book.attributes.space?.find(a => a.type === "player")?.name;
  const was = scene.before?.spaces[id];
  return was && owner ? was[owner] : undefined;
}

/** @param {Scene} scene @param {string} id @param {Owner} held @param {Box} box @param {string} name */
function plateForm(scene, id, held, box, name) {
  const thing = `space:${id}`;
  const slots = scene.book.look.space?.slots;
  const { wide, tall, rows, letters } = plateOf(scene, box, name);
  const plate = (/** @type {number} */ by) => `M${-wide / 2 - by + 5} ${-tall / 2 - by}h${wide + 2 * by - 10}a5 5 0 0 1 5 5v${tall + 2 * by - 10}a5 5 0 0 1 -5 5h${-wide - 2 * by + 10}a5 5 0 0 1 -5 -5v${-tall - 2 * by + 10}a5 5 0 0 1 5 -5z`;
  /** @type {string[]} */
  const owners = slots?.owners ?? [];
  return [
    states(scene, thing, plate(3)),
    h("path.plate", { key: "plate", d: plate(0) }),
    rows.map((row, i) => h("text.city", { key: `n${i}`, y: 13 - tall / 2 + i * 11, style: { "font-size": `${letters.toFixed(1)}px` } }, row)),
    owners.map((attribute, i) => {
      const seat = held[attribute];
      const color = typeof seat === "number" ? scene.colors[seat] : undefined;
      return h("g", { key: attribute, transform: `translate(${(i - (owners.length - 1) / 2) * 17} ${tall / 2 - 8.5})` }, color
        ? h("g.piece", { style: { "--p": color.fill, "--p-edge": color.edge ?? "", "--p-ink": color.ink } }, h("path.body", { d: "M-7 6v-6.5L0 -6L7 -0.5V6z" }), h("path.face", { d: dot(color.shape) }), h("title", {}, scene.name(seat)))
        : h("path.slot", { d: "M-6 5v-5L0 -5L6 0V5z" }));
    }),
    drawMarks(scene, held, -wide / 2 + 2, -tall / 2, 13), pieces(scene, held, 20, wide),
    scene.chosen.has(thing) ? tick(-wide / 2, -tall / 2) : null,
  ];
}

/** How large a plate is, and its name in one or two rows. @param {Scene} scene @param {Box} box @param {string} name */
export function plateOf(scene, box, name) {
  let most = 11;
  while (lines(name, most).length > 2) most += 1;
  const rows = lines(name, most);
  const longest = Math.max(...rows.map(row => row.length));
  const slots = scene.book.look.space?.slots?.owners?.length ?? 0;
  const wide = Math.min(box.w + 8, Math.max(slots * 17 + 8, longest * 6.6 + 10));
  return { wide, tall: rows.length * 11 + (slots ? 21 : 11), rows, letters: Math.min(11.6, (wide - 6) / (longest * 0.6)) };
}

/** What it costs to choose a plate. @param {Scene} scene @param {string} id */
export function priceOf(scene, id) {
  const options = scene.lit.get(`space:${id}`) ?? [];
  return options.length === 1 && isLit(scene, `space:${id}`) ? /\d+/.exec(options[0]?.note ?? "")?.[0] : undefined;
}

/** The sign of a seat's shape inside a small piece. @param {string} shape */
function dot(shape) {
  return { square: "M-2 0h4v4h-4z", triangle: "M0 -.5L2.8 4H-2.8z", diamond: "M0 -1.2L3 2L0 5.2L-3 2z", hexagon: "M-1.5 -.8h3L3 2L1.5 4.8h-3L-3 2z", shield: "M-2.4 -.6h4.8v2.6L0 4.8L-2.4 2z" }[shape] ?? "M0 -.4a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0 -4.8z";
}

/** @param {Scene} scene @param {string} id @param {Owner} held @param {Box} box @param {string} name */
function boxForm(scene, id, held, box, name) {
  const thing = `space:${id}`;
  const look = scene.book.look.space ?? {};
  const [l, t, r] = [-box.w / 2, -box.h / 2, box.w / 2];
  const edge = (/** @type {number} */ by) => `M${l - by} ${t - by}h${box.w + 2 * by}v${box.h + 2 * by}h${-box.w - 2 * by}z`;
  const small = box.w < 60 || box.h < 46;
  const bare = box.w < 46 || (scene.narrow && box.h > box.w * 1.5);
  const tiles = look.tile ? tileName(scene, held, look.tile) : null;
  const longest = Math.max(...name.split(" ").map(word => word.length));
  const size = Math.min(small ? 8.5 : 10.5, (box.w - 9) / (longest * 0.66));
  const title = bare ? [] : lines(tiles || name, Math.max(6, Math.floor((box.w - 10) / (small ? 4.9 : 6.1)))).slice(0, small ? 2 : 3);
  return [
    states(scene, thing, edge(2)),
    h("path.box", { key: "box", d: edge(0), class: tiles === "" ? "covered" : "" }),
    tiles === "" ? h("path", { key: "cover", d: edge(-3), fill: "url(#hatch)" }) : null,
    look.fill ? stripes(scene, held, look.fill, box) : null,
    title.map((part, i) => h("text.box-name", { key: `n${i}`, x: l + 6, y: t + 13 + i * 11.5, style: { "font-size": `${size.toFixed(1)}px` } }, part)),
    look.corners ? facts(scene, id, held, look.corners, l + 6, t + 13 + title.length * 11.5, r - l - 10) : null,
    look.bar ? bar(scene, held, look.bar, l + 6, box.h / 2 - 12, box.w - 12) : null,
    look.stars ? stars(scene, held, look.stars, r - 10, t + 11) : null,
    drawMarks(scene, held, r - 10, box.h / 2 - 10, -15),
    pieces(scene, held, box.h / 2 - 13, box.w),
    scene.chosen.has(thing) ? tick(r - 4, t + 4) : null,
  ];
}

/** The card that lies in a box, by name; the empty string if it lies face down. @param {Scene} scene @param {Owner} held @param {string} named @returns {string | null} */
function tileName(scene, held, named) {
  const zone = held.zones?.[named];
  const piece = zone?.pieces?.[0];
  if (piece) return scene.book.cardName(piece.card);
  if (zone?.count) return "";
  return typeof held[named] === "string" ? scene.book.cardName(held[named]) : null;
}

/** One stripe for each word that is not 0. @param {Scene} scene @param {Owner} held @param {string} attribute @param {Box} box */
function stripes(scene, held, attribute, box) {
  const words = Object.entries(held[attribute] ?? {}).filter(([, n]) => n).map(([word]) => word);
  const order = scene.book.attribute("space", attribute)?.per_words ?? [];
  words.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const [top, tall] = [-box.h * 0.25, box.h * 0.5];
  const stacked = box.h > box.w * 1.5;
  if (!words.length) return [h("path.unknown", { key: "unknown", d: `M${-box.w / 2} ${top}h${box.w}v${tall}h${-box.w}z`, fill: "url(#hatch)" }), h("text.unknown-text", { key: "q", y: 6 }, "?")];
  return words.map((word, i) => {
    const [width, height] = stacked ? [box.w, tall / words.length] : [box.w / words.length, tall];
    const [x, y] = [-box.w / 2 + (stacked ? 0 : i * width), top + (stacked ? i * height : 0)];
    const size = Math.min(width * 0.6, height * 0.6, stacked ? 44 : 24);
    const tint = scene.book.colorOf(word);
    const name = scene.book.iconOf(word);
    return h("g.stripe", { key: word, style: tint ? { "--tint": tint } : {} }, h("path", { d: `M${x} ${y}h${width}v${height}h${-width}z` }),
      name ? h("g.stripe-icon", { transform: `translate(${x + width / 2 - size / 2} ${y + height / 2 - size / 2}) scale(${size / 16})` }, iconShape(name)) : h("text", { x: x + width / 2, y: 4 }, scene.book.word(word)), h("title", {}, scene.book.word(word)));
  });
}

/** Small facts of a space: numbers and words with their icons, in lines that fit. @param {Scene} scene @param {string} id @param {Owner} held @param {string[]} named @param {number} x @param {number} y @param {number} wide */
function facts(scene, id, held, named, x, y, wide) {
  const fields = scene.book.map?.spaces[id]?.fields ?? {};
  /** @type {{ icon: string | null, text: string, tint: string | null, label: string }[]} */
  const found = [];
  for (const name of named) {
    const value = held[name] ?? fields[name];
    const all = Array.isArray(value) ? value : [value];
    for (const one of new Set(all)) {
      if (one === null || one === undefined || one === 0 || one === false) continue;
      const word = typeof one === "string";
      const times = word ? all.filter(other => other === one).length : 1;
      const sign = scene.book.iconOf(word ? one : name);
      const label = word ? `${times > 1 ? `${times} × ` : ""}${scene.book.word(one)}` : `${scene.book.attributeName("space", name)} ${one}`;
      const fact = { icon: sign, text: word ? "" : String(one), tint: scene.book.colorOf(word ? one : name), label };
      for (let i = 0; i < (sign ? times : 1); i++) found.push(fact);
    }
  }
  let at = 0;
  return h("g.facts-in", { key: "facts", transform: `translate(${x} ${y - 8})` }, found.map((f, i) => {
    const size = f.icon ? 13 + f.text.length * 6 : Math.max(8, (f.text || f.label).length * 5.2);
    if (at + size > wide) return null;
    const here = at;
    at += size + 3;
    return h("g", { key: `f${i}`, transform: `translate(${here} 0)`, style: f.tint ? { "--tint": f.tint } : {} },
      f.icon ? h("g.fact-icon", { transform: "scale(.7)" }, iconShape(f.icon)) : null, f.icon && !f.text ? null : h("text.fact-text", { x: f.icon ? 13 : 0, y: 9 }, f.text || f.label), h("title", {}, f.label));
  }));
}

/** @param {Scene} scene @param {Owner} held @param {{ attribute: string, to: number }} declared @param {number} x @param {number} y @param {number} wide */
function bar(scene, held, declared, x, y, wide) {
  const value = Number(held[declared.attribute] ?? 0);
  if (!value) return null;
  const cell = wide / declared.to;
  return h("g.bar-of", { key: "bar" }, Array.from({ length: declared.to }, (_, i) => h("rect", { key: `b${i}`, x: x + i * cell, y, width: cell - 1.5, height: 5, class: i < value ? "on" : "" })), h("title", {}, `${scene.book.attributeName("space", declared.attribute)}: ${value}`));
}

/** So many of each seat's shape. @param {Scene} scene @param {Owner} held @param {string} attribute @param {number} x @param {number} y */
function stars(scene, held, attribute, x, y) {
  const values = held[attribute];
  if (!Array.isArray(values)) return null;
  const all = values.flatMap((n, seat) => Array.from({ length: Number(n) || 0 }, () => seat));
  return all.map((seat, i) => h("g.tok.tiny", { key: `s${i}`, transform: `translate(${x - (i % 5) * 14} ${y + Math.floor(i / 5) * 14}) scale(.55)` }, token(colorOf(scene, seat)), h("title", {}, scene.name(seat))));
}

/** Pieces that stand on a space. @param {Scene} scene @param {Owner} held @param {number} y @param {number} wide */
function pieces(scene, held, y, wide) {
  const named = scene.book.look.space?.zone;
  const zones = Object.entries(held.zones ?? {}).filter(([name]) => (named ? name === named : name !== scene.book.look.space?.tile && scene.book.look.space?.form !== "box"));
  const found = zones.flatMap(([, zone]) => zone.pieces ?? []).filter(p => p !== null);
  if (!found.length) return null;
  const step = Math.min(22, (wide - 20) / Math.max(1, found.length - 1));
  return found.map((piece, i) => {
    const p = /** @type {Piece} */ (piece);
    const kind = scene.book.declaration.cards[p.card]?.kind ?? "";
    const look = scene.book.kindLook(kind);
    const number = look.number ? p[look.number] : undefined;
    const color = colorOf(scene, p.owner);
    const name = scene.book.cardIcon(p.card) ?? scene.book.iconOf(p.card);
    const live = asThing(scene, [`piece:${p.key}`, `card:${p.card}`], p.name);
    const x = (i - (found.length - 1) / 2) * step;
    return h("g.man", { key: `p${p.key}`, ...live, "data-glide": `piece:${p.key}`, transform: `translate(${x} ${y})`, style: { "--p": color.fill, "--p-ink": color.ink, "--p-edge": color.edge ?? "" } },
      isLit(scene, String(live["data-thing"])) ? h("circle.ring", { r: 13.5 }) : null,
      look.form === "die" ? h("rect.body", { x: -9, y: -9, width: 18, height: 18, rx: 3.5 }) : h("circle.body", { r: 10 }),
      name ? h("g.man-icon", { transform: "translate(-7 -7) scale(.875)" }, iconShape(name)) : h("text.on", { y: 4.2 }, number === undefined ? initials(p.name) : String(number)),
      h("title", {}, typeof p.owner === "number" ? `${p.name}, ${scene.name(p.owner)}` : p.name));
  });
}

/** @param {string} name */
const initials = name => name.split(/\s+/).map(word => word[0] ?? "").join("").slice(0, 2).toLocaleUpperCase();

/** @param {Scene} scene @param {string} id @param {Owner} held @param {Box} box @param {string} name @param {Geometry} g */
function squareForm(scene, id, held, box, name, g) {
  const thing = `space:${id}`;
  const look = scene.book.look.space ?? {};
  const shape = shapeOf(scene, id, look.shape);
  const r = box.w / 2 - 1.5;
  const outline = g.form === "hex" ? hexagon(box.w / 2) : shape === "hexagon" ? hexagon(r * 0.88) : shape === "diamond" ? `M0 ${-r}L${r} 0L0 ${r}L${-r} 0z` : shape === "disc" ? `M0 ${-r * 0.72}a${r * 0.72} ${r * 0.72} 0 1 0 0 ${r * 1.44}a${r * 0.72} ${r * 0.72} 0 1 0 0 ${-r * 1.44}z` : `M${-r + 6} ${-r}h${2 * r - 12}a6 6 0 0 1 6 6v${2 * r - 12}a6 6 0 0 1 -6 6h${-2 * r + 12}a6 6 0 0 1 -6 -6v${-2 * r + 12}a6 6 0 0 1 6 -6z`;
  const found = tokensOf(scene, held);
  const change = found[0]?.attribute ? difference(scene, id, found[0].attribute) : 0;
  const plain = g.form !== "point" && !look.corners && !found.length && !Object.keys(held.zones ?? {}).length;
  return [
    g.form === "point" ? h("path.crossing", { key: "square", d: crossing(g, box) }) : shape === "dot" ? [h("rect.void", { key: "void", x: -r, y: -r, width: 2 * r, height: 2 * r }), h("circle.speck", { key: "speck", r: 2 })] : h("path.square", { key: "square", d: outline, class: g.form !== "hex" && scene.book.map?.grid && (Math.round(box.x / box.w) + Math.round(box.y / box.h)) % 2 ? "odd" : "" }),
    states(scene, thing, shape === "dot" || g.form === "point" ? `M0 -16a16 16 0 1 0 0 32a16 16 0 1 0 0 -32z` : outline),
    look.corners && shape !== "dot" ? cornersOf(scene, held, look.corners, shape === "disc" ? r * 0.66 : r) : null,
    found.map((f, i) => h("g.tok", { key: `t${i}`, transform: `translate(${(i - (found.length - 1) / 2) * 22} 0) scale(${look.corners || found.length > 1 ? 1 : 1.8})` }, drawToken(scene, f))),
    drawMarks(scene, held, -r + 9, r - 9, 15),
    pieces(scene, held, 0, box.w),
    change ? bubble(0, -r + 12, signed(change)) : null,
    scene.chosen.has(thing) ? tick(r - 9, -r + 9) : null,
    plain ? h("text.square-name", { key: "name", y: 4 }, short(name)) : null,
    h("title", { key: "title" }, name),
  ];
}

/** Lines from a point to the points beside it; a patch without lines makes it large enough to be met. @param {Geometry} g @param {Box} box */
function crossing(g, { x, y, w }) {
  const near = (/** @type {number} */ dx, /** @type {number} */ dy) => [...g.places.values()].some(p => Math.abs(p.x - x - dx * w) < 1 && Math.abs(p.y - y - dy * w) < 1);
  return [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx = 0, dy = 0]) => (near(dx, dy) ? `M0 0L${(dx * w) / 2} ${(dy * w) / 2}` : "")).join("");
}

/** The coordinate at the end of a square's name is enough on a small square. @param {string} name */
const short = name => name.split(" ").pop() ?? name;

/** @param {number} r */
const hexagon = r => `M0 ${-r * 1.13}L${r - 1} ${-r * 0.57}V${r * 0.57}L0 ${r * 1.13}L${1 - r} ${r * 0.57}V${-r * 0.57}z`;

/** @param {Scene} scene @param {string} id @param {Record<string, Record<string, string>> | undefined} shapes */
function shapeOf(scene, id, shapes) {
  for (const [field, words] of Object.entries(shapes ?? {})) {
    const word = scene.view.spaces[id]?.[field] ?? scene.book.map?.spaces[id]?.fields[field];
    if (word !== undefined && words[word]) return words[word];
  }
  return "square";
}

/** @param {Scene} scene @param {Owner} held @param {string[]} named @param {number} r */
function cornersOf(scene, held, named, r) {
  const at = [[-r + 4, -r + 14, "start"], [r - 4, -r + 14, "end"], [-r + 4, r - 4, "start"], [r - 4, r - 4, "end"]];
  return named.slice(0, 4).map((name, i) => {
    const value = total(held[name]);
    if (!value) return null;
    const tint = scene.book.colorOf(name);
    const [x = 0, y = 0, side = ""] = at[i] ?? [];
    return h("text.corner", { key: name, x, y, class: String(side), style: tint ? { "--tint": tint } : {} }, String(value), h("title", {}, `${scene.book.attributeName("space", name)}: ${value}`));
  });
}
