// What a test looks at on a page: its frame, its width, and what axe finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical, a line each. `rules`: these alone. */
export async function violations(page, rules) {
  await page.evaluate(`window.axe || (() => { ${AXE} })()`);
  const found = await page.evaluate(async (rules) => {
    const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
    return (await window.axe.run(document, { resultTypes: ["violations"], ...only })).violations;
  }, rules);
  return found
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .flatMap((fault) => fault.nodes.slice(0, 3).map((node) => `${fault.id}: ${node.target.join(" ")} ${node.html.slice(0, 120)}`));
}

/** One heading of the first level, a title, the right language, and nothing wider than the window. */
export async function checkFrame(page, lang) {
  const told = await page.evaluate(() => ({
    headings: document.querySelectorAll("h1").length,
    title: document.title,
    lang: document.documentElement.lang,
    mains: document.querySelectorAll("main").length,
    tooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    widest: [...document.querySelectorAll("main *")]
      .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !part.closest(".scroll"))
      .slice(0, 3).map((part) => part.outerHTML.slice(0, 120)),
  }));
  assert.equal(told.headings, 1, "one h1");
  assert.equal(told.mains, 1, "one main");
  assert.match(told.title, /\S.* · \S/, "a title");
  assert.equal(told.lang, lang);
  assert.equal(told.tooWide, false, `the page scrolls sideways: ${told.widest.join("\n")}`);
}
