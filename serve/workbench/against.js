// The comparison with the base: the verdict in words, then every measure with its interval, and the game that shows it most.
import { h } from "../client/dom.js";
import { icon } from "../client/icons.js";
import { t } from "../client/words.js";
import { b } from "./words.js";

/** @typedef {import("./main.js").Bench} Bench */

/** @param {Bench} bench */
export function drawAgainst(bench) {
  // What was compared of another game or variant says nothing of this one.
  const ours = bench.against.game === bench.game && bench.against.variant === bench.variant;
  const now = ours ? bench.against : { status: "none" };
  const on = now.status === "running" || now.status === "waiting";
  const rows = now.rows ?? [];
  return [
    h("div.hrow", { key: "head" }, h("h2", {}, b("against")), h("span.grow", {}), rows.length ? h("span.live", { role: "status" }, b("gamesASide", now.games, now.players, b(now.bots)), " · ", b(now.status)) : h("span.live", { role: "status" }, now.status === "none" ? "" : b(now.status))),
    controls(bench, on, rows.length > 0),
    now.text ? h("p.stale", { key: "text" }, icon("alert"), t(now.text)) : null,
    rows.length && now.stale ? h("p.stale", { key: "stale" }, icon("alert"), b("stale")) : null,
    now.verdict ? h("div.verdict", { key: "verdict" }, h("p.big", {}, t(now.verdict.headline)), now.verdict.sentences.map((/** @type {any} */ s, /** @type {number} */ i) => h("p", { key: i }, t(s))), now.verdict.unseen ? h("p.soft", {}, t(now.verdict.unseen)) : null) : h("p.lead", { key: "none" }, b("none")),
    rows.length ? measures(bench, now, rows) : null,
  ];
}

/** @param {Bench} bench @param {boolean} on @param {boolean} goesOn */
function controls(bench, on, goesOn) {
  const game = bench.state.games.find((/** @type {any} */ g) => g.id === bench.game);
  const [least, most] = game?.players ?? [2, 2];
  const bots = ["random", ...(bench.can.prefers ? ["policy"] : []), ...(bench.can.judges ? ["greedy", "search:50"] : [])];
  const again = () => (on ? bench.compare(true) : bench.later());
  return h("div.controls", { key: "controls" },
    h("label", {}, b("atSkill"), h("select", { value: bench.bots || "random", onchange: (/** @type {any} */ e) => {
      bench.bots = e.target.value;
      again();
    } }, bots.map(bot => h("option", { key: bot, value: bot }, b(bot))))),
    h("label", {}, b("players"), h("select", { value: String(bench.players || least), onchange: (/** @type {any} */ e) => {
      bench.players = Number(e.target.value);
      again();
    } }, Array.from({ length: most - least + 1 }, (_, i) => h("option", { key: i, value: String(least + i) }, String(least + i))))),
    on ? h("button.btn", { key: "stop", type: "button", onclick: () => bench.compare(false) }, icon("pause"), b("stop")) : h("button.btn.word", { key: "go", type: "button", onclick: () => bench.compare(true) }, icon("play"), b(goesOn ? "goOn" : "compare")));
}

/** @param {any} row @param {number} value */
const shown = (row, value) => (value === null ? "–" : row.share ? `${(value * 100).toFixed(1)} %` : Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2));

/** @param {any} row @param {number} value */
function signed(row, value) {
  if (value === null) return "–";
  const n = row.share ? (value * 100).toFixed(1) : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
  return Number(n) > 0 ? `+${n}` : n.replace("-", "−");
}

/** @param {Bench} bench @param {any} now @param {any[]} rows */
function measures(bench, now, rows) {
  // Shares in points, the rest in parts of the base, on one axis.
  const part = (/** @type {any} */ row, /** @type {number} */ v) => (row.share ? v : row.first ? v / Math.abs(row.first) : 0);
  // As wide as what is seen; where nothing is yet, wide enough for three of four.
  const wide = (/** @type {any} */ r) => Math.max(Math.abs(part(r, r.low)), Math.abs(part(r, r.high)));
  const seen = rows.filter(r => r.seen).map(wide);
  const open = rows.map(wide).sort((p, q) => p - q);
  const reach = Math.min(1, Math.max(0.1, seen.length ? Math.max(...seen) : open[Math.floor((open.length - 1) * 0.75)] ?? 0));
  const x = (/** @type {any} */ row, /** @type {number} */ v) => 60 + Math.max(-1, Math.min(1, part(row, v) / reach)) * 56;
  const percent = Math.round(reach * 100);
  return [h("div.scroll-x", { key: "table", tabindex: "0", role: "region", "aria-label": b("measure") }, h("table.ms", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, b("measure")), h("th.num.side", { scope: "col" }, b("base")), h("th.num.side", { scope: "col" }, b("yours")), h("th.plot", { scope: "col" }, `±${percent} %`), h("th.num", { scope: "col" }, b("difference")), h("th", { scope: "col" }, h("span.sr", {}, b("watchYours", ""))))),
    h("tbody", {}, rows.map(row => h("tr", { key: row.name, class: row.seen ? "sig" : "" }, h("th", { scope: "row" }, t(row.text)), h("td.num.side", {}, shown(row, row.first)), h("td.num.side", {}, shown(row, row.second)),
      h("td.plot", {}, h("svg.iv", { viewBox: "0 0 120 14", width: 120, height: 14, "aria-hidden": true, class: row.seen ? "sig" : "" }, h("path.zero", { d: "M60 0V14" }), row.low === null ? null : h("path.bar", { d: `M${x(row, row.low)} 7H${x(row, row.high)}` }), h("circle", { cx: x(row, row.value), cy: 7, r: 3.6 }))),
      h("td.num.d", {}, signed(row, row.value), h("small", {}, `${signed(row, row.low)} .. ${signed(row, row.high)}`)),
      h("td.see", {}, row.game === null ? null : [0, 1].map(side => h("button.btn.quiet.icon", { key: side, type: "button", title: b(side ? "watchYours" : "watchBase", row.game), "aria-label": b(side ? "watchYours" : "watchBase", row.game), onclick: () => bench.replay(side, row.game) }, icon(side ? "play" : "eye"))))))))),
  h("p.lead", { key: "legend" }, b("legend"))];
}
