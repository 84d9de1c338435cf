// Values that become words, and values that are refused.

import assert from "node:assert/strict";
import { test } from "node:test";

import { requests } from "leaderboard-client";

/** A value that TypeScript would refuse. */
function any(value: unknown): never {
  return value as never;
}

function pointsOf(points: number | bigint | string): string | Buffer | undefined {
  return requests.add("game", points, "ann").words[2];
}

test("numbers keep their digits", () => {
  assert.equal(pointsOf(50), "50");
  assert.equal(pointsOf(-0), "0");
  assert.equal(pointsOf(9_007_199_254_740_993n), "9007199254740993");
  assert.equal(pointsOf("10.50"), "10.50");
});

test("numbers that lose digits are refused", () => {
  const refusal = { name: "TypeError", message: /loses digits: give it as a bigint or a string/ };
  for (const points of [0.1, 2 ** 53, -(2 ** 53), NaN, Infinity]) {
    assert.throws(() => pointsOf(points), refusal);
  }
  assert.throws(() => requests.top("game", 1.5), TypeError);
});

test("a moment is a number or a Date", () => {
  const moment = new Date(1_700_000_000_000);
  for (const at of [moment, moment.getTime()]) {
    assert.deepEqual(requests.rank("game", "ann", { at }).words.slice(3), ["AT", "1700000000000"]);
  }
  assert.throws(() => requests.rank("game", "ann", { at: new Date("no date") }), TypeError);
});

test("values of other types are refused", () => {
  for (const value of [undefined, null, true, {}, Symbol("ann"), ["ann"], 1.5]) {
    if (!Array.isArray(value)) {
      assert.throws(() => requests.rank("game", any(value)), TypeError);
    }
    assert.throws(() => requests.rem("game", [any([value])]), TypeError);
  }
  assert.throws(() => requests.rem("game", any("ann")), { message: 'a list of values, not "ann"' });
  assert.throws(() => requests.rem("game", ["\ud800"]), /half of a letter/);
});

test("keys and members may be bytes", () => {
  const member = Buffer.from([0xff, 0x00]);
  const key = Buffer.from("game");
  assert.deepEqual(requests.rank(key, member).words, ["LB.RANK", key, member]);
});

test("a request has a new id unless it is told", () => {
  const ids = [1, 2].map(() => requests.add("game", 1, "ann").words[5]);
  assert.notEqual(ids[0], ids[1]);
  assert.deepEqual(requests.add("game", 1, "ann", { id: "battle-1" }).words.slice(4), ["ID", "battle-1"]);
  assert.deepEqual(requests.add("game", 1, "ann", { id: null }).words, ["LB.ADD", "game", "1", "ann"]);
  assert.equal(requests.add("game", 1, "ann").isRepeatable, true);
  assert.equal(requests.add("game", 1, "ann", { id: null }).isRepeatable, false);
  assert.equal(requests.rem("game", ["ann"]).isRepeatable, false);
  assert.equal(requests.rank("game", "ann").isRepeatable, true);
});

test("options that are undefined are not sent", () => {
  const words = requests.top("game", 3, { view: undefined, withMeta: false, rev: true }).words;
  assert.deepEqual(words, ["LB.TOP", "game", "3", "REV"]);
});

test("pairs are an object, a Map or rows", () => {
  const words = ["LB.SEGMENT", "game", "ann", "__proto__", "x", "1", "y"];
  const rows: [string, string][] = [["__proto__", "x"], ["1", "y"]];
  assert.deepEqual(requests.segment("game", "ann", rows).words, words);
  assert.deepEqual(requests.segment("game", "ann", new Map(rows)).words, words);
  assert.deepEqual(requests.segment("game", "ann", { land: "se" }).words.slice(3), ["land", "se"]);
});

test("a request knows its first key", () => {
  assert.equal(requests.union("all", ["a", "b"]).key, "all");
  assert.equal(requests.counter.mGet(60, ["visits", "clicks"], { fill: true }).key, "visits");
});
