// What is wrong and how to get there; scenarios and what became of them; what would be saved; and files two people changed.
import { h } from "../client/dom.js";
import { icon } from "../client/icons.js";
import { b } from "./words.js";

/** @typedef {import("./main.js").Bench} Bench */

/** @param {Bench} bench */
export function drawProblems(bench) {
  const all = bench.state.problems;
  const errors = all.filter((/** @type {any} */ p) => p.severity === "error");
  const rest = all.length - errors.length;
  return h("section.faults", { key: "faults", "aria-label": b("problems"), class: errors.length ? "some" : "" },
    h("h2", { role: "status" }, all.length ? [errors.length === 1 ? b("oneError") : errors.length ? b("errors", errors.length) : "", rest ? b("warnings", rest) : ""].filter(Boolean).join(", ") : b("noProblems")),
    h("ul", {}, all.slice(0, 30).map((/** @type {any} */ p, /** @type {number} */ i) => h("li", { key: i, class: p.severity }, icon("alert"),
      h("span.msg", {}, h("b", {}, p.message), p.help ? ` ${p.help}` : "", " ", h("span.code", {}, p.code)),
      p.path ? h("button.at", { type: "button", onclick: () => bench.goTo(p) }, `${p.file}:${p.line ?? 1}:${p.column ?? 1}`) : h("span.at", {}, p.file ? `${p.file}:${p.line ?? 1}` : ""),
      p.fix ? h("button.btn", { type: "button", onclick: () => bench.act("fix", p.fix) }, p.fix.title) : p.path ? h("button.btn", { type: "button", onclick: () => bench.goTo(p) }, b("goTo")) : null))));
}

/** @param {Bench} bench */
export function drawScenarios(bench) {
  const found = bench.scenarios;
  const failed = Array.isArray(found?.scenarios) ? found.scenarios.filter((/** @type {any} */ s) => s.failures.length).length : 0;
  const said = (/** @type {any} */ run) => {
    if (run.problem) return run.problem;
    if (!run.scenarios.length && !run.unread) return b("noScenarios");
    return b("passed", run.scenarios.length - failed, failed) + (run.unread ? `, ${b("unread", run.unread)}` : "");
  };
  return h("div.scenarios", { key: "scenarios" },
    h("div.hrow", {}, h("button.btn.word", { type: "button", disabled: found === "running", onclick: () => bench.runScenarios() }, icon("play"), b("runScenarios")),
      h("span.live", { role: "status" }, found === "running" ? b("runningScenarios") : found ? said(found) : ""),
      found?.written && found.written !== bench.state.written ? h("span.stale", {}, b("stale")) : null),
    found?.scenarios ? h("ul", {}, [...found.scenarios].sort((x, y) => y.failures.length - x.failures.length).map((s, i) => h("li", { key: i, class: s.failures.length ? "error" : "fine" }, icon(s.failures.length ? "cross" : "check"),
      h("span.msg", {}, h("b", {}, s.title), s.failures.map((/** @type {string} */ f, /** @type {number} */ k) => h("pre", { key: k }, f))), h("button.at", { type: "button", onclick: () => bench.goTo(s) }, `${s.file}:${s.line}`)))) : null);
}

/** What would be saved, line by line. @param {Bench} bench */
export function drawChanges(bench) {
  const all = bench.state.changes;
  if (!all.length) return h("p.lead", { key: "none" }, b("noChanges"));
  return h("div.changes", { key: "changes" }, all.map((/** @type {any} */ c) => h("section", { key: c.path }, h("h3", {}, h("code", {}, c.path)),
    h("pre.diff", { tabindex: "0", "aria-label": c.path }, c.lines.map((/** @type {any} */ l, /** @type {number} */ i) => h("span", { key: i, class: { "+": "plus", "-": "less", "…": "gap" }[/** @type {"+"} */ (l.sign)] ?? "" }, `${l.sign} ${l.text}\n`))))));
}

/** Files that somebody else changed on disk. @param {Bench} bench */
export function drawClashes(bench) {
  return bench.state.clashes.map((/** @type {string} */ path) => h("p.notice.clash", { key: `clash:${path}`, role: "alert" }, h("span", {}, b("clash", path)),
    h("button.btn", { type: "button", onclick: () => bench.act("settle", { path, mine: false }) }, b("theirs")), h("button.btn", { type: "button", onclick: () => bench.act("settle", { path, mine: true }) }, b("mine"))));
}
