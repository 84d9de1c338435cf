// What plots and pictures tell about data that is hard to draw.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../stage/browser.js";
import { stage } from "../stage/stage.js";

/** Answers a plot with this data, and notes what is written into drawings. */
async function serve(page, figure, plot) {
  await page.addInitScript(() => {
    globalThis.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      globalThis.drawn.push(text);
      return fillText.call(this, text, ...place);
    };
  });
  await page.route(`**/plots/boards/songs/${figure}?*`, (route) => route.fulfill({ json: plot }));
}

const second = () => Math.floor(Date.now() / 1000);

describe("plots", () => {
  it("name a single rule", () => within(stage.gateway, {}, async (page) => {
    await serve(page, "held_back", { times: [second() - 60, second()], series: [{ label: "perminute", values: [1, 3] }] });
    await page.goto("/boards/songs/history");
    await page.locator("figure[data-plot$='/held_back'] li").filter({ hasText: /perminute.*3/ }).waitFor();
    const votes = page.locator("figure[data-plot$='/votes'] li");
    await votes.first().waitFor();
    assert.doesNotMatch(await votes.first().innerText(), /songs/, "all of the board needs no name");
  }));

  it("of one point have an axis of its time", () => within(stage.gateway, {}, async (page) => {
    await serve(page, "*", { times: [second()], series: [{ label: "songs", values: [3] }] });
    await page.goto("/boards/songs/history");
    await page.locator("figure[data-plot$='/votes'] .uplot").waitFor();
    const drawn = await page.waitForFunction(() => globalThis.drawn.length && globalThis.drawn);
    const times = (await drawn.jsonValue()).filter((text) => /[:-]/.test(text));
    assert.notEqual(times.length, 0);
    for (const time of times) assert.match(time, /^\d\d:\d\d(:\d\d)?$/);
  }));

  it("of all scores show the bulk, and count who is beyond", () => within(stage.gateway, {}, async (page) => {
    const scores = Array.from({ length: 300 }, (_, member) => `LB.ADD crowd ${1_000 + (member % 100) * 10} m${member}`);
    await stage.server.send([...scores, "LB.ADD crowd 900000000 cheater"]);
    await page.goto("/boards/crowd/suspects");
    const figure = page.locator("figure.spread");
    const bars = await figure.locator("rect").evaluateAll((bars) => bars.filter((bar) => Number(bar.getAttribute("height")) > 0).length);
    assert.ok(bars > 10, `${bars} bars`);
    assert.match(await figure.innerText(), /Not in the picture: 1 with a score above [\d,]+\./);
    assert.doesNotMatch(await figure.innerText(), /below/);
  }));
});
