// Signing in by an OpenID Connect provider. The console is at localhost and the provider at 127.0.0.1, which are two sites.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { Gateway, tokens } from "../stage/gateway.js";
import { checkFrame, violations } from "../stage/look.js";
import { IdentityProvider } from "../stage/provider.js";
import { freePort } from "../stage/server.js";
import { stage } from "../stage/stage.js";

const RULES = ["groups=admins admin *", "email=ann@example.org editor c*", "groups=guests viewer *"];

describe("sign-in by a provider", () => {
  let gateway, provider, flags;

  before(async () => {
    const port = await freePort();
    provider = await IdentityProvider.start(`http://localhost:${port}`);
    const secret = join(stage.server.directory, "secret");
    writeFileSync(secret, `${provider.secret}\n`, { mode: 0o600 });
    const made = tokens(stage.server, ["viewer"], "tokens-of-provider");
    flags = [...made.flags, ...provider.flags(secret), ...RULES.flatMap((rule) => ["--oidc-role", rule])];
    gateway = await Gateway.startAt(port, stage.server, ...flags);
  });
  after(() => Promise.all([gateway?.stop(), provider?.stop()]));

  /** From the console to the provider, and there with this name until the provider asks for consent. */
  async function toConsent(page, name) {
    await page.goto("/boards");
    await page.waitForURL(/\/login$/);
    await page.getByRole("link", { name: `Sign in with ${provider.host}` }).click();
    await page.getByPlaceholder("Enter any login").fill(name);
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).waitFor();
  }

  async function signIn(page, name) {
    await toConsent(page, name);
    await page.getByRole("button", { name: "Continue" }).click();
  }

  /** The address that the provider sends the browser back to after the consent, which the browser does not follow. */
  async function wayBack(page, name) {
    await toConsent(page, name);
    const form = await page.locator("form").first().getAttribute("action");
    const consent = await page.request.post(form, { form: { prompt: "consent" }, maxRedirects: 0 });
    const answer = await page.request.get(consent.headers().location, { maxRedirects: 0 });
    return new URL(answer.headers().location);
  }

  async function isSignedIn(page, who) {
    await page.waitForURL(/localhost:\d+\/boards$/);
    await page.getByText(who).waitFor();
  }

  const audit = (page) => page.goto("/audit").then(() => page.locator("main").innerText());

  it("a user gets the role of the first rule that fits, by name", () => within(gateway, {}, async (page) => {
    await signIn(page, "ann+admins+guests");
    await isSignedIn(page, `ann@example.org (${provider.host}) (admin)`);
    const session = (await page.context().cookies(gateway.address)).find((cookie) => cookie.name === "leaderboard_session");
    assert.equal(session.sameSite, "Strict");
    await page.goto("/boards/cup");
    await checkFrame(page, "en");
    assert.match(await audit(page), new RegExp(`ann@example.org \\(${provider.host}\\)`));
    // The pages of the provider ask for fonts from elsewhere, which are not there.
    assert.deepEqual(page.faults.filter((fault) => fault.startsWith(gateway.address)), []);
  }));

  it("a rule of an address gives its keys alone", () => within(gateway, {}, async (page) => {
    await signIn(page, "ann+others");
    await isSignedIn(page, `ann@example.org (${provider.host}) (editor)`);
    assert.equal((await page.goto("/boards/cup/scores")).status(), 200);
    assert.equal((await page.goto("/boards/songs")).status(), 403);
    assert.equal((await page.goto("/audit")).status(), 403);
  }));

  it("signing out ends the session, for a copy of its cookie as well", () => within(gateway, {}, async (page) => {
    await signIn(page, "bob+guests");
    await isSignedIn(page, "(viewer)");
    const cookies = await page.context().cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/login$/);
    await page.context().addCookies(cookies.filter((cookie) => cookie.value));
    await page.goto("/boards");
    await page.waitForURL(/\/login$/);
  }));

  it("a user without a rule is refused, and one who turns back as well", () => within(gateway, {}, async (page) => {
    const answer = page.waitForResponse(/\/login\/callback/);
    await signIn(page, "eve+Admins");
    assert.equal((await answer).status(), 403);
    assert.match(await page.getByRole("alert").innerText(), /You are eve@example.org .* no rule/);
    await page.context().clearCookies();
    await page.goto("/login/oidc");
    const turned = page.waitForResponse(/\/login\/callback/);
    await page.getByRole("link", { name: "Cancel" }).click();
    assert.equal((await turned).status(), 403);
    assert.match(await page.getByRole("alert").innerText(), /did not sign you in/);
    await page.goto("/boards");
    await page.waitForURL(/\/login$/);
    assert.deepEqual(await violations(page), []);
  }));

  it("the way back counts once, with its state, in its browser", () => within(gateway, {}, async (page) => {
    const back = await wayBack(page, "bob+guests");
    const wrong = new URL(back);
    wrong.searchParams.set("state", "wrong");
    assert.equal((await page.goto(wrong.href)).status(), 400);
    assert.match(await page.getByRole("alert").innerText(), /not known here/);
    await within(gateway, {}, async (other) => assert.equal((await other.goto(back.href)).status(), 400));
    await page.goto(back.href);
    await isSignedIn(page, "(viewer)");
    assert.equal((await page.goto(back.href)).status(), 400);
    await within(gateway, {}, async (admin) => {
      await signIn(admin, "ann+admins");
      await isSignedIn(admin, "(admin)");
      const said = await audit(admin);
      for (const text of ["unknown sign-in", "no role for eve@example.org"]) assert.ok(said.includes(text), text);
    });
  }));

  it("new keys of the provider are found, and claims in the ID token count", () => within(gateway, {}, async (page) => {
    provider.renew({ inToken: true });
    await signIn(page, "zoe+guests");
    await isSignedIn(page, `zoe@example.org (${provider.host}) (viewer)`);
  }));

  it("works without scripts, in Chinese", () => within(gateway, { language: "zh", scripts: false }, async (page) => {
    await page.goto("/login");
    await page.getByRole("link", { name: `使用 ${provider.host} 登录` }).click();
    await page.getByPlaceholder("Enter any login").fill("ann+admins");
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await isSignedIn(page, "(admin)");
  }));

  it("a console that only reads gives no more than reading", async () => {
    await gateway.stop();
    gateway = await Gateway.startAt(new URL(gateway.address).port, stage.server, ...flags, "--read-only");
    await within(gateway, {}, async (page) => {
      await signIn(page, "ann+admins");
      await isSignedIn(page, "(admin)");
      await page.goto("/boards/songs/campaign");
      assert.equal(await page.locator("main form[method=post]").count(), 0);
    });
  });

  it("a session has a limit of requests in a second", async () => {
    await gateway.stop();
    gateway = await Gateway.startAt(new URL(gateway.address).port, stage.server, ...flags, "--max-rate", "20");
    await within(gateway, {}, async (page) => {
      await signIn(page, "ann+admins");
      await isSignedIn(page, "(admin)");
      const asks = Array.from({ length: 100 }, () => page.request.get(`${gateway.address}/api/v1/boards`));
      const found = new Set((await Promise.all(asks)).map((answer) => answer.status()));
      assert.deepEqual([...found].sort(), [200, 429]);
    });
  });

  it("a provider that is down is named, and tokens still work", async () => {
    await provider.stop();
    await gateway.stop();
    gateway = await Gateway.startAt(new URL(gateway.address).port, stage.server, ...flags);
    await within(gateway, {}, async (page) => {
      assert.equal((await page.goto("/login/oidc")).status(), 502);
      assert.ok((await page.getByRole("alert").innerText()).includes(`Signing in with ${provider.host} does not work now`));
      await checkFrame(page, "en");
      await page.getByLabel("Token").waitFor();
    });
  });
});
