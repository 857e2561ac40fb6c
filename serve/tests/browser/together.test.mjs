// What people at one table do to each other, what a bot advises, and what happens when somebody edits the game meanwhile.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asked, luck, playOn, point, toTheStart } from "./clicking.mjs";
import { PHONE, makeMatch, must, openServer, openWindow, wellBehaved } from "./world.mjs";

/** Two windows at one match. @param {any} world @param {any} wanted */
async function twoAt(world, wanted) {
  const ana = await openWindow(world, { name: "Ana" });
  const bea = await openWindow(world, { name: "Bea" });
  const keys = await makeMatch(ana.page, world.base, { seats: ["me", "link"], ...wanted });
  await ana.page.goto(`${world.base}table#${keys.me}`);
  await ana.page.locator(".links input").first().waitFor();
  await ana.page.keyboard.press("Escape");
  await bea.page.goto(`${world.base}table#${keys.seats[1]}`);
  await bea.page.locator(".match").waitFor();
  // Links are offered to whoever opens a match while a seat is empty.
  for (const { page } of [ana, bea]) await page.locator(".players", { hasText: "Bea" }).waitFor();
  return { ana, bea, keys };
}

const FILES = {
  "pack.toml": 'name = "race"\nversion = "1.0.0"\nkernel = "*"\nlicence = "MIT"\nauthors = ["A test"]\n',
  "scripts/race/game.toml": 'title = { es = "Carrera", en = "Race" }\nversion = "1.0.0"\nsummary = { es = "A diez pasos.", en = "To ten steps." }\nplayers = [2, 2]\n[attributes.player]\nsteps = { type = "int", min = 0, text = { es = "Pasos", en = "Steps" } }\n[parameters]\nlongest = { value = 3, min = 1, max = 9, text = { es = "Lo más largo", en = "The longest" } }\n[[phases]]\nstep = "turn"\neach = "player"\n',
  "scripts/race/rules.rhai": 'fn turn(p) {\n    p.steps += choose_amount(p, "run", 1, LONGEST);\n    if p.steps >= 10 { end_game(); }\n}\nfn score(p) { p.steps }\n',
  "cards/race/text.toml": '[prompt]\nrun = { es = "¿Cuánto corres?", en = "How far do you run?" }\n',
  "looks/race/look.toml": 'ground = "felt"\n',
};

/** A folder with the pack of the race, and a way to write into it. */
function race() {
  const folder = mkdtempSync(join(tmpdir(), "ludoteca-race-"));
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  return { folder, write };
}

export const tests = {
  async "a hint says what it believes of each option"(world) {
    const window = await openWindow(world);
    const { page } = window;
    const keys = await makeMatch(page, world.base, { game: "four-in-a-row", seats: ["me", "random"] });
    await page.goto(`${world.base}table#${keys.me}`);
    await asked(page, "");
    await page.locator(".bar .btn", { hasText: "Hint" }).click();
    await page.locator(".opt.hinted").first().waitFor();
    // Nobody measured what chances are worth in this game: options are told from best to worst.
    const places = await page.locator(".opt .chance").allInnerTexts();
    must(places.length > 1 && places.every(text => /^\d+\./.test(text)), `places: ${places}`);
    must((await page.locator(".opt.best").count()) === 1, "no option is the bot's own");
    must(/\d+ visits/.test((await page.locator(".opt .belief").first().innerText()) ?? ""), "nothing says how often the bot tried it");
    await page.locator(".opt .belief", { hasText: "will answer" }).first().waitFor();
    // It goes on thinking while one reads, and ends when it is not wanted any more.
    await page.locator(".bar .btn", { hasText: "Hint" }).click();
    await page.waitForFunction(() => !document.querySelector(".opt.hinted"));
    await wellBehaved(window, "hint");
    await window.context.close();
  },

  async "where chances were measured a hint tells them"(world) {
    const window = await openWindow(world);
    const { page } = window;
    const keys = await makeMatch(page, world.base, { game: "altered", seats: ["me", "random"] });
    await page.goto(`${world.base}table#${keys.me}`);
    await asked(page, "");
    await page.locator(".bar .btn", { hasText: "Hint" }).click();
    await page.locator(".opt.hinted").first().waitFor();
    const chances = await page.locator(".opt .chance").allInnerTexts();
    must(chances.length > 1 && chances.every(text => /^\d+ %/.test(text)), `chances: ${chances}`);
    must(/\d+–\d+ %/.test((await page.locator(".opt .chance").first().getAttribute("title")) ?? ""), "a chance without its interval");
    await wellBehaved(window, "chances");
    await window.context.close();
  },

  async "taking back with the other's consent, and no chat where there is none"(world) {
    const { ana, bea } = await twoAt(world, { game: "four-in-a-row", undo: "consent", chat: false });
    await asked(ana.page, "");
    must((await ana.page.locator(".say").count()) === 0, "there is a line to chat with");
    must((await ana.page.locator(".chat").innerText()).includes("switched off"), "nobody says that chat is off");
    await ana.page.locator(".opt").first().click();
    await bea.page.locator(".match[data-ask^='0:1']").waitFor();
    await ana.page.locator(".bar .btn", { hasText: "Undo" }).click();
    await ana.page.getByText("You asked to take back").waitFor();
    await bea.page.getByText("wants to take back").waitFor();
    await bea.page.locator(".wish .btn", { hasText: "No" }).click();
    await ana.page.waitForFunction(() => !document.querySelector(".wish"));
    must((await bea.page.locator(".opt").count()) > 0, "a refusal changes nothing");
    await ana.page.locator(".bar .btn", { hasText: "Undo" }).click();
    await bea.page.locator(".wish .btn", { hasText: "Agree" }).click();
    await ana.page.locator(".match[data-ask^='0:0']").waitFor();
    for (const window of [ana, bea]) {
      await wellBehaved(window, "consent");
      await window.context.close();
    }
  },

  async "a second tab on the same seat, and a taken name"(world) {
    const { ana, bea, keys } = await twoAt(world, { game: "four-in-a-row" });
    await asked(ana.page, "");
    const second = await ana.context.newPage();
    await second.goto(`${world.base}table#${keys.me}`);
    await asked(second, "");
    await second.locator(".opt").nth(2).click();
    await ana.page.waitForFunction(() => !document.querySelector(".opt"));
    for (const page of [second, ana.page]) await page.waitForFunction(() => document.querySelectorAll(".board svg .tok").length === 1);
    await bea.page.locator('.bar [aria-label="Menu"]').click();
    await bea.page.getByText("Name and colour").click();
    await bea.page.locator("dialog input:not([type=checkbox])").first().fill("Ana");
    await bea.page.locator("dialog button", { hasText: "Sit down" }).click();
    await bea.page.getByText("Somebody is called Ana already.").waitFor();
    await wellBehaved(ana, "second tab");
    await ana.context.close();
    await bea.context.close();
  },

  async "a moment is shared as a link, and leads a stranger there"(world) {
    const window = await openWindow(world);
    const { page, context } = window;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const keys = await makeMatch(page, world.base, { game: "four-in-a-row" });
    await page.goto(`${world.base}table#${keys.me}`);
    await playOn([window], { random: luck(9) });
    await page.locator(".prompt .btn", { hasText: "Replay" }).click();
    await page.locator('.history .switch button', { hasText: "9" }).click();
    await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector(".ask.looking h2")?.textContent ?? "")?.[0]) > 3);
    await toTheStart(page);
    const start = await page.locator(".ask.looking h2").innerText();
    await page.locator('.history [aria-label="Later"]').click();
    await page.waitForFunction(before => document.querySelector(".ask.looking h2")?.textContent !== before, start);
    await page.locator('.history [aria-label="Share this moment"]').click();
    await page.getByText("Link copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    must(link.startsWith(`${world.base}table#${keys.watch}@`), `the link gives the seat away: ${link}`);
    const stranger = await openWindow(world, { name: "" });
    await stranger.page.goto(link);
    await stranger.page.locator(".ask.looking").waitFor();
    must((await stranger.page.locator(".ask.looking h2").innerText()) === (await page.locator(".ask.looking h2").innerText()), "the stranger sees another moment");
    await wellBehaved(window, "share");
    await stranger.context.close();
    await context.close();
  },

  async "edited files count in the running match, or say what is wrong"(world) {
    const { folder, write } = race();
    const own = await openServer(world.command, ["--watch"], { cwd: folder });
    try {
      const window = await openWindow({ ...world, base: own.base });
      const { page } = window;
      const keys = await makeMatch(page, own.base, { game: "race" });
      await page.goto(`${own.base}table#${keys.me}`);
      await asked(page, "");
      must((await page.locator(".stepper .slider").getAttribute("max")) === "3", "the game is another");
      await page.locator(".stepper .btn.do").click();
      await page.locator(".match[data-ask^='1:']").waitFor();
      // A number of the rules: the answers hold.
      write("scripts/race/game.toml", FILES["scripts/race/game.toml"].replace("value = 3", "value = 5"));
      await page.getByText("answers are kept").waitFor();
      await page.waitForFunction(() => document.querySelector(".stepper .slider")?.getAttribute("max") === "5");
      // A mistake: the page says where, and the old rules go on.
      write("scripts/race/rules.rhai", FILES["scripts/race/rules.rhai"].replace("p.steps >= 10", "p.stps >= 10"));
      await page.locator(".fault-notice code", { hasText: "rules.rhai:3" }).waitFor();
      await page.locator(".stepper .btn.do").click();
      await page.locator(".match[data-ask^='2:']").waitFor();
      write("scripts/race/rules.rhai", FILES["scripts/race/rules.rhai"]);
      await page.getByText("Mended.").waitFor();
      must((await page.locator(".fault-notice").count()) === 0, "the mistake is still shown");
      // A colour and an icon of the look are there without a restart.
      write("looks/race/look.toml", 'ground = "sea"\n[players]\nshow = [{ attribute = "steps", icon = "flag", short = { es = "pasos", en = "steps" } }]\n');
      await page.locator(".players .facts svg").first().waitFor();
      await wellBehaved(window, "reload");
      await window.context.close();
    } finally {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },

  async "content that changed meanwhile: on with the former, or played again on the new"(world) {
    const { folder, write } = race();
    const data = mkdtempSync(join(tmpdir(), "ludoteca-kept-"));
    const longest = (/** @type {any} */ page) => page.waitForFunction(() => document.querySelector(".stepper .slider")?.getAttribute("max")).then((/** @type {any} */ max) => max.jsonValue());
    let own = await openServer(world.command, [], { cwd: folder, kept: data });
    try {
      const first = await openWindow({ ...world, base: own.base });
      const matches = [];
      for (const _ of [0, 1]) {
        const keys = await makeMatch(first.page, own.base, { game: "race" });
        await first.page.goto("about:blank");
        await first.page.goto(`${own.base}table#${keys.me}`);
        await asked(first.page, "");
        await first.page.locator(".stepper .btn.do").click();
        await first.page.locator(".match[data-ask^='1:']").waitFor();
        matches.push(keys.me);
      }
      await first.context.close();
      await own.close();
      write("scripts/race/game.toml", FILES["scripts/race/game.toml"].replace("value = 3", "value = 5"));
      own = await openServer(world.command, [], { cwd: folder, kept: data });
      const window = await openWindow({ ...world, base: own.base });
      for (const [key, button, max] of [[matches[0], "Go on as it began", "3"], [matches[1], "Replay on the new content", "5"]]) {
        await window.page.goto("about:blank");
        await window.page.goto(`${own.base}table#${key}`);
        await window.page.getByText("has changed since").waitFor();
        await window.page.locator(".notice .btn", { hasText: button }).click();
        await window.page.waitForFunction(() => !document.querySelector(".notice"));
        must((await longest(window.page)) === max, `${button}: other rules`);
      }
      await wellBehaved(window, "content");
      await window.context.close();
    } finally {
      await own.close();
      for (const gone of [folder, data]) rmSync(gone, { recursive: true, force: true });
    }
  },

  async "everything works below a base path"(world) {
    const own = await openServer(world.command, ["--base-path", "/juegos"]);
    try {
      must(own.base.endsWith("/juegos/"), `the address is another: ${own.base}`);
      const window = await openWindow({ ...world, base: own.base });
      const { page } = window;
      await page.goto(own.base);
      await page.locator(".game-card", { hasText: "Four in a row" }).click();
      await page.locator(".make-foot button").click();
      await page.waitForURL(/juegos\/table#[0-9a-f]{32}$/);
      await asked(page, "");
      await page.locator(".opt").first().click();
      await page.goto(own.base);
      await page.locator(".match-card").first().waitFor();
      await wellBehaved(window, "base path");
      await window.context.close();
    } finally {
      await own.close();
    }
  },

  async "the moves of bots are shown one after the other, faster, or at once"(world) {
    const window = await openWindow(world, { motion: true, size: PHONE });
    const { page, context } = window;
    await context.addInitScript(() => location.protocol !== "about:" && localStorage.setItem("ludoteca.pace", "slow"));
    const keys = await makeMatch(page, world.base, { game: "alta-tension", seats: ["me", "random", "random"] });
    await page.goto(`${world.base}table#${keys.me}`);
    const random = luck(2);
    // The button is there as long as moves wait to be shown.
    const faster = () => page.evaluate(() => {
      const button = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".prompt .acts .btn")]).find(b => b.textContent?.includes("Faster"));
      button?.click();
      return !!button;
    });
    let found = false;
    for (let i = 0; i < 400 && !(found = await faster()); i++) {
      if (await page.evaluate(() => /** @type {any} */ (document.querySelector(".match"))?.dataset.ask)) await point(window, random);
      await page.waitForTimeout(50);
    }
    must(found, "moves of bots are never shown one after the other");
    await asked(page, "");
    await wellBehaved(window, "pace");
    await context.close();
  },
};
