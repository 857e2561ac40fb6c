// The log: prose, newest last, people as their shape and name. Chat below it, told apart.
import { h } from "./dom.js";
import { seatToken } from "./cards.js";
import { things } from "./choosing.js";
import { t, w } from "./words.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").Line} Line
 * @typedef {import("./types.js").Part} Part
 * @typedef {import("./types.js").Said} Said
 * @typedef {import("./types.js").Event} Event
 */

/** The lines that events bring. @param {Event[]} events @param {number} n The number of the last. @param {number} round @param {import("./book.js").Book} book @returns {Line[]} */
export function linesOf(events, n, round, book) {
  /** @type {Line[]} */
  const found = [];
  events.forEach((event, i) => {
    const at = n - events.length + 1 + i;
    if (event.event === "round") round = event.round;
    if (event.event === "said") found.push({ n: at, parts: event.parts ?? [event.text], round });
    const die = event.event === "rolled" ? book.declaration.dice[event.die] : undefined;
    if (die && !die.told) found.push({ n: at, parts: [`${t(die.text) || book.word(event.die)}: `, { text: (event.shown ?? []).join(", ") }], round });
    if (event.event === "printed") found.push({ n: at, parts: [event.text], round });
  });
  return found;
}

/** @param {Scene} scene @param {Part} part @param {number} i */
function drawPart(scene, part, i) {
  if (typeof part === "string") return part;
  const about = part.about;
  if (about?.kind === "player" && about.seat !== undefined) return h("b", { key: i }, seatToken(scene, about.seat), scene.name(about.seat));
  const thing = things(about)[0];
  const card = about?.card;
  if (!thing || about?.kind === "amount" || about?.kind === "word") return h("b.plain", { key: i }, part.text);
  return h("b.thing", { key: i, tabindex: card ? "0" : null, "data-thing": thing, onpointerenter: () => scene.acts.point(thing), onpointerleave: () => scene.acts.point(null), onclick: () => scene.acts.read(card ? `card:${card}` : thing) }, part.text);
}

/** @param {Scene} scene @param {Line[]} lines @param {boolean} more @param {number} seen  Lines after this one are new. @param {() => void} older @param {(n: number) => void} goTo */
export function drawLog(scene, lines, more, seen, older, goTo) {
  let round = -1;
  return h("ol.lines-of", { "aria-label": w("log") },
    more ? h("li", { key: "older" }, h("button.btn.quiet", { type: "button", onclick: older }, w("older"))) : null,
    lines.map((line, i) => {
      const head = line.round !== undefined && line.round !== round ? h("li.head", { key: `r${line.round}:${line.n}` }, w("round", line.round)) : null;
      round = line.round ?? round;
      return [head, h("li", { key: `${line.n}:${i}`, class: line.n > seen ? "now" : "" }, h("button.at", { type: "button", title: w("history"), "aria-label": w("history"), onclick: () => goTo(line.n) }, "◂"), line.parts.map((p, k) => drawPart(scene, p, k)))];
    }));
}

/** @param {Scene} scene @param {Said[] | null} chat @param {(text: string) => void} say */
export function drawChat(scene, chat, say) {
  if (chat === null) return h("p.soft.small", {}, w("chatOff"));
  return [
    h("ul.talk", { key: "talk", "aria-live": "polite" }, chat.slice(-60).map((c, i) => h("li", { key: `${c.at}:${i}` }, c.seat !== null ? seatToken(scene, c.seat) : null, h("b", {}, c.seat !== null ? scene.name(c.seat) : c.name), " ", h("span", {}, c.text)))),
    h("form.say", { key: "say", onsubmit: (/** @type {any} */ event) => {
      event.preventDefault();
      const field = event.target.elements.line;
      const text = field.value.trim();
      if (!text) return;
      say(text);
      field.value = "";
    } }, h("input", { name: "line", maxlength: 300, autocomplete: "off", placeholder: w("sayPlaceholder"), "aria-label": w("sayPlaceholder") }), h("button.btn", { type: "submit" }, w("say"))),
  ];
}
