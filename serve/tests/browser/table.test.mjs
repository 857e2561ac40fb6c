// What people do at the table besides answering: come, sit, talk, look back, come back, and find their way when something is wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { asked, luck, playOn, point, type } from "./clicking.mjs";
import { DESKTOP, PHONE, makeMatch, must, openWindow, wellBehaved } from "./world.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHORT = { game: "altered", set: { round_limit: "4" } };

/** @param {any} world @param {any} wanted @param {any} [how] */
async function sitAt(world, wanted, how) {
  const window = await openWindow(world, how);
  const keys = await makeMatch(window.page, world.base, wanted);
  await window.page.goto(`${world.base}table#${keys.me}`);
  await asked(window.page, "");
  return { ...window, keys };
}

/** Serious findings of axe on what is shown now. @param {any} page */
async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // @ts-ignore axe was put there on the line before
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target.join(" ")).join("; ")}`);
  });
}

export const tests = {
  async "the lobby makes a match, and lists it"(world) {
    const window = await openWindow(world, { lang: "es" });
    const { page } = window;
    await page.goto(world.base);
    await page.locator(".game-card", { hasText: "Altered" }).click();
    await page.locator('.make input[inputmode="numeric"]').fill("abc");
    await page.locator(".make-foot button").click();
    must(await page.locator(".make-foot .fault").isVisible(), "a bad seed gets no sentence");
    await page.locator('.make input[inputmode="numeric"]').fill("7");
    await page.locator(".make-foot button").click();
    await page.waitForURL(/table#[0-9a-f]{32}$/);
    await asked(page, "");
    await page.goto(world.base);
    await page.locator(".match-card").first().waitFor();
    must((await page.locator(".match-card").first().innerText()).includes("Te toca"), "the match does not say whose turn it is");
    await page.locator(".bar .switch button", { hasText: "English" }).click();
    must((await page.locator(".match-card").first().innerText()).includes("Your turn"), "the switch does not switch");
    await wellBehaved(window, "lobby");
    await window.context.close();
  },

  async "a whole match in two windows"(world) {
    const first = await openWindow(world, { name: "Ana" });
    const second = await openWindow(world, { name: "Bea", size: PHONE });
    const keys = await makeMatch(first.page, world.base, { ...SHORT, seats: ["me", "link"] });
    await first.page.goto(`${world.base}table#${keys.me}`);
    const link = await first.page.locator(".links input").first().inputValue();
    must(link === `${world.base}table#${keys.seats[1]}`, `the link to hand out is another: ${link}`);
    await first.page.keyboard.press("Escape");
    await second.page.goto(link);
    await second.page.locator(".match").waitFor();
    await first.page.getByText("Bea").first().waitFor();
    await first.page.locator(".say input").fill("¡Hola!");
    await first.page.keyboard.press("Enter");
    await second.page.locator(".tabs button", { hasText: /Log/ }).tap();
    await second.page.locator(".talk", { hasText: "¡Hola!" }).waitFor();
    const answers = await playOn([first, second], { random: luck(3) });
    await second.page.waitForFunction(() => /** @type {any} */ (document.querySelector(".match"))?.dataset.over !== undefined);
    must((await first.page.locator(".prompt h2").innerText()) === (await second.page.locator(".prompt h2").innerText()), "the windows tell different ends");
    await wellBehaved(first, "first");
    await wellBehaved(second, "second");
    await first.context.close();
    await second.context.close();
    return `${answers} answers`;
  },

  async "a whole match by keys alone"(world) {
    const window = await sitAt(world, SHORT);
    const answers = await playOn([window], { random: luck(11), by: type });
    await wellBehaved(window, "keys");
    await window.context.close();
    return `${answers} answers`;
  },

  async "a reload in the middle of a secret choice"(world) {
    const window = await sitAt(world, { game: "conquista", seats: ["me", "random"] }, { size: DESKTOP });
    const { page } = window;
    const random = luck(5);
    for (let i = 0; i < 200; i++) {
      await asked(page, "");
      if ((await page.locator(".prompt .why").innerText()).includes("secret")) break;
      await point(window, random);
      await page.waitForTimeout(20);
    }
    must((await page.locator(".prompt .why").innerText()).includes("secret"), "no secret choice came");
    const before = await page.locator(".opt .label").allInnerTexts();
    await page.reload();
    await asked(page, "");
    const after = await page.locator(".opt .label").allInnerTexts();
    must(JSON.stringify(before) === JSON.stringify(after), `other options after the reload: ${after}`);
    await point(window, random);
    await wellBehaved(window, "secret");
    await window.context.close();
  },

  async "looking back, a shared moment, a transcript down and up"(world) {
    const window = await sitAt(world, SHORT);
    const { page } = window;
    await playOn([window], { random: luck(21) });
    await page.locator(".prompt .btn", { hasText: "Replay" }).click();
    await page.locator(".ask.looking").waitFor();
    await page.locator('.history [aria-label="Pause"]').click().catch(() => {});
    const now = await page.locator(".ask.looking h2").innerText();
    await page.locator('.history [aria-label="Later"]').click();
    await page.waitForFunction(before => document.querySelector(".ask.looking h2")?.textContent !== before, now);
    const moment = /\d+/.exec(await page.locator(".ask.looking h2").innerText())?.[0];
    await page.goto("about:blank");
    await page.goto(`${world.base}table#${window.keys.watch}@${moment}`);
    await page.locator(".ask.looking").waitFor();
    must((await page.locator(".ask.looking h2").innerText()).includes(String(moment)), "the shared moment is another");
    await page.goto("about:blank");
    await page.goto(`${world.base}table#${window.keys.me}`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".prompt .btn", { hasText: "Download" }).click()]);
    await page.goto(world.base);
    await page.locator('input[type="file"]').setInputFiles(await file.path());
    await page.waitForURL(/table#[0-9a-f]{32}$/);
    await page.locator(".match").waitFor();
    await wellBehaved(window, "history");
    await window.context.close();
  },

  async "undo takes back, and the name stays"(world) {
    const window = await sitAt(world, { game: "altered" });
    const { page } = window;
    const ask = await page.locator(".prompt h2").innerText();
    await page.locator(".opt").first().click();
    await page.waitForFunction(before => document.querySelector(".prompt h2")?.textContent !== before, ask);
    must((await page.locator("body").innerText()).includes("Ana"), "the name is not there");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(before => document.querySelector(".prompt h2")?.textContent === before || document.querySelector(".notice"), ask);
    await wellBehaved(window, "undo");
    await window.context.close();
  },

  async "a wrong link, and no link, get a sentence"(world) {
    const window = await openWindow(world);
    for (const hash of ["", "#nonsense", `#${"0".repeat(32)}`]) {
      await window.page.goto("about:blank");
      await window.page.goto(`${world.base}table${hash}`);
      await window.page.getByText("opens no match").waitFor();
    }
    await window.context.close();
  },

  async "no width is too narrow, light and dark"(world) {
    for (const game of ["altered", "alta-tension", "conquista", "euphoria", "teg"]) {
      const window = await sitAt(world, { game });
      for (const width of [320, 390, 768, 901, 1180, 1920]) {
        await window.page.setViewportSize({ width, height: width < 600 ? 700 : 900 });
        await window.page.waitForTimeout(60);
        await wellBehaved(window, `${game} at ${width}`);
      }
      await window.context.close();
    }
    const lobby = await openWindow(world, { dark: true });
    await lobby.page.goto(world.base);
    for (const width of [320, 768, 1920]) {
      await lobby.page.setViewportSize({ width, height: 800 });
      await wellBehaved(lobby, `lobby at ${width}`);
    }
    await lobby.context.close();
  },

  async "nobody is shut out: axe finds nothing serious"(world) {
    for (const dark of [false, true]) {
      const lobby = await openWindow(world, { dark });
      await lobby.page.goto(world.base);
      await lobby.page.locator(".game-card").first().waitFor();
      const found = await findings(lobby.page);
      must(found.length === 0, `lobby: ${found.join("\n")}`);
      await lobby.context.close();
      for (const game of ["altered", "alta-tension", "conquista", "euphoria", "teg"]) {
        const window = await sitAt(world, { game }, { dark });
        const serious = await findings(window.page);
        must(serious.length === 0, `${game}: ${serious.join("\n")}`);
        await window.context.close();
      }
    }
  },
};
