// node speed.mjs COMMAND [LOAD [parts]]: how fast the table is in a real browser. LOAD is the program of bench/ that keeps 200 matches going meanwhile.
import { spawn } from "node:child_process";
import { asked, luck, point } from "./clicking.mjs";
import { makeMatch, openWindow, openWorld } from "./world.mjs";

const [command = "../../../target/debug/ludoteca", load = "", ...only] = process.argv.slice(2);
const world = await openWorld(command);
const place = (/** @type {number[]} */ all, /** @type {number} */ share) => Math.round([...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? NaN);

/** From the address to a question that can be answered, nothing being in the cache. @param {string} game */
async function cold(game) {
  const [times, worked] = [[], []];
  for (let i = 0; i < 7; i++) {
    const { page, context } = await openWindow(world, { motion: true });
    const keys = await makeMatch(page, world.base, { game, seats: ["me", "random", "random"] });
    await context.addInitScript(() => {
      const look = () => (document.querySelector(".match[data-ask] .opt") ? (globalThis.ready = performance.now()) : requestAnimationFrame(look));
      look();
    });
    await world.browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
    await page.goto(`${world.base}table#${keys.me}`);
    times.push(await page.waitForFunction(() => globalThis.ready).then((/** @type {any} */ handle) => handle.jsonValue()));
    worked.push(tasks(await world.browser.stopTracing()).reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0));
    await context.close();
  }
  return { median_ms: place(times, 0.5), worst_ms: place(times, 1), cpu_of_page_ms: place(worked, 0.5) };
}

/** The longest tasks of the page by processor time, which a busy machine does not change, as its tracing tells. @param {Buffer} trace */
function tasks(trace) {
  const { traceEvents } = JSON.parse(String(trace));
  const mains = new Set(traceEvents.filter((/** @type {any} */ e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((/** @type {any} */ e) => `${e.pid}:${e.tid}`));
  return traceEvents.filter((/** @type {any} */ e) => e.name === "RunTask" && e.tdur && mains.has(`${e.pid}:${e.tid}`)).map((/** @type {any} */ e) => e.tdur / 1000);
}

/** The longest gap between two frames while bots play, and the longest task, in stretches of at least so many events. @param {string} pace @param {number} events */
async function frames(pace, events) {
  const { page, context } = await openWindow(world, { motion: true });
  await context.addInitScript(how => {
    if (location.protocol === "about:") return;
    localStorage.setItem("ludoteca.pace", how);
    globalThis.gaps = [];
    let last = performance.now();
    const next = () => {
      const now = performance.now();
      globalThis.gaps.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, pace);
  let heard = 0;
  page.on("websocket", (/** @type {any} */ socket) => socket.on("framereceived", (/** @type {any} */ frame) => (heard += JSON.parse(frame.payload).events?.length ?? 0)));
  const keys = await makeMatch(page, world.base, { game: "teg", seats: ["me", "greedy", "greedy", "greedy"] });
  await page.goto(`${world.base}table#${keys.me}`);
  const random = luck(3);
  const found = [];
  let dealt = 0;
  for (let given = 0; given < 120 && found.length < 3; given++) {
    await asked(page, "");
    heard = 0;
    await page.evaluate(() => (globalThis.gaps = []));
    await world.browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
    await point({ page, phone: false }, random);
    await page.waitForTimeout(60);
    await asked(page, "");
    if (heard >= events) await page.waitForTimeout(1300);
    const worked = tasks(await world.browser.stopTracing());
    if (heard < events) continue;
    dealt += heard;
    found.push({ worked, ...(await page.evaluate(() => ({ gap: Math.max(...globalThis.gaps), frames: globalThis.gaps.length, over: globalThis.gaps.filter((/** @type {number} */ g) => g > 50).length }))) });
  }
  await context.close();
  return { stretches: found.length, events: dealt, frames: found.reduce((sum, f) => sum + f.frames, 0), frames_over_50_ms: found.reduce((sum, f) => sum + f.over, 0), longest_gap_ms: Math.round(Math.max(...found.map(f => f.gap))), tasks: found.reduce((sum, f) => sum + f.worked.length, 0), longest_tasks_cpu_ms: found.flatMap(f => f.worked).sort((a, b) => b - a).slice(0, 8).map(Math.round) };
}

/** From a click in one window to the changed board in the other. */
async function across() {
  const times = [];
  const ana = await openWindow(world, { name: "Ana" });
  const bea = await openWindow(world, { name: "Bea" });
  for (let match = 0; match < 4; match++) {
    const keys = await makeMatch(ana.page, world.base, { game: "four-in-a-row", seats: ["me", "link"], seed: String(match) });
    const windows = [[ana.page, keys.me], [bea.page, keys.seats[1]]];
    for (const [page, key] of windows) {
      await page.goto("about:blank");
      await page.goto(`${world.base}table#${key}`);
      await page.locator(".match").waitFor();
      if (page !== ana.page) continue;
      await page.locator(".links input").first().waitFor();
      await page.keyboard.press("Escape");
    }
    for (let move = 0; move < 12; move++) {
      const [[one], [other]] = move % 2 ? [windows[1], windows[0]] : windows;
      if ((await asked(one, "")).over) break;
      const seen = other.evaluate(() => new Promise(done => {
        const count = () => document.querySelectorAll(".board .tok").length;
        const before = count();
        const look = () => (count() === before ? requestAnimationFrame(look) : done(Date.now()));
        look();
      }));
      const clicked = await one.evaluate((/** @type {number} */ n) => {
        const all = document.querySelectorAll(".opt");
        const at = Date.now();
        /** @type {HTMLElement} */ (all[n % all.length]).click();
        return at;
      }, move * 5);
      times.push((await seen) - clicked);
      await one.waitForFunction(() => !document.querySelector(".opt"));
    }
  }
  await ana.context.close();
  await bea.context.close();
  return { measured: times.length, median_ms: place(times, 0.5), p99_ms: place(times, 0.99) };
}

/** @type {Record<string, () => Promise<any>>} */
const parts = {
  cold: async () => ({ teg: await cold("teg"), "alta-tension": await cold("alta-tension") }),
  one_by_one: () => frames("fast", 40),
  at_once: () => frames("once", 40),
  async across() {
    const address = new URL(world.base).host;
    const busy = load ? spawn(load, ["--address", address, "--matches", "200", "--seconds", "120", "--game", "alta-tension"], { stdio: "ignore" }) : null;
    if (busy) await new Promise(done => setTimeout(done, 12000));
    const found = await across();
    busy?.kill();
    return { ...found, other_matches: busy ? 200 : 0 };
  },
};
for (const [name, part] of Object.entries(parts)) if (!only.length || only.includes(name)) console.log(JSON.stringify({ [name]: await part() }));
await world.close();
