// Who may see and do what: signing in and out, roles, a console that only reads.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { PROGRAM } from "../stage/built.js";
import { Gateway, tokens } from "../stage/gateway.js";
import { stage } from "../stage/stage.js";

const ROLES = ["viewer", "voter", "editor", "admin"];
/** Pages with forms for editors, and what only admins see. */
const EDITED = ["/boards/songs/campaign", "/boards/songs/options", "/boards/cup/members/player-3"];

async function signIn(page, token) {
  await page.goto("/boards");
  await page.waitForURL(/\/login/);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Forms that change something; every page has one to sign out. */
const forms = (page) => page.locator("main form[method=post]");

describe("tokens", () => {
  let gateway, made;
  before(async () => {
    made = tokens(stage.server, ROLES);
    gateway = await Gateway.start(stage.server, ...made.flags);
  });
  after(() => gateway.stop());

  it("a page asks for a token, and a wrong one is refused", () => within(gateway, {}, async (page) => {
    await signIn(page, "lbt_wrong");
    await page.getByRole("alert").waitFor();
    assert.match(page.url(), /\/login/);
    await page.goto("/audit");
    await page.waitForURL(/\/login/);
  }));

  it("pages about tokens name commands as code, and have separators in numbers", () => within(gateway, {}, async (page) => {
    execFileSync(PROGRAM, ["token", "new", made.flags[1], "--name", "fast", "--role", "viewer", "--rate", "2500"]);
    await page.goto("/login");
    assert.doesNotMatch(await page.locator("main").innerText(), /`/);
    assert.equal(await page.locator("main code").innerText(), "leaderboard-gateway token new");
    await signIn(page, made.tokens.admin);
    await page.waitForURL(/\/boards$/);
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.locator("tr", { hasText: "fast" }).filter({ hasText: "2,500" }).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /`/);
    assert.equal(await page.locator("main code").innerText(), "leaderboard-gateway token");
  }));

  it("signing out ends the session, for a copy of its cookie as well", () => within(gateway, {}, async (page) => {
    await signIn(page, made.tokens.admin);
    await page.waitForURL(/\/boards$/);
    const cookies = await page.context().cookies();
    const session = cookies.find((cookie) => cookie.httpOnly);
    assert.equal(session.sameSite, "Strict");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/login/);
    await page.context().addCookies([session]);
    await page.goto("/boards");
    await page.waitForURL(/\/login/);
  }));

  for (const role of ROLES) {
    const edits = ["editor", "admin"].includes(role);
    it(`${role}: pages show what is allowed, and hide the rest`, () => within(gateway, {}, async (page) => {
      await signIn(page, made.tokens[role]);
      await page.waitForURL(/\/boards$/);
      await page.getByText(`${role} (${role})`).waitFor();
      assert.equal(await page.locator("nav a[href='/audit']").count(), role === "admin" ? 1 : 0, "audit");
      assert.equal(await page.locator("main a[href^='/boards/new']").count(), role === "admin" ? 1 : 0, "new board");
      for (const path of EDITED) {
        await page.goto(path);
        assert.equal((await forms(page).count()) > 0, edits, `forms on ${path}`);
      }
      assert.equal(await page.locator("form[action$='/remove']").count(), role === "admin" ? 1 : 0, "remove a member");
      assert.deepEqual(page.faults, []);
    }));
  }

  it("what a page hides is refused as well", () => within(gateway, {}, async (page) => {
    await signIn(page, made.tokens.viewer);
    await page.waitForURL(/\/boards$/);
    for (const path of ["/audit", "/boards/new"]) assert.equal((await page.goto(path)).status(), 403, path);
    const refused = await page.evaluate(() =>
      fetch("/boards/cup/members/player-3/remove", { method: "POST", body: new URLSearchParams({ confirm: "player-3" }) })
        .then((answer) => answer.status));
    assert.equal(refused, 403);
    assert.notEqual(await stage.server.ask("LB.SCORE", "cup", "player-3"), "\n");
  }));
});

describe("a console that only reads", () => {
  let gateway;
  before(async () => (gateway = await Gateway.start(stage.server, "--read-only")));
  after(() => gateway.stop());

  it("says so, and has no forms that change anything", () => within(gateway, {}, async (page) => {
    for (const path of ["/boards", ...EDITED]) {
      await page.goto(path);
      await page.getByText("Read-only", { exact: true }).waitFor();
      assert.equal(await forms(page).count(), 0, path);
    }
  }));
});
