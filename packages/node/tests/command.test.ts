// The command, as it is installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";

import { COMMAND, answers, isGone, running } from "./command.js";

function failing(options: string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [COMMAND, ...options], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

test("the command shows the demo and the console", async () => {
  await using command = await running();
  assert.match(command.printed, /^ {2}1 \w+ +\d+$/m);
  const board = /console (http:\S+)/.exec(command.printed)?.[1] ?? "";
  const answer = await fetch(`${board}/api/v1/boards/songs/top`);
  assert.equal(answer.status, 200);
  // npx sends Ctrl-C a second time.
  command.child.kill("SIGINT");
  command.child.kill("SIGINT");
  await once(command.child, "exit");
  assert.equal(command.child.exitCode, 130);
  assert.equal(await answers(command.port), false);
});

test("a killed command leaves no server", async () => {
  await using command = await running("--no-demo");
  const web = Number(/console http:\/\/127\.0\.0\.1:(\d+)/.exec(command.printed)?.[1]);
  assert.ok((await answers(command.port)) && (await answers(web)));
  command.child.kill("SIGKILL");
  assert.ok(await isGone(command.port));
  assert.ok(await isGone(web));
});

test("a server that ends by itself ends the command", async () => {
  await using command = await running("--no-console", "--no-demo");
  connect(command.port, "127.0.0.1").end("SHUTDOWN NOSAVE\r\n");
  await once(command.child, "exit");
  assert.equal(command.child.exitCode, 1);
  assert.equal(await command.errors, "leaderboard-server: a program ended by itself\n");
});

test("a missing server is an error", () => {
  const done = failing(["--server", "/absent"]);
  assert.equal(done.status, 1);
  assert.match(done.stderr, /^leaderboard-server: \/absent does not start/);
});

test("a machine without a server is told what to install", () => {
  const done = failing([], { PATH: "", LEADERBOARD_REDIS_SERVER: "" });
  assert.equal(done.status, 1);
  assert.match(done.stderr, /^leaderboard-server: there is no redis-server or valkey-server/);
});

test("a wrong option is an error", () => {
  assert.equal(failing(["--port", "x"]).status, 2);
  assert.equal(failing(["--absent"]).status, 2);
});
