// What every test stands on: a server of its own, a browser, and pages that must never complain.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

// A slow machine is no fault of a page: how long anything is waited for, in milliseconds.
export const PATIENCE = 120000;

/** A server. @param {string} command Where `ludoteca` is. @param {string[]} more @param {{ kept?: string, cwd?: string }} [where] A folder with matches that outlives it, and the pack it stands in. */
export async function openServer(command, more = [], { kept, cwd } = {}) {
  const data = kept ?? mkdtempSync(join(tmpdir(), "ludoteca-browser-"));
  const server = spawn(resolve(command), ["serve", "--port", "0", "--data", data, "--unlimited", ...more], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const base = await new Promise((found, lost) => {
    for (const stream of [server.stdout, server.stderr]) stream.on("data", text => {
      said += text;
      const address = /http:\/\/\S+/.exec(said);
      // A server that edits says a second address.
      if (address && (!more.includes("--edit") || said.includes("edit#"))) found(address[0].endsWith("/") ? address[0] : `${address[0]}/`);
    });
    server.on("exit", code => lost(new Error(`the server ended with ${code}: ${said}`)));
  });
  const close = async () => {
    const ended = new Promise(done => server.once("exit", done));
    if (server.exitCode === null && server.signalCode === null && server.kill()) await ended;
    if (!kept) rmSync(data, { recursive: true, force: true });
  };
  return { base, close, command, said };
}

/** A server, and the browser all windows are of. @param {string} command */
export async function openWorld(command) {
  const server = await openServer(command);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { ...server, browser, close };
}

/** What somebody would have seen where a test failed, in few words. @param {any} page @returns {Promise<string>} */
async function shown(page) {
  const said = await page.evaluate(() => [...document.querySelectorAll("[role=status], [role=alert], .notice, .faults"), document.body].map(e => e.innerText)).catch((/** @type {Error} */ error) => [error.message]);
  return said.join(" | ").replace(/\s+/g, " ").slice(0, 1500);
}

/**
 * A window. Whatever it complains about is kept in `faults`: errors of scripts, the console, requests to other hosts.
 * @param {any} world @param {{ size?: any, lang?: string, dark?: boolean, motion?: boolean, name?: string }} [how]
 */
export async function openWindow(world, { size = DESKTOP, lang = "en", dark = false, motion = false, name = "Ana" } = {}) {
  const phone = size.width <= 900;
  const context = await world.browser.newContext({ viewport: size, locale: lang, colorScheme: dark ? "dark" : "light", reducedMotion: motion ? "no-preference" : "reduce", hasTouch: phone, isMobile: phone, acceptDownloads: true });
  await context.addInitScript(who => {
    if (location.protocol === "about:") return;
    localStorage.setItem("ludoteca.pace", "once");
    if (who) localStorage.setItem("ludoteca.name", who);
  }, name);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on("console", message => message.type() === "error" && faults.push(`console: ${message.text()} ${message.location().url}`));
  page.on("pageerror", error => faults.push(`script: ${error.message}`));
  page.on("request", request => {
    const address = request.url();
    if (!address.startsWith(world.base) && !/^(data|blob):/.test(address)) faults.push(`another host: ${address}`);
  });
  const window = { page, context, faults, phone, seen: "" };
  world.opened?.push(window);
  // What it showed at the end is kept, for whoever wonders why a test failed.
  const close = context.close.bind(context);
  context.close = async () => {
    window.seen ||= await shown(page);
    await close();
  };
  return window;
}

/** @param {any} page @param {string} base @param {any} wanted */
export async function makeMatch(page, base, wanted) {
  const answer = await page.request.post(`${base}api/matches`, { data: { seats: ["me", "random"], variants: [], set: {}, seed: "5", undo: "free", chat: true, ...wanted }, headers: { Origin: base.replace(/\/$/, "") } });
  const made = await answer.json();
  if (!made.keys) throw new Error(`no match: ${JSON.stringify(made)}`);
  return made.keys;
}

/** What was done has been drawn. @param {any} page */
export const drawn = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));

/** Serious findings of axe on what is shown now. @param {any} page */
export async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // @ts-ignore axe was put there on the line before
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target.join(" ")).join("; ")}`);
  });
}

/** @param {boolean} holds @param {string} what */
export function must(holds, what) {
  if (!holds) throw new Error(what);
}

/** A page is never wider than its window, and has nothing to complain about. @param {any} window @param {string} where */
export async function wellBehaved({ page, faults }, where) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  must(wide <= 0, `${where}: the page is ${wide} pixels too wide`);
  must(faults.length === 0, `${where}: ${faults.join("\n")}`);
}
