// Names that somebody else chose: shown as text, whatever they hold, and never wider than the window.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { HOSTILE } from "../stage/data.js";
import { checkFrame } from "../stage/look.js";
import { stage } from "../stage/stage.js";

const pathOf = (name) => `/boards/hostile/members/${encodeURIComponent(name)}`;
/** What a browser shows of a text: white space runs together. */
const shown = (text) => text.replace(/\s+/gu, " ").trim();

async function checkUntouched(page, lang = "en") {
  await checkFrame(page, lang);
  assert.notEqual(await page.title(), "taken");
  assert.equal(await page.locator("main script, main img, main [onerror], main [onfocus]").count(), 0);
  assert.deepEqual(page.faults, []);
}

describe("hostile names", () => {
  for (const width of [1280, 390]) {
    it(`are text on the board, ${width} pixels wide`, () => within(stage.gateway, { width }, async (page) => {
      await page.goto("/boards/hostile");
      const text = shown(await page.locator("main").evaluate((main) => main.textContent));
      for (const name of HOSTILE) assert.ok(text.includes(shown(name)), `shown as written: ${name}`);
      await checkUntouched(page);
    }));
  }

  for (const [place, name] of HOSTILE.entries()) {
    it(`have a page of their own: ${place + 1}`, () => within(stage.gateway, { width: 390 }, async (page) => {
      await page.goto("/boards/hostile");
      const link = page.locator(`main tbody tr`).nth(place).locator("a[href*='/members/']").first();
      await link.click();
      await page.waitForURL((url) => url.pathname.startsWith("/boards/hostile/members/"));
      const segment = new URL(page.url()).pathname.slice("/boards/hostile/members/".length);
      assert.equal(decodeURIComponent(segment), name, "the link leads to this member");
      assert.ok(shown(await page.locator("h1").textContent()).includes(shown(name)));
      await checkUntouched(page);
    }));
  }

  it("that write from right to left do not turn the text beside them around", () =>
    within(stage.gateway, {}, async (page) => {
      const name = HOSTILE.find((name) => name.startsWith("\u202E"));
      for (const path of ["/boards/hostile", pathOf(name)]) {
        await page.goto(path);
        const loose = await page.evaluate((name) => {
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = [];
          // By itself, or by what it stands in, with nothing else before or behind it.
          const isIsolated = (part) => ["isolate", "isolate-override", "plaintext"].includes(getComputedStyle(part).unicodeBidi)
            || (part.parentElement.textContent === part.textContent && isIsolated(part.parentElement));
          while (texts.nextNode()) {
            const parent = texts.currentNode.parentElement;
            if (!texts.currentNode.data.includes(name) || ["TEXTAREA", "SCRIPT", "OPTION"].includes(parent.tagName)) continue;
            if (!isIsolated(parent)) found.push(parent.outerHTML.slice(0, 120));
          }
          return found;
        }, name);
        assert.deepEqual(loose, [], `isolated on ${path}`);
      }
    }));

  it("that are no UTF-8 have a link that works", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/boards/hostile");
    const link = page.locator("main a[href*='b64=true']").first();
    assert.match(await link.textContent(), /\uFFFD/);
    await link.click();
    await page.waitForURL(/b64=true/);
    assert.match(await page.locator("h1").textContent(), /\uFFFD/);
    await checkUntouched(page);
  }));
});
