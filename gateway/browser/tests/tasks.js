// What operators do at night: how many clicks it takes from the board's page. What is typed between two clicks does not count.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const DAY = 86_400_000;
const LAST_WEEK = Date.now() - 7 * DAY;

/** A board's page, and a count of the clicks on it. */
function task(key, most, work) {
  return () => within(stage.gateway, {}, async (page) => {
    let clicks = 0;
    await page.goto(`/boards/${key}`);
    await work(page, async (part) => {
      clicks += 1;
      await part.click();
    });
    assert.ok(clicks <= most, `${clicks} clicks`);
  });
}

describe("tasks from the page of a board", () => {
  before(() => stage.server.send([
    `LB.CREATE shift VIEWS all,week RETAIN 4 CLOCK EVENT LIMIT perday voter 2 day`,
    ...Array.from({ length: 30 }, (_, member) => `LB.ADD shift ${100 + member} p${member} AT ${LAST_WEEK}`),
    `LB.ADD shift 90 p0 AT ${Date.now()}`,
    `LB.ADD shift 9000000 cheater AT ${Date.now()}`,
    ...Array.from({ length: 3 }, () => `LB.VOTE shift 1 p1 BY user:eager AT ${Date.now()}`),
  ]));

  it("a cheater is found and hidden in 3", task("shift", 3, async (page, click) => {
    await click(page.getByRole("link", { name: "Suspects" }));
    await click(page.locator("main").getByRole("link", { name: "cheater" }).first());
    await click(page.getByRole("button", { name: "Hide" }));
    await page.getByRole("status").first().waitFor();
    assert.equal(await stage.server.ask("LB.HIDDEN", "shift"), "cheater\n");
  }));

  it("why a voter was held back, in 2", task("shift", 2, async (page, click) => {
    await click(page.locator("nav.tabs").getByRole("link", { name: "Voter check" }));
    await page.getByLabel("Voter").fill("user:eager");
    await click(page.locator("main form button"));
    assert.match(await page.locator(".verdict").innerText(), /perday/);
  }));

  it("the winners of last week and their file, in 2", task("shift", 2, async (page, click) => {
    await click(page.getByRole("link", { name: "Last week" }));
    assert.match(await page.locator("main tbody").first().innerText(), /p29/);
    const [file] = await Promise.all([page.waitForEvent("download"), click(page.getByRole("link", { name: /whole period.*CSV/i }))]);
    const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString();
    assert.equal(text.trim().split("\n").length, 31);
  }));

  it("a score is put right with a reason and taken back in 4, and who did it is seen in 1", async () => {
    const score = () => stage.server.ask("LB.SCORE", "shift", "p0");
    await task("shift", 4, async (page, click) => {
      await click(page.locator("main tbody").first().getByRole("link", { name: "p0", exact: true }));
      const form = page.locator("form[action*='/score']");
      await form.locator("[name=value]").fill("25");
      await form.locator("[name=reason]").fill("counted twice");
      await click(form.locator("button"));
      await page.getByRole("status").first().waitFor();
      assert.equal(await score(), "215\n");
      await click(page.getByRole("link", { name: /audit/i }).last());
      await click(page.getByRole("button", { name: "Take back" }).first());
      await page.getByRole("status").first().waitFor();
      assert.equal(await score(), "190\n");
    })();
    await task("shift", 1, async (page, click) => {
      await click(page.getByRole("link", { name: /audit/i }).last());
      assert.match(await page.locator("main table").innerText(), /local[^]*counted twice/);
    })();
  });
});
