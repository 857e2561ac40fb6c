// A thing on the table: what every drawing of it shares, whether it is a country, a card or a player.
// A thing that an option is about can be clicked and reached by keyboard; pointing at it lights its twin in the list.

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./types.js").SeatColor} SeatColor
 * @typedef {import("./book.js").Book} Book
 */

/**
 * @typedef {object} Acts  What people do with things.
 * @property {(thing: string) => void} pick
 * @property {(thing: string | null) => void} point
 * @property {(thing: string) => void} read
 */

/**
 * @typedef {object} Scene  One picture of the table: everything a drawing may look at.
 * @property {Book} book
 * @property {View} view
 * @property {number | null} you
 * @property {SeatColor[]} colors
 * @property {(seat: number) => string} name
 * @property {Map<string, Option[]>} lit         Options by the thing they are about.
 * @property {Set<string>} chosen                Things of what is chosen.
 * @property {string | null} pointed             The thing, or the option, under the pointer.
 * @property {View | null} before                The table when one last chose.
 * @property {Record<string, any>} figures
 * @property {boolean} narrow
 * @property {boolean} many                      So many borders are offered that one chooses where to set out first.
 * @property {Acts} acts
 */

/** Whether one may choose it: the far end of a border, not the near one. @param {Scene} scene @param {string} thing */
export function isLit(scene, thing) {
  const options = scene.lit.get(thing);
  if (!options) return false;
  const space = thing.startsWith("space:") ? thing.slice(6) : null;
  return options.some(o => space === null || (scene.many && o.about?.kind === "edge" ? o.about.from === space : !near(o.about, space)));
}

/** @param {import("./types.js").About | undefined} about @param {string} space @returns {boolean} */
function near(about, space) {
  return about?.kind === "edge" && about.from === space && about.to !== space;
}

/**
 * The marks of a thing that may be chosen, pointed at or read.
 * @param {Scene} scene @param {string | string[]} names  Its name, or the names it may be offered under.
 * @param {string} label @returns {Record<string, any>}
 */
export function asThing(scene, names, label) {
  const all = Array.isArray(names) ? names : [names];
  const thing = all.find(name => scene.lit.has(name)) ?? all[0] ?? "";
  const options = scene.lit.get(thing);
  /** @type {Record<string, any>} */
  const props = {
    "data-thing": thing,
    onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && scene.acts.point(thing),
    onpointerleave: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && scene.acts.point(null),
  };
  if (!options) return { ...props, class: scene.pointed === thing ? "lit" : "", onclick: () => scene.acts.read(thing) };
  const note = options.length === 1 ? options[0]?.note : "";
  const pressed = all.some(name => scene.chosen.has(name));
  const ringed = isLit(scene, thing);
  return {
    ...props,
    class: `${ringed ? "go" : "near"} ${pressed ? "chosen" : ""} ${scene.pointed === thing ? "lit" : ""}`,
    role: ringed ? "button" : null,
    tabindex: ringed ? "0" : null,
    "aria-label": ringed ? [label, note].filter(Boolean).join(", ") : null,
    "aria-pressed": ringed ? String(pressed) : null,
    onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      scene.acts.pick(thing);
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      scene.acts.pick(thing);
    },
    onfocus: () => scene.acts.point(thing),
    onblur: () => scene.acts.point(null),
  };
}

/** A number of an owner, or the sum over its words or seats. @param {any} value */
export function total(value) {
  if (typeof value === "number") return value;
  if (value && typeof value === "object") return Object.values(value).reduce((sum, v) => sum + (Number(v) || 0), 0);
  return value ? 1 : 0;
}

/** How a number of a space differs from when one last chose. @param {Scene} scene @param {string} id @param {string} attribute */
export function difference(scene, id, attribute) {
  const was = scene.before?.spaces[id]?.[attribute];
  const is = scene.view.spaces[id]?.[attribute];
  return typeof was === "number" && typeof is === "number" ? is - was : 0;
}

/** @param {number} n */
export const signed = n => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
