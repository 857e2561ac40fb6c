// node run.mjs [COMMAND] [words of the tests to run]: the table in a real browser. COMMAND is where `ludoteca` is.
import { readdirSync } from "node:fs";
import { openWorld } from "./world.mjs";

const [command = "../../../target/debug/ludoteca", ...only] = process.argv.slice(2);
const files = readdirSync(new URL(".", import.meta.url)).filter(name => name.endsWith(".test.mjs")).sort();
const world = await openWorld(command);
const seconds = (/** @type {number} */ since) => ((Date.now() - since) / 1000).toFixed(1);
const begun = Date.now();
let failed = 0;
/** @type {[string, (world: any) => Promise<string | void>][]} */
const waiting = [];
for (const file of files) {
  const { tests } = await import(`./${file}`);
  for (const [name, run] of Object.entries(tests)) if (!only.length || only.some(word => `${file} ${name}`.includes(word))) waiting.push([name, run]);
}

/** Plays one test; says whether it held. @param {string} name @param {(world: any) => Promise<string | void>} run */
async function holds(name, run) {
  const begun = Date.now();
  /** @type {any[]} */
  const opened = [];
  try {
    const told = await run({ ...world, opened });
    console.log(`ok    ${name}${told ? `: ${told}` : ""} (${seconds(begun)} s)`);
    return true;
  } catch (error) {
    console.log(`FAILED ${name} (${seconds(begun)} s)\n       ${error instanceof Error ? error.message : error}`);
    for (const window of opened) await window.context.close();
    for (const window of opened) console.log(`       ${new URL(window.page.url()).pathname} showed: ${window.seen} ${window.faults.join(" | ")}`);
    return false;
  } finally {
    for (const window of opened) await window.context.close();
  }
}

/** One test after the other, each with windows of its own. What fails is tried once more, for what a browser alone may lose; what was seen the first time is told. @param {() => typeof waiting[number] | undefined} next */
async function lane(next) {
  for (let test = next(); test; test = next()) {
    const [name, run] = test;
    if (!await holds(name, run) && !await holds(`${name}, tried again`, run)) failed += 1;
  }
}

// Two at a time: games from one end of the list, those with servers of their own from the other.
await Promise.all([lane(() => waiting.shift()), lane(() => waiting.pop())]);
await world.close();
console.log(`${failed ? `${failed} failed` : "all passed"} (${seconds(begun)} s)`);
process.exit(failed ? 1 : 0);
