// What every test stands on: a server of its own, a browser, and pages that must never complain.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** @param {string} command Where `ludoteca` is. @param {string[]} more @param {string} [kept] A folder with matches that outlives the server. */
export async function openWorld(command, more = [], kept) {
  const data = kept ?? mkdtempSync(join(tmpdir(), "ludoteca-browser-"));
  const server = spawn(command, ["serve", "--port", "0", "--data", data, ...more], { stdio: ["ignore", "pipe", "pipe"] });
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
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const close = async () => {
    await browser.close();
    server.kill();
    if (!kept) rmSync(data, { recursive: true, force: true });
  };
  return { base, browser, close, command, said };
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
  // A slow machine is no fault of a page.
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on("console", message => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", error => faults.push(`script: ${error.message}`));
  page.on("request", request => {
    const address = request.url();
    if (!address.startsWith(world.base) && !/^(data|blob):/.test(address)) faults.push(`another host: ${address}`);
  });
  return { page, context, faults, phone };
}

/** @param {any} page @param {string} base @param {any} wanted */
export async function makeMatch(page, base, wanted) {
  const answer = await page.request.post(`${base}api/matches`, { data: { seats: ["me", "random"], variants: [], set: {}, seed: "5", undo: "free", chat: true, ...wanted }, headers: { Origin: base.replace(/\/$/, "") } });
  const made = await answer.json();
  if (!made.keys) throw new Error(`no match: ${JSON.stringify(made)}`);
  return made.keys;
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
