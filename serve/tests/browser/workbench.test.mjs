// The workbench in a real browser: a number changed, seen as a difference, compared, played and saved; a mistake found and mended; two people.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DESKTOP, PATIENCE, PHONE, drawn, findings, must, openServer, openWindow, wellBehaved } from "./world.mjs";

const PACK = { "pack.toml": 'name = "fleets"\nversion = "1.0.0"\nkernel = "*"\nlicence = "MIT"\nauthors = ["A test"]\n\n[builds_on]\nbase = "*"\n', "variants/conquista/thrift.toml": '# Mine.\ntitle = { es = "Ahorro", en = "Thrift" }\nsummary = { es = "Unidades baratas.", en = "Cheap units." }\n\n[set]\n"prices.unit.resources" = 3   # cheap\n' };
const FILE = "variants/conquista/thrift.toml";

/** A folder to edit, a server that edits it, and a page. @param {any} world @param {(on: { page: any, window: any, folder: string, own: any, link: string }) => Promise<string | void>} test @param {any} [how] */
async function atTheBench(world, test, how = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ludoteca-bench-"));
  for (const [name, text] of Object.entries(PACK)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const own = await openServer(world.command, ["--edit", folder]);
  const window = await openWindow({ ...world, base: own.base }, how);
  const link = own.said.match(/http:\S+edit#\S+/)?.[0] ?? "";
  try {
    must(!!link, `the server says no link to edit with: ${own.said}`);
    await window.page.goto(link);
    await window.page.locator(".grid").first().waitFor();
    const told = await test({ page: window.page, window, folder, own, link });
    await wellBehaved(window, "workbench");
    return told;
  } finally {
    await window.context.close();
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stops a comparison, unless it has ended by itself. @param {any} page */
export async function stopComparing(page) {
  await page.evaluate(() => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".controls .btn")]).find(b => b.textContent?.includes("Stop"))?.click());
  await page.locator(".controls .btn", { hasText: /Go on|Compare/ }).waitFor();
}

/** Waits until a file ends so. @param {string} path @param {string} ending */
async function written(path, ending) {
  for (const given = Date.now() + PATIENCE; !readFileSync(path, "utf8").endsWith(ending);) {
    must(Date.now() < given, `${path} ends otherwise: ${readFileSync(path, "utf8")}`);
    await new Promise(done => setTimeout(done, 50));
  }
}

const cell = (/** @type {any} */ page, /** @type {string} */ key) => page.locator(`[data-key="${key}"]`);

export const tests = {
  async "the workbench: a number, its difference, a comparison, a match, saved"(world) {
    return atTheBench(world, async ({ page, folder }) => {
      await page.locator('select[aria-label="Written into"]').selectOption("thrift");
      await cell(page, "prices.unit.resources").waitFor();
      await page.waitForFunction(() => document.querySelector('[data-key="prices.unit.resources"]')?.value === "3");
      must(/4 → 3/.test(await page.locator(".cell.changed .delta").first().innerText()), "the base is not told");
      must((await page.locator("main.sheet").innerText()).includes("this is the table to rebalance"), "the comment above the table is not there");
      await cell(page, "prices.building.resources").fill("6");
      await cell(page, "prices.building.resources").press("Enter");
      await page.getByText("2 → 6").first().waitFor();
      must(!readFileSync(join(folder, FILE), "utf8").includes("building"), "it was saved unasked");
      await page.locator(".room-changes").click();
      await page.locator(".diff", { hasText: "prices.building.resources" }).waitFor();
      const diff = await page.locator(".diff").innerText();
      must(/\+ "prices.building.resources" = 6/.test(diff) && !/- "prices.unit/.test(diff), `the difference: ${diff}`);
      // Against the base, which the first edit has begun by itself; at a skill that is quick.
      await page.locator(".controls .btn", { hasText: "Stop" }).waitFor();
      const begun = Date.now();
      await page.locator(".controls select").first().selectOption("random");
      await page.locator(".ms tbody tr").first().waitFor();
      const first = (Date.now() - begun) / 1000;
      // Figures that come in meanwhile leave alone what is being written.
      await page.locator(".room-numbers").click();
      const research = cell(page, "prices.research.resources");
      const there = await research.inputValue();
      const figures = await page.locator(".result").innerText();
      await research.fill("71");
      await page.waitForFunction((/** @type {string} */ before) => document.querySelector(".result")?.innerText !== before, figures);
      must(await research.inputValue() === "71", `what was being written is ${await research.inputValue()}`);
      await research.fill(there);
      await page.waitForFunction(() => !/Too early/.test(document.querySelector(".verdict .big")?.textContent ?? "Too early"));
      await stopComparing(page);
      const [game] = await Promise.all([page.context().waitForEvent("page"), page.locator('.see [aria-label^="Watch game"]').last().click()]);
      await game.locator(".ask.looking").waitFor();
      await game.close();
      // Played with the edit in it, before it is saved.
      const [match] = await Promise.all([page.context().waitForEvent("page"), page.locator(".bar .btn", { hasText: "Play it" }).click()]);
      await match.locator(".match").waitFor();
      await match.close();
      await page.locator(".bar .btn", { hasText: "Save" }).click();
      await page.getByText("Saved: ").waitFor();
      must(readFileSync(join(folder, FILE), "utf8") === PACK[FILE] + '"prices.building.resources" = 6\n', `what was saved: ${readFileSync(join(folder, FILE), "utf8")}`);
      return `first figures after ${first.toFixed(1)} s`;
    });
  },

  async "the workbench: a mistake is shown at its cell, undone, and mended from the list"(world) {
    return atTheBench(world, async ({ page, folder }) => {
      await page.locator('select[aria-label="Written into"]').selectOption("thrift");
      await cell(page, "upkeep.energy").waitFor();
      await page.waitForFunction(() => document.querySelector('[data-key="prices.unit.resources"]')?.value === "3");
      await cell(page, "upkeep.energy").fill("4");
      await cell(page, "upkeep.energy").press("Enter");
      await page.locator(".cell.bad").waitFor();
      must((await page.locator(".faults").innerText()).includes("thrift.toml"), "the problem has no place");
      must(await page.locator(".bar .btn", { hasText: "Play it" }).isDisabled(), "one could play it");
      // What is no whole number is shown as it was typed, and saved with a word about it.
      for (const [typed, written] of [["3.5", "3.5"], ["abc", '"abc"']]) {
        await cell(page, "prices.unit.resources").fill(typed);
        await cell(page, "prices.unit.resources").press("Enter");
        await page.getByText(`4 → ${written}`).first().waitFor();
        must(await cell(page, "prices.unit.resources").inputValue() === written, `${typed} is shown as ${await cell(page, "prices.unit.resources").inputValue()}`);
      }
      await page.locator(".bar .btn", { hasText: "Save" }).click();
      await page.getByText(`Saved, with 2 errors: ${FILE}`).waitFor();
      must(!(await page.locator(".faults").innerText()).includes(folder), "a path from outside of the folder");
      for (let n = 0; n < 2; n++) {
        await page.locator(".bar .btn", { hasText: "Undo" }).click();
      }
      await page.waitForFunction(() => document.querySelector('[data-key="prices.unit.resources"]')?.value === "3");
      await page.locator(".room-files").click();
      await page.locator(".faults .btn", { hasText: "Go to it" }).first().click();
      await page.waitForFunction(() => document.activeElement?.getAttribute("data-key") === "upkeep.energy");
      // The comparison that the edit has begun says that it waits for the mistake to be mended, and goes on by itself.
      await page.locator(".result .stale").first().waitFor();
      await page.locator(".controls select").first().selectOption("random");
      await page.locator(".bar .btn", { hasText: "Undo" }).click();
      await page.waitForFunction(() => !document.querySelector(".cell.bad"));
      await page.waitForFunction(() => document.querySelector(".ms tbody tr") && !document.querySelector(".result .stale"));
      await stopComparing(page);
      // Who has stopped it is not asked again.
      await cell(page, "prices.building.resources").fill("3");
      await cell(page, "prices.building.resources").press("Enter");
      await page.getByText("2 → 3").first().waitFor();
      must(await page.locator(".controls .btn", { hasText: "Stop" }).count() === 0, "it compares unasked though it was stopped");
      await page.locator(".bar .btn", { hasText: "Undo" }).click();
      await page.waitForFunction(() => document.querySelector('[data-key="prices.building.resources"]')?.value === "2");
      await page.locator(".bar .btn", { hasText: "Save" }).click();
      await page.getByText("Saved: ").waitFor();
      // An editor beside the page writes a misspelt key: seen here, and mended by a click.
      writeFileSync(join(folder, FILE), `${PACK[FILE]}"prices.reserch.energy" = 1\n`);
      await page.locator(".faults .btn", { hasText: "research" }).click();
      await page.waitForFunction(() => !document.querySelector(".faults.some"));
      await page.locator(".bar .btn", { hasText: "Save" }).click();
      // What was said of the save before this one may still be there.
      await written(join(folder, FILE), '"prices.research.energy" = 1\n');
    });
  },

  async "the workbench: cards as a table with the drawn card, and two people at one folder"(world) {
    return atTheBench(world, async ({ page, folder, link, own }) => {
      await page.locator('select[aria-label="Written into"]').selectOption("thrift");
      await page.locator(".room-cards").click();
      await page.locator(".cards-list select").selectOption("research");
      const copies = cell(page, "cards.war_economy.copies");
      await copies.fill("many");
      await page.locator(".faults.some").waitFor();
      await page.waitForFunction(() => document.querySelector('[data-key="cards.war_economy.copies"]')?.classList.contains("bad"));
      await copies.fill("4");
      await page.waitForFunction(() => !document.querySelector(".faults.some") && document.querySelector('[data-key="cards.war_economy.copies"]')?.classList.contains("changed"));
      await cell(page, "cards.war_economy.name.en").fill("War chest");
      await page.locator(".drawn .card", { hasText: "War chest" }).waitFor();
      // Somebody else at the same folder sees it, and what both change is said.
      const other = await openWindow({ ...world, base: own.base });
      await other.page.goto(link);
      await other.page.locator('select[aria-label="Written into"]').selectOption("thrift");
      await other.page.locator(".room-changes").click();
      await other.page.locator(".diff", { hasText: "War chest" }).waitFor();
      // What they have changed elsewhere is taken without a word; only of the same value one has to say what counts.
      writeFileSync(join(folder, FILE), `${PACK[FILE]}"upkeep.energy" = 2\n`);
      await other.page.locator(".diff", { hasText: "upkeep.energy" }).waitFor();
      must(await other.page.locator(".clash").count() === 0 && await other.page.locator(".diff", { hasText: "War chest" }).count() === 1, "two changes in two places clash");
      writeFileSync(join(folder, FILE), `${PACK[FILE]}"cards.war_economy.copies" = 5\n# theirs\n`);
      await other.page.locator(".clash").waitFor();
      await page.locator(".clash .btn", { hasText: "What is on disk counts" }).click();
      await other.page.getByText("Nothing to be saved.").waitFor();
      must(existsSync(join(folder, FILE)) && readFileSync(join(folder, FILE), "utf8").endsWith("# theirs\n"), "it was overwritten");
      await wellBehaved(other, "the other");
      await other.context.close();
    });
  },

  async "the workbench: a mistake in a scenario is among the problems, and what is wrong leaves the page as it is"(world) {
    const above = mkdtempSync(join(tmpdir(), "ludoteca-own-"));
    const folder = join(above, "own");
    execFileSync(world.command, ["export", "tic-tac-toe", folder, "--as", "mine"], { stdio: "ignore" });
    const path = "tests/scenarios/mine/more.toml";
    mkdirSync(join(folder, "tests/scenarios/mine"), { recursive: true });
    const right = 'game = "mine"\n\n[[scenario]]\ntitle = "Nobody has won"\nplayers = 2\nrun = ["score(p0)"]\n[scenario.expect]\nended = false\n';
    writeFileSync(join(folder, path), right);
    const own = await openServer(world.command, ["--edit", folder]);
    const window = await openWindow({ ...world, base: own.base });
    const { page, context } = window;
    try {
      await page.goto(own.said.match(/http:\S+edit#\S+/)?.[0] ?? "");
      await page.locator(".room-files").click();
      await page.locator(".pick-file select").selectOption(path);
      const text = page.locator("textarea.code");
      await page.locator(".controls option[value=policy], .controls option[value=greedy]").first().waitFor({ state: "attached" });
      const bots = await page.locator(".controls select").first().innerText();
      await text.fill(right.replace("ended =", "ennded ="));
      await page.locator(".faults.some", { hasText: "ennded" }).waitFor();
      await page.locator(".wrong li", { hasText: "ennded" }).waitFor();
      await page.locator(".room-scenarios").click();
      await page.locator(".scenarios .btn", { hasText: "Run the scenarios" }).click();
      await page.getByText("1 cannot be read").waitFor();
      await page.locator(".room-files").click();
      // A game that cannot be played is still played by the same when it can be again.
      await page.locator(".pick-file select").selectOption("scripts/mine/game.toml");
      await page.getByLabel("scripts/mine/game.toml", { exact: true }).waitFor();
      await text.fill((await text.inputValue()).replace("players", "playres"));
      must((await text.inputValue()).includes("playres"), `what was typed is gone: ${await text.inputValue()}`);
      await page.locator(".faults.some", { hasText: "playres" }).waitFor();
      must(await page.locator(".controls select").first().innerText() === bots, "whoever may play is gone with the mistake");
    } finally {
      await context.close();
      await own.close();
      rmSync(above, { recursive: true, force: true });
    }
  },

  async "the workbench: on a phone the prices come first, and the difference is on the screen"(world) {
    return atTheBench(world, async ({ page }) => {
      await page.locator('select[aria-label="Written into"]').selectOption("thrift");
      must((await page.locator(".sheet h2").first().innerText()) !== "Parameters", "the parameters come first");
      const bar = await page.locator(".bar").boundingBox();
      must(!!bar && bar.height < 60, `the bar is ${bar?.height} pixels high`);
      await page.locator(".room-against").click();
      await page.locator(".controls select").first().selectOption("random");
      await page.locator(".controls .btn", { hasText: "Compare" }).click();
      await page.locator(".ms tbody tr").first().waitFor();
      await stopComparing(page);
      const seen = await page.locator(".ms tbody .d").first().boundingBox();
      must(!!seen && seen.x + seen.width <= PHONE.width, `the difference ends at ${seen && seen.x + seen.width}`);
      // Of another game nothing was compared.
      await page.locator('select[aria-label="Game"]').selectOption("teg");
      await page.waitForFunction(() => !document.querySelector(".ms, .verdict"));
      must((await page.locator(".result").innerText()).includes("Compares what you changed"), "the figures of another game");
      await page.locator('select[aria-label="Game"]').selectOption("conquista");
      await page.locator(".ms tbody tr").first().waitFor();
    }, { size: PHONE });
  },

  async "the workbench: a copy of a game is told from it by its id"(world) {
    const above = mkdtempSync(join(tmpdir(), "ludoteca-copy-"));
    const folder = join(above, "copy");
    execFileSync(world.command, ["export", "tic-tac-toe", folder, "--as", "mine"], { stdio: "ignore" });
    const own = await openServer(world.command, ["--edit", folder]);
    const { page, context } = await openWindow({ ...world, base: own.base });
    try {
      await page.goto(own.said.match(/http:\S+edit#\S+/)?.[0] ?? "");
      const games = page.locator("select.pick").first();
      await games.locator("option").first().waitFor({ state: "attached" });
      const named = await games.locator("option").allInnerTexts();
      must(named.includes("mine · Tic-tac-toe") && named.includes("tic-tac-toe · Tic-tac-toe") && named.includes("Chess"), `games: ${named}`);
    } finally {
      await context.close();
      await own.close();
      rmSync(above, { recursive: true, force: true });
    }
  },

  async "the workbench: no link, every width, light and dark, axe"(world) {
    return atTheBench(world, async ({ page, own, window }) => {
      for (const room of ["numbers", "cards", "scenarios", "files", "changes"]) {
        await page.locator(`.room-${room}`).click();
        await page.locator(`.room-${room}[aria-pressed="true"]`).waitFor();
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          const found = await findings(page);
          must(found.length === 0, `${room}, ${colorScheme}: ${found.join("\n")}`);
        }
        for (const width of [320, PHONE.width, 768, 1000, DESKTOP.width, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          await drawn(page);
          await wellBehaved(window, `${room} at ${width}`);
        }
      }
      await page.goto("about:blank");
      await page.goto(`${own.base}edit`);
      await page.getByText("Open the whole link").waitFor();
    });
  },
};
