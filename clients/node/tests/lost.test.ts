// A server that drops a connection instead of an answer, with both libraries.

import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";

import { Redis } from "ioredis";
import { Leaderboard, LeaderboardError, type Sender } from "leaderboard-client";
import { fromIoredis } from "leaderboard-client/ioredis";
import { fromNodeRedis } from "leaderboard-client/node-redis";
import { createClient } from "redis";

import { commands } from "./resp.js";

interface Dropping {
  readonly port: number;
  /** The commands of the module that came in. */
  readonly received: string[][];
  readonly close: () => void;
}

/** Starts a server that drops the connection of the first command of the module, and answers the others. */
function dropping(answer: string): Promise<Dropping> {
  const received: string[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      for (const words of commands(bytes)) {
        const isOfModule = words[0]?.startsWith("LB.") === true;
        if (isOfModule && received.push(words) === 1) {
          socket.destroy();
          return;
        }
        socket.write(isOfModule ? answer : "+OK\r\n");
      }
    });
  });
  const close = () => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ port: (server.address() as AddressInfo).port, received, close });
    });
  });
}

interface Connected {
  readonly sender: Sender;
  readonly close: () => void;
}

const LIBRARIES: Readonly<Record<string, (port: number) => Promise<Connected>>> = {
  "node-redis": async (port) => {
    const client = createClient({ socket: { port, reconnectStrategy: 10 } });
    client.on("error", ignored);
    await client.connect();
    const close = () => {
      client.destroy();
    };
    return { sender: fromNodeRedis(client), close };
  },
  ioredis: (port) => {
    const quiet = { enableReadyCheck: false, disableClientInfo: true };
    const client = new Redis({ port, maxRetriesPerRequest: 0, ...quiet });
    client.on("error", ignored);
    const close = () => {
      client.disconnect();
    };
    return Promise.resolve({ sender: fromIoredis(client), close });
  },
};

/** The lost connection is what the test is about. */
function ignored(): void {
  return;
}

for (const [name, connect] of Object.entries(LIBRARIES)) {
  test(`${name}: the same words with the same id arrive twice`, async () => {
    const server = await dropping("*3\r\n:50\r\n:1\r\n:1\r\n");
    const { sender, close } = await connect(server.port);
    const written = await new Leaderboard(sender).add("game", 50, "ann");
    close();
    server.close();
    assert.deepEqual(written, { score: 50n, rank: 1, applied: true });
    assert.equal(server.received.length, 2);
    assert.deepEqual(server.received[0], server.received[1]);
    assert.equal(server.received[0]?.[4], "ID");
  });

  test(`${name}: a write without an id arrives once`, async () => {
    const server = await dropping(":1\r\n");
    const { sender, close } = await connect(server.port);
    const lost = (error: unknown) => error instanceof Error && !(error instanceof LeaderboardError);
    await assert.rejects(new Leaderboard(sender).rem("game", ["ann"]), lost);
    assert.equal(await new Leaderboard(sender).rem("game", ["bob"]), 1);
    close();
    server.close();
    assert.deepEqual(server.received.map((words) => words[2]), ["ann", "bob"]);
  });
}
