// The same package for CommonJS, and the helper for a whole file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leaderboardServer } from "leaderboard-server/test";
import { Leaderboard } from "leaderboard-client";

const server = leaderboardServer();

test("CommonJS has a server", async () => {
  await server.leaderboard.add("game", 5, "ann");
  assert.ok(server.leaderboard instanceof Leaderboard);
});

test("CommonJS begins each test without data", async () => {
  assert.equal(await server.leaderboard.count("game"), 0);
});
