// A vote arrives, and whoever looks at the board sees it.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const row = (page, place) => page.locator("main tbody tr").nth(place);
// Before that, a write can come with the first rows, and nothing has moved.
const isLive = (page) => page.locator("[data-live]").filter({ hasText: /^Live$/ }).waitFor();

describe("live", () => {
  it("a row moves up when a vote arrives, with an arrow", () => within(stage.gateway, {}, async (page) => {
    await stage.server.send(["LB.CREATE race VIEWS all,day SHOWN", "LB.VOTE race 10 tide BY a", "LB.VOTE race 5 ember BY b"]);
    await page.goto("/boards/race");
    await row(page, 0).filter({ hasText: "tide" }).waitFor();
    await isLive(page);
    await stage.server.ask("LB.VOTE", "race", "20", "ember", "BY", "c");
    await row(page, 0).filter({ hasText: "ember" }).filter({ hasText: "25" }).waitFor();
    await row(page, 1).filter({ hasText: "tide" }).waitFor();
    await row(page, 0).locator(".up").first().waitFor();
    await row(page, 1).locator(".down").first().waitFor();
    assert.deepEqual(page.faults, []);
  }));

  it("arrows are told in words as well", () => within(stage.gateway, {}, async (page) => {
    await stage.server.send(["LB.CREATE relay VIEWS all", "LB.ADD relay 10 tide", "LB.ADD relay 5 ember"]);
    await page.goto("/boards/relay");
    await row(page, 0).filter({ hasText: "tide" }).waitFor();
    await isLive(page);
    await stage.server.ask("LB.ADD", "relay", "20", "ember");
    const arrow = row(page, 0).locator(".up").first();
    await arrow.waitFor();
    const told = await arrow.evaluate((part) => part.textContent + (part.getAttribute("aria-label") ?? "") + (part.title ?? ""));
    assert.match(told, /\p{L}{2,}/u, "words, not a sign alone");
  }));

  it("a new member appears on an empty board", () => within(stage.gateway, { width: 390, language: "zh" }, async (page) => {
    await stage.server.ask("LB.CREATE", "first");
    await page.goto("/boards/first");
    await stage.server.ask("LB.ADD", "first", "7", "月亮");
    await row(page, 0).filter({ hasText: "月亮" }).waitFor();
    assert.deepEqual(page.faults, []);
  }));
});
