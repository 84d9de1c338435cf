// What a person does and sees on the game's page.
import { setTimeout as sleep } from "node:timers/promises";
import { SECONDS } from "./game.js";

const MINUTE = 60_000;

/** Opens the page and fills in who plays. */
export async function arrive(page, player, country) {
  await page.goto("/");
  await page.locator("#player").fill(player);
  await page.locator("#country").selectOption(country);
}

/** Plays a round with as many right answers, and waits until the page says what came of it. */
export async function play(page, right = 2) {
  // The page's clock stands still meanwhile: a slow machine loses no points.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE);
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator("#round").waitFor();
  for (let solved = 0; solved < right; solved++) {
    const [left, second] = (await page.locator("#sum").innerText()).match(/\d+/g).map(Number);
    await page.locator("#answer").fill(String(left + second));
    await page.locator("#answer").press("Enter");
  }
  await sleep(SECONDS * 1_000);
  await page.clock.runFor(SECONDS * 1_000 + 100);
  await page.clock.resume();
  await page.locator("#start").waitFor();
  await page.locator("#result div").first().waitFor();
}

export const told = (page) => page.locator("#result").innerText();

/** The rows of a table, each as its texts. */
export function rows(page, table) {
  return page.locator(`#${table} tbody tr`).evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

/** Waits for a row with these texts at a place. */
export function awaitRow(page, table, place, ...texts) {
  const row = page.locator(`#${table} tbody tr`).nth(place);
  return texts.reduce((found, hasText) => found.filter({ hasText }), row).waitFor();
}
