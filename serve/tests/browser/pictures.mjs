// node pictures.mjs COMMAND FOLDER [games]: small pictures of the lobby and of every game's table, to be looked at: on a desk, on a phone, in the dark.
// Those of docs/pictures: node pictures.mjs ../../../target/debug/ludoteca ../../../docs/pictures lobby teg alta-tension conquista euphoria altered
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asked, luck, point } from "./clicking.mjs";
import { DESKTOP, PHONE, makeMatch, openWindow, openWorld } from "./world.mjs";

const [command = "../../../target/debug/ludoteca", folder = "pictures", ...only] = process.argv.slice(2);

// How many answers are given before the picture is taken, so that there is something to see; some more until something is lit.
const GAMES = [
  ["teg", 26, { seats: ["me", "greedy", "greedy"] }],
  ["alta-tension", 16, { seats: ["me", "random", "random"] }],
  ["conquista", 40, {}],
  ["euphoria", 14, { seats: ["me", "random", "random"] }],
  ["altered", 14, {}],
];
const WINDOWS = { "": {}, "-dark": { dark: true }, "-phone": { size: PHONE } };

/** @param {any} window @param {string} name */
async function take({ page, context, phone }, name) {
  const { width, height } = page.viewportSize();
  const eye = await context.newCDPSession(page);
  const { data } = await eye.send("Page.captureScreenshot", { format: "webp", quality: 60, clip: { x: 0, y: 0, width, height, scale: phone ? 1 : 0.75 } });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"));
}

const world = await openWorld(command);
mkdirSync(folder, { recursive: true });
const { games } = await (await fetch(`${world.base}api/lobby`)).json();
const named = new Set(GAMES.map(([game]) => game));
const rest = games.filter((/** @type {any} */ g) => g.ok && !named.has(g.id)).map((/** @type {any} */ g) => [g.id, 5, { seats: ["me", ...Array(Math.max(1, g.players[0] - 1)).fill("random")] }]);
for (const [game, answers, more] of [...GAMES, ...rest]) {
  if (only.length && !only.includes(game)) continue;
  const window = await openWindow(world, { lang: "es" });
  const keys = await makeMatch(window.page, world.base, { game, ...more });
  await window.page.goto(`${world.base}table#${keys.me}`);
  const random = luck(7);
  for (let given = 0, last = ""; ;) {
    const now = await asked(window.page, "");
    if (now.over) break;
    if (now.ask !== last) given += 1;
    last = now.ask;
    if (given > answers + 8 || (given > answers && (await window.page.locator(".board .go, .dock .go").count()) > 2)) break;
    await point(window, random);
    await window.page.waitForTimeout(30);
  }
  await window.context.close();
  for (const [name, how] of Object.entries(WINDOWS)) {
    const other = await openWindow(world, { size: DESKTOP, lang: how.dark ? "en" : "es", ...how });
    await other.page.goto(`${world.base}table#${keys.me}`);
    await other.page.locator(".match").waitFor();
    await other.page.waitForTimeout(400);
    await take(other, `${game}${name}`);
    await other.context.close();
  }
}
for (const [name, how] of Object.entries(WINDOWS)) {
  if (only.length && !only.includes("lobby")) continue;
  const lobby = await openWindow(world, { size: DESKTOP, ...how });
  for (const game of ["teg", "euphoria"]) {
    const keys = await makeMatch(lobby.page, world.base, { game, seats: ["me", "link"] });
    await lobby.page.goto(`${world.base}table#${keys.me}`);
    await lobby.page.locator(".match").waitFor();
    await lobby.page.goto(world.base);
  }
  await lobby.page.locator(".game-card").first().waitFor();
  await lobby.page.waitForTimeout(2000);
  await take(lobby, `lobby${name}`);
  await lobby.context.close();
}
await world.close();
