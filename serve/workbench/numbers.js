// Every number with a range as a cell: its value, what the base has, between what it may be, and whether something is wrong with it.
import { h } from "../client/dom.js";
import { icon } from "../client/icons.js";
import { t } from "../client/words.js";
import { b } from "./words.js";

/** @typedef {import("./main.js").Bench} Bench */

/** What is wrong with the value of a cell, where it is written or where a change of it does not fit. @param {Bench} bench @param {any} c */
export const wrongAt = (bench, c) => bench.state.problems.find((/** @type {any} */ p) => p.severity === "error" && c.at && [[p.path, p.line], ...p.over].some(([path, line]) => path === c.at[0] && line === c.at[1]));

/** @param {Bench} bench */
export function drawNumbers(bench) {
  const { state } = bench;
  const own = state.games.find((/** @type {any} */ g) => g.id === bench.game)?.own;
  const may = !!bench.variant || own;
  return [may ? null : h("p.lead", { key: "none" }, b("chooseVariant")),
    state.numbers.map((/** @type {any} */ group) => h("section", { key: group.group ?? "parameters" },
      h("h2", {}, group.group ? title(bench, group.group) : b("parameters")), group.comment ? h("p.lead", {}, group.comment) : null,
      group.columns.length > 1 || group.rows.length > 1 && group.columns.length ? table(bench, group, may) : list(bench, group, may))),
    h("p.key", { key: "key" }, h("span", {}, h("i.k1", {}), b("theBase")), h("span", {}, h("i.k2", {}), b("isChanged")), h("span", {}, h("i.k3", {}), b("isOutside")))];
}

/** What a word is called in the game. @param {Bench} bench @param {string} word */
export function title(bench, word) {
  const said = bench.book?.word(word) ?? word.replaceAll("_", " ");
  return said.charAt(0).toLocaleUpperCase() + said.slice(1);
}

/** @param {Bench} bench @param {any} group @param {boolean} may */
function table(bench, group, may) {
  return h("table.grid", {}, h("thead", {}, h("tr", {}, h("th", {}, h("span.sr", {}, b("measure"))), group.columns.map((/** @type {string} */ c) => h("th", { key: c, scope: "col" }, mark(bench, c), title(bench, c))))),
    h("tbody", {}, group.rows.map((/** @type {any} */ row) => h("tr", { key: row.row }, h("th", { scope: "row" }, title(bench, row.row.split(".").pop()), h("code", {}, row.row)),
      group.columns.map((/** @type {string} */ c) => {
        const found = row.cells.find((/** @type {any} */ x) => x.column === c);
        return h("td", { key: c, class: found ? "" : "none", "data-col": title(bench, c) }, found ? cell(bench, found, `${row.row}.${c}`, may) : null);
      })))));
}

/** @param {Bench} bench @param {string} word */
function mark(bench, word) {
  const sign = bench.book?.iconOf(word);
  const tint = bench.book?.colorOf(word);
  return sign ? h("span", { style: tint ? { "--tint": tint } : {} }, icon(sign, { class: "tinted" })) : null;
}

/** @param {Bench} bench @param {any} group @param {boolean} may */
function list(bench, group, may) {
  return h("div.single", {}, group.rows.flatMap((/** @type {any} */ row) => row.cells.map((/** @type {any} */ c) => h("div", { key: c.key }, h("span.name", {}, t(row.text) || title(bench, c.key.split(".").pop()), h("code", {}, c.key)), cell(bench, c, t(row.text) || c.key, may)))));
}

/** What somebody typed, as TOML. A word that is no TOML is a text, so that it is said what should stand there. @param {string} typed */
export const asToml = typed => (!typed || /^([-+\d[{"']|(true|false)$)/.test(typed) ? typed : JSON.stringify(typed));

/** @param {Bench} bench @param {any} c @param {string} label @param {boolean} may */
function cell(bench, c, label, may) {
  const value = c.value ?? c.base ?? 0;
  const wrong = wrongAt(bench, c);
  const outside = value < c.min || value > c.max;
  // What is no whole number is shown as it is written.
  const odd = c.misfit ?? (c.value === null ? c.said : null);
  const changed = c.base !== null && (c.base !== c.value || odd !== null);
  const said = (/** @type {number} */ n) => (c.flag ? (n ? "true" : "false") : String(n));
  const set = (/** @type {number} */ n) => Number.isInteger(n) && (n !== value || odd !== null) && bench.edit(c.key, said(n), c.said ?? said(value));
  const at = (/** @type {number} */ n) => `${Math.max(0, Math.min(100, ((n - c.min) / (c.max - c.min || 1)) * 100))}%`;
  // A list has no next number: it is written as a whole.
  const listed = odd?.startsWith("[") ?? false;
  if (c.flag) return h("label.cell.flag", { class: changed ? "changed" : "" }, h("input", { type: "checkbox", checked: !!value, disabled: !may, "aria-label": label, "data-key": c.key, onchange: (/** @type {any} */ e) => set(e.target.checked ? 1 : 0) }), back(bench, c, changed, may));
  return h("div.cell", { class: `${wrong || outside ? "bad" : changed ? "changed" : ""}${listed ? " listed" : ""}` },
    h("div.top", {}, listed ? null : h("button.step", { key: "less", type: "button", "aria-label": `${label}: ${b("less")}`, disabled: !may || value <= c.min, onclick: () => set(value - 1) }, "−"),
      h("input", { key: "value", inputmode: listed ? "text" : "numeric", value: odd ?? String(value), disabled: !may, "aria-label": label, "aria-invalid": wrong || outside ? "true" : null, "data-key": c.key, onchange: (/** @type {any} */ e) => {
        const n = Number(e.target.value);
        if (Number.isInteger(n) && e.target.value.trim()) set(n);
        else bench.edit(c.key, asToml(e.target.value.trim()) || null, c.said ?? said(value));
      } }),
      listed ? null : h("button.step", { key: "more", type: "button", "aria-label": `${label}: ${b("more")}`, disabled: !may || value >= c.max, onclick: () => set(value + 1) }, "+"),
      wrong || outside ? h("span.note", {}, outside ? b("outside", c.min, c.max) : wrong.message) : null, back(bench, c, changed, may)),
    h("div.range", { "aria-hidden": true }, h("span", {}, String(c.min)), h("span.rail", {},
      changed && odd === null ? h("i.seg", { style: { left: at(Math.min(c.base, value)), width: `calc(${at(Math.max(c.base, value))} - ${at(Math.min(c.base, value))})` } }) : null,
      c.base === null ? null : h("i.base", { style: { left: at(c.base) } }), odd !== null ? null : h("i.now", { style: { left: at(value) } })), h("span", {}, String(c.max))));
}

/** @param {Bench} bench @param {any} c @param {boolean} changed @param {boolean} may */
function back(bench, c, changed, may) {
  return changed && may ? h("button.delta", { type: "button", title: b("toBase"), onclick: () => bench.edit(c.key, null, c.said ?? String(c.value)) }, `${c.base} → ${c.misfit ?? c.value ?? c.said ?? "–"}`) : null;
}
