// The shared sessions on real servers, by all libraries.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test, type TestContext } from "node:test";

import { errors, requests } from "leaderboard-client";

import { clustered, servers, single, type Client, type Connect } from "./servers.js";
import { plain, request, sessions, type Call, type Session } from "./sessions.js";

const all = sessions();
const known = servers();

/** Returns the keys that a session writes. */
function keys(session: Session): Set<string> {
  return new Set(session.calls.flatMap(({ words }) => words.slice(1, 2)));
}

/** Takes away what each server tells differently: its time and its memory. */
function comparable(call: Call, value: unknown): unknown {
  const fields = plain(value);
  if (call.command.endsWith("INFO") && fields instanceof Map) {
    fields.delete("now");
    fields.delete("memory");
  }
  return fields;
}

function checkReply(call: Call, reply: unknown): void {
  if (reply instanceof Error) {
    assert(reply instanceof errors.LeaderboardError, reply.message);
    assert.equal(reply.code, call.error?.code, call.words.join(" "));
  } else {
    assert.deepEqual(comparable(call, reply), comparable(call, call.value), call.words.join(" "));
  }
}

async function removeKeys(client: Client, session: Session): Promise<void> {
  for (const key of keys(session)) {
    await client.remove(key);
  }
}

async function replay(client: Client, session: Session): Promise<void> {
  await removeKeys(client, session);
  for (const call of session.calls) {
    const reply = client.leaderboard.execute(request(call));
    checkReply(call, await reply.catch((error: unknown) => error));
  }
}

async function replayInPipeline(client: Client, session: Session): Promise<void> {
  await removeKeys(client, session);
  const replies = await client.leaderboard.executeMany(session.calls.map(request));
  assert.equal(replies.length, session.calls.length);
  session.calls.forEach((call, at) => {
    checkReply(call, replies[at]);
  });
}

type Replay = typeof replay;

async function replayAll(
  context: TestContext,
  connect: Connect,
  chosen: readonly Session[],
  how: Replay,
): Promise<void> {
  const client = await connect();
  try {
    for (const session of chosen) {
      await context.test(session.name, () => how(client, session));
    }
  } finally {
    await client.close();
  }
}

/** A new client does not know yet which node has a board. */
async function checkFirstRequests(connect: Connect): Promise<void> {
  for (let board = 0; board < 8; board += 1) {
    const client = await connect();
    try {
      const key = randomUUID();
      const replies = await client.leaderboard.executeMany(Array.from({ length: 50 }, () => requests.add(key, 1, "ann")));
      const scores = replies.map((reply) => (reply instanceof Error ? reply.message : reply.score));
      assert.deepEqual(scores, Array.from({ length: 50 }, (_, before) => BigInt(before + 1)));
    } finally {
      await client.close();
    }
  }
}

type Clients = Readonly<Record<string, Connect>>;

function check(place: string, clients: Clients, chosen: readonly Session[], how: Replay = replay): void {
  for (const [name, connect] of Object.entries(clients)) {
    test(`${place} by ${name}`, (context) => replayAll(context, connect, chosen, how));
  }
}

if (known === undefined) {
  test("sessions on servers", { skip: "LEADERBOARD_TEST_SERVERS names no servers" });
} else {
  for (const [name, port] of Object.entries(known.servers)) {
    check(name, single(port), all);
    check(`a pipeline to ${name}`, single(port), all, replayInPipeline);
  }
  if (known.cluster.length > 0) {
    check("the cluster", clustered(known.cluster), all);
    check("a pipeline to the cluster", clustered(known.cluster), all, replayInPipeline);
    for (const [name, connect] of Object.entries(clustered(known.cluster))) {
      test(`the first requests reach the cluster in their order by ${name}`, () => checkFirstRequests(connect));
    }
  }
  if (known.gateway !== undefined) {
    const passed = all.filter((session) => session.gateway);
    check("the gateway", single(known.gateway), passed);
    check("the gateway in a pipeline", single(known.gateway), passed, replayInPipeline);
  }
}
