// Everything can be reached and seen without a mouse.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { PAGES } from "../stage/pages.js";
import { stage } from "../stage/stage.js";

/** Notes where the focus is, whether one sees it, and tells how many parts can have it. */
function prepare() {
  const isControl = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const isOn = (part) => part.checkVisibility() && !part.disabled && part.tabIndex >= 0;
  // Of the choices of one group, Tab reaches one.
  const isOther = (part) => part.type === "radio" && !part.checked
    && document.querySelector(`[type=radio][name="${CSS.escape(part.name)}"]:checked`);
  const expected = [...document.querySelectorAll(isControl)].filter((part) => isOn(part) && !isOther(part));
  // By what they are for: live lines are put in anew.
  const nameOf = (part) => [part.tagName, ...["id", "href", "name", "value", "aria-label", "aria-labelledby"].map((name) => part.getAttribute(name))].join(" ");
  window.walk = { expected: expected.map(nameOf), seen: new Set(), unseen: [] };
  document.addEventListener("focusin", ({ target }) => {
    window.walk.seen.add(nameOf(target));
    const style = getComputedStyle(target);
    const isVisible = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    if (!isVisible) window.walk.unseen.push(target.outerHTML.slice(0, 120));
  });
  return expected.length;
}

function walked() {
  const { expected, seen, unseen } = window.walk;
  return { missed: expected.filter((name) => !seen.has(name)), unseen };
}

describe("keyboard", () => {
  for (const [name, path] of Object.entries(PAGES)) {
    it(`Tab reaches every control of: ${name}`, () => within(stage.gateway, { width: 1280 }, async (page) => {
      await page.goto(path);
      const controls = await page.evaluate(prepare);
      // Parts that scroll take the focus as well, and a date has several parts.
      for (let presses = controls * 2 + 10; presses > 0; presses -= 1) {
        await page.keyboard.press("Tab");
        if (presses % 8 === 0 && (await page.evaluate(walked)).missed.length === 0) break;
      }
      assert.deepEqual(await page.evaluate(walked), { missed: [], unseen: [] });
    }));
  }

  it("the first stop leads past the navigation", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/boards");
    await page.keyboard.press("Tab");
    const skip = page.locator(":focus");
    assert.equal(await skip.getAttribute("href"), "#content");
    assert.ok((await skip.boundingBox()).x >= 0, "it can be seen while it has the focus");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)));
  }));
});
