// The board of one segment, the ranking of segments, and the way between them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const row = (page, place) => page.locator("main tbody tr").nth(place);
const names = (page) => page.locator("main table tbody th[scope=row]").allInnerTexts();

async function make(key) {
  await stage.server.send([
    `LB.CREATE ${key} VIEWS all,day SEGMENTS country:SUM,guild`,
    `LB.ADD ${key} 9 ann SEGMENT country SE SEGMENT guild red`,
    `LB.ADD ${key} 5 bob SEGMENT country NO`,
    `LB.ADD ${key} 3 cat SEGMENT country SE`,
  ]);
}

describe("segments", () => {
  it("a segment is chosen beside the view", () => within(stage.gateway, {}, async (page) => {
    await make("nations");
    await page.goto("/boards/nations");
    assert.equal((await names(page)).length, 3);
    await page.locator("#dimension").selectOption("country");
    await page.waitForURL(/dimension=country/);
    await page.locator("#segment").fill("SE");
    await page.locator("form:has(#segment) button").click();
    await page.waitForURL(/segment=SE/);
    assert.deepEqual(await names(page), ["ann", "cat"]);
    const offered = await page.locator("#segments option").evaluateAll((all) => all.map((option) => option.value));
    assert.deepEqual(offered, ["SE", "NO"]);
    await page.locator("#dimension").selectOption("guild");
    await page.waitForURL(/dimension=guild/);
    assert.equal((await names(page)).length, 3, "a country is no guild");
    assert.deepEqual(page.faults, []);
  }));

  it("a board of one segment is followed live", () => within(stage.gateway, {}, async (page) => {
    await make("livenations");
    await page.goto("/boards/livenations?dimension=country&segment=SE");
    await row(page, 0).filter({ hasText: "ann" }).waitFor();
    await stage.server.ask("LB.ADD", "livenations", "20", "bob");
    await stage.server.ask("LB.ADD", "livenations", "20", "cat");
    await row(page, 0).filter({ hasText: "cat" }).filter({ hasText: "23" }).waitFor();
    assert.deepEqual(await names(page), ["cat", "ann"]);
  }));

  it("the ranking of segments leads to the members of each", () => within(stage.gateway, { width: 390 }, async (page) => {
    await make("ranked");
    await page.goto("/boards/ranked/segments");
    await row(page, 0).filter({ hasText: "SE" }).filter({ hasText: "12" }).waitFor();
    await row(page, 1).filter({ hasText: "NO" }).waitFor();
    await page.getByRole("link", { name: "NO", exact: true }).click();
    await page.waitForURL(/segment=NO/);
    assert.deepEqual(await names(page), ["bob"]);
    await page.goto("/boards/ranked/members/ann");
    await page.getByRole("link", { name: "red", exact: true }).click();
    await page.waitForURL(/dimension=guild&segment=red/);
    assert.deepEqual(await names(page), ["ann"]);
    assert.deepEqual(page.faults, []);
  }));
});
