// Periods that have ended: their own numbers, and addresses that mean the same period tomorrow.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const WEEK = 7 * 86_400_000;
const NOW = Date.now();
const LABEL = /^\d{4}-W\d\d$/;

/** Six members a week. After a week, the best of a tier moves up; this week, one member has joined. */
function league() {
  const week = (members, at) => members.map((member) => `LB.LEAGUE.ADD seasons ${member} p${member} AT ${at}`);
  return ["LB.LEAGUE.CREATE seasons TIERS bronze,gold PROMOTE 1,0 DEMOTE 0,1 CYCLE week RETAIN 4 CLOCK EVENT",
    ...week([1, 2, 3, 4, 5, 6], NOW - 2 * WEEK), ...week([1, 2, 3, 4, 5, 6], NOW - WEEK), ...week([1], NOW)];
}

describe("a period that has ended", () => {
  before(() => stage.server.send([...league(), "LB.CREATE weekly VIEWS all,week RETAIN 4 CLOCK EVENT",
    `LB.ADD weekly 5 ann AT ${NOW - WEEK}`, `LB.ADD weekly 7 bob AT ${NOW}`]));

  const cells = (page, text) => page.locator(".tiers tbody tr", { hasText: text }).locator("td").allInnerTexts();

  it("of a league has its own tiers, and a link by its label", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/leagues/seasons");
    assert.deepEqual((await cells(page, "bronze")).slice(0, 2), ["1", "1"]);
    const link = page.getByRole("navigation", { name: "Period" }).or(page.locator("nav.tabs")).getByRole("link").nth(1);
    const label = await link.innerText();
    assert.match(label, LABEL);
    assert.match(await link.getAttribute("href"), new RegExp(`period=${label}`));
    await page.goto(`/leagues/seasons?period=${label}`);
    const figures = await page.locator(".figures").innerText();
    assert.match(figures, new RegExp(label));
    assert.match(figures, /Ends\s+over/);
    assert.deepEqual((await cells(page, "bronze")).slice(0, 2), ["5", "1"]);
    assert.deepEqual((await cells(page, "gold")).slice(0, 2), ["1", "1"]);
    assert.match(await page.locator("#group-title").innerText(), /^gold/);
    assert.match(await page.locator("main").innerText(), /1 of 1 members/);
    for (const href of await page.locator("main a[href*=period]").evaluateAll((links) => links.map((link) => link.href))) {
      assert.doesNotMatch(href, /period=-/);
    }
  }));

  it("of a league that is not kept is no other period", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/leagues/seasons?period=2019-W01");
    assert.match(await page.locator(".figures").innerText(), /2019-W01[^]*\b0\b/);
    assert.match(await page.locator("main").innerText(), /no longer kept/);
  }));

  it("of a member is in a drawing of ranks", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/boards/cup/members/player-3?view=day");
    await page.getByRole("img", { name: /^Rank in each period of day: lowest \d+, best \d+$/ }).waitFor();
    await page.getByRole("img", { name: /^Score in each period of day: least [\d,]+, most [\d,]+$/ }).waitFor();
  }));

  it("has to end before a move of a member counts, and the page says so", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/leagues/seasons?member=p1");
    assert.match(await page.locator("#tier-hint").innerText(), /when the member joins next/);
    await page.getByLabel("Tier of the next join").selectOption("gold");
    await page.locator("form[action$='/tier'] button").click();
    await page.getByRole("status").filter({ hasText: "when it joins next, not now" }).waitFor();
    assert.match(await page.locator(".standings dd").first().innerText(), /^bronze/);
  }));

  it("of a board is called by its label", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/boards/weekly");
    await page.getByRole("link", { name: "Last week" }).click();
    await page.waitForURL(/period=\d{4}-W\d\d/);
    const label = new URL(page.url()).searchParams.get("period");
    assert.match(await page.locator("#ranking").innerText(), new RegExp(`week · ${label}$`));
    assert.match(await page.locator("#period option:checked").innerText(), new RegExp(`^${label} \\(1\\)$`));
    assert.match(await page.locator("main tbody").first().innerText(), /ann/);
  }));
});
