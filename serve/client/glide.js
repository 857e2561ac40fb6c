// Pieces really travel: where a thing was before the picture changed, and where it is after, makes the way it goes.

const CALM = 320;
const EASE = "cubic-bezier(.2,.7,.2,1)";

/** @typedef {{ piece: string, from: string | null, to: string | null }} Move */

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where everything that glides is now. @param {Element} root @returns {{ things: Map<string, DOMRect>, zones: Map<string, DOMRect> }} */
export function whereabouts(root) {
  /** @type {Map<string, DOMRect>} */
  const things = new Map();
  /** @type {Map<string, DOMRect>} */
  const zones = new Map();
  for (const e of root.querySelectorAll("[data-glide]")) things.set(e.getAttribute("data-glide") ?? "", e.getBoundingClientRect());
  for (const e of root.querySelectorAll("[data-zone]")) zones.set(e.getAttribute("data-zone") ?? "", e.getBoundingClientRect());
  return { things, zones };
}

/**
 * Lets everything travel from where it was. Several go one after the other, and all have arrived after little more than a second.
 * @param {Element} root @param {ReturnType<typeof whereabouts>} before @param {Move[]} moves
 */
export function glide(root, before, moves) {
  if (still()) return;
  const from = new Map(moves.map(m => [`piece:${m.piece}`, m.from]));
  /** @type {{ element: Element, dx: number, dy: number, scale: number }[]} */
  const going = [];
  for (const element of root.querySelectorAll("[data-glide]")) {
    const key = element.getAttribute("data-glide") ?? "";
    const was = before.things.get(key) ?? before.zones.get(from.get(key) ?? "");
    if (!was || !was.width) continue;
    const is = element.getBoundingClientRect();
    const dx = was.left + was.width / 2 - is.left - is.width / 2;
    const dy = was.top + was.height / 2 - is.top - is.height / 2;
    if (Math.hypot(dx, dy) < 6 || !is.width) continue;
    going.push({ element, dx, dy, scale: Math.max(0.3, Math.min(2, was.width / is.width)) });
  }
  const apart = Math.min(60, 880 / Math.max(1, going.length));
  going.forEach(({ element, dx, dy, scale }, i) => {
    const svg = element instanceof SVGElement;
    const away = svg ? svgShift(element, dx, dy) : `translate(${dx}px, ${dy}px) scale(${scale})`;
    const options = { duration: CALM, delay: i * apart, easing: EASE, fill: /** @type {const} */ ("backwards") };
    if (svg) element.animate([{ translate: away }, { translate: "0px 0px" }], options);
    else element.animate([{ transform: away, zIndex: 5 }, { transform: "none", zIndex: 5 }], options);
  });
}

/** A way on the screen in the units of the drawing. @param {SVGElement} element @param {number} dx @param {number} dy */
function svgShift(element, dx, dy) {
  const svg = element instanceof SVGGraphicsElement ? element.ownerSVGElement : null;
  const scale = svg?.getScreenCTM()?.a || 1;
  return `${dx / scale}px ${dy / scale}px`;
}
