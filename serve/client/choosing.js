// What somebody is about to choose: the offer, what is ticked, and which things on the table belong to which option.
// Plain data and functions of it; nothing here draws or sends.

/**
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./types.js").About} About
 */

/**
 * @typedef {object} Choosing
 * @property {Offer | null} offer
 * @property {string[]} ticked      Keys chosen so far.
 * @property {string | null} about  Only options about this thing are listed and lit.
 * @property {number} amount
 * @property {boolean} sent
 */

/** @param {Offer | null} offer @returns {Choosing} */
export const fresh = offer => ({ offer, ticked: [], about: null, amount: offer?.amount?.[0] ?? 0, sent: false });

/** The things an option touches, as names: `space:brasil`, `edge:a>b`, `piece:13`. @param {About | undefined} about @returns {string[]} */
export function things(about) {
  if (!about) return [];
  switch (about.kind) {
    case "space": return [`space:${about.space}`];
    case "edge": return [`edge:${about.from}>${about.to}`, `space:${about.to}`, `space:${about.from}`];
    case "area": return [`area:${about.area}`];
    case "piece": return [`piece:${about.key}`];
    case "card": return [`card:${about.card}`];
    case "zone": return [`zone:${about.zone}`];
    case "player": return [`player:${about.seat}`];
    case "several": return (about.of ?? []).flatMap(things);
    default: return [];
  }
}

/** Whether an option is about words alone, so that it has a button of its own. @param {Option} option */
export const isWord = option => ["word", "yes", "no"].includes(option.about?.kind ?? "word");

/** Whether numbers are asked for. @param {Option} option */
export const isAmount = option => option.about?.kind === "amount";

/** A number is asked with a stepper where numbers in a row are offered. @param {Offer | null} offer */
export const asksAmount = offer => !!offer?.amount && offer.max === 1;

/** So many numbers are listed as well as asked with the stepper. */
const FEW = 12;

/** The options that are listed now: all, or those about one thing; many numbers in a row are left to the stepper. @param {Choosing} choosing */
export function listed({ offer, about }) {
  const many = !!offer?.amount && asksAmount(offer) && offer.amount[1] - offer.amount[0] >= FEW;
  const all = offer ? offer.options.filter(o => !(many && isAmount(o))) : [];
  if (!about) return all;
  const some = all.filter(o => things(o.about).includes(about));
  return some.length ? some : all;
}

/**
 * Which option each thing stands for: one, or several that it is part of.
 * @param {Choosing} choosing @returns {Map<string, Option[]>}
 */
export function lit(choosing) {
  /** @type {Map<string, Option[]>} */
  const found = new Map();
  for (const option of listed(choosing)) {
    for (const thing of new Set(things(option.about))) {
      const others = found.get(thing);
      if (others) others.push(option);
      else found.set(thing, [option]);
    }
  }
  return found;
}

/** Whether the ticks may be sent. @param {Choosing} choosing */
export function complete({ offer, ticked }) {
  return !!offer && ticked.length >= offer.min && ticked.length <= offer.max;
}

/** Whether more than one may be wanted, so that choosing ticks. @param {Offer | null} offer */
export const wantsSeveral = offer => !!offer && (offer.max > 1 || offer.min === 0);

/**
 * Ticks or unticks an option. One wanted: it replaces what was ticked. Several: the oldest gives way when all are taken.
 * @param {Choosing} choosing @param {string} key @returns {Choosing}
 */
export function tick(choosing, key) {
  const { offer, ticked } = choosing;
  if (!offer) return choosing;
  if (ticked.includes(key)) return { ...choosing, ticked: ticked.filter(k => k !== key) };
  if (!wantsSeveral(offer)) return { ...choosing, ticked: [key] };
  return { ...choosing, ticked: [...ticked, key].slice(-offer.max) };
}

const KEYS = "1234567890abcdefghijklmnopqrstuvwxyz";

/** The key that picks the n-th option of the list. @param {number} n */
export const keyOf = n => KEYS[n] ?? "";

/** The place in the list a key picks, or -1. @param {string} key */
export const placeOf = key => (key.length === 1 ? KEYS.indexOf(key.toLowerCase()) : -1);
