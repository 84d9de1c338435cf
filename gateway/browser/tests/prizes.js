// Who has won in the last period, who has claimed, and the same as a file.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const row = (page, place) => page.locator("main tbody tr").nth(place);
const names = (page) => page.locator("main table tbody th[scope=row]").allInnerTexts();

describe("prizes", () => {
  it("the winners of the last day, and of the running one", () => within(stage.gateway, { width: 390 }, async (page) => {
    await stage.server.send([
      "LB.CREATE prizecup VIEWS day,all CLOCK EVENT SEGMENTS country PRIZES day 1=gold,2=silver PRIZES day 1=king PER country",
      "LB.ADD prizecup 9 ann AT 1 SEGMENT country SE META Ann",
      "LB.ADD prizecup 5 bob AT 1 SEGMENT country NO",
      "LB.ADD prizecup 3 cat AT 86400000 SEGMENT country SE",
      "LB.CLAIM prizecup ann ID one",
    ]);
    await page.goto("/boards/prizecup");
    await page.getByRole("link", { name: "Prizes", exact: true }).click();
    await row(page, 0).filter({ hasText: "ann" }).filter({ hasText: "gold" }).filter({ hasText: "1970-01-02 00:00" }).waitFor();
    await row(page, 1).filter({ hasText: "bob" }).filter({ hasText: "silver" }).filter({ hasText: "not yet" }).waitFor();
    const file = await page.request.get(await page.getByRole("link", { name: "Download CSV" }).getAttribute("href"));
    assert.equal(
      await file.text(),
      "\uFEFFrank,member,meta,score,prize,claimed,segment\n1,ann,Ann,9,gold,86400000,\n2,bob,,5,silver,,\n",
    );
    const whole = await page.request.get(await page.getByRole("link", { name: "Whole period (CSV)" }).getAttribute("href"));
    assert.equal(
      await whole.text(),
      "\uFEFFrank,member,meta,score,prize,claimed,country\n1,ann,Ann,9,gold,86400000,SE\n2,bob,,5,silver,,NO\n",
    );
    await page.locator("#unclaimed").check();
    await page.locator("form:has(#unclaimed) button").click();
    await page.waitForURL(/unclaimed=true/);
    assert.deepEqual(await names(page), ["bob"]);
    await page.locator("#unclaimed").uncheck();
    await page.locator("#period").selectOption("0");
    await page.waitForURL(/period=0/);
    assert.deepEqual(await names(page), ["cat"]);
    await page.goto("/boards/prizecup/prizes?dimension=country");
    await row(page, 1).filter({ hasText: "bob" }).filter({ hasText: "NO" }).filter({ hasText: "king" }).waitFor();
    assert.deepEqual(page.faults, []);
  }));

  it("a new board gets its tables in the form", () => within(stage.gateway, {}, async (page) => {
    await page.goto("/boards/new");
    await page.locator("#key").fill("paidboard");
    await page.locator("#views").fill("week");
    await page.locator("details:has(#prizes)").evaluateAll((all) => all.forEach((details) => { details.open = true; }));
    await page.locator("#prizes").fill("week 1=gold,2-10=silver");
    await page.locator("form:has(#prizes) button[type=submit], form:has(#prizes) button:not([type])").last().click();
    await page.waitForURL(/boards\/paidboard/);
    await page.goto("/boards/paidboard/prizes");
    await page.getByText("PRIZES week 1=gold,2-10=silver").waitFor();
    await page.getByText("Nobody wins a prize in this period.").waitFor();
  }));
});
