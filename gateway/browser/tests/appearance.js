// Every page, wide and narrow, light and dark, in English and Chinese.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { open } from "../stage/browser.js";
import { checkFrame, violations } from "../stage/look.js";
import { ABSENT, PAGES } from "../stage/pages.js";
import { stage } from "../stage/stage.js";

const LANGUAGES = { en: "en", zh: "zh-Hans" };

async function look(page, path, status, lang) {
  const answer = await page.goto(path, { waitUntil: "load" });
  assert.equal(answer.status(), status, `GET ${path}`);
  await checkFrame(page, lang);
  assert.deepEqual(await violations(page), [], "axe");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await violations(page, ["color-contrast"]), [], "axe in the dark");
  await page.emulateMedia({ colorScheme: "light" });
}

/** The browser tells every answer that is no success in its console; the page itself must not have caused it. */
function unexpected(faults, path, status) {
  return faults.filter((fault) => !(status === 404 && fault.includes(path) && fault.includes("404")));
}

/** One window for all pages: a new one for each costs more than the page. */
function lookAtAll(width, language, lang) {
  let page;
  before(async () => (page = await open(stage.gateway, { width, language })));
  after(() => page.end());
  for (const [pages, status] of [[PAGES, 200], [ABSENT, 404]]) {
    for (const [name, path] of Object.entries(pages)) {
      it(name, async () => {
        page.faults.length = 0;
        await look(page, path, status, lang);
        if (language === "zh") assert.match(await page.locator("main").innerText(), /\p{Script=Han}/u);
        assert.deepEqual(unexpected(page.faults, path, status), []);
      });
    }
  }
}

describe("appearance", { concurrency: true }, () => {
  for (const width of [1280, 390]) {
    for (const [language, lang] of Object.entries(LANGUAGES)) {
      describe(`${width} pixels wide, ${language}`, { concurrency: false }, () => lookAtAll(width, language, lang));
    }
  }
});
