// The question, what is chosen so far and the button that commits it; and the same options in words, one line each.
import { h } from "./dom.js";
import { seatToken } from "./cards.js";
import { icon } from "./icons.js";
import { asksAmount, complete, isAmount, isWord, keyOf, listed, things, wantsSeveral } from "./choosing.js";
import { t, w } from "./words.js";

/**
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./types.js").State} State
 * @typedef {import("./choosing.js").Choosing} Choosing
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").Hint} Hint
 * @typedef {import("./types.js").Belief & { place: number, calibrated: boolean }} Placed
 */

/** Options of which is said how often they were tried and what is likely to be answered: the best. */
const SHOWN = 3;

/**
 * @typedef {object} Doing  What the list and the question can do.
 * @property {(key: string) => void} pick
 * @property {(keys: string[]) => void} send
 * @property {(amount: number) => void} amount
 * @property {() => void} widen
 * @property {(option: Option | null) => void} point
 */

/** @param {Choosing} choosing @param {string} key */
const byKey = (choosing, key) => choosing.offer?.options.find(o => o.key === key);

/** What a question wants, where it is not simply one. @param {Offer} offer */
function howMany(offer) {
  if (offer.min === offer.max) return offer.max === 1 ? "" : w("exactly", offer.max);
  if (offer.min === 0) return w("upTo", offer.max);
  return `${w("atLeast", offer.min)}, ${w("upTo", offer.max)}`;
}

/** @param {Scene} scene @param {State} state @param {Choosing} choosing @param {Doing} does @param {boolean} ended */
export function drawQuestion(scene, state, choosing, does, ended) {
  const { offer } = choosing;
  if (ended || !offer) return null;
  const chosen = choosing.ticked.map(key => byKey(choosing, key)).filter(o => o !== undefined);
  const others = state.now.seat !== null && state.now.seat !== offer.seat;
  const why = [
    state.mine.length > 1 ? scene.name(offer.seat) : "",
    offer.together ? w("together") : "",
    wantsSeveral(offer) ? howMany(offer) : "",
    chosen.length ? w("chosen", chosen.map(o => [o.label, firstNote(o)].filter(Boolean).join(", ")).join(" · ")) : asksAmount(offer) || others || !scene.lit.size ? "" : w("chosenNone"),
  ].filter(Boolean).join(" · ");
  return [
    h("div.ask", { key: "ask" }, h("h2", {}, offer.text),
      h("p.why", {}, others && state.now.seat !== null ? h("span.by-turn", {}, seatToken(scene, state.now.seat), w("asksYou", scene.name(state.now.seat))) : null, why)),
    h("div.acts", { key: "acts" }, asksAmount(offer) ? stepper(choosing, does) : null, buttons(choosing, does), commit(choosing, does)),
  ];
}

/** The part of a note that fits in a line. @param {Option} option */
const firstNote = option => (option.note ?? "").split(" · ")[0] ?? "";

/** Options that are words, or the few that are left, as buttons. @param {Choosing} choosing @param {Doing} does */
function buttons(choosing, does) {
  if (!choosing.offer || wantsSeveral(choosing.offer)) return null;
  const left = listed(choosing);
  const few = choosing.about && left.length <= 4 ? left : left.filter(isWord);
  if (few.length > 4) return null;
  return few.filter(o => !choosing.ticked.includes(o.key)).map(o => h("button.btn.word", { key: o.key, type: "button", disabled: choosing.sent, onclick: () => does.send([o.key]), onpointerenter: () => does.point(o), onpointerleave: () => does.point(null) }, o.label));
}

/** @param {Choosing} choosing @param {Doing} does */
function commit(choosing, does) {
  const { offer, ticked } = choosing;
  if (!offer) return null;
  if (wantsSeveral(offer)) {
    const text = ticked.length || offer.min > 0 ? `${w("severalOf", ticked.length, offer.max)}` : w("none");
    return h("button.btn.do", { key: "commit", type: "button", disabled: !complete(choosing) || choosing.sent, onclick: () => does.send(ticked) }, icon("check"), text);
  }
  const option = ticked[0] === undefined ? undefined : byKey(choosing, ticked[0]);
  return option ? h("button.btn.do", { key: "commit", type: "button", disabled: choosing.sent, onclick: () => does.send(ticked) }, icon("check"), h("span.cut", {}, [option.label, firstNote(option)].filter(Boolean).join(", "))) : null;
}

/** A number: less, more, a slider, and the button that says it. @param {Choosing} choosing @param {Doing} does */
function stepper(choosing, does) {
  const [low, high] = choosing.offer?.amount ?? [0, 0];
  const n = choosing.amount;
  const note = choosing.offer?.options.find(o => isAmount(o) && o.key === String(n))?.note;
  const set = (/** @type {number} */ v) => does.amount(Math.max(low, Math.min(high, Math.round(v))));
  return h("div.stepper", { key: "stepper", role: "group", "aria-label": w("amount") },
    h("button.btn.icon", { type: "button", "aria-label": w("less"), disabled: n <= low, onclick: () => set(n - 1) }, icon("minus")),
    h("input.number", { type: "number", min: low, max: high, value: String(n), "aria-label": w("amount"), onchange: (/** @type {any} */ e) => set(Number(e.target.value)) }),
    h("button.btn.icon", { type: "button", "aria-label": w("more"), disabled: n >= high, onclick: () => set(n + 1) }, icon("plus")),
    high - low > 1 ? h("input.slider", { type: "range", min: low, max: high, value: String(n), "aria-label": w("amount"), oninput: (/** @type {any} */ e) => set(Number(e.target.value)) }) : null,
    h("button.btn.do", { type: "button", disabled: choosing.sent, onclick: () => does.send([String(n)]) }, icon("check"), [String(n), note].filter(Boolean).join(", ")));
}

/** @param {Scene} scene @param {Choosing} choosing @param {Doing} does @param {Hint | null} hint */
export function drawOptions(scene, choosing, does, hint) {
  const { offer, about } = choosing;
  const all = listed(choosing);
  const beliefs = new Map((hint?.options ?? []).map((b, i) => [b.key, { ...b, place: i + 1, calibrated: Boolean(hint?.calibrated) }]));
  const about_ = about ? aboutName(scene, about) : "";
  return [
    h("h2", { key: "head" }, w("options"), h("b", {}, String(offer?.options.length ?? 0)), h("span.grow", {}),
      hint ? h("span.by", {}, hint.done ? w(hint.calibrated ? "chanceToWin" : "ranks") : w("hintThinking", Math.round(hint.progress * 100))) : null),
    about ? h("p.narrowed", { key: "narrowed" }, w("only", about_), h("button.btn.quiet", { type: "button", onclick: does.widen }, w("all"))) : null,
    h("ul.opts", { key: "list" }, all.map((option, i) => line(scene, choosing, option, i, does, beliefs.get(option.key)))),
    asksAmount(offer) && hint ? amountHint(offer, hint) : null,
  ];
}

/** @param {Scene} scene @param {string} thing */
function aboutName(scene, thing) {
  const [kind = "", id = ""] = [thing.slice(0, thing.indexOf(":")), thing.slice(thing.indexOf(":") + 1)];
  if (kind === "space") return scene.book.spaceName(id);
  if (kind === "area") return scene.book.areaName(id);
  if (kind === "player") return scene.name(Number(id));
  if (kind === "card") return scene.book.cardName(id);
  const found = scene.lit.get(thing)?.[0]?.label ?? "";
  return found.split(/ [+→] /)[0] ?? "";
}

/** @param {Scene} scene @param {Choosing} choosing @param {Option} option @param {number} i @param {Doing} does @param {Placed | undefined} belief */
function line(scene, choosing, option, i, does, belief) {
  const pressed = choosing.ticked.includes(option.key);
  const lit = scene.pointed !== null && (scene.pointed === `option:${option.key}` || things(option.about).includes(scene.pointed));
  const players = seatsIn(option.about);
  const key = keyOf(i);
  return h("li", { key: option.key },
    h("button.opt", { type: "button", class: `${belief ? "hinted" : ""} ${belief?.best ? "best" : ""} ${lit ? "lit" : ""}`, "aria-pressed": String(pressed), disabled: choosing.sent, "data-key": option.key,
      onclick: () => does.pick(option.key), onpointerenter: () => does.point(option), onpointerleave: () => does.point(null), onfocus: () => does.point(option), onblur: () => does.point(null) },
      h("span.key", { "aria-hidden": true }, pressed ? "✓" : key),
      h("span.label", {}, players.map(seat => seatToken(scene, seat)), option.label),
      option.note ? h("span.note", { title: option.note }, firstNote(option)) : h("span.note", {}), belief ? chance(belief) : null, belief && belief.place <= SHOWN ? h("span.belief", {}, because(scene, belief)) : null));
}

/** @param {import("./types.js").About | undefined} about @returns {number[]} */
function seatsIn(about) {
  if (about?.kind === "player" && about.seat !== undefined) return [about.seat];
  return about?.kind === "several" ? (about.of ?? []).flatMap(seatsIn) : [];
}

/** What a bot believes of an option: how it ends for certain, the chance to win with its interval where chances were measured to be right, else its place among the others. @param {Placed} belief */
function chance(belief) {
  const percent = (/** @type {number} */ v) => Math.round(v * 100);
  const best = belief.best ? h("span.sr", {}, `, ${w("best")}`) : null;
  const title = w("visits", belief.visits);
  if (belief.certain) return h("span.chance.said", {}, w(belief.value > 0.5 ? "winsForCertain" : "losesForCertain"), best);
  if (!belief.calibrated) return h("span.chance.said", { title }, w("place", belief.place), best);
  return h("span.chance", { title: `${percent(belief.low)}–${percent(belief.high)} %, ${title}` },
    h("i", { "aria-hidden": true, style: { "--v": String(percent(belief.value)), "--lo": String(percent(belief.low)), "--hi": String(percent(belief.high)) } }), h("span", {}, `${percent(belief.value)} %`, best));
}

/** How often a bot tried an option, and what it expects to be answered then. @param {Scene} scene @param {Placed} belief */
function because(scene, belief) {
  const { reply } = belief;
  const then = reply ? w("willAnswer", scene.name(reply.seat), reply.labels.map(t).join(", ")) : "";
  return [belief.certain ? "" : w("visits", belief.visits), then].filter(Boolean).join(" · ");
}

/** @param {Offer | null} offer @param {Hint} hint */
function amountHint(offer, hint) {
  const best = hint.options.find(o => o.best) ?? hint.options[0];
  return best && offer?.options.some(o => o.key === best.key) ? h("p.best.amount-hint", { key: "amount-hint" }, h("b", {}, best.key), chance({ ...best, place: 1, calibrated: hint.calibrated })) : null;
}
