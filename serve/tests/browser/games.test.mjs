// Every game is played to its end by pointing, on a desk and on a phone, in both languages.
import { luck, playOn } from "./clicking.mjs";
import { DESKTOP, PHONE, makeMatch, must, openWindow, wellBehaved } from "./world.mjs";

// How long each goes on: games without an early end get a round limit, which is one of their ends.
const GAMES = [
  ["altered", { set: { round_limit: "12" } }],
  ["alta-tension", { set: { round_limit: "4" }, seats: ["me", "random", "random"] }],
  ["conquista", { variants: ["short"], set: { round_limit: "2" } }],
  ["euphoria", { set: { round_limit: "8" } }],
  ["teg", { set: { round_limit: "20", common_objective_of_two: "37" } }],
  ["backgammon", { set: { round_limit: "12" } }],
  ["beacons", {}],
  ["chess", { set: { round_limit: "10" } }],
  ["draughts", { set: { round_limit: "12" } }],
  ["four-in-a-row", {}],
  ["fox", {}],
  ["go", { set: { round_limit: "12" } }],
  ["hex", {}],
  ["oware", { set: { round_limit: "12" } }],
  ["reversi", {}],
  ["tic-tac-toe", {}],
  ["tute", { seats: ["me", "random", "random", "random"] }],
];

export const tests = Object.fromEntries(GAMES.flatMap(([game, more]) => [DESKTOP, PHONE].map(size => [`${game} by pointing at ${size.width} × ${size.height}`, async world => {
  const window = await openWindow(world, { size, lang: size === PHONE ? "es" : "en" });
  const keys = await makeMatch(window.page, world.base, { game, ...more });
  await window.page.goto(`${world.base}table#${keys.me}`);
  const answers = await playOn([window], { random: luck(size.width), most: 1500 });
  must(await window.page.locator(".prompt h2").isVisible(), "the end is not told");
  await wellBehaved(window, game);
  await window.context.close();
  return `${answers} answers`;
}])));
