// Rounds through the page, and what others see of them at once.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "../stage/browser.js";
import { arrive, awaitRow, play, rows, told } from "./player.js";

const VIEWERS = 5;

function segmentReads(game) {
  const stats = execFileSync("redis-cli", ["-p", game.redis, "INFO", "commandstats"]).toString();
  return Number(/cmdstat_lb\.segments:calls=(\d+)/i.exec(stats)?.[1] ?? 0);
}

/** These go on from each other: the board is empty at first. */
export function live(game) {
  it("a round counts in the world, in the country and in the league, and others see it", () => within(game, {}, (viewer) => within(game, {}, async (page) => {
    await arrive(viewer, "cleo", "SE");
    await arrive(page, "ann", "SE");
    await play(page);
    assert.match(await told(page), /^20 points\. 20 points this week: rank 1 in the world, rank 1 in Sweden\.\nIn the bronze league: rank 1 of \d, moving up\.$/);
    for (const table of ["world", "at-home"]) await awaitRow(viewer, table, 0, "ann", "20");
    await awaitRow(viewer, "countries", 0, "Sweden", "20");
    await awaitRow(page, "world", 0, "ann", "20");
    assert.deepEqual(await Promise.all([page, viewer].map((window) => window.locator("#world .mine").count())), [1, 0]);
    assert.deepEqual(viewer.faults.concat(page.faults), []);
  })));

  it("new ranks are seen within a second", () => within(game, {}, async (viewer) => {
    await arrive(viewer, "cleo", "SE");
    await awaitRow(viewer, "world", 0, "ann", "20");
    const rounds = await Promise.all([game.play("bob", "NO"), game.play("bob", "NO")]);
    const began = performance.now();
    await awaitRow(viewer, "world", 0, "bob", "40");
    const waited = performance.now() - began;
    assert.ok(waited < 1000, `${waited} ms`);
    const last = rounds.find(({ score }) => score === 40);
    assert.deepEqual([last.world, last.country, last.league.rank], [1, 1, 1]);
    assert.deepEqual(await rows(viewer, "world"), [["1", "bob", "40"], ["2", "ann", "20"]]);
    assert.deepEqual(await rows(viewer, "at-home"), [["1", "ann", "20"]]);
    assert.deepEqual(await rows(viewer, "countries"), [["1", "Norway", "40"], ["2", "Sweden", "20"]]);
    await viewer.locator("#country").selectOption("NO");
    await awaitRow(viewer, "at-home", 0, "bob", "40");
    assert.deepEqual(viewer.faults, []);
  }));

  it("the boards are read once for all viewers, and not without viewers", async () => {
    const ends = new AbortController();
    for (let viewer = 0; viewer < VIEWERS; viewer++) {
      const country = ["SE", "NO"][viewer % 2];
      await fetch(`${game.address}/live?country=${country}`, { signal: ends.signal });
    }
    const before = segmentReads(game);
    await sleep(1000);
    const reads = segmentReads(game) - before;
    assert.ok(reads >= 2 && reads <= 5, `${reads} reads in a second`);
    ends.abort();
    await sleep(500);
    const rest = segmentReads(game);
    await sleep(500);
    assert.equal(segmentReads(game), rest);
  });
}
