// node run.mjs [COMMAND] [words of the tests to run]: the table in a real browser. COMMAND is where `ludoteca` is.
import { readdirSync } from "node:fs";
import { openWorld } from "./world.mjs";

const [command = "../../../target/debug/ludoteca", ...only] = process.argv.slice(2);
const files = readdirSync(new URL(".", import.meta.url)).filter(name => name.endsWith(".test.mjs")).sort();
const world = await openWorld(command);
let failed = 0;
for (const file of files) {
  const { tests } = await import(`./${file}`);
  for (const [name, run] of Object.entries(tests)) {
    if (only.length && !only.some(word => `${file} ${name}`.includes(word))) continue;
    const begun = Date.now();
    try {
      const told = await run(world);
      console.log(`ok    ${name}${told ? `: ${told}` : ""} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)\n       ${error instanceof Error ? error.message : error}`);
    }
  }
}
await world.close();
process.exit(failed ? 1 : 0);
