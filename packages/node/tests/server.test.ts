// The functions, as they are installed.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";

import { ServerError, startServer } from "leaderboard-server";
import { leaderboardServer } from "leaderboard-server/test";

import { answers } from "./command.js";

test("data in a directory stays", async () => {
  const directory = await mkdtemp(join(tmpdir(), "leaderboard-test-"));
  try {
    for (const applied of [true, false]) {
      await using server = await startServer({ directory });
      const added = await server.client().add("game", 5, "ann", { id: "once" });
      assert.deepEqual([added.score, added.applied], [5n, applied]);
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a stopped server is gone, and its clients are closed", async () => {
  const server = await startServer();
  const client = server.client();
  await server.stop();
  await server.stop();
  assert.equal(await answers(server.port), false);
  await assert.rejects(client.count("game"));
  assert.throws(() => server.client(), ServerError);
});

test("a port that is taken is an error", async () => {
  await using server = await startServer();
  await assert.rejects(startServer({ port: server.port }), /does not start/);
});

test("a missing server is an error", async () => {
  await assert.rejects(startServer({ program: "/absent" }), ServerError);
});

describe("the helper", () => {
  const server = leaderboardServer({ http: 0 });
  assert.throws(() => server.url, /starts with the tests/);

  test("has a server", async () => {
    assert.equal((await server.leaderboard.add("game", 5, "ann")).rank, 1);
    assert.equal((await fetch(`${server.console ?? ""}/api/v1/boards/game/top`)).status, 200);
  });

  test("begins each test without data", async () => {
    assert.equal(await server.leaderboard.count("game"), 0);
    assert.equal(server.url, `redis://127.0.0.1:${String(server.port)}`);
  });
});
