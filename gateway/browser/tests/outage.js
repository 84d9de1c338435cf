// The server goes away and comes back: the pages say so, and follow by themselves.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { Gateway } from "../stage/gateway.js";
import { Server } from "../stage/server.js";

describe("a server that is gone", () => {
  let server, gateway;
  before(async () => {
    server = await Server.start();
    gateway = await Gateway.start(server, "--timeout-ms", "500");
    await server.send(["LB.ADD game 120 ann", "LB.ADD game 90 bob"]);
  });
  after(async () => {
    await gateway.stop();
    await server.stop();
  });

  it("is told, and the page comes back without a click", () => within(gateway, {}, async (page) => {
    await page.goto("/boards/game");
    await server.crash();
    const answer = await page.goto("/boards/game", { waitUntil: "load" });
    assert.equal(answer.status(), 503);
    assert.match(await page.locator("h1").textContent(), /does not answer/);
    await server.run();
    await page.getByRole("heading", { name: "game" }).waitFor();
    await page.getByText("ann").first().waitFor();
  }));

  it("is told on a page that is open, which then goes on", () => within(gateway, {}, async (page) => {
    await page.goto("/boards/game");
    await page.getByText("ann").first().waitFor();
    const status = page.locator("main").getByText(/does not answer|connection lost|not the newest/i);
    const badge = page.locator("[data-live]");
    await badge.filter({ hasText: /^Live$/ }).waitFor();
    await server.crash();
    await status.first().waitFor();
    await badge.filter({ hasText: "Not live" }).waitFor();
    assert.match(await status.first().textContent(), /read at \d{4}-\d\d-\d\d \d\d:\d\d/, "it says since when");
    await server.run();
    await server.ask("LB.ADD", "game", "1000", "cleo");
    await page.locator("main tbody tr").first().filter({ hasText: "cleo" }).waitFor();
    await status.first().waitFor({ state: "hidden" });
    await badge.filter({ hasText: /^Live$/ }).waitFor();
  }));
});
