// Errors have the classes of their codes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { errors, Leaderboard, LeaderboardError } from "leaderboard-client";

import { Scripted } from "./senders.js";

async function errorOf(message: string): Promise<Error> {
  const cause = new Error(message);
  const reply = new Leaderboard(new Scripted(cause), { retries: 0 }).rank("game", "ann");
  return reply.then(
    () => assert.fail("no error"),
    (error: unknown) => error as Error,
  );
}

const { BoardExists, Busy, HeldBack, IdReused, NoBoard, NoPart } = errors;
const { PartsDown, Stale, TryAgain, Unknown, WrongType } = errors;
const FIRST = [BoardExists, Busy, HeldBack, IdReused, NoBoard, NoPart];

for (const known of [...FIRST, PartsDown, Stale, TryAgain, Unknown, WrongType]) {
  test(`${known.name} has a class`, async () => {
    const code = known.name.toUpperCase();
    const error = await errorOf(`${code} some text`);
    assert(error instanceof known);
    assert(error instanceof LeaderboardError);
    assert.equal(error.code, code);
    assert.equal(error.name, known.name);
    assert(error.cause instanceof Error);
  });
}

test("other codes are errors of the module, too", async () => {
  const error = await errorOf("ERR unknown command");
  assert(error instanceof LeaderboardError);
  assert.equal(error.code, "ERR");
});

test("errors of the libraries stay as they are", async () => {
  const refused = "connect ECONNREFUSED 127.0.0.1:1";
  for (const message of ["Connection is closed.", refused, "Socket closed unexpectedly", ""]) {
    const error = await errorOf(message);
    assert(!(error instanceof LeaderboardError));
    assert.equal(error.message, message);
  }
});

test("a rule that holds back says until when", async () => {
  const closed = await errorOf("HELDBACK closed 1500");
  assert(closed instanceof HeldBack);
  assert.deepEqual([closed.rule, closed.retryAfter], ["closed", 1500]);
  const full = await errorOf("HELDBACK full -1");
  assert(full instanceof HeldBack && full.retryAfter === null);
});

test("a busy gateway says how long to wait, a busy server does not", async () => {
  const gateway = await errorOf("BUSY try again in 80 ms");
  assert(gateway instanceof Busy && gateway.retryAfter === 80);
  const server = await errorOf("BUSY Redis is busy running a script");
  assert(server instanceof Busy && server.retryAfter === null);
});
