// Small windows: every field can be read and reached.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { open, within } from "../stage/browser.js";
import { checkFrame } from "../stage/look.js";
import { PAGES } from "../stage/pages.js";
import { stage } from "../stage/stage.js";

/** Fields and buttons that are cut, too small for what they hold, or below another one. */
function faults(page) {
  return page.evaluate(() => {
    const LEAST = 60;
    const isText = (part) => part.matches("select, input:not([type=checkbox], [type=radio], [type=hidden])");
    const shown = [...document.querySelectorAll("main :is(select, input, button, .button)")].filter((part) => part.checkVisibility() && part.offsetWidth);
    const told = (part) => part.outerHTML.slice(0, 80);
    const box = (part) => part.getBoundingClientRect();
    const isOver = (one, other) => box(one).left < box(other).right - 1 && box(other).left < box(one).right - 1
      && box(one).top < box(other).bottom - 1 && box(other).top < box(one).bottom - 1;
    const small = shown.filter((part) => isText(part) && part.offsetWidth < LEAST).map((part) => `${part.offsetWidth} px: ${told(part)}`);
    const width = document.documentElement.clientWidth;
    const cut = shown.filter((part) => !part.closest(".scroll") && (box(part).right > width || box(part).left < 0)).map((part) => `cut: ${told(part)}`);
    const pen = document.createElement("canvas").getContext("2d");
    const needs = (part) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(part);
      pen.font = font;
      return pen.measureText(part.selectedOptions[0]?.text ?? "").width + parseFloat(paddingLeft) + parseFloat(paddingRight);
    };
    const short = shown.filter((part) => part.matches("select") && part.offsetWidth < needs(part)).map((part) => `short: ${told(part)}`);
    const over = shown.flatMap((one, place) => shown.slice(place + 1)
      .filter((other) => one.form && one.form === other.form && isOver(one, other)).map((other) => `${told(one)} over ${told(other)}`));
    return [...small, ...cut, ...short, ...over];
  });
}

describe("small windows", { concurrency: true }, () => {
  for (const width of [390, 320]) {
    describe(`of ${width} pixels`, { concurrency: false }, () => {
      let page;
      before(async () => (page = await open(stage.gateway, { width })));
      after(() => page.end());
      for (const [name, path] of Object.entries(PAGES)) {
        it(name, async () => {
          await page.goto(path, { waitUntil: "load" });
          await checkFrame(page, "en");
          assert.deepEqual(await faults(page), []);
        });
      }
    });
  }
});

it("the audit log keeps short words in one piece", () => within(stage.gateway, {}, async (page) => {
  await stage.server.send(["LB.CREATE arena", "LB.ADD arena 5 ann"]);
  await page.goto("/boards/arena/members/ann");
  const form = page.locator("form[action*='/score']");
  await form.locator("[name=value]").fill("25");
  await form.locator("[name=reason]").fill("a long reason, so that the column of details takes all the space that it can take from the others");
  await form.locator("button").click();
  await page.getByRole("status").first().waitFor();
  await page.goto("/audit?key=arena");
  await page.getByRole("button", { name: "Take back" }).waitFor();
  const broken = await page.locator("main tbody tr").first().evaluate((row) => {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 && word[0].length < 20) found.push(word[0]);
      }
    }
    return found;
  });
  assert.deepEqual(broken, []);
}));
