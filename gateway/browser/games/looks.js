// How the page looks: wide and narrow, light and dark.
import assert from "node:assert/strict";
import { it } from "node:test";
import { within } from "../stage/browser.js";
import { checkFrame, violations } from "../stage/look.js";
import { arrive, awaitRow } from "./player.js";

async function look(page) {
  await checkFrame(page, "en");
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], colorScheme);
  }
}

/** Begins a round that goes on for as long as a test looks at it. */
async function lengthen(route) {
  const response = await route.fetch();
  await route.fulfill({ response, json: { ...(await response.json()), seconds: 60 } });
}

export function looks(game) {
  for (const width of [1280, 390]) {
    it(`looks right, ${width} pixels wide`, () => within(game, { width }, async (page) => {
      await arrive(page, "W".repeat(20), "AE");
      await page.locator("#state").filter({ hasText: "Live" }).waitFor();
      await page.route("**/rounds", lengthen);
      await page.getByRole("button", { name: "Play" }).click();
      await page.locator("#round").waitFor();
      await look(page);
      await page.reload();
      await game.play("W".repeat(20), "AE");
      await awaitRow(page, "at-home", 0, "WWWW");
      await look(page);
      assert.deepEqual(page.faults, []);
    }));
  }
}
