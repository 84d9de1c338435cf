// What the page does with names that look like HTML, with lost answers and with refusals.
import assert from "node:assert/strict";
import { it } from "node:test";
import { within } from "../stage/browser.js";
import { arrive, awaitRow, play, told } from "./player.js";

export function faults(game) {
  it("a name is text", () => within(game, {}, async (page) => {
    const name = "<img src=x><b>eve";
    await game.play(name, "JP");
    await arrive(page, "dan", "JP");
    await awaitRow(page, "at-home", 0, name);
    assert.equal(await page.locator("main img, main b").count(), 0);
    assert.deepEqual(page.faults, []);
  }));

  it("a round whose answer is lost counts once", () => within(game, {}, async (page) => {
    const lose = async (route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/results", lose, { times: 1 });
    await arrive(page, "lea", "FR");
    await play(page);
    assert.match(await told(page), /^20 points\. 20 points this week: .* rank 1 in France\.\nIn the bronze league/);
    await awaitRow(page, "at-home", 0, "lea", "20");
  }));

  it("the page says why a round is refused", () => within(game, {}, async (page) => {
    await page.route("**/results", (route) => route.continue({ postData: JSON.stringify({ token: "forged", answers: [] }) }));
    await arrive(page, "max", "DE");
    await play(page);
    assert.equal(await told(page), "This round was not begun here.");
  }));
}
