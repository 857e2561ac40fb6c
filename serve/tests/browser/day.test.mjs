// A designer's day: a new variant, a wrong key seen in the editor with its fix, what it does to many games, the cards on paper, and a match
// with it. The server, the page and the screen of `watch` are opened in the morning and never again.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { answer, luck } from "./clicking.mjs";
import { stopComparing } from "./workbench.test.mjs";
import { PATIENCE, must, openServer, openWindow, wellBehaved } from "./world.mjs";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const GAME = "conquista";
const PACK = 'name = "fleets"\nversion = "1.0.0"\nkernel = "*"\nlicence = "MIT"\nauthors = ["A test"]\n\n[builds_on]\nbase = "*"\n';

/** Everything a command says, and a way to wait for some of it. @param {string} command @param {string[]} args @param {string} cwd */
function listen(command, args, cwd) {
  const running = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  running.stdout.on("data", text => (said += text));
  const until = async (/** @type {RegExp} */ words) => {
    for (let waited = 0; !words.test(said); waited += 50) {
      must(waited < PATIENCE, `${words} was never said:\n${said.slice(-2000)}`);
      await new Promise(done => setTimeout(done, 50));
    }
  };
  return { until, end: () => running.kill() };
}

export const tests = {
  async "a designer's day, from a new variant to a match with it"(world) {
    const begun = Date.now();
    const folder = mkdtempSync(join(tmpdir(), "ludoteca-day-"));
    writeFileSync(join(folder, "pack.toml"), PACK);
    const command = resolve(world.command);
    const ludoteca = (/** @type {string[]} */ ...args) => run(command, [...args, "--lang", "en"], { cwd: folder });
    const own = await openServer(command, ["--edit", folder]);
    const window = await openWindow({ ...world, base: own.base });
    const { page } = window;
    /** @type {ReturnType<typeof listen> | undefined} */
    let watching;
    try {
      await page.goto(own.said.match(/http:\S+edit#\S+/)?.[0] ?? "");
      await page.locator('select[aria-label="Game"]').selectOption(GAME);
      // A new variant is seen by the page that is open.
      await ludoteca("new", "variant", GAME, "fleet");
      const target = page.locator('select[aria-label="Written into"]');
      await target.locator('option[value="fleet"]').waitFor({ state: "attached" });
      await target.selectOption("fleet");
      watching = listen(command, ["watch", GAME, "--variant", "fleet", "-n", "20", "--bots", "random", "--lang", "en"], folder);
      await watching.until(/nothing has changed yet/);
      // The wrong key, in the editor.
      const file = join(folder, "variants", GAME, "fleet.toml");
      const lua = (/** @type {string} */ path) => ["-c", `luafile ${path}`];
      const editor = await run("nvim", ["--headless", "--clean", "-n", ...lua(join(here, "../../../editors/neovim/ludoteca.lua")), ...lua(join(here, "day.lua"))], { env: { ...process.env, LUDOTECA_COMMAND: command, LUDOTECA_FILE: file } });
      must(/mended/.test(editor.stdout + editor.stderr), `the editor: ${editor.stdout}${editor.stderr}`);
      must(readFileSync(file, "utf8").endsWith('\n"prices.unit.resources" = 3\n'), "the mended key is not in the file");
      // What it does: on the screen that was open, and on the page.
      await watching.until(/after 20 of 20 games/);
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('[data-key="prices.unit.resources"]'))?.value === "3");
      await page.locator(".controls select").first().selectOption("random");
      await page.locator(".controls .btn", { hasText: "Compare" }).click();
      await page.locator(".ms tbody tr").first().waitFor();
      await stopComparing(page);
      // On paper.
      await ludoteca("print", GAME, "--variant", "fleet", "--kind", "research", "-o", "cards.pdf");
      must(readFileSync(join(folder, "cards.pdf")).subarray(0, 5).toString() === "%PDF-", "there is no paper");
      // At the table.
      const [table] = await Promise.all([page.context().waitForEvent("page"), page.locator(".bar .btn", { hasText: "Play it" }).click()]);
      const seat = { ...window, page: table };
      const random = luck(7);
      for (let answers = 0; answers < 5; answers++) await answer(seat, random);
      await wellBehaved(window, "the workbench at the end of the day");
      return `${((Date.now() - begun) / 1000).toFixed(0)} s`;
    } finally {
      watching?.end();
      await window.context.close();
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
