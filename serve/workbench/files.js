// The files of the folder as texts: typed, checked a moment later, saved when one says so.
import { h } from "../client/dom.js";
import { b } from "./words.js";

/** @typedef {import("./main.js").Bench} Bench */

/** @param {Bench} bench */
export function drawFiles(bench) {
  const { file, state } = bench;
  const changed = new Set(state.changes.map((/** @type {any} */ c) => c.path));
  const mine = state.files.filter((/** @type {string} */ path) => path.split("/").includes(bench.game) || path === "pack.toml");
  if (!mine.length) return h("p.lead", { key: "none" }, b("noFiles"));
  const wrong = state.problems.filter((/** @type {any} */ p) => file && p.path === file.path);
  return h("div.files-room", { key: "files" },
    h("label.pick-file", {}, b("file"), h("select", { value: file?.path ?? "", onchange: (/** @type {any} */ e) => e.target.value && bench.readFile(e.target.value, 1) }, h("option", { value: "" }, "–"), mine.map((/** @type {string} */ path) => h("option", { key: path, value: path }, changed.has(path) ? `${path} *` : path)))),
    file ? h("textarea.code", { key: file.path, spellcheck: "false", "aria-label": file.path, value: file.text, oninput: (/** @type {any} */ e) => bench.type(e.target.value), ready: (/** @type {any} */ e) => jump(bench, e) }) : null,
    file ? h("ul.wrong", {}, wrong.map((/** @type {any} */ p, /** @type {number} */ i) => h("li", { key: i, class: p.severity }, h("button.at", { type: "button", onclick: () => bench.readFile(file.path, p.line ?? 1) }, `${p.line ?? 1}:${p.column ?? 1}`), " ", p.message, p.help ? h("span.soft", {}, ` ${p.help}`) : null))) : null);
}

/** Puts the cursor at the line one came for. @param {Bench} bench @param {HTMLTextAreaElement} element */
function jump(bench, element) {
  const line = bench.file?.line;
  if (!line) return;
  bench.file.line = 0;
  const lines = element.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  element.focus();
  element.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  element.scrollTop = Math.max(0, (line - 6) * 18);
}
