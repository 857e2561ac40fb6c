// The cards of each kind as a table, and beside it the card as the table draws it.
import { face } from "../client/cards.js";
import { h } from "../client/dom.js";
import { t } from "../client/words.js";
import { asToml, title, wrongAt } from "./numbers.js";
import { b } from "./words.js";

/** @typedef {import("./main.js").Bench} Bench */

/** @param {Bench} bench */
export function drawCards(bench) {
  const kinds = bench.cards ?? [];
  const kind = kinds.find((/** @type {any} */ k) => k.kind === bench.kind);
  const own = bench.state.games.find((/** @type {any} */ g) => g.id === bench.game)?.own;
  const may = !!bench.variant || own;
  if (!kind) return h("p.lead", { key: "none" }, b("connecting"));
  return h("div.cards-room", { key: "cards" },
    h("div.cards-list", {}, h("div.hrow", {}, h("label", {}, h("span.sr", {}, b("card")), h("select", { value: bench.kind, onchange: (/** @type {any} */ e) => {
      bench.kind = e.target.value;
      bench.later();
    } }, kinds.map((/** @type {any} */ k) => h("option", { key: k.kind, value: k.kind }, `${t(k.text) || title(bench, k.kind)} (${k.rows.length})`)))), may ? null : h("span.lead", {}, b("chooseVariant"))),
    h("div.scroll-x", { tabindex: "0", role: "region", "aria-label": b("cards") }, h("table.deck", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "id"), kind.columns.map((/** @type {string} */ c) => h("th", { key: c, scope: "col" }, column(bench, c))))),
      h("tbody", {}, kind.rows.map((/** @type {any} */ row) => h("tr", { key: row.id, class: bench.card === row.id ? "on" : "", onfocusin: () => see(bench, row.id) }, h("th", { scope: "row" }, h("code", {}, row.id)),
        kind.columns.map((/** @type {string} */ c) => h("td", { key: c }, row.cells[c] || !c.includes(".") ? cell(bench, row, c, row.cells[c] ?? NOTHING, may) : null)))))))),
    aside(bench, kind));
}

/** What a card leaves out: it may be given. @type {any} */
const NOTHING = { toml: "", base: null, changed: false };

/** @param {Bench} bench @param {string} name */
const column = (bench, name) => name.split(".").map((part, i) => (i ? part.toUpperCase() : title(bench, part))).join(" ");

/** @param {Bench} bench @param {string} id */
function see(bench, id) {
  if (bench.card === id) return;
  bench.card = id;
  bench.later();
}

/** @param {Bench} bench @param {any} row @param {string} name @param {any} c @param {boolean} may */
function cell(bench, row, name, c, may) {
  const text = c.text !== undefined;
  const value = text ? c.text : c.toml;
  const toml = (/** @type {string} */ v) => (text ? JSON.stringify(v) : asToml(v.trim()) || '""');
  const wrong = wrongAt(bench, c);
  const long = value.length > 26;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typed;
  const props = {
    value, disabled: !may, placeholder: c === NOTHING && name === "copies" ? "1" : null, "aria-label": `${t(row.name)}: ${column(bench, name)}`, "aria-invalid": wrong ? "true" : null, title: wrong ? wrong.message : c.base ?? null, class: `${wrong ? "bad" : c.changed ? "changed" : ""}`, "data-key": `cards.${row.id}.${name}`,
    // Checked as one types, a moment after the last letter.
    oninput: (/** @type {any} */ e) => {
      clearTimeout(typed);
      const next = e.target.value;
      const gone = !next.trim() && c.base === null;
      if (gone && c === NOTHING) return;
      typed = setTimeout(() => bench.edit(`cards.${row.id}.${name}`, gone && bench.variant ? null : toml(next), c.said ?? null), 450);
    },
  };
  return long ? h("textarea", { rows: Math.min(6, Math.ceil(value.length / 34)), ...props }) : h("input", props);
}

/** @param {Bench} bench @param {any} kind */
function aside(bench, kind) {
  const id = kind.rows.some((/** @type {any} */ r) => r.id === bench.card) ? bench.card : kind.rows[0]?.id;
  const { book } = bench;
  const known = book?.declaration.cards[id];
  const scene = book && {
    book, view: { you: null, order: [], game: {}, players: [], spaces: {} }, you: null, colors: [], name: () => "", lit: new Map(), chosen: new Set(), pointed: null, before: null, figures: {}, narrow: false, many: false,
    acts: { pick: () => {}, point: () => {}, read: () => {} },
  };
  return h("aside.drawn", { "aria-label": b("drawn") }, h("h3", {}, b("drawn")),
    scene && known ? h("div.one", {}, face(scene, { key: 0, card: id, name: t(known.name) })) : h("p.lead", {}, b("notDrawn")),
    known?.text ? h("p.text", {}, t(known.text)) : null, bench.state.declaration ? null : h("p.fault", {}, b("notDrawn")));
}
