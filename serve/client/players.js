// The players: who they are, what everybody may know of them, and whose move it is. And the sides of a game where they face each other.
import { h } from "./dom.js";
import { chip, die, seatToken } from "./cards.js";
import { hasIcon, icon } from "./icons.js";
import { asThing, total } from "./things.js";
import { t, w } from "./words.js";
import { drawZone, isHand, placing } from "./zones.js";

/**
 * @typedef {import("./things.js").Scene} Scene
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Seat} Seat
 */

/** @param {State} state @param {Seat} seat */
export function doing(state, seat) {
  const mine = state.mine.includes(seat.seat);
  if (state.end) return "";
  if (seat.doing === "out") return w("out");
  if (seat.doing === "asked") return mine ? w("yourTurn") : w("isAsked");
  if (seat.doing === "thinking") return w("thinking");
  if (seat.doing === "chosen") return w("hasChosen");
  if (seat.who === "person" && !seat.here && !mine) return seat.name ? w("away") : w("freeSeat");
  return "";
}

/** @param {Scene} scene @param {State} state @param {(who: string) => string} bot */
export function drawPlayers(scene, state, bot) {
  const order = scene.view.order.length ? scene.view.order : state.seats.map(s => s.seat);
  const seats = [...order, ...state.seats.map(s => s.seat).filter(i => !order.includes(i))];
  return h("ul.players", {}, seats.map(i => {
    const seat = state.seats[i];
    return seat ? player(scene, state, seat, bot) : null;
  }));
}

/** @param {Scene} scene @param {State} state @param {Seat} seat @param {(who: string) => string} bot */
function player(scene, state, seat, bot) {
  const i = seat.seat;
  const mine = state.mine.includes(i);
  const says = doing(state, seat);
  const turn = seat.doing === "asked" || seat.doing === "thinking";
  const live = asThing(scene, `player:${i}`, scene.name(i));
  const who = mine ? w("you") : seat.who === "person" ? "" : bot(seat.who);
  return h("li", { key: i, ...live, "aria-label": null, "data-seat": i, class: `${turn ? (mine ? "turn" : "turn other") : ""} ${seat.doing === "out" ? "out" : ""} ${live.class}` },
    seatToken(scene, i),
    h("span.who", {}, scene.name(i)),
    h("span.state", {}, h("span.cut", {}, [mine && says ? "" : who, says].filter(Boolean).join(" · ")), seat.doing === "thinking" ? h("span.dots", { "aria-hidden": true }, h("i", {}), h("i", {}), h("i", {})) : null, place(state, i)),
    facts(scene, i), line(scene, i));
}

/** @param {State} state @param {number} seat */
function place(state, seat) {
  const found = state.end?.ranking.find(r => r.seat === seat);
  return found ? h("b", {}, `${w("place", found.place)} · ${found.score.join(", ")}`) : null;
}

/** The figures of a player: as the look says, or the declared numbers. @param {Scene} scene @param {number} seat */
function facts(scene, seat) {
  const { book, view } = scene;
  /** @type {any[]} */
  const shown = book.look.players?.show ?? usual(scene);
  const found = shown.map(f => ({ f, value: figure(scene, seat, f) })).filter(({ value }) => value !== null).slice(0, 4);
  if (!found.length || !view.players[seat]) return null;
  return h("dl.facts", { class: book.look.players?.show ? "" : "below" }, found.map(({ f, value }, i) => {
    const name = f.attribute ? book.attributeName("player", f.attribute) : f.zone ? book.zoneName(f.zone) : "";
    return h("div", { key: i, title: name || t(f.short) }, h("dd", {}, f.icon && hasIcon(f.icon) ? icon(f.icon) : null, String(value)), h("dt", {}, t(f.short) || name));
  }));
}

/** @param {Scene} scene */
function usual(scene) {
  const numbers = (scene.book.attributes.player ?? []).filter(a => a.type === "int" && a.text && (a.per ?? "one") === "one").map(a => ({ attribute: a.name }));
  const hands = scene.book.zones.filter(z => z.of === "player" && z.visible === "owner").map(z => ({ zone: z.name }));
  return [...numbers.slice(0, 3), ...hands.slice(0, 1)];
}

/** @param {Scene} scene @param {number} seat @param {any} f @returns {number | string | null} */
function figure(scene, seat, f) {
  const player = scene.view.players[seat];
  if (!player) return null;
  if (f.figure) return scene.figures?.[f.figure]?.[seat] ?? null;
  if (f.attribute) {
    const value = player[f.attribute];
    return value === undefined ? null : typeof value === "object" && value !== null ? total(value) : scene.book.show(value, scene.book.attribute("player", f.attribute), scene.name);
  }
  if (f.zone) return player.zones?.[f.zone]?.count ?? null;
  const spaces = Object.values(scene.view.spaces);
  if (f.count) return spaces.filter(s => s[String(f.count).replace("space.", "")] === seat).length;
  if (f.sum) return spaces.filter(s => s[String(f.by).replace("space.", "")] === seat).reduce((sum, s) => sum + total(s[String(f.sum).replace("space.", "")]), 0);
  return null;
}

/** Below the name: small chips of zones, and numbers by word. @param {Scene} scene @param {number} seat */
function line(scene, seat) {
  const { book } = scene;
  const player = scene.view.players[seat];
  /** @type {string[]} */
  const declared = book.look.players?.line ?? [];
  const zones = Object.keys(player?.zones ?? {}).filter(name => placing(scene, name).place === "player" && !declared.includes(`zone.${name}`));
  const named = [...declared, ...zones.map(name => `zone.${name}`)];
  if (!player || !named.length) return null;
  const parts = named.map(name => {
    if (!name.startsWith("zone.")) return words(scene, name, player[name]);
    const zone = player.zones?.[name.slice(5)];
    const form = placing(scene, name.slice(5)).form;
    const pieces = (zone?.pieces ?? []).filter(p => p !== null);
    return pieces.length ? h("span.chips", { key: name, "data-zone": `p${seat}.${name.slice(5)}` }, pieces.map(p => (form === "dice" ? die(scene, p) : chip(scene, p)))) : null;
  });
  return parts.some(Boolean) ? h("div.line-of", {}, parts) : null;
}

/** A number for each word, those that are not 0. @param {Scene} scene @param {string} name @param {any} values */
function words(scene, name, values) {
  const some = Object.entries(values ?? {}).filter(([, n]) => n);
  if (!some.length) return null;
  return h("span.store", { key: name }, some.map(([word, n]) => {
    const sign = scene.book.iconOf(word);
    const tint = scene.book.colorOf(word);
    return h("span.fl", { key: word, title: scene.book.word(word), style: tint ? { "--tint": tint } : {} }, sign ? icon(sign, { class: "tinted" }) : scene.book.word(word), String(n));
  }));
}

/** The side of a player who faces the others: rows of zones from the board outwards. @param {Scene} scene @param {State} state @param {number} seat @param {boolean} mine @param {(who: string) => string} bot */
export function drawSide(scene, state, seat, mine, bot) {
  /** @type {string[][]} */
  const rows = scene.book.look.players?.rows ?? [];
  const player = scene.view.players[seat];
  if (!player) return null;
  const shown = rows.map(row => row.filter(name => player.zones?.[name] && !(mine && isHand(scene, name)))).filter(row => row.length);
  if (!mine && shown.length > 2) shown.splice(-2, 2, [...(shown[shown.length - 1] ?? []), ...(shown[shown.length - 2] ?? [])]);
  const drawn = shown.map((row, i) => h("div.side-row", { key: i, class: i === 0 ? "near" : "" },
    i === Math.min(1, shown.length - 1) ? tag(scene, state, seat, bot) : null,
    row.map(name => {
      const zone = player.zones?.[name];
      const own = i === 0 && zone && !zone.count && row.length > 2 && row.indexOf(name) > 0 && row.indexOf(name) < row.length - 1;
      return zone && !own ? drawZone(scene, `p${seat}`, name, zone) : null;
    })));
  return h("div.facing", { key: `side${seat}`, class: mine ? "mine" : "theirs" }, mine ? drawn : [...drawn].reverse());
}

/** @param {Scene} scene @param {State} state @param {number} seat @param {(who: string) => string} bot */
function tag(scene, state, seat, bot) {
  const who = state.seats[seat];
  const live = asThing(scene, `player:${seat}`, scene.name(seat));
  const path = String(scene.book.look.players?.tint ?? "").split(".");
  const card = scene.view.players[seat]?.zones?.[path[0] ?? ""]?.pieces?.[0]?.card;
  const side = card ? scene.book.cardValue(card, path[1] ?? "") : null;
  return h("div.tag-of", { key: "tag", ...live, "aria-label": null }, seatToken(scene, seat), h("span", {}, h("b", {}, scene.name(seat)),
    h("small", {}, [who ? (state.mine.includes(seat) ? w("you") : who.who === "person" ? "" : bot(who.who)) : "", side ? scene.book.word(String(side)) : "", who ? doing(state, who) : ""].filter(Boolean).join(" · "))));
}
