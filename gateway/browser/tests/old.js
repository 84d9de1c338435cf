// The gateway or its server goes away without a word: open pages say since when they are old, and take it back once there
// is news.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { Gateway } from "../stage/gateway.js";
import { Server } from "../stage/server.js";
import { stage } from "../stage/stage.js";

const old = (page) => page.getByRole("alert").filter({ hasText: /No news since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/ });
const PAGES = { health: "/health", history: "/boards/silent/history", counter: "/counters/steps" };

/** A page of a gateway that this test alone silences. */
async function beside(work, server = stage.server) {
  const gateway = await Gateway.start(server);
  try {
    await within(gateway, {}, (page) => work(page, gateway.process));
  } finally {
    await gateway.stop();
  }
}

describe("a gateway that is silent", { concurrency: true }, () => {
  before(() => stage.server.send(["LB.ADD silent 120 ann", "LB.COUNTER.INCR steps BY 3"]));

  it("a board is not called live, and goes on afterwards", () => beside(async (page, gateway) => {
    await page.goto("/boards/silent");
    const badge = page.locator("[data-live]");
    await badge.filter({ hasText: /^Live$/ }).waitFor();
    await page.waitForTimeout(7_000);
    assert.equal(await old(page).count(), 0, "a board without changes has news");
    gateway.kill("SIGSTOP");
    await old(page).waitFor();
    await badge.and(page.locator(".off")).filter({ hasText: "Not live" }).waitFor();
    gateway.kill("SIGCONT");
    await badge.filter({ hasText: /^Live$/ }).waitFor();
    await old(page).waitFor({ state: "hidden" });
  }));

  for (const [name, path] of Object.entries(PAGES)) {
    it(`the page of ${name} says that it is old`, () => beside(async (page, gateway) => {
      await page.clock.install();
      await page.goto(path);
      await page.locator(".uplot").first().waitFor();
      for (let step = 0; step < 8; step += 1) {
        await page.clock.fastForward("00:02");
        await page.waitForTimeout(300);
      }
      assert.equal(await old(page).count(), 0, "there is news all the time");
      gateway.kill("SIGSTOP");
      await page.clock.fastForward("00:30");
      await old(page).waitFor();
      gateway.kill("SIGCONT");
      await page.clock.fastForward("00:12");
      await old(page).waitFor({ state: "hidden" });
    }));
  }

  it("a plot without values is not old", () => beside(async (page) => {
    await page.clock.install();
    await page.goto("/boards/silent/history");
    await page.locator(".uplot").first().waitFor();
    for (const week of await page.getByRole("button", { name: "Week" }).all()) await week.click();
    for (let minute = 0; minute < 8; minute += 1) {
      await page.clock.fastForward("01:00");
      await page.waitForTimeout(300);
    }
    assert.equal(await old(page).count(), 0);
  }));

  it("the page of a campaign says that its server is silent", async () => {
    const server = await Server.start();
    try {
      await server.send(["LB.VOTE poll 1 tea BY ann"]);
      await beside(async (page) => {
        await page.goto("/boards/poll/campaign");
        await page.locator(".uplot").first().waitFor();
        await page.waitForTimeout(7_000);
        assert.equal(await old(page).count(), 0, "there is news all the time");
        server.process.kill("SIGSTOP");
        // Four seconds without a value, and three intervals without news.
        await old(page).waitFor({ timeout: 30_000 });
        server.process.kill("SIGCONT");
        await old(page).waitFor({ state: "hidden" });
      }, server);
    } finally {
      server.process.kill("SIGCONT");
      await server.stop();
    }
  });
});
