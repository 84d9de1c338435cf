// Replies in the forms in which libraries give them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { errors, requests } from "leaderboard-client";

const segment = requests.getSegment("game", "ann");
const score = requests.score("game", "ann");
const rank = requests.rank("game", "ann");
const top = requests.top("game", 3);

test("a map may be a flat array, a Map or an object, with any names", () => {
  const expected = new Map([["__proto__", "x"], ["constructor", "y"]]);
  assert.deepEqual(segment.decode(["__proto__", "x", "constructor", "y"]), expected);
  assert.deepEqual(segment.decode(expected), expected);
  assert.deepEqual(segment.decode(JSON.parse('{"__proto__":"x","constructor":"y"}')), expected);
  assert.deepEqual(segment.decode(Object.create(null)), new Map());
});

test("no name of a member changes an object", () => {
  const rows = top.decode([[1, "__proto__", 5], [2, "toString", 4]]);
  assert.deepEqual(rows.map(({ member }) => member), ["__proto__", "toString"]);
  const empty: Record<string, unknown> = {};
  assert.equal(empty.member, undefined);
});

test("whole scores are bigints, other scores strings", () => {
  for (const [reply, expected] of [
    [5, 5n],
    ["5", 5n],
    ["-9007199254740993", -9_007_199_254_740_993n],
    [9_007_199_254_740_993n, 9_007_199_254_740_993n],
    ["10.50", "10.50"],
    ["12 3", "12 3"],
    [Buffer.from("7"), 7n],
    [null, null],
  ] as const) {
    assert.equal(score.decode(reply), expected);
  }
});

test("a number that has lost digits is refused", () => {
  const lost = { name: "UnexpectedReply", message: /lost digits.*stringNumbers/ };
  assert.throws(() => score.decode(2 ** 53), lost);
  assert.throws(() => rank.decode("9007199254740993"), errors.UnexpectedReply);
  assert.throws(() => score.decode(0.5), errors.UnexpectedReply);
});

test("replies of another form are refused", () => {
  for (const reply of [undefined, {}, "no", [], true, 1.5, new Map()]) {
    assert.throws(() => rank.decode(reply), errors.UnexpectedReply);
  }
  for (const reply of [null, [[1, "ann"]], [[1, "ann", 5, "more"]], [1], "text", { 0: [1, "ann", 5] }]) {
    assert.throws(() => top.decode(reply), errors.UnexpectedReply);
  }
  assert.throws(() => segment.decode(["land"]), errors.UnexpectedReply);
  assert.throws(() => requests.stats("game").decode(["members", 1]), errors.UnexpectedReply);
  assert.throws(() => { requests.setMeta("game", "ann", "x").decode("NO"); }, errors.UnexpectedReply);
  assert.throws(() => requests.vote("game", 1, "ann").decode([1, "x"]), errors.UnexpectedReply);
});

test("names that later versions add to a map are ignored", () => {
  const reply = new Map<string, unknown>([["rank", 1], ["tier", "gold"], ["group", 2], ["zone", "stay"]]);
  reply.set("members", 3).set("score", "5").set("later", "x");
  const standing = requests.league.standing("words", "ann").decode(reply);
  assert.deepEqual(standing, { tier: "gold", group: 2, rank: 1, members: 3, score: 5n, zone: "stay" });
});

test("an option chooses the form of the reply", () => {
  const added = requests.add("game", 5, "ann", { withChange: true, id: null });
  assert.deepEqual(added.decode([5, 1, 1, null, null]), {
    score: 5n,
    rank: 1,
    applied: true,
    oldScore: null,
    oldRank: null,
  });
  assert.throws(() => added.decode([5, 1, 1]), errors.UnexpectedReply);
});
