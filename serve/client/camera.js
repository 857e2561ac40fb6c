// Looking at the board from nearer or farther: wheel, drag, two fingers, buttons; and where to look first on a small screen.

/** @typedef {[number, number, number, number]} Frame */

export class Camera {
  /** @param {() => void} moved */
  constructor(moved) {
    this.moved = moved;
    /** @type {Frame} The whole board. */
    this.whole = [0, 0, 100, 100];
    /** @type {Frame | null} What is looked at; null is the whole. */
    this.at = null;
    /** @type {SVGSVGElement | null} */
    this.svg = null;
    /** @type {Map<number, { x: number, y: number }>} */
    this.fingers = new Map();
    this.dragged = false;
  }

  get frame() {
    return this.at ?? this.whole;
  }

  /** How many pixels a unit of the board has now. */
  get scale() {
    const box = this.svg?.getBoundingClientRect();
    if (!box?.width) return 1;
    return Math.min(box.width / this.frame[2], box.height / this.frame[3]);
  }

  /** @param {Element} element */
  hold(element) {
    if (this.svg === element) return this.show();
    this.svg = /** @type {SVGSVGElement} */ (element);
    this.svg.addEventListener("wheel", e => this.wheel(e), { passive: false });
    this.svg.addEventListener("pointerdown", e => this.down(e));
    this.svg.addEventListener("pointermove", e => this.move(e));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) this.svg.addEventListener(type, e => this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId));
    this.svg.addEventListener("click", e => {
      if (!this.dragged) return;
      e.stopPropagation();
      e.preventDefault();
    }, true);
    this.show();
  }

  show() {
    this.svg?.setAttribute("viewBox", this.frame.map(v => Math.round(v * 10) / 10).join(" "));
  }

  /** The point of the board under a point of the screen. @param {number} x @param {number} y */
  point(x, y) {
    const matrix = this.svg?.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const p = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return { x: p.x, y: p.y };
  }

  /** @param {number} by @param {{ x: number, y: number }} [around] */
  zoom(by, around) {
    const [x, y, width, height] = this.frame;
    const c = around ?? { x: x + width / 2, y: y + height / 2 };
    const next = Math.min(this.whole[2] * 1.1, Math.max(this.whole[2] / 9, width / by));
    const k = next / width;
    this.look([c.x - (c.x - x) * k, c.y - (c.y - y) * k, width * k, height * k]);
  }

  /** @param {Frame | null} frame */
  look(frame) {
    if (frame && frame[2] >= this.whole[2] * 1.05 && frame[3] >= this.whole[3] * 1.05) frame = null;
    this.at = frame ? this.within(frame) : null;
    this.show();
    this.moved();
  }

  /** Never so far that the board is out of sight. @param {Frame} f @returns {Frame} */
  within([x, y, width, height]) {
    const [l, t, w, h] = this.whole;
    const clamp = (/** @type {number} */ v, /** @type {number} */ a, /** @type {number} */ b) => (a > b ? (a + b) / 2 : Math.max(a, Math.min(b, v)));
    return [clamp(x, l - width * 0.2, l + w - width * 0.8), clamp(y, t - height * 0.2, t + h - height * 0.8), width, height];
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 500), this.point(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.dragged = false;
    this.far = 0;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const last = this.fingers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    this.far = (this.far ?? 0) + Math.hypot(dx, dy);
    if (this.far < 7) return;
    this.dragged = true;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const other = others[0];
    const [x, y, width, height] = this.frame;
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y) || 1;
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y) || 1;
      this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      return this.zoom(after / before, this.point((event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
    }
    const s = this.scale;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.look([x - dx / s, y - dy / s, width, height]);
  }

  /**
   * Where to look on a small screen: the middle of some spots, near enough to read letters of so many units.
   * @param {{ x: number, y: number }[]} spots @param {number} letters
   */
  aim(spots, letters) {
    const box = this.svg?.getBoundingClientRect();
    if (!box?.width) return;
    const fits = Math.min(box.width / this.whole[2], box.height / this.whole[3]);
    if (fits * letters >= 9.5 || !spots.length) return this.look(null);
    const scale = 13.5 / letters;
    const [width, height] = [box.width / scale, box.height / scale];
    const x = spots.reduce((sum, s) => sum + s.x, 0) / spots.length;
    const y = spots.reduce((sum, s) => sum + s.y, 0) / spots.length;
    const near = spots.reduce((a, b) => (Math.hypot(a.x - x, a.y - y) <= Math.hypot(b.x - x, b.y - y) ? a : b));
    this.look([near.x - width / 2, near.y - height / 2, width, height]);
  }
}
