// A picture is a tree of plain descriptions; `patch` makes the page agree with it, keeping every element whose key stays.
// Text is only ever text: nothing here reads markup, so nothing a pack writes can become any.

/**
 * @typedef {object} Node  One element to be drawn, or a line of text.
 * @property {string} tag
 * @property {string} [key]
 * @property {Record<string, string>} attributes
 * @property {Record<string, string>} style     Custom properties and the like, set through the object model.
 * @property {Record<string, (event: any) => void>} on
 * @property {Record<string, any>} live         Properties of controls that the user changes too: `value`, `checked`.
 * @property {Node[]} children
 * @property {string} [text]
 * @property {(element: Element) => void} [ready]  Called after the element was made or kept.
 */

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | any[]} Child  Lists may hold lists. */

/**
 * @typedef {object} Drawn  What an element remembers of the description it was made from.
 * @property {Node} node
 * @property {Set<string>} heard
 */

/** @type {WeakMap<globalThis.Node, Drawn>} */
const drawn = new WeakMap();
/** Where somebody writes, from the first letter until they are done. @type {WeakSet<EventTarget>} */
const written = new WeakSet();
for (const type of ["input", "change", "focusout"]) document.addEventListener(type, ({ target }) => {
  if (target) written[type === "input" ? "add" : "delete"](target);
}, true);
const SVG = "http://www.w3.org/2000/svg";
const LIVE = new Set(["value", "checked", "open", "scrollTop", "selected", "indeterminate"]);

/**
 * `h("button.do#go", { key, onclick, style, "aria-pressed": true }, "Go")`.
 * A value of false, null or undefined leaves an attribute out; true gives it empty, or "true" where it begins with `aria-`.
 * @param {string} spec
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {Node}
 */
export function h(spec, props = {}, ...children) {
  const [head = "div", ...marks] = spec.split(/(?=[.#])/);
  const classes = marks.filter(m => m[0] === ".").map(m => m.slice(1));
  /** @type {Node} */
  const node = { tag: head, attributes: {}, style: {}, on: {}, live: {}, children: [] };
  for (const mark of marks) if (mark[0] === "#") node.attributes.id = mark.slice(1);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) {
      if (LIVE.has(name) && value === false) node.live[name] = false;
      continue;
    }
    if (name === "key") node.key = String(value);
    else if (name === "class") classes.push(...String(value).split(" ").filter(Boolean));
    else if (name === "style") node.style = value;
    else if (name === "ready") node.ready = value;
    else if (name.startsWith("on")) node.on[name.slice(2)] = value;
    else if (LIVE.has(name)) node.live[name] = value;
    else node.attributes[name] = value === true ? (name.startsWith("aria-") ? "true" : "") : String(value);
  }
  if (classes.length) node.attributes.class = classes.join(" ");
  gather(children, node.children);
  return node;
}

/** @param {Child[]} children @param {Node[]} into */
function gather(children, into) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) gather(child, into);
    else if (typeof child === "object") into.push(child);
    else into.push({ tag: "", attributes: {}, style: {}, on: {}, live: {}, children: [], text: String(child) });
  }
}

/**
 * Makes the children of `parent` those described.
 * @param {Element} parent
 * @param {...Child} children
 */
export function draw(parent, ...children) {
  /** @type {Node[]} */
  const wanted = [];
  gather(children, wanted);
  patchChildren(parent, wanted);
}

/** @param {Element} parent @param {Node[]} wanted */
function patchChildren(parent, wanted) {
  /** @type {Map<string, globalThis.Node>} */
  const keyed = new Map();
  /** @type {globalThis.Node[]} */
  const loose = [];
  for (const child of [...parent.childNodes]) {
    const key = drawn.get(child)?.node.key;
    if (key === undefined) loose.push(child);
    else keyed.set(key, child);
  }
  const children = wanted.map(node => ({ node, child: (node.key === undefined ? takeLike(loose, node) : takeKeyed(keyed, node)) ?? make(node, parent) }));
  // What is gone goes first: moving an element that stays would take the cursor out of it.
  for (const child of [...loose, ...keyed.values()]) child.parentNode?.removeChild(child);
  /** @type {globalThis.Node | null} */
  let place = parent.firstChild;
  for (const { node, child } of children) {
    if (child === place) place = place.nextSibling;
    else parent.insertBefore(child, place);
    update(child, node);
  }
}

/** @param {globalThis.Node[]} loose @param {Node} node */
function takeLike(loose, node) {
  const at = loose.findIndex(child => drawn.get(child)?.node.tag === node.tag);
  return at < 0 ? undefined : loose.splice(at, 1)[0];
}

/** @param {Map<string, globalThis.Node>} keyed @param {Node} node */
function takeKeyed(keyed, node) {
  const key = node.key ?? "";
  const child = keyed.get(key);
  if (!child || drawn.get(child)?.node.tag !== node.tag) return undefined;
  keyed.delete(key);
  return child;
}

/** @param {Node} node @param {Element} parent @returns {globalThis.Node} */
function make(node, parent) {
  if (node.text !== undefined) return document.createTextNode("");
  const svg = node.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  return svg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
}

/** @param {globalThis.Node} child @param {Node} node */
function update(child, node) {
  const before = drawn.get(child);
  // The same description again: nothing below it has changed either.
  if (before?.node === node) return;
  if (node.text !== undefined) {
    if (child.textContent !== node.text) child.textContent = node.text;
    drawn.set(child, { node, heard: new Set() });
    return;
  }
  const element = /** @type {HTMLElement | SVGElement} */ (child);
  const old = before?.node;
  const heard = before?.heard ?? new Set();
  for (const name of Object.keys(old?.attributes ?? {})) if (!(name in node.attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(node.attributes)) {
    if (old?.attributes[name] !== value) element.setAttribute(name, value);
  }
  for (const name of Object.keys(old?.style ?? {})) if (!(name in node.style)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(node.style)) {
    if (old?.style[name] !== value) element.style.setProperty(name, String(value));
  }
  drawn.set(child, { node, heard });
  for (const type of Object.keys(node.on)) {
    if (heard.has(type)) continue;
    heard.add(type);
    element.addEventListener(type, event => drawn.get(element)?.node.on[type]?.(event));
  }
  patchChildren(element, node.children);
  for (const [name, value] of Object.entries(node.live)) {
    const live = /** @type {any} */ (element);
    // What somebody is writing stays until the picture says something new of it.
    if (live[name] !== value && !(written.has(element) && old?.live[name] === value)) live[name] = value;
  }
  node.ready?.(element);
}
