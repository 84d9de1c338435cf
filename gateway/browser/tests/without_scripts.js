// Everything works in a browser without scripts: links and forms do it all.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

const plain = { scripts: false };

/** Sends a form by the button that a person would press. */
export const send = (form) => form.locator("button").last().click();

describe("without scripts", () => {
  it("one gets from the boards to a member and back", () => within(stage.gateway, plain, async (page) => {
    await page.goto("/");
    await page.getByRole("link", { name: "cup", exact: true }).click();
    await page.locator("main tbody tr a").first().click();
    await page.waitForURL(/\/boards\/cup\/members\/player-/);
    await page.locator("main").getByRole("link", { name: "cup" }).click();
    await page.waitForURL(/\/boards\/cup/);
    await page.locator("main a[rel=next]").click();
    const ranks = await page.locator("main tbody tr").first().innerText();
    assert.match(ranks, /\b(?!1\b)\d+/, "the second page begins later");
    await page.getByLabel("View").selectOption("day");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/view=day/);
    for (const tab of ["Campaign", "Options", "Voter check"]) {
      await page.locator("main").getByRole("link", { name: tab, exact: true }).click();
      assert.equal(await page.locator("h1").count(), 1, tab);
    }
  }));

  it("a board is made", () => within(stage.gateway, plain, async (page) => {
    await page.goto("/boards");
    await page.locator("main a[href^='/boards/new']").click();
    const form = page.locator("main form[method=post]");
    await form.locator("[name=key]").fill("made/here 榜");
    await form.locator("[name=views]").fill("all,day");
    await send(form);
    await page.waitForURL((url) => url.pathname === `/boards/${encodeURIComponent("made/here 榜")}`);
    await page.getByRole("status").first().waitFor();
    assert.match(await stage.server.ask("LB.INFO", "made/here 榜"), /all,day/);
  }));

  it("what is wrong in a form is told beside it, and what was typed stays", () => within(stage.gateway, plain, async (page) => {
    await page.goto("/boards/new");
    const form = page.locator("main form[method=post]");
    await form.locator("[name=key]").fill("wrong");
    await form.locator("[name=views]").fill("all,fortnight");
    await send(form);
    await page.getByRole("alert").first().waitFor();
    assert.equal(await form.locator("[name=views]").inputValue(), "all,fortnight");
    assert.equal(await stage.server.ask("EXISTS", "wrong"), "0\n");
  }));

  it("a score is corrected", () => within(stage.gateway, plain, async (page) => {
    await stage.server.ask("LB.ADD", "corrected", "10", "ann");
    await page.goto("/boards/corrected/members/ann");
    const form = page.locator("form[action*='/score']");
    await form.locator("[name=how][value=set]").check();
    await form.locator("[name=value]").fill("1234567");
    await send(form);
    await page.getByRole("status").first().waitFor();
    await page.getByText("1,234,567").first().waitFor();
    assert.equal(await stage.server.ask("LB.SCORE", "corrected", "ann"), "1234567\n");
  }));

  it("options are uploaded as CSV: the difference first, then at once", () => within(stage.gateway, plain, async (page) => {
    await stage.server.send(["LB.CREATE uploaded VIEWS all SHOWN", "LB.OPTION uploaded tide WEIGHT 2", "LB.OPTION uploaded dawn"]);
    await page.goto("/boards/uploaded/options");
    const csv = "\uFEFFmember,weight,initial,meta\ntide,5,,\n月亮,3,100,\"By \"\"Ann\"\", 1999\"\n";
    await page.locator("input[type=file]").setInputFiles({ name: "options.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await send(page.locator("form[action$='/options/csv']"));
    const difference = await page.locator("main").innerText();
    for (const part of ["月亮", "tide", "5", "By \"Ann\", 1999"]) assert.ok(difference.includes(part), part);
    assert.doesNotMatch(await stage.server.ask("LB.OPTIONS", "uploaded", "0"), /月亮|\\xe6/, "a dry run changes nothing");
    await page.locator("form[action*='/options/csv/apply'] button").click();
    await page.waitForURL(/\/options/);
    await page.getByRole("status").first().waitFor();
    const options = await stage.server.ask("LB.OPTIONS", "uploaded", "0");
    assert.match(options, /weight\n5\n/);
    assert.match(options, /weight\n3\ninitial\n100\n/);
  }));

  it("a wrong line of a CSV is named, and nothing is applied", () => within(stage.gateway, plain, async (page) => {
    await stage.server.send(["LB.CREATE refused VIEWS all SHOWN", "LB.OPTION refused tide WEIGHT 2"]);
    await page.goto("/boards/refused/options");
    await page.locator("textarea[name=text]").fill("member,weight,initial,meta\ntide,3,,\ndawn,many,,\n");
    await send(page.locator("form[action$='/options/csv']"));
    await page.getByRole("alert").first().waitFor();
    assert.match(await page.locator("main tbody").innerText(), /^3\b/, "the third line");
    assert.equal(await page.locator("form[action*='/options/csv/apply']").count(), 0);
    assert.match(await stage.server.ask("LB.OPTIONS", "refused", "0"), /weight\n2\n/);
  }));

  it("dates and limits of a campaign are changed", () => within(stage.gateway, plain, async (page) => {
    await stage.server.send(["LB.CREATE dated VIEWS all TZ Asia/Shanghai", "LB.VOTE dated 1 tide BY a"]);
    await page.goto("/boards/dated/campaign");
    await page.locator("[name=closes]").fill("2031-05-17T08:00");
    await send(page.locator("form[action*='/campaign/dates']"));
    await page.getByRole("status").first().waitFor();
    const limit = page.locator("form[action*='/campaign/limits']").last();
    await limit.locator("[name=name]").fill("daily");
    await limit.locator("[name=scope]").fill("voter");
    await limit.locator("[name=max]").fill("10");
    await limit.locator("[name=unit]").selectOption("day");
    await limit.locator("[name=bonuses]").fill("channel acme 5");
    await send(limit);
    await page.getByText("daily").first().waitFor();
    const told = await stage.server.ask("LB.INFO", "dated");
    assert.match(told, new RegExp(`closes\n${Date.UTC(2031, 4, 17)}\n`), "midnight in UTC is eight in Shanghai");
    assert.match(told, /daily voter 10 day BONUS channel acme 5/);
  }));

  it("a voter is looked up", () => within(stage.gateway, plain, async (page) => {
    await page.goto("/boards/songs/voter");
    await page.locator("main form [name=by]").fill("user:eager");
    await send(page.locator("main form"));
    await page.waitForURL(/by=user/);
    await page.locator("main").getByText("perminute").first().waitFor();
  }));
});
