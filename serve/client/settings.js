// What this browser keeps: how the page looks, and the links it has seen.
import { remember, remembered } from "./words.js";

/** @param {string} theme */
export function applyTheme(theme) {
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.toggle("light", theme === "light");
}

/** The keys of matches, the latest first. @returns {string[]} */
export function keptKeys() {
  try {
    const read = JSON.parse(remembered("keys") ?? "[]");
    return Array.isArray(read) ? read.filter(k => typeof k === "string" && /^[0-9a-f]{32}$/.test(k)).slice(0, 200) : [];
  } catch {
    return [];
  }
}

/** @param {string} key */
export const keepKey = key => remember("keys", JSON.stringify([key, ...keptKeys().filter(k => k !== key)].slice(0, 200)));

/** @param {string[]} keys */
export const forgetKeys = keys => remember("keys", JSON.stringify(keptKeys().filter(k => !keys.includes(k))));
