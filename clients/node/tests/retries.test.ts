// What is sent again, and what is not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { errors, Leaderboard, requests } from "leaderboard-client";

import { Scripted } from "./senders.js";

const LOST = new Error("Socket closed unexpectedly");
const WRITTEN = [50, 1, 1];

test("a write with an id is sent again with the same id", async () => {
  const sender = new Scripted(LOST, LOST, WRITTEN);
  await new Leaderboard(sender).add("game", 50, "ann");
  assert.equal(sender.sent.length, 3);
  assert.deepEqual(sender.sent[0], sender.sent[2]);
  assert.match(String(sender.sent[0]?.[5]), /^[0-9a-f-]{36}$/);
});

test("a write without an id is not sent again after a lost answer", async () => {
  const sender = new Scripted(LOST);
  await assert.rejects(new Leaderboard(sender).add("game", 50, "ann", { id: null }), LOST);
  assert.equal(sender.sent.length, 1);
});

test("a read is sent again", async () => {
  const sender = new Scripted(LOST, 7);
  assert.equal(await new Leaderboard(sender).rank("game", "ann"), 7);
});

test("retries are not endless, and can be none", async () => {
  const sender = new Scripted(LOST, LOST, LOST, LOST);
  await assert.rejects(new Leaderboard(sender).rank("game", "ann"), LOST);
  assert.equal(sender.sent.length, 4);
  const once = new Scripted(LOST);
  await assert.rejects(new Leaderboard(once, { retries: 0 }).rank("game", "ann"), LOST);
  assert.equal(once.sent.length, 1);
});

const REFUSALS = ["BUSY try again in 5 ms", "TRYAGAIN the part is split", "LOADING the server is loaded"];

for (const message of REFUSALS) {
  test(`any request is sent again after ${message}`, async () => {
    const sender = new Scripted(new Error(message), 1);
    assert.equal(await new Leaderboard(sender).rem("game", ["ann"]), 1);
    assert.equal(sender.sent.length, 2);
  });
}

test("a busy gateway says how long to wait", async () => {
  const start = performance.now();
  await new Leaderboard(new Scripted(new Error("BUSY try again in 120 ms"), 1)).rem("game", ["ann"]);
  assert(performance.now() - start >= 119);
});

test("a write without an answer of its part is sent again if it has an id", async () => {
  const unknown = new Error("UNKNOWN the part did not answer");
  await new Leaderboard(new Scripted(unknown, WRITTEN)).add("game", 50, "ann", { id: "battle-1" });
  await assert.rejects(new Leaderboard(new Scripted(unknown)).rem("game", ["ann"]), errors.Unknown);
});

test("an error of the command is not sent again", async () => {
  const sender = new Scripted(new Error("NOBOARD no board"));
  await assert.rejects(new Leaderboard(sender).rank("game", "ann"), errors.NoBoard);
  assert.equal(sender.sent.length, 1);
});

test("an unexpected reply is not sent again", async () => {
  const sender = new Scripted(["no", "rank"]);
  await assert.rejects(new Leaderboard(sender).rank("game", "ann"), errors.UnexpectedReply);
  assert.equal(sender.sent.length, 1);
});

test("a pipeline returns values and errors at their places", async () => {
  const sender = new Scripted(7, new Error("NOBOARD no board"), LOST, "text");
  const rank = requests.rank("game", "ann");
  const [first, second, third, fourth] = await new Leaderboard(sender).executeMany([rank, rank, rank, rank]);
  assert.equal(first, 7);
  assert(second instanceof errors.NoBoard);
  assert.equal(third, LOST);
  assert(fourth instanceof errors.UnexpectedReply);
  assert.equal(sender.sent.length, 4);
});
