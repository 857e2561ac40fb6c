// What people do at the table besides answering: come, sit, talk, look back, come back, and find their way when something is wrong.
import { readFileSync } from "node:fs";
import { answer, asked, luck, playOn, point, toTheStart, type } from "./clicking.mjs";
import { DESKTOP, PHONE, drawn, findings, makeMatch, must, openWindow, wellBehaved } from "./world.mjs";

const SHORT = { game: "altered", set: { round_limit: "4" } };

/** @param {any} world @param {any} wanted @param {any} [how] */
async function sitAt(world, wanted, how) {
  const window = await openWindow(world, how);
  const keys = await makeMatch(window.page, world.base, wanted);
  await window.page.goto(`${world.base}table#${keys.me}`);
  await asked(window.page, "");
  return { ...window, keys };
}

export const tests = {
  async "the lobby makes a match, and lists it"(world) {
    const window = await openWindow(world, { lang: "es" });
    const { page } = window;
    await page.goto(world.base);
    await page.locator(".game-card", { hasText: "Altered" }).click();
    // Numbers that may be set say between what, and what is yes or no is ticked.
    await page.locator(".make summary").click();
    must((await page.locator(".setting:has(input[type=number]) small").count()) > 0, "no range is told");
    await page.locator('.make input[inputmode="numeric"]').fill("abc");
    await page.locator(".make-foot button").click();
    await page.locator(".make-foot .fault", { hasText: "semilla" }).waitFor();
    await page.locator('.make input[inputmode="numeric"]').fill("7");
    await page.locator(".make-foot button").click();
    await page.waitForURL(/table#[0-9a-f]{32}$/);
    await asked(page, "");
    await page.goto(world.base);
    await page.locator(".match-card", { hasText: "Te toca" }).waitFor();
    await page.locator(".bar .switch button", { hasText: "English" }).click();
    await page.locator(".match-card", { hasText: "Your turn" }).waitFor();
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
    await asked(page, "");
    for (let i = 0; i < 200 && !(await page.locator(".prompt .why").innerText()).includes("secret"); i++) {
      await answer(window, random);
      await asked(page, "");
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
    await toTheStart(page);
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

  async "the rules are a page to read, from the table and from the lobby"(world) {
    const window = await sitAt(world, { game: "conquista", variants: ["cheap-fleet"] });
    const { page, context } = window;
    await page.locator('.bar [aria-label="Menu"]').click();
    const [rules] = await Promise.all([context.waitForEvent("page"), page.locator(".menu-list a", { hasText: "Rules" }).click()]);
    await rules.locator("h1", { hasText: "The Conquest of the Stars" }).waitFor();
    // The price of the variant that is played.
    await rules.locator("tr", { hasText: /^unit ?\s*0\s*3\s*1/ }).waitFor();
    must((await findings(rules)).length === 0, "axe finds something in the rules");
    await rules.locator("header a", { hasText: "Español" }).click();
    await rules.locator("h1", { hasText: "La Conquista de las Estrellas" }).waitFor();
    for (const width of [320, 1280]) {
      await rules.setViewportSize({ width, height: 800 });
      await wellBehaved({ ...window, page: rules }, `rules at ${width}`);
    }
    await page.goto(world.base);
    must(((await page.locator(".make-in a", { hasText: "Rules" }).getAttribute("href")) ?? "").startsWith("rules/"), "the lobby has no way to the rules");
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

  async "a seat that is open too often, and works again when windows are closed"(world) {
    const window = await sitAt(world, { game: "tic-tac-toe" });
    const { page, keys } = window;
    // As many windows as a seat may have, the page itself being one.
    await page.evaluate(async key => {
      const address = new URL("api/socket", location.href);
      address.protocol = "ws:";
      address.hash = "";
      const windows = (globalThis.others = Array.from({ length: 15 }, () => new WebSocket(address)));
      await Promise.all(windows.map(socket => new Promise(done => {
        socket.onopen = () => socket.send(JSON.stringify({ type: "hello", key, lang: "en" }));
        socket.onmessage = done;
      })));
    }, keys.me);
    const more = await openWindow(world);
    await more.page.goto(`${world.base}table#${keys.me}`);
    await more.page.getByText("Too many windows are open with this link.").waitFor();
    await page.locator(".opt").first().click();
    await page.locator(".match[data-ask^='1:']").waitFor();
    await page.evaluate(() => Promise.all(globalThis.others.map(socket => new Promise(done => {
      socket.onclose = done;
      socket.close();
    }))));
    await more.page.reload();
    await asked(more.page, "");
    await wellBehaved(more, "a full seat");
    await wellBehaved(window, "a full seat");
  },

  async "an unknown game, a finished match and what is no match at all"(world) {
    const window = await sitAt(world, { game: "tic-tac-toe" });
    const { page, keys } = window;
    await playOn([window], { random: luck(4) });
    await page.goto("about:blank");
    await page.goto(`${world.base}table#${keys.me}`);
    await page.locator(".match[data-over]").waitFor();
    must((await page.locator(".prompt").innerText()).includes("The game is over"), "a finished match does not say so");
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".prompt .btn", { hasText: "Download" }).click()]);
    const text = readFileSync(await file.path(), "utf8");
    await page.goto(world.base);
    for (const [name, saved, sentence] of [["unknown", text.replaceAll("tic-tac-toe", "tac-tic-toe"), "tac-tic-toe"], ["nonsense", "nonsense", "This is no saved match"]]) {
      await page.locator('input[type="file"]').setInputFiles({ name: `${name}.jsonl`, mimeType: "text/plain", buffer: Buffer.from(saved) });
      await page.locator(".fault", { hasText: sentence }).waitFor();
    }
  },

  async "no width is too narrow, light and dark"(world) {
    for (const game of ["altered", "alta-tension", "conquista", "euphoria", "teg"]) {
      const window = await sitAt(world, { game });
      for (const width of [320, 390, 768, 901, 1180, 1920]) {
        await window.page.setViewportSize({ width, height: width < 600 ? 700 : 900 });
        await drawn(window.page);
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
    const lightAndDark = async (/** @type {any} */ page, /** @type {string} */ where) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const found = await findings(page);
        must(found.length === 0, `${where}, ${colorScheme}: ${found.join("\n")}`);
      }
    };
    const lobby = await openWindow(world);
    await lobby.page.goto(world.base);
    await lobby.page.locator(".game-card").first().waitFor();
    await lightAndDark(lobby.page, "lobby");
    for (const game of ["altered", "alta-tension", "conquista", "euphoria", "teg"]) {
      const window = await sitAt(world, { game });
      await lightAndDark(window.page, game);
      await window.context.close();
    }
  },
};
