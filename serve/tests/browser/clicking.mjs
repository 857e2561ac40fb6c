// Somebody who plays by clicking on what is lit, by tapping, or by keys alone.
import { PATIENCE, drawn } from "./world.mjs";

/** Numbers that are the same every time. @param {number} seed */
export function luck(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Waits until something is asked, or the match is over. @param {any} page @param {string} last What was asked before. */
export async function asked(page, last) {
  await page.waitForFunction(before => {
    const match = /** @type {HTMLElement | null} */ (document.querySelector(".match"));
    return match && (match.dataset.over !== undefined || (match.dataset.ask && match.dataset.ask !== before));
  }, last, { polling: 20 });
  return page.evaluate(() => {
    const { ask = "", over } = /** @type {HTMLElement} */ (document.querySelector(".match")).dataset;
    return { ask, over: over !== undefined };
  });
}

/** The middle of everything that is lit and in sight, and of every line of the list. @param {any} page */
const inSight = page => page.evaluate(() => {
  const middle = (/** @type {Element} */ e) => {
    const box = e.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    return { x, y, there: !!hit && e.contains(hit) && box.width > 0 };
  };
  const things = [...document.querySelectorAll(".board .go, .dock .go, .players .go")].map(middle).filter(p => p.there);
  const lines = [...document.querySelectorAll(".opt:not([aria-pressed=true]):not(:disabled)")].length;
  const button = (/** @type {string} */ css) => [...document.querySelectorAll(css)].map(middle).filter(p => p.there)[0] ?? null;
  return { things, lines, commit: button(".prompt .acts > .btn.do:not(:disabled)"), amount: button(".stepper .btn.do:not(:disabled)"), more: button(".stepper .btn.icon:last-of-type:not(:disabled)"), words: [...document.querySelectorAll(".prompt .btn.word")].map(middle).filter(p => p.there) };
});

/** @param {any} window @param {{ x: number, y: number }} point */
const press = ({ page, phone }, { x, y }) => (phone ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));

/**
 * One answer by pointing: a lit thing, a button of the question, the stepper or a line of the list.
 * @param {any} window @param {() => number} random
 */
export async function point(window, random) {
  const { page } = window;
  const seen = await inSight(page);
  if (seen.commit) return press(window, seen.commit);
  if (seen.amount && (random() < 0.8 || !seen.words.length)) {
    if (seen.more && random() < 0.3) await press(window, seen.more);
    return press(window, seen.amount);
  }
  if (seen.words.length && random() < 0.4) return press(window, seen.words[Math.floor(random() * seen.words.length)]);
  if (seen.things.length && random() < 0.8) return press(window, seen.things[Math.floor(random() * seen.things.length)]);
  if (window.phone && !(await page.locator("#options").isVisible())) await page.locator(".tabs button", { hasText: /Options|Opciones/ }).tap();
  if (!seen.lines) return page.waitForTimeout(30);
  const line = page.locator(".opt:not([aria-pressed=true]):not(:disabled)").nth(Math.floor(random() * seen.lines));
  // A list that changed meanwhile is looked at again.
  await (window.phone ? line.tap({ timeout: 1500 }) : line.click({ timeout: 1500 })).catch(() => {});
}

/** One answer by keys alone. @param {any} window @param {() => number} random */
export async function type({ page }, random) {
  const { lines, commit, amount } = await page.evaluate(() => ({
    lines: document.querySelectorAll(".opt").length,
    commit: !!document.querySelector(".prompt .acts > .btn.do:not(:disabled)"), amount: !!document.querySelector(".stepper .btn.do"),
  }));
  if (commit) {
    // Enter on an option that has the focus would take it back.
    await page.locator(".prompt .acts > .btn.do").first().focus();
    return page.keyboard.press("Enter");
  }
  if (!lines && amount) {
    await page.locator(".stepper .btn.do").focus();
    return page.keyboard.press("Enter");
  }
  const n = Math.floor(random() * Math.min(lines, 36));
  if (n < 36 && random() < 0.7) return page.keyboard.press("1234567890abcdefghijklmnopqrstuvwxyz"[n] ?? "1");
  await page.evaluate((/** @type {number} */ nth) => /** @type {HTMLElement | undefined} */ (document.querySelectorAll(".opt")[nth])?.focus(), n);
  return page.keyboard.press("Enter");
}

/** Answers one question, however many clicks that takes. @param {any} window @param {() => number} random @returns {Promise<boolean>} whether the match is over */
export async function answer(window, random) {
  const { ask, over } = await asked(window.page, "");
  for (let now = ask; now === ask && !over;) {
    await point(window, random);
    await drawn(window.page);
    now = (await peek(window.page)).ask;
  }
  return over;
}

/**
 * Plays until the match is over.
 * @param {any[]} windows Those who play; each answers when it is asked.
 * @param {{ random: () => number, by?: typeof point, most?: number }} how @returns {Promise<number>} how many answers were given
 */
export async function playOn(windows, { random, by = point, most = 3000 }) {
  const last = windows.map(() => "");
  for (let answers = 0, idle = Date.now(); answers < most;) {
    let moved = false;
    for (const [i, window] of windows.entries()) {
      const now = windows.length === 1 ? await asked(window.page, "") : await peek(window.page);
      if (now.over) return answers;
      if (!now.ask) continue;
      await by(window, random);
      await drawn(window.page);
      moved = true;
      if (now.ask !== last[i]) answers += 1;
      last[i] = now.ask;
    }
    if (moved) idle = Date.now();
    else await windows[0].page.waitForTimeout(20);
    if (Date.now() - idle > PATIENCE) throw new Error("nobody is asked and the match is not over");
  }
  throw new Error(`not over after ${most} answers`);
}

/** @param {any} page */
const peek = page => page.evaluate(() => {
  const { ask = "", over } = /** @type {HTMLElement} */ (document.querySelector(".match"))?.dataset ?? {};
  return { ask, over: over !== undefined };
});

/** The beginning of a match, looked back at: nothing moves by itself any more. @param {any} page */
export async function toTheStart(page) {
  await page.locator(".ask.looking").waitFor();
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector('.history > .icon[aria-pressed="true"]'))?.click());
  await page.locator(".history .slider").fill("0");
  await page.locator('.history [aria-label="To the start"]:disabled').waitFor();
}
