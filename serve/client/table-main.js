// The page `table`: the key of the match stands in the fragment, so that it is in no log; a moment may follow it.
import { Table } from "./table.js";
import { applyTheme } from "./settings.js";
import { firstLang, remembered, setLang, w } from "./words.js";
import { draw, h } from "./dom.js";

setLang(firstLang());
applyTheme(remembered("theme") ?? "auto");
const root = document.querySelector("#app");
const found = /^#([0-9a-f]{32})(?:@(\d+))?$/.exec(location.hash);
if (root && found?.[1]) new Table(root, found[1], found[2] === undefined ? null : Number(found[2]));
else if (root) draw(root, h("main.wait", {}, h("p", { role: "alert" }, w("noLink")), h("a.btn", { href: "./" }, w("lobby"))));
addEventListener("hashchange", () => location.reload());
