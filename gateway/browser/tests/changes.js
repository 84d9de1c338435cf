// What changes something: asks before it destroys, counts once, and stands in the audit log.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));

async function exists(key) {
  return (await stage.server.ask("EXISTS", key)) === "1\n";
}

/** Fills in the name that a deletion asks for, and sends it. */
async function confirm(page, action, name) {
  await openAll(page);
  const form = page.locator(`form[action$='${action}']`);
  await form.locator("[name=confirm]").fill(name);
  await form.locator("button").click();
}

describe("changes", () => {
  it("deleting a board asks for its name", () => within(stage.gateway, {}, async (page) => {
    await stage.server.ask("LB.ADD", "doomed", "1", "ann");
    await page.goto("/boards/doomed");
    await confirm(page, "/delete", "doome");
    await page.getByRole("alert").first().waitFor();
    assert.ok(await exists("doomed"), "another name deletes nothing");
    await confirm(page, "/delete", "doomed");
    await page.waitForURL(/\/boards(\?|$)/);
    await page.getByRole("status").first().waitFor();
    assert.ok(!(await exists("doomed")));
  }));

  it("removing a member asks for its name", () => within(stage.gateway, {}, async (page) => {
    await stage.server.send(["LB.ADD removal 1 ann", "LB.ADD removal 2 bob"]);
    await page.goto("/boards/removal/members/ann");
    await confirm(page, "/remove", "bob");
    await page.getByRole("alert").first().waitFor();
    assert.equal(await stage.server.ask("LB.COUNT", "removal"), "2\n");
    await confirm(page, "/remove", "ann");
    await page.waitForURL(/\/boards\/removal(\?|$)/);
    assert.equal(await stage.server.ask("LB.COUNT", "removal"), "1\n");
  }));

  it("a form that is sent twice counts once", () => within(stage.gateway, {}, async (page) => {
    await stage.server.ask("LB.ADD", "twice", "100", "ann");
    await page.goto("/boards/twice/members/ann");
    const form = page.locator("form[action*='/score']");
    await form.locator("[name=value]").fill("25");
    const sent = await form.evaluate((form) => [form.action, new URLSearchParams(new FormData(form)).toString()]);
    const statuses = await page.evaluate(async ([action, body]) => {
      const send = () => fetch(action, { method: "POST", body: new URLSearchParams(body) }).then((answer) => answer.status);
      return [await send(), await send()];
    }, sent);
    assert.deepEqual(statuses, [200, 200], "after the redirect");
    assert.equal(await stage.server.ask("LB.SCORE", "twice", "ann"), "125\n");
    await page.reload();
    await form.locator("[name=value]").fill("25");
    await form.locator("button").click();
    await page.getByRole("status").first().waitFor();
    assert.equal(await stage.server.ask("LB.SCORE", "twice", "ann"), "150\n", "a form that was fetched anew counts again");
  }));

  it("a hidden member is not shown, and comes back", () => within(stage.gateway, {}, async (page) => {
    await stage.server.send(["LB.ADD veiled 5 mallory", "LB.ADD veiled 1 ann"]);
    await page.goto("/boards/veiled/members/mallory");
    await page.locator("form[action*='/hide'] button").click();
    await page.getByRole("status").first().waitFor();
    await page.goto("/boards/veiled");
    await page.locator("main tbody").filter({ hasText: "ann" }).waitFor();
    assert.equal(await page.locator("main tbody").getByText("mallory").count(), 0);
    await openAll(page);
    await page.locator("form[action*='/hide'] button").click();
    await page.locator("main tbody").first().filter({ hasText: "mallory" }).waitFor();
  }));

  it("a text beside a member is written", () => within(stage.gateway, {}, async (page) => {
    await stage.server.ask("LB.ADD", "texts", "1", "ann");
    await page.goto("/boards/texts/members/ann");
    await page.locator("textarea[name=meta]").fill("Ann <b>from</b> Accra\n第二行");
    await page.locator("form[action*='/meta'] button").click();
    await page.getByRole("status").first().waitFor();
    assert.match(await stage.server.ask("LB.GETMETA", "texts", "ann"), /Ann <b>from<\/b> Accra\r?\n第二行/);
    assert.equal(await page.locator("main b").filter({ hasText: "from" }).count(), 0);
  }));

  it("an option is edited", () => within(stage.gateway, {}, async (page) => {
    await stage.server.send(["LB.CREATE edited VIEWS all SHOWN", "LB.OPTION edited tide WEIGHT 2 META old"]);
    await page.goto("/boards/edited/options");
    await page.locator("main tbody a").first().click();
    const form = page.locator("form[action*='/options/option']");
    await form.locator("[name=weight]").fill("7");
    await form.locator("button").click();
    await page.getByRole("status").first().waitFor();
    const told = await stage.server.ask("LB.OPTIONS", "edited", "0");
    assert.match(told, /weight\n7\n/);
    assert.match(told, /meta\nold\n/, "what was not touched stays");
  }));

  it("the audit log tells of all this, and can be downloaded", () => within(stage.gateway, {}, async (page) => {
    await stage.server.ask("LB.ADD", "told", "1", "<i>ann</i>");
    await page.goto(`/boards/told/members/${encodeURIComponent("<i>ann</i>")}`);
    await confirm(page, "/remove", "<i>ann</i>");
    await page.waitForURL(/\/boards\/told(\?|$)/);
    await page.goto("/audit");
    const line = page.locator("main tbody tr").filter({ hasText: "told" }).first();
    assert.match(await line.innerText(), /<i>ann<\/i>/);
    const waiting = page.waitForEvent("download");
    await page.locator("a[href^='/audit.jsonl']").click();
    const text = await (await (await waiting).createReadStream()).toArray();
    const records = Buffer.concat(text).toString().trim().split("\n").map((record) => JSON.parse(record));
    const record = records.find(({ key, member }) => key === "told" && member === "<i>ann</i>");
    assert.equal(record.who, "local");
    assert.equal(record.outcome, "done");
    assert.ok(Math.abs(record.at - Date.now()) < 3_600_000, "milliseconds");
  }));

  it("another site cannot send a form", async () => {
    await stage.server.ask("LB.ADD", "forged", "1", "ann");
    const forged = (headers) => fetch(`${stage.gateway.address}/boards/forged/delete`, {
      method: "POST", redirect: "manual", headers: { "content-type": "application/x-www-form-urlencoded", ...headers }, body: "confirm=forged",
    });
    assert.equal((await forged({ "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await forged({ origin: "http://example.org" })).status, 403);
    assert.ok(await exists("forged"));
  });
});
